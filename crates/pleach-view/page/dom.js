// Helpers for all parts: elements, glyphs, numbers, and announcements for screen readers.

/** Names of statuses, by number. */
const STATUS = ["failure", "success", "running", "other", "fault", "not ticked"];
/** Classes and glyphs of statuses, by number. */
const LOOK = ["failure", "success", "running", "other", "fault", "idle"];

const $ = (id) => document.getElementById(id);

/**
 * Creates an element with attributes and children. Functions become listeners, and `text` becomes
 * its text.
 */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (name === "text") element.textContent = value;
    else if (name.startsWith("aria-")) element.setAttribute(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Creates a decorative glyph of a state or a command. */
function glyph(name, classes = "") {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", `glyph ${classes}`);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#g-${name}`);
  svg.append(use);
  return svg;
}

/** Changes the glyph of an element that `glyph` created. */
function reglyph(svg, name) {
  svg.firstChild.setAttribute("href", `#g-${name}`);
}

/** Creates a state as glyph and word. */
function stateOf(status, words = STATUS[status]) {
  return make("span", { class: `state ${LOOK[status]}` }, glyph(LOOK[status]), make("span", { text: words }));
}

const grouping = new Intl.NumberFormat("en");
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const grouped = (number) => grouping.format(number);
const short = (number) => (number < 10000 ? grouped(number) : compact.format(number));

/** Returns a share of a total as text, if the total is known. */
const percent = (part, all) => (all ? `${(Math.round((part / all) * 1000) / 10).toFixed(1)} %` : "");

/** Returns a number with its noun: "1 agent", "2 agents". */
const counted = (count, noun) => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;

/** Returns the members of a variable's enum, as pairs of name and number. */
const membersOf = (variable) => model.program.enums?.[variable?.enum];

/** Returns a value of a variable for display: truths and members of enums as words, other numbers without trailing digits. */
function worded(value, variable) {
  if (variable?.kind === "bool") return value ? "true" : "false";
  if (variable?.kind === "entity" && value === 0) return "none";
  if (variable?.kind === "text" && model.program.texts?.[value] !== undefined) return JSON.stringify(model.program.texts[value]);
  const member = membersOf(variable)?.find(([, number]) => number === value);
  if (member) return member[0];
  return typeof value === "number" && !Number.isInteger(value) ? String(Math.round(value * 1e4) / 1e4) : String(value);
}

let saying = 0;

/** Announces a text to screen readers after a short pause without further texts. */
function say(text) {
  clearTimeout(saying);
  saying = setTimeout(() => { $("say").textContent = text; }, 150);
}

/** Returns a function that calls `work` after this many milliseconds without another call. */
function settled(milliseconds, work) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), milliseconds);
  };
}

/**
 * Sets a text only if it has changed. Unchanged texts cause no layout and are not read out again.
 */
function retext(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Removes empty parentheses of a call: `visible()` becomes `visible`. */
const plainly = (call) => call.replace(/\(\)$/, "");
