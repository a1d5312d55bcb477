// Pictures of trees beside their text, as `pleach graph` draws them. A click on a node goes to its
// line, and the nodes of the line with the cursor are marked.

const { randomBytes } = require('node:crypto');
const path = require('node:path');
const vscode = require('vscode');
const { run } = require('./command');

/** Milliseconds without a key after which a picture is drawn anew. */
const PAUSE = 200;

/** Names of dialects, by the language of a document. */
const DIALECTS = { pleach: 'pleach', 'unvanquished-bt': 'unvanquished' };

/** Name that the command gives to a text from standard input. */
const INPUT = '<stdin>';

/** Picture of one document in a panel. */
class Picture {
  constructor(document, media, onClose) {
    this.document = document;
    this.panel = vscode.window.createWebviewPanel(
      'pleach.picture',
      `Trees of ${path.basename(document.fileName)}`,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: [media] },
    );
    this.panel.webview.html = page(this.panel.webview, media);
    this.panel.webview.onDidReceiveMessage((message) => this.receive(message));
    this.panel.onDidDispose(() => {
      clearTimeout(this.timer);
      this.drawing?.abort();
      onClose();
    });
  }

  /** Draws the picture when no key has been pressed for a while. */
  drawSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.draw(), PAUSE);
  }

  /** Draws the present text, which need not be saved. */
  async draw() {
    this.drawing?.abort();
    this.drawing = new AbortController();
    const { signal } = this.drawing;
    const dialect = DIALECTS[this.document.languageId];
    const options = { cwd: path.dirname(this.document.fileName), input: this.document.getText(), signal };
    let message;
    try {
      const { code, out, err } = await run(['graph', '-', '--dialect', dialect], options);
      message = code === 0 ? { kind: 'picture', svg: out } : { kind: 'problem', text: err };
    } catch (error) {
      if (signal.aborted) return;
      message = { kind: 'problem', text: `The command cannot be run: ${error.message}` };
    }
    if (signal.aborted) return;
    await this.panel.webview.postMessage(message);
    this.mark();
  }

  /** Marks the nodes of the line with the cursor. */
  mark() {
    const editor = vscode.window.visibleTextEditors.find((it) => it.document === this.document);
    if (editor) {
      const line = editor.selection.active.line + 1;
      this.panel.webview.postMessage({ kind: 'mark', place: `${INPUT}:${line}` });
    }
  }

  async receive(message) {
    if (message.kind === 'ready') return this.draw();
    const [, file, line] = /^(.*):(\d+)$/.exec(message.place) ?? [];
    if (!line) return undefined;
    const folder = path.dirname(this.document.fileName);
    const uri = file === INPUT ? this.document.uri : vscode.Uri.file(path.resolve(folder, file));
    const position = new vscode.Position(Number(line) - 1, 0);
    try {
      const editor = await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One });
      const start = position.with(undefined, editor.document.lineAt(position).firstNonWhitespaceCharacterIndex);
      editor.selection = new vscode.Selection(start, start);
      editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    } catch (error) {
      vscode.window.showErrorMessage(`${file} cannot be shown: ${error.message}`);
    }
    return undefined;
  }
}

/** All pictures that are open, by document. */
class Pictures {
  constructor(context) {
    this.media = vscode.Uri.joinPath(context.extensionUri, 'media');
    this.open = new Map();
    const of = (document) => this.open.get(document.uri.toString());
    context.subscriptions.push(
      vscode.workspace.onDidChangeTextDocument(({ document }) => of(document)?.drawSoon()),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => of(textEditor.document)?.mark()),
    );
  }

  /** Shows the picture of an editor's document. */
  show(editor) {
    if (!editor || !(editor.document.languageId in DIALECTS)) {
      return vscode.window.showInformationMessage('Open a file of trees first, such as one that ends in .pleach.');
    }
    const key = editor.document.uri.toString();
    const known = this.open.get(key);
    if (known) return known.panel.reveal(undefined, true);
    return this.open.set(key, new Picture(editor.document, this.media, () => this.open.delete(key)));
  }
}

/** Returns the page of a picture. Nothing but its own script and style is allowed in it. */
function page(webview, media) {
  const nonce = randomBytes(16).toString('base64');
  const address = (name) => webview.asWebviewUri(vscode.Uri.joinPath(media, name));
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${webview.cspSource}`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="${address('picture.css')}">
<title>Picture of trees</title>
</head>
<body>
<pre id="problem" role="status" hidden></pre>
<main id="picture"></main>
<script nonce="${nonce}" src="${address('picture.js')}"></script>
</body>
</html>`;
}

module.exports = { Pictures };
