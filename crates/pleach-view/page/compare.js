// The saved trees beside the edited ones: numbers of a trial with copied agents, and a picture of the
// differences. The edited trees include all drafts.

/** Share of the agents that a trial copies, in percent. */
const TRIED = 1;

function showReport(title, ...parts) {
  retext($("report-title"), title);
  $("report-body").replaceChildren(...parts);
  if (!$("report").open) $("report").showModal();
}

function tryOut() {
  say("The trial runs");
  tell("try", { drafts: draftsNow(), percent: TRIED }, (ok, answer) => {
    if (!ok) return showTextErrors(answer.findings ?? [], answer.error), refuse(answer.error);
    showReport(`Trial: saved and edited trees on ${TRIED} % of the agents`, ...trialParts(answer.trial));
  }, true);
}

/** Returns a share of agents' ticks in percent. */
const shareOf = (statuses, at) => percent(statuses[at], statuses.reduce((sum, it) => sum + it, 0)) || "0.0 %";

function trialParts({ agents, ticks, time, saved, edited, nodes, differing }) {
  const head = (...names) => make("thead", {}, make("tr", {}, ...names.map((text) => make("th", { scope: "col", text }))));
  const row = (name, ...cells) => make("tr", {}, make("th", { scope: "row" }, name), ...cells.map((text) => make("td", { class: "number", text })));
  const statuses = STATUS.slice(0, 5).flatMap((word, at) => (at < 3 || saved.statuses[at] + edited.statuses[at] > 0
    ? [row(word, shareOf(saved.statuses, at), shareOf(edited.statuses, at))] : []));
  if (saved.reset + edited.reset > 0) statuses.push(row("agents that began anew", grouped(saved.reset), grouped(edited.reset)));
  const counts = (side) => (side ? `${grouped(side[0])} / ${grouped(side[1])} / ${grouped(side[2])}` : "not there");
  const place = (it) => make("button", { class: "place", type: "button", text: it.label, title: `${it.file}:${it.line}`, click: () => { $("report").close(); showDraftLine(it.file, it.line); } });
  const rows = nodes.map((it) => row(it.edited ? place(it) : it.label, counts(it.saved), counts(it.edited), signed((it.edited?.[0] ?? 0) - (it.saved?.[0] ?? 0))));
  const told = `${counted(agents, "agent")} of the crowd ${agents === 1 ? "was" : "were"} copied, and the copies ran ${counted(ticks, "tick")} (${grouped(Math.round(time / 100) / 10)} s) from now on, once with the saved trees and once with the edited ones. The running crowd was not touched. The game's answers are random, so small differences are chance; a changed number in a condition also changes which answers are tried.`;
  const table = (caption, ...parts) => make("table", { class: "trial" }, make("caption", { text: caption }), ...parts);
  return [
    make("p", { class: "soft", text: told }),
    table("Ticks of agents by status", head("", "saved", "edited"), make("tbody", {}, ...statuses)),
    differing === 0 ? make("p", { text: "All counts of nodes are the same." })
      : table(`Nodes with other counts: ${differing > nodes.length ? `${nodes.length} of ` : ""}${grouped(differing)}`, head("node", "saved: entries / successes / failures", "edited", "entries"), make("tbody", {}, ...rows)),
  ];
}

const signed = (number) => (number > 0 ? `+${grouped(number)}` : grouped(number));

function compareNow() {
  tell("compare", { drafts: draftsNow() }, (ok, answer) => {
    if (!ok) return showTextErrors(answer.findings ?? [], answer.error), refuse(answer.error);
    const { count, picture } = answer.comparison;
    if (count === 0) return showReport("Differences", make("p", { text: "The texts differ, but the trees mean the same." }));
    // The policy of the page admits styles with its word only.
    const parsed = new DOMParser().parseFromString(picture.replace(/<style>.*?<\/style>/s, ""), "image/svg+xml");
    const drawn = document.importNode(parsed.documentElement, true);
    drawn.setAttribute("class", "differences");
    drawn.setAttribute("aria-label", `${counted(count, "difference")} to the saved trees`);
    const legend = ["added", "changed", "moved", "removed"].map((word) => make("span", { class: `mark ${word}`, text: word }));
    showReport(`${counted(count, "difference")} to the saved trees`, make("p", { class: "legend" }, ...legend), make("div", { class: "picture", tabindex: 0, role: "group", "aria-label": "Picture of the differences" }, drawn));
    drawn.querySelector(".added, .changed, .moved, .removed")?.scrollIntoView({ block: "center", inline: "center" });
  }, true);
}

function startCompare() {
  $("try").addEventListener("click", tryOut);
  $("compare").addEventListener("click", compareNow);
}
