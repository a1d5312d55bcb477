//! Words of a file of the language `pleach`, with the places of trees and their parameters.
//!
//! Rules about names and changes of the text need to know where words are, but not what they mean.
//! A file without errors has only words, numbers, texts, comments and signs.

use hashbrown::HashSet;

/// Piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// True for a word: a name or a keyword.
    pub(crate) is_word: bool,
}

/// Tree of a file: its tokens from the word `tree` up to and including the closing brace.
#[derive(Clone, Debug)]
pub(crate) struct TreeText {
    pub(crate) first: usize,
    pub(crate) last: usize,
    /// Tokens of the names of parameters.
    pub(crate) params: Vec<usize>,
    /// Names of parameters.
    names: HashSet<String>,
    /// Token of the opening brace of the body.
    pub(crate) body: usize,
}

/// Words of a file.
#[derive(Debug)]
pub(crate) struct Tokens {
    text: String,
    pub(crate) list: Vec<Token>,
    /// By token, the token that closes its brace or parenthesis.
    closings: Vec<Option<usize>>,
    pub(crate) trees: Vec<TreeText>,
}

impl Tokens {
    /// Reads a file. Returns none if its text is not UTF-8.
    pub(crate) fn read(text: &[u8]) -> Option<Self> {
        let text = String::from_utf8(text.to_vec()).ok()?;
        let list = tokens(text.as_bytes());
        let mut tokens = Self { text, list, closings: Vec::new(), trees: Vec::new() };
        tokens.closings = tokens.pairs();
        tokens.trees = tokens.trees();
        Some(tokens)
    }

    /// Returns the text of a token; empty behind the last.
    pub(crate) fn text(&self, token: usize) -> &str {
        self.list.get(token).map_or("", |token| &self.text[token.start as usize..token.end as usize])
    }

    /// Returns the first token that begins at or behind a byte.
    pub(crate) fn at(&self, byte: u32) -> usize {
        self.list.partition_point(|token| token.start < byte)
    }

    /// Returns the token that closes the brace or parenthesis at a token.
    pub(crate) fn closing(&self, open: usize) -> Option<usize> {
        self.closings.get(open).copied().flatten()
    }

    /// Returns for each token the token that closes its brace or parenthesis.
    fn pairs(&self) -> Vec<Option<usize>> {
        let (mut closings, mut open) = (vec![None; self.list.len()], Vec::new());
        for token in 0..self.list.len() {
            match self.text(token) {
                "{" | "(" => open.push(token),
                "}" | ")" => {
                    if let Some(first) = open.pop() {
                        closings[first] = Some(token);
                    }
                }
                _ => {}
            }
        }
        closings
    }

    fn trees(&self) -> Vec<TreeText> {
        let (mut trees, mut token) = (Vec::new(), 0);
        while token < self.list.len() {
            let tree = (self.text(token) == "tree").then(|| self.tree(token)).flatten();
            // Braces of other declarations hold no trees.
            let skipped = (self.text(token) == "{").then(|| self.closing(token)).flatten();
            token = tree.as_ref().map(|tree| tree.last).or(skipped).unwrap_or(token) + 1;
            trees.extend(tree);
        }
        trees
    }

    fn tree(&self, first: usize) -> Option<TreeText> {
        let open = first + 2;
        let (mut params, mut body) = (Vec::new(), open);
        if self.text(open) == "(" {
            let close = self.closing(open)?;
            params = (open + 1..close).filter(|token| self.text(token + 1) == ":").collect();
            body = close + 1;
        }
        let names = params.iter().map(|param| self.text(*param).to_owned()).collect();
        Some(TreeText { first, last: self.closing(body)?, params, names, body })
    }

    /// Returns the tree around a byte.
    pub(crate) fn tree_around(&self, byte: u32) -> Option<&TreeText> {
        let token = self.at(byte);
        let next = self.trees.partition_point(|tree| tree.first <= token);
        self.trees.get(next.checked_sub(1)?).filter(|tree| token <= tree.last)
    }

    /// Returns true if the node whose words begin at a byte names a parameter of its tree, before
    /// the block or the end of the node.
    pub(crate) fn mentions_parameter(&self, byte: u32) -> bool {
        let Some(tree) = self.tree_around(byte).filter(|tree| !tree.params.is_empty()) else { return false };
        let words = self.head(byte);
        let named = |token: usize| tree.names.contains(self.text(token));
        let is_choice = words.clone().take(2).any(|token| CHOICES.contains(&self.text(token)));
        let labels = if is_choice { self.labels(words.end) } else { Some(Vec::new()) };
        words.clone().any(named) || labels.is_none_or(|labels| labels.into_iter().any(named))
    }

    /// Returns the tokens of a node before its block, or up to the next node.
    fn head(&self, byte: u32) -> core::ops::Range<usize> {
        let first = self.at(byte);
        let ends = |token: &usize| ["{", "}"].contains(&self.text(*token)) || self.begins_node(*token);
        // A node may begin with two keywords.
        let behind = (first + 2..self.list.len()).find(ends).unwrap_or(self.list.len());
        let next = first + 1;
        first..if ["{", "}"].contains(&self.text(next)) { next } else { behind }
    }

