// Parts of CodeMirror 6 that the page uses. `bundle.sh` makes one file of them, `../codemirror.js`.

export { ChangeSet, EditorState, RangeSet, StateEffect, StateField, Text, Transaction } from "@codemirror/state";
export { Decoration, EditorView, GutterMarker, drawSelection, gutter, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
export { defaultKeymap, history, indentWithTab, redo, undo } from "@codemirror/commands";
export { autocompletion, closeBrackets, completionKeymap, snippet } from "@codemirror/autocomplete";
export { forceLinting, lintKeymap, linter } from "@codemirror/lint";
export { StreamLanguage, bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
export { search, searchKeymap } from "@codemirror/search";
export { diff } from "@codemirror/merge";
export { classHighlighter } from "@lezer/highlight";
