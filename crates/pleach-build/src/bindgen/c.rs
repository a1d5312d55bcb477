//! Generator of a header for C and C++, which complements that of `pleach-capi`.
//!
//! In C the functions of a host are a table, and calls carry an index into it. So the header has an
//! `enum` of these indices, and fills in the names. The game sets callbacks by index. A callback
//! for several functions can compare the index.

use super::identifiers::Scope;
use super::{About, Names, comment};
use pleach_compile::manifest::{Constant, Enum, Type};
use std::fmt::Write;

/// Keywords of C and C++, which cannot be names of struct members.
const KEYWORDS: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char8_t",
    "char16_t",
    "char32_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
];

/// Returns the header. Each name in it begins with `title`.
pub(super) fn write(names: &Names, title: &str, origin: &str) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = Header { names, lower: title, upper: title.to_uppercase(), scope: Scope::new(&[], &[]) }
        .write(&mut out, origin);
    out
}

struct Header<'a> {
    names: &'a Names,
    lower: &'a str,
    upper: String,
    /// Names of macros and constants. Each has the title and its kind as prefix.
    scope: Scope,
}

impl Header<'_> {
    fn write(&mut self, out: &mut String, origin: &str) -> std::fmt::Result {
        let upper = self.upper.clone();
        writeln!(out, "/* Names that {} and the game share.\n", comment(origin))?;
        writeln!(
            out,
            "   Written by `pleach bindgen`, so do not change it: write it again when names have changed. */\n"
        )?;
        writeln!(out, "#ifndef {upper}_NAMES_H\n#define {upper}_NAMES_H\n")?;
        writeln!(out, "#include \"pleach.h\"\n#include <stdbool.h>\n#include <string.h>")?;
        self.trees(out)?;
        self.symbols(out)?;
        self.outs(out)?;
        let tags = self.enums(out)?;
        self.functions(out)?;
        self.arguments(out, &tags)?;
        self.ids(out)?;
        writeln!(out, "\n#endif")
    }

    fn constant(&mut self, kind: &str, name: &str) -> String {
        let upper = format!("{}_{kind}", self.upper);
        // The title precedes this part, so it may begin with a digit.
        let own = super::words(name).join("_").to_uppercase();
        self.scope.take(&format!("{upper}_{own}"), kind)
    }

    fn trees(&mut self, out: &mut String) -> std::fmt::Result {
        if !self.names.trees.is_empty() {
            writeln!(out, "\n/* Trees that agents can run. */")?;
        }
        for name in self.names.trees.keys() {
            writeln!(out, "#define {} {}", self.constant("TREE", name), literal(name))?;
        }
        Ok(())
    }

    /// Writes the places of out arguments.
    fn outs(&mut self, out: &mut String) -> std::fmt::Result {
        let names = self.names;
        if super::outs(&names.actions).next().is_some() {
            writeln!(out, "\n/* Places of out arguments, for pleach_call_give. */")?;
        }
        for (action, param, place) in super::outs(&names.actions) {
            writeln!(out, "#define {} {place}", self.constant("OUT", &format!("{action} {param}")))?;
        }
        Ok(())
    }

    fn symbols(&mut self, out: &mut String) -> std::fmt::Result {
        if !self.names.symbols.is_empty() {
            writeln!(out, "\n/* Constants of manifests and trees. */")?;
        }
        for (name, value) in &self.names.symbols {
            let value = match *value {
                Constant::Bool(value) => value.to_string(),
                // The magnitude of the smallest int is not an int itself.
                Constant::Int(i32::MIN) | Constant::Enum(_, i32::MIN) => format!("({} - 1)", i32::MIN + 1),
                Constant::Int(value) | Constant::Enum(_, value) => format!("({value})"),
                Constant::Float(value) => format!("({value:?}f)"),
                Constant::Int64(i64::MIN) => format!("(INT64_C({}) - 1)", i64::MIN + 1),
                Constant::Int64(value) => format!("INT64_C({value})"),
                Constant::Double(value) => format!("({value:?})"),
            };
            writeln!(out, "#define {} {value}", self.constant("SYMBOL", name))?;
        }
        Ok(())
    }

    /// Writes the enums of trees. Returns the tag of each.
    fn enums(&mut self, out: &mut String) -> Result<Vec<String>, std::fmt::Error> {
        let mut tags = Vec::new();
        for Enum { name, members } in &self.names.enums {
            let tag = format!("{}_enum_{}", self.lower, super::words(name).join("_"));
            let tag = self.scope.take(&tag, "enum");
            writeln!(
                out,
                "\n/* Enum {}. A variable may hold a number that no member has. */",
                comment(name)
            )?;
            writeln!(out, "enum {tag} {{")?;
            for (index, (member, value)) in members.iter().enumerate() {
                let constant = self.constant("ENUM", &format!("{name} {member}"));
                let comma = if index + 1 < members.len() { "," } else { "" };
                let value = match *value {
                    i32::MIN => format!("{} - 1", i32::MIN + 1),
                    value => value.to_string(),
                };
                writeln!(out, "    /* {} */\n    {constant} = {value}{comma}", comment(member))?;
            }
            writeln!(out, "}};")?;
            tags.push(tag);
        }
        Ok(tags)
    }

    fn functions(&mut self, out: &mut String) -> std::fmt::Result {
        let names = self.names;
        let actions = names.actions.iter().map(|(name, about)| ("ACTION", name, about));
        let queries = names.queries.iter().map(|(name, about)| ("QUERY", name, about));
        let all: Vec<_> = actions.chain(queries).collect();
        if all.is_empty() {
            return Ok(());
        }
        let places: Vec<_> = all.iter().map(|(kind, name, _)| self.constant(kind, name)).collect();
        // A place may end as the constant of a name does, so all places have been taken before.
        let constant =
            |(place, (kind, ..)): (&String, &(&str, _, _))| self.scope.take(&format!("{place}_NAME"), kind);
        let constants: Vec<_> = places.iter().zip(&all).map(constant).collect();
        self.places(out, &all, &places)?;
        writeln!(out, "/* Names of the functions, for hosts that bind callbacks by name. */")?;
        for (constant, (_, name, _)) in constants.iter().zip(&all) {
            writeln!(out, "#define {constant} {}", literal(name))?;
        }
        let rows = constants.iter().zip(&all).map(|(constant, (kind, name, _))| {
            format!("        {{ {constant}, {}, PLEACH_{kind} }},\n", name.len())
        });
        self.table(out, &rows.collect::<String>())
    }

    /// Writes the `enum` of all functions.
    fn places(
        &self,
        out: &mut String,
        all: &[(&str, &String, &About)],
        places: &[String],
    ) -> std::fmt::Result {
        let Self { lower, upper, .. } = self;
        writeln!(
            out,
            "\n/* The functions of the host: where each stands in the table that {lower}_functions fills, and what"
        )?;
        writeln!(out, "   pleach_call and pleach_batch call `function`. */\nenum {lower}_function {{")?;
        for (place, (kind, name, about)) in places.iter().zip(all) {
            let signature = about.signature.as_ref().unwrap_or(name);
            let doc = if about.doc.is_empty() { String::new() } else { format!(": {}", about.doc) };
            let kind_word = kind.to_lowercase();
            writeln!(out, "    /* {kind_word} {} */", comment(&format!("{signature}{doc}")))?;
            writeln!(out, "    {place},")?;
        }
        writeln!(out, "    /* How many there are. */\n    {upper}_FUNCTION_COUNT\n}};\n")
    }

    /// Writes the function that fills a table with names and kinds.
    fn table(&self, out: &mut String, rows: &str) -> std::fmt::Result {
        let Self { lower, upper, .. } = self;
        writeln!(
            out,
            "\n/* Fills a table of {upper}_FUNCTION_COUNT functions with their names and kinds. All else is zero: set the"
        )?;
        writeln!(out, "   callbacks, by their places, and hand the table to pleach_program_link. */")?;
        writeln!(out, "static inline void {lower}_functions(pleach_function *functions)\n{{")?;
        writeln!(
            out,
            "    static const struct {{ const char *name; size_t length; uint32_t kind; }} known[] = {{\n{rows}    }};"
        )?;
        writeln!(out, "    memset(functions, 0, {upper}_FUNCTION_COUNT * sizeof *functions);")?;
        writeln!(out, "    for (size_t index = 0; index < {upper}_FUNCTION_COUNT; index++) {{")?;
        writeln!(out, "        functions[index].struct_size = (uint32_t)sizeof *functions;")?;
        writeln!(out, "        functions[index].kind = known[index].kind;")?;
        writeln!(out, "        functions[index].name = known[index].name;")?;
        writeln!(out, "        functions[index].name_length = known[index].length;\n    }}\n}}")
    }

    /// Writes, for each function with parameters, a struct of its arguments and a function that
    /// reads them.
    fn arguments(&self, out: &mut String, tags: &[String]) -> std::fmt::Result {
        let actions = self.names.actions.iter().map(|(name, about)| ("action", name, about));
        let queries = self.names.queries.iter().map(|(name, about)| ("query", name, about));
        let mut scope = Scope::new(&[], &[]);
        let reads = |about: &About| about.params().iter().any(|param| !param.out);
        for (kind, name, about) in actions.chain(queries).filter(|(.., about)| reads(about)) {
            let own = super::words(name).join("_");
            let own = scope.take(&format!("{}_{kind}_{own}_args", self.lower), kind);
            let mut taken = Scope::new(KEYWORDS, &[]);
            let (mut members, mut reads) = (String::new(), String::new());
            for (index, param) in about.params().iter().enumerate().filter(|(_, param)| !param.out) {
                let member = taken.lower(&param.name, "argument");
                argument(&mut members, &mut reads, index, &member, param.ty, tags)?;
            }
            let signature = comment(about.signature.as_deref().unwrap_or(name));
            writeln!(out, "\n/* Arguments of {kind} {signature}. What is missing is 0. */")?;
            writeln!(out, "typedef struct {own} {{\n{members}}} {own};\n")?;
            writeln!(out, "static inline {own} {own}_of(pleach_context context)\n{{")?;
            writeln!(
                out,
                "    {own} args;\n    memset(&args, 0, sizeof args);\n{reads}    return args;\n}}"
            )?;
        }
        Ok(())
    }

    fn ids(&self, out: &mut String) -> std::fmt::Result {
        let Names { variables, shared, events, .. } = self.names;
        if variables.is_empty() && shared.is_empty() && events.is_empty() {
            return Ok(());
        }
        let mut scope = Scope::new(KEYWORDS, &[]);
        let (mut members, mut finds) = (String::new(), String::new());
        for (name, known) in variables {
            let member = scope.lower(name, "variable");
            let about = known.said(known.word).replace('`', "");
            writeln!(
                members,
                "    /* variable {}: {about} */\n    pleach_variable {member};",
                comment(name)
            )?;
            let text = literal(name);
            writeln!(
                finds,
                "    status = pleach_program_typed_variable(program, {text}, {}, {}, &ids->{member});",
                name.len(),
                known.constant
            )?;
            writeln!(finds, "    if (status != PLEACH_OK) return status;")?;
        }
        let shared = shared.iter().map(|(name, whose)| (name, "shared", *whose));
        let events = events.keys().map(|name| (name, "event", "event"));
        for (name, kind, word) in shared.chain(events) {
            let member = scope.lower(name, kind);
            writeln!(members, "    /* {word} {} */\n    pleach_{kind} {member};", comment(name))?;
            let text = literal(name);
            writeln!(
                finds,
                "    status = pleach_program_{kind}(program, {text}, {}, &ids->{member});",
                name.len()
            )?;
            writeln!(finds, "    if (status != PLEACH_OK) return status;")?;
        }
        let lower = self.lower;
        writeln!(out, "\n/* Variables and events of agents and groups, by their numbers in one program. */")?;
        writeln!(out, "typedef struct {lower}_ids {{\n{members}}} {lower}_ids;\n")?;
        writeln!(out, "/* Finds all of them in a program: after it was linked, and after each reload.\n")?;
        writeln!(
            out,
            "   Errors: PLEACH_E_NAME for the first name that is not there, PLEACH_E_TYPE for a variable that has another\n   type now. pleach_last_error has the message. */"
        )?;
        writeln!(
            out,
            "static inline pleach_status {lower}_ids_find(pleach_program program, {lower}_ids *ids)\n{{"
        )?;
        writeln!(out, "    pleach_status status;")?;
        writeln!(out, "{finds}    return PLEACH_OK;\n}}")
    }
}

