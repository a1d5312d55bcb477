// The tree: cards and lines, their states, and the keys that move between cards.

const tree = {
  forest: null,
  /** Name of the selected tree; empty for the tree of the picked agent. */
  root: "",
  kept: new Map(),
  /** Places that are unfolded, in the order of the tree; and by their height on the page. */
  shown: [],
  rows: [],
  /** Places whose card or line is in the document. */
  drawn: new Set(),
  /** Key of the selected place. */
  chosen: null,
  /** Agent that was scrolled into view. */
  lookedAt: null,
};

const chosenPlace = () => tree.forest?.byKey.get(tree.chosen) ?? null;
const chosenNode = () => chosenPlace()?.node ?? null;

/** Returns true if another tree than that of the picked agent can be selected. */
const canSelectTree = () => model.show === "crowd" || model.pick === null || can("edit");

/** Returns the root of the selected tree, or of the tree of the picked agent. */
function rootNow() {
  const roots = model.program?.entries.filter((entry) => entry.node) ?? [];
  const own = model.pick === null ? 0 : rootOf(model.pick);
  const selected = canSelectTree() ? roots.find((entry) => entry.name === tree.root)?.node : 0;
  const wanted = selected || own;
  return byId[wanted] ? wanted : (roots[0]?.node ?? 0);
}

function replant() {
  const root = rootNow();
  $("tree-none").hidden = root !== 0;
  retext($("tree-none"), model.program ? "Nothing is known of the nodes: the program was built without debug information." : "Waiting for a program.");
  if (root === 0 || tree.forest?.root.node === byId[root]) return;
  tree.forest = new Forest(root, tree.kept);
  reflow();
}

/** Lays out the displayed places again. The focused element keeps the focus. */
function reflow() {
  const focused = document.activeElement?.place;
  const { scrollTop, scrollLeft } = $("tree");
  tree.shown = tree.forest.shown();
  const size = layOut(tree.shown);
  const space = $("tree-space").style;
  space.width = `${size.width}px`;
  space.height = `${size.height}px`;
  $("nodes").toggleAttribute("data-dense", size.dense);
  retext($("fold-all"), allFolded() ? "Unfold all" : "Fold all");
  tree.shown.forEach((place, at) => { place.order = at; });
  tree.rows = [...tree.shown].sort((one, other) => one.y - other.y);
  $("nodes").dataset.count = tree.shown.length;
  if (!isShown(chosenPlace())) tree.chosen = focused?.key ?? null;
  $("tree").scrollTo(scrollLeft, scrollTop);
  // All positions have changed.
  tree.drawn = new Set();
  const kept = focused && (tree.forest.byKey.get(focused.key) ?? tree.forest.root);
  render(kept);
  if (kept && isShown(kept)) kept.card.focus({ preventScroll: true });
}

/**
 * Returns the results of the picked agent's last tick by place: the status, and the result of the
 * node's own test if it was tested.
 */
function statesOf(tick) {
  const states = new Map();
  const path = [];
  for (const [id, status, depth, , test] of tick?.nodes ?? []) {
    const places = tree.forest.byNode.get(id) ?? [];
    path.length = Math.min(path.length, depth);
    const above = path.findLast((it) => it);
    const place = places.length < 2 ? places[0] : (places.find((it) => isBelow(it, above)) ?? places[0]);
    path[depth] = place;
    if (place) states.set(place, { status, test });
  }
  return states;
}

/** Returns true if a place is below another. */
function isBelow(place, above) {
  let at = place.parent;
  while (at && at !== above) at = at.parent;
  return Boolean(at);
}

/** Returns the values that conditions read, by node: `visible 1, ammo 6`. */
function sightsOf(tick) {
  const sights = new Map();
  for (const [id, what, value] of tick?.values ?? []) {
    const text = `${plainly(what)} ${sightWorded(what, value)}`;
    sights.set(id, sights.has(id) ? `${sights.get(id)}, ${text}` : text);
  }
  return sights;
}

/** Returns a value in the form of its variable's type. */
function sightWorded(what, value) {
  const known = [...model.program.variables, ...model.program.shared].find((it) => it.name === what);
  return worded(value, known);
}

