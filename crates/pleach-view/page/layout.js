// Layout of the tree: the displayed nodes, their parents, and the positions of their cards.
//
// A tree that is used in two places occurs twice, so a card belongs to a *place* of a node: the
// node and its ancestors. Places are created when they are unfolded. Children are to the right of
// their parent, in the order in which they are tried. Each subtree has a band of its own with the
// height that it needs, so cards never overlap. An only child is directly below its parent, because
// decorators make most trees deep. So the width of the page comes from branches. Nothing here
// recurses, so trees may have any depth.

/** Number of places that are unfolded automatically. */
const MOST_UNFOLDED = 20000;
/** Number of cards above which each card has one line. */
const MOST_ROOMY = 150;
const GAP = { across: 27, down: 14, under: 9 };
const EDGE = 14;
/** Width of a label above which it takes a second line, and width of the narrowest card. */
const LABEL = { most: 166, widest: 240, least: 98, padding: 44 };
const HEIGHT = { dense: 27, one: 42, two: 57, use: 15 };

const pen = document.createElement("canvas").getContext("2d");

/** Places of a program below one root. */
class Forest {
  constructor(root, kept) {
    /**
     * Folded or unfolded state that the user chose, by key. Keys stay valid in the next program.
     */
    this.kept = kept;
    this.byNode = new Map();
    this.byKey = new Map();
    this.root = this.place(root, null, 0, 1, 0);
    this.unfold();
  }

  /** Creates a place. `alike` is the number of earlier siblings with the same words. */
  place(id, parent, at, sisters, alike) {
    const node = byId[id];
    const key = mixed(parent?.key ?? 0, `${sameWords(node)} ${alike}`);
    const place = { key, node, parent, at, sisters, depth: parent ? parent.depth + 1 : 0, open: false, children: null };
    if (!this.byNode.has(id)) this.byNode.set(id, []);
    this.byNode.get(id).push(place);
    this.byKey.set(key, place);
    return place;
  }

  /** Creates the places below a place, if they do not exist yet. */
  grow(place) {
    if (place.children) return;
    const ids = below(place.node);
    const alike = new Map();
    place.children = ids.map((id, at) => {
      const words = sameWords(byId[id]);
      const before = alike.get(words) ?? 0;
      alike.set(words, before + 1);
      return this.place(id, place, at, ids.length, before);
    });
  }

  /**
   * Unfolds level by level as long as there is room, except for places that the user has folded.
   */
  unfold() {
    let level = [this.root];
    let count = 1;
    while (level.length > 0) {
      const next = [];
      for (const place of level) {
        const ids = below(place.node);
        place.open = ids.length > 0 && (this.kept.get(place.key) ?? count + ids.length <= MOST_UNFOLDED);
        if (!place.open) continue;
        this.grow(place);
        count += ids.length;
        next.push(...place.children);
      }
      level = next;
    }
  }

  /** Folds or unfolds a place. */
  set(place, open) {
    if (open === place.open || below(place.node).length === 0) return;
    place.open = open;
    this.kept.set(place.key, open);
    if (open) this.grow(place);
  }

  /** Returns the displayed places, parents before children. */
  shown() {
    const shown = [];
    const stack = [this.root];
    while (stack.length > 0) {
      const place = stack.pop();
      shown.push(place);
      if (place.open) for (let at = place.children.length - 1; at >= 0; at -= 1) stack.push(place.children[at]);
    }
    return shown;
  }

  /** Unfolds the ancestors of a node, and returns its first place. */
  reveal(id) {
    const path = [];
    for (let node = byId[id]; node; node = byId[node.parent]) path.unshift(node.id);
    let place = this.byNode.get(id)?.[0] ?? this.root;
    if (place === this.root) {
      for (const step of path) {
        this.grow(place);
        place = place.children.find((child) => child.node.id === step) ?? place;
      }
    }
    for (let above = place.parent; above; above = above.parent) this.set(above, true);
    return place;
  }
}

/** Returns the nodes below a node: its children, and those of the tree that it uses. */
function below(node) {
  const own = childrenOf[node.id] ?? [];
  return node.uses ? own.concat(childrenOf[node.uses] ?? []) : own;
}

