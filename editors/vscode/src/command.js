// The command `pleach`: its settings, and runs of it.

const { spawn } = require('node:child_process');
const path = require('node:path');
const vscode = require('vscode');

/** Milliseconds after which a run is ended. */
const TIMEOUT = 60_000;

/** Returns the settings of the extension. */
function settings() {
  const values = vscode.workspace.getConfiguration('pleach');
  return { command: values.get('command'), inlayHints: values.get('inlayHints'), isServerEnabled: values.get('languageServer.enabled') };
}

/** Throws an error if the workspace is not trusted, because a setting of it names the command. */
function requireTrust() {
  if (!vscode.workspace.isTrusted) throw new Error('`pleach` is run only in trusted workspaces');
}

/**
 * Runs the command and resolves to its exit code and output. The promise is rejected if the
 * command cannot be run, or must not.
 */
function run(args, { cwd }) {
  return new Promise((resolve, reject) => {
    requireTrust();
    const env = { ...process.env, NO_COLOR: '1' };
    const child = spawn(settings().command, args, { cwd, env, timeout: TIMEOUT });
    const output = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => (output.out += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (output.err += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...output }));
    child.stdin.end();
  });
}

/** Runs the command in a terminal, which stays open. No shell reads the arguments. */
function runInTerminal(args, { cwd }) {
  requireTrust();
  const execution = new vscode.ProcessExecution(settings().command, args, { cwd });
  const title = ['pleach', ...args.map((argument) => path.basename(argument))].join(' ');
  // Tasks with equal definitions are one task, which can run only once at a time.
  const task = new vscode.Task({ type: 'pleach', title }, vscode.TaskScope.Workspace, title, 'pleach', execution);
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, clear: true };
  return vscode.tasks.executeTask(task);
}

module.exports = { requireTrust, run, runInTerminal, settings };
