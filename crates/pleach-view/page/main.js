// Frame around the parts: header, theme, global keys, and one part at a time on narrow screens.

const THEME = "pleach-theme";

/** Stored choices, if the browser allows a page to store data. */
function remembered() {
  try {
    return localStorage.getItem(THEME);
  } catch {
    return null;
  }
}

function setTheme(theme, keep) {
  document.documentElement.dataset.theme = theme;
  const next = theme === "dark" ? "light" : "dark";
  $("theme").replaceChildren(glyph(next));
  $("theme").setAttribute("aria-label", `To ${next} colors`);
  $("theme").title = `To ${next} colors`;
  touch("theme");
  try {
    if (keep) localStorage.setItem(THEME, theme);
  } catch {
    // Without storage, the choice lasts as long as the page is open.
  }
}

function startTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const fromSystem = () => setTheme(dark.matches ? "dark" : "light", false);
  const kept = remembered();
  if (kept) setTheme(kept, false);
  else fromSystem();
  dark.addEventListener("change", () => remembered() ?? fromSystem());
  $("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark", true));
}

function drawHead() {
  const { hello, state, program } = model;
  if (!hello) return;
  const trees = program?.entries.length ?? 0;
  const facts = [program && `${counted(trees, "tree")}`, state && counted(state.agents, "agent")].filter(Boolean);
  $("subject").replaceChildren(make("b", { text: hello.title }), facts.length > 0 ? ` · ${facts.join(" · ")}` : "");
}

function drawLink() {
  const { link, state, at } = model;
  const words = {
    connecting: ["connecting", ""],
    off: ["disconnected, trying again", "off"],
    export: ["a recorded run", "held"],
    on: at !== null ? ["looking back", "held"] : state?.paused ? ["paused", "held"] : [speedWords(state), "on"],
  };
  const [text, look] = words[link];
  $("connection").className = `pill number ${look}`;
  retext($("connection"), text);
  $("main").classList.toggle("stale", link === "off");
}

function speedWords(state) {
  return state?.speed ? `live, ${Math.round(state.speed)} ticks a second` : "live";
}

/** Shows one part at a time on narrow screens. */
function showView(name) {
  $("main").dataset.view = name;
  for (const button of $("views").children) button.setAttribute("aria-pressed", button.dataset.view === name);
  touch("rows", "at");
}

/** Keys with a global meaning, except in text fields. */
const KEYS = {
  "/": () => { showView("agents"); $("agents-search").focus(); $("agents-search").select(); },
  "?": () => $("keys").showModal(),
  t: () => { showView("trees"); $("nodes").querySelector("[tabindex='0']")?.focus(); },
  r: () => { showView("trees"); goToRunning(); },
  b: () => toggleBreak(chosenNode()),
  p: () => showWhose(model.show === "agent" ? "crowd" : "agent"),
  l: () => lookAt(null),
  ",": stepBack,
  ".": stepOn,
  " ": togglePlay,
  y: askWhy,
  n: () => openDeclarations(),
  e: openText,
};

function onKey(event) {
  const { target } = event;
  const typing = target.matches("input:not([type=range]), select, textarea") || target.isContentEditable || document.querySelector("dialog[open]") !== null;
  const presses = event.key === " " && target.matches("button, summary");
  const work = KEYS[event.key];
  if (!work || typing || presses || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  work();
}

/**
 * After a click the page has the focus. So the next key has its global meaning and does not press
 * the control again.
 */
function giveBack(event) {
  if (event.detail > 0) event.target.closest("button[aria-pressed]")?.blur();
}

startTheme();
startTree();
startNode();
startSource();
startList();
startAgent();
startTime();
startHeat();
startBanner();
startEditing();
startPalette();
startGestures();
startForm();
startText();
startCompare();
startWhy();
$("help").addEventListener("click", () => $("keys").showModal());
$("views").addEventListener("click", (event) => event.target.dataset.view && showView(event.target.dataset.view));
document.addEventListener("keydown", onKey);
document.addEventListener("click", giveBack);
onChange(["hello", "program", "state"], drawHead);
onChange(["link", "state", "at"], drawLink);
showView("trees");
start();
