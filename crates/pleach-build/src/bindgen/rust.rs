//! Generator of a module for Rust.
//!
//! The module has the names as constants, a trait with a method for each function of the host, and
//! a struct of the numbers found in a program. Methods are called by a `match` on the number of a
//! call, so nothing is boxed and a tick looks nothing up.

mod fixed;

use super::identifiers::Scope;
use super::{About, Names, VariableType, comment};
use fixed::{HOST, TRAIT};
use pleach_compile::manifest::{Constant, Enum, Param, Type};
use std::collections::BTreeMap;
use std::fmt::{Result, Write};

/// Keywords of Rust 2024, which cannot be identifiers.
const KEYWORDS: &[&str] = &[
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do",
    "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield", "_",
];

/// Methods of the trait that do not come from names of the trees.
const METHODS: &[&str] = &["on_halt", "on_log", "on_run_away", "effect_of", "column_of", "knows"];

/// Types that do not come from names of the trees.
const TYPES: &[&str] = &["Game", "Functions", "Ids", "Option", "Result"];

/// Returns true for a keyword of Rust 2024, which cannot be an identifier.
#[must_use]
pub fn is_word_of_rust(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

/// Returns true if a module can have this name.
pub(crate) fn is_module(name: &str) -> bool {
    Scope::new(KEYWORDS, &[]).lower(name, "module") == name
}

/// Returns the module.
pub(super) fn write(names: &Names, origin: &str) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = module(&mut out, names, origin);
    out
}

fn module(out: &mut String, names: &Names, origin: &str) -> Result {
    writeln!(out, "//! Names that {} and the game share.\n//!", comment(origin))?;
    writeln!(
        out,
        "//! Written by `pleach bindgen`, so do not change it: write it again when names have changed.\n"
    )?;
    writeln!(
        out,
        "#![allow(dead_code, unreachable_pub, reason = \"a game need not use all names, nor hand them on\")]\n\
         #![allow(clippy::single_match, reason = \"a host may have a single function\")]"
    )?;
    constants(out, "trees", "Trees that agents can run.", &names.trees, |()| String::new())?;
    let about = |about: &About| about.signature.iter().map(|signature| said(signature, &about.doc)).collect();
    constants(out, "actions", "Actions of agents.", &names.actions, about)?;
    constants(out, "queries", "Queries of conditions.", &names.queries, about)?;
    constants(out, "variables", "Variables of agents.", &names.variables, VariableType::said_in_rust)?;
    constants(out, "shared", "Variables of groups and the world.", &names.shared, |whose| {
        format!("Of the {whose}.")
    })?;
    constants(out, "events", "Events that agents can be told of.", &names.events, |()| String::new())?;
    outs(out, names)?;
    let enums = enums(out, names)?;
    symbols(out, &names.symbols, &enums)?;
    ids(out, names)?;
    if !names.actions.is_empty() || !names.queries.is_empty() {
        functions(out, names, &enums)?;
    }
    Ok(())
}

/// Writes the places of out arguments.
fn outs(out: &mut String, names: &Names) -> Result {
    let mut scope = Scope::new(KEYWORDS, &[]);
    if super::outs(&names.actions).next().is_none() {
        return Ok(());
    }
    writeln!(out, "\n/// Places of out arguments, for `Call::give`.\npub mod outs {{")?;
    for (action, param, place) in super::outs(&names.actions) {
        let constant = scope.upper(&format!("{action} {param}"), "out");
        writeln!(out, "    /// `{}` of `{}`.", comment(param), comment(action))?;
        writeln!(out, "    pub const {constant}: usize = {place};")?;
    }
    writeln!(out, "}}")
}

/// Returns the declaration and the documentation of a function.
fn said(signature: &str, doc: &str) -> String {
    let doc = if doc.is_empty() { String::new() } else { format!(": {doc}") };
    format!("`{}`{}", comment(signature), comment(&doc))
}

