//! The straight way, for tokens that need nothing done to them: nearly all of a tree.
//!
//! What needs more (a directive, a string that may be joined to what follows) is left where it stands, for
//! [`Preprocessor::read`] to read again; the name of a macro is handed over, since nothing depends on the space before
//! it. This way decides nothing, it only saves time: without it, the same tokens
//! come out.

use super::macros::Standing;
use super::{Keyword, Preprocessor, Session};
use crate::dialect::unvanquished::lexer::Sinks;
use crate::dialect::unvanquished::number::Number;
use crate::dialect::unvanquished::token::{Lexeme, Token};

impl Preprocessor<'_, '_> {
    /// Reads tokens into the list as long as it is plain what they are.
    pub(super) fn read_plain(&mut self, list: &mut Vec<Token>) {
        let Some(script) = self.scripts.last_mut() else { return };
        if !self.unread.is_empty() || self.skipping > 0 || self.semicolons > 0 {
            return;
        }
        let Session { sources, names, diagnostics, .. } = &mut *self.session;
        let sinks = Sinks { names, lexicon: &mut self.shared.lexicon, notes: diagnostics };
        let mut reader = script.cursor.read(sources.get(script.source), sinks);
        let mut position = reader.position();
        while let Some(mut token) = reader.plain() {
            if let Lexeme::Name(name) = token.lexeme {
                let is_enum = || self.words.get(name, reader.names()).keyword == Some(Keyword::Enum);
                match self.shared.macros.standing(name, is_enum) {
                    Standing::Word => {}
                    Standing::Number(value) => token.lexeme = Lexeme::Number(Number::symbol(value)),
                    _ => {
                        position = reader.position();
                        self.unread.push(token);
                        break;
                    }
                }
            }
            position = reader.position();
            list.push(token);
        }
        script.cursor.move_to(position);
    }
}
