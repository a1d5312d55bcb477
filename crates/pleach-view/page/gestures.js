// Gestures at the selected card: the same edits by keys, by buttons, and by drag.

/** Shows why a gesture is not possible, at the card. */
function refuse(error) {
  editing.error = error;
  drawRefusal();
  say(error);
}

/** Calls `work` with the place of the selected card in the text. */
function withNode(work) {
  const place = chosenPlace();
  if (!canEdit()) return;
  if (!place) return refuse("Select a node first.");
  const at = textOfCard(place);
  palette.again = () => withNode(work);
  if (at && at.index >= 0) return work(at, place);
  const stale = editing.sources.files.some((file) => !file.current);
  refuse(stale ? "The text has errors, so the cards are those of an older text. Mend the text first." : "This node is not in a text that can be edited.");
}

/** Opens the palette for a new node, and sends the edit that `edit` makes of its text. */
function addNode(title, at, edit) {
  const choose = (words, entry, refused) => sendEdit(at, edit(words + (entry.block ?? "")), (error) => {
    refused(error);
    if (error === null && entry.fills) form.wantsFocus = true;
  });
  openPalette({ title, leaves: true, entries: nodeEntries, choose });
}

function addAfter(at) {
  const parent = rowOf(at, at.index)[3];
  if (at.item >= 0 || parent < 0) return refuse("A tree has one node. Put another node around it (w), or add inside (i).");
  if (!takesMore(at, parent)) return refuse("The block around has room for one node. Put a `sequence` around this one first (w).");
  const index = childrenInText(at, parent).indexOf(at.index) + 1;
  addNode("Add after", at, (text) => ({ op: "insert", parent, index, text: weightFor(at, parent) + text }));
}

function addInside(at) {
  const shape = at.item >= 0 ? SHAPE.one : rowOf(at, at.index)[2];
  const children = at.item >= 0 ? [at.index] : childrenInText(at, at.index);
  if (shape === SHAPE.leaf) return refuse("This node has no block. Change its kind (k), or put a node around it (w).");
  if (shape !== SHAPE.one) return addNode("Add inside", at, (text) => ({ op: "insert", parent: at.index, index: children.length, text: weightFor(at, at.index) + text }));
  if (children.length > 0 && !isFiller(at, children[0])) return refuse("The block has room for one node, and has one. Put a `sequence` around that one (w).");
  if (children.length > 0) return addNode("Add inside", at, (text) => ({ op: "replace", node: children[0], text }));
  addNode("Add inside", at, (text) => ({ op: "insert", parent: at.index, index: 0, text }));
}

function wrapIn(at) {
  const choose = (header, entry, refused) => sendEdit(at, { op: "wrap", node: at.index, header }, refused);
  openPalette({ title: "Put around", entries: () => nodeEntries((it) => it.block !== ""), choose });
}

/** Replaces the words of a node and keeps its children, or replaces a node whose block differs. */
function changeKind(at) {
  const hasBlock = rowOf(at, at.index)[2] !== SHAPE.leaf;
  const choose = (words, entry, refused) => {
    const keeps = hasBlock && entry.block !== "" || !hasBlock && entry.block === "";
    const edit = keeps ? { op: "changeKind", node: at.index, header: words } : { op: "replace", node: at.index, text: words + entry.block };
    sendEdit(at, edit, refused);
  };
  openPalette({ title: "Change the kind", leaves: true, entries: nodeEntries, choose });
}

function renameHere(at) {
  const { items, nodes } = editing.sources.files[at.file];
  const byte = at.item >= 0 ? items[at.item].at : nodes[at.index][4];
  if (!byte) return refuse("This node has no name. Names of variables are changed in the declarations (n) or in the text (e).");
  const bytes = new TextEncoder().encode(editing.sources.files[at.file].text);
  const [name] = new TextDecoder().decode(bytes.slice(byte)).match(/^\w+/) ?? [""];
  askName(`Another name for ${name}`, name, (text, entry, refused) => sendEdit(at, { op: "rename", at: byte, name: text }, refused));
}

function extractHere(at) {
  askName("Name of the new tree", "", (name, entry, refused) => sendEdit(at, { op: "extract", node: at.index, name }, refused));
}

/** Moves a node: up and down in its block, out of its block, or into the node before it. */
function moveNode(at, key) {
  const parent = rowOf(at, at.index)[3];
  if (at.item >= 0 || parent < 0) return refuse("The root of a tree stays.");
  const sisters = childrenInText(at, parent);
  const own = sisters.indexOf(at.index);
  const outer = rowOf(at, parent)[3];
  const before = sisters[own - 1];
  const to = {
    ArrowUp: own > 0 && { parent, index: own - 1 },
    ArrowDown: own < sisters.length - 1 && { parent, index: own + 2 },
    ArrowLeft: outer >= 0 && { parent: outer, index: childrenInText(at, outer).indexOf(parent) + 1 },
    ArrowRight: before !== undefined && takesMore(at, before) && { parent: before, index: childrenInText(at, before).length },
  }[key];
  if (!to) return refuse("There is no room in that direction.");
  sendEdit(at, { op: "move", node: at.index, ...to });
}

const simple = (op) => (at) => (at.item >= 0 && op !== "unwrap" ? refuse("A tree is removed in the text.") : sendEdit(at, { op, node: at.index }));

function switchNode(at) {
  if (at.item >= 0) return refuse("A tree cannot be disabled.");
  sendEdit(at, { op: isOff(at, at.index) ? "enable" : "disable", node: at.index });
}

