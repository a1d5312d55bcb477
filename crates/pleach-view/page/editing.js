// Editing: the texts that the server keeps, the nodes of the texts behind the cards, and the commands
// that change them. The text is the only truth: a gesture becomes an edit that the server carries out.

const editing = {
  /** Last message `sources`, and last message `palette`. */
  sources: null,
  palette: { nodes: [], items: [], names: [], values: [] },
  /** Name of the file that was shown when all were saved; null before that. */
  saved: null,
  /** Index of the node of the text at a place, by file: "line column" to index. */
  at: new Map(),
  /** Node to select when the next program is shown: file and index. */
  select: null,
  /** Words of the language, once they are known. */
  words: null,
  /** Last refusal, shown at the selected node. */
  error: "",
};

/** Shapes of the blocks of nodes. */
const SHAPE = { leaf: 0, many: 1, one: 2, weighted: 3, scored: 4, cases: 5, sets: 6, service: 7 };

RECEIVED.sources = (message) => {
  editing.sources = message;
  editing.at = new Map(message.files.map((file) => [file.name, new Map(file.nodes.map(([line, column], at) => [`${line} ${column}`, at]))]));
  touch("sources");
};
RECEIVED.palette = (message) => {
  editing.palette = message;
  touch("palette");
};

const canEdit = () => can("edit") && editing.sources !== null;
const editedFile = (name) => editing.sources?.files.findIndex((file) => file.name === name) ?? -1;

/**
 * Returns the place of a card in the texts: the file, the index of the node or of the declaration,
 * and the revision that they are about. Null if the card is not in a text that can be edited now.
 */
function textOfCard(place) {
  const node = place?.node;
  const name = model.program?.files[node?.file]?.name;
  const file = editedFile(name);
  const known = editing.sources?.files[file];
  // A card may still be that of the former program, until the next frame.
  const isOld = byId[node?.id] !== node;
  if (isOld || !known?.current || editing.sources.program !== model.program.revision) return null;
  const index = editing.at.get(name).get(`${node.line} ${node.column}`);
  const { revision } = editing.sources;
  if (index !== undefined) return { file, revision, index, item: -1 };
  const item = known.items.findIndex((it) => it.kind === "tree" && it.line === node.line);
  return node.kind === "tree" && item >= 0 ? { file, revision, index: known.items[item].root, item } : null;
}

/**
 * Returns the row of a node: line, column, shape, parent, the byte of its name, and the node by
 * which it is disabled.
 */
const rowOf = ({ file }, index) => editing.sources.files[file].nodes[index];

/** Returns the children of a node, without the block of `set`s of a `cleanup`. */
function childrenInText(at, index) {
  const { nodes } = editing.sources.files[at.file];
  const children = [];
  for (let child = index + 1; child < nodes.length && nodes[child][3] >= index; child += 1) {
    if (nodes[child][3] === index && nodes[child][2] !== SHAPE.sets) children.push(child);
  }
  return children;
}

/** Returns the text from the first word of a node to the end of its line. */
function wordsAt(at, index) {
  const [line, column] = rowOf(at, index);
  const text = editing.sources.files[at.file].text.split("\n")[line - 1] ?? "";
  return new TextDecoder().decode(new TextEncoder().encode(text).slice(column - 1));
}

/** Returns true if a node is a leaf that stands for a node to come. */
const isFiller = (at, index) => /^(running|success|failure)\b/.test(wordsAt(at, index)) && rowOf(at, index)[2] === SHAPE.leaf;

/** Returns true if a node is disabled. The nodes that were put around a disabled one are, too. */
const isOff = (at, index) => rowOf(at, index)[5] >= 0;

/** Returns true if a node is disabled, or is in a disabled one. */
function isInDisabled(place) {
  for (let above = place; above; above = above.parent) {
    const at = textOfCard(above);
    if (at && at.item < 0 && isOff(at, at.index)) return true;
  }
  return false;
}

/** Shows on a card if its node is disabled. A card of an older text stays as it is. */
function markDisabled(place) {
  if (textOfCard(place)) place.off.hidden = !isInDisabled(place);
}

/** Returns true if a block has room for one more node. */
const takesMore = (at, index) => ![SHAPE.leaf, SHAPE.one, SHAPE.sets].includes(rowOf(at, index)[2]);

/** Returns the text that must stand before a new child of a node. */
const weightFor = (at, index) => ({ [SHAPE.scored]: "1.0: ", [SHAPE.cases]: "0: " })[rowOf(at, index)[2]] ?? "";

/**
 * Sends an edit. It is about the revision of `at`, so the server refuses it if the text has changed
 * since the place was found. `then` is called with the refusal, or null.
 */
function sendEdit(at, edit, then) {
  const kept = textOfCard(chosenPlace());
  const { file, revision } = at;
  tell("edit", { file, revision, edit }, (ok, answer) => {
    const stays = edit.op === "rename" && kept ? kept.index : null;
    settleEdit(ok, answer, stays);
    then?.(ok ? null : answer.error);
  }, true);
}

/** Notes the result of a change of the texts: the node to select, or the refusal. */
function settleEdit(ok, answer, stays = null) {
  const node = answer.node ?? stays;
  editing.error = ok ? "" : answer.error;
  if (ok && node !== null && answer.file !== undefined) editing.select = { file: answer.file, node };
  if (!ok) say(`Refused: ${answer.error}`);
  touch("select");
}

function undoOrRedo(which) {
  if (!canEdit() || !editing.sources[which]) return say(`There is nothing to ${which}`);
  tell(which, { revision: editing.sources.revision }, (ok, answer) => {
    settleEdit(ok, answer);
    if (ok) say(which === "undo" ? "Undone" : "Done again");
  }, true);
}

