// List of agents. Only visible rows have elements; the list states the total number.

const list = {
  /** Indices of the listed agents in the columns. */
  found: [],
  /** Index in `found` of the current row for the arrow keys. */
  current: 0,
  rows: new Map(),
  /** True if agents run different trees. */
  mixed: false,
};

const HIGH = 30;
/** Number of rows with elements above and below the visible ones. */
const MORE = 6;

const KINDS = [
  ["", "Any status"], ["2", "Running"], ["1", "Success"], ["0", "Failure"], ["3", "Other"], ["4", "Fault"], ["5", "Not ticked"], ["held", "Standing still"],
];

/** Selects the listed agents. Every word must occur in the index, the tree or the running node. */
function filter() {
  const words = $("agents-search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const kind = $("agents-status").value;
  const { index } = model.agents;
  const held = new Set(model.state?.held ?? []);
  const tests = words.map(wordTest);
  const before = list.found[list.current];
  list.found = [];
  for (let place = 0; place < index.length; place += 1) {
    const fits = kind === "" || (kind === "held" ? held.has(index[place]) : model.crowd?.status[place] === kind);
    if (fits && tests.every((test) => test(place))) list.found.push(place);
  }
  list.current = Math.max(0, list.found.indexOf(before));
}

/** Returns a test of an agent for a word. Names are compared once for each tree and node. */
function wordTest(word) {
  const digits = word.replace(/^#/, "");
  const trees = model.program?.entries.map((entry) => entry.name.toLowerCase().includes(word)) ?? [];
  const nodes = byId.map((node) => cardText(node).toLowerCase().includes(word));
  const { index, tree: runs } = model.agents;
  const exact = word.startsWith("#");
  return (place) => {
    const number = String(index[place]);
    // A `#` alone matches every index.
    if (exact && digits === "") return true;
    return (exact ? number === digits : number.startsWith(digits)) || trees[runs[place]] || nodes[model.crowd?.node[place]] || false;
  };
}

function drawList(changed) {
  const still = !$("agents-search").value && !$("agents-status").value;
  if (!still || ["program", "agents", "filter"].some((part) => changed.has(part))) filter();
  const { length } = list.found;
  if (changed.has("agents")) list.mixed = model.agents.tree.some((tree) => tree !== model.agents.tree[0]);
  const all = model.agents.index.length;
  retext($("agents-count"), length === all ? grouped(all) : `${grouped(length)} of ${grouped(all)}`);
  $("agents-none").hidden = length > 0;
  retext($("agents-none"), all === 0 ? "There is nobody yet." : "No agent is like that.");
  $("agents-list").hidden = length === 0;
  $("agents-space").style.height = `${length * HIGH}px`;
  drawRows();
}

/** Creates elements for visible rows, and reuses the elements of others. */
function drawRows() {
  const view = $("agents-list");
  const first = Math.max(0, Math.floor(view.scrollTop / HIGH) - MORE);
  const last = Math.min(list.found.length, Math.ceil((view.scrollTop + view.clientHeight) / HIGH) + MORE);
  const free = [];
  for (const [at, row] of list.rows) {
    if (at >= first && at < last) continue;
    list.rows.delete(at);
    free.push(row);
  }
  for (let at = first; at < last; at += 1) {
    if (!list.rows.has(at)) list.rows.set(at, free.pop() ?? agentRow());
    fillRow(list.rows.get(at), at);
  }
  free.forEach((row) => row.made.remove());
  const current = list.rows.get(list.current);
  if (current) view.setAttribute("aria-activedescendant", current.made.id);
  else view.removeAttribute("aria-activedescendant");
}

function agentRow() {
  const mark = glyph("idle");
  const state = make("span", { class: "state" }, mark);
  const index = make("span", { class: "index number" });
  const leaf = make("span", { class: "leaf" });
  const made = make("div", { class: "agent", role: "option" }, state, index, leaf);
  $("agents-space").append(made);
  return { made, mark, state, index, leaf };
}

function fillRow(row, at) {
  const place = list.found[at];
  const index = model.agents.index[place];
  const status = Number(model.crowd?.status[place] ?? 5);
  const node = byId[model.crowd?.node[place]];
  const tree = model.program?.entries[model.agents.tree[place]]?.name ?? "";
  const held = holds(index);
  const words = held ? "stands still" : node ? cardText(node) : STATUS[status];
  const current = at === list.current && document.activeElement === $("agents-list");
  const look = [index, at, status, words, tree, list.mixed, current, index === model.pick, list.found.length].join();
  if (row.look === look) return;
  row.look = look;
  row.made.id = `agent-${index}`;
  row.made.className = `agent ${current ? "current" : ""}`;
  row.made.style.top = `${at * HIGH}px`;
  row.made.dataset.at = at;
  row.made.setAttribute("aria-posinset", at + 1);
  row.made.setAttribute("aria-setsize", list.found.length);
  row.made.setAttribute("aria-selected", index === model.pick);
  row.made.setAttribute("aria-label", `Agent ${index}, ${tree}, ${STATUS[status]}, ${words}`);
  row.state.className = `state ${LOOK[status]}`;
  reglyph(row.mark, held ? "pause" : LOOK[status]);
  retext(row.index, list.mixed ? `${index} ${tree}` : String(index));
  retext(row.leaf, words);
}

const pickSoon = settled(120, () => pickAt(list.current));

function pickAt(at) {
  const place = list.found[at];
  if (place !== undefined) pick(model.agents.index[place]);
}

/** Moves to another row and scrolls it into view. */
function moveTo(at) {
  list.current = Math.max(0, Math.min(at, list.found.length - 1));
  const view = $("agents-list");
  const top = list.current * HIGH;
  if (top < view.scrollTop) view.scrollTop = top;
  else if (top + HIGH > view.scrollTop + view.clientHeight) view.scrollTop = top + HIGH - view.clientHeight;
  drawRows();
  pickSoon();
}

const LIST_KEYS = {
  ArrowDown: () => list.current + 1,
  ArrowUp: () => list.current - 1,
  PageDown: (page) => list.current + page,
  PageUp: (page) => list.current - page,
  Home: () => 0,
  End: () => list.found.length - 1,
};

function startList() {
  $("agents-status").append(...KINDS.map(([value, text]) => make("option", { value, text })));
  const again = () => {
    $("agents-list").scrollTop = 0;
    list.current = 0;
    touch("filter");
  };
  const told = settled(600, () => say(`${counted(list.found.length, "agent")} found`));
  $("agents-search").addEventListener("input", () => { again(); told(); });
  $("agents-status").addEventListener("change", () => { again(); told(); });
  $("agents-search").addEventListener("keydown", (event) => {
    if (!["ArrowDown", "Enter"].includes(event.key)) return;
    event.preventDefault();
    // The keys apply to the typed text, so the list is drawn first. A hidden list cannot take the
    // focus.
    drawList(new Set(["filter"]));
    if (event.key === "Enter") {
      list.current = 0;
      pickAt(0);
    }
    $("agents-list").focus();
  });
  const view = $("agents-list");
  view.addEventListener("scroll", () => touch("rows"));
  view.addEventListener("focus", () => touch("rows"));
  view.addEventListener("blur", () => touch("rows"));
  view.addEventListener("click", (event) => {
    const row = event.target.closest(".agent");
    if (!row) return;
    list.current = Number(row.dataset.at);
    pickAt(list.current);
  });
  view.addEventListener("keydown", (event) => {
    const step = LIST_KEYS[event.key];
    if (event.key === "Enter") pickAt(list.current);
    if (!step || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    moveTo(step(Math.max(1, Math.floor(view.clientHeight / HIGH) - 1)));
  });
  new ResizeObserver(() => touch("rows")).observe(view);
  onChange(["program", "agents", "crowd", "state", "filter"], drawList);
  onChange(["rows", "pick"], drawRows);
}
