// Cards and lines in the document: only those that can be seen, however large the tree is.

/** Distance from the visible part up to which cards are in the document. */
const OVER = 240;
/** Height of the highest card. */
const HIGHEST = HEIGHT.two + HEIGHT.use;

/** Returns true if a place is unfolded. */
const isShown = (place) => Boolean(place) && tree.shown[place.order] === place;

/** Returns the card that the tab key reaches: the selected one, or the root. */
function tabStop() {
  const chosen = chosenPlace();
  return isShown(chosen) ? chosen : tree.shown[0];
}

/** Returns the index of the first element of a sorted list that is not before a height. */
function firstAt(places, y) {
  let [from, to] = [0, places.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (places[middle].y < y) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Returns the places whose cards can be seen, and `more` places, in the order of the tree. */
function visible(more) {
  const { scrollTop, scrollLeft, clientWidth, clientHeight } = $("tree");
  const [left, right] = [scrollLeft - OVER, scrollLeft + clientWidth + OVER];
  const bottom = scrollTop + clientHeight + OVER;
  const found = new Set(more.filter(isShown));
  for (let at = firstAt(tree.rows, scrollTop - OVER - HIGHEST); at < tree.rows.length && tree.rows[at].y <= bottom; at += 1) {
    const place = tree.rows[at];
    if (place.x <= right && place.x + place.width >= left) found.add(place);
  }
  return [[...found].sort((one, other) => one.order - other.order), bottom];
}

/**
 * Returns the places whose lines can be seen although their cards cannot: those above visible
 * cards, and the first child below the visible part of each block.
 */
function passing(cards, bottom) {
  const lines = new Set();
  for (const card of cards) {
    for (let place = card; place && !lines.has(place); place = place.parent) {
      lines.add(place);
      const next = place.open ? place.children[firstAt(place.children, bottom)] : null;
      if (next) lines.add(next);
    }
  }
  return lines;
}

/** Puts the visible cards and lines into the document, and removes the others. */
function render(kept) {
  const [cards, bottom] = visible([chosenPlace(), tabStop(), kept, document.activeElement?.place]);
  const lines = passing(cards, bottom);
  const old = tree.drawn;
  tree.drawn = lines;
  let isNew = false;
  for (const place of lines) {
    if (old.has(place)) continue;
    draw(place);
    isNew = true;
  }
  arrange($("nodes"), cards.map((place) => place.card));
  arrange($("edges"), [...lines].flatMap((place) => place.edge ?? []));
  if (isNew) paint();
  if (isNew) rove();
}

/** Makes some elements the children of another one. Elements that stay are not moved. */
function arrange(parent, wanted) {
  const stays = new Set(wanted);
  for (const child of [...parent.children]) if (!stays.has(child)) child.remove();
  let next = parent.firstElementChild;
  for (const element of wanted) {
    if (element === next) next = next.nextElementSibling;
    else parent.insertBefore(element, next);
  }
}

/** Creates the card of a place and the line to it. */
function draw(place) {
  place.card ??= card(place);
  markDisabled(place);
  Object.assign(place.card.style, { left: `${place.x}px`, top: `${place.y}px`, width: `${place.width}px`, height: `${place.height}px` });
  const inside = below(place.node).length;
  if (inside > 0) place.card.setAttribute("aria-expanded", place.open);
  place.fold.hidden = inside === 0;
  retext(place.fold, place.open ? "−" : `+${inside}`);
  if (!place.parent) return;
  place.edge ??= document.createElementNS("http://www.w3.org/2000/svg", "path");
  place.edge.setAttribute("d", way(place));
}

function card(place) {
  const [head, ...tail] = cardText(place.node).split(" ");
  const label = make("span", { class: "label" }, make("b", { text: head }), tail.length > 0 ? ` ${tail.join(" ")}` : null);
  place.word = make("span", { class: "word" });
  place.test = make("span", { class: "test" });
  place.seen = make("span", { class: "seen" });
  place.where = make("span", { class: "where", text: place.node.line ? `line ${place.node.line}` : "" });
  place.mark = glyph("idle", "mark");
  place.fold = make("span", { class: "fold", "aria-hidden": "true" });
  place.flags = make("span", { class: "flags" });
  place.off = make("span", { class: "off", text: "disabled", hidden: true });
  const under = make("span", { class: "under" }, place.off, place.test, place.word, place.seen, place.where);
  const used = place.node.use ? make("span", { class: "use", text: place.node.use }) : null;
  const made = make(
    "div",
    { class: "node", role: "treeitem", tabindex: -1, "aria-level": place.depth + 1, "aria-posinset": place.at + 1, "aria-setsize": place.sisters },
    place.mark, used, label, under, place.flags, place.fold,
  );
  place.title = [place.node.use, cardText(place.node), placeName(place.node), ...(place.node.through ?? [])].filter(Boolean).join("\n");
  made.place = place;
  return made;
}
