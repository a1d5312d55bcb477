// The page of a picture: shows drawings, marks nodes, and tells which node was clicked.

const editor = acquireVsCodeApi();
const picture = document.getElementById('picture');
const problem = document.getElementById('problem');

/** Shows a drawing. Its own style is left out, because the colors of the editor apply. */
function show(svg) {
  const drawing = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  drawing.querySelector('style')?.remove();
  for (const node of nodes(drawing)) {
    node.setAttribute('tabindex', '0');
    node.setAttribute('role', 'button');
  }
  picture.replaceChildren(document.importNode(drawing, true));
}

/** Returns the nodes of a drawing. */
function nodes(drawing) {
  return drawing.querySelectorAll('[data-place]');
}

/** Marks the node of an index, which may be -1. */
function mark(index) {
  const all = [...nodes(picture)];
  all.forEach((node, at) => node.classList.toggle('marked', at === index));
  all[index]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

function go(event) {
  const node = event.target.closest('[data-place]');
  if (node) editor.postMessage({ kind: 'go', node: [...nodes(picture)].indexOf(node) });
}

picture.addEventListener('click', go);
picture.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') go(event);
});

window.addEventListener('message', ({ data }) => {
  if (data.kind === 'mark') return mark(data.node);
  const isPicture = data.kind === 'picture';
  if (isPicture) show(data.svg);
  // The last picture stays while the text has errors.
  picture.classList.toggle('old', !isPicture);
  problem.hidden = isPicture;
  problem.textContent = isPicture ? '' : data.text;
  return undefined;
});

editor.postMessage({ kind: 'ready' });
