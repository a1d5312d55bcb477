// The picked agent: the values that its conditions read, its variables, its events and its log.

/** Maximum number of lines of events and log texts. */
const MOST_LINES = 60;

const shownVars = { rows: [], revision: 0 };

function drawAgent() {
  const { pick: agent, tick } = model;
  const there = agent !== null && model.program !== null;
  $("agent-none").hidden = there;
  $("agent-parts").hidden = !there;
  retext($("agent-title"), there ? `Agent ${agent}` : "No agent");
  drawStanding(there && holds(agent));
  if (!there) return $("agent-state").replaceChildren();
  $("agent-state").replaceChildren(tick ? stateOf(tick.status, tick.outcome) : make("span", { class: "faint", text: "nothing is kept of it at this tick" }));
  if (tick?.brief) $("agent-state").append(make("span", { class: "faint", text: " only this and its node were kept: it was picked later" }));
  drawAsked(tick);
  drawVariables(tick);
  drawPast();
}

/** Shows the buttons for one tick and for release while the agent is held. */
function drawStanding(still) {
  $("agent-step").hidden = !still || !can("walk");
  $("agent-go").hidden = !still || !can("release");
}

/**
 * Keeps the element of each value from tick to tick, so that a control is not replaced while it is
 * being pressed.
 */
function drawAsked(tick) {
  const asked = tick?.values ?? [];
  const none = tick?.walked || tick?.status === 5 ? "none was asked" : "not kept";
  const items = $("agent-asked").children;
  while (items.length < Math.max(asked.length, 1)) $("agent-asked").append(askedItem());
  for (const [at, item] of [...items].entries()) {
    const [id, what, value] = asked[at] ?? [0, none, ""];
    item.hidden = at > 0 && at >= asked.length;
    item.node = byId[id];
    const [button, worth] = [item.firstChild, item.firstChild.lastChild];
    retext(button.firstChild, `${plainly(what)} `);
    retext(worth, asked[at] ? sightWorded(what, value) : "");
    button.title = item.node ? cardText(item.node) : "";
    button.disabled = !item.node;
  }
}

function askedItem() {
  const item = make("li", {}, make("button", { type: "button", click: () => goToNode(item.node.id) }, make("span"), make("b")));
  return item;
}

/**
 * Creates the rows of the table once for each program. A field that is being edited is left alone.
 */
function drawVariables(tick) {
  const { program } = model;
  if (shownVars.revision !== program.revision || shownVars.can !== can("set")) {
    Object.assign(shownVars, { revision: program.revision, can: can("set") });
    const own = program.variables.map((variable, at) => variableRow(variable, "variables", at));
    const shared = program.shared.map((variable, at) => variableRow(variable, "shared", at));
    const tuned = (program.tunables ?? []).map((tunable, at) => tunableRow(tunable, at));
    shownVars.rows = [...tuned, ...own, ...shared];
    const none = make("tr", {}, make("td", { class: "faint", text: "The tree has none." }));
    $("agent-vars").tBodies[0].replaceChildren(...(shownVars.rows.length > 0 ? shownVars.rows.map((row) => row.made) : [none]));
  }
  const before = model.past.get((tick?.tick ?? 0) - 1);
  for (const row of shownVars.rows) {
    const value = tick?.[row.list]?.[row.at];
    const text = value === undefined || value === null ? "" : worded(value, row.variable);
    if (document.activeElement !== row.value && row.value.value !== text) row.value.value = text;
    if (row.slider && document.activeElement !== row.slider) row.slider.value = value ?? row.variable.default;
    row.made.classList.toggle("changed", before?.[row.list] !== undefined && before[row.list][row.at] !== value);
    row.stop?.setAttribute("aria-pressed", model.breaks.has(`${model.pick} variable ${row.at}`));
  }
}

function variableRow(variable, of, at) {
  const row = { list: of, at, variable };
  const kind = variable.enum ?? variable.kind;
  const type = variable.scope ? `${variable.scope} ${kind}` : kind;
  const name = `value-${of}-${at}`;
  row.value = can("set")
    ? make("input", { id: name, type: "text", autocomplete: "off", spellcheck: "false", change: () => setVariable(row), keydown: (event) => keyOfValue(event, row) })
    : make("output", { id: name });
  if (of === "variables" && can("break")) {
    const label = `Stop when ${variable.name} changes`;
    row.stop = make("button", { class: "icon plain", type: "button", title: label, "aria-label": label, "aria-pressed": "false", click: () => setBreak("variable", at, variable.name) }, glyph("break"));
  }
  row.made = make(
    "tr", {},
    make("th", { scope: "row" }, make("label", { for: name, text: variable.name })),
    make("td", { class: "type", text: type }),
    make("td", { class: "value mono" }, row.value),
    make("td", { class: "stop" }, row.stop),
  );
  return row;
}