/// Writes a module with the names of one kind, if there are any.
fn constants<T>(
    out: &mut String,
    module: &str,
    doc: &str,
    names: &BTreeMap<String, T>,
    about: impl Fn(&T) -> String,
) -> Result {
    if names.is_empty() {
        return Ok(());
    }
    let mut scope = Scope::new(KEYWORDS, &[]);
    writeln!(out, "\n/// {doc}\npub mod {module} {{")?;
    for (name, what) in names {
        let what = Some(about(what)).filter(|about| !about.is_empty());
        let what = what.unwrap_or_else(|| format!("`{}`", comment(name)));
        writeln!(out, "    /// {what}\n    pub const {}: &str = {name:?};", scope.upper(name, "name"))?;
    }
    writeln!(out, "}}")
}

/// Writes the enums of trees. Returns the name of each in Rust.
fn enums(out: &mut String, names: &Names) -> core::result::Result<Vec<String>, std::fmt::Error> {
    let mut scope = Scope::new(KEYWORDS, TYPES);
    let mut types = Vec::new();
    for Enum { name, members } in &names.enums {
        let ty = scope.camel(name, "Enum");
        let mut variants = Scope::new(KEYWORDS, &["Other"]);
        let (mut declared, mut found, mut numbers) = (String::new(), String::new(), String::new());
        for (member, value) in members {
            let variant = variants.camel(member, "Member");
            writeln!(declared, "    /// `{}`\n    {variant},", comment(member))?;
            writeln!(found, "            {value} => Self::{variant},")?;
            writeln!(numbers, "            Self::{variant} => {value},")?;
        }
        let name = comment(name);
        writeln!(out, "\n/// Enum `{name}`.\n#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]")?;
        writeln!(
            out,
            "pub enum {ty} {{\n{declared}    /// Number that no member has.\n    Other(i32),\n}}\n"
        )?;
        writeln!(out, "impl {ty} {{\n    /// Returns the value that has a number.")?;
        writeln!(out, "    pub const fn of(number: i32) -> Self {{\n        match number {{")?;
        writeln!(out, "{found}            _ => Self::Other(number),\n        }}\n    }}\n")?;
        writeln!(out, "    /// Returns the number of the value.\n    pub const fn number(self) -> i32 {{")?;
        writeln!(
            out,
            "        match self {{\n{numbers}            Self::Other(number) => number,\n        }}\n    }}\n}}"
        )?;
        types.push(ty);
    }
    Ok(types)
}

fn symbols(out: &mut String, symbols: &BTreeMap<String, Constant>, enums: &[String]) -> Result {
    if symbols.is_empty() {
        return Ok(());
    }
    let mut scope = Scope::new(KEYWORDS, &[]);
    writeln!(out, "\n/// Constants of manifests and trees.\npub mod symbols {{")?;
    for (name, value) in symbols {
        let constant = scope.upper(name, "name");
        let (ty, value) = match value {
            Constant::Bool(value) => ("bool".to_owned(), value.to_string()),
            Constant::Int(value) => ("i32".to_owned(), value.to_string()),
            Constant::Float(value) => ("f32".to_owned(), format!("{value:?}")),
            Constant::Int64(value) => ("i64".to_owned(), value.to_string()),
            Constant::Double(value) => ("f64".to_owned(), format!("{value:?}")),
            Constant::Enum(of, value) => {
                let ty = format!("super::{}", enums[*of as usize]);
                (ty.clone(), format!("{ty}::of({value})"))
            }
        };
        writeln!(out, "    /// `{}`\n    pub const {constant}: {ty} = {value};", comment(name))?;
    }
    writeln!(out, "}}")
}

