//! Functions and their parameters, read from a line of a manifest.
//!
//! ```text
//! NAME(NAME: TYPE, ...)                          an action
//! NAME(NAME: TYPE, ...) -> TYPE                  a query
//! NAME(NAME: int 0..2 = 1, NAME: {Walk Run}?)    ranges, defaults, words
//! NAME(NAME: {Walk Run ..} = Walk)               and any other word, which counts the default
//! NAME(NAME: bool {false true})                  words for truths
//! ```

use super::{Default, Function, Inside, Leaf, Param, Type, name};

/// The least and the greatest number.
type Range = (f64, f64);

const EVERYTHING: Range = (f64::NEG_INFINITY, f64::INFINITY);

/// `NAME(PARAMETERS)`, for a query with `-> TYPE` after it, for others with traits.
pub(super) fn function(text: &str, doc: &str, word: &str) -> Result<Function, String> {
    let (head, rest) = text.split_once('(').ok_or("parentheses are missing after the name")?;
    let close = rest.rfind(')').ok_or("the parameters must end with `)`")?;
    let (params, rest) = (&rest[..close], rest[close + 1..].trim());
    let answer = rest.strip_prefix("->").map(str::trim);
    let mut function = Function {
        name: name(head.trim())?,
        params: parameters(params)?,
        answers: None,
        inside: if word == "decorator" { Inside::Child } else { Inside::Nothing },
        hears: false,
        leaf: Leaf::Lasting,
        data: 0,
        doc: doc.to_owned(),
    };
    if word == "query" && function.params.iter().any(|param| param.out) {
        return Err("a query has no `out` parameters; actions and decorators have".to_owned());
    }
    match (answer, word == "query") {
        (Some(answer), true) => function.answers = Some(ty(answer)?),
        (None, false) => traits(&mut function, rest)?,
        (Some(_), false) => return Err(format!("a {word} has no `->`; it ends with a status")),
        (None, true) => return Err("a query needs `-> TYPE` at its end".to_owned()),
    }
    Ok(function)
}

/// Reads the traits `bare`, `hears`, `sync`, `condition` and `data BYTES`, in any order.
fn traits(function: &mut Function, text: &str) -> Result<(), String> {
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "bare" => function.inside = Inside::Anything,
            "hears" => function.hears = true,
            "sync" => function.leaf = Leaf::Sync,
            "condition" => function.leaf = Leaf::Condition,
            "data" => {
                let bytes = words.next().and_then(|bytes| bytes.parse().ok());
                function.data = bytes.ok_or("`data` needs to say how many bytes, at most 65535")?;
            }
            _ => {
                return Err(format!(
                    "`{word}` cannot follow here; `bare`, `hears`, `sync`, `condition` and `data BYTES` can"
                ));
            }
        }
    }
    Ok(())
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

/// `NAME: TYPE`, with `?` or `= DEFAULT` at the end if it is optional.
fn parameter(text: &str) -> Result<Param, String> {
    let out = text.trim_start().strip_prefix("out ").map(str::trim_start);
    // A parameter may have the name `out`.
    let out = out.filter(|rest| !rest.starts_with(':'));
    let (text, out) = (out.unwrap_or(text), out.is_some());
    let (left, right) = text.split_once(':').ok_or_else(|| format!("`{}` needs `: TYPE`", text.trim()))?;
    let (right, default) = match right.split_once('=') {
        Some((right, default)) => (right.trim(), Some(default.trim())),
        None => (right.trim(), None),
    };
    let required = right.strip_suffix('?');
    let Accepts { ty, words, others, range } = accepts(required.unwrap_or(right).trim())?;
    let optional = required.is_some() || default.is_some();
    let mut param =
        Param { name: name(left.trim())?, ty, words, others, range, optional, out, default: None };
    if out && (optional || ty == Type::Number) {
        return Err(format!("`out {}` is a variable of one type, which cannot be left out", param.name));
    }
    if others && !optional {
        return Err(format!(
            "`{}` must be optional: words that it lacks count as if it were left out",
            param.name
        ));
    }
    if let Some(text) = default {
        let default = value(&param, text);
        param.default = Some(default.ok_or_else(|| format!("`{text}` is no value of `{}`", param.name))?);
    }
    Ok(param)
}