/** Returns the words by which a node is found in the next build: its kind and its subject. */
const sameWords = ({ kind, subject }) => `${kind} ${subject ?? ""}`;

/**
 * Returns a key made from the parent's key. It is the same in the next build if the text is the
 * same.
 */
function mixed(key, text) {
  let hash = key ^ 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) ^ key;
}

/** Widths of texts in the font of cards. */
const widths = new Map();

/** Returns the width of a text in the font of cards. */
function widthOf(text = "") {
  if (!widths.has(text)) widths.set(text, Math.ceil(pen.measureText(text).width) + 2);
  return widths.get(text);
}

/** Measures the card of a place. */
function measureCard(place, dense) {
  const width = Math.max(widthOf(cardText(place.node)), dense ? 0 : Math.min(widthOf(place.node.use), LABEL.most));
  const two = !dense && width > LABEL.most;
  const label = two ? LABEL.most : Math.min(width, LABEL.widest);
  place.width = Math.round(Math.max(label, dense ? 0 : LABEL.least) + LABEL.padding);
  place.height = dense ? HEIGHT.dense : (two ? HEIGHT.two : HEIGHT.one) + (place.node.use ? HEIGHT.use : 0);
}

/** Returns the text of a card. The leading dot of an internal kind is removed. */
function cardText(node) {
  return (node.label || [node.kind, node.subject].filter(Boolean).join(" ")).replace(/^\./, "");
}

/** Returns true if a card is directly below its parent: an only child is. */
const isUnder = ({ parent }) => parent !== null && parent.children.length === 1;

/** Positions the cards. Returns the total size. */
function layOut(shown) {
  const dense = shown.length > MOST_ROOMY;
  const down = dense ? 5 : GAP.down;
  pen.font = `600 13px ${getComputedStyle(document.body).fontFamily}`;
  // Reloads bring new texts.
  if (widths.size > 4 * MOST_UNFOLDED) widths.clear();
  for (const place of shown) {
    measureCard(place, dense);
    place.band = place.under = 0;
    place.wide = place.width;
  }
  // From the leaves up: the height of each subtree. An only child adds to the height of its
  // parent's column, other children to that of the next column.
  for (let at = shown.length - 1; at >= 0; at -= 1) {
    const place = shown[at];
    const { parent } = place;
    place.column = place.height + down + place.under;
    place.inner = place.band;
    place.band = Math.max(place.band, place.column);
    if (!parent) continue;
    if (isUnder(place)) Object.assign(parent, { under: place.column, band: place.inner, wide: Math.max(parent.width, place.wide) });
    else parent.band += place.band;
  }
  return spread(shown, dense ? GAP.under / 2 : GAP.under);
}

/** From the root down: the position of each card, given the heights. */
function spread(shown, under) {
  const dense = shown.length > MOST_ROOMY;
  // In a large tree a parent is beside its first child, so that both are visible together.
  const middle = dense ? 0 : 0.5;
  const size = { width: 0, height: 0, dense };
  for (const place of shown) {
    const { parent } = place;
    if (parent && isUnder(place)) {
      place.x = parent.x;
      place.y = parent.y + parent.height + under;
      place.next = parent.next;
      place.right = parent.right;
    } else {
      const top = parent ? parent.next : EDGE;
      if (parent) parent.next += place.band;
      place.x = parent ? parent.right + GAP.across : EDGE;
      place.y = top + (place.band - place.column) * middle;
      place.next = top + (place.band - place.inner) * middle;
      place.right = place.x + place.wide;
    }
    size.width = Math.max(size.width, place.x + place.width + EDGE);
    size.height = Math.max(size.height, place.y + place.height + EDGE);
  }
  return size;
}

/**
 * Returns the line from a card to a child: down to an only child, else to the right, past the other
 * cards of the column.
 */
function way(place) {
  const { parent, x } = place;
  if (isUnder(place)) return `M${x + 17} ${parent.y + parent.height}V${place.y}`;
  const from = parent.y + parent.height / 2;
  const to = place.y + place.height / 2;
  const bend = GAP.across * 0.62;
  return `M${parent.x + parent.width} ${from}H${parent.right}C${parent.right + bend} ${from} ${x - bend} ${to} ${x} ${to}`;
}
