// Live views of trees in panels: the page that `pleach view` serves. A panel that is closed ends its
// run, and so does the end of the editor, because it closes the standard input of the command.

const { spawn } = require('node:child_process');
const path = require('node:path');
const vscode = require('vscode');
const { requireTrust, settings } = require('./command');
const { isRunning, onDidStart, request } = require('./server');

/** Address that the command prints when it listens. */
const ADDRESS = /http:\/\/\S+\?token=\w+/;

/** What the language server shows as hints: the address of a view, or null, and the number of an agent, or null. */
let hinted = [null, null];

/** Shows the counts of a view as hints, or with null those of no view. Without the server there are no hints. */
function showHints(address, agent = null) {
  hinted = [address, agent];
  if (!isRunning()) return;
  const asked = request('workspace/executeCommand', { command: 'pleach.live', arguments: hinted });
  asked.catch((error) => vscode.window.showErrorMessage(`There are no hints with counts: ${error.message}`));
}

// A new server knows of no view.
onDidStart(() => hinted[0] && showHints(...hinted));

/** Asks for an agent, and shows the statuses of its last tick as hints. */
async function followAgent() {
  const [address] = hinted;
  if (!address) return vscode.window.showInformationMessage('Open a live view first, by `view` over a tree.');
  const validateInput = (text) => (/^\d{1,9}$/.test(text.trim()) ? undefined : 'A number from 0 on');
  const prompt = 'Number of the agent whose last tick is shown behind the nodes';
  const agent = await vscode.window.showInputBox({ prompt, validateInput });
  return agent && showHints(address, Number(agent));
}

/** Runs a tree of a file and shows the crowd in a panel. */
function showLive(file, tree) {
  requireTrust();
  const options = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
  const panel = vscode.window.createWebviewPanel('pleach.live', `Live: ${tree}`, options, { enableScripts: true });
  const args = ['view', '--framed', file, '--entry', tree];
  const env = { ...process.env, NO_COLOR: '1' };
  const child = spawn(settings().command, args, { cwd: path.dirname(file), env });
  const output = { out: '', err: '' };
  let isOpen = true;
  panel.onDidDispose(() => {
    isOpen = false;
    child.kill();
    const [address] = ADDRESS.exec(output.out) ?? [];
    if (address && address === hinted[0]) showHints(null);
  });
  panel.webview.html = message('The crowd is started …');
  child.stdout.setEncoding('utf8').on('data', async (text) => {
    const isKnown = ADDRESS.test(output.out);
    output.out += text;
    const [address] = ADDRESS.exec(output.out) ?? [];
    if (isKnown || !address) return;
    showHints(address);
    const { origin, search } = new URL(address);
    // In a remote window, another address leads here through the editor.
    const outside = await vscode.env.asExternalUri(vscode.Uri.parse(`${origin}/`));
    if (isOpen) panel.webview.html = frame(new URL(search, outside.toString(true)).href);
  });
  child.stderr.setEncoding('utf8').on('data', (text) => (output.err += text));
  child.on('error', (error) => isOpen && (panel.webview.html = message(`The command cannot be run: ${error.message}`)));
  child.on('close', () => isOpen && (panel.webview.html = message(output.err || 'The run has ended.')));
}

function escaped(text) {
  const names = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (letter) => names[letter]);
}

/** Returns a page with a text. */
function message(text) {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<title>Live view</title>
</head>
<body><pre role="status">${escaped(text)}</pre></body>
</html>`;
}

/** Returns a page that consists of the page at an address. It has no script, so no other page gets into the frame. */
function frame(address) {
  const policy = "default-src 'none'; frame-src http: https:; style-src 'unsafe-inline'";
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style>html, body, iframe { border: 0; height: 100%; margin: 0; padding: 0; width: 100%; }</style>
<title>Live view</title>
</head>
<body><iframe src="${escaped(address)}" title="Live view"></iframe></body>
</html>`;
}

module.exports = { followAgent, showLive };
