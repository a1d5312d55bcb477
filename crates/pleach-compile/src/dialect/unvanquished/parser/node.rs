//! The nine kinds of node.

use super::expression::operator_word;
use super::{
    Block, DECLARE, DECORATORS, Diagnostic, Keyword, Kind, Lexeme, Parser, Punct, Span, Sym, Taker, Token,
    Value, codes, did_you_mean, quoted,
};

impl Parser<'_, '_, '_> {
    /// Reads a node as far as its children, which follow as steps of their own. Gives
    /// the name of a tree to include.
    pub(super) fn node(&mut self) -> Option<Token> {
        let token = self.peek()?;
        let span = token.span;
        let Some(keyword) = self.word(&token).keyword.filter(|keyword| keyword.begins_node()) else {
            self.no_node(token);
            return None;
        };
        self.state.at += 1;
        match keyword {
            Keyword::Action => self.action(span),
            Keyword::Condition => self.condition(span),
            Keyword::Decorator => self.decorator(span),
            Keyword::SpawnAs => self.spawn(span),
            Keyword::Behavior => return self.behavior(span),
            list => {
                let node = self.add(self.words.keyword(list), None, (0, 0), span);
                self.open(Block::List, Some(node), span);
            }
        }
        None
    }

    fn no_node(&mut self, token: Token) {
        let shown = quoted(self.session, &token);
        let known = Keyword::ALL.iter().filter(|keyword| keyword.begins_node()).map(|keyword| keyword.text());
        let advice = match (self.word(&token).keyword, token.lexeme) {
            (Some(Keyword::SelectClass), _) => {
                Some("`selectClass` must be the first thing in a file".to_owned())
            }
            (_, Lexeme::Punct(Punct::Assign)) => Some("`==`, `<=` and `>=` compare".to_owned()),
            (_, Lexeme::Punct(Punct::Minus)) if self.after_tree_name() => {
                Some("a tree's name with `-` in it must stand in quotes".to_owned())
            }
            _ => operator_word(self.session, &token).or_else(|| did_you_mean(self.session, &token, known)),
        };
        let finding = Diagnostic::new(codes::UNKNOWN_NODE, token.span, format!("{shown} begins no node"));
        self.error(finding.advised(advice));
        self.state.disordered |= self.open_frames() == 1;
        if !self.spells(&token, Punct::OpenBrace) {
            self.state.at += 1;
        }
        self.recover();
    }

    /// Returns true if the token before is the name of an included tree.
    fn after_tree_name(&mut self) -> bool {
        let keyword = self.state.at.checked_sub(2).and_then(|at| self.room.tokens.get(at)).copied();
        keyword.is_some_and(|token| self.word(&token).keyword == Some(Keyword::Behavior))
    }

    /// Returns the token after a keyword, which must name something.
    fn subject(&mut self, keyword: Span, what: &str) -> Option<Token> {
        let next = self.peek();
        match next {
            None => {
                let message = format!("the file ends where the name of {what} should stand");
                self.unexpected_end(keyword, &message);
            }
            Some(_) => self.state.at += 1,
        }
        next
    }

    /// `action NAME`, `action NAME(arguments)`
    fn action(&mut self, keyword: Span) {
        let Some(name) = self.subject(keyword, "an action") else { return };
        let span = keyword.to(name.span);
        let Some(index) = self.word(&name).action else {
            if self.noted(Kind::Action, &name) {
                return;
            }
            let known = self.session.manifest.actions.iter().map(|action| action.name.as_str());
            let message = format!("{} is no action", quoted(self.session, &name));
            let finding = Diagnostic::new(codes::UNKNOWN_ACTION, name.span, message);
            let advice = match self.word(&name).query {
                Some(_) => Some("it is a query, which a `condition` asks".to_owned()),
                None => did_you_mean(self.session, &name, known).or_else(|| Some(DECLARE.to_owned())),
            };
            return self.unknown(finding.advised(advice), name);
        };
        let taker = Taker::function(&self.session.manifest.actions[usize::from(index)], name.span);
        let Some(args) = self.arguments(&taker) else { return };
        let (keyword, action) = (self.words.keyword(Keyword::Action), self.words.actions[usize::from(index)]);
        self.add(keyword, Some(action), args, span);
    }

    /// Reports an unknown name and passes over its arguments.
    pub(super) fn unknown(&mut self, finding: Diagnostic, name: Token) {
        self.error(finding);
        let brace = self.spells(&name, Punct::OpenBrace) || self.spells(&name, Punct::CloseBrace);
        if brace || self.word(&name).keyword.is_some_and(Keyword::begins_node) {
            self.state.at -= 1;
        } else {
            self.skip_arguments();
        }
    }

    /// `condition EXPRESSION`, `condition EXPRESSION { child }`
    fn condition(&mut self, keyword: Span) {
        let sym = self.words.keyword(Keyword::Condition);
        let node = self.add(sym, None, (0, 0), keyword);
        let expression = self.expression(self.state.at - 1);
        self.room.nodes[node as usize].condition = expression;
        if expression.is_none() {
            self.recover_to_block();
        }
        if self.stands(Punct::OpenBrace) {
            self.state.at += 1;
            self.push(Block::Single, Some(node), keyword);
        } else if self.state.at >= self.room.tokens.len() {
            let message =
                "the file ends after this condition; one without a child cannot be the last thing in it";
            self.unexpected_end(keyword, message);
        }
    }

    /// Passes over the rest of a condition that could not be read, up
    /// to its block or the next node.
    fn recover_to_block(&mut self) {
        while let Some(token) = self.peek() {
            let keyword = self.word(&token).keyword;
            let brace = self.spells(&token, Punct::OpenBrace) || self.spells(&token, Punct::CloseBrace);
            if brace || keyword.is_some_and(Keyword::begins_node) {
                return;
            }
            self.state.at += 1;
        }
    }

    /// `decorator NAME(arguments) { child }`
    fn decorator(&mut self, keyword: Span) {
        let Some(name) = self.subject(keyword, "a decorator") else { return };
        let span = keyword.to(name.span);
        let sym = self.words.keyword(Keyword::Decorator);
        let Some(index) = self.word(&name).decorator else {
            let known = DECORATORS.iter().map(|decorator| decorator.name);
            let message = format!("{} is no decorator", quoted(self.session, &name));
            let finding = Diagnostic::new(codes::UNKNOWN_DECORATOR, name.span, message);
            let advice = did_you_mean(self.session, &name, known);
            self.unknown(finding.advised(advice), name);
            self.recover_to_block();
            return self.maybe_block(span);
        };
        let decorator = DECORATORS[usize::from(index)];
        let next = self.room.tokens.get(self.state.at);
        let opens = next.is_some_and(|next| self.parenthesis(next) == Some(Punct::Open));
        if decorator.arity == 0 && !opens {
            let message = format!("`decorator {}` without `()` does not take its child", decorator.name);
            let finding = Diagnostic::new(codes::BARE_DECORATOR, span, message);
            self.error(finding.help(format!("write `{}()`", decorator.name)));
            return self.maybe_block(span);
        }
        let taker = Taker::exactly(decorator.name, decorator.arity, name.span);
        let Some(args) = self.arguments(&taker) else {
            self.recover_to_block();
            return self.maybe_block(span);
        };
        let node = self.add(sym, Some(self.words.decorators[usize::from(index)]), args, span);
        self.open(Block::Single, Some(node), span);
    }

    /// Enters the block of a node that could not be read, if it has one.
    fn maybe_block(&mut self, head: Span) {
        if self.stands(Punct::OpenBrace) {
            self.state.at += 1;
            self.push(Block::Any, None, head);
        }
    }

    /// `spawnAs NUMBER`, of which the integer part counts.
    fn spawn(&mut self, keyword: Span) {
        let Some(Token { lexeme: Lexeme::Number(number), span, .. }) = self.peek() else {
            let finding = Diagnostic::new(codes::EXPECTED, keyword, "`spawnAs` needs a number after it");
            self.error(finding.help("write it without parentheses and without a sign"));
            return self.recover();
        };
        self.state.at += 1;
        let args = self.file.arguments(&[Value::Int(number.int)]);
        let sym = self.words.keyword(Keyword::SpawnAs);
        self.add(sym, None, args, keyword.to(span));
    }

    /// `behavior NAME`: any token names a tree.
    fn behavior(&mut self, keyword: Span) -> Option<Token> {
        let name = self.subject(keyword, "a behavior")?;
        let sym = self.words.keyword(Keyword::Behavior);
        self.add(sym, None, (0, 0), keyword.to(name.span));
        Some(name)
    }

    /// The answer to [`super::Pause::Include`]: the tree's name, or why there is none.
    pub(in crate::dialect::unvanquished) fn include(&mut self, answer: Result<Sym, Diagnostic>) {
        match answer {
            Ok(name) => {
                if let Some(node) = self.room.nodes.last_mut() {
                    node.subject = Some(name);
                }
            }
            Err(finding) => self.error(finding),
        }
    }
}
