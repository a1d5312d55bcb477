// Banner with the result of an edit, with a note, or with a refused command. It stays until it is
// closed or the next edit.

/** Maximum number of reasons and findings with a line of their own. */
const MOST_REASONS = 8;

function drawBanner() {
  const wrong = model.trouble.filter((finding) => finding.severity === "error");
  const banner = $("banner");
  const told = wrong.length > 0 ? troubleParts(wrong) : model.reload ? reloadParts(model.reload) : [];
  const parts = [...unsavedParts(), ...told];
  banner.hidden = parts.length === 0;
  banner.classList.toggle("bad", wrong.length > 0);
  banner.replaceChildren(...parts);
}

/** Returns the line about drafts that were left when the files were saved. A reload may be told before it or after it. */
function unsavedParts() {
  const left = unsaved();
  return left.length > 0 ? [line(glyph("success"), make("p", { text: `Saved, except for what is not applied yet in ${left.join(", ")}.` }))] : [];
}

function closeBanner() {
  model.reload = editing.saved = null;
  $("banner").hidden = true;
}

function line(...parts) {
  const close = make("button", { class: "icon plain", type: "button", "aria-label": "Close this message", click: closeBanner }, glyph("close"));
  return make("div", { class: "line" }, ...parts, close);
}

function troubleParts(findings) {
  const text = `${counted(findings.length, "error")} in the edited text. The crowd goes on with the trees it has.`;
  say(`${text} ${findings[0].message}`);
  const item = (finding) => make("li", {}, placeLink(finding), " ", finding.message);
  return [line(glyph("failure"), make("p", {}, make("b", { text: "Not reloaded. " }), text)), make("ul", {}, ...findings.slice(0, MOST_REASONS).map(item))];
}

function placeLink({ file, line: number, place }) {
  const text = [file?.split("/").pop(), number].filter(Boolean).join(":");
  if (place === undefined || place === null) return make("span", { class: "mono", text });
  return make("button", { class: "place", type: "button", text, click: () => showLine(place, number, true) });
}

function reloadParts(reload) {
  say(`Reloaded: ${reload.text}`);
  const reasons = reload.reasons.slice(0, MOST_REASONS).map(({ why, count }) => make("li", { text: `${counted(count, "agent")} reset: ${why}` }));
  const lost = reload.lost.length > 0 ? [make("li", { text: `No longer there: ${reload.lost.join(", ")}` })] : [];
  const told = make("p", {}, make("b", { text: "Reloaded. " }), `${counted(reload.kept, "agent")} kept, ${grouped(reload.reset)} reset. The past begins anew at tick ${grouped(reload.tick)}.`);
  const more = [...reasons, ...lost];
  return [line(glyph("success"), told), ...(more.length > 0 ? [make("ul", {}, ...more)] : [])];
}

/** Shows a refused command. */
function complain(error) {
  $("banner").hidden = false;
  $("banner").classList.add("bad");
  $("banner").replaceChildren(line(glyph("fault"), make("p", { text: error })));
  say(error);
}

function startBanner() {
  onChange(["reload", "trouble", "saved"], drawBanner);
}
