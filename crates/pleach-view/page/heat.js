// Counts of all agents at each node, as shares of the node with the highest count.

const MEASURES = {
  running: "running now",
  entries: "entries",
  successes: "successes",
  failures: "failures",
  aborts: "aborts",
};

/**
 * Maximum number of counted agents. In larger crowds every n-th agent is counted, because counting
 * takes longer than ticking.
 */
const MOST_COUNTED = 20000;

/**
 * Returns the values of the displayed measure. Shares are logarithmic, so that one rare branch in a
 * million ticks is visible.
 */
function heatOf(statistics) {
  if (!statistics) return null;
  const values = wholeCounts(statistics[model.measure]);
  const most = Math.log1p(values.reduce((one, other) => Math.max(one, other), 0)) || 1;
  return { values, share: (count) => Math.log1p(count) / most };
}

/**
 * Returns counts by node, from node 1. A tree that other trees use has the sum of its copies. The
 * root of a tree has at least the count of its only child.
 */
function wholeCounts(values) {
  const whole = values.map((count, at) => copiesOf[at + 1].reduce((sum, id) => sum + values[id - 1], count));
  for (const { id, parent } of model.program.nodes) {
    if (!parent && childrenOf[id].length === 1) whole[id - 1] = Math.max(whole[id - 1], whole[childrenOf[id][0] - 1]);
  }
  return whole;
}

/** Returns true if a tick was counted. Before that, nothing is known of any node. */
const isCounted = () => Boolean(model.statistics?.ticks);

/** Returns the text for a node without counts. */
function noneWord() {
  if (!isCounted()) return "not counted yet";
  return model.measure === "running" ? "none" : "never";
}

/** Requests counts while the page shows them. */
function countIfShown() {
  const every = model.show === "crowd" ? Math.ceil((model.state?.agents || 1) / MOST_COUNTED) : 0;
  tell("statistics", { every });
}

function showWhose(show) {
  if (show === model.show) return;
  model.show = show;
  countIfShown();
  say(show === "crowd" ? "All agents are shown" : "One agent is shown");
  touch("show");
}

function drawWhose() {
  const crowd = model.show === "crowd";
  $("show-agent").setAttribute("aria-pressed", !crowd);
  $("show-crowd").setAttribute("aria-pressed", crowd);
  $("measure").hidden = !crowd;
  const roots = model.program?.entries.filter((entry) => entry.node) ?? [];
  const choice = $("trees-pick");
  choice.hidden = roots.length < 2 || !canSelectTree();
  if (choice.childElementCount !== roots.length || choice.dataset.revision !== String(model.program?.revision)) {
    choice.dataset.revision = model.program?.revision;
    choice.replaceChildren(...roots.map((entry) => make("option", { text: entry.name })));
  }
  choice.value = roots.find((entry) => entry.node === rootNow())?.name ?? "";
}

function startHeat() {
  $("show-agent").addEventListener("click", () => showWhose("agent"));
  $("show-crowd").addEventListener("click", () => showWhose("crowd"));
  $("measure").addEventListener("change", (event) => {
    model.measure = event.target.value;
    touch("measure");
  });
  $("trees-pick").addEventListener("change", (event) => {
    tree.root = event.target.value;
    touch("show");
  });
  onChange(["program", "show", "pick", "agents", "hello"], drawWhose);
}