/** Number of places that a slider of floats has. */
const PLACES = 200;

/** Creates the row of a tunable: a slider over its range, and its value. */
function tunableRow(tunable, at) {
  const row = variableRow({ ...tunable, owner: tunable.scope, scope: undefined }, "tunables", at);
  const { kind, low, high, scope, duration } = tunable;
  const cell = row.made.children[1];
  cell.textContent = `${scope === "agent" ? "tune agent" : "tune"} ${duration ? "ms" : kind}`;
  if (!can("tune") || kind === "bool") return row;
  const step = kind === "int" ? 1 : (high - low) / PLACES || "any";
  const label = `${tunable.name}, from ${low} to ${high}`;
  row.slider = make("input", { type: "range", min: low, max: high, step, title: label, "aria-label": label, input: () => tune(row, Number(row.slider.value)) });
  cell.append(row.slider);
  return row;
}

/** Changes a tunable of the crowd, or of the picked agent. */
function tune(row, value) {
  tell("tune", { tunable: row.at, agent: row.variable.owner === "agent" ? model.pick : undefined, value });
}

function keyOfValue(event, row) {
  if (event.key === "Enter") row.value.blur();
  if (event.key === "Escape") {
    row.value.value = worded(model.tick?.[row.list]?.[row.at] ?? "", row.variable);
    row.value.blur();
  }
}

/** Sets a variable to the typed value. */
function setVariable(row) {
  const typed = row.value.value.trim();
  const member = membersOf(row.variable)?.find(([name]) => name === typed);
  const text = row.variable.kind === "text" ? model.program.texts?.findIndex((known) => JSON.stringify(known) === typed) : -1;
  const value = text >= 0 ? text : member?.[1] ?? { true: true, false: false, none: 0 }[typed] ?? Number(typed);
  if (typed === "" || Number.isNaN(value)) return complain(`“${typed}” is no ${row.variable.enum ?? row.variable.kind}`);
  if (row.list === "tunables") return tune(row, value);
  const what = row.list === "shared" ? { shared: row.at } : { agent: model.pick, variable: row.at };
  tell("set", { ...what, value });
}

/** Shows events and log lines up to the displayed tick, newest first. */
function drawPast() {
  const until = model.tick?.tick ?? Infinity;
  const events = [];
  const said = [];
  for (const tick of [...model.past.values()].sort((one, other) => other.tick - one.tick)) {
    if (tick.tick > until) continue;
    for (const name of tick.events ?? []) events.push([tick.tick, name]);
    for (const [id, by, text] of tick.said ?? []) said.push([tick.tick, by === "host" && byId[id] ? `${cardText(byId[id])}: ${text}` : text]);
    if (events.length >= MOST_LINES && said.length >= MOST_LINES) break;
  }
  drawLines($("agent-events"), events, until, "It heard of nothing.");
  drawLines($("agent-log"), said, until, "It said nothing.");
}

function drawLines(element, lines, now, nothing) {
  const shown = lines.slice(0, MOST_LINES);
  const look = JSON.stringify([shown, shown[0]?.[0] === now]);
  if (element.dataset.look === look) return;
  element.dataset.look = look;
  const line = ([tick, text]) => make("li", { class: tick === now ? "now" : "" }, make("time", { text: `tick ${grouped(tick)}` }), make("span", { text }));
  element.replaceChildren(...(shown.length > 0 ? shown.map(line) : [make("li", { class: "nothing", text: nothing })]));
}

/** Creates a button for each event that can be raised for the agent. */
function drawEvents() {
  const events = can("raise") ? (model.program?.events ?? []) : [];
  const send = (event) => {
    const [name, at] = [event.name, model.program.events.indexOf(event)];
    tell("raise", { event: at, agent: model.pick }, (ok) => ok && say(`${name} was sent to agent ${model.pick}`));
  };
  $("agent-send").replaceChildren(...events.map((event) => make("button", { type: "button", text: `Send ${event.name}`, click: () => send(event) })));
}

function startAgent() {
  $("agent-step").addEventListener("click", () => tell("walk", { agent: model.pick }));
  $("agent-go").addEventListener("click", () => tell("release", { agent: model.pick }));
  onChange(["program", "hello"], drawEvents);
  onChange(["program", "pick", "tick", "state", "hello", "flags", "stopped"], drawAgent);
}
