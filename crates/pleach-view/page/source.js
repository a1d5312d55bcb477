// Text of the source, with marks at the lines of the picked agent, or counts of all agents.
// Findings of an edit are below their lines.

const source = {
  /** Index of the displayed file, and number of its displayed text. */
  file: 0,
  revision: null,
  rows: [],
};

/** Number of rows that are rendered together when they become visible. */
const BLOCK = 200;
const ROW = 20;

/** Comments, texts, numbers and words of all dialects. */
const TOKEN = /(?<comment>\/\/.*|<!--.*?-->)|(?<literal>"[^"]*"|'[^']*'|\b\d[\w.]*\b)|(?<word>[A-Za-z_]\w*)/g;
const WORDS = new Set(["var", "const", "tune", "enum", "tree", "include", "use", "set", "on", "world", "group", "raise", "to", "action", "query", "int", "int8", "uint8", "int16", "uint16", "float", "int64", "double", "entity", "text", "bool", "true", "false", "none", "out"]);

/** Returns the edited text if it has errors, else the compiled text. */
function textOf(file) {
  const name = model.program.files[file]?.name;
  const edited = editing.sources?.files.find((it) => it.name === name)?.text;
  return edited ?? model.texts.find((it) => it.file === file)?.text ?? model.program.files[file]?.text ?? null;
}

/** Shows a file, and rebuilds it if its text has changed. */
function showFile(file) {
  if (showDraft(model.program?.files[file]?.name)) {
    if (source.file === file && source.revision === null) return;
    Object.assign(source, { file, revision: null, rows: [] });
    return drawFiles();
  }
  const text = model.program ? textOf(file) : null;
  const revision = `${file} ${text?.length ?? 0} ${hashed(text ?? "")}`;
  const same = source.revision === revision;
  if (same) return;
  const view = $("source-text");
  const { scrollTop } = view;
  const stays = source.file === file;
  Object.assign(source, { file, revision, rows: [] });
  const kinds = new Set([...WORDS, ...(model.program?.nodes ?? []).flatMap((node) => node.kind.split(" "))]);
  if (text === null) view.replaceChildren(make("p", { class: "empty", text: "This text is not at hand." }));
  else view.replaceChildren(blocks(text.split(/\r?\n/), kinds));
  view.scrollTop = stays ? scrollTop : 0;
  drawFiles();
}

/** Returns a hash of a text, to detect changes. */
function hashed(text) {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}

function blocks(lines, kinds) {
  const all = make("div", { class: "rows" });
  for (let first = 0; first < lines.length; first += BLOCK) {
    const block = make("div");
    const part = lines.slice(first, first + BLOCK);
    block.style.contentVisibility = lines.length > 10 * BLOCK ? "auto" : "visible";
    block.style.containIntrinsicSize = `auto ${part.length * ROW}px`;
    part.forEach((line, at) => block.append(row(first + at + 1, line, kinds)));
    all.append(block);
  }
  return all;
}

function row(number, line, kinds) {
  const code = make("code", {}, ...tokens(line, kinds));
  const gutter = make("span", { class: "gutter number", text: number });
  const made = make("div", { class: "row", "data-line": number }, gutter, code);
  source.rows[number] = { made, gutter, look: "" };
  return made;
}

function tokens(line, kinds) {
  const parts = [];
  let end = 0;
  for (const match of line.matchAll(TOKEN)) {
    const { comment, literal, word } = match.groups;
    if (word && !kinds.has(word)) continue;
    const name = comment ? "comment" : literal ? "literal" : "word";
    parts.push(line.slice(end, match.index), make("span", { class: name, text: match[0] }));
    end = match.index + match[0].length;
  }
  parts.push(line.slice(end));
  return parts;
}

function drawFiles() {
  const files = model.program?.files ?? [];
  const tab = (file, at) => make("button", {
    type: "button", role: "tab", "aria-selected": at === source.file, tabindex: at === source.file ? 0 : -1,
    text: file.name.split("/").pop(), title: file.name, click: () => showFile(at),
  });
  $("source-files").replaceChildren(...files.map(tab));
  touch("marks");
}

/**
 * Returns the marks of lines: the most important status of the nodes that begin there, or a count.
 */
function marks() {
  const lines = new Map();
  if (model.show === "crowd") return counts(lines);
  const weight = [2, 2, 4, 1, 1];
  for (const [id, status] of model.tick?.nodes ?? []) {
    const node = byId[id];
    if (node?.file !== source.file || !node.line) continue;
    const before = lines.get(node.line);
    if (before === undefined || weight[status] >= weight[before]) lines.set(node.line, status);
  }
  return new Map([...lines].map(([line, status]) => [line, { classes: LOOK[status] + " walked", glyph: LOOK[status], words: STATUS[status] }]));
}

