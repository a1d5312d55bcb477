"""Sessions with `pleach lsp` as VS Code, Neovim and Emacs have them.

The clients are the profiles of pytest-lsp: each announces what the editor announces. Messages are
read strictly, so an answer that does not fit the protocol fails the test.

    pytest editors/tests

The command `pleach` must be in `PATH`.
"""

import asyncio

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

GUARD = """action attack()
action walk(post: int)
var ammo: int
tree guard
{
	selector
	{
		while ammo > 0 { action attack }
		action wlak(3)
	}
}
"""
TESTS = "tree guard.pleach\n\ntest walks\n\taction attack = running\n\ttick\n"

PATIENCE = 60
PROFILES = ["visual_studio_code", "neovim", "emacs"]


@pytest_lsp.fixture(params=PROFILES, config=ClientServerConfig(server_command=["pleach", "lsp"]))
async def client(request, tmp_path, lsp_client: LanguageClient):
    (tmp_path / "guard.pleach").write_text(GUARD)
    (tmp_path / "guard.test").write_text(TESTS)
    lsp_client.folder = tmp_path
    lsp_client.feature(lsp.CLIENT_REGISTER_CAPABILITY)(lambda params: None)
    folder = lsp.WorkspaceFolder(uri=tmp_path.as_uri(), name="trees")
    params = lsp.InitializeParams(
        capabilities=client_capabilities(request.param), root_uri=tmp_path.as_uri(), workspace_folders=[folder]
    )
    result = await lsp_client.initialize_session(params)
    lsp_client.pulls = result.capabilities.diagnostic_provider is not None
    lsp_client.open_guard = lambda: opened(lsp_client, "guard.pleach", GUARD)
    yield
    await lsp_client.shutdown_session()


def opened(client, name, text):
    """Opens a file, and returns its identifier."""
    uri = (client.folder / name).as_uri()
    item = lsp.TextDocumentItem(uri=uri, language_id="pleach", version=1, text=text)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    return lsp.TextDocumentIdentifier(uri)


def place(text, word):
    """Returns the position of the first letter of a word."""
    before = text[: text.index(word)]
    return lsp.Position(before.count("\n"), len(before) - before.rfind("\n") - 1)


def applied(text, edits):
    """Returns a text with edits. All columns are those of ASCII."""
    lines = text.splitlines(keepends=True)

    def offset(position):
        return sum(map(len, lines[: position.line])) + position.character

    for edit in sorted(edits, key=lambda it: offset(it.range.start), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


async def findings(client, document, fits):
    """Returns the findings of a file that fit, pulled if the client pulls, else pushed."""
    if client.pulls:
        report = await client.text_document_diagnostic_async(lsp.DocumentDiagnosticParams(document))
        assert fits(report.items), report.items
        return report.items
    async with asyncio.timeout(PATIENCE):
        while not fits(client.diagnostics.get(document.uri, [])):
            await asyncio.sleep(0.01)
    return client.diagnostics[document.uri]


def codes(found):
    return [finding.code for finding in found]


async def test_findings_follow_the_text(client):
    document = client.open_guard()
    found = await findings(client, document, lambda it: codes(it) == ["E0611"])
    assert found[0].range.start == place(GUARD, "wlak")
    assert found[0].severity == lsp.DiagnosticSeverity.Error
    start = place(GUARD, "wlak")
    end = lsp.Position(start.line, start.character + len("wlak"))
    change = lsp.TextDocumentContentChangePartial(range=lsp.Range(start, end), text="walk")
    version = lsp.VersionedTextDocumentIdentifier(version=2, uri=document.uri)
    client.text_document_did_change(lsp.DidChangeTextDocumentParams(version, [change]))
    await findings(client, document, lambda it: not it)


async def test_completion_knows_what_fits(client):
    document = client.open_guard()

    async def labels(position):
        answer = await client.text_document_completion_async(lsp.CompletionParams(document, position))
        return {item.label for item in getattr(answer, "items", answer)}

    assert await labels(place(GUARD, "wlak")) == {"attack", "walk"}
    values = await labels(place(GUARD, "ammo > 0"))
    assert "ammo" in values and "attack" not in values
    assert {"sequence", "while", "action"} <= await labels(place(GUARD, "action wlak"))


async def test_rename_reaches_all_files(client):
    document = client.open_guard()
    position = place(GUARD, "attack }")
    prepared = await client.text_document_prepare_rename_async(lsp.PrepareRenameParams(document, position))
    assert prepared.start == position if isinstance(prepared, lsp.Range) else prepared.range.start == position
    edit = await client.text_document_rename_async(lsp.RenameParams(document, position, "strike"))
    assert applied(GUARD, edit.changes[document.uri]) == GUARD.replace("attack", "strike")
    tests = (client.folder / "guard.test").as_uri()
    assert applied(TESTS, edit.changes[tests]) == TESTS.replace("attack", "strike")
    with pytest.raises(Exception, match="walk"):
        await client.text_document_rename_async(lsp.RenameParams(document, position, "walk"))


async def test_actions_mend_and_change(client):
    document = client.open_guard()
    found = await findings(client, document, lambda it: codes(it) == ["E0611"])

    async def gives(context, title, expected):
        params = lsp.CodeActionParams(document, found[0].range, context)
        actions = {action.title: action for action in await client.text_document_code_action_async(params)}
        action = actions[title]
        if action.edit is None:
            action = await client.code_action_resolve_async(action)
        assert applied(GUARD, action.edit.changes[document.uri]) == expected

    finding = lsp.CodeActionContext(found)
    await gives(finding, "Change to `walk`", GUARD.replace("wlak", "walk"))
    await gives(finding, "Wrap in `invert`", GUARD.replace("action wlak(3)", "invert { action wlak(3) }"))
    everything = lsp.CodeActionContext([], only=[lsp.CodeActionKind.SourceFixAll])
    await gives(everything, "Change all unknown names to near ones", GUARD.replace("wlak", "walk"))


async def test_formatting_is_minimal(client):
    text = GUARD.replace("\tselector", "   selector").replace("wlak", "walk")
    document = opened(client, "guard.pleach", text)
    options = lsp.FormattingOptions(tab_size=4, insert_spaces=False)
    edits = await client.text_document_formatting_async(lsp.DocumentFormattingParams(document, options))
    assert applied(text, edits) == GUARD.replace("wlak", "walk")
    assert len(edits) == 1 and edits[0].range.start.line == place(text, "selector").line


async def test_a_picture_leads_to_the_text_and_back(client):
    document = client.open_guard()
    params = {"textDocument": {"uri": document.uri}}
    picture = await client.protocol.send_request_async("pleach/preview", params)
    assert picture.svg.startswith("<svg") and picture.svg.count(" data-place=") == len(picture.nodes)
    [walk] = [it for it in picture.nodes if it.selectionRange.start.line == place(GUARD, "action wlak").line]
    assert walk.uri == document.uri
    assert walk.selectionRange.start.character == place(GUARD, "action wlak").character
    assert walk.range.end.character == walk.selectionRange.end.character
