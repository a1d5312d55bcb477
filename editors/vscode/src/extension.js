// The extension: it starts `pleach lsp`, shows pictures of trees, and runs trees and their tests. All
// knowledge of the languages is in the command `pleach`; only highlighting is in this folder.

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');
const { settings } = require('./command');
const { lenses } = require('./lenses');
const { Pictures } = require('./picture');
const { tests } = require('./tests');

/** The client of the language server, or undefined if it does not run. */
let client;

/** Documents that the language server knows. */
const SELECTOR = [
  { scheme: 'file', language: 'pleach' },
  { scheme: 'file', language: 'unvanquished-bt' },
  { scheme: 'file', language: 'pleach-test' },
  // Of XML, the server knows trees by their root element.
  { scheme: 'file', pattern: '**/*.{debt,manifest,xml}' },
];

/** Starts the language server, if it is wanted. Says what to do if there is no server. */
async function startServer() {
  const { command, isServerEnabled } = settings();
  if (!isServerEnabled || !vscode.workspace.isTrusted) return;
  // Without a `transport`, the client uses standard input and output and adds no argument.
  client = new LanguageClient('pleach', 'Pleach', { command, args: ['lsp'] }, { documentSelector: SELECTOR });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const choice = await vscode.window.showWarningMessage(
      `\`${command} lsp\` cannot be started, so there are no errors and no completion. `
        + `Install the command, or set its path. (${error.message ?? error})`,
      'Open Settings',
    );
    if (choice) vscode.commands.executeCommand('workbench.action.openSettings', 'pleach.command');
  }
}

async function stopServer() {
  const running = client;
  client = undefined;
  await running?.stop();
}

/** Stops the language server and starts it with the present settings. */
async function restartServer() {
  await stopServer();
  await startServer();
}

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