function counts(lines) {
  const heat = heatOf(model.statistics);
  // Copies of a node share its place. The counts of copies are part of the node's count, so they
  // are skipped if the node itself is in the program.
  const places = new Map();
  const stoodFor = new Set(copiesOf.flat());
  for (const node of heat ? model.program.nodes : []) {
    if (node.file !== source.file || !node.line || !node.counted || stoodFor.has(node.id)) continue;
    const key = `${node.line} ${node.column}`;
    places.set(key, (places.get(key) ?? 0) + (heat.values[node.id - 1] ?? 0));
  }
  for (const [key, count] of places) {
    const line = parseInt(key, 10);
    lines.set(line, Math.max(lines.get(line) ?? 0, count));
  }
  const told = (count) => ({ classes: count === 0 && isCounted() ? "never" : "", share: heat.share(count), words: count === 0 ? noneWord() : short(count) });
  return new Map([...lines].map(([line, count]) => [line, told(count)]));
}

function drawMarks() {
  if (!model.program) return;
  $("source-text").classList.toggle("counted", model.show === "crowd");
  const told = marks();
  if (isOpen()) return drawTextMarks(told);
  const wrong = new Set(findingsHere().map((finding) => finding.line));
  const chosen = chosenNode();
  const line = chosen?.file === source.file ? chosen?.line : 0;
  source.rows.forEach((row, number) => {
    const mark = told.get(number);
    const classes = ["row", mark?.classes, number === line && "chosen", wrong.has(number) && "wrong"].filter(Boolean).join(" ");
    const look = `${classes} ${mark?.words} ${mark?.share}`;
    if (row.look === look) return;
    row.look = look;
    paintRow(row, mark, classes);
  });
}

/** Shows the mark of a line. */
function paintRow({ made, gutter }, mark, classes) {
  made.className = classes;
  gutter.querySelector("svg")?.remove();
  made.querySelectorAll(".heat, .count, .told").forEach((it) => it.remove());
  if (!mark) return;
  if (mark.glyph) {
    gutter.prepend(glyph(mark.glyph));
    made.append(make("span", { class: "told unseen", text: mark.words }));
  } else {
    const heat = make("span", { class: "heat" });
    heat.style.setProperty("--share", mark.share);
    made.append(heat);
    gutter.prepend(make("span", { class: "count", text: mark.words }));
  }
}

const findingsHere = () => model.trouble.filter((finding) => finding.place === source.file && finding.line);

/** Shows findings below their lines. */
function drawFindings() {
  const first = model.trouble.find((finding) => finding.line && finding.place !== undefined && finding.place !== null);
  if (first) showFile(first.place);
  else if (model.program) showFile(source.file);
  document.querySelectorAll(".finding").forEach((it) => it.remove());
  for (const finding of findingsHere()) {
    const help = finding.help && make("span", { class: "help", text: `Help: ${finding.help}` });
    source.rows[finding.line]?.made.after(make("p", { class: `finding ${finding.severity}` }, finding.message, help));
  }
  drawMarks();
  if (first) showLine(first.place, first.line, false);
}

/** Scrolls a line to the middle of the view. */
function showLine(file, line, focus) {
  if (file === undefined || !line) return;
  showFile(file);
  if (isOpen()) {
    if (focus) openText();
    if (focus || !text.view.hasFocus) toOffset(offsetOfPlace(line, 1));
    return;
  }
  const view = $("source-text");
  const at = source.rows[line]?.made;
  if (!at) return;
  const seen = at.offsetTop >= view.scrollTop + ROW && at.offsetTop < view.scrollTop + view.clientHeight - 2 * ROW;
  if (!seen) view.scrollTop = at.offsetTop - view.clientHeight / 2;
  if (focus) showView("source");
  if (focus) view.focus({ preventScroll: true });
}

function startSource() {
  $("source-text").addEventListener("click", (event) => {
    const line = Number(event.target.closest(".row")?.dataset.line ?? 0);
    const node = model.program?.nodes.find((it) => it.file === source.file && it.line === line);
    if (node && getSelection().isCollapsed) goToNode(node.id, false);
  });
  $("source-files").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const files = model.program?.files.length ?? 0;
    if (!step || files === 0) return;
    showFile((source.file + step + files) % files);
    $("source-files").querySelector("[aria-selected=true]")?.focus();
  });
  onChange(["program", "trouble", "sources"], drawFindings);
  onChange(["program", "hello"], drawFiles);
  onChange(["tick", "statistics", "show", "measure", "marks", "chosen", "pick"], drawMarks);
  onChange(["chosen"], () => {
    const node = chosenNode();
    if (!node?.line) return;
    if (isOpen() && text.view.hasFocus) return;
    showFile(node.file);
    if (isOpen()) followCard();
    else showLine(node.file, node.line, false);
  });
}
