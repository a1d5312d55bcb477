//! Changes that the editor offers at a place: the named edits.

use crate::answers::{Failure, Mend, failed};
use crate::snapshot::{Opened, Snapshot};
use gen_lsp_types::{Code, CodeAction, CodeActionKind, CodeActionParams, Diagnostic, WorkspaceEdit};
use pleach_compile::codes;
use pleach_edit::words::{AROUND, kinds};
use pleach_edit::{DeclareKind, Edit, FileKind, ItemKind, Keyword, Refusal, Replacement, Shape};
use serde::{Deserialize, Serialize};
use serde_json::to_value;

/// Largest number of names that are changed at once. Each is compared with all known ones.
const MOST_NAMES: usize = 100;

/// Change that is computed when it is chosen.
#[derive(Debug, Deserialize, Serialize)]
struct Held {
    file: String,
    /// Revision of the text that the change is about.
    revision: u64,
    change: HeldChange,
}

/// Form of a change that is not computed yet.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
enum HeldChange {
    Edits(Vec<Edit>),
    /// Ranges of bytes with their new texts, from a finding.
    Mend(Vec<((u32, u32), String)>),
}

pub(crate) fn actions(now: &Snapshot, params: &CodeActionParams) -> Vec<CodeAction> {
    let Some(opened) = now.open(&params.text_document.uri.0) else { return Vec::new() };
    if opened.file.kind() != FileKind::Trees {
        return Vec::new();
    }
    let mut list = Actions { now, opened: &opened, params, actions: Vec::new() };
    for finding in &params.context.diagnostics {
        list.fixes(finding);
    }
    let (at, _) = opened.lines.bytes(params.range);
    if let Some(node) = opened.file.document().node_at(at) {
        list.node(node);
    }
    list.fix_all();
    list.actions
}

struct Actions<'l> {
    now: &'l Snapshot,
    opened: &'l Opened<'l>,
    params: &'l CodeActionParams,
    actions: Vec<CodeAction>,
}

