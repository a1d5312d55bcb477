//! Kinds of the names in a file, for colors.

use crate::snapshot::Snapshot;
use crate::text::path_of;
use gen_lsp_types::{
    SemanticToken, SemanticTokens, SemanticTokensDelta, SemanticTokensDeltaParams,
    SemanticTokensDeltaResponse, SemanticTokensEdit, SemanticTokensParams,
};
use pleach_edit::{Access, DeclarationKind, Space};
use std::collections::HashMap;

/// Types of tokens, by their index.
pub(crate) const TYPES: &[&str] = &[
    "variable",
    "groupVariable",
    "worldVariable",
    "property",
    "parameter",
    "constant",
    "function",
    "query",
    "class",
    "event",
    "enum",
    "enumMember",
    "comment",
];

/// Modifiers of tokens, by their bit.
pub(crate) const MODIFIERS: &[&str] = &["declaration", "readonly", "modification"];

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
        let kind = now.project.declaration(name, &symbol).map(|(_, declaration)| declaration.kind);
        let Some(ty) = token_type(&symbol.space, kind) else { continue };
        let range = lines.range(mention.range);
        if range.start.line != range.end.line {
            continue;
        }
        let modifiers = match mention.access {
            Access::Declares => 1,
            Access::Reads => 0,
            Access::Writes => 4,
        };
        let constant = matches!(
            kind,
            Some(DeclarationKind::Constant | DeclarationKind::Symbol | DeclarationKind::Member)
        );
        let delta_line = range.start.line - line;
        list.push(SemanticToken {
            delta_line,
            delta_start: range.start.character - if delta_line == 0 { start } else { 0 },
            length: range.end.character - range.start.character,
            token_type: ty,
            token_modifiers_bitset: modifiers | if constant { 2 } else { 0 },
        });
        (line, start) = (range.start.line, range.start.character);
    }
    Some(list)
}

/// Returns the type of a token. A name without a declaration has none, so that a typing error
/// shows.
fn token_type(space: &Space, kind: Option<DeclarationKind>) -> Option<u32> {
    use DeclarationKind as Kind;
    let name = match kind? {
        Kind::Action => "function",
        Kind::Query => "query",
        Kind::Variable => "variable",
        Kind::GroupVariable => "groupVariable",
        Kind::WorldVariable => "worldVariable",
        Kind::TreeVariable => "property",
        Kind::Parameter => "parameter",
        Kind::Constant | Kind::Symbol => "constant",
        Kind::Enum => "enum",
        Kind::Member => "enumMember",
        Kind::Event => "event",
        Kind::Tree => "class",
    };
    debug_assert!(*space != Space::Tree || name == "class");
    TYPES.iter().position(|known| *known == name).map(|index| index as u32)
}
