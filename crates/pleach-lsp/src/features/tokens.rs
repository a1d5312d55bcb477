//! Kinds of the names in a file, for colors.

use crate::snapshot::Snapshot;
use crate::text::path_of;
use gen_lsp_types::{
    SemanticToken, SemanticTokens, SemanticTokensDelta, SemanticTokensDeltaParams,
    SemanticTokensDeltaResponse, SemanticTokensEdit, SemanticTokensParams,
};
use pleach_edit::{Access, DeclarationKind};
use std::collections::HashMap;

/// Types of tokens, by their index. All are types of the protocol, so every editor has colors for
/// them.
pub(crate) const TYPES: &[&str] =
    &["variable", "property", "parameter", "function", "class", "event", "enum", "enumMember"];

/// Modifiers of tokens, by their bit. The first three are modifiers of the protocol. The others
/// tell what the types of the protocol do not tell: variables of groups and of the world, and
/// queries.
pub(crate) const MODIFIERS: &[&str] = &["declaration", "readonly", "modification", "group", "world", "query"];

/// Tokens that the client has, by file.
#[derive(Default)]
pub(crate) struct Memory {
    sent: HashMap<String, (u64, Vec<SemanticToken>)>,
}

impl Memory {
    pub(crate) fn full(&mut self, now: &Snapshot, params: &SemanticTokensParams) -> Option<SemanticTokens> {
        let name = path_of(&params.text_document.uri.0)?;
        let data = tokens(now, &name)?;
        let id = now.project.file(&name)?.revision();
        self.sent.insert(name, (id, data.clone()));
        self.sent.retain(|name, _| now.project.file(name).is_some());
        Some(SemanticTokens { result_id: Some(id.to_string()), data })
    }

    /// Returns the difference to the tokens that the client has, or all tokens if these are
    /// unknown.
    pub(crate) fn delta(
        &mut self,
        now: &Snapshot,
        params: &SemanticTokensDeltaParams,
    ) -> Option<SemanticTokensDeltaResponse> {
        let name = path_of(&params.text_document.uri.0)?;
        let old = self.sent.remove(&name).filter(|(id, _)| id.to_string() == params.previous_result_id);
        let data = tokens(now, &name)?;
        let id = now.project.file(&name)?.revision();
        self.sent.insert(name, (id, data.clone()));
        let result_id = Some(id.to_string());
        let Some((_, old)) = old else {
            return Some(SemanticTokensDeltaResponse::SemanticTokens(SemanticTokens { result_id, data }));
        };
        let front = old.iter().zip(&data).take_while(|(old, new)| old == new).count();
        let rest = old[front..].iter().rev().zip(data[front..].iter().rev());
        let back = rest.take_while(|(old, new)| old == new).count();
        let numbers = data[front..data.len() - back].iter().flat_map(|it| {
            [it.delta_line, it.delta_start, it.length, it.token_type, it.token_modifiers_bitset]
        });
        let edit = SemanticTokensEdit {
            start: front as u32 * 5,
            delete_count: (old.len() - back - front) as u32 * 5,
            data: Some(numbers.collect()),
        };
        let is_same = edit.delete_count == 0 && edit.data.as_ref().is_none_or(Vec::is_empty);
        let edits = if is_same { Vec::new() } else { vec![edit] };
        Some(SemanticTokensDeltaResponse::SemanticTokensDelta(SemanticTokensDelta { result_id, edits }))
    }
}

/// Returns the tokens of a file.
fn tokens(now: &Snapshot, name: &str) -> Option<Vec<SemanticToken>> {
    let file = now.project.file(name)?;
    let lines = now.lines(name);
    let mut list = Vec::new();
    let (mut line, mut start) = (0, 0);
    for mention in file.mentions() {
        let symbol = now.project.resolve(name, mention);
        // A name without a declaration has no token, so that a typing error shows.
        let Some((_, declaration)) = now.project.declaration(name, &symbol) else { continue };
        let (ty, own) = type_and_modifier(declaration.kind);
        let by_access = match mention.access {
            Access::Declares => Some("declaration"),
            Access::Reads => None,
            Access::Writes => Some("modification"),
        };
        let range = lines.range(mention.range);
        if range.start.line != range.end.line {
            continue;
        }
        let delta_line = range.start.line - line;
        list.push(SemanticToken {
            delta_line,
            delta_start: range.start.character - if delta_line == 0 { start } else { 0 },
            length: range.end.character - range.start.character,
            token_type: index(TYPES, ty),
            token_modifiers_bitset: [by_access, own]
                .into_iter()
                .flatten()
                .map(|it| 1 << index(MODIFIERS, it))
                .sum(),
        });
        (line, start) = (range.start.line, range.start.character);
    }
    Some(list)
}

/// Returns the type of a token, and the modifier that tells its kind from others of this type.
fn type_and_modifier(kind: DeclarationKind) -> (&'static str, Option<&'static str>) {
    use DeclarationKind as Kind;
    match kind {
        Kind::Action => ("function", None),
        Kind::Query => ("function", Some("query")),
        Kind::Variable => ("variable", None),
        Kind::GroupVariable => ("variable", Some("group")),
        Kind::WorldVariable => ("variable", Some("world")),
        Kind::TreeVariable => ("property", None),
        Kind::Parameter => ("parameter", None),
        Kind::Constant | Kind::Tunable | Kind::AgentTunable | Kind::Symbol => ("variable", Some("readonly")),
        Kind::Enum => ("enum", None),
        Kind::Member => ("enumMember", Some("readonly")),
        Kind::Event => ("event", None),
        Kind::Tree => ("class", None),
    }
}

/// Returns the index of a name in a list that has the name.
fn index(list: &[&str], name: &str) -> u32 {
    list.iter().take_while(|known| **known != name).count() as u32
}
