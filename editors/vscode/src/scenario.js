// Files of tests and their results, as text.

/** Returns the names of the tests in a text, each with its line from 0. */
function names(text) {
  const lines = text.split(/\r?\n/).map((line, number) => ({ name: /^\s*test\s+(.*\S)/.exec(line)?.[1], number }));
  return lines.filter(({ name }) => name !== undefined);
}

/** Returns true if a text looks like tests of trees, and not like another kind of file. */
function isOurs(text) {
  return /^\s*tree\s+\S/m.test(text) && names(text).length > 0;
}

/** Returns the results in JUnit XML as the command writes it: the message of each failure, by name. */
function results(xml) {
  const cases = xml.matchAll(/<testcase classname="[^"]*" name="([^"]*)"(?:\/>|><failure message="([^"]*)">[^<]*?:(\d+): )/g);
  return new Map([...cases].map(([, name, message, line]) => [plain(name), message && { message: plain(message), line: Number(line) }]));
}

/** Returns a text of XML without escapes. */
function plain(text) {
  return text.replaceAll('&quot;', '"').replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}

module.exports = { isOurs, names, results };
