// Pictures of trees beside their text, which the language server draws. A click on a node goes to its
// words, and the node at the cursor is marked.

const { randomBytes } = require('node:crypto');
const path = require('node:path');
const vscode = require('vscode');
const { nodeAt } = require('./places');
const { onDidStart, request } = require('./server');

/** Milliseconds without a key after which a picture is drawn anew. */
const PAUSE = 200;

/** Code of the answer to a request about a text that has changed since. */
const CONTENT_MODIFIED = -32801;

/** Returns true if the server draws a document. */
function isDrawn(document) {
  return ['pleach', 'unvanquished-bt'].includes(document.languageId) || document.fileName.endsWith('.debt');
}

/** Picture of one document in a panel. */
class Picture {
  constructor(document, media, onClose) {
    this.document = document;
    this.places = [];
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
      this.drawing?.cancel();
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
    this.drawing?.cancel();
    this.drawing = new vscode.CancellationTokenSource();
    const { token } = this.drawing;
    let message;
    try {
      const params = { textDocument: { uri: this.document.uri.toString() } };
      const { svg, nodes } = await request('pleach/preview', params, token);
      // The editor and the server may write the same address in two ways.
      const known = (place) => place && { ...place, uri: vscode.Uri.parse(place.uri).toString() };
      if (!token.isCancellationRequested) this.places = nodes.map(known);
      message = { kind: 'picture', svg };
    } catch (error) {
      if (error.code === CONTENT_MODIFIED) return this.drawSoon();
      message = { kind: 'problem', text: error.message };
    }
    if (token.isCancellationRequested) return undefined;
    await this.panel.webview.postMessage(message);
    return this.mark();
  }

  /** Marks the node at the cursor. */
  mark() {
    const editor = vscode.window.visibleTextEditors.find((it) => it.document === this.document);
    if (!editor) return;
    const node = nodeAt(this.places, this.document.uri.toString(), editor.selection.active);
    this.panel.webview.postMessage({ kind: 'mark', node });
  }

  async receive(message) {
    if (message.kind === 'ready') return this.draw();
    const place = this.places[message.node];
    if (!place) return undefined;
    const uri = vscode.Uri.parse(place.uri);
    const { start, end } = place.selectionRange;
    try {
      const editor = await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One });
      const range = new vscode.Range(start.line, start.character, end.line, end.character);
      editor.selection = new vscode.Selection(range.start, range.start);
      editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    } catch (error) {
      vscode.window.showErrorMessage(`${uri.fsPath} cannot be shown: ${error.message}`);
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
      onDidStart(() => this.open.forEach((picture) => picture.drawSoon())),
      vscode.workspace.onDidChangeTextDocument(({ document }) => of(document)?.drawSoon()),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => of(textEditor.document)?.mark()),
    );
  }

  /** Shows the picture of an editor's document. */
  show(editor) {
    if (!editor || !isDrawn(editor.document)) {
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
