//! Names of public crates: no two types of the runtime share a name, the root of the runtime has
//! few names, the compiler publishes a fixed list, and enums of errors may grow.

use super::rules::{code, none, texts};
use std::collections::{BTreeMap, BTreeSet};

/// Largest number of names in the root of the runtime.
const MOST_IN_ROOT: usize = 30;

/// Returns the files below a folder, by path, with their text.
fn below(folder: &str) -> Vec<(String, String)> {
    let mut files = texts(".rs");
    files.retain(|(file, _)| file.starts_with(folder));
    assert!(!files.is_empty(), "there is no file below {folder}");
    files
}

/// Returns the names of the types that a file declares outside of all braces.
fn types(text: &str) -> BTreeSet<String> {
    fn declared(line: &str) -> Option<&str> {
        let line = line.strip_prefix("pub").unwrap_or(line);
        let line =
            line.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(line, |(_, rest)| rest);
        let mut words = line.trim_start().split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let keyword = words.next()?;
        ["struct", "enum", "trait", "type", "union"].contains(&keyword).then(|| words.next())?
    }
    code(text).lines().filter(|line| !line.starts_with(' ')).filter_map(declared).map(str::to_owned).collect()
}

/// Returns the types that several files declare.
fn shared(files: &[(String, String)]) -> Vec<String> {
    let mut places: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (file, text) in files {
        types(text).into_iter().for_each(|name| places.entry(name).or_default().push(file));
    }
    places.retain(|_, files| files.len() > 1);
    places.into_iter().map(|(name, files)| format!("{name}: {}", files.join(", "))).collect()
}

#[test]
fn no_two_types_of_the_runtime_share_a_name() {
    none(&shared(&below("crates/pleach/src/")));
}

#[test]
fn types_that_share_a_name_are_found() {
    let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let files = [
        file("a", "// struct Note\npub(crate) struct Line<'a> {\n    type Inner = H;\n}\nenum Way {}"),
        file("b", "pub type Line = u8;\nimpl Host for Way {\n    type Inner = H;\n}"),
        file("c", "struct Note;\npub trait Watch: Way {}"),
    ];
    assert_eq!(shared(&files), ["Line: a, b"]);
}

/// Returns the names that a root re-exports with `pub use`, except hidden ones.
fn handed_on(root: &str) -> BTreeSet<String> {
    let code = code(root);
    let uses = code.split_inclusive(';').filter(|item| !item.contains("#[doc(hidden)]"));
    let names = uses.filter_map(|item| item.split_once("pub use ")).flat_map(|(_, path)| {
        let list = path.split_once('{').map_or_else(|| path.rsplit("::").next(), |(_, list)| Some(list));
        list.unwrap_or_default()
            .split(',')
            .map(|name| name.trim_matches(|letter: char| " \n};".contains(letter)))
    });
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

#[test]
fn the_root_of_the_runtime_fits_on_a_screen() {
    let root = below("crates/pleach/src/lib.rs").remove(0).1;
    let names = handed_on(&root);
    assert!(names.contains("Crowd") && names.contains("Image"), "{names:?}");
    assert!(names.len() <= MOST_IN_ROOT, "{} names: {names:?}", names.len());
}

/// Returns the names of the public items of a module, except hidden ones.
fn door(module: &str) -> BTreeSet<String> {
    let mut names = handed_on(module);
    let mut is_hidden = false;
    for line in code(module).lines() {
        let item = line.strip_prefix("pub ").filter(|item| !is_hidden && !item.starts_with("use "));
        let mut words =
            item.unwrap_or_default().split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        names.extend(words.nth(1).map(str::to_owned));
        is_hidden = line == "#[doc(hidden)]";
    }
    names
}

#[test]
fn public_items_are_found() {
    let module = "pub mod source;\n#[doc(hidden)]\npub mod internals;\npub use source::{Library, Sources};\n\
        pub(crate) struct Inner;\npub struct Outer {\n    pub field: u8,\n}\npub fn compile() {}\n";
    let found: Vec<_> = door(module).into_iter().collect();
    assert_eq!(found, ["Library", "Outer", "Sources", "compile", "source"]);
}

/// Public modules of the compiler, with the public names in each.
const COMPILER: &[(&str, &str)] = &[
    (
        "lib.rs",
        "Compilation Compiler Conversion ConversionOptions Request codes compile declarations diagnostic dialect manifest source texts to_btcpp",
    ),
    (
        "diagnostic.rs",
        "Code Diagnostic Diagnostics Edit MAX_DIAGNOSTICS MAX_DIAGNOSTIC_BYTES Related Severity",
    ),
    (
        "dialect/mod.rs",
        "DIALECTS Dialect by_extension by_name by_root_element manifest_of_file manifest_of_models models_of_manifest of_file",
    ),
    (
        "manifest.rs",
        "Constant Declarations Default Entry Enum Function Inside Leaf Manifest Manifests Param Problem Starter Substitute Substitution Symbol TestNode TestStatus Type",
    ),
    ("source.rs", "Found Library Origin OriginId OriginKind Place Source SourceId Sources Span"),
    ("texts.rs", "Texts"),
];

#[test]
fn the_compiler_publishes_what_programs_that_embed_it_need() {
    let files: BTreeMap<_, _> = below("crates/pleach-compile/src/").into_iter().collect();
    for (file, names) in COMPILER {
        let found = door(&files[&format!("crates/pleach-compile/src/{file}")]);
        assert_eq!(found.into_iter().collect::<Vec<_>>().join(" "), *names, "{file}");
    }
}

/// Returns the enums of errors that a user of the crate could match without a wildcard.
fn exhaustive(files: &[(String, String)]) -> Vec<String> {
    let codes: Vec<_> = files.iter().map(|(_, text)| code(text)).collect();
    let errors = codes.iter().flat_map(|code| code.split("Error for ").skip(1));
    let names = errors.filter_map(|rest| rest.split(|letter: char| !letter.is_alphanumeric()).next());
    let is_closed = |name: &&str| {
        let declared = format!("pub enum {name} {{");
        let before = codes.iter().filter_map(|code| Some(code.split_once(&declared)?.0)).next();
        before.is_some_and(|before| !before.trim_end().ends_with("#[non_exhaustive]"))
    };
    names.filter(is_closed).map(str::to_owned).collect()
}

#[test]
fn enums_of_errors_may_grow() {
    let files = [
        (
            "a".to_owned(),
            "#[non_exhaustive]\npub enum Open {}\nimpl core::error::Error for Open {}".to_owned(),
        ),
        ("b".to_owned(), "#[derive(Debug)]\npub enum Closed { A }\nimpl Error for Closed {}".to_owned()),
    ];
    assert_eq!(exhaustive(&files), ["Closed"]);
    for package in ["pleach", "pleach-image", "pleach-compile", "pleach-build", "pleach-view", "pleach-bevy"]
    {
        none(&exhaustive(&below(&format!("crates/{package}/src/"))));
    }
}

#[test]
fn the_core_knows_no_script_language() {
    let core = ["crates/pleach/src/", "crates/pleach-image/src/"].map(below).concat();
    none(
        &core.into_iter().filter(|(_, text)| text.contains("Lua")).map(|(file, _)| file).collect::<Vec<_>>(),
    );
}