/// Adds an argument to a struct, and the code that reads it.
fn argument(
    members: &mut String,
    reads: &mut String,
    index: usize,
    member: &str,
    ty: Type,
    tags: &[String],
) -> std::fmt::Result {
    match ty {
        Type::Bool => {
            writeln!(members, "    bool {member};")?;
            writeln!(reads, "    int32_t {member}_number = 0;")?;
            writeln!(reads, "    pleach_call_int(context, {index}, &{member}_number);")?;
            writeln!(reads, "    args.{member} = {member}_number != 0;")
        }
        Type::Int | Type::Enum(_) => {
            let tag = match ty {
                Type::Enum(of) => tags.get(of as usize),
                _ => None,
            };
            let about = tag.map_or(String::new(), |tag| format!("    /* enum {tag} */\n"));
            writeln!(members, "{about}    int32_t {member};")?;
            writeln!(reads, "    pleach_call_int(context, {index}, &args.{member});")
        }
        Type::Int64 | Type::Double | Type::Entity(_) => {
            let (word, read) = match ty {
                Type::Int64 => ("int64_t", "int64"),
                Type::Double => ("double", "double"),
                _ => ("uint64_t", "entity"),
            };
            writeln!(members, "    {word} {member};")?;
            writeln!(reads, "    pleach_call_{read}(context, {index}, &args.{member});")
        }
        // A vector is passed by its floats.
        Type::Float | Type::Number | Type::Vec2 | Type::Vec3 => {
            writeln!(members, "    float {member};")?;
            writeln!(reads, "    pleach_call_float(context, {index}, &args.{member});")
        }
        Type::Text => {
            writeln!(members, "    const char *{member};\n    size_t {member}_length;")?;
            writeln!(reads, "    pleach_call_text(context, {index}, &args.{member}, &args.{member}_length);")
        }
    }
}

/// Returns a string literal with the bytes of a name. Characters with a special meaning are written
/// as octal numbers of three digits, which a following digit cannot lengthen.
fn literal(name: &str) -> String {
    let mut text = String::from("\"");
    for byte in name.bytes() {
        if byte == b' ' || byte.is_ascii_graphic() && !b"\"\\?".contains(&byte) {
            text.push(byte.into());
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "\\{byte:03o}");
        }
    }
    text + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_hold_any_name() {
        assert_eq!(literal("a \"?\\\n1é"), r#""a \042\077\134\0121\303\251""#);
    }
}