/**
 * Applies the shown draft, and saves all files, because one edit may have changed several of them.
 * Drafts of other files stay, and the banner names them.
 */
function save() {
  if (!canEdit()) return;
  const shown = text.name;
  editing.saved = null;
  applyText(false, () => tell("save", { file: null }, (ok) => {
    if (ok) editing.saved = shown;
    say(!ok ? "Not saved" : unsaved().length > 0 ? `Saved, except for ${unsaved().join(", ")}` : "Saved");
    touch("saved");
  }));
}

/** Returns the names of the files whose drafts were left when the files were saved, and still are. */
const unsaved = () => (editing.saved === null ? [] : draftNames().filter((name) => name !== editing.saved));

/** Selects the node of the last edit, once the program with it is shown. */
function selectEdited() {
  drawRefusal();
  const wanted = editing.select;
  if (!wanted || !tree.forest) return;
  const file = editing.sources.files[wanted.file];
  if (editing.sources.program !== model.program.revision) return;
  editing.select = null;
  const row = file?.nodes[wanted.node];
  const index = model.program.files.findIndex((it) => it.name === file?.name);
  if (!row) return;
  const found = model.program.nodes.filter((node) => node.file === index && node.line === row[0] && node.column === row[1]);
  const here = found.find((node) => isInTree(node)) ?? found[0];
  const stays = document.querySelector("dialog[open]") || document.activeElement?.isContentEditable;
  if (here) goToNode(here.id, !stays);
}

/** Returns true if a node is in the shown tree. */
function isInTree(node) {
  let at = node;
  while (at && at !== tree.forest.root.node) at = byId[at.parent];
  return Boolean(at);
}

function drawRefusal() {
  const told = $("refusal");
  told.hidden = editing.error === "";
  retext(told, editing.error);
}

const STATES = { draft: ["draft not applied", "held"], saved: ["saved", "on"], unsaved: ["unsaved changes", "held"], conflict: ["changed on the disk", "off"] };

function drawEditing() {
  const { sources } = editing;
  const bar = $("edit-bar");
  document.body.classList.toggle("edits", canEdit());
  const reason = sources?.reason;
  bar.hidden = !sources;
  if (!sources) return;
  const files = sources.files;
  const worst = ["conflict", "unsaved", "saved"].find((state) => files.some((file) => file.state === state)) ?? "saved";
  const drafts = draftNames();
  const hasDrafts = drafts.length > 0;
  const [words, look] = reason ? ["read-only", ""] : STATES[worst !== "conflict" && hasDrafts ? "draft" : worst];
  $("edit-state").className = `pill ${look}`;
  retext($("edit-state"), words);
  const worded = (file) => file.reason ?? STATES[file.state][0] + (drafts.includes(file.name) ? `, ${STATES.draft[0]}` : "");
  $("edit-state").title = reason ?? files.map((file) => `${file.path}: ${worded(file)}`).join("\n");
  for (const [id, step] of [["undo", sources.undo], ["redo", sources.redo]]) {
    $(id).hidden = Boolean(reason);
    $(id).disabled = !step;
    $(id).title = step ? `${id === "undo" ? "Undo" : "Redo"}: ${step} (${id === "undo" ? "Ctrl+Z" : "Ctrl+Shift+Z"})` : "";
  }
  for (const id of ["save", "declare", "try", "compare"]) $(id).hidden = Boolean(reason);
  $("try").disabled = $("compare").disabled = worst === "saved" && !hasDrafts;
  $("save").disabled = worst !== "unsaved" && !hasDrafts;
  drawConflict(files);
}

/** Shows the choice between the two texts of a file that has changed on the disk. */
function drawConflict(files) {
  const at = files.findIndex((file) => file.state === "conflict");
  const bar = $("conflict");
  bar.hidden = at < 0;
  if (at < 0) return;
  const choice = (does, text, title) => make("button", { type: "button", "data-does": does, text, title, click: () => tell(does, { file: at }) });
  bar.replaceChildren(
    make("p", {}, make("b", { text: `${files[at].path} has changed on the disk. ` }), "Both texts are kept: undo brings back the other one."),
    choice("take", "Take the text on the disk", "The unsaved changes become a step that can be undone"),
    choice("keep", "Keep my changes", "The file is overwritten; its text becomes a step that can be undone"),
  );
}

/** Keys of editing that work everywhere except in text fields. */
function onEditKey(event) {
  if (!canEdit() || !(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  const typing = event.target.matches("input, textarea") || event.target.isContentEditable;
  const work = key === "s" ? save : typing || document.querySelector("dialog[open]") ? null
    : key === "z" ? () => undoOrRedo(event.shiftKey ? "redo" : "undo") : key === "y" ? () => undoOrRedo("redo") : null;
  if (!work) return;
  event.preventDefault();
  work();
}

function startEditing() {
  $("undo").addEventListener("click", () => undoOrRedo("undo"));
  $("redo").addEventListener("click", () => undoOrRedo("redo"));
  $("save").addEventListener("click", save);
  document.addEventListener("keydown", onEditKey);
  addEventListener("beforeunload", (event) => {
    if (draftNames().length > 0) event.preventDefault();
  });
  onChange(["sources", "hello", "link"], drawEditing);
  onChange(["sources", "program"], () => tree.drawn.forEach(markDisabled));
  onChange(["sources", "select", "program"], selectEdited);
  onChange(["chosen"], () => { editing.error = ""; drawRefusal(); });
}
