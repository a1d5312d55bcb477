// The text of a file in the editor. A draft stays in the page until it is applied. Each file has a draft
// of its own.

const text = {
  view: null, name: null, states: new Map(), conflicts: new Set(),
  /** Revision of the texts that the findings are about. */
  found: null,
  /** What the marks were made of: their words, and the draft. */
  marks: "", marked: null,
};

/** Returns the server's text of a file that can be edited. */
const keptFile = (name) => editing.sources?.files.find((it) => it.name === name);
const isOpen = () => text.name !== null;
const draftFields = (state) => ({ file: editedFile(text.name), text: state.doc.toString() });

/** Returns the names of files with a draft. */
function draftNames() {
  if (!text.view) return [];
  keepState();
  return [...text.states].filter(([, state]) => isWritten(state)).map(([name]) => name);
}

const keepState = () => isOpen() && text.states.set(text.name, text.view.state);
const draftState = (name) => (name === text.name ? text.view.state : text.states.get(name));

/** Returns all drafts that can be applied, as commands take them. */
function draftsNow() {
  const known = draftNames().filter((name) => keptFile(name)?.reason === null);
  return known.map((name) => ({ file: editedFile(name), text: draftState(name).doc.toString() }));
}

/** Shows a file in the editor. Returns false if it cannot be edited. */
function showDraft(name) {
  const kept = hasEditor() && canEdit() ? keptFile(name) : null;
  const shown = Boolean(kept) && kept.reason === null;
  $("text-pane").hidden = !shown;
  $("source-text").hidden = shown;
  if (!shown) {
    if (text.view) keepState();
    text.name = null;
    return false;
  }
  if (name === text.name) return true;
  if (text.view) keepState();
  text.name = name;
  const state = text.states.get(name) ?? CM.EditorState.create({ doc: kept.text, extensions: editorExtensions([drafting.field, CM.EditorView.updateListener.of(onDraft)]) });
  // An editor of its own: `setState` leaves tooltips of the old state to be placed in the new text.
  text.view?.destroy();
  text.view = new CM.EditorView({ state, parent: $("editor") });
  showTextErrors([]);
  drawText();
  touch("marks");
  return true;
}

/** Lets all drafts follow the server's texts. */
function followSources() {
  editing.words = null;
  if (!text.view) return;
  keepState();
  for (const [name, state] of text.states) {
    const kept = keptFile(name);
    if (!kept || kept.reason !== null) continue;
    const step = following(state, kept.text);
    if (step === null) text.conflicts.add(name);
    else text.conflicts.delete(name);
    if (step && (step.effects || step.changes)) change(name, step);
  }
  refind();
  drawText();
}

/**
 * Asks for the findings again if a text has changed. Those of a draft depend on all other texts.
 */
function refind() {
  const { revision } = editing.sources;
  if (!isOpen() || text.found === revision) return;
  text.found = revision;
  text.view.dispatch({ effects: findAgain.of(null) });
  CM.forceLinting(text.view);
}

/** Changes the draft of a file. */
function change(name, step) {
  if (name === text.name) text.view.dispatch(step);
  else text.states.set(name, draftState(name).update(step).state);
}

function onDraft(update) {
  if (update.docChanged) drawText();
  if (update.selectionSet && update.view.hasFocus) followCursor();
}

function openText() {
  if (!canEdit()) return;
  const known = keptFile(model.program?.files[source.file]?.name);
  if (known?.reason) return complain(`${known.name} cannot be edited: ${known.reason}`);
  showView("source");
  if (isOpen()) text.view.focus();
}

function drawText() {
  if (!isOpen()) return;
  const written = isWritten(text.view.state);
  $("text-changed").hidden = !text.conflicts.has(text.name);
  $("text-apply").disabled = $("text-drop").disabled = !written;
  const others = draftNames().filter((name) => name !== text.name);
  retext($("text-state"), (written ? "not applied" : "applied") + (others.length > 0 ? `; not applied in ${others.join(", ")}` : ""));
  drawEditing();
}

/** Sends the draft. With `over`, it takes the place of a text that has changed meanwhile. */
function applyText(over, then = () => {}) {
  const { name } = text;
  if (!isOpen() || !isWritten(text.view.state)) return then();
  if (text.conflicts.has(name) && !over) return showTextErrors([], "The text has changed meanwhile in the same place.");
  const fields = draftFields(text.view.state);
  text.view.dispatch({ effects: sending(text.view.state) });
  tell("text", { revision: editing.sources.revision, ...fields }, (ok, answer) => {
    if (ok) say("Applied");
    else if (!answer.isLost) change(name, { effects: unsent(draftState(name)) });
    if (name === text.name) showTextErrors(ok ? [] : answer.findings ?? [], ok ? "" : answer.error);
    if (ok) settleEdit(ok, answer);
    drawText();
    if (ok) then();
  }, true);
}