    /// Returns the tokens of the weights, scores or values before the children in a block. Returns
    /// none if the block is long.
    fn labels(&self, open: usize) -> Option<Vec<usize>> {
        let (mut labels, mut depth, mut pending) = (Vec::new(), 0, Vec::new());
        let close = self.closing(open).filter(|close| close - open <= MAX_CHOICE)?;
        for token in open..close {
            match self.text(token) {
                "{" => depth += 1,
                "}" => depth -= 1,
                ":" if depth == 1 => labels.append(&mut pending),
                _ if depth == 1 && self.begins_node(token) => pending.clear(),
                _ if depth == 1 => pending.push(token),
                _ => {}
            }
        }
        Some(labels)
    }

    /// Returns two pieces of the text around what a node's block holds: from the node's first word
    /// to the opening brace, and the closing brace.
    pub(crate) fn block(&self, byte: u32) -> Option<[(u32, u32); 2]> {
        let first = self.at(byte);
        let open = self.head(byte).end;
        if self.text(open) != "{" {
            return None;
        }
        let close = self.closing(open)?;
        let [open, close] = [open, close].map(|token| self.list[token]);
        Some([(self.list[first].start, open.end), (close.start, close.end)])
    }

    /// Returns true if a node begins at a token. `random()` is a function.
    fn begins_node(&self, token: usize) -> bool {
        begins_node(self.text(token)) && self.text(token + 1) != "("
    }

    /// Returns the piece of the text that a leaf takes: its words up to the next node or brace.
    pub(crate) fn leaf(&self, byte: u32) -> Option<(u32, u32)> {
        let words = self.head(byte);
        // The weight of the next child would look like a part of the leaf.
        let is_alone = words.clone().all(|token| self.text(token) != ":");
        let is_whole = is_alone && (self.text(words.end) == "}" || self.begins_node(words.end));
        let last = self.list.get(words.end.checked_sub(1)?)?;
        is_whole.then_some((self.list[words.start].start, last.end))
    }
}

/// Largest number of tokens of a block that is searched for weights, scores and values.
const MAX_CHOICE: usize = 4_096;

/// Words of nodes whose children have weights, scores or values.
const CHOICES: &[&str] = &["random", "utility", "match"];

/// Words that begin a node.
const NODES: &[&str] = &[
    "sequence",
    "selector",
    "reactive",
    "random",
    "parallel",
    "utility",
    "match",
    "condition",
    "if",
    "while",
    "chance",
    "once",
    "cleanup",
    "action",
    "set",
    "wait",
    "success",
    "failure",
    "running",
    "invert",
    "force",
    "repeat",
    "retry",
    "until",
    "cooldown",
    "timeout",
    "delay",
    "limit",
    "use",
    "raise",
];

/// Returns true if a node begins with the word.
pub(crate) fn begins_node(word: &str) -> bool {
    NODES.contains(&word)
}

/// Returns the tokens of a text.
fn tokens(text: &[u8]) -> Vec<Token> {
    let (mut tokens, mut at) = (Vec::new(), 0);
    while at < text.len() {
        let rest = &text[at..];
        let is_word_byte = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
        let until = |sign: &[u8], from: usize| {
            let found = rest[from..].windows(sign.len()).position(|window| window == sign);
            found.map_or(rest.len(), |found| from + found + sign.len())
        };
        let (length, is_token, is_word) = match rest {
            [b'/', b'/', ..] => (until(b"\n", 2), false, false),
            [b'/', b'*', ..] => (until(b"*/", 2), false, false),
            [b'"', ..] => (string(rest), true, false),
            [byte, ..] if byte.is_ascii_whitespace() => (1, false, false),
            [byte, ..] if is_word_byte(byte) => {
                let end = |at: usize| is_word_byte(&rest[at]) || byte.is_ascii_digit() && rest[at] == b'.';
                let length = (1..rest.len()).find(|at| !end(*at)).unwrap_or(rest.len());
                (length, true, !byte.is_ascii_digit())
            }
            _ => (1, true, false),
        };
        if is_token {
            tokens.push(Token { start: at as u32, end: (at + length) as u32, is_word });
        }
        at += length;
    }
    tokens
}

/// Returns the length of the text in quotes at the beginning of a text.
fn string(text: &[u8]) -> usize {
    let mut escaped = false;
    let end = text.iter().skip(1).position(|byte| {
        let ends = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_have_their_parameters() {
        let text =
            "tree a { wait 1.5 s } // tree b\ntree c(x: int, y: bool) { if x > 2 && \"}\" { wait y } }";
        let tokens = Tokens::read(text.as_bytes()).expect("text");
        let params: Vec<Vec<_>> = tokens
            .trees
            .iter()
            .map(|tree| tree.params.iter().map(|param| tokens.text(*param)).collect())
            .collect();
        assert_eq!(params, [vec![], vec!["x", "y"]]);
        let at = |word: &str| text.find(word).expect("the word is there") as u32;
        assert!(tokens.mentions_parameter(at("if x")) && !tokens.mentions_parameter(at("wait 1.5")));
        assert_eq!(tokens.leaf(at("wait 1.5")), Some((at("wait 1.5"), at(" } //"))));
    }
}