impl Actions<'_> {
    /// Returns true if the client wants actions of a kind.
    fn wants(&self, kind: &CodeActionKind) -> bool {
        let text = |kind: &CodeActionKind| String::from(kind.clone());
        let Some(only) = &self.params.context.only else { return text(kind) != "source.fixAll" };
        only.iter().any(|wanted| text(kind).starts_with(&text(wanted)))
    }

    /// Adds an action, if its edit looks possible.
    fn push(&mut self, title: String, kind: CodeActionKind, edit: Edit) -> Option<&mut CodeAction> {
        self.now.pause();
        if !self.wants(&kind) || !self.now.project.allows(&self.opened.name, &edit) {
            return None;
        }
        self.add(title, kind, HeldChange::Edits(vec![edit]))
    }

    fn add(&mut self, title: String, kind: CodeActionKind, change: HeldChange) -> Option<&mut CodeAction> {
        let (file, revision) = (self.opened.name.clone(), self.opened.file.revision());
        let held = Held { file, revision, change };
        let mut action = CodeAction { title, kind: Some(kind), ..CodeAction::default() };
        if self.now.client.resolves {
            action.data = to_value(held).ok();
        } else {
            action.edit = Some(computed(self.now, &held).ok()?);
        }
        self.actions.push(action);
        self.actions.last_mut()
    }

    /// Adds the actions that answer a finding.
    fn fixes(&mut self, finding: &Diagnostic) {
        self.mend(finding);
        let at = self.opened.lines.byte(finding.range.start);
        let Some(Code::String(code)) = &finding.code else { return };
        let at_name = self.opened.file.mention_at(at);
        if code == codes::UNKNOWN_NAME.id
            && let Some(mention) = at_name
        {
            // The place of `Mood.clam` begins with the name of the enum.
            let end = self.opened.lines.byte(finding.range.end);
            let last = self.opened.file.mention_at(end).unwrap_or(mention);
            for mention in [mention, last] {
                if let Some(near) = self.now.project.near_name(&self.opened.name, mention) {
                    let edit = Edit::NearName { at: mention.range.0 };
                    self.fix(finding, format!("Change to `{near}`"), edit, true);
                    break;
                }
            }
            for kind in DeclareKind::ALL {
                let title = format!("Declare `{} {}`", kind.word(), mention.name);
                self.fix(finding, title, Edit::Declare { at: mention.range.0, kind }, false);
            }
        }
        let node = self.opened.file.document().node_at(at);
        if let Some(node) = node.filter(|_| code == codes::UNREACHABLE.id) {
            self.fix(finding, "Remove the node that never begins".to_owned(), Edit::Delete { node }, true);
        }
        if let Some(node) = node.filter(|_| code == codes::MISSING_CASES.id) {
            self.fix(finding, "Add the missing cases".to_owned(), Edit::AddCases { node }, true);
        }
    }

    /// Adds the action that makes the edits of a finding.
    fn mend(&mut self, finding: &Diagnostic) {
        let mend = finding.data.clone().and_then(|data| serde_json::from_value::<Mend>(data).ok());
        let is_current = |mend: &Mend| mend.revision == self.opened.file.revision();
        let Some(mend) = mend.filter(is_current).filter(|_| self.wants(&CodeActionKind::QuickFix)) else {
            return;
        };
        if let Some(action) = self.add(mend.title, CodeActionKind::QuickFix, HeldChange::Mend(mend.edits)) {
            action.diagnostics = Some(vec![finding.clone()]);
            action.is_preferred = Some(true);
        }
    }

    /// Adds an action that answers a finding.
    fn fix(&mut self, finding: &Diagnostic, title: String, edit: Edit, is_preferred: bool) {
        if let Some(action) = self.push(title, CodeActionKind::QuickFix, edit) {
            action.diagnostics = Some(vec![finding.clone()]);
            action.is_preferred = is_preferred.then_some(true);
        }
    }

    /// Adds the actions that change the node at the place.
    fn node(&mut self, node: usize) {
        use CodeActionKind as Kind;
        let document = self.opened.file.document();
        let it = &document.nodes()[node];
        if document.items()[it.item as usize].kind != ItemKind::Tree || !it.shape.takes_any_node() {
            return;
        }
        if it.kind == Keyword::Match {
            self.push("Add the missing cases".to_owned(), Kind::RefactorRewrite, Edit::AddCases { node });
        }
        self.kinds(node);
        let title = "Remove the node around its children".to_owned();
        self.push(title, Kind::RefactorRewrite, Edit::Unwrap { node });
        for header in AROUND {
            let (title, header) = (format!("Wrap in `{header}`"), (*header).to_owned());
            self.push(title, Kind::Refactor, Edit::Wrap { node, header });
        }
        let extract = Edit::Extract { node, name: self.unused() };
        self.push("Extract into a tree".to_owned(), Kind::RefactorExtract, extract);
        if it.kind == Keyword::Use {
            self.push("Inline the tree".to_owned(), Kind::RefactorInline, Edit::Inline { node });
        }
    }

    /// Adds the other words that a node can have.
    fn kinds(&mut self, node: usize) {
        let document = self.opened.file.document();
        let it = &document.nodes()[node];
        let text = document.slice((it.word, it.header_end));
        let is_status = matches!(it.kind, Keyword::Success | Keyword::Failure | Keyword::Running);
        let is_leaf = it.shape == Shape::Leaf && !is_status;
        let others = kinds(it.shape).iter().filter(|kind| **kind != text && !is_leaf);
        let mut headers: Vec<String> = others.map(|kind| (*kind).to_owned()).collect();
        if it.kind == Keyword::Match {
            let reactive = text.strip_prefix("reactive ").map(str::to_owned);
            headers.insert(0, reactive.unwrap_or_else(|| format!("reactive {text}")));
        }
        for header in headers {
            let title =
                format!("Change to `{}`", header.split_whitespace().take(2).collect::<Vec<_>>().join(" "));
            self.push(title, CodeActionKind::RefactorRewrite, Edit::ChangeKind { node, header });
        }
    }

    /// Returns a name for a tree that no tree has.
    fn unused(&self) -> String {
        let space = pleach_edit::Space::Tree;
        let has = |name: &String| self.now.project.has(&self.opened.name, &space, name);
        let mut numbered = (2..).map(|number| format!("extracted{number}"));
        let first = Some("extracted".to_owned()).filter(|name| !has(name));
        first.or_else(|| numbered.find(|name| !has(name))).unwrap_or_default()
    }

    /// Adds the action that writes the nearest name for all unknown names.
    fn fix_all(&mut self) {
        if !self.wants(&CodeActionKind::SourceFixAll) {
            return;
        }
        let (project, file) = (&self.now.project, &self.opened.name);
        let is_unknown = |mention: &&pleach_edit::Mention| {
            project.declaration(file, &project.resolve(file, mention)).is_none()
        };
        let unknown = self.opened.file.mentions().iter().filter(is_unknown).take(MOST_NAMES);
        let near = unknown.filter(|mention| project.near_name(file, mention).is_some());
        let edits: Vec<Edit> = near.map(|it| Edit::NearName { at: it.range.0 }).collect();
        if !edits.is_empty() {
            let title = "Change all unknown names to near ones".to_owned();
            self.add(title, CodeActionKind::SourceFixAll, HeldChange::Edits(edits));
        }
    }
}

/// Computes the change of an action.
fn computed(now: &Snapshot, held: &Held) -> Result<WorkspaceEdit, Refusal> {
    let change = match &held.change {
        HeldChange::Edits(edits) => now.project.edit_all(&held.file, edits)?,
        HeldChange::Mend(edits) => {
            let list = edits.iter().map(|(range, text)| Replacement::new(*range, text));
            now.project.replace(&held.file, list.collect())?
        }
    };
    Ok(now.workspace_edit(&change))
}

/// Computes the edit of an action that was chosen.
pub(crate) fn resolve(now: &Snapshot, mut action: CodeAction) -> Result<CodeAction, Failure> {
    let held: Option<Held> = action.data.take().and_then(|data| serde_json::from_value(data).ok());
    let Some(held) = held else { return Err(failed("the action has no edit".to_owned())) };
    let is_current = now.project.file(&held.file).is_some_and(|file| file.revision() == held.revision);
    if !is_current {
        return Err(failed("the text has changed since the action was offered".to_owned()));
    }
    action.edit = Some(computed(now, &held).map_err(|refusal| failed(refusal.reason))?);
    Ok(action)
}
