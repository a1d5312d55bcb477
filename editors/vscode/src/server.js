// The language server, `pleach lsp`: its start, its end, and requests to it.

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');
const { settings } = require('./command');

/** The client of the language server, or undefined if it does not run. */
let client;

const started = new vscode.EventEmitter();

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
  const { command, inlayHints, isServerEnabled } = settings();
  if (!isServerEnabled || !vscode.workspace.isTrusted) return;
  const options = { documentSelector: SELECTOR, initializationOptions: { inlayHints } };
  // Without a `transport`, the client uses standard input and output and adds no argument.
  const starting = new LanguageClient('pleach', 'Pleach', { command, args: ['lsp'] }, options);
  client = starting;
  try {
    await starting.start();
    started.fire();
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

function isRunning() {
  return client?.isRunning() ?? false;
}

/** Asks the language server: parameters, and a token if the request can be cancelled. The promise is rejected if the server does not run. */
async function request(method, ...rest) {
  if (!isRunning()) throw new Error('the language server does not run');
  return client.sendRequest(method, ...rest);
}

module.exports = { isRunning, onDidStart: started.event, request, restartServer, startServer, stopServer };
