//! The nine kinds of node.

use super::arguments::Taker;
use super::expression::operator_word;
use super::noted::DECLARE;
use super::{
    Block, Context, DECORATORS, Keyword, Lexeme, Parser, Punct, Token, advised, codes, did_you_mean, quoted,
};
use crate::ast::{Arg, Value};
use crate::diagnostic::Diagnostic;
use crate::manifest::Kind;
use crate::source::Span;
use crate::text::Sym;

impl Parser {
    /// Reads a node as far as its children, which follow as steps of their own. Gives the name of a tree to include.
    pub(super) fn node(&mut self, context: &mut Context<'_, '_>) -> Option<Token> {
        let token = self.tokens.get(self.at)?;
        let span = token.span;
        let Some(keyword) = self.word(token, context).keyword.filter(|keyword| keyword.begins_node()) else {
            self.no_node(*token, context);
            return None;
        };
        self.at += 1;
        match keyword {
            Keyword::Action => self.action(span, context),
            Keyword::Condition => self.condition(span, context),
            Keyword::Decorator => self.decorator(span, context),
            Keyword::SpawnAs => self.spawn(span, context),
            Keyword::Behavior => return self.behavior(span, context),
            list => {
                let node = self.add(context.words.keyword(list), None, (0, 0), span);
                self.open(Block::List, Some(node), span, context);
            }
        }
        None
    }

    fn no_node(&mut self, token: Token, context: &mut Context<'_, '_>) {
        let shown = quoted(context.session, &token);
        let known =
            Keyword::ALL.iter().filter(|keyword| keyword.begins_node()).map(|keyword| keyword.spelling());
        let advice = match (self.word(&token, context).keyword, token.lexeme) {
            (Some(Keyword::SelectClass), _) => {
                Some("`selectClass` must be the first thing in a file".to_owned())
            }
            (_, Lexeme::Punct(Punct::Assign)) => Some("`==`, `<=` and `>=` compare".to_owned()),
            (_, Lexeme::Punct(Punct::Minus)) if self.after_tree_name(context) => {
                Some("a tree's name with `-` in it must stand in quotes".to_owned())
            }
            _ => operator_word(context, &token).or_else(|| did_you_mean(context, &token, known)),
        };
        let finding =
            Diagnostic::new(codes::UNKNOWN_NODE, Some(token.span), format!("{shown} begins no node"));
        self.error(advised(finding, advice), context);
        self.disordered |= self.frames.len() == 1;
        if !self.spells(&token, Punct::OpenBrace, context) {
            self.at += 1;
        }
        self.recover(context);
    }

    /// Whether the token before is the name of a tree that is included.
    fn after_tree_name(&self, context: &mut Context<'_, '_>) -> bool {
        let keyword = self.at.checked_sub(2).and_then(|at| self.tokens.get(at));
        keyword.is_some_and(|token| self.word(token, context).keyword == Some(Keyword::Behavior))
    }

    /// The token after a keyword, which must name something.
    fn subject(&mut self, keyword: Span, what: &str, context: &mut Context<'_, '_>) -> Option<Token> {
        let next = self.peek();
        match next {
            None => {
                let message = format!("the file ends where the name of {what} should stand");
                self.unexpected_end(keyword, &message, context);
            }
            Some(_) => self.at += 1,
        }
        next
    }

    /// `action NAME`, `action NAME(arguments)`
    fn action(&mut self, keyword: Span, context: &mut Context<'_, '_>) {
        let Some(name) = self.subject(keyword, "an action", context) else { return };
        let span = keyword.to(name.span);
        let Some(index) = self.word(&name, context).action else {
            if self.noted(Kind::Action, &name, context) {
                return;
            }
            let known = context.session.manifest.actions.iter().map(|action| action.name.as_str());
            let message = format!("{} is no action", quoted(context.session, &name));
            let finding = Diagnostic::new(codes::UNKNOWN_ACTION, Some(name.span), message);
            let advice = match self.word(&name, context).query {
                Some(_) => Some("it is a query, which a `condition` asks".to_owned()),
                None => did_you_mean(context, &name, known).or_else(|| Some(DECLARE.to_owned())),
            };
            return self.unknown(advised(finding, advice), name, context);
        };
        let taker = Taker::function(&context.session.manifest.actions[usize::from(index)], name.span);
        let Some(args) = self.arguments(&taker, context) else { return };
        let (keyword, action) = (context.words.keyword(Keyword::Action), context.words.action(index));
        self.add(keyword, Some(action), args, span);
    }

    /// Reports an unknown name and passes over its arguments.
    pub(super) fn unknown(&mut self, finding: Diagnostic, name: Token, context: &mut Context<'_, '_>) {
        self.error(finding, context);
        let brace =
            self.spells(&name, Punct::OpenBrace, context) || self.spells(&name, Punct::CloseBrace, context);
        if brace || self.word(&name, context).keyword.is_some_and(Keyword::begins_node) {
            self.at -= 1;
        } else {
            self.skip_arguments(context);
        }
    }

