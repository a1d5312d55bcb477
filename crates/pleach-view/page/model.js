// What the page knows: the last message of each type, and what its reader has chosen. Who draws something says which parts
// it depends on, and is called once a frame when one of them has changed.

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
  /** The tick of the last reload: the past begins there. */
  begun: null,
  link: "connecting",
  /** The index of the agent that is looked at. */
  pick: null,
  /** The tick that is looked at; null for the newest. */
  at: null,
  /** Whose states the tree shows: "agent" or "crowd". */
  show: "agent",
  measure: "running",
  /** What stops whom: "agent node 7" or "agent variable 3". */
  breaks: new Set(),
  /** What actions come to next: "agent node" to a status. */
  forced: new Map(),
  /** Both as they were told. */
  flags: "",
  /** The last stop, until its agent goes on. */
  stopped: null,
  /** Of the picked agent, by tick: status, time, events, what was said, variables. */
  past: new Map(),
};

/** Nodes by id, and ids of children by id. */
let byId = [];
let childrenOf = [];
/** Ids of the copies that `use` made of a node, by its id. */
let copiesOf = [];
/** Places of agents in the columns, by index. */
let placeOf = new Map();

/** As many ticks of the picked agent are kept here as the server keeps of all agents. */
const MOST_PAST = 12000;

const drawers = [];
const touched = new Set();
let frame = 0;

/** Draws when one of these parts has changed. */
function onChange(parts, draw) {
  drawers.push({ parts, draw });
}

/** Says that parts have changed. */
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

/** What came from the server, by its type. */
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
    // What was of other nodes means nothing any longer.
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
    // Something to look at, until its reader has chosen.
    if (model.pick === null && message.index.length > 0 && can("pick")) pick(message.index[0]);
  },
  crowd(message) {
    model.crowd = message;
    // Of the tick that was asked for, nothing was kept of the picked agent.
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
    // What was before cannot be gone back to.
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
    if (!message.ok) complain(message.error);
    then?.(message.ok);
  },
};

/** What stops whom, and what is forced, if it is other than before. */
function takeFlags({ breaks = [], forced = [] }) {
  const flags = JSON.stringify([breaks, forced]);
  if (flags === model.flags) return;
  model.flags = flags;
  model.breaks = new Set(breaks.map(({ agent, node, variable }) => (node === undefined ? `${agent} variable ${variable}` : `${agent} node ${node}`)));
  model.forced = new Map(forced.map(([agent, node, status]) => [`${agent} ${node}`, status]));
  touch("flags");
}

/** Types whose ids mean a revision of the program. */
const OF_REVISION = new Set(["agents", "crowd", "agent", "past", "statistics", "stopped"]);

function receive(message) {
  if (OF_REVISION.has(message.type) && message.revision !== model.program?.revision) return;
  RECEIVED[message.type]?.(message);
}

/** An agent that stands still is shown as it was when it stopped; one that was not watched, by its innermost node. */
function seen(message) {
  const before = model.tick;
  if (message.status === 5 && !message.asked && before?.agent === message.agent) return { ...message, nodes: before.nodes, values: before.values };
  const brief = message.walked ? null : recalled(message.tick);
  return brief ? { ...message, nodes: brief.nodes, brief: true } : message;
}

function remember(message) {
  const { tick, now, status, events, said, variables, shared } = message;
  const leaf = message.walked ? innermost(message.nodes) : (model.past.get(tick)?.leaf ?? 0);
  model.past.set(tick, { tick, now, status, events, said, variables, shared, leaf });
  if (model.past.size > MOST_PAST) model.past.delete(model.past.keys().next().value);
}

/** By id, the copies of each node that stands in its own tree. Copies have the place of that node in the text. */
function findCopies(nodes) {
  const copies = nodes.map(() => []);
  const own = new Map();
  const isCopy = (node) => node.through?.some((it) => it.startsWith("use "));
  const place = (node) => `${node.file} ${node.line} ${node.column}`;
  for (const node of nodes) if (node.line && !isCopy(node)) own.set(place(node), node.id);
  for (const node of nodes) if (isCopy(node) && own.has(place(node))) copies[own.get(place(node)) - 1].push(node.id);
  return [[], ...copies];
}

/** A tick of the picked agent of which only its status and innermost node were kept. */
function recalled(at) {
  const past = model.past.get(at);
  if (!past) return null;
  const path = [];
  for (let node = byId[past.leaf]; node; node = byId[node.parent]) path.unshift(node.id);
  const nodes = path.map((id, depth) => [id, 2, depth, 0, null]);
  return { ...past, agent: model.pick, outcome: STATUS[past.status], walked: false, nodes, values: [], brief: true };
}

/** The innermost node that runs, the last of those that are as deep; 0 if none does. */
function innermost(nodes) {
  let [leaf, deepest] = [0, -1];
  for (const [id, status, depth] of nodes) {
    if (status === 2 && depth >= deepest) [leaf, deepest] = [id, depth];
  }
  return leaf;
}

/** Commands that are not answered yet. */
const waiting = new Map();
let commands = 0;

/** Tells the server to do something; `then` hears whether it did. */
function tell(command, fields = {}, then) {
  if (!can(command)) return;
  const id = (commands += 1);
  if (then) waiting.set(id, then);
  send({ do: command, id, ...fields });
}

/** Looks at an agent. */
function pick(agent) {
  if (agent === model.pick) return;
  Object.assign(model, { pick: agent, tick: null, past: new Map() });
  tell("pick", { agent });
  if (model.at !== null) tell("at", { tick: model.at });
  say(agent === null ? "No agent" : `Agent ${agent}, ${treeName(agent)}`);
  touch("pick", "tick");
}

/** Looks at a tick; null is the newest. What was recorded goes there itself. */
function lookAt(tick) {
  if (!isLive()) return tell("at", { tick: tick ?? model.state.last });
  if (tick === model.at) return;
  model.at = tick;
  tell("at", { tick });
  touch("at");
}

/** The tree that an agent runs. */
function treeName(agent) {
  const place = placeOf.get(agent);
  return model.program?.entries[model.agents.tree[place]]?.name ?? "gone";
}

/** The root of the tree that an agent runs; 0 if unknown. */
function rootOf(agent) {
  return model.program?.entries[model.agents.tree[placeOf.get(agent)]]?.node ?? 0;
}

/** Where a node stands: `guard.pleach:14`. */
function placeName(node) {
  const file = model.program.files[node.file]?.name;
  return file && node.line ? `${file.split("/").pop()}:${node.line}` : "";
}
