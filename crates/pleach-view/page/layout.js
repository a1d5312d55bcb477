// The tree as places: which nodes are shown, under whom, and where their cards stand.
//
// A tree that is called from two places is there twice, so a card is a *place* of a node: the node and who is above it. Places
// are made when they are unfolded. Children stand to the right of their parent in the order in which they are tried, each subtree
// in a band of its own as high as it needs: no two cards can meet, whatever is folded. An only child stands right below its parent
// (most trees are deep by their decorators), so what is wide on the page is what branches.
// Nothing here recurses; trees may be as deep as they like.

/** So many places are unfolded by themselves; the rest waits until somebody unfolds it. */
const MOST_UNFOLDED = 1200;
/** With more cards than this, each has one line. */
const MOST_ROOMY = 150;
const GAP = { across: 27, down: 14, under: 9 };
const EDGE = 14;
/** The widest a label may be before it takes a second line, and the narrowest card. */
const LABEL = { most: 166, widest: 240, least: 98, padding: 44 };
const HEIGHT = { dense: 27, one: 42, two: 57, use: 15 };

const pen = document.createElement("canvas").getContext("2d");

/** The places of a program below one root. */
class Forest {
  constructor(root, kept) {
    /** By key, whether its reader folded or unfolded it. Keys live longer than programs. */
    this.kept = kept;
    this.byNode = new Map();
    this.byKey = new Map();
    this.root = this.place(root, null, 0, 1, 0);
    this.unfold();
  }

  /** A place; `alike` is how many before it among its sisters have the same words. */
  place(id, parent, at, sisters, alike) {
    const node = byId[id];
    const key = mixed(parent?.key ?? 0, `${sameWords(node)} ${alike}`);
    const place = { key, node, parent, at, sisters, depth: parent ? parent.depth + 1 : 0, open: false, children: null };
    if (!this.byNode.has(id)) this.byNode.set(id, []);
    this.byNode.get(id).push(place);
    this.byKey.set(key, place);
    return place;
  }

  /** Makes the places below one, if they are not there yet. */
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

  /** Unfolds level by level as long as there is room, but what its reader has folded. */
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

  /** Folds or unfolds one place. */
  set(place, open) {
    if (open === place.open || below(place.node).length === 0) return;
    place.open = open;
    this.kept.set(place.key, open);
    if (open) this.grow(place);
  }

  /** The places that are shown, parents before children. */
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

  /** Unfolds whatever is above a node, and returns its first place. */
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

/** What stands below a node: its children, and those of the tree that it calls. */
function below(node) {
  const own = childrenOf[node.id] ?? [];
  return node.uses ? own.concat(childrenOf[node.uses] ?? []) : own;
}

/** By what a node is known again in the next build: its kind, and what that is applied to. */
const sameWords = ({ kind, subject }) => `${kind} ${subject ?? ""}`;

/** A key from that of the parent: alike in the next build of a tree, wherever the text is alike. */
function mixed(key, text) {
  let hash = key ^ 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) ^ key;
}

/** How large the card of a place is. */
function measureCard(place, dense) {
  const widthOf = (text) => Math.ceil(pen.measureText(text ?? "").width) + 2;
  const width = Math.max(widthOf(cardText(place.node)), dense ? 0 : Math.min(widthOf(place.node.use), LABEL.most));
  const two = !dense && width > LABEL.most;
  const label = two ? LABEL.most : Math.min(width, LABEL.widest);
  place.width = Math.round(Math.max(label, dense ? 0 : LABEL.least) + LABEL.padding);
  place.height = dense ? HEIGHT.dense : (two ? HEIGHT.two : HEIGHT.one) + (place.node.use ? HEIGHT.use : 0);
}

/** The words on a card. A kind that begins with a dot is none that anybody wrote. */
function cardText(node) {
  return (node.label || [node.kind, node.subject].filter(Boolean).join(" ")).replace(/^\./, "");
}

/** Whether a card stands right below its parent: an only child does. */
const isUnder = ({ parent }) => parent !== null && parent.children.length === 1;

/** Puts cards in their places. Returns how large all is together. */
function layOut(shown) {
  const dense = shown.length > MOST_ROOMY;
  const down = dense ? 5 : GAP.down;
  pen.font = `600 13px ${getComputedStyle(document.body).fontFamily}`;
  for (const place of shown) {
    measureCard(place, dense);
    Object.assign(place, { band: 0, under: 0, wide: place.width });
  }
  // From the leaves: how high a subtree is. An only child adds to the height of its parent's own column, others to that beside it.
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

/** From the root: where everything begins, once it is known how high it is. */
function spread(shown, under) {
  const dense = shown.length > MOST_ROOMY;
  // In a large tree parents stand beside their first child: those of what can be seen are seen then, too.
  const middle = dense ? 0 : 0.5;
  const size = { width: 0, height: 0, dense };
  for (const place of shown) {
    const { parent } = place;
    if (parent && isUnder(place)) {
      Object.assign(place, { x: parent.x, y: parent.y + parent.height + under, next: parent.next, right: parent.right });
    } else {
      const top = parent ? parent.next : EDGE;
      if (parent) parent.next += place.band;
      const x = parent ? parent.right + GAP.across : EDGE;
      Object.assign(place, { x, y: top + (place.band - place.column) * middle, next: top + (place.band - place.inner) * middle, right: x + place.wide });
    }
    size.width = Math.max(size.width, place.x + place.width + EDGE);
    size.height = Math.max(size.height, place.y + place.height + EDGE);
  }
  return size;
}

/** The way from a card to one of its children: down to an only child, else to the right, past what stands in the same column. */
function way(place) {
  const { parent, x } = place;
  if (isUnder(place)) return `M${x + 17} ${parent.y + parent.height}V${place.y}`;
  const from = parent.y + parent.height / 2;
  const to = place.y + place.height / 2;
  const bend = GAP.across * 0.62;
  return `M${parent.x + parent.width} ${from}H${parent.right}C${parent.right + bend} ${from} ${x - bend} ${to} ${x} ${to}`;
}
