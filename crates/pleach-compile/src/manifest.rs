//! The host's vocabulary: which actions, queries and symbols its trees may use.
//!
//! A manifest is a text file that a game writes once (format: `spec/manifest.md`). With it, an unknown name, a wrong
//! number of arguments or an argument of the wrong type is found when a tree is compiled, in the author's file,
//! instead of in the game.
//!
//! ```
//! use pleach_compile::manifest::Manifest;
//!
//! let (manifest, problems) = Manifest::parse(
//!     "manifest arena
//!      action moveTo(place: int, radius: number?)   # walks until it is there
//!      query  distanceTo(place: int) -> float
//!      symbol BASE = 1",
//! );
//! assert!(problems.is_empty());
//! assert_eq!(manifest.actions[0].max_args(), 2);
//! ```
//!
//! A line that cannot be read is a problem of its own and is left out; all others count.

use hashbrown::HashSet;

/// The type of a parameter or of a query's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `true` or `false`.
    Bool,
    /// A 32-bit integer.
    Int,
    /// A 32-bit float.
    Float,
    /// An int or a float.
    Number,
    /// A string of bytes.
    Text,
}

impl core::fmt::Display for Type {
    /// As manifests write it.
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.write_str(match self {
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Float => "float",
            Self::Number => "number",
            Self::Text => "text",
        })
    }
}

/// A parameter of an action or query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// For messages.
    pub name: String,
    /// What it accepts.
    pub ty: Type,
    /// May be left out, with all that follow.
    pub optional: bool,
}

/// An action or query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Canonical spelling; what the host is asked for.
    pub name: String,
    /// Parameters in order, optional ones last.
    pub params: Vec<Param>,
    /// What a query answers; `None` for an action.
    pub answers: Option<Type>,
    /// One line for people.
    pub doc: String,
}

impl Function {
    /// The smallest number of arguments.
    #[must_use]
    pub fn min_args(&self) -> usize {
        self.params.iter().filter(|param| !param.optional).count()
    }

    /// The largest number of arguments.
    #[must_use]
    pub fn max_args(&self) -> usize {
        self.params.len()
    }
}

/// A named integer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// As written in trees.
    pub name: String,
    /// What it stands for.
    pub value: i32,
}

/// A host's vocabulary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// For messages.
    pub name: String,
    /// What agents can be told to do.
    pub actions: Vec<Function>,
    /// What conditions can ask.
    pub queries: Vec<Function>,
    /// Named integers.
    pub symbols: Vec<Symbol>,
}

/// What is wrong with a line of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
}

impl Manifest {
    /// Reads a manifest. Lines with problems are left out.
    #[must_use]
    pub fn parse(text: &str) -> (Self, Vec<Problem>) {
        let mut manifest = Self::default();
        let mut problems = Vec::new();
        let mut taken = HashSet::new();
        for (line, content) in (1..).zip(text.lines()) {
            let (declaration, doc) = content.split_once('#').unwrap_or((content, ""));
            if let Err(message) = manifest.declare(declaration.trim(), doc.trim(), &mut taken) {
                problems.push(Problem { line, message });
            }
        }
        (manifest, problems)
    }

    /// The action of this name, in any case.
    #[must_use]
    pub fn action(&self, name: &str) -> Option<&Function> {
        self.actions.iter().find(|action| action.name.eq_ignore_ascii_case(name))
    }

    /// The query of this name, in any case.
    #[must_use]
    pub fn query(&self, name: &str) -> Option<&Function> {
        self.queries.iter().find(|query| query.name.eq_ignore_ascii_case(name))
    }

    /// Adds what a line declares, if it declares anything.
    fn declare(&mut self, line: &str, doc: &str, taken: &mut HashSet<String>) -> Result<(), String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (word, rest) = (word.trim(), rest.trim());
        let declared = match word {
            "" => return Ok(()),
            "manifest" => {
                self.name = name(rest)?;
                return Ok(());
            }
            "action" => &mut self.actions,
            "query" => &mut self.queries,
            "symbol" => {
                let symbol = symbol(rest)?;
                unique(taken, word, &symbol.name)?;
                self.symbols.push(symbol);
                return Ok(());
            }
            _ => {
                return Err(format!(
                    "`{word}` begins no declaration; `action`, `query`, `symbol` and `manifest` do"
                ));
            }
        };
        let function = function(rest, doc, word == "query")?;
        unique(taken, word, &function.name)?;
        declared.push(function);
        Ok(())
    }
}

/// A kind of thing may have a name only once, in whatever case, as dialects need not tell cases apart. Symbols are told
/// apart by case.
fn unique(taken: &mut HashSet<String>, word: &str, name: &str) -> Result<(), String> {
    let folded = if word == "symbol" { name.to_owned() } else { name.to_ascii_lowercase() };
    if taken.insert(format!("{word} {folded}")) {
        return Ok(());
    }
    Err(format!("the {word} `{name}` is declared twice"))
}

