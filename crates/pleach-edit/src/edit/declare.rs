//! A declaration for a name without one: `declare`.

use super::arguments::places;
use super::{Place, Refusal, refused};
use crate::change::Replacement;
use crate::document::{Item, ItemKind, Mention, Node, Space};
use crate::project::{Type, operand_start};
use pleach_compile::internals::language::{Keyword, Op, OpKind};
use serde::{Deserialize, Serialize};

/// Kind of a new declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DeclareKind {
    /// `action`
    Action,
    /// `query`
    Query,
    /// `var`
    Variable,
    /// `const`
    Constant,
    /// `on`
    Event,
    /// `tree`
    Tree,
}

impl DeclareKind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Action, Self::Query, Self::Variable, Self::Constant, Self::Event, Self::Tree];

    /// Returns the keyword of the declaration.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Action => "action",
            Self::Query => "query",
            Self::Variable => "var",
            Self::Constant => "const",
            Self::Event => "on",
            Self::Tree => "tree",
        }
    }

    fn item(self) -> ItemKind {
        match self {
            Self::Action => ItemKind::Action,
            Self::Query => ItemKind::Query,
            Self::Variable => ItemKind::Variable,
            Self::Constant => ItemKind::Constant,
            Self::Event => ItemKind::Handler,
            Self::Tree => ItemKind::Tree,
        }
    }
}

pub(super) fn declare(place: Place<'_>, at: u32, kind: DeclareKind) -> Result<Vec<Replacement>, Refusal> {
    let file = place.project.file(place.file);
    let Some(mention) = file.and_then(|file| file.mention_at(at)) else {
        return refused("there is no name here");
    };
    let symbol = place.project.resolve(place.file, mention);
    if place.project.declaration(place.file, &symbol).is_some() {
        return refused(format!("`{}` is declared already", mention.name));
    }
    let text = declaration(place, mention, kind)?;
    let items = place.document.items();
    let own = place.document.item_at(at).unwrap_or_default();
    if kind == DeclareKind::Tree {
        let Some(item) = items.get(own) else { return refused("there is no declaration here") };
        let (_, end) = place.document.with_comments((item.start, item.end));
        return Ok(vec![Replacement::insert(end, format!("\n\n{text}"))]);
    }
    let same = items[..own].iter().rfind(|item| item.kind == kind.item());
    let plain = |item: &&Item| !matches!(item.kind, ItemKind::Tree | ItemKind::Handler);
    if let Some(item) = same.or_else(|| items[..own].iter().rfind(plain)) {
        let (_, end) = place.document.with_comments((item.start, item.end));
        let gap = if item.kind == kind.item() { "\n" } else { "\n\n" };
        return Ok(vec![Replacement::insert(end, format!("{gap}{text}"))]);
    }
    let start = items.get(own).map_or(0, |item| place.document.with_comments((item.start, item.end)).0);
    Ok(vec![Replacement::insert(start, format!("{text}\n\n"))])
}

/// Returns the text of a declaration.
fn declaration(place: Place<'_>, mention: &Mention, kind: DeclareKind) -> Result<String, Refusal> {
    let name = &mention.name;
    let wrong = || refused(format!("`{name}` cannot be declared with `{}`", kind.word()));
    let document = place.document;
    let node = document.node_at(mention.range.0).map(|node| &document.nodes()[node]);
    match (kind, &mention.space, node) {
        (DeclareKind::Action, Space::Action, Some(node)) => {
            Ok(format!("action {name}{}", parameters(place, node, "arg")))
        }
        (DeclareKind::Tree, Space::Tree, Some(node)) => {
            Ok(format!("tree {name}{}\n{{\n\tsuccess\n}}", parameters(place, node, "param")))
        }
        (DeclareKind::Event, Space::Event, _) => Ok(format!("on {name} {{ }}")),
        (DeclareKind::Query | DeclareKind::Variable | DeclareKind::Constant, Space::Value, node) => {
            value(place, mention, kind, node).map_or_else(wrong, Ok)
        }
        _ => wrong(),
    }
}

/// Returns parameters for the arguments of a call.
fn parameters(place: Place<'_>, node: &Node, name: &str) -> String {
    let count = places(place.document, node).len();
    let types = node
        .operands
        .iter()
        .take(count)
        .map(|operand| place.project.type_of(place.file, place.document, place.document.ops(*operand)));
    listed(types, name)
}

fn listed(types: impl Iterator<Item = Type>, name: &str) -> String {
    let params: Vec<String> =
        (1..).zip(types).map(|(number, ty)| format!("{name}{number}: {}", ty.word())).collect();
    if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) }
}

/// Returns the declaration of a value, if it can be of this kind.
fn value(place: Place<'_>, mention: &Mention, kind: DeclareKind, node: Option<&Node>) -> Option<String> {
    let (name, document) = (&mention.name, place.document);
    let is_target = node.is_some_and(|node| node.kind == Keyword::Set && node.subject == Some(mention.range));
    let operands = node.into_iter().flat_map(|node| node.operands.iter().chain(&node.weight));
    let mut expressions = operands.map(|operand| document.ops(*operand));
    let around = expressions.find(|ops| ops.iter().any(|op| op.place == mention.range)).unwrap_or_default();
    let call = around.iter().position(|op| op.place == mention.range && op.kind == OpKind::Call);
    let ty = match node {
        Some(node) if is_target => {
            let assigned = node.operands.first().map(|operand| document.ops(*operand)).unwrap_or_default();
            place.project.type_of(place.file, document, assigned)
        }
        Some(node) if is_condition(node.kind) => {
            place.project.type_beside(place.file, document, around, mention.range.0)
        }
        _ => Type::Int,
    };
    match kind {
        DeclareKind::Query if !is_target => {
            let params = call.map(|call| listed(arguments(place, around, call).into_iter(), "arg"));
            Some(format!("query {name}{}: {}", params.unwrap_or_default(), ty.word()))
        }
        DeclareKind::Variable if call.is_none() => Some(format!("var {name}: {}", ty.word())),
        DeclareKind::Constant if call.is_none() && !is_target => {
            let zero = match ty {
                Type::Bool => "false",
                Type::Float | Type::Double => "0.0",
                Type::Enum(_) | Type::Entity(_) | Type::Text | Type::Vec2 | Type::Vec3 => return None,
                Type::Int | Type::Int64 | Type::Unknown => "0",
            };
            Some(format!("const {name} = {zero}"))
        }
        _ => None,
    }
}

fn is_condition(kind: Keyword) -> bool {
    matches!(kind, Keyword::Condition | Keyword::If | Keyword::While)
}

/// Returns the types of the arguments of the call at an index.
fn arguments(place: Place<'_>, ops: &[Op], call: usize) -> Vec<Type> {
    let (mut types, mut end) = (Vec::new(), call);
    for _ in 0..ops[call].count {
        let start = operand_start(ops, end);
        types.push(place.project.type_of(place.file, place.document, &ops[start..end]));
        end = start;
    }
    types.reverse();
    types
}
