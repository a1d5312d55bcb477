// Form of the selected node: its words, its weight and its arguments, with the types of declarations.

const form = { of: "", data: null, wantsFocus: false };

/** Asks the server for the form of the selected node, if it is another one or has changed. */
function askForm() {
  const at = canEdit() ? textOfCard(chosenPlace()) : null;
  const known = at && at.item < 0 && !editing.sources.files[at.file].reason;
  const key = known ? `${at.file} ${at.index} ${at.revision}` : "";
  if (key === form.of) return;
  form.of = key;
  if (!known) return drawForm(null);
  tell("form", { file: at.file, revision: at.revision, node: at.index }, (ok, answer) => {
    if (form.of === key) drawForm(ok ? answer.form : null, at);
  }, true);
}

function drawForm(data, at) {
  const box = $("form");
  const focused = box.contains(document.activeElement) ? document.activeElement.dataset.field : null;
  form.data = data;
  box.hidden = !data;
  if (!data) return box.replaceChildren();
  const fields = [field("words", "Words", "", data.words, (text) => ({ op: "changeKind", node: at.index, header: text }), at)];
  if (data.weight !== null) fields.unshift(field("weight", "Weight", "", data.weight, (text) => ({ op: "setWeight", node: at.index, text }), at));
  data.arguments.forEach(({ name, type, text }, index) => {
    fields.push(field(`argument-${index}`, name, type, text, (value) => ({ op: "setArgument", node: at.index, index, text: value }), at));
  });
  box.replaceChildren(...fields);
  if (focused) box.querySelector(`[data-field="${focused}"]`)?.focus();
  if (form.wantsFocus) focusForm();
  form.wantsFocus = false;
}

/** Creates a field whose text becomes an edit when it is entered. */
function field(name, label, type, value, edit, at) {
  const id = `field-${name}`;
  const input = make("input", {
    id, type: "text", class: "mono", "data-field": name, list: "known-values", autocomplete: "off", spellcheck: "false",
    keydown: (event) => onFieldKey(event, value), change: () => input.value.trim() !== value && sendEdit(at, edit(input.value.trim())),
    focus: () => offerValues(type),
  });
  input.value = value;
  return make("span", { class: "field" }, make("label", { for: id }, label, make("span", { class: "faint", text: type })), input);
}

function onFieldKey(event, value) {
  if (event.key === "Escape") event.target.value = value;
  if (event.key !== "Enter" && event.key !== "Escape") return;
  event.preventDefault();
  event.target.blur();
  document.querySelector("#nodes [tabindex='0']")?.focus({ preventScroll: true });
}

/** Offers the names that have a type, those without a known type last. */
function offerValues(type) {
  const base = type.replace(/<.*/, "");
  const fits = (it) => it.type && (!type || it.type === type || it.type.replace(/<.*/, "") === base || (it.type === "int" && /float|double|int64/.test(type)));
  const names = editing.palette.names.filter(fits).map((it) => make("option", { value: it.name, text: `${it.kind} ${it.type}` }));
  const truths = !type || type === "bool" ? ["true", "false"] : [];
  $("known-values").replaceChildren(...names, ...truths.map((value) => make("option", { value })));
}

/** Goes to the first argument of the selected node, or to its words. */
function focusForm() {
  const input = $("form").querySelector("[data-field^='argument']") ?? $("form").querySelector("[data-field='words']");
  if (!input) return refuse("This node has no form.");
  input.focus();
  input.select();
}

function startForm() {
  onChange(["chosen", "sources", "program", "hello"], askForm);
}
