// The editor of the source: CodeMirror with the words of the language, marks at lines, and the language
// server's answers. `text.js` decides which text it shows.

/** Kinds of completion items as the editor names them, by the number that LSP gives them. */
const ITEM_TYPES = { 3: "function", 5: "property", 6: "variable", 10: "property", 11: "keyword", 13: "enum", 14: "keyword", 17: "text", 20: "enum", 21: "constant", 23: "variable" };
const SEVERITIES = ["error", "error", "warning", "info", "hint"];

/** Returns true if the page has an editor. A page that cannot edit has none. */
const hasEditor = () => typeof CM !== "undefined";

/** Effect that lets the editor ask for findings again, because another text has changed. */
const findAgain = hasEditor() ? CM.StateEffect.define() : null;
const needsFindings = (update) => update.transactions.some((it) => it.effects.some((effect) => effect.is(findAgain)));

/** Sends a command about the draft. Gives the field of its answer, or null if it is refused. */
const askServer = (command, fields, result) => new Promise((then) => {
  tell(command, fields, (ok, answer) => then(ok ? answer[result] : null), true);
});

const fieldsOf = (state, pos) => {
  const line = state.doc.lineAt(pos);
  return { ...draftFields(state), line: line.number - 1, character: pos - line.from };
};

/** Returns the offset of a place as LSP gives it. */
function offsetOf(doc, { line, character }) {
  if (line >= doc.lines) return doc.length;
  const { from, to } = doc.line(line + 1);
  return Math.min(from + character, to);
}