/// Values that a parameter accepts.
struct Accepts {
    ty: Type,
    words: Vec<String>,
    others: bool,
    range: Range,
}

/// Reads `TYPE`, with a range of numbers or words besides; or words alone.
fn accepts(text: &str) -> Result<Accepts, String> {
    let (text, (words, others)) = match text.split_once('{') {
        Some((text, words)) => (text.trim(), self::words(words)?),
        None => (text, (Vec::new(), false)),
    };
    if text.is_empty() && !words.is_empty() {
        return Ok(Accepts { ty: Type::Int, words, others, range: EVERYTHING });
    }
    let (name, range) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let ty = ty(name)?;
    match (ty, words.len()) {
        (_, 0) | (Type::Float, _) if !others => {}
        (Type::Bool, 2) => {}
        (Type::Bool, _) => return Err("`bool` goes with two words: for false and for true".to_owned()),
        (Type::Float, _) => return Err("`..` follows words that stand alone or beside `bool`".to_owned()),
        _ => return Err(format!("`{name}` goes with no words; `float` and `bool` do")),
    }
    let range = if range.is_empty() { EVERYTHING } else { self::range(ty, range.trim())? };
    Ok(Accepts { ty, words, others, range })
}

/// Reads the words after a `{`. Returns also true if other words are accepted.
fn words(text: &str) -> Result<(Vec<String>, bool), String> {
    let text = text.trim().strip_suffix('}').ok_or("there is no `}` after the words")?.trim_end();
    let open = text.strip_suffix("..");
    let words: Vec<_> = open.unwrap_or(text).split_whitespace().map(name).collect::<Result<_, _>>()?;
    if words.is_empty() {
        return Err("there are no words between `{` and `}`".to_owned());
    }
    Ok((words, open.is_some()))
}

/// `LEAST..GREATEST`, of which one may be missing.
fn range(ty: Type, text: &str) -> Result<Range, String> {
    let bound = |text: &str, open| if text.is_empty() { Some(open) } else { text.parse().ok() };
    let bounds = text.split_once("..").and_then(|(least, greatest)| {
        Some((bound(least.trim(), EVERYTHING.0)?, bound(greatest.trim(), EVERYTHING.1)?))
    });
    let numbers = matches!(ty, Type::Int | Type::Float | Type::Number | Type::Int64 | Type::Double);
    let fits = |(least, greatest): &(f64, f64)| numbers && least <= greatest;
    bounds.filter(fits).ok_or_else(|| format!("`{text}` is no range of `{ty}`"))
}

/// Reads a default that a parameter accepts, in the spelling of manifests.
fn value(param: &Param, text: &str) -> Option<Default> {
    let word = param.words.iter().position(|word| word.eq_ignore_ascii_case(text));
    match (param.ty, word) {
        (Type::Int | Type::Bool, Some(index)) => Some(Default::Number(index as f64)),
        (_, Some(index)) => Some(Default::Text(param.words[index].clone())),
        (Type::Int, None) if !param.words.is_empty() => None,
        (Type::Text, None) => {
            let text = text.strip_prefix('"')?.strip_suffix('"')?;
            Some(Default::Text(text.to_owned()))
        }
        // The entry of a blackboard.
        (_, None) if text.starts_with("\"{") => Some(Default::Text(text.trim_matches('"').to_owned())),
        (Type::Bool, None) if !matches!(text, "0" | "1") => None,
        (Type::Entity(_) | Type::Vec2 | Type::Vec3, _) => None,
        (_, None) => {
            let number: f64 = text.parse().ok()?;
            let whole = !matches!(param.ty, Type::Int | Type::Int64) || number.fract() == 0.0;
            (whole && param.range.0 <= number && number <= param.range.1).then_some(Default::Number(number))
        }
    }
}

/// Reads the name of a type.
pub(super) fn ty(text: &str) -> Result<Type, String> {
    let found = Type::NAMES.iter().find(|(name, _)| *name == text);
    let none =
        || format!("`{text}` is no type; the types are {}", Type::NAMES.map(|(name, _)| name).join(", "));
    found.map(|(_, ty)| *ty).ok_or_else(none)
}