/** Gestures: key, name, and work. `key` is null for those that only buttons and other keys have. */
const GESTURES = [
  ["a", "After", "Add a node after this one", addAfter],
  ["i", "Inside", "Add a node inside", addInside],
  ["w", "Around", "Put a node around this one", wrapIn],
  ["u", "Unwrap", "Put the children in the place of this node", simple("unwrap")],
  ["k", "Kind", "Change the kind, and keep the children", changeKind],
  ["d", "Duplicate", "Put a copy behind this node", simple("duplicate")],
  ["o", "On/off", "Disable this node, or enable it again", switchNode],
  ["Delete", "Delete", "Delete this node", simple("delete")],
  ["Alt+ArrowUp", "Up", "Move up in the block", (at) => moveNode(at, "ArrowUp")],
  ["Alt+ArrowDown", "Down", "Move down in the block", (at) => moveNode(at, "ArrowDown")],
  ["Alt+ArrowLeft", "Out", "Move out of the block", (at) => moveNode(at, "ArrowLeft")],
  ["Alt+ArrowRight", "In", "Move into the node before", (at) => moveNode(at, "ArrowRight")],
  ["F2", "Rename", "Rename the action, tree or variable", renameHere],
  ["x", "Extract", "Make a tree of this node", extractHere],
  ["Enter", "Arguments", "Change words and arguments", () => focusForm()],
];

function drawGestures() {
  const bar = $("gestures");
  const shown = canEdit() && chosenNode() !== null;
  bar.hidden = !shown;
  if (!shown || bar.childElementCount > 0) return;
  const button = ([key, name, help, work]) => make("button", { type: "button", "data-does": `edit-${name}`, text: name, title: `${help} (${key})`, click: () => withNode(work) });
  bar.append(...GESTURES.map(button));
}

/** Carries out the gesture of a key at a card. Returns true if there is one. */
function gestureOf(event) {
  if (!canEdit() || event.ctrlKey || event.metaKey) return false;
  const name = `${event.altKey ? "Alt+" : ""}${event.key}`;
  const gesture = GESTURES.find(([key]) => key === name);
  if (!gesture) return false;
  event.preventDefault();
  withNode(gesture[3]);
  return true;
}

/** A card that is being dragged. */
const drag = { from: null, place: null, ghost: null, drop: null };

/** Distance after which a press becomes a drag. */
const SLIP = 6;

function onDragStart(event) {
  const place = event.target.closest(".node")?.place;
  if (!canEdit() || !place || event.button !== 0 || event.target.closest(".fold")) return;
  Object.assign(drag, { from: [event.clientX, event.clientY], place, drop: null });
}

function onDrag(event) {
  if (!drag.from) return;
  const far = Math.hypot(event.clientX - drag.from[0], event.clientY - drag.from[1]) > SLIP;
  if (!drag.ghost && !far) return;
  if (!drag.ghost) {
    drag.ghost = make("div", { class: "ghost", text: cardText(drag.place.node) });
    document.body.append(drag.ghost);
    document.body.classList.add("dragging");
  }
  getSelection().removeAllRanges();
  drag.ghost.style.translate = `${event.clientX + 12}px ${event.clientY + 8}px`;
  markDrop(event);
}

/** Shows where the dragged card would go, and whether it may. */
function markDrop(event) {
  document.querySelectorAll(".drop").forEach((it) => it.classList.remove("drop", "before", "behind", "within", "not"));
  const card = document.elementFromPoint(event.clientX, event.clientY)?.closest(".node");
  drag.drop = null;
  if (!card || card.place === drag.place) return;
  const box = card.getBoundingClientRect();
  const share = (event.clientY - box.top) / box.height;
  const side = share < 0.3 ? "before" : share > 0.7 ? "behind" : "within";
  drag.drop = dropAt(card.place, side);
  card.classList.add("drop", side);
  card.classList.toggle("not", drag.drop === null);
}

/** Returns the move to a side of a card and the place of the dragged card; null if not allowed. */
function dropAt(place, side) {
  const [from, to] = [textOfCard(drag.place), textOfCard(place)];
  if (!from || !to || from.item >= 0 || from.file !== to.file || to.index < 0) return null;
  for (let at = to.index; at >= 0; at = rowOf(to, at)[3]) if (at === from.index) return null;
  const move = (parent, index) => ({ at: from, edit: { op: "move", node: from.index, parent, index } });
  if (side === "within") return to.item < 0 && takesMore(to, to.index) ? move(to.index, childrenInText(to, to.index).length) : null;
  const parent = to.item >= 0 ? -1 : rowOf(to, to.index)[3];
  if (parent < 0 || !takesMore(to, parent)) return null;
  return move(parent, childrenInText(to, parent).indexOf(to.index) + (side === "behind" ? 1 : 0));
}

function onDrop() {
  const { ghost, drop } = drag;
  Object.assign(drag, { from: null, ghost: null, drop: null });
  if (!ghost) return;
  ghost.remove();
  document.body.classList.remove("dragging");
  document.querySelectorAll(".drop").forEach((it) => it.classList.remove("drop", "before", "behind", "within", "not"));
  if (drop) sendEdit(drop.at, drop.edit);
  else refuse("The node cannot go there.");
}

function startGestures() {
  $("nodes").addEventListener("pointerdown", onDragStart);
  addEventListener("pointermove", onDrag);
  addEventListener("pointerup", onDrop);
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !drag.ghost) return;
    drag.drop = null;
    onDrop();
  });
  onChange(["chosen", "sources", "hello", "program"], drawGestures);
}
