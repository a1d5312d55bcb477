// The node at the cursor is found in the places of a picture.

const assert = require('node:assert');
const { test } = require('node:test');
const { nodeAt } = require('../../src/places');

function place(uri, [line, character], [endLine, endCharacter]) {
  return { uri, range: { start: { line, character }, end: { line: endLine, character: endCharacter } } };
}

test('the innermost node at a position is found', () => {
  const places = [
    place('file:///a', [0, 0], [4, 1]),
    place('file:///a', [2, 1], [3, 2]),
    null,
    place('file:///a', [2, 12], [2, 20]),
    place('file:///b', [2, 1], [2, 5]),
  ];
  const at = (line, character, uri = 'file:///a') => nodeAt(places, uri, { line, character });
  assert.deepEqual([at(1, 7), at(2, 1), at(2, 11), at(2, 12), at(2, 20), at(2, 21), at(3, 3)], [0, 1, 1, 3, 3, 1, 0]);
  assert.deepEqual([at(4, 2), at(2, 3, 'file:///b'), at(2, 3, 'file:///c')], [-1, 4, -1]);
});
