//! Notes between the words of a text: names of parameters, values of constants, units,
//! conversions, and counts of a running crowd.

use super::live::LiveNodes;
use crate::counts::LiveCrowd;
use crate::snapshot::{Opened, Snapshot};
use gen_lsp_types::{InlayHint, InlayHintKind, InlayHintParams, Label, Tooltip};
use pleach_edit::{Access, DeclarationKind, FileKind, Keyword, Node, Parameter, Space, Symbol, Type, places};
use std::cell::OnceCell;

/// Returns the hints in a range. `live` is the running crowd of a live view, if one is connected.
pub(crate) fn hints(now: &Snapshot, live: Option<&LiveCrowd>, params: &InlayHintParams) -> Vec<InlayHint> {
    let Some(opened) = now.open(&params.text_document.uri.0) else { return Vec::new() };
    if opened.file.kind() != FileKind::Trees {
        return Vec::new();
    }
    let (start, end) = opened.lines.bytes(params.range);
    let mut list = Hints { now, opened: &opened, list: Vec::new() };
    let document = opened.file.document();
    let live = live.filter(|_| list.shows("live"));
    let live = live.and_then(|crowd| LiveNodes::find(crowd, &opened.name, document.text()));
    let nodes = document.nodes();
    for node in nodes.iter().filter(|node| start <= node.header_end && node.word <= end) {
        list.node(node);
        live.iter().for_each(|live| list.live(live, node));
    }
    if list.shows("values") {
        list.values((start, end));
    }
    list.list
}

struct Hints<'l> {
    now: &'l Snapshot,
    opened: &'l Opened<'l>,
    list: Vec<InlayHint>,
}

impl Hints<'_> {
    fn shows(&self, kind: &str) -> bool {
        self.now.client.hints.iter().any(|shown| shown == kind)
    }

    fn push(&mut self, at: u32, label: String, kind: Option<InlayHintKind>, is_before: bool) {
        self.list.push(InlayHint {
            position: self.opened.position(at),
            label: Label::String(label),
            kind,
            text_edits: None,
            tooltip: None,
            padding_left: Some(!is_before),
            padding_right: Some(is_before),
            data: None,
        });
    }

    /// Adds the hints in the words of a node.
    fn node(&mut self, node: &Node) {
        if matches!(node.kind, Keyword::Action | Keyword::Use) {
            self.arguments(node);
        }
        let is_time =
            matches!(node.kind, Keyword::Wait | Keyword::Delay | Keyword::Cooldown | Keyword::Timeout);
        let document = self.opened.file.document();
        let places = places(document, node);
        let last = places.last().map(|(_, end)| *end);
        if let Some(end) = last.filter(|end| is_time && *end == node.header_end && self.shows("units")) {
            self.push(end, "ms, s?".to_owned(), None, false);
        }
    }

    /// Adds the count of a node behind its words.
    fn live(&mut self, live: &LiveNodes<'_>, node: &Node) {
        if let Some((label, tooltip)) = live.note(self.opened.lines.place_of(node.word)) {
            self.push(node.header_end, label, None, false);
            if let Some(hint) = self.list.last_mut().filter(|_| !tooltip.is_empty()) {
                hint.tooltip = Some(Tooltip::String(tooltip));
            }
        }
    }

    /// Adds the names of the parameters of a call, and conversions of its arguments.
    fn arguments(&mut self, node: &Node) {
        let document = self.opened.file.document();
        let Some(subject) = node.subject else { return };
        let space = if node.kind == Keyword::Action { Space::Action } else { Space::Tree };
        let symbol = Symbol { space, name: document.slice(subject).into() };
        let Some((_, declaration)) = self.now.project.declaration(&self.opened.name, &symbol) else { return };
        let params = declaration.params.clone();
        for ((place, Parameter { name, ty, .. }), operand) in
            places(document, node).iter().zip(&params).zip(&node.operands)
        {
            // A name that says the same needs no hint.
            if self.shows("names") && document.slice(*place) != &**name {
                self.push(place.0, format!("{name}:"), Some(InlayHintKind::Parameter), true);
            }
            let given = self.now.project.type_of(&self.opened.name, document, document.ops(*operand));
            if self.shows("conversions") && given == Type::Int && Type::named(ty) == Type::Float {
                self.push(place.1, "as float".to_owned(), Some(InlayHintKind::Type), false);
            }
        }
    }

    /// Adds the values of constants.
    fn values(&mut self, (start, end): (u32, u32)) {
        let name = self.opened.name.clone();
        let reads = self.opened.file.mentions().iter().filter(|it| {
            it.access == Access::Reads && it.space == Space::Value && start <= it.range.0 && it.range.1 <= end
        });
        let reads: Vec<_> = reads.cloned().collect();
        let known = OnceCell::new();
        for mention in reads {
            let symbol = self.now.project.resolve(&name, &mention);
            let declaration = self.now.project.declaration(&name, &symbol);
            if declaration.is_none_or(|(_, it)| it.kind != DeclarationKind::Constant) {
                continue;
            }
            let constants = known.get_or_init(|| self.now.project.constants(&name));
            if let Some(value) = constants.get(&*mention.name) {
                self.push(mention.range.1, format!("= {value}"), None, false);
            }
        }
    }
}