/** Updates states or counts that have changed. */
function paint() {
  if (!tree.forest) return;
  const crowd = model.show === "crowd";
  const states = crowd ? null : statesOf(model.tick);
  const sights = crowd ? null : sightsOf(model.tick);
  const heat = crowd ? heatOf(model.statistics) : null;
  for (const place of tree.drawn) {
    if (crowd) paintHeat(place, heat);
    else paintState(place, states.get(place) ?? { status: 5 }, sights.get(place.node.id) ?? "");
    paintFlags(place);
  }
}

/** Returns the words for the test of a node, if a child can give the node another result. */
function testWords({ node }, test) {
  if (test === undefined || test === null || below(node).length === 0 || node.kind.startsWith(".")) return "";
  return test ? "held" : "did not hold";
}

function paintState(place, { status, test }, seen = "") {
  const stopped = model.stopped?.agent === model.pick && model.stopped?.node === place.node.id ? "stopped" : "";
  const tested = testWords(place, test);
  const look = `${status} ${tested} ${seen} ${stopped}`;
  if (place.look === look) return;
  place.look = look;
  place.heat?.remove();
  place.heat = null;
  place.card.className = `node ${LOOK[status]} ${stopped}`;
  reglyph(place.mark, LOOK[status]);
  // A failed test and a failed node share one word, which leaves room for the values.
  retext(place.word, status === 5 || (status === 0 && test === 0) ? "" : STATUS[status]);
  paintTest(place, tested);
  retext(place.seen, seen);
  place.edge?.setAttribute("class", `edge ${status === 2 ? "running" : status === 5 ? "" : "walked"} ${place.parent?.node.uses ? "calls" : ""}`);
  const told = [cardText(place.node), status === 5 ? "idle" : STATUS[status], tested && `condition ${tested}`, seen, placeName(place.node), stopped && "stopped here"];
  place.card.setAttribute("aria-label", told.filter(Boolean).join(", "));
  place.card.title = [place.title, STATUS[status], tested && `condition ${tested}`, seen].filter(Boolean).join("\n");
}

/** Creates the mark of the test, beside that of the result. */
function paintTest(place, tested) {
  const look = tested === "held" ? "success" : "failure";
  place.test.className = `test ${look}`;
  place.test.replaceChildren(...(tested ? [glyph(look), tested] : []));
}

function paintHeat(place, heat) {
  const count = heat?.values[place.node.id - 1] ?? 0;
  const share = heat?.share(count) ?? 0;
  const look = `heat ${count} ${share} ${model.measure} ${noneWord()}`;
  if (place.look === look) return;
  place.look = look;
  place.heat ??= place.card.insertBefore(make("span", { class: "heat" }), place.card.firstChild);
  place.heat.style.width = `${share * 100}%`;
  place.card.className = `node heated ${count === 0 && isCounted() ? "never" : ""}`;
  reglyph(place.mark, "idle");
  retext(place.word, count === 0 ? noneWord() : grouped(count));
  paintTest(place, "");
  retext(place.seen, model.measure === "running" && count > 0 ? percent(count, model.state?.agents) : "");
  place.edge?.setAttribute("class", `edge ${count > 0 ? "walked" : ""}`);
  place.card.setAttribute("aria-label", `${cardText(place.node)}, ${MEASURES[model.measure]}: ${grouped(count)}, ${placeName(place.node)}`);
  place.card.title = `${place.title}\n${MEASURES[model.measure]}: ${grouped(count)}`;
}

/** Shows the marks of breakpoints and forced results. */
function paintFlags(place) {
  const breaks = model.breaks.has(`${model.pick} node ${place.node.id}`);
  const forced = model.forced.has(`${model.pick} ${place.node.id}`);
  const flags = `${breaks} ${forced}`;
  if (place.flagged === flags) return;
  place.flagged = flags;
  place.flags.replaceChildren(...(breaks ? [glyph("break", "flag-break")] : []), ...(forced ? [glyph("force", "flag-force")] : []));
}

/** Makes exactly one card reachable by the tab key: the selected one, or the root. */
function rove() {
  const chosen = chosenPlace();
  const stop = tabStop();
  for (const place of tree.drawn) {
    const roving = `${place === stop} ${place === chosen}`;
    // Each write of these attributes makes the browser compute styles again.
    if (place.roving === roving) continue;
    place.roving = roving;
    place.card.tabIndex = place === stop ? 0 : -1;
    place.card.setAttribute("aria-selected", place === chosen);
  }
}

