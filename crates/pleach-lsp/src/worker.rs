//! The threads that answer requests and find findings.
//!
//! Findings take longest, so they have a thread of their own, and no request waits for them.

use crate::answers::Failure;
use crate::features::{
    actions, calls, completion, findings, formatting, hints, hover, lenses, links, names, outline, preview,
    programs, signature, symbols, tested, tokens,
};
use crate::shared::{Shared, lock};
use crate::snapshot::{Cancelled, Snapshot};
use gen_lsp_types as lsp;
use lsp_server::{ErrorCode, Notification, Request, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Receiver;

/// Work for a worker.
pub(crate) enum Job {
    /// A request, and the files when it came.
    Request { request: Request, snapshot: Box<Snapshot> },
    /// Findings of the files that have changed.
    Findings { snapshot: Box<Snapshot> },
}

/// Does jobs until there are no more.
pub(crate) fn work(shared: &Shared, jobs: Receiver<Job>) {
    let mut caches = Caches::default();
    for job in jobs {
        match job {
            Job::Request { request, snapshot } => answer(shared, &mut caches, request, &snapshot),
            Job::Findings { snapshot } => find(shared, &mut caches, &snapshot),
        }
    }
}

/// Tells the findings of the files that have changed. A later change ends the work, and then the
/// job of that change tells these findings, too.
fn find(shared: &Shared, caches: &mut Caches, snapshot: &Snapshot) {
    if !shared.is_current(snapshot) {
        return;
    }
    let changed = std::mem::take(&mut *lock(&shared.changed));
    match caught("findings", || caches.findings.publish(snapshot, &changed)) {
        Ok(all) => all.into_iter().for_each(|params| {
            let method = "textDocument/publishDiagnostics".to_owned();
            shared.send(Notification::new(method, params));
        }),
        Err(Stop::Cancelled) => lock(&shared.changed).extend(changed),
        Err(Stop::Defect(message)) => shared.tell(&message),
    }
}

/// Data that a worker keeps between requests.
#[derive(Default)]
struct Caches {
    findings: findings::FindingsCache,
    tokens: tokens::Memory,
    programs: programs::ProgramCache,
    results: tested::ResultsCache,
}

/// Requests whose answers a client asks for again when the text has changed.
const REPEATED: &[&str] = &[
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/full/delta",
    "textDocument/inlayHint",
    "textDocument/codeLens",
    "codeLens/resolve",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "pleach/preview",
];

fn answer(shared: &Shared, caches: &mut Caches, request: Request, snapshot: &Snapshot) {
    let id = request.id.clone();
    let fail = |code: ErrorCode, message: String| {
        shared.send(Response::new_err(id.clone(), code as i32, message));
    };
    let method = request.method.clone();
    let is_outdated = || REPEATED.contains(&method.as_str()) && !shared.is_current(snapshot);
    let outdated = || (ErrorCode::ContentModified, "the text has changed".to_owned());
    let result = caught(&method, || {
        snapshot.pause();
        if is_outdated() {
            return Err(outdated());
        }
        dispatch(shared, caches, request, snapshot)
    });
    lock(&shared.requests).remove(&id);
    let result = match result {
        Err(Stop::Cancelled) if is_outdated() => Ok(Err(outdated())),
        result => result,
    };
    match result {
        Ok(Ok(value)) => shared.send(Response::new_ok(id.clone(), value)),
        Ok(Err((code, message))) => fail(code, message),
        Err(Stop::Cancelled) => fail(ErrorCode::RequestCanceled, "the request was cancelled".to_owned()),
        Err(Stop::Defect(message)) => {
            shared.tell(&message);
            fail(ErrorCode::InternalError, message);
        }
    }
}

/// Reason why work has no result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Nobody waits for it.
    Cancelled,
    /// The server has a defect: a message for people.
    Defect(String),
}

/// Does some work. A panic becomes a message for people. What the work leaves in memory is used
/// again: it is only a cache, whose rows are inserted whole.
pub(crate) fn caught<T>(what: &str, work: impl FnOnce() -> T) -> Result<T, Stop> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        if panic.is::<Cancelled>() {
            return Stop::Cancelled;
        }
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
        Stop::Defect(format!("{what}: the server has a defect, and goes on: {text}"))
    })
}