    /// `condition EXPRESSION`, `condition EXPRESSION { child }`
    fn condition(&mut self, keyword: Span, context: &mut Context<'_, '_>) {
        let sym = context.words.keyword(Keyword::Condition);
        let node = self.add(sym, None, (0, 0), keyword);
        let expression = self.expression(self.at - 1, context);
        self.nodes[node as usize].condition = expression;
        if expression.is_none() {
            self.recover_to_block(context);
        }
        if self.stands(Punct::OpenBrace, context) {
            self.at += 1;
            self.push(Block::Single, Some(node), keyword);
        } else if self.at >= self.tokens.len() {
            let message =
                "the file ends after this condition; one without a child cannot be the last thing in it";
            self.unexpected_end(keyword, message, context);
        }
    }

    /// Passes over the rest of a condition that could not be read, up to its block or the next node.
    fn recover_to_block(&mut self, context: &mut Context<'_, '_>) {
        while let Some(token) = self.peek() {
            let keyword = self.word(&token, context).keyword;
            let brace = self.spells(&token, Punct::OpenBrace, context)
                || self.spells(&token, Punct::CloseBrace, context);
            if brace || keyword.is_some_and(Keyword::begins_node) {
                return;
            }
            self.at += 1;
        }
    }

    /// `decorator NAME(arguments) { child }`
    fn decorator(&mut self, keyword: Span, context: &mut Context<'_, '_>) {
        let Some(name) = self.subject(keyword, "a decorator", context) else { return };
        let span = keyword.to(name.span);
        let sym = context.words.keyword(Keyword::Decorator);
        let Some(index) = self.word(&name, context).decorator else {
            let known = DECORATORS.iter().map(|decorator| decorator.name);
            let message = format!("{} is no decorator", quoted(context.session, &name));
            let finding = Diagnostic::new(codes::UNKNOWN_DECORATOR, Some(name.span), message);
            let advice = did_you_mean(context, &name, known);
            self.unknown(advised(finding, advice), name, context);
            self.recover_to_block(context);
            return self.maybe_block(span, context);
        };
        let decorator = DECORATORS[usize::from(index)];
        let next = self.tokens.get(self.at);
        let opens = next.is_some_and(|next| self.parenthesis(next, context) == Some(Punct::Open));
        if decorator.arity == 0 && !opens {
            let message = format!("`decorator {}` without `()` does not take its child", decorator.name);
            let finding = Diagnostic::new(codes::BARE_DECORATOR, Some(span), message);
            self.error(finding.help(format!("write `{}()`", decorator.name)), context);
            return self.maybe_block(span, context);
        }
        let taker = Taker::exactly(decorator.name, decorator.arity, name.span);
        let Some(args) = self.arguments(&taker, context) else {
            self.recover_to_block(context);
            return self.maybe_block(span, context);
        };
        let node = self.add(sym, Some(context.words.decorator(index)), args, span);
        self.open(Block::Single, Some(node), span, context);
    }

    /// Enters the block of a node that could not be read, if it has one.
    fn maybe_block(&mut self, head: Span, context: &mut Context<'_, '_>) {
        if self.stands(Punct::OpenBrace, context) {
            self.at += 1;
            self.push(Block::Any, None, head);
        }
    }

    /// `spawnAs NUMBER`, of which the integer part counts.
    fn spawn(&mut self, keyword: Span, context: &mut Context<'_, '_>) {
        let Some(Token { lexeme: Lexeme::Number(number), span, .. }) = self.peek() else {
            let finding =
                Diagnostic::new(codes::EXPECTED, Some(keyword), "`spawnAs` needs a number after it");
            self.error(finding.help("write it without parentheses and without a sign"), context);
            return self.recover(context);
        };
        self.at += 1;
        let first = context.file.args.len() as u32;
        context.file.args.push(Arg { name: None, value: Value::Int(number.int), span });
        let sym = context.words.keyword(Keyword::SpawnAs);
        self.add(sym, None, (first, 1), keyword.to(span));
    }

    /// `behavior NAME`: any token names a tree.
    fn behavior(&mut self, keyword: Span, context: &mut Context<'_, '_>) -> Option<Token> {
        let name = self.subject(keyword, "a behavior", context)?;
        let sym = context.words.keyword(Keyword::Behavior);
        self.add(sym, None, (0, 0), keyword.to(name.span));
        Some(name)
    }

    /// The answer to [`super::Pause::Include`]: the tree's name, or why there is none.
    pub(in crate::dialect::unvanquished) fn include(
        &mut self,
        answer: Result<Sym, Diagnostic>,
        context: &mut Context<'_, '_>,
    ) {
        match answer {
            Ok(name) => {
                if let Some(node) = self.nodes.last_mut() {
                    node.subject = Some(name);
                }
            }
            Err(finding) => self.error(finding, context),
        }
    }
}
