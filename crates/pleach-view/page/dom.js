// Small things that all parts use: elements, glyphs, numbers, what is said to screen readers.

/** What a status is called; the place is its number. */
const STATUS = ["failure", "success", "running", "other", "fault", "not ticked"];
/** The classes and glyphs of statuses. */
const LOOK = ["failure", "success", "running", "other", "fault", "idle"];

const $ = (id) => document.getElementById(id);

/** An element with attributes (functions listen, `text` is its text) and children. */
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

/** A picture of a state or a thing to do, for the eye only. */
function glyph(name, classes = "") {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", `glyph ${classes}`);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#g-${name}`);
  svg.append(use);
  return svg;
}

/** Shows another picture in an element that `glyph` made. */
function reglyph(svg, name) {
  svg.firstChild.setAttribute("href", `#g-${name}`);
}

/** A state as glyph and word. */
function stateOf(status, words = STATUS[status]) {
  return make("span", { class: `state ${LOOK[status]}` }, glyph(LOOK[status]), make("span", { text: words }));
}

const grouping = new Intl.NumberFormat("en");
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const grouped = (number) => grouping.format(number);
const short = (number) => (number < 10000 ? grouped(number) : compact.format(number));

/** A share of all, if it is known how many that is. */
const percent = (part, all) => (all ? `${(Math.round((part / all) * 1000) / 10).toFixed(1)} %` : "");

/** "1 agent", "2 agents". */
const counted = (count, noun) => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;

/** A value as a person would write it: truths as words, other numbers without a tail. */
function worded(value, kind) {
  if (kind === "bool") return value ? "true" : "false";
  return typeof value === "number" ? String(Math.round(value * 1e4) / 1e4) : String(value);
}

let saying = 0;

/** Tells screen readers what has changed, when changes have come to rest. */
function say(text) {
  clearTimeout(saying);
  saying = setTimeout(() => { $("say").textContent = text; }, 150);
}

/** A function that is called once things have been quiet for so long. */
function settled(milliseconds, work) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values), milliseconds);
  };
}

/** Sets a text only where it is another: what stands still is neither laid out nor read out anew. */
function retext(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** The words between two brackets of a call are noise where there are none: `visible()` is `visible`. */
const plainly = (call) => call.replace(/\(\)$/, "");
