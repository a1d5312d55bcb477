// The extension: it starts `pleach lsp`, shows pictures of trees, and runs trees and their tests. All
// knowledge of the languages is in the command `pleach`; only highlighting is in this folder.

const vscode = require('vscode');
const { lenses } = require('./lenses');
const { Pictures } = require('./picture');
const { restartServer, startServer, stopServer } = require('./server');
const { tests } = require('./tests');

/** Entry point of the extension. */
function activate(context) {
  const pictures = new Pictures(context);
  context.subscriptions.push(
    vscode.commands.registerCommand('pleach.restartServer', restartServer),
    vscode.commands.registerCommand('pleach.showPicture', () => pictures.show(vscode.window.activeTextEditor)),
    vscode.workspace.onDidGrantWorkspaceTrust(startServer),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('pleach')) restartServer();
    }),
    lenses(),
    tests(),
  );
  // The rest of the extension works without the server, so nothing waits for it.
  startServer();
}

module.exports = { activate, deactivate: stopServer };
