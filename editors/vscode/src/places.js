// Places of the nodes of a picture, as the language server returns them.

/** Returns true if a position is before another one. */
function isBefore(one, other) {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}

/** Returns the index of the innermost node at a position of a document, -1 if there is none. Parents come before children. */
function nodeAt(places, uri, position) {
  const isHere = (place) =>
    place?.uri === uri && !isBefore(position, place.range.start) && !isBefore(place.range.end, position);
  return places.findLastIndex(isHere);
}

module.exports = { nodeAt };
