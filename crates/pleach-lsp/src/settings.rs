//! The agreement of client and server at the beginning of a session.

use crate::client::Client;
use crate::features::tokens::{MODIFIERS, TYPES};
use crate::text::path_of;
use crate::workspace::Workspace;
use gen_lsp_types::{InitializeParams, WorkspaceFolders};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;

/// Command of the server that shows counts of a running crowd as hints. Its arguments are the
/// address of a live view, or null to end that, and the number of an agent to be followed, or null.
pub(crate) const LIVE: &str = "pleach.live";

/// Settings of the user, which editors pass as initialization options.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Options {
    /// Folders in which included files are looked for, as `-I` names them.
    include: Vec<String>,
    /// Manifests that all trees are compiled with, as `--manifest` names them.
    manifests: Vec<String>,
    /// Address of the page that lists the codes of findings.
    code_page: Option<String>,
    /// True if the rules of `pleach lint` are applied, which is the default.
    lint: Option<bool>,
    /// Address of a live view.
    live: Option<String>,
    /// Kinds of inlay hints: `names`, `values`, `units`, `conversions` and `live`.
    inlay_hints: Option<Vec<String>>,
}

/// Returns the files and settings of a session.
pub(crate) fn workspace(params: &InitializeParams, raw: &Value) -> Workspace {
    let options = params.initialization_options.clone().unwrap_or_default();
    let options: Options = serde_json::from_value(options).unwrap_or_default();
    let roots = roots(params, raw);
    let absolute = |path: &String| match roots.first() {
        Some(root) if !Path::new(path).is_absolute() => format!("{}/{path}", root.trim_end_matches('/')),
        _ => path.clone(),
    };
    let folders: Vec<String> = options.include.iter().map(absolute).collect();
    let manifests: Vec<String> = options.manifests.iter().map(absolute).collect();
    let mut client = client(raw);
    client.code_page = options.code_page;
    client.has_lint = options.lint.unwrap_or(true);
    client.hints = options.inlay_hints.unwrap_or_else(|| ["names", "live"].map(str::to_owned).to_vec());
    client.live = options.live;
    let mut workspace = Workspace::new(client, &folders, &manifests);
    roots.iter().for_each(|root| workspace.read_folder(Path::new(root), usize::MAX));
    workspace
}

/// Returns the folders that the editor has open.
fn roots(params: &InitializeParams, raw: &Value) -> Vec<String> {
    let folders = match &params.workspace_folders_initialize_params.workspace_folders {
        Some(WorkspaceFolders::WorkspaceFolderList(list)) if !list.is_empty() => {
            list.iter().map(|folder| folder.uri.0.clone()).collect()
        }
        // Earlier versions of the protocol have one folder.
        _ => raw["rootUri"].as_str().map(str::to_owned).into_iter().collect::<Vec<_>>(),
    };
    folders.iter().filter_map(|uri| path_of(uri)).collect()
}

/// Reads what the client can do.
fn client(raw: &Value) -> Client {
    let at = |pointer: &str| raw["capabilities"].pointer(pointer).is_some_and(|value| *value == json!(true));
    let text = &raw["capabilities"]["textDocument"];
    let list = |value: &Value, wanted: &str| {
        value.as_array().is_some_and(|list| list.iter().any(|it| it.as_str() == Some(wanted)))
    };
    Client {
        is_utf8: list(&raw["capabilities"]["general"]["positionEncodings"], "utf-8"),
        pulls: text["diagnostic"].is_object(),
        resolves: list(&text["codeAction"]["resolveSupport"]["properties"], "edit"),
        has_snippets: at("/textDocument/completion/completionItem/snippetSupport"),
        refreshes_hints: at("/workspace/inlayHint/refreshSupport"),
        watches: at("/workspace/didChangeWatchedFiles/dynamicRegistration"),
        ..Client::default()
    }
}

/// Returns what the server can do.
pub(crate) fn capabilities(client: &Client) -> Value {
    let mut capabilities = json!({
        "positionEncoding": if client.is_utf8 { "utf-8" } else { "utf-16" },
        "textDocumentSync": { "openClose": true, "change": 2 },
        "completionProvider": { "triggerCharacters": [".", "\"", "/", ":", "(", ","] },
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "renameProvider": { "prepareProvider": true },
        "documentFormattingProvider": true,
        "documentRangeFormattingProvider": true,
        "documentOnTypeFormattingProvider": { "firstTriggerCharacter": "}" },
        "codeActionProvider": {
            "codeActionKinds": ["quickfix", "refactor", "refactor.extract", "refactor.inline", "refactor.rewrite", "source.fixAll"],
            "resolveProvider": true
        },
        "documentSymbolProvider": true,
        "foldingRangeProvider": true,
        "selectionRangeProvider": true,
        "semanticTokensProvider": {
            "legend": { "tokenTypes": TYPES, "tokenModifiers": MODIFIERS },
            "full": { "delta": true }
        },
        "inlayHintProvider": true,
        "workspaceSymbolProvider": true,
        "callHierarchyProvider": true,
        "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
        "codeLensProvider": { "resolveProvider": true },
        "executeCommandProvider": { "commands": [LIVE] },
        "documentLinkProvider": {},
        "experimental": { "preview": true },
        "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } }
    });
    if client.pulls {
        capabilities["diagnosticProvider"] =
            json!({ "identifier": "pleach", "interFileDependencies": true, "workspaceDiagnostics": false });
    }
    json!({ "capabilities": capabilities, "serverInfo": { "name": "pleach", "version": env!("CARGO_PKG_VERSION") } })
}
