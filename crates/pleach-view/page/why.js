// "Why not?": one sentence that tells what kept the selected node from running in the shown tick. The
// answer comes from the nodes that got a status in that tick, and from the values that they read.

const why = { text: "", cause: null };

const quoted = (place) => `“${cardText(place.node)}”`;
const ENDED = ["failed", "succeeded", "is running", "ended otherwise"];

/** Returns the values that a node read: ` (ammo was 0)`; empty if it read none. */
function readBy(place) {
  const read = (model.tick.values ?? []).filter(([id]) => id === place.node.id);
  const words = [...new Set(read.map(([, what, value]) => `${plainly(what)} was ${sightWorded(what, value)}`))];
  return words.length > 0 ? ` (${words.join(", ")})` : "";
}

/** Returns the node that decided the status of a place: the last of those that ran below it. */
function decided(place, states) {
  let at = place;
  while (states.get(at).test !== 0) {
    const next = (at.children ?? []).filter((child) => states.has(child)).at(-1);
    if (!next) break;
    at = next;
  }
  return at;
}

/** Returns a status in words, with the node and the values that decided it. */
function told(place, states) {
  const { status, test } = states.get(place);
  if (test === 0) return { text: `${quoted(place)} did not hold${readBy(place)}`, cause: place };
  const cause = decided(place, states);
  if (cause === place) return { text: `${quoted(place)} ${ENDED[status]}${readBy(place)}`, cause };
  const inner = told(cause, states);
  return { text: `${quoted(place)} ${ENDED[status]}, because ${inner.text}`, cause };
}

/** Reasons of nodes with one child, by the first word of the node. */
const HELD_BACK = {
  cooldown: "has not waited long enough since its child ended",
  delay: "is still waiting",
  chance: "drew that its child does not run",
  once: "has ended before, and runs its child only once",
  limit: "has no free place",
  timeout: "has run out of time",
  repeat: "begins its child again in the next tick",
  retry: "begins its child again in the next tick",
  until: "begins its child again in the next tick",
};

/** Returns the reason why a node that ran did not get to one of its children. */
function reasonOf(parent, child, states) {
  // `reactive` and `random` stand before the word that tells the kind.
  const { kind: word, subject } = parent.node;
  const words = ["reactive", "random"].includes(word) && subject ? [word, ...subject.split(" ")] : [word];
  const kind = words.join(" ");
  // A `match` and a `chance` say more than that their tests did not hold.
  const saysMore = words.includes("match") || word === "chance";
  if (states.get(parent).test === 0 && !saysMore) return told(parent, states);
  const ran = (parent.children ?? []).filter((sister) => states.has(sister));
  const chosen = ran.at(-1);
  if (words.includes("utility")) return chosen && { text: `${quoted(parent)} chose ${quoted(chosen)}, whose score was higher`, cause: chosen };
  if (words.includes("match")) return matched(parent, chosen);
  if (words[0] === "random") return chosen && { text: `${quoted(parent)} drew ${quoted(chosen)}`, cause: chosen };
  if (kind === "parallel") return { text: `this branch of ${quoted(parent)} has ended, and the others have not`, cause: parent };
  if (words.at(-1) === "selector" || words.at(-1) === "sequence") return inOrder(parent, child, ran, states);
  const held = HELD_BACK[words[0]];
  return held && { text: `${quoted(parent)} ${held}${readBy(parent)}`, cause: parent };
}

function matched(parent, chosen) {
  const values = readBy(parent);
  // A `match` without an `else` has a node for it that fails.
  if (!chosen || chosen.node.kind === "else") return { text: `${quoted(parent)} had no case for its value${values}`, cause: parent };
  return { text: `${quoted(parent)} chose ${quoted(chosen)}${values}`, cause: parent };
}

/** Returns the reason why a selector or sequence did not get to a child. */
function inOrder(parent, child, ran, states) {
  const before = ran.filter((sister) => sister.at < child.at).at(-1);
  if (before) return told(before, states);
  const later = ran.find((sister) => sister.at > child.at);
  return later && { text: `${quoted(parent)} continues with ${quoted(later)}, where it was in the tick before`, cause: later };
}

/** Adds the nodes around those that ran. A node that leaves no trace of its own has the status of its child. */
function withGaps(states) {
  for (const [place, { status }] of [...states]) {
    for (let at = place.parent; at && !states.has(at); at = at.parent) states.set(at, { status, test: null });
  }
  return states;
}

/** Returns the sentence about a place, and the place of the cause. */
function whyNot(place) {
  const { tick, pick } = model;
  if (!tick || tick.brief || !tick.walked) return { text: `Nothing is known of the nodes of agent ${pick} in this tick. It was picked later.`, cause: null };
  if (tick.status === 5) return { text: `Agent ${pick} was not ticked: ${tick.outcome}.`, cause: null };
  const states = withGaps(statesOf(tick));
  if (states.has(place)) {
    const ran = told(place, states);
    return { text: `It ran: ${ran.text}.`, cause: ran.cause === place ? null : ran.cause };
  }
  let child = place;
  while (child.parent && !states.has(child.parent)) child = child.parent;
  if (!child.parent) return { text: `Agent ${pick} runs another tree.`, cause: null };
  const reason = reasonOf(child.parent, child, states) ?? { text: `${quoted(child.parent)} ${ENDED[states.get(child.parent).status]} without it`, cause: child.parent };
  return { text: `It did not run, because ${reason.text}.`, cause: reason.cause };
}

function askWhy() {
  const place = chosenPlace();
  if (!place || model.show !== "agent" || model.pick === null) return;
  const { text, cause } = whyNot(place);
  Object.assign(why, { text: `Tick ${grouped(shownTick())}, agent ${model.pick}: ${text}`, cause });
  say(text);
  drawWhy();
}

function drawWhy() {
  const box = $("why");
  box.hidden = why.text === "";
  const { cause } = why;
  const link = cause && make("button", { class: "place", type: "button", text: "Show it", click: () => isShown(cause) && choose(cause) });
  box.replaceChildren(make("span", { text: `${why.text} ` }), ...(link ? [link] : []));
}

function startWhy() {
  onChange(["chosen", "pick", "show", "program"], () => {
    why.text = "";
    drawWhy();
  });
}
