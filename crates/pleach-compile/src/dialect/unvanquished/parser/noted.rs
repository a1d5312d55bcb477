//! Unknown names of the host, noted for a starter instead of being told.

use super::arguments::argument;
use super::{Kind, Lexeme, Parser, Punct, Token, Type, Value, spelling};
use crate::manifest::{Inside, Unknown};

/// Advice for a name that is not declared.
pub(super) const DECLARE: &str = "declare it in a manifest; `pleach manifest` writes one to begin with";

impl Parser<'_, '_, '_> {
    /// Notes a name with the arguments behind it, and passes over them. Returns false if no starter
    /// is made.
    pub(super) fn noted(&mut self, kind: Kind, name: &Token) -> bool {
        if self.session.starter.is_none() || !matches!(name.lexeme, Lexeme::Name(_)) {
            return false;
        }
        let called = self.stands(Punct::Open);
        let text = String::from_utf8_lossy(&spelling(self.session, name)).into_owned();
        let is_symbol = kind == Kind::Query && !called && is_constant(&text);
        let first = self.state.at;
        self.skip_arguments();
        let mut values = Vec::new();
        let mut negative = false;
        for at in first..self.state.at.min(self.room.tokens.len()) {
            let token = self.room.tokens[at];
            match token.lexeme {
                Lexeme::Name(_) => {
                    self.note(Kind::Symbol, &token, Vec::new());
                    values.push(Type::Int);
                }
                _ => {
                    let mut read = Vec::new();
                    argument(&token, &mut negative, &mut read);
                    values.extend(read.into_iter().map(ty));
                }
            }
        }
        self.note(if is_symbol { Kind::Symbol } else { kind }, name, values);
        true
    }

    fn note(&mut self, kind: Kind, name: &Token, values: Vec<Type>) {
        let name_text = String::from_utf8_lossy(&spelling(self.session, name)).into_owned();
        let arguments = (1..).zip(values).map(|(number, ty)| (format!("value{number}"), ty)).collect();
        let unknown = Unknown { kind, name: name_text, inside: Inside::Nothing, arguments };
        self.session.note(unknown, name.span);
    }
}

/// Returns true for a name that is written as constants are: without small letters.
fn is_constant(name: &str) -> bool {
    name.bytes().any(|byte| byte.is_ascii_uppercase()) && !name.bytes().any(|byte| byte.is_ascii_lowercase())
}

fn ty(value: Value) -> Type {
    match value {
        Value::Float(_) => Type::Float,
        Value::Text(_) => Type::Text,
        _ => Type::Int,
    }
}
