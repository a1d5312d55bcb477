// The population: how often all agents came to each node, as shares of the most that any node has.

const MEASURES = {
  running: "running now",
  entries: "entries",
  successes: "successes",
  failures: "failures",
  aborts: "aborts",
};

/** Of a crowd that is larger, only a part is counted: counting takes longer than ticking. */
const MOST_COUNTED = 20000;

/** The values of the measure that is shown. Shares are those of logarithms: one rare branch among a million ticks can be seen. */
function heatOf(statistics) {
  if (!statistics) return null;
  const values = statistics[model.measure];
  const most = Math.log1p(values.reduce((one, other) => Math.max(one, other), 0)) || 1;
  return { values, share: (count) => Math.log1p(count) / most };
}

/** What is said where nothing was counted. */
const noneWord = () => (model.measure === "running" ? "none" : "never");

/** Has agents counted while their counts are shown. */
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
  choice.hidden = roots.length < 2 || (!crowd && model.pick !== null);
  if (choice.childElementCount !== roots.length || choice.dataset.revision !== String(model.program?.revision)) {
    choice.dataset.revision = model.program?.revision;
    choice.replaceChildren(...roots.map((entry) => make("option", { value: entry.node, text: entry.name })));
  }
  choice.value = rootNow();
}

function startHeat() {
  $("show-agent").addEventListener("click", () => showWhose("agent"));
  $("show-crowd").addEventListener("click", () => showWhose("crowd"));
  $("measure").addEventListener("change", (event) => {
    model.measure = event.target.value;
    touch("measure");
  });
  $("trees-pick").addEventListener("change", (event) => {
    tree.root = Number(event.target.value);
    touch("show");
  });
  onChange(["program", "show", "pick", "agents"], drawWhose);
}
