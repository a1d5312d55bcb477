// Selected node: its place, the counts of all agents, breakpoints, and forced results.

const RESULTS = [[1, "success"], [0, "failure"], [2, "running"]];

function drawNode(changed) {
  const node = chosenNode();
  $("node").hidden = !node;
  if (!node) return;
  // Controls are rebuilt only if another node is selected or other commands are possible, so that
  // no control is replaced while it is being pressed.
  const state = `${tree.chosen} ${node.id} ${model.program.revision} ${model.pick} ${can("break")}`;
  if ($("node").dataset.of !== state || changed.has("flags")) {
    $("node").dataset.of = state;
    const focused = document.activeElement?.dataset?.does;
    $("node").replaceChildren(...nodeParts(node));
    if (focused) $("node").querySelector(`[data-does="${focused}"]`)?.focus();
  }
  retext($("node").querySelector(".figures"), figures(node));
}

function nodeParts(node) {
  const place = node.line
    ? make("button", { class: "place", type: "button", text: placeName(node), title: "Show it in the source", click: () => showLine(node.file, node.line, true) })
    : null;
  const parts = [make("p", {}, make("b", { text: cardText(node) })), place, make("span", { class: "space" })];
  if (model.pick !== null) parts.push(make("button", { type: "button", "data-does": "why", text: "Why not?", title: "What kept this node from running in this tick (y)", click: askWhy }));
  if (model.pick !== null && can("break")) parts.push(breakButton(node));
  if (model.pick !== null && can("force") && node.acts) parts.push(forceChoice(node));
  parts.push(make("p", { class: "figures number" }));
  return parts;
}

function breakButton(node) {
  const on = model.breaks.has(`${model.pick} node ${node.id}`);
  return make(
    "button",
    { type: "button", "data-does": "break", "aria-pressed": on, title: `Agent ${model.pick} stands still when this node has come out (b)`, click: () => toggleBreak(node) },
    glyph("break"), on ? "Breaks here" : "Break here",
  );
}

function toggleBreak(node) {
  if (!node || model.pick === null) return;
  setBreak("node", node.id, cardText(node));
}

/** Sets or removes a breakpoint of the picked agent, at a node or a variable. */
function setBreak(what, id, name) {
  const agent = model.pick;
  const on = !model.breaks.has(`${agent} ${what} ${id}`);
  tell("break", { agent, [what]: id, on, all: false }, (ok) => {
    if (ok) say(on ? `Agent ${agent} stops at ${name}` : `Agent ${agent} does not stop at ${name}`);
  });
}

function forceChoice(node) {
  const key = `${model.pick} ${node.id}`;
  const now = model.forced.get(key);
  const button = ([status, word]) => make(
    "button",
    { type: "button", "data-does": `force ${word}`, "aria-pressed": now === status, text: word, click: () => force(node, now === status ? null : status) },
  );
  return make(
    "span",
    { class: "choice", role: "group", "aria-label": "What it comes to next, whatever the game would say" },
    make("span", { class: "faint", text: "next:" }), ...RESULTS.map(button),
  );
}

function force(node, status) {
  const agent = model.pick;
  tell("force", { agent, node: node.id, status }, (ok) => {
    if (ok) say(status === null ? "Nothing is forced" : `Next time ${cardText(node)} comes to ${STATUS[status]}`);
  });
}

/** Shows the counts of the node, if there are any. */
function figures(node) {
  const counts = model.statistics;
  if (!counts || model.show !== "crowd") return "";
  const of = (measure) => grouped(wholeCounts(counts[measure])[node.id - 1] ?? 0);
  return Object.entries(MEASURES).map(([measure, words]) => `${words} ${of(measure)}`).join("   ");
}

function startNode() {
  onChange(["chosen", "flags", "statistics", "show", "pick", "hello", "program"], drawNode);
}
