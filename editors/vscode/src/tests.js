// Tests of trees in the editor's test view: each `.test` file with its tests, which run by
// `pleach test`.

const fs = require('node:fs/promises');
const os = require('node:os');
const path = require('node:path');
const vscode = require('vscode');
const { run } = require('./command');
const { isOurs, names, results } = require('./scenario');

const FILES = '**/*.test';

/** Creates the tests of the editor. Returns what must be disposed of. */
function tests() {
  const controller = vscode.tests.createTestController('pleach', 'Pleach');
  const watcher = vscode.workspace.createFileSystemWatcher(FILES);
  const read = async (uri) => update(controller, uri, Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8'));
  controller.resolveHandler = async (item) => {
    if (!item) (await vscode.workspace.findFiles(FILES, '**/{node_modules,target}/**')).forEach((uri) => read(uri));
  };
  controller.createRunProfile('Run', vscode.TestRunProfileKind.Run, (request, token) => runTests(controller, request, token), true);
  const changed = ({ document }) => {
    if (document.languageId === 'pleach-test') update(controller, document.uri, document.getText());
  };
  return vscode.Disposable.from(
    controller,
    watcher,
    watcher.onDidCreate(read),
    watcher.onDidChange(read),
    watcher.onDidDelete((uri) => controller.items.delete(uri.toString())),
    vscode.workspace.onDidChangeTextDocument(changed),
    vscode.workspace.onDidOpenTextDocument((document) => changed({ document })),
  );
}

/** Makes the items of a file those of its text. */
function update(controller, uri, text) {
  const id = uri.toString();
  if (!isOurs(text)) return controller.items.delete(id);
  const file = controller.items.get(id) ?? controller.createTestItem(id, path.basename(uri.fsPath), uri);
  const items = names(text).map(({ name, number }) => {
    const item = controller.createTestItem(name, name, uri);
    item.range = new vscode.Range(number, 0, number, 0);
    return item;
  });
  file.children.replace(items);
  return controller.items.add(file);
}

/** Runs the files of the tests that are asked for. A file runs as a whole. */
async function runTests(controller, request, token) {
  const asked = request.include ?? [...controller.items].map(([, item]) => item);
  const files = new Set(asked.map((item) => item.parent ?? item));
  const excluded = new Set(request.exclude ?? []);
  const isAsked = (item) => !excluded.has(item) && (asked.includes(item) || asked.includes(item.parent));
  const testRun = controller.createTestRun(request);
  for (const file of files) {
    if (token.isCancellationRequested) break;
    await runFile(testRun, file, [...file.children].map(([, item]) => item).filter(isAsked));
  }
  testRun.end();
}

async function runFile(testRun, file, items) {
  items.forEach((item) => testRun.started(item));
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'pleach-'));
  try {
    const junit = path.join(folder, 'results.xml');
    const directory = path.dirname(file.uri.fsPath);
    const { out, err } = await run(['test', file.uri.fsPath, '--junit', junit], { cwd: directory });
    testRun.appendOutput((out + err).replaceAll('\n', '\r\n'));
    const xml = await fs.readFile(junit, 'utf8').catch(() => '');
    const found = results(xml);
    items.forEach((item) => report(testRun, item, found, err));
  } catch (error) {
    items.forEach((item) => testRun.errored(item, new vscode.TestMessage(`The command cannot be run: ${error.message}`)));
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

/** Reports the result of a test. A test without one did not run, because its file or tree has errors. */
function report(testRun, item, found, err) {
  if (!found.has(item.id)) return testRun.errored(item, new vscode.TestMessage(err || 'The test did not run.'));
  const failure = found.get(item.id);
  if (!failure) return testRun.passed(item);
  const message = new vscode.TestMessage(failure.message);
  message.location = new vscode.Location(item.uri, new vscode.Position(failure.line - 1, 0));
  return testRun.failed(item, message);
}

module.exports = { tests };
