// State of the page: the last message of each type, and the user's selections. A part that draws
// something names the parts of the state that it depends on. It is called once a frame after one of
// them has changed.

const model = {
  hello: null,
  program: null,
  state: null,
  agents: { index: [], tree: [] },
  crowd: null,
  tick: null,
  statistics: null,
  trouble: [],
  texts: [],
  reload: null,
  /** Tick of the last reload. There is no history before it. */
  begun: null,
  link: "connecting",
  /** Index of the picked agent. */
  pick: null,
  /** Displayed tick; null for the newest. */
  at: null,
  /** Source of the states in the tree: "agent" or "crowd". */
  show: "agent",
  measure: "running",
  /** Breakpoints: "agent node 7" or "agent variable 3". */
  breaks: new Set(),
  /** Forced results of the next call: "agent node" to a status. */
  forced: new Map(),
  /** Breakpoints and forced results as received. */
  flags: "",
  /** Last stop, until its agent continues. */
  stopped: null,
  /** History of the picked agent by tick: status, time, events, log, variables. */
  past: new Map(),
};

/** Nodes by id, and ids of children by id. */
let byId = [];
let childrenOf = [];
/** Ids of the copies that `use` made of a node, by its id. */
let copiesOf = [];
/** Indices of agents in the columns, by the agent's index. */
let placeOf = new Map();

/**
 * Maximum number of ticks of the picked agent, equal to the number of lists that the server keeps.
 */
const MOST_PAST = 12000;

const drawers = [];
const touched = new Set();
let frame = 0;

/** Calls `draw` after one of these parts has changed. */
function onChange(parts, draw) {
  drawers.push({ parts, draw });
}

/** Marks parts as changed. */
function touch(...parts) {
  parts.forEach((part) => touched.add(part));
  frame ||= requestAnimationFrame(drawAll);
}

function drawAll() {
  frame = 0;
  const now = new Set(touched);
  touched.clear();
  for (const { parts, draw } of drawers) {
    if (parts.some((part) => now.has(part))) draw(now);
  }
}

const can = (command) => model.hello?.can.includes(command) ?? false;
const isLive = () => model.hello?.mode === "live";
const holds = (agent) => model.state?.held?.includes(agent) ?? false;

/** Handlers of messages from the server, by type. */
const RECEIVED = {
  hello(message) {
    model.hello = message;
    document.title = `${message.title} · pleach`;
    touch("hello");
  },
  program(message) {
    model.program = message;
    byId = [];
    childrenOf = [];
    for (const node of message.nodes) {
      byId[node.id] = node;
      node.counted = byId[node.parent] ? byId[node.parent].counted : !node.handles;
      childrenOf[node.id] = [];
      childrenOf[node.parent ?? 0]?.push(node.id);
    }
    copiesOf = findCopies(message.nodes);
    // State of the earlier nodes is no longer valid.
    Object.assign(model, { statistics: null, tick: null, crowd: null, past: new Map() });
    touch("program", "tick", "statistics");
  },
  state(message) {
    model.state = message;
    if (model.stopped && !holds(model.stopped.agent)) model.stopped = null;
    takeFlags(message);
    touch("state");
  },
  agents(message) {
    model.agents = message;
    placeOf = new Map(message.index.map((index, place) => [index, place]));
    touch("agents");
    // Picks an agent until the user chooses one.
    if (model.pick === null && message.index.length > 0 && can("pick")) pick(message.index[0]);
  },
  crowd(message) {
    model.crowd = message;
    // The history has no data of the picked agent for the requested tick.
    if (message.asked && model.at === message.tick && model.tick?.tick !== model.at) model.tick = recalled(message.tick);
    touch("crowd", "tick");
  },
  agent(message) {
    if (message.agent !== model.pick || (model.at !== null && !message.asked)) return;
    remember(message);
    model.tick = seen(message);
    touch("tick");
  },
  past(message) {
    if (message.agent !== model.pick) return;
    message.tick.forEach((tick, at) => {
      const known = { tick, now: message.now[at], status: Number(message.status[at]), leaf: message.node[at] };
      if (!model.past.has(tick)) model.past.set(tick, known);
    });
    if (model.at !== null && model.tick === null) model.tick = recalled(model.at);
    touch("tick");
  },
  statistics(message) {
    model.statistics = message;
    touch("statistics");
  },
  stopped(message) {
    model.stopped = message;
    const where = message.node ? byId[message.node]?.label : model.program.variables[message.variable]?.name;
    if (where) say(`Agent ${message.agent} has stopped at ${where}`);
    touch("stopped", "tick");
  },
  reload(message) {
    Object.assign(model, { reload: message, begun: message.tick, trouble: [], texts: [] });
    // The page cannot go back to earlier ticks.
    if (model.at !== null) lookAt(null);
    touch("reload", "trouble");
  },
  trouble(message) {
    model.trouble = message.findings;
    model.texts = message.texts ?? [];
    touch("trouble");
  },
  answer(message) {
    const then = waiting.get(message.id);
    waiting.delete(message.id);
    if (!message.ok && !then?.isQuiet) complain(message.error);
    then?.work(message.ok, message);
  },
};