/** Selects a place: shows its details below, and its line in the source. */
function choose(place, focus = true) {
  tree.chosen = place.key;
  intoView(place);
  render();
  rove();
  if (focus) place.card.focus({ preventScroll: true });
  touch("chosen");
}

function intoView({ x, y, width, height }) {
  const view = $("tree");
  const to = (start, size, from, room) => (start < from ? start - EDGE : start + size > from + room ? start + size + EDGE - room : from);
  view.scrollTo({ left: to(x, width + 12, view.scrollLeft, view.clientWidth), top: to(y, height, view.scrollTop, view.clientHeight) });
}

/** Selects a node, in another tree if necessary. */
function goToNode(id, focus = true) {
  if (!tree.forest || !byId[id]) return;
  const place = tree.forest.reveal(id);
  if (!isShown(place)) reflow();
  if (isShown(place)) choose(place, focus);
}

/** Goes to the innermost running node. */
function goToRunning() {
  const leaf = innermost(model.tick?.nodes ?? []);
  if (leaf) goToNode(leaf);
  else say("No node runs");
}

/**
 * Goes to the position of a newly picked agent in tree and source. After that, nothing moves by
 * itself.
 */
function lookFirst() {
  if (model.pick === tree.lookedAt || !model.tick?.nodes.length) return;
  tree.lookedAt = model.pick;
  const leaf = byId[innermost(model.tick.nodes)];
  const place = tree.forest?.byNode.get(leaf?.id)?.[0];
  if (isShown(place)) intoView(place);
  if (leaf?.line && !chosenNode()) showLine(leaf.file, leaf.line, false);
}

function fold(place, open) {
  tree.forest.set(place, open);
  reflow();
}

/** Returns the places of the first branches of the tree. */
function branches() {
  let place = tree.forest.root;
  while (place.children?.length === 1) place = place.children[0];
  return place.children ?? [];
}

/** Returns true if only the first branches are visible. */
const allFolded = () => branches().every((place) => !place.open);

/** Folds the first branches, or unfolds as much as there is room for. */
function foldAll() {
  const unfolds = allFolded();
  if (unfolds) tree.kept.clear();
  if (unfolds) tree.forest.unfold();
  else branches().forEach((place) => tree.forest.set(place, false));
  reflow();
  say(unfolds ? "Unfolded" : "Folded");
}

/** Handles the usual keys of trees. */
const TREE_KEYS = {
  ArrowDown: (place, at) => tree.shown[at + 1],
  ArrowUp: (place, at) => tree.shown[at - 1],
  Home: () => tree.shown[0],
  End: () => tree.shown.at(-1),
  ArrowRight: (place) => (place.open ? place.children[0] : void fold(place, true)),
  ArrowLeft: (place) => (place.open ? void fold(place, false) : place.parent),
  "*": (place) => {
    for (const sister of place.parent?.children ?? [place]) tree.forest.set(sister, true);
    reflow();
  },
  Enter: (place) => place,
};

function startTree() {
  const nodes = $("nodes");
  const placeOfEvent = (event) => event.target.closest(".node")?.place;
  nodes.addEventListener("click", (event) => {
    const place = placeOfEvent(event);
    if (!place) return;
    if (event.target.closest(".fold")) fold(place, !place.open);
    choose(place);
  });
  nodes.addEventListener("dblclick", (event) => {
    const place = placeOfEvent(event);
    if (place) fold(place, !place.open);
  });
  nodes.addEventListener("keydown", (event) => {
    const place = placeOfEvent(event);
    if (place && gestureOf(event)) return;
    const step = TREE_KEYS[event.key];
    if (!place || !step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = step(place, place.order);
    if (next) choose(next);
  });
  $("fold-all").addEventListener("click", () => tree.forest && foldAll());
  $("tree").addEventListener("scroll", () => touch("scrolled"));
  new ResizeObserver(() => {
    // The parts below the tree come and go with the selected card, which stays visible.
    if (isShown(chosenPlace())) intoView(chosenPlace());
    touch("scrolled");
  }).observe($("tree"));
  onChange(["program", "agents", "pick", "show"], replant);
  onChange(["scrolled"], () => tree.forest && render());
  onChange(["tick", "statistics", "show", "measure", "pick", "stopped", "flags"], paint);
  onChange(["tick"], lookFirst);
}
