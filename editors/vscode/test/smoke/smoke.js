// Starts VS Code in a browser with the extension, and uses it as an author of trees does.
//
//     node smoke.js VSCODE VSIX PLEACH FOLDER
//
// VSCODE is the folder of VS Code's server, VSIX the extension, PLEACH the command, FOLDER a new
// folder for the data of the test and its screenshots. The modules `playwright-core` must be found
// by node, and Chromium must be installed.

const assert = require('node:assert');
const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const { chromium } = require('playwright-core');

const [vscode, vsix, pleach, folder] = process.argv.slice(2).map((argument) => path.resolve(argument));
const SERVER = path.join(vscode, 'out/server-main.js');
const DATA = ['--accept-server-license-terms', '--server-data-dir', path.join(folder, 'data'), '--extensions-dir', path.join(folder, 'extensions')];
const WORKSPACE = path.join(folder, 'workspace');
const PATIENCE = 60_000;

const GUARD = `// A guard that attacks who comes near.
action attack()
action walk(post: int)
var visible: bool
tree guard
{
	reactive selector
	{
		while visible { action attack }
		action walk(3)
		use patrol
	}
}
tree patrol { action walk(4) }
`;
const BROKEN = 'tree main { condition alarmed }\n';
const TESTS = `tree guard.pleach

test walks while nobody is there
	action walk = running
	tick
	expect call walk

test attacks who is there
	set visible = true
	action attack = running
	tick
	expect call walk
`;

/** Writes the files of the workspace. */
function prepare() {
  const settings = { 'pleach.command': pleach, 'git.openRepositoryInParentFolders': 'never' };
  const files = {
    'guard.pleach': GUARD,
    'broken.pleach': BROKEN,
    'guard.test': TESTS,
    '.vscode/settings.json': JSON.stringify(settings),
  };
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(WORKSPACE, name)), { recursive: true });
    fs.writeFileSync(path.join(WORKSPACE, name), text);
  }
  const done = spawnSync('node', [SERVER, '--install-extension', vsix, ...DATA], { encoding: 'utf8' });
  assert.ok(done.stdout.includes('successfully installed'), done.stdout + done.stderr);
}

function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Starts the server of VS Code. Resolves when it listens. */
async function start(port) {
  const args = [SERVER, '--host', '127.0.0.1', '--port', String(port), '--without-connection-token', '--telemetry-level', 'off', ...DATA];
  const server = spawn('node', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  await new Promise((resolve, reject) => {
    server.stdout.on('data', (text) => String(text).includes('Extension host agent listening') && resolve());
    server.on('exit', () => reject(new Error('the server has ended')));
  });
  return server;
}

/** Runs a command of the palette. */
async function command(page, name) {
  await page.keyboard.press('F1');
  await page.waitForSelector('.quick-input-widget:not([style*="display: none"])', { timeout: PATIENCE });
  await page.keyboard.type(name);
  await page.waitForSelector(`.quick-input-list .monaco-list-row >> text=${name.split(': ').pop()}`, { timeout: PATIENCE });
  await page.keyboard.press('Enter');
}

/** Opens a file. Keys that are pressed before its text has the focus would be lost. */
async function open(page, name) {
  const row = await page.waitForSelector(`.explorer-folders-view >> text="${name}"`, { timeout: PATIENCE });
  await row.dblclick();
  await page.waitForSelector(`.tab.active[data-resource-name="${name}"]`, { timeout: PATIENCE });
  await page.waitForSelector(`.monaco-editor.focused[data-uri$="/${name}"]`, { timeout: PATIENCE });
}

/** Returns the colors in which words of the text are shown. */
function colors(page, words) {
  const color = (word) => {
    const spans = [...document.querySelectorAll('.view-line [class^="mtk"]')];
    const span = spans.find((it) => it.textContent.replaceAll('\u00a0', ' ').includes(word));
    return span && getComputedStyle(span).color;
  };
  return Promise.all(words.map((word) => page.evaluate(color, word)));
}

/** Resolves to the frame with the picture when the picture is there. */
async function pictureFrame(page) {
  const end = Date.now() + PATIENCE;
  while (Date.now() < end) {
    for (const frame of page.frames()) {
      if (await frame.$('#picture [data-place]').catch(() => null)) return frame;
    }
    await page.waitForTimeout(200);
  }
  throw new Error('no picture is shown');
}

/** Clicks on a lens until something is shown: lenses that are drawn anew lose a click. */
async function clickLens(page, title, shown) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
    await page.click(`.codelens-decoration >> text="${title}" >> visible=true`, { timeout: PATIENCE });
    const isShown = await page.waitForSelector(shown, { timeout: 3000 }).catch(() => null);
    if (isShown) return;
  }
  throw new Error(`a click on "${title}" shows nothing`);
}

