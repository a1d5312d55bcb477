// Drafts: texts as they are written in the page, beside the texts that the server keeps. A change of the
// server's text is merged into the draft, unless both are about the same place.

/** The server's text that a draft was made of, and the changes since. */
const drafting = hasEditor() ? {
  set: CM.StateEffect.define(),
  field: null,
} : null;

/** Returns the beginning of a draft: nothing was written yet. */
const undrafted = (base) => ({ base, edits: CM.ChangeSet.empty(base.length), sent: null });

function startDrafts() {
  drafting.field = CM.StateField.define({
    create: (state) => undrafted(state.doc),
    update(value, transaction) {
      const effect = transaction.effects.find((it) => it.is(drafting.set));
      if (effect) return effect.value;
      if (!transaction.docChanged) return value;
      const sent = value.sent && { ...value.sent, edits: value.sent.edits.compose(transaction.changes) };
      if (transaction.newDoc.eq(value.base)) return { ...undrafted(value.base), sent };
      return { base: value.base, edits: value.edits.compose(transaction.changes), sent };
    },
  });
}

/** Returns true if the text differs from the server's. */
const isWritten = (state) => !state.doc.eq(state.field(drafting.field).base);

/** Returns the ranges that changes replace, in the text before them. */
function rangesOf(changes) {
  const ranges = [];
  changes.iterChangedRanges((from, to) => ranges.push([from, to]));
  return ranges;
}

/** Returns true if two changes of a text are about one place. Changes at one point are, too. */
function collide(one, other) {
  const others = rangesOf(other);
  return rangesOf(one).some(([from, to]) => others.some(([start, end]) => from <= end && start <= to));
}

/** Returns the changes by which one text becomes another. */
function changesBetween(old, now) {
  const [before, after] = [old.toString(), now.toString()];
  const parts = CM.diff(before, after, { scanLimit: 500 });
  return CM.ChangeSet.of(parts.map((it) => ({ from: it.fromA, to: it.toA, insert: after.slice(it.fromB, it.toB) })), before.length);
}

/**
 * Returns the transaction by which a draft follows the server's new text; null if both have changed one
 * place.
 */
function following(state, text) {
  const now = CM.Text.of(text.split("\n"));
  const { base, edits, sent } = state.field(drafting.field);
  if (now.eq(base)) return {};
  if (now.eq(state.doc)) return { effects: drafting.set.of(undrafted(now)) };
  // What was written while the server took over the text that was sent.
  if (sent && now.eq(sent.text)) return { effects: drafting.set.of({ base: now, edits: sent.edits, sent: null }) };
  const theirs = changesBetween(base, now);
  if (collide(theirs, edits)) return null;
  return {
    changes: theirs.map(edits),
    effects: drafting.set.of({ base: now, edits: edits.map(theirs, true), sent: null }),
    annotations: CM.Transaction.addToHistory.of(false),
  };
}

/** Returns the transaction by which the server's text takes the place of the draft. It can be undone. */
function giveUp(state, text) {
  const now = CM.Text.of(text.split("\n"));
  // With an event of its own, it is one step of undo, apart from what was typed just before.
  return { changes: changesBetween(state.doc, now), effects: drafting.set.of(undrafted(now)), userEvent: "revert" };
}

/** Returns the effect that notes that the text is sent. */
function sending(state) {
  const value = state.field(drafting.field);
  return drafting.set.of({ ...value, sent: { text: state.doc, edits: CM.ChangeSet.empty(state.doc.length) } });
}

/** Returns the effect that forgets the text that was sent, because the server has refused it. */
const unsent = (state) => drafting.set.of({ ...state.field(drafting.field), sent: null });

/** Returns the offset in the draft of an offset in the server's text, and the other way round. */
const toDraft = (state, at) => state.field(drafting.field).edits.mapPos(Math.min(at, state.field(drafting.field).base.length));
const toBase = (state, at) => state.field(drafting.field).edits.invertedDesc.mapPos(at);
