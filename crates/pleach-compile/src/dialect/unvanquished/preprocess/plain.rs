//! The straight way, for tokens that need nothing done to them: nearly all of a tree.
//!
//! What needs more (a directive, a macro, a string that may be joined to what follows) is left where it stands, for
//! [`Preprocessor::read`] to read again. This way decides nothing, it only saves time: without it, the same tokens
//! come out.

use super::{Keyword, Preprocessor, Session};
use crate::dialect::unvanquished::lexer::Sinks;
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
        loop {
            let before = reader.position();
            let Some(mut token) = reader.plain() else { break };
            if let Lexeme::Name(name) = token.lexeme {
                match self.shared.macros.integer(name) {
                    Err(()) => {
                        reader.back_to(before);
                        break;
                    }
                    Ok(Some(value)) => token.lexeme = Lexeme::Number(value),
                    Ok(None) if self.words.get(name, reader.names()).keyword == Some(Keyword::Enum) => {
                        reader.back_to(before);
                        break;
                    }
                    Ok(None) => {}
                }
            }
            list.push(token);
        }
        let position = reader.position();
        script.cursor.move_to(position);
    }
}
