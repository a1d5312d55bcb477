// The commands of code lenses, which the language server puts over trees, and of their live views.

const path = require('node:path');
const vscode = require('vscode');
const { runInTerminal } = require('./command');
const { followAgent, showLive } = require('./live');

/** Runs a tree of a file in a terminal. */
function runTree(address, tree) {
  const file = vscode.Uri.parse(address).fsPath;
  return runInTerminal(['run', file, '--entry', tree], { cwd: path.dirname(file) });
}

/** Runs all tests of test files. */
function runTests(addresses) {
  const files = addresses.map((address) => vscode.Uri.parse(address).fsPath);
  return runInTerminal(['test', ...files], { cwd: path.dirname(files[0]) });
}

/** Shows the places that use a tree. They come in the form of the protocol. */
function showReferences(address, position, places) {
  const positionOf = ({ line, character }) => new vscode.Position(line, character);
  const locations = places.map(({ uri, range }) => {
    const found = new vscode.Range(positionOf(range.start), positionOf(range.end));
    return new vscode.Location(vscode.Uri.parse(uri), found);
  });
  return vscode.commands.executeCommand(
    'editor.action.showReferences', vscode.Uri.parse(address), positionOf(position), locations,
  );
}

/** Registers the commands. Returns what must be disposed of. */
function lenses() {
  return vscode.Disposable.from(
    vscode.commands.registerCommand('pleach.run', runTree),
    vscode.commands.registerCommand('pleach.view', (address, tree) => showLive(vscode.Uri.parse(address).fsPath, tree)),
    vscode.commands.registerCommand('pleach.followAgent', followAgent),
    vscode.commands.registerCommand('pleach.test', runTests),
    vscode.commands.registerCommand('pleach.references', showReferences),
  );
}

module.exports = { lenses };