/// Writes the struct of the numbers found in a program.
fn ids(out: &mut String, names: &Names) -> Result {
    let Names { variables, shared, events, trees, .. } = names;
    if variables.is_empty() && shared.is_empty() && events.is_empty() {
        return Ok(());
    }
    let mut scope = Scope::new(KEYWORDS, &[]);
    let (mut fields, mut finds) = (String::new(), String::new());
    for (name, known) in variables {
        let field = scope.lower(name, "variable");
        let ty = known.rust;
        writeln!(
            fields,
            "    /// Variable `{}`: {}.\n    pub {field}: ::pleach::Variable,",
            comment(name),
            known.said_in_rust()
        )?;
        writeln!(finds, "            {field}: names.variable::<{ty}>({name:?}),")?;
    }
    for (name, whose) in shared {
        let field = scope.lower(name, "shared");
        writeln!(fields, "    /// Variable `{}` of the {whose}.", comment(name))?;
        writeln!(fields, "    pub {field}: ::pleach::SharedVariable,")?;
        writeln!(finds, "            {field}: names.shared({name:?}),")?;
    }
    for name in events.keys() {
        let field = scope.lower(name, "event");
        writeln!(fields, "    /// Event `{}`.\n    pub {field}: ::pleach::Event,", comment(name))?;
        writeln!(finds, "            {field}: names.event({name:?}),")?;
    }
    writeln!(out, "\n/// Variables and events of agents and groups, by their numbers in one program.")?;
    writeln!(
        out,
        "#[derive(Clone, Copy, Debug, PartialEq, Eq)]\npub struct Ids {{\n{fields}}}\n\nimpl Ids {{"
    )?;
    writeln!(
        out,
        "    /// Finds all of them in a program: after it was linked, and after each reload.\n    ///"
    )?;
    writeln!(
        out,
        "    /// # Errors\n    /// All names that are not there, and variables that have another type now."
    )?;
    writeln!(
        out,
        "    pub fn of(program: &::pleach::Program) -> Result<Self, ::pleach::program::LookupError> {{"
    )?;
    writeln!(out, "        let mut names = ::pleach::program::Lookup::new(program);")?;
    for tree in trees.keys() {
        writeln!(out, "        names.tree({tree:?});")?;
    }
    writeln!(out, "        let ids = Self {{\n{finds}        }};\n        names.end(ids)\n    }}\n}}")
}

/// Method of the game's trait.
struct Method<'n> {
    name: &'n str,
    about: &'n About,
    one: String,
    many: String,
    /// Parameters after the call that are not `out`, each with its place and its name in Rust.
    params: Vec<(usize, String, &'n Param)>,
}

impl Method<'_> {
    /// Returns the parameters as they are declared, with a comma before each.
    fn declared(&self, enums: &[String]) -> String {
        self.params.iter().map(|(_, name, param)| format!(", {name}: {}", rust_type(param, enums))).collect()
    }

    /// Returns an expression that calls the method of `game` with the arguments of `call`.
    fn ask(&self, game: &str, enums: &[String]) -> String {
        let one = &self.one;
        if self.params.is_empty() {
            return format!("{game}.{one}(call)");
        }
        let reads = self.params.iter().map(|(place, name, param)| read(*place, name, param, enums));
        let passed = self.params.iter().map(|(_, name, param)| match (param.ty, is_optional(param)) {
            (Type::Text, true) => format!(", {name}.as_deref()"),
            (Type::Text, false) => format!(", &{name}"),
            _ => format!(", {name}"),
        });
        format!("{{ {}{game}.{one}(call{}) }}", reads.collect::<String>(), passed.collect::<String>())
    }
}

/// Type of entities in the written code.
const ENTITY: &str = "::pleach::EntityId";

/// Returns true for a parameter that calls may lack. A parameter with a default is always passed.
fn is_optional(param: &Param) -> bool {
    param.optional && param.default.is_none()
}

/// Returns the type of a parameter in Rust.
fn rust_type(param: &Param, enums: &[String]) -> String {
    let ty = match param.ty {
        Type::Enum(of) => &enums[of as usize],
        Type::Bool => "bool",
        Type::Int => "i32",
        // A vector is passed by its floats.
        Type::Float | Type::Vec2 | Type::Vec3 => "f32",
        Type::Number | Type::Double => "f64",
        Type::Int64 => "i64",
        Type::Entity(_) => ENTITY,
        Type::Text => "&[u8]",
    };
    if is_optional(param) { format!("Option<{ty}>") } else { ty.to_owned() }
}