/** Returns a snippet of LSP as the editor writes it: the last place is the one with number 0. */
const snippetOf = (text) => text.replace(/\$(\d+)/g, "${$1}").replace(/\$\{0\b/g, "${99");

async function completionsAt(context) {
  const word = context.matchBefore(/\w*/);
  const before = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
  if (!context.explicit && word.from === word.to && !/[ .(:]/.test(before)) return null;
  const items = await askServer("completion", fieldsOf(context.state, context.pos), "items");
  if (!items?.length || context.aborted) return null;
  const option = (item) => {
    const text = item.textEdit?.newText ?? item.label;
    const about = item.documentation?.value ?? item.documentation ?? "";
    return { label: item.label, type: ITEM_TYPES[item.kind], detail: item.detail, info: about || undefined, apply: item.insertTextFormat === 2 ? CM.snippet(snippetOf(text)) : text };
  };
  const from = items[0].textEdit ? offsetOf(context.state.doc, items[0].textEdit.range.start) : word.from;
  return { from, options: items.map(option), validFor: /^\w*$/ };
}

async function findingsOf(view) {
  const items = await askServer("diagnostics", draftFields(view.state), "items");
  const { doc } = view.state;
  return (items ?? []).map(({ range, severity, message }) => {
    const from = offsetOf(doc, range.start);
    return { from, to: Math.max(from, offsetOf(doc, range.end)), severity: SEVERITIES[severity ?? 1], message };
  });
}

async function meaningAt(view, pos) {
  const hover = await askServer("hover", fieldsOf(view.state, pos), "hover");
  if (!hover) return null;
  const text = hover.contents.value.replace(/```\w*\n?/g, "").replace(/\*\*/g, "");
  return {
    pos: offsetOf(view.state.doc, hover.range.start), end: offsetOf(view.state.doc, hover.range.end), above: true,
    create: () => ({ dom: make("div", { class: "cm-meaning", text: text.trim() }) }),
  };
}

/** Colors the text by the same rule as the text that cannot be edited. */
const language = () => CM.StreamLanguage.define({
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^\/\/.*/)) return "comment";
    if (stream.match(/^"[^"]*"?/)) return "string";
    if (stream.match(/^\d[\w.]*/)) return "number";
    const word = stream.match(/^[A-Za-z_]\w*/);
    if (word) return isWord(word[0]) ? "keyword" : null;
    stream.next();
    return null;
  },
});

/** Returns true if a word belongs to the language. */
function isWord(word) {
  editing.words ??= new Set([...WORDS, ...editing.palette.nodes.flatMap((it) => it.word.split(" ")), ...["else", "succeed", "fail", "all", "any", "ms", "s"]]);
  return editing.words.has(word);
}

/** Marks of lines: a map from lines to marks, as `marks` makes it. */
const markLines = hasEditor() ? CM.StateEffect.define() : null;

/** Creates the sign of a line: the status of a node there, or a count. */
function signOf(mark) {
  if (mark.glyph) return make("span", { class: `state ${mark.glyph}`, title: mark.words }, glyph(mark.glyph));
  const count = make("span", { class: `count number ${mark.classes}`, text: mark.words });
  count.style.setProperty("--share", mark.share);
  return count;
}

/** Returns the parts of the editor that show marks. */
function markExtensions() {
  class Sign extends CM.GutterMarker {
    constructor(mark) { super(); this.mark = mark; }
    eq(other) { return other.mark.words === this.mark.words && other.mark.share === this.mark.share; }
    toDOM() { return signOf(this.mark); }
  }
  const ofEffects = (value, transaction, set) => {
    const effect = transaction.effects.find((it) => it.is(markLines));
    return effect ? set(effect.value, transaction.state.doc) : value.map(transaction.changes);
  };
  const places = (lines, doc, at) => CM.RangeSet.of([...lines].filter(([line]) => line <= doc.lines).map(([line, mark]) => at(mark).range(doc.line(line).from)), true);
  const signs = CM.StateField.define({
    create: () => CM.RangeSet.empty,
    update: (value, transaction) => ofEffects(value, transaction, ({ lines }, doc) => places(lines, doc, (mark) => new Sign(mark))),
  });
  const rows = CM.StateField.define({
    create: () => CM.Decoration.none,
    update: (value, transaction) => ofEffects(value, transaction, ({ lines, chosen }, doc) => {
      const classes = new Map([...lines].map(([line, mark]) => [line, mark.classes]));
      if (chosen) classes.set(chosen, `${classes.get(chosen) ?? ""} chosen`);
      return places(classes, doc, (name) => CM.Decoration.line({ class: name }));
    }),
    provide: (field) => CM.EditorView.decorations.from(field),
  });
  return [signs, rows, CM.gutter({ class: "cm-signs", markers: (view) => view.state.field(signs), initialSpacer: () => new Sign({ words: "", classes: "" }) })];
}

const editorTheme = () => CM.EditorView.theme({
  "&": { height: "100%", fontSize: "12.5px", color: "var(--ink)", backgroundColor: "var(--panel)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "20px" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--ink-faint)", border: "none" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "var(--accent-wash)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--line-strong, var(--line))" },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent-wash)", color: "var(--ink)" },
  ".cm-meaning": { maxWidth: "44em", padding: "6px 10px", whiteSpace: "pre-wrap" },
});

/** Returns the parts of each editor. `extra` are those that follow the text. */
function editorExtensions(extra) {
  const undoHere = (which, other) => (view) => which(view) || (undoOrRedo(other), true);
  const keys = [
    { key: "Mod-z", run: undoHere(CM.undo, "undo") }, { key: "Mod-y", run: undoHere(CM.redo, "redo") }, { key: "Mod-Shift-z", run: undoHere(CM.redo, "redo") },
    { key: "Mod-Enter", run: () => { applyText(false); return true; } },
    { key: "Escape", run: (view) => { view.contentDOM.blur(); document.querySelector("#nodes [tabindex='0']")?.focus(); return true; } },
    ...CM.defaultKeymap, ...CM.searchKeymap, ...CM.lintKeymap, CM.indentWithTab,
  ];
  return [
    CM.EditorView.cspNonce.of(PAGE_NONCE), CM.lineNumbers(), markExtensions(), CM.history(), CM.drawSelection(), CM.highlightActiveLine(), CM.EditorView.lineWrapping,
    CM.bracketMatching(), CM.closeBrackets(), CM.indentUnit.of("\t"), CM.EditorState.tabSize.of(4), CM.search({ top: true }),
    language(), CM.syntaxHighlighting(CM.classHighlighter),
    CM.autocompletion({ override: [completionsAt] }), CM.linter(findingsOf, { delay: 300, needsRefresh: needsFindings }), CM.hoverTooltip(meaningAt),
    CM.keymap.of([...CM.completionKeymap, ...keys]), CM.EditorView.contentAttributes.of({ "aria-label": "Text of the file", id: "draft" }),
    editorTheme(), extra,
  ];
}