fn name(text: &str) -> Result<String, String> {
    let part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if text.bytes().all(part) && text.bytes().next().is_some_and(|first| !first.is_ascii_digit()) {
        return Ok(text.to_owned());
    }
    Err(format!("`{text}` is no name; names have letters, digits and `_`"))
}

/// `NAME = NUMBER`
fn symbol(text: &str) -> Result<Symbol, String> {
    let (left, right) = text.split_once('=').ok_or("a symbol is declared as `symbol NAME = NUMBER`")?;
    let value = right.trim().parse();
    let value = value.map_err(|_| format!("`{}` is no 32-bit integer", right.trim()))?;
    Ok(Symbol { name: name(left.trim())?, value })
}

/// `NAME(PARAMETERS)`, for a query with `-> TYPE` after it.
fn function(text: &str, doc: &str, query: bool) -> Result<Function, String> {
    let (text, answer) = match text.split_once("->") {
        Some((text, answer)) => (text.trim(), Some(answer.trim())),
        None => (text, None),
    };
    let answers = match (answer, query) {
        (Some(answer), true) => Some(ty(answer)?),
        (None, false) => None,
        (Some(_), false) => return Err("an action has no `->`; it ends with a status".to_owned()),
        (None, true) => return Err("a query needs `-> TYPE` at its end".to_owned()),
    };
    let (head, params) = text.split_once('(').ok_or("parentheses are missing after the name")?;
    let params = params.trim_end().strip_suffix(')').ok_or("the parameters must end with `)`")?;
    Ok(Function { name: name(head.trim())?, params: parameters(params)?, answers, doc: doc.to_owned() })
}

fn parameters(text: &str) -> Result<Vec<Param>, String> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let params: Vec<Param> = text.split(',').map(parameter).collect::<Result<_, _>>()?;
    match params.windows(2).find(|pair| pair[0].optional && !pair[1].optional) {
        Some(pair) => Err(format!("`{}` must be optional, since the one before it is", pair[1].name)),
        None => Ok(params),
    }
}

/// `NAME: TYPE`, with `?` at the end if it is optional.
fn parameter(text: &str) -> Result<Param, String> {
    let (left, right) = text.split_once(':').ok_or_else(|| format!("`{}` needs `: TYPE`", text.trim()))?;
    let right = right.trim();
    let required = right.strip_suffix('?');
    Ok(Param {
        name: name(left.trim())?,
        ty: ty(required.unwrap_or(right).trim_end())?,
        optional: required.is_some(),
    })
}

fn ty(text: &str) -> Result<Type, String> {
    match text {
        "bool" => Ok(Type::Bool),
        "int" => Ok(Type::Int),
        "float" => Ok(Type::Float),
        "number" => Ok(Type::Number),
        "text" => Ok(Type::Text),
        _ => Err(format!("`{text}` is no type; the types are bool, int, float, number and text")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn problem(line: &str, expected: &str) {
        let (manifest, problems) = Manifest::parse(line);
        assert_eq!(manifest, Manifest::default());
        assert!(problems.len() == 1 && problems[0].message.contains(expected), "{problems:?}");
    }

    #[test]
    fn declarations_are_read() {
        let text = "manifest m\n\naction go(a: int, b: number?) # goes\nquery q() -> bool\nsymbol S = -3";
        let (manifest, problems) = Manifest::parse(text);
        assert_eq!(problems, []);
        assert_eq!(manifest.name, "m");
        let go = manifest.action("GO").expect("declared");
        assert_eq!((go.min_args(), go.max_args(), go.doc.as_str()), (1, 2, "goes"));
        assert_eq!(manifest.query("q").and_then(|query| query.answers), Some(Type::Bool));
        assert_eq!(manifest.symbols, [Symbol { name: "S".to_owned(), value: -3 }]);
    }

    #[test]
    fn problems_are_told() {
        problem("tree x", "begins no declaration");
        problem("action a", "parentheses");
        problem("action a(", "end with `)`");
        problem("action a() -> int", "no `->`");
        problem("query q()", "`-> TYPE`");
        problem("action a(b)", "needs `: TYPE`");
        problem("action a(b: string)", "no type");
        problem("action a(b: int?, c: int)", "must be optional");
        problem("action 1a()", "no name");
        problem("symbol A", "NAME = NUMBER");
        problem("symbol A = 4294967296", "no 32-bit integer");
    }

    #[test]
    fn a_second_declaration_is_left_out() {
        let (manifest, problems) = Manifest::parse("action a()\naction A(b: int)\nquery a() -> int");
        assert_eq!(manifest.actions.len(), 1);
        assert_eq!(problems.iter().map(|problem| problem.line).collect::<Vec<_>>(), [2]);
    }
}