/// Returns a statement that reads an argument of `call`.
fn read(index: usize, name: &str, param: &Param, enums: &[String]) -> String {
    let value = match param.ty {
        Type::Enum(of) => format!("{}::of(call.args.int({index}))", enums[of as usize]),
        Type::Bool => format!("call.args.int({index}) != 0"),
        Type::Int => format!("call.args.int({index})"),
        Type::Float | Type::Vec2 | Type::Vec3 => format!("call.args.float({index})"),
        Type::Number | Type::Double => format!("call.args.number({index})"),
        Type::Int64 => format!("call.args.int64({index})"),
        Type::Entity(_) => format!("call.args.entity({index})"),
        Type::Text => format!("call.args.text({index})"),
    };
    if is_optional(param) {
        format!("let {name} = (call.args.len() > {index}).then(|| {value}); ")
    } else {
        format!("let {name} = {value}; ")
    }
}

fn methods<'n>(functions: &'n BTreeMap<String, About>, scope: &mut Scope, kind: &str) -> Vec<Method<'n>> {
    let ones: Vec<_> = functions.keys().map(|name| scope.lower(name, kind)).collect();
    let method = |((name, about), one): ((&'n String, &'n About), String)| {
        let many = scope.take(&format!("{}_all", one.trim_end_matches('_')), kind);
        let mut own = Scope::new(KEYWORDS, &["call"]);
        let params = about.params().iter().enumerate().filter(|(_, param)| !param.out);
        let params =
            params.map(|(place, param)| (place, own.lower(&param.name, "argument"), param)).collect();
        Method { name, about, one, many, params }
    };
    functions.iter().zip(ones).map(method).collect()
}

/// Returns the type of a query's answers.
fn answers<'e>(about: &About, enums: &'e [String]) -> &'e str {
    match about.answers {
        Some(Type::Enum(of)) => &enums[of as usize],
        Some(Type::Bool) => "bool",
        Some(Type::Int) => "i32",
        Some(Type::Float) => "f32",
        Some(Type::Vec2) => "[f32; 2]",
        Some(Type::Vec3) => "[f32; 3]",
        Some(Type::Int64) => "i64",
        Some(Type::Entity(_)) => ENTITY,
        Some(Type::Text) => "::pleach::TextId",
        Some(Type::Number | Type::Double) | None => "f64",
    }
}

/// Returns the answer of a query as an expression of type `f64`.
fn number_of(answer: String, about: &About, enums: &[String]) -> String {
    match (about.answers, answers(about, enums)) {
        (Some(Type::Enum(_)), _) => format!("f64::from({answer}.number())"),
        (Some(Type::Int64 | Type::Entity(_)), _) => {
            format!("{{ let answer = {answer}; call.answer(answer).unwrap_or(0.0) }}")
        }
        (Some(ty @ (Type::Vec2 | Type::Vec3)), _) => {
            let first = format!("let first = call.args.len().saturating_sub({});", ty.parts());
            let give = "let _ = call.give(first + part, number);";
            format!(
                "{{ let answer = {answer}; {first} \
                 for (part, number) in answer.into_iter().enumerate() {{ {give} }} 0.0 }}"
            )
        }
        (_, "f64") => answer,
        _ => format!("f64::from({answer})"),
    }
}

