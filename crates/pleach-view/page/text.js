// The text of a file as a field that can be edited. A draft stays in the page until it is applied.

const text = { open: false, file: 0, base: "", revision: 0 };

const isDraft = () => $("draft").value !== text.base;

function openText() {
  const file = editedFile(model.program?.files[source.file]?.name);
  if (!canEdit() || file < 0) return;
  const known = editing.sources.files[file];
  if (known.reason) return complain(`${known.name} cannot be edited: ${known.reason}`);
  Object.assign(text, { open: true, file });
  takeText();
  drawText();
  $("draft").focus();
  toLine(chosenNode()?.line ?? 1);
}

/** Puts the present text of the server into the field. */
function takeText() {
  const known = editing.sources.files[text.file];
  Object.assign(text, { base: known.text, revision: editing.sources.revision });
  $("draft").value = known.text;
  showTextErrors([]);
}

function closeText() {
  text.open = false;
  drawText();
  $("edit-text").focus();
}

function drawText() {
  $("text-pane").hidden = !text.open;
  $("source-text").hidden = text.open;
  $("edit-text").setAttribute("aria-pressed", text.open);
  if (!text.open) return;
  const other = editing.sources.files[text.file].text !== text.base;
  $("text-changed").hidden = !other;
  $("text-apply").disabled = !isDraft() && !other;
  retext($("text-state"), isDraft() ? "not applied" : "applied");
}

/** Sends the draft. With `over`, it takes the place of a text that has changed meanwhile. */
function applyText(over) {
  const draft = $("draft").value;
  const revision = over || editing.sources.files[text.file].text === text.base ? editing.sources.revision : text.revision;
  tell("text", { file: text.file, revision, text: draft }, (ok, answer) => {
    if (ok) text.base = draft;
    if (ok) say("Applied");
    showTextErrors(ok ? [] : answer.findings ?? [], ok ? "" : answer.error);
    if (ok) settleEdit(ok, answer);
    drawText();
  }, true);
}

/** Shows errors of the draft in words, each with a button that leads to its line. */
function showTextErrors(findings, error = "") {
  const errors = findings.filter((it) => it.severity === "error");
  const rows = errors.map((it) => make(
    "li", {},
    it.line ? make("button", { class: "place", type: "button", text: `line ${it.line}`, click: () => { $("draft").focus(); toLine(it.line); } }) : null,
    ` ${it.message}`, it.help ? make("span", { class: "help", text: ` Help: ${it.help}` }) : null,
  ));
  const list = $("text-errors");
  list.replaceChildren(...(rows.length > 0 ? rows : error ? [make("li", { text: error })] : []));
  list.hidden = list.childElementCount === 0;
  if (!list.hidden) say(`Not applied: ${errors[0]?.message ?? error}`);
}

/** Moves the cursor to a line and shows it. */
function toLine(line) {
  const draft = $("draft");
  let at = 0;
  for (let number = 1; number < line; number += 1) at = draft.value.indexOf("\n", at) + 1 || draft.value.length;
  draft.setSelectionRange(at, at);
  draft.scrollTop = Math.max(0, line * ROW - draft.clientHeight / 2);
}

/** Selects the node of the cursor's line. */
function followCursor() {
  if (!text.open || isDraft() || document.activeElement !== $("draft")) return;
  const line = $("draft").value.slice(0, $("draft").selectionStart).split("\n").length;
  const name = editing.sources.files[text.file].name;
  const node = model.program.nodes.find((it) => it.line === line && model.program.files[it.file]?.name === name);
  if (node && node !== chosenNode()) goToNode(node.id, false);
}

function onDraftKey(event) {
  if (event.key === "Escape" && !isDraft()) closeText();
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) applyText(false);
  if (event.key !== "Tab" || event.shiftKey) return;
  event.preventDefault();
  document.execCommand("insertText", false, "\t");
}

function startText() {
  const draft = $("draft");
  $("edit-text").addEventListener("click", () => (text.open ? closeText() : openText()));
  $("text-apply").addEventListener("click", () => applyText(false));
  $("text-over").addEventListener("click", () => applyText(true));
  $("text-take").addEventListener("click", () => { takeText(); drawText(); });
  $("text-close").addEventListener("click", () => { takeText(); closeText(); });
  draft.addEventListener("input", drawText);
  draft.addEventListener("keydown", onDraftKey);
  draft.addEventListener("keyup", followCursor);
  draft.addEventListener("click", followCursor);
  onChange(["sources"], () => {
    if (!text.open) return;
    if (!isDraft()) takeText();
    drawText();
  });
  onChange(["chosen"], () => {
    const node = chosenNode();
    const here = text.open && !isDraft() && document.activeElement !== draft && model.program.files[node?.file]?.name === editing.sources.files[text.file].name;
    if (here && node.line) toLine(node.line);
  });
}