/** Shows errors of drafts in words, each with a button that leads to its line. */
function showTextErrors(findings, error = "") {
  const errors = findings.filter((it) => it.severity === "error");
  const place = ({ place: file, line }) => {
    const name = editing.sources.files[file]?.name;
    if (!name || !line) return null;
    const words = file === editedFile(text.name) ? `line ${line}` : `${name} line ${line}`;
    if (fileOf(name) < 0) return make("span", { class: "mono", text: words });
    const show = () => { showDraftLine(name, line); showTextErrors(findings, error); };
    return make("button", { class: "place", type: "button", text: words, click: show });
  };
  const rows = errors.map((it) => make("li", {}, place(it), ` ${it.message}`, it.help ? make("span", { class: "help", text: ` Help: ${it.help}` }) : null));
  const list = $("text-errors");
  list.replaceChildren(...(rows.length > 0 ? rows : error ? [make("li", { text: error })] : []));
  list.hidden = list.childElementCount === 0;
  if (!list.hidden) say(`Not applied: ${errors[0]?.message ?? error}`);
}

/** Moves the cursor to an offset of the draft and shows it. */
function toOffset(at) {
  text.view.dispatch({ selection: { anchor: at }, effects: CM.EditorView.scrollIntoView(at, { y: "center" }) });
}

/** Moves the cursor to a line of the draft. */
function toLine(line) {
  const { doc } = text.view.state;
  toOffset(doc.line(Math.min(line, doc.lines)).from);
}

/** Returns the index of a file of the program; -1 for a file without nodes. */
const fileOf = (name) => model.program.files.findIndex((it) => it.name === name);

/** Shows a line of the draft of a file; of a file that cannot be edited, a line of its text. */
function showDraftLine(name, line) {
  const file = fileOf(name);
  if (file < 0) return;
  showFile(file);
  if (!isOpen()) return showLine(file, line, true);
  showView("source");
  text.view.focus();
  toLine(line);
}

/** Returns the offset in the draft of a place in the server's text. Columns count bytes. */
function offsetOfPlace(line, column) {
  const { base } = text.view.state.field(drafting.field);
  const row = base.line(Math.min(line, base.lines));
  const before = new TextDecoder().decode(new TextEncoder().encode(row.text).slice(0, column - 1));
  return toDraft(text.view.state, row.from + before.length);
}

/** Selects the node of the cursor: the last one that begins before the cursor in its line. */
function followCursor() {
  const known = keptFile(text.name);
  if (!known?.current || editing.sources.program !== model.program.revision) return;
  const { state } = text.view;
  const { base } = state.field(drafting.field);
  const at = toBase(state, state.selection.main.head);
  const line = base.lineAt(at);
  const column = new TextEncoder().encode(line.text.slice(0, at - line.from)).length + 1;
  const here = model.program.nodes.filter((it) => it.line === line.number && model.program.files[it.file]?.name === text.name);
  const node = here.filter((it) => it.column <= column).sort((one, other) => one.column - other.column).at(-1) ?? here[0];
  const chosen = chosenNode();
  if (node && (node.line !== chosen?.line || node.column !== chosen?.column)) goToNode(node.id, false);
}

/** Moves the cursor to the selected node, unless the text is being written. */
function followCard() {
  const node = chosenNode();
  if (!isOpen() || text.view.hasFocus || !node?.line || model.program.files[node.file]?.name !== text.name) return;
  toOffset(offsetOfPlace(node.line, node.column ?? 1));
}

/**
 * Shows marks at the lines of the editor. Most ticks change none, so their places stay as they are.
 */
function drawTextMarks(told) {
  const { state } = text.view;
  const draft = state.field(drafting.field);
  const { base } = draft;
  const node = chosenNode();
  const look = JSON.stringify([text.name, model.program.revision, node?.id, [...told].map(([line, mark]) => [line, mark.words, mark.share])]);
  if (text.marks === look && text.marked === draft) return;
  Object.assign(text, { marks: look, marked: draft });
  const rows = new Map();
  for (const [line, mark] of told) if (line <= base.lines) rows.set(state.doc.lineAt(toDraft(state, base.line(line).from)).number, mark);
  const own = node?.line && node.line <= base.lines && model.program.files[node.file]?.name === text.name;
  const chosen = own ? state.doc.lineAt(offsetOfPlace(node.line, node.column ?? 1)).number : 0;
  text.view.dispatch({ effects: markLines.of({ lines: rows, chosen }) });
}

function startText() {
  if (!hasEditor()) return;
  startDrafts();
  $("text-apply").addEventListener("click", () => applyText(false));
  $("text-over").addEventListener("click", () => applyText(true));
  const drop = () => { change(text.name, giveUp(text.view.state, keptFile(text.name).text)); text.conflicts.delete(text.name); showTextErrors([]); drawText(); };
  $("text-take").addEventListener("click", drop);
  $("text-drop").addEventListener("click", drop);
  onChange(["sources"], followSources);
  onChange(["palette"], () => { editing.words = null; });
}