/// Answers a request from its parameters.
fn given<P: DeserializeOwned, R: Serialize>(
    request: Request,
    answer: impl FnOnce(P) -> Result<R, Failure>,
) -> Result<Value, Failure> {
    let params = serde_json::from_value(request.params);
    let params = params.map_err(|why| (ErrorCode::InvalidParams, why.to_string()))?;
    let result = answer(params)?;
    serde_json::to_value(result).map_err(|why| (ErrorCode::InternalError, why.to_string()))
}

/// Answers a request.
fn dispatch(
    shared: &Shared,
    caches: &mut Caches,
    request: Request,
    now: &Snapshot,
) -> Result<Value, Failure> {
    let method = request.method.clone();
    match method.strip_prefix("textDocument/").unwrap_or(&method) {
        "diagnostic" => given(request, |it| Ok(caches.findings.pull(now, &it))),
        "completion" => given(request, |it: lsp::CompletionParams| Ok(completion::complete(now, &it))),
        "hover" => given(request, |it: lsp::HoverParams| Ok(hover::hover(now, &mut caches.programs, &it))),
        "definition" => given(request, |it: lsp::DefinitionParams| Ok(names::definition(now, &it))),
        "references" => given(request, |it: lsp::ReferenceParams| Ok(names::references(now, &it))),
        "documentHighlight" => {
            given(request, |it: lsp::DocumentHighlightParams| Ok(names::highlight(now, &it)))
        }
        "prepareRename" => given(request, |it: lsp::PrepareRenameParams| names::prepare_rename(now, &it)),
        "rename" => given(request, |it: lsp::RenameParams| names::rename(now, &it)),
        "formatting" => given(request, |it: lsp::DocumentFormattingParams| Ok(formatting::file(now, &it))),
        "rangeFormatting" => {
            given(request, |it: lsp::DocumentRangeFormattingParams| Ok(formatting::range(now, &it)))
        }
        "onTypeFormatting" => {
            given(request, |it: lsp::DocumentOnTypeFormattingParams| Ok(formatting::on_type(now, &it)))
        }
        "codeAction" => given(request, |it: lsp::CodeActionParams| Ok(actions::actions(now, &it))),
        "codeAction/resolve" => given(request, |it: lsp::CodeAction| actions::resolve(now, it)),
        "documentSymbol" => given(request, |it: lsp::DocumentSymbolParams| Ok(outline::symbols(now, &it))),
        "foldingRange" => given(request, |it: lsp::FoldingRangeParams| Ok(outline::folding(now, &it))),
        "selectionRange" => given(request, |it: lsp::SelectionRangeParams| Ok(outline::selection(now, &it))),
        "semanticTokens/full" => {
            given(request, |it: lsp::SemanticTokensParams| Ok(caches.tokens.full(now, &it)))
        }
        "semanticTokens/full/delta" => {
            given(request, |it: lsp::SemanticTokensDeltaParams| Ok(caches.tokens.delta(now, &it)))
        }
        "inlayHint" => {
            given(request, |it: lsp::InlayHintParams| Ok(hints::hints(now, shared.live().as_deref(), &it)))
        }
        "workspace/symbol" => given(request, |it: lsp::WorkspaceSymbolParams| Ok(symbols::search(now, &it))),
        "prepareCallHierarchy" => {
            given(request, |it: lsp::CallHierarchyPrepareParams| Ok(calls::prepare(now, &it)))
        }
        "callHierarchy/incomingCalls" => {
            given(request, |it: lsp::CallHierarchyIncomingCallsParams| Ok(calls::incoming(now, &it)))
        }
        "callHierarchy/outgoingCalls" => {
            given(request, |it: lsp::CallHierarchyOutgoingCallsParams| Ok(calls::outgoing(now, &it)))
        }
        "signatureHelp" => given(request, |it: lsp::SignatureHelpParams| Ok(signature::help(now, &it))),
        "codeLens" => given(request, |it: lsp::CodeLensParams| {
            Ok(lenses::lenses(now, shared, &mut caches.results.tests, &it))
        }),
        "codeLens/resolve" => {
            given(request, |it: lsp::CodeLens| Ok(lenses::resolve(now, shared, &mut caches.results, it)))
        }
        "pleach/preview" => given(request, |it: preview::PreviewParams| preview::preview(now, &it)),
        "documentLink" => given(request, |it: lsp::DocumentLinkParams| Ok(links::links(now, &it))),
        _ => Err((ErrorCode::MethodNotFound, format!("the server does not know {method}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::TestResults;
    use crate::text::uri_of;
    use crate::workspace::Workspace;
    use lsp_server::Message;
    use pleach_edit::scenario::Scenario;
    use pleach_image::Image;
    use serde_json::json;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::Duration;

    #[test]
    fn a_request_is_cancelled_before_its_answer() {
        let (told, messages) = std::sync::mpsc::channel();
        let shared = Shared::new(false, None, move |message| told.send(message).expect("the test lives"));
        let (jobs, queue) = std::sync::mpsc::channel();
        for id in [1, 2] {
            let request = Request { id: id.into(), method: "a".to_owned(), params: Value::Null };
            let snapshot = Box::new(crate::workspace::Workspace::default().snapshot());
            shared.asked(id.into(), &snapshot);
            jobs.send(Job::Request { request, snapshot }).expect("there is room");
        }
        drop(jobs);
        // There is no request 3.
        [2, 3].into_iter().for_each(|id| shared.cancel(&id.into()));
        work(&shared, queue);
        shared.cancel(&1.into());
        assert!(lock(&shared.requests).is_empty());
        let code = |message| match message {
            Message::Response(response) => response.response_result.map_err(|error| error.code),
            other => panic!("no answer: {other:?}"),
        };
        let codes: Vec<_> = messages.try_iter().map(code).collect();
        assert_eq!(codes, [Err(-32601), Err(-32800)]);
    }

    /// True as soon as tests run.
    static RUNS: AtomicBool = AtomicBool::new(false);

    /// Runs tests that take ten seconds.
    fn run_long(_: &Image, _: &str, _: &Scenario, pause: &dyn Fn()) -> Option<TestResults> {
        RUNS.store(true, Ordering::Relaxed);
        for _ in 0..1000 {
            pause();
            thread::sleep(Duration::from_millis(10));
        }
        None
    }

    #[test]
    fn tests_end_soon_after_a_newer_change() {
        let mut workspace = Workspace::default();
        let uri = |name: &str| uri_of(&format!("/nowhere/{name}")).0;
        workspace.open(&uri("a.pleach"), 1, "tree a { success }".to_owned());
        workspace.open(&uri("a.test"), 1, "tree a.pleach\ntest one\n\ttick\n".to_owned());
        let snapshot = Box::new(workspace.snapshot());
        let (told, messages) = std::sync::mpsc::channel();
        let shared =
            Shared::new(false, Some(run_long), move |message| told.send(message).expect("the test lives"));
        shared.set_revision(snapshot.revision);
        let (jobs, queue) = std::sync::mpsc::channel();
        let place = json!({ "line": 0, "character": 0 });
        let range = json!({ "start": place, "end": place });
        let params = json!({ "range": range, "data": { "uri": uri("a.pleach"), "tree": "a" } });
        let request = Request { id: 1.into(), method: "codeLens/resolve".to_owned(), params };
        jobs.send(Job::Request { request, snapshot }).expect("there is room");
        drop(jobs);
        thread::scope(|scope| {
            scope.spawn(|| work(&shared, queue));
            while !RUNS.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            shared.set_revision(workspace.revision + 1);
        });
        let answer = messages.try_recv().expect("an answer");
        let Message::Response(response) = answer else { panic!("no answer: {answer:?}") };
        assert_eq!(response.response_result.map_err(|error| error.code), Err(-32801));
    }

    #[test]
    fn a_panic_becomes_a_message() {
        let why = caught("textDocument/hover", || -> u8 { panic!("no row {}", 3) });
        let expected = "textDocument/hover: the server has a defect, and goes on: no row 3";
        assert_eq!(why, Err(Stop::Defect(expected.to_owned())));
        assert_eq!(caught("textDocument/hover", || 3), Ok(3));
    }

    #[test]
    fn work_that_nobody_waits_for_ends_between_files() {
        let snapshot = crate::workspace::Workspace::default().snapshot();
        let mut count = 0;
        let done = caught("references", || {
            for _ in 0..10 {
                count += 1;
                snapshot.lines("/nowhere/a.pleach");
                snapshot.is_cancelled.store(count == 3, Ordering::Relaxed);
            }
        });
        assert_eq!((done, count), (Err(Stop::Cancelled), 4));
    }
}
