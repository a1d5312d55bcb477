// Type-ahead palette: one field and a list of what can be written. It adds nodes and declarations,
// changes kinds, and asks for names.

const palette = { entries: [], current: 0, wish: null, again: null };

/** Values by type for arguments that have not been written yet. */
const FIRST = { int: "0", int64: "0", float: "0.0", double: "0.0", bool: "true", text: '""', vec2: "vec2(0.0, 0.0)", vec3: "vec3(0.0, 0.0, 0.0)" };

/**
 * Opens the palette. `wish` has a title, the entries, and `choose`, which is called with the text,
 * the entry, and a function that reports a refusal.
 */
function openPalette(wish) {
  Object.assign(palette, { wish, current: 0 });
  const dialog = $("palette");
  retext($("palette-title"), wish.title);
  retext($("palette-error"), "");
  $("palette-remove").hidden = $("palette-unknown").hidden = true;
  const input = $("palette-text");
  input.value = wish.text ?? "";
  input.setAttribute("aria-label", wish.title);
  if (!dialog.open) dialog.showModal();
  input.focus();
  input.select();
  drawPalette();
}

function closePalette() {
  $("palette").close();
  document.querySelector("#nodes [tabindex='0']")?.focus({ preventScroll: true });
}

/** Returns the entries for nodes. `filter` leaves some of the words out. */
function nodeEntries(filter = () => true) {
  const { nodes, names } = editing.palette;
  const words = nodes.filter(filter).map((it) => ({ text: it.example, word: it.word, help: it.help, block: it.block, asks: it.example !== it.word }));
  const calls = names.filter((it) => it.kind === "action" || it.kind === "tree").map((it) => {
    const word = it.kind === "action" ? "action" : "use";
    const values = it.params.filter(([, type]) => !type.endsWith("?")).map(firstOf);
    const types = it.params.map(([name, type, out]) => `${out ? "out " : ""}${name}: ${type}`).join(", ");
    const text = `${word} ${it.name}${values.length > 0 ? `(${values.join(", ")})` : ""}`;
    return { text, word: `${word} ${it.name}`, name: it.name, help: it.help || (types ? `(${types})` : ""), block: "", fills: it.params.length > 0 };
  });
  const known = filter({ word: "action", block: "" }) ? calls : [];
  return [...known, ...words.filter((it) => it.word !== "action" && it.word !== "use")];
}

/**
 * Returns an argument for a parameter. An action gives a value to a variable. If there is none of
 * the type, the parameter's name stands for one that is to be declared.
 */
function firstOf([name, type, out]) {
  const of = (kind) => editing.palette.names.find((it) => it.kind === kind && it.type === type);
  if (out) return of("var")?.name ?? name;
  const member = of("member");
  return FIRST[type] ?? member?.name ?? (type.startsWith("entity") ? "none" : "0");
}

/** Returns the block that nodes with these words have; null if no word begins them. */
function blockOf(words) {
  const begins = ({ word }) => words === word || words.startsWith(`${word} `) || words.startsWith(`${word}(`);
  const found = [...editing.palette.nodes].sort((one, other) => other.word.length - one.word.length).find(begins);
  return found ? found.block : null;
}