const STEPS = {
  async 'words have colors'(page) {
    await open(page, 'guard.pleach');
    const words = ['// A guard', 'tree', 'guard', 'reactive', 'visible'];
    // A text is shown without colors first.
    const isColored = async () => new Set(await colors(page, words)).size >= 4;
    for (const end = Date.now() + PATIENCE; !(await isColored()) && Date.now() < end; ) await page.waitForTimeout(200);
    const found = await colors(page, words);
    assert.ok(found.every(Boolean) && (await isColored()), `colors: ${found}`);
  },
  async 'a picture is shown, and leads to the text and back'(page) {
    await command(page, 'Pleach: Show Picture of Trees');
    const frame = await pictureFrame(page);
    const places = await frame.$$eval('[data-place]', (nodes) => nodes.map((node) => node.dataset.place));
    assert.ok(places.includes('guard.pleach:10'), places.join());
    await frame.click('[data-place="guard.pleach:10"]');
    await page.waitForSelector('text=/Ln 10, /', { timeout: PATIENCE });
    await page.keyboard.press('ArrowUp');
    await frame.waitForSelector('.marked[data-place="guard.pleach:9"]', { timeout: PATIENCE });
  },
  async 'a name is explained'(page) {
    await open(page, 'guard.pleach');
    const word = page.locator('.view-line span[class^="mtk"]', { hasText: /^\s*walk/ }).nth(1);
    const hover = page.locator('.monaco-hover:visible', { hasText: 'action walk(post: int)' });
    // The first movement may come before the server is ready.
    for (const end = Date.now() + PATIENCE; !(await hover.count()) && Date.now() < end; ) {
      await page.mouse.move(5, 5);
      await word.hover();
      await page.waitForTimeout(1000);
    }
    assert.ok(await hover.count(), 'nothing is shown over `walk`');
  },
  async 'words are completed'(page) {
    await open(page, 'broken.pleach');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('tree other { re');
    await page.keyboard.press('Control+Space');
    const suggested = page.locator('.suggest-widget .monaco-list-row', { hasText: 'reactive selector' });
    await suggested.first().waitFor({ timeout: PATIENCE });
    await page.screenshot({ path: path.join(folder, 'completion.png') });
    await page.keyboard.press('Escape');
    for (let count = 0; count < 3; count += 1) await page.keyboard.press('Control+Z');
  },
  async 'tests run'(page) {
    await open(page, 'guard.test');
    await command(page, 'Test: Run Tests in Current File');
    await page.waitForSelector('.codicon-testing-passed-icon, .testing-run-glyph.codicon-testing-passed-icon', { timeout: PATIENCE });
    await page.waitForSelector('.codicon-testing-failed-icon, .testing-run-glyph.codicon-testing-failed-icon', { timeout: PATIENCE });
  },
  async 'errors are shown'(page) {
    await open(page, 'broken.pleach');
    await page.waitForSelector('.squiggly-error', { timeout: PATIENCE });
  },
  async 'lenses run trees, and show uses'(page) {
    await open(page, 'guard.pleach');
    await clickLens(page, 'run', '.terminal-wrapper .xterm');
    await clickLens(page, '1 use', '.peekview-widget');
    await page.keyboard.press('Escape');
  },
  async 'a crowd is shown live'(page) {
    await clickLens(page, 'view', '.tab[aria-label^="Live: "]');
    const isLive = async (frame) => /\?token=/.test(frame.url()) && (await frame.$('text=guard.pleach').catch(() => null));
    for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
      for (const frame of page.frames()) if (await isLive(frame)) return;
      await page.waitForTimeout(200);
    }
    throw new Error('the page of the crowd is not shown');
  },
  async 'hints show the counts of the crowd'(page) {
    const isShown = (hint) => [...document.querySelectorAll('.view-line')].some((line) => line.textContent.replaceAll('\u00a0', ' ').includes(hint));
    await page.waitForFunction(isShown, ' running', { timeout: PATIENCE });
    await command(page, 'Pleach: Show Last Tick of an Agent Behind the Nodes');
    await page.waitForSelector('.quick-input-widget >> text=/Number of the agent/', { timeout: PATIENCE });
    await page.keyboard.type('0');
    await page.keyboard.press('Enter');
    await page.waitForFunction(isShown, 'agent 0: ', { timeout: PATIENCE });
  },
};

async function main() {
  prepare();
  const port = await freePort();
  const server = await start(port);
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1'],
  });
  let failed = 0;
  try {
    const page = await browser.newPage({ viewport: { width: 1300, height: 800 } });
    // This server of VS Code lacks the proxy to other ports.
    await page.route(/\/proxy\/\d+\//, (route) => {
      const [, other, rest] = /\/proxy\/(\d+)\/(.*)$/.exec(route.request().url());
      return route.fulfill({ status: 302, headers: { location: `http://127.0.0.1:${other}/${rest}` } });
    });
    await page.goto(`http://127.0.0.1:${port}/?folder=${WORKSPACE}`);
    await page.waitForSelector('.monaco-workbench', { timeout: PATIENCE });
    const trust = await page.waitForSelector('text=Yes, I trust the authors', { timeout: PATIENCE });
    await trust.click();
    for (const [name, step] of Object.entries(STEPS)) {
      const error = await step(page).catch((reason) => reason);
      if (error) failed += 1;
      console.log(error ? `FAILED  ${name}: ${error.message}` : `ok      ${name}`);
      await page.screenshot({ path: path.join(folder, `${name.replaceAll(/\W+/g, '-')}.png`) });
    }
  } finally {
    await browser.close();
    server.kill();
  }
  console.log(`${Object.keys(STEPS).length} steps, ${failed} failed`);
  process.exitCode = failed ? 1 : 0;
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
