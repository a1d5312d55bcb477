// Connection to the source of the run: a socket to the server of this page, or data inside the
// page.

let send = () => {};

/** Time until the next attempt to connect, in milliseconds. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;

function start() {
  const held = $("run").textContent.trim();
  if (held) exported(JSON.parse(held));
  else connect(FIRST_WAIT);
}

function linked(how) {
  model.link = how;
  touch("link");
}

function connect(wait) {
  const address = new URL(`live${location.search}`, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const socket = new WebSocket(address);
  let next = Math.min(wait * 2, LONGEST_WAIT);
  socket.onopen = () => {
    next = FIRST_WAIT;
    send = (command) => socket.send(JSON.stringify(command));
  };
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    receive(message);
    if (message.type === "hello") greeted();
  };
  socket.onclose = () => {
    send = () => {};
    if (model.link !== "off") say("Disconnected");
    linked("off");
    refuseWaiting();
    setTimeout(() => connect(next), wait);
  };
}

/** Sends the selections of this page after each connection. */
function greeted() {
  linked("on");
  if (model.pick !== null) tell("pick", { agent: model.pick });
  if (model.at !== null) tell("at", { tick: model.at });
  countIfShown();
}

/** Run inside the page: answers commands like a server. */
function exported(messages) {
  const ticks = new Map();
  const at = (tick) => ticks.get(tick) ?? ticks.set(tick, { agents: new Map() }).get(tick);
  for (const message of messages) {
    if (message.type === "crowd") at(message.tick).crowd = message;
    else if (message.type === "agent") at(message.tick).agents.set(message.agent, message);
    else receive(message);
  }
  model.hello.can = ["pick", "at", "pause", "resume", "step", "speed"];
  linked("export");
  model.pick = null;
  replay([...ticks.keys()].sort((one, other) => one - other), ticks);
}

/** Plays the ticks inside the page like a recording. */
function replay(order, ticks) {
  const clock = { place: 0, rate: 20, timer: 0 };
  const show = (place) => {
    clock.place = Math.max(0, Math.min(place, order.length - 1));
    const tick = ticks.get(order[clock.place]);
    const told = tick?.agents.get(model.pick);
    if (tick?.crowd) receive({ ...tick.crowd, asked: true });
    if (told) receive({ ...told, asked: true });
    const paused = !clock.timer || clock.place === order.length - 1;
    const now = told?.now ?? tick?.crowd?.now ?? 0;
    receive({ ...model.state, tick: order[clock.place], now, first: order[0], last: order.at(-1), paused, rate: clock.rate });
  };
  const run = (on) => {
    clearInterval(clock.timer);
    clock.timer = on ? setInterval(() => show(clock.place + 1), 1000 / clock.rate) : 0;
  };
  const COMMANDS = {
    pick: ({ agent }) => {
      // All stored data of the agent is known at once.
      for (const tick of order) {
        const message = ticks.get(tick).agents.get(agent);
        if (message) remember(message);
      }
      show(clock.place);
    },
    at: ({ tick }) => show(tick === null ? clock.place : order.findIndex((it) => it >= tick)),
    pause: () => { run(false); show(clock.place); },
    resume: () => { run(true); show(clock.place); },
    step: (command) => { run(false); show(clock.place + command.ticks); },
    speed: ({ rate }) => { clock.rate = rate || 60; if (clock.timer) run(true); show(clock.place); },
  };
  send = (command) => COMMANDS[command.do]?.(command);
  show(order.length - 1);
  const first = order.flatMap((tick) => [...ticks.get(tick).agents.keys()])[0];
  if (first !== undefined) pick(first);
}