/** Returns the entry for the text as it was typed; null if it is only the beginning of a word. */
function typedEntry(typed) {
  const { wish } = palette;
  if (wish.plain) return typed ? { text: typed, word: typed, help: "", block: "" } : null;
  // A name alone is a call with arguments that compile.
  const call = wish.leaves ? wish.entries().find((it) => it.name && (it.name === typed || it.word === typed)) : null;
  if (call) return call;
  const [first] = typed.split(/[\s(]/);
  if (wish.items) {
    const known = editing.palette.items.find((it) => typed.startsWith(`${it.word} `));
    return known ? { text: typed, word: typed, help: known.help, block: "" } : null;
  }
  const named = editing.palette.names.find((it) => it.name === first && (it.kind === "action" || it.kind === "tree"));
  if (named && blockOf(typed) === null && wish.leaves) {
    const word = named.kind === "action" ? "action" : "use";
    return { text: `${word} ${typed}`, word: `${word} ${typed}`, help: named.help, block: "" };
  }
  const block = blockOf(typed);
  const isWhole = block !== null && (typed.includes(" ") || typed.includes("(") || palette.wish.entries().some((it) => it.text === typed));
  return isWhole && (block !== "" || wish.leaves) ? { text: typed, word: typed, help: "As typed.", block } : null;
}

/** Returns names that continue the last word of the typed text. */
function completions(typed) {
  const [, before, part] = typed.match(/^(.*[^\w.])([A-Za-z_][\w.]*)$/s) ?? [];
  if (part === undefined || palette.wish.plain) return [];
  const { names, values } = editing.palette;
  const all = [...names.map((it) => ({ name: it.name, help: [it.kind, it.type].filter(Boolean).join(" ") })), ...values.map((name) => ({ name, help: "" }))];
  const near = all.filter((it) => it.name.toLowerCase().startsWith(part.toLowerCase()) && it.name !== part);
  return near.slice(0, 8).map((it) => ({ text: before + it.name, word: it.name, help: it.help, completes: true }));
}

/** Returns the entries that fit the typed text, the best first. */
function found(typed) {
  const low = typed.toLowerCase();
  const rank = (it) => {
    const [word, name] = [it.word.toLowerCase(), (it.name ?? "").toLowerCase()];
    if (word.startsWith(low) || (name && name.startsWith(low))) return 0;
    return word.includes(low) ? 1 : 2;
  };
  const all = palette.wish.entries?.() ?? [];
  const fitting = all.map((it) => [rank(it), it]).filter(([of]) => of < 2).sort(([one], [other]) => one - other).map(([, it]) => it);
  const typedOne = typedEntry(typed);
  const rest = typedOne ? fitting.filter((it) => it.text !== typedOne.text) : fitting;
  // The beginning of a declaration that is there means that one, but the beginning of a word alone means
  // a new declaration.
  const isWord = editing.palette.items.some((it) => it.word.startsWith(low));
  const known = palette.wish.items && typed && !isWord ? rest.filter((it) => it.item !== undefined && rank(it) === 0) : [];
  return [...known, typedOne, ...completions(typed), ...rest.filter((it) => !known.includes(it))].filter(Boolean);
}

function drawPalette() {
  const typed = $("palette-text").value.trim();
  palette.entries = found(typed);
  palette.current = Math.max(0, Math.min(palette.current, palette.entries.length - 1));
  const item = (entry, at) => make(
    "li", { role: "option", id: `entry-${at}`, "aria-selected": at === palette.current, click: () => chooseEntry(at) },
    make("span", { class: "mono", text: entry.completes ? entry.word : entry.text }), make("span", { class: "faint", text: entry.help }),
  );
  $("palette-list").replaceChildren(...palette.entries.slice(0, 60).map(item));
  $("palette-text").setAttribute("aria-activedescendant", palette.entries.length > 0 ? `entry-${palette.current}` : "");
  $(`entry-${palette.current}`)?.scrollIntoView({ block: "nearest" });
  retext($("palette-help"), palette.entries[palette.current]?.help ?? "");
}

/** Chooses an entry. Words with values to fill in go to the field first. */
function chooseEntry(at) {
  const entry = palette.entries[at];
  const input = $("palette-text");
  if (!entry) return retext($("palette-error"), palette.wish.plain ? "Write a name." : "Nothing begins like that.");
  const line = !entry.completes && entry.asks ? palette.wish.picked?.(entry) : 0;
  // A comment would end with the field's only line, so such a declaration is changed in the text.
  if (line) {
    closePalette();
    openText();
    return toLine(line);
  }
  $("palette-remove").hidden = entry.item === undefined;
  if (entry.completes || (entry.asks && input.value.trim() !== entry.text)) {
    input.value = entry.text;
    input.focus();
    const start = entry.completes ? entry.text.length : Math.min(entry.word.length + 1, entry.text.length);
    input.setSelectionRange(start, entry.text.length);
    palette.current = 0;
    return drawPalette();
  }
  const refused = (error) => {
    if (error === null) return closePalette();
    retext($("palette-error"), error);
    offerDeclaration(error, entry.text);
    if (!$("palette").open) openPalette({ ...palette.wish, text: entry.text });
  };
  palette.wish.choose(entry.text, entry, refused);
}

/** Offers to declare the unknown name that is the reason of a refusal, and to go on with the text then. */
function offerDeclaration(error, typed) {
  const name = error.match(/`(\w+)` is not declared/)?.[1];
  const { again, wish } = palette;
  const button = $("palette-unknown");
  button.hidden = !name || !again || Boolean(wish.items);
  if (button.hidden) return;
  const isAction = new RegExp(`\\baction ${name}\\b`).test(typed);
  const [, called] = typed.match(/^action (\w+)/) ?? [];
  const params = editing.palette.names.find((it) => it.kind === "action" && it.name === called)?.params ?? [];
  const [, type] = params.find(([param, , out]) => out && param === name) ?? [];
  retext(button, `Declare ${name}`);
  const goOn = () => {
    again();
    if (!$("palette").open) return;
    $("palette-text").value = typed;
    drawPalette();
  };
  // The cards are those of the new program from the next frame on.
  button.onclick = () => openDeclarations(isAction ? `action ${name}()` : `var ${name}: ${type ?? "int = 0"}`, () => requestAnimationFrame(goOn));
}

function onPaletteKey(event) {
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
  if (event.key === "Enter") {
    event.preventDefault();
    chooseEntry(palette.current);
  } else if (event.key === "Tab" && !event.shiftKey && palette.entries.some((it) => it.completes)) {
    event.preventDefault();
    chooseEntry(palette.entries.findIndex((it) => it.completes));
  } else if (step) {
    event.preventDefault();
    palette.current = Math.max(0, Math.min(palette.current + step, palette.entries.length - 1));
    drawPalette();
  }
}

/** Asks for a name. */
function askName(title, name, choose) {
  openPalette({ title, text: name, plain: true, choose });
}

/** Opens the list of declarations: new ones, and those of the file to be changed. */
function openDeclarations(text = "", then = null) {
  if (!canEdit()) return;
  const file = Math.max(0, editedFile(model.program?.files[source.file]?.name));
  const at = { file, revision: editing.sources.revision };
  const entries = () => {
    const { items } = editing.palette;
    const fresh = items.map((it) => ({ text: it.example + it.block, word: it.word, help: it.help, asks: true }));
    const own = editing.sources.files[file].items.map((it, item) => ({ text: it.text.replace(/\s*\n\s*/g, " "), word: it.text, name: it.name, help: "change or remove it", item, asks: true, line: it.text.includes("//") && it.line }));
    return [...fresh, ...own];
  };
  let item = null;
  const choose = (text, entry, refused) => {
    const edit = item === null ? { op: "addDeclaration", text } : { op: "changeDeclaration", item, text };
    sendEdit(at, edit, (error) => {
      refused(error);
      if (error === null) then?.();
    });
  };
  const picked = (entry) => { item = entry.item ?? null; return entry.line; };
  const remove = (refused) => sendEdit(at, { op: "deleteDeclaration", item }, refused);
  openPalette({ title: "Declarations", text, items: true, entries, choose, picked, remove });
}

function startPalette() {
  $("palette-text").addEventListener("input", () => { palette.current = 0; retext($("palette-error"), ""); drawPalette(); });
  $("palette-text").addEventListener("keydown", onPaletteKey);
  $("palette-close").addEventListener("click", closePalette);
  $("palette-remove").addEventListener("click", () => palette.wish.remove((error) => (error === null ? closePalette() : retext($("palette-error"), error))));
  $("palette-do").addEventListener("click", () => chooseEntry(palette.current));
  $("declare").addEventListener("click", () => openDeclarations());
}