/// Writes the trait of the game, and the host that calls it.
fn functions(out: &mut String, names: &Names, enums: &[String]) -> Result {
    let mut scope = Scope::new(KEYWORDS, METHODS);
    let actions = methods(&names.actions, &mut scope, "action");
    let queries = methods(&names.queries, &mut scope, "query");
    out.push_str(TRAIT);
    for method @ Method { name, about, one, many, .. } in &actions {
        let (declared, ask) = (method.declared(enums), method.ask("self", enums));
        let signature = about.signature.as_deref().unwrap_or(name);
        writeln!(out, "\n    /// Action {}.", said(signature, &about.doc))?;
        writeln!(
            out,
            "    fn {one}(&mut self, call: &mut ::pleach::Call<'_>{declared}) -> ::pleach::Status;\n"
        )?;
        writeln!(out, "    /// Acts for many agents, see [`::pleach::Host::act_all`].")?;
        writeln!(
            out,
            "    fn {many}(&mut self, batch: &mut ::pleach::Batch<'_>, out: &mut [::pleach::Status]) {{"
        )?;
        writeln!(out, "        batch.each(out, |call| {ask});\n    }}")?;
    }
    for method @ Method { name, about, one, many, .. } in &queries {
        let (declared, ask) = (method.declared(enums), method.ask("self", enums));
        let signature = about.signature.as_deref().unwrap_or(name);
        let answer = answers(about, enums);
        let ask = number_of(ask, about, enums);
        writeln!(out, "\n    /// Query {}.", said(signature, &about.doc))?;
        writeln!(out, "    fn {one}(&mut self, call: &mut ::pleach::Call<'_>{declared}) -> {answer};\n")?;
        writeln!(out, "    /// Answers for many agents, see [`::pleach::Host::query_all`].")?;
        writeln!(out, "    fn {many}(&mut self, batch: &mut ::pleach::Batch<'_>, out: &mut [f64]) {{")?;
        writeln!(out, "        batch.each(out, |call| {ask});\n    }}")?;
    }
    writeln!(out, "}}\n")?;
    table(out, "ACTIONS", &actions)?;
    table(out, "QUERIES", &queries)?;
    out.push_str(HOST);
    let one = |method: &Method<'_>| method.ask("self.0", enums);
    let number = |method: &Method<'_>| number_of(one(method), method.about, enums);
    let many = |method: &Method<'_>| format!("self.0.{}(batch, out)", method.many);
    let status = "::pleach::Status::Failure";
    let calls = actions.iter().map(one);
    dispatch(out, "act(&mut self, call: &mut ::pleach::Call<'_>) -> ::pleach::Status", calls, status)?;
    let calls = queries.iter().map(number);
    dispatch(out, "query(&mut self, call: &mut ::pleach::Call<'_>) -> f64", calls, "0.0")?;
    let signature = "act_all(&mut self, batch: &mut ::pleach::Batch<'_>, out: &mut [::pleach::Status])";
    dispatch(out, signature, actions.iter().map(many), "()")?;
    let signature = "query_all(&mut self, batch: &mut ::pleach::Batch<'_>, out: &mut [f64])";
    dispatch(out, signature, queries.iter().map(many), "()")?;
    writeln!(out, "}}")
}

/// Writes the names of a kind in the order of their numbers.
fn table(out: &mut String, constant: &str, methods: &[Method<'_>]) -> Result {
    writeln!(out, "const {constant}: &[&str] = &[")?;
    methods.iter().try_for_each(|method| writeln!(out, "    {:?},", method.name))?;
    writeln!(out, "];\n")
}

/// Writes a method of the host that calls one of the game's methods, by number. `other` is its
/// result for an unknown number.
fn dispatch(
    out: &mut String,
    signature: &str,
    calls: impl ExactSizeIterator<Item = String>,
    other: &str,
) -> Result {
    writeln!(out, "\n    fn {signature} {{")?;
    let (by, unused) =
        if signature.contains("batch:") { ("batch", "(batch, out)") } else { ("call", "call") };
    if calls.len() == 0 {
        let other = if other == "()" { String::new() } else { format!("        {other}\n") };
        return writeln!(out, "        let _ = {unused};\n{other}    }}");
    }
    writeln!(out, "        match {by}.function {{")?;
    for (number, call) in calls.enumerate() {
        writeln!(out, "            {number} => {call},")?;
    }
    writeln!(out, "            _ => {other},\n        }}\n    }}")
}