/** Takes over breakpoints and forced results if they have changed. */
function takeFlags({ breaks = [], forced = [] }) {
  const flags = JSON.stringify([breaks, forced]);
  if (flags === model.flags) return;
  model.flags = flags;
  model.breaks = new Set(breaks.map(({ agent, node, variable }) => (node === undefined ? `${agent} variable ${variable}` : `${agent} node ${node}`)));
  model.forced = new Map(forced.map(([agent, node, status]) => [`${agent} ${node}`, status]));
  touch("flags");
}

/** Types of messages whose ids belong to a revision of the program. */
const OF_REVISION = new Set(["agents", "crowd", "agent", "past", "statistics", "stopped"]);

function receive(message) {
  if (OF_REVISION.has(message.type) && message.revision !== model.program?.revision) return;
  RECEIVED[message.type]?.(message);
}

/**
 * Shows a held agent as it was when it stopped, and an agent that was not watched by its innermost
 * node.
 */
function seen(message) {
  const before = model.tick;
  if (message.status === 5 && !message.asked && before?.agent === message.agent) return { ...message, nodes: before.nodes, values: before.values };
  const brief = message.walked ? null : recalled(message.tick);
  return brief ? { ...message, nodes: brief.nodes, brief: true } : message;
}

function remember(message) {
  const { tick, now, status, events, said, variables, shared, tunables } = message;
  const leaf = message.walked ? innermost(message.nodes) : (model.past.get(tick)?.leaf ?? 0);
  model.past.set(tick, { tick, now, status, events, said, variables, shared, tunables, leaf });
  if (model.past.size > MOST_PAST) model.past.delete(model.past.keys().next().value);
}

/**
 * Returns the copies of each node in its own tree, by id. A copy has the place of its node in the
 * source.
 */
function findCopies(nodes) {
  const copies = nodes.map(() => []);
  const own = new Map();
  const isCopy = (node) => node.through?.some((it) => it.startsWith("use "));
  const place = (node) => `${node.file} ${node.line} ${node.column}`;
  for (const node of nodes) if (node.line && !isCopy(node)) own.set(place(node), node.id);
  for (const node of nodes) if (isCopy(node) && own.has(place(node))) copies[own.get(place(node)) - 1].push(node.id);
  return [[], ...copies];
}

/** Returns a tick of the picked agent of which only the status and the innermost node are known. */
function recalled(at) {
  const past = model.past.get(at);
  if (!past) return null;
  const path = [];
  for (let node = byId[past.leaf]; node; node = byId[node.parent]) path.unshift(node.id);
  const nodes = path.map((id, depth) => [id, 2, depth, 0, null]);
  return { ...past, agent: model.pick, outcome: STATUS[past.status], walked: false, nodes, values: [], brief: true };
}

/** Returns the innermost running node, the last one of the greatest depth; 0 if none runs. */
function innermost(nodes) {
  let [leaf, deepest] = [0, -1];
  for (const [id, status, depth] of nodes) {
    if (status === 2 && depth >= deepest) [leaf, deepest] = [id, depth];
  }
  return leaf;
}

/** Commands without an answer yet. Those of a lost connection are refused. */
const waiting = new Map();
let commands = 0;

/** Returns true if commands reach the source of the run. */
const isLinked = () => model.link === "on" || model.link === "export";

/**
 * Sends a command to the server. `work` is called once, with its success and the answer. If
 * `isQuiet` is true, a refusal is not shown in the banner.
 */
function tell(command, fields = {}, work = null, isQuiet = false) {
  const id = (commands += 1);
  if (work) waiting.set(id, { work, isQuiet });
  const error = !isLinked() ? "The page is not connected." : can(command) ? null : `This view has no command ${command}.`;
  if (error === null) send({ do: command, id, ...fields });
  else if (work) RECEIVED.answer({ id, ok: false, error });
}

/**
 * Refuses all commands without an answer: the connection has ended. The server may have carried
 * them out.
 */
function refuseWaiting() {
  for (const id of [...waiting.keys()]) RECEIVED.answer({ id, ok: false, isLost: true, error: "The connection has ended." });
}

/** Picks an agent. */
function pick(agent) {
  if (agent === model.pick) return;
  Object.assign(model, { pick: agent, tick: null, past: new Map() });
  tree.root = "";
  tell("pick", { agent });
  if (model.at !== null) tell("at", { tick: model.at });
  say(agent === null ? "No agent" : `Agent ${agent}, ${treeName(agent)}`);
  touch("pick", "tick");
}

/** Displays a tick; null for the newest. A recording goes to that tick. */
function lookAt(tick) {
  if (!isLive()) return tell("at", { tick: tick ?? model.state.last });
  if (tick === model.at) return;
  model.at = tick;
  tell("at", { tick });
  touch("at");
}

/** Returns the tree that an agent runs. */
function treeName(agent) {
  const place = placeOf.get(agent);
  return model.program?.entries[model.agents.tree[place]]?.name ?? "gone";
}

/** Returns the root of the tree that an agent runs; 0 if unknown. */
function rootOf(agent) {
  return model.program?.entries[model.agents.tree[placeOf.get(agent)]]?.node ?? 0;
}

/** Returns the place of a node: `guard.pleach:14`. */
function placeName(node) {
  const file = model.program.files[node.file]?.name;
  return file && node.line ? `${file.split("/").pop()}:${node.line}` : "";
}
