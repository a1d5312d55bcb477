// Time: play, pause, steps, speed, and a strip of the stored ticks.

/** Rate of speed 1 ×, in ticks a second: the first rate that the server sent. */
let usualRate = 0;

function drawTime() {
  const { state } = model;
  const clock = can("pause");
  const past = model.at !== null;
  for (const id of ["play", "step"]) $(id).disabled = !clock;
  $("speed").disabled = !can("speed");
  $("back").disabled = !state || shownTick() <= state.first;
  drawPlay(!state || state.paused);
  const scrub = $("scrub");
  scrub.disabled = !state || state.last <= state.first;
  $("live").hidden = !isLive();
  $("live").setAttribute("aria-pressed", !past && state !== null && !state.paused);
  $("begun").hidden = model.begun === null || state?.first !== model.begun;
  if (!state) return;
  scrub.min = state.first;
  scrub.max = state.last;
  if (!scrub.matches(":active")) scrub.value = shownTick();
  const now = past ? (model.tick?.now ?? model.crowd?.now) : state.now;
  const tick = `tick ${grouped(shownTick())}`;
  retext($("moment"), now === undefined ? tick : `${tick} · time ${grouped(now)}`);
  const leaf = byId[model.past.get(shownTick())?.leaf];
  scrub.setAttribute("aria-valuetext", leaf ? `${tick}, ${cardText(leaf)}` : tick);
  usualRate ||= state.rate ?? 0;
  drawStrip();
}

/** Returns the displayed tick. */
const shownTick = () => model.at ?? model.state?.tick ?? 0;

function drawPlay(paused) {
  const button = $("play");
  const look = paused ? "play" : "pause";
  if (button.dataset.look === look) return;
  button.dataset.look = look;
  const label = paused ? "Play" : "Pause";
  button.setAttribute("aria-label", label);
  button.title = `${label} (space)`;
  button.replaceChildren(glyph(look));
}

/** Returns the colors of the theme for the canvas. */
let inks = { states: [], event: "" };

function takeInks() {
  const colors = getComputedStyle(document.documentElement);
  const color = (name) => colors.getPropertyValue(`--${name}`);
  inks = { states: LOOK.map((name) => color({ fault: "warn", idle: "line" }[name] ?? name)), event: color("warn") };
}

/**
 * Draws the picked agent's ticks. Each leaf that ran has a height of its own, in the order of
 * leaves in the tree, so another decision is a visible step. A tick without a running node is at
 * the bottom, in the color of its outcome.
 */
function drawStrip() {
  const canvas = $("strip");
  const { clientWidth: width, clientHeight: height } = canvas;
  const scale = devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale)) Object.assign(canvas, { width: Math.round(width * scale), height: Math.round(height * scale) });
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  const { first, last } = model.state;
  const past = [...model.past.values()].filter(({ tick }) => tick >= first && tick <= last);
  const lanes = [...new Set(past.map(({ leaf }) => leaf))].sort((one, other) => (one || Infinity) - (other || Infinity));
  const high = (height - 12) / Math.max(4, lanes.length);
  const { states, event } = inks;
  // The thumb of the slider is 10 wide, so its middle moves from 5 to width - 5.
  const step = (width - 10) / Math.max(1, last - first);
  for (const { tick, status, events, leaf } of past) {
    const x = 5 + (tick - first) * step - step / 2;
    context.fillStyle = states[status];
    context.fillRect(x, 8 + lanes.indexOf(leaf) * high, Math.max(step, 1.2), Math.max(high - 2, 1.5));
    if (!events?.length) continue;
    context.fillStyle = event;
    context.fillRect(x + step / 2 - 1, 2, 2, 4);
  }
}

function togglePlay() {
  if (model.at !== null) return lookAt(null);
  tell(model.state?.paused ? "resume" : "pause");
}

/** Goes to the next tick: a stored one, or a new one. */
function stepOn() {
  if (model.at !== null && model.at < model.state.last) lookAt(model.at + 1);
  else if (model.at !== null) lookAt(null);
  else tell("step", { ticks: 1 });
}

function stepBack() {
  const { first } = model.state ?? {};
  if (first === undefined || shownTick() <= first) return;
  if (isLive() && !model.state.paused) tell("pause");
  if (isLive()) lookAt(shownTick() - 1);
  else tell("step", { ticks: -1 });
}

function startTime() {
  $("back").append(glyph("back"));
  $("step").append(glyph("step"));
  $("back").addEventListener("click", stepBack);
  $("play").addEventListener("click", togglePlay);
  $("step").addEventListener("click", stepOn);
  $("live").addEventListener("click", () => lookAt(null));
  $("speed").addEventListener("change", (event) => tell("speed", { rate: Math.max(0.1, usualRate * event.target.value) }));
  // At most once a frame.
  let wanted = null;
  $("scrub").addEventListener("input", (event) => {
    if (wanted === null) requestAnimationFrame(() => { lookAt(wanted); wanted = null; });
    wanted = Number(event.target.value);
  });
  $("scrub").addEventListener("change", () => say(`Tick ${shownTick()}`));
  new ResizeObserver(() => touch("at")).observe($("strip"));
  onChange(["theme"], takeInks);
  onChange(["state", "at", "tick", "hello", "theme"], drawTime);
}
