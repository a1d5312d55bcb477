//! Identifiers for names that trees use, which may have any characters.
//!
//! A name is cut into words at characters that identifiers lack, and where a capital letter begins
//! a word (`moveTo`, `HTTPServer`). The words are joined in the style of the language. Two names
//! can lead to one identifier. So a [`Scope`] records all identifiers that are taken. It extends
//! the second identifier, first by the word for its kind, then by a number. Names are processed in
//! the order of their bytes, so the result does not depend on their places in trees.

use std::collections::HashSet;

/// Returns the words of a name, in lower case; at least one.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    let mut rest = name.chars().peekable();
    while let Some(it) = rest.next() {
        if it.is_ascii_alphanumeric() {
            let ends_capitals =
                before.is_ascii_uppercase() && rest.peek().is_some_and(char::is_ascii_lowercase);
            let begins = it.is_ascii_uppercase() && (!before.is_ascii_uppercase() || ends_capitals);
            match words.last_mut().filter(|_| before.is_ascii_alphanumeric() && !begins) {
                Some(word) => word.push(it.to_ascii_lowercase()),
                None => words.push(it.to_ascii_lowercase().to_string()),
            }
        } else if !it.is_ascii() {
            words.push(format!("u{:x}", u32::from(it)));
        }
        before = it;
    }
    if words.is_empty() {
        words.push("unnamed".to_owned());
    }
    words
}

/// Returns an identifier such as `move_to`. It may begin with a digit, or be a keyword.
fn snake(name: &str) -> String {
    words(name).join("_")
}

/// Returns an identifier such as `MoveTo`. It may begin with a digit, or be a keyword.
fn camel(name: &str) -> String {
    let capital = |word: String| word[..1].to_ascii_uppercase() + &word[1..];
    words(name).into_iter().map(capital).collect()
}

/// Identifiers of a namespace in which each identifier is unique.
#[derive(Debug)]
pub(super) struct Scope {
    taken: HashSet<String>,
    keywords: &'static [&'static str],
}

impl Scope {
    /// Creates a scope from the keywords of the language, and from identifiers that do not come
    /// from trees.
    pub(super) fn new(keywords: &'static [&'static str], taken: &[&str]) -> Self {
        Self { taken: taken.iter().map(|&it| it.to_owned()).collect(), keywords }
    }

    /// Takes an identifier in lower case, such as `move_to`. If it is taken, `kind` is appended.
    pub(super) fn lower(&mut self, name: &str, kind: &str) -> String {
        self.take(&snake(name), kind)
    }

    /// Takes an identifier in capital letters, such as `MOVE_TO`. If it is taken, `kind` is
    /// appended.
    pub(super) fn upper(&mut self, name: &str, kind: &str) -> String {
        self.take(&snake(name).to_uppercase(), &kind.to_uppercase())
    }

    /// Takes an identifier of a type or variant, such as `MoveTo`. If it is taken, `kind` is
    /// appended.
    pub(super) fn camel(&mut self, name: &str, kind: &str) -> String {
        self.take_apart(&camel(name), kind, "")
    }

    /// Takes an identifier, or a free one that is derived from it.
    pub(super) fn take(&mut self, wanted: &str, kind: &str) -> String {
        self.take_apart(wanted, kind, "_")
    }

    fn take_apart(&mut self, wanted: &str, kind: &str, between: &str) -> String {
        let starts_wrong = wanted.starts_with(|first: char| first.is_ascii_digit());
        let is_keyword = self.keywords.contains(&wanted);
        let wanted =
            format!("{}{wanted}{}", if starts_wrong { "_" } else { "" }, if is_keyword { "_" } else { "" });
        let with_kind = format!("{}{between}{kind}", wanted.trim_end_matches('_'));
        let numbered = (2..).map(|number| format!("{with_kind}{between}{number}"));
        let mut all = [wanted, with_kind.clone()].into_iter().chain(numbered);
        let free = all.find(|it| !self.taken.contains(it)).unwrap_or_default();
        self.taken.insert(free.clone());
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_words() {
        let snake = |name| super::snake(name);
        assert_eq!(
            ["moveTo", "HTTPServer", "OnEvent2D", "TEAM_HUMANS", "a.b-c", "größe", "!!", "2nd"].map(snake),
            [
                "move_to",
                "http_server",
                "on_event2_d",
                "team_humans",
                "a_b_c",
                "gr_uf6_udf_e",
                "unnamed",
                "2nd"
            ]
        );
    }

    #[test]
    fn no_two_are_the_same() {
        let mut scope = Scope::new(&["loop"], &["on_halt"]);
        let names = ["move_to", "moveTo", "MoveTo", "loop", "Loop", "2nd", "on halt", "move_to_action"];
        let identifiers = names.map(|name| scope.lower(name, "action"));
        assert_eq!(
            identifiers,
            [
                "move_to",
                "move_to_action",
                "move_to_action_2",
                "loop_",
                "loop_action",
                "_2nd",
                "on_halt_action",
                "move_to_action_action"
            ]
        );
    }
}
