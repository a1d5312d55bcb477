//! The repository keeps the rules of its design that no compiler checks.
//!
//! Each rule is a sentence of the design: the allowed dependencies, the places of unsafe code, the
//! length of files. An exception is a row in a table here, with its reason. All files are checked,
//! except those that the repository ignores.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Files with unsafe code, with the number of occurrences of the keyword and the reason.
const UNSAFE: &[(&str, usize, &str)] = &[
    ("crates/pleach-image/src/map.rs", 2, "a mapped file can change under the program: the caller promises"),
    (
        "crates/pleach-image/src/sealed.rs",
        1,
        "a mapped file can change under the program: the system promises",
    ),
    (
        "crates/pleach/src/engine/batch/lanes/x86/avx2.rs",
        7,
        "calls code for a processor that was asked; loads and stores vectors in arrays of lanes",
    ),
    (
        "crates/pleach/src/engine/batch/lanes/x86/avx512.rs",
        12,
        "calls code for a processor that was asked; loads and stores vectors in arrays of lanes",
    ),
    ("crates/pleach/src/engine/batch/lanes/x86/mod.rs", 1, "calls code for a processor that was asked"),
    ("tests/src/counting.rs", 5, "an allocator that counts is an unsafe trait"),
    (
        "tests/no_std/src/main.rs",
        9,
        "a game without the standard library has its own allocator and entry point",
    ),
    (
        "tests/tests/hostile/load.rs",
        1,
        "maps files that only the test knows, and changes them on purpose in a process of its own",
    ),
    (
        "benches/src/trusted.rs",
        2,
        "reads what the benchmarks wrote; calls code for a processor that was asked",
    ),
    ("benches/src/fields/vector.rs", 2, "calls code for a processor that was asked"),
    (
        "benches/src/border.rs",
        8,
        "what a pointer of the caller leads to is read and written here, and nowhere else in the crate",
    ),
    ("crates/pleach-capi/src/abi.rs", 9, "functions that C calls"),
    ("crates/pleach-capi/src/about.rs", 8, "functions that C calls"),
    (
        "crates/pleach-capi/src/border.rs",
        10,
        "what a pointer of the caller leads to is read and written here, and nowhere else in the crate",
    ),
    ("crates/pleach-capi/src/calls.rs", 46, "functions that C calls"),
    ("crates/pleach-capi/src/compile.rs", 12, "functions that C calls"),
    (
        "crates/pleach-capi/src/context.rs",
        9,
        "a call that is going on is found by its number, without its lifetime",
    ),
    ("crates/pleach-capi/src/crowd.rs", 32, "functions that C calls"),
    ("crates/pleach-capi/src/forests.rs", 15, "functions that C calls; calls a function of the game"),
    (
        "crates/pleach-capi/src/host.rs",
        11,
        "calls functions of the game; a pointer of the game is handed from thread to thread",
    ),
    ("crates/pleach-capi/src/image.rs", 13, "functions that C calls; maps a file: the caller promises"),
    ("crates/pleach-capi/src/memory.rs", 13, "an allocator is an unsafe trait; calls functions of the game"),
    ("crates/pleach-capi/src/parts.rs", 6, "functions that C calls; calls a function of the game"),
    ("crates/pleach-capi/src/program.rs", 24, "functions that C calls"),
    ("crates/pleach-capi/src/rules.rs", 14, "functions that C calls"),
    ("crates/pleach-capi/src/shared.rs", 20, "functions that C calls"),
    ("crates/pleach-capi/src/state.rs", 21, "functions that C calls"),
    ("crates/pleach-capi/src/tunables.rs", 12, "functions that C calls"),
    ("crates/pleach-capi/src/values.rs", 20, "functions that C calls"),
    ("crates/pleach-capi/src/watch.rs", 12, "functions that C calls; calls functions of the game"),
    ("editors/tree-sitter-pleach/bindings/rust/lib.rs", 2, "names the generated parser, which is C"),
    ("python/src/lent.rs", 1, "a call is lent to an object of Python without its lifetime"),
    ("python/src/together.rs", 5, "a question is lent to another stack without its lifetime"),
    ("python/src/crowd/view.rs", 1, "an array of NumPy has no lifetime, so its owner keeps the memory"),
    ("tests/src/conformance/engine/capi/answers.rs", 9, "callbacks as C has them"),
    ("tests/src/conformance/engine/capi/mod.rs", 1, "calls functions as C does"),
];

/// Files that may be longer than [`MOST_LINES`]: tables only.
const LONG: &[&str] = &[];
const MOST_LINES: usize = 800;

/// Minimum number of comment lines before the code of a library or a program. Other files have at
/// least one.
const ESSAY_LINES: usize = 3;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this package lies in the workspace").to_owned()
}

/// Returns all files of the repository except ignored ones, by path from the root.
fn files() -> BTreeMap<String, PathBuf> {
    let root = root();
    let ignore = fs::read_to_string(root.join(".gitignore")).expect("the list of what is ignored");
    let ignored: Vec<_> = ignore.lines().map(|line| root.join(line.trim_matches('/'))).collect();
    let mut files = BTreeMap::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the repository") {
            let path = entry.expect("an entry of a folder").path();
            if ignored.contains(&path) || path.file_name() == Some(OsStr::new(".git")) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(short) = path.strip_prefix(&root) {
                files.insert(short.to_string_lossy().into_owned(), path);
            }
        }
    }
    files
}

/// Returns the text files whose path has this end.
pub(super) fn texts(end: &str) -> Vec<(String, String)> {
    let mut files = files();
    files.retain(|name, _| name.ends_with(end));
    let read = |(name, path)| Some((name, fs::read_to_string(path).ok()?));
    let texts: Vec<_> = files.into_iter().filter_map(read).collect();
    assert!(!texts.is_empty(), "there is no file *{end}");
    texts
}

/// Fails with all findings, if there are any.
pub(super) fn none(findings: &[String]) {
    assert!(findings.is_empty(), "\n{}", findings.join("\n"));
}

/// Returns Rust code without comments and without the content of string literals.
pub(super) fn code(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skip = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
            rest[1..].find('\'').map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("r#\"") {
            rest.find("\"#").map_or(rest.len(), |end| end + 2)
        } else if first == '"' {
            string(rest)
        } else {
            code.push(first);
            first.len_utf8()
        };
        rest = &rest[skip..];
    }
    code
}

/// Returns the length in bytes of the string literal at the start of a text.
fn string(text: &str) -> usize {
    let mut escaped = false;
    let end = text[1..].find(|letter| {
        let ends = letter == '"' && !escaped;
        escaped = letter == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}

/// Returns the number of occurrences of a keyword in code.
fn keyword_count(code: &str, keyword: &str) -> usize {
    let words = code.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.filter(|word| *word == keyword).count()
}

#[test]
fn comments_and_strings_are_not_code() {
    let text =
        "let a = \"unsafe \\\" unsafe\"; // unsafe\nlet b = '\"'; unsafe { c(r#\"unsafe\"#) } unsafe_code";
    assert_eq!(keyword_count(&code(text), "unsafe"), 1);
}

/// Package, with the packages of the workspace that it needs.
#[derive(Debug, Default, PartialEq, Eq)]
struct Package {
    name: String,
    /// Packages that are shipped with it.
    ships: BTreeSet<String>,
    /// Packages that only its tests, examples and build scripts need.
    tests: BTreeSet<String>,
}

/// Reads a manifest; `None` if it describes no package.
fn package(manifest: &str) -> Option<Package> {
    let (mut package, mut section) = (Package::default(), "");
    for line in manifest.lines().map(str::trim) {
        let (table, dependency) = if let Some(header) = line.strip_prefix('[') {
            section = header.trim_end_matches(']');
            match section.split_once("dependencies.") {
                Some((table, dependency)) => (table, dependency),
                None => continue,
            }
        } else if let Some((key, value)) = line.split_once('=') {
            let key = key.trim().split('.').next().unwrap_or_default();
            if section == "package" && key == "name" {
                package.name = value.trim().trim_matches('"').to_owned();
            }
            match section.strip_suffix("dependencies") {
                Some(table) => (table, key),
                None => continue,
            }
        } else {
            continue;
        };
        // Dependencies that all packages of a workspace may choose from do not count.
        if dependency.starts_with("pleach") && table != "workspace." {
            let is_shipped = !table.ends_with("dev-") && !table.ends_with("build-");
            let needs = if is_shipped { &mut package.ships } else { &mut package.tests };
            needs.insert(dependency.to_owned());
        }
    }
    (!package.name.is_empty()).then_some(package)
}

/// Reads the table of packages of the design.
fn table_of_packages(page: &str) -> Vec<Package> {
    let rows = page.lines().skip_while(|line| !line.starts_with("| package |")).skip(2);
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let ours = |cell: &str| names(cell).into_iter().filter(|name| name.starts_with("pleach")).collect();
    let package = |row: &str| {
        let cells: Vec<_> = row.split('|').collect();
        Package { name: names(cells[1]).concat(), ships: ours(cells[3]), tests: ours(cells[4]) }
    };
    rows.take_while(|line| line.starts_with('|')).map(package).collect()
}

/// Returns the differences between a package and the table.
fn wrong(table: &[Package], package: &Package) -> Vec<String> {
    let name = &package.name;
    let Some(allowed) = table.iter().find(|it| it.name == *name) else {
        return vec![format!("{name} is in no row of the table of packages")];
    };
    let ships = package.ships.difference(&allowed.ships).map(|need| format!("{name} must not ship {need}"));
    let tests = package.tests.difference(&allowed.tests);
    ships.chain(tests.map(|need| format!("tests of {name} must not need {need}"))).collect()
}

#[test]
fn packages_depend_as_the_arrows_say() {
    let page = fs::read_to_string(root().join("spec/ARCHITECTURE.md")).expect("the page is there");
    let table = table_of_packages(&page);
    let texts = texts("Cargo.toml");
    let packages: Vec<_> = texts.iter().filter_map(|(_, text)| package(text)).collect();
    let mut findings: Vec<_> = packages.iter().flat_map(|package| wrong(&table, package)).collect();
    let unneeded = table.iter().filter(|row| !packages.contains(row));
    findings.extend(unneeded.map(|row| format!("the table allows more than {} needs", row.name)));
    none(&findings);
}

#[test]
fn a_package_that_would_ship_what_only_tests_may_need_is_found() {
    let table = table_of_packages(
        "| package | | ships with | tests |\n|---|---|---|---|\n| `a` | | `pleach` | `pleach-compile` |\n",
    );
    let manifest = |text: &str| package(&format!("[package]\nname = \"a\"\n{text}")).expect("it has a name");
    let sound = manifest(
        "[dependencies]\npleach.workspace = true\nserde = \"1\"\n[dev-dependencies]\npleach-compile.workspace = true",
    );
    assert_eq!((wrong(&table, &sound), &table[0]), (Vec::new(), &sound));
    let planted = [
        "[dependencies]\npleach-compile.workspace = true",
        "[dependencies.pleach-compile]\npath = \"y\"",
        "[target.'cfg(unix)'.dependencies]\npleach-compile = { path = \"x\", optional = true }",
    ];
    for text in planted {
        assert_eq!(wrong(&table, &manifest(text)), ["a must not ship pleach-compile"], "{text}");
    }
    let other = manifest("[build-dependencies]\npleach-image = { path = \"x\" }");
    assert_eq!(wrong(&table, &other), ["tests of a must not need pleach-image"]);
    assert_eq!(wrong(&[], &sound), ["a is in no row of the table of packages"]);
}

#[test]
fn unsafe_code_stands_where_it_is_listed() {
    let mut findings = Vec::new();
    let mut listed: BTreeMap<_, _> = UNSAFE.iter().map(|(file, count, _)| (*file, *count)).collect();
    for (file, text) in texts(".rs") {
        let is = keyword_count(&code(&text), "unsafe");
        let must = listed.remove(file.as_str()).unwrap_or(0);
        if is != must {
            findings.push(format!("{file}: {is} times unsafe, listed {must}"));
        }
    }
    findings.extend(listed.keys().map(|file| format!("{file} is listed, but is not there")));
    none(&findings);
}

#[test]
fn files_are_short() {
    let long = |(file, text): &(String, String)| {
        let lines = text.lines().count();
        let is_long = lines > MOST_LINES && !LONG.contains(&file.as_str());
        is_long.then(|| format!("{file} has {lines} lines"))
    };
    none(&texts(".rs").iter().filter_map(long).collect::<Vec<_>>());
}

#[test]
fn nothing_is_left_for_later() {
    // Each mark is in two pieces, so that this file passes.
    let marks = [["to", "do!"], ["unimple", "mented!"], ["FIX", "ME"]].map(|mark| mark.concat());
    let mut findings = Vec::new();
    for (file, text) in texts(".rs") {
        let found = marks.iter().filter(|mark| text.contains(*mark));
        findings.extend(found.map(|mark| format!("{file} contains {mark}")));
    }
    none(&findings);
}

/// Returns true if a file is the root of a library or a program.
fn is_crate_root(file: &str) -> bool {
    let program = file.rsplit('/').nth(1) == Some("bin");
    program || file.ends_with("src/lib.rs") || file.ends_with("src/main.rs")
}

#[test]
fn every_file_says_what_it_is() {
    let mut findings = Vec::new();
    for (file, text) in texts(".rs") {
        let essay = text.lines().take_while(|line| line.starts_with("//!")).count();
        let least = if is_crate_root(&file) { ESSAY_LINES } else { 1 };
        if essay < least {
            findings.push(format!("{file}: {essay} lines of essay before the code, not {least}"));
        }
    }
    none(&findings);
}

#[test]
fn no_place_of_a_machine_is_named() {
    // Each place is in two pieces, so that this file passes.
    let places =
        [["/wo", "rk/"], ["/sha", "red/"], ["/ro", "ot/"], ["/ho", "me/"]].map(|place| place.concat());
    let mut findings = Vec::new();
    for (file, text) in texts("") {
        for (line, content) in (1..).zip(text.lines()) {
            let found = places.iter().filter(|place| content.contains(*place));
            findings.extend(found.map(|place| format!("{file}:{line} names {place}")));
        }
    }
    none(&findings);
}

/// Returns the names and versions of a lock file's packages.
fn locked(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("[[package]]").skip(1).filter_map(|package| {
        let after = |key: &str| package.lines().find_map(|line| line.strip_prefix(key)?.strip_suffix('"'));
        Some((after("name = \"")?, after("version = \"")?))
    })
}

/// Returns what compatible versions have in common, such as `1` and `0.17`.
fn series(version: &str) -> &str {
    let parts = if version.starts_with("0.") { 2 } else { 1 };
    version.match_indices('.').nth(parts - 1).map_or(version, |(at, _)| &version[..at])
}

#[test]
fn workspaces_have_the_same_versions_of_packages() {
    // What is built for one workspace is built anew for another one if a version differs.
    let (files, mut known, mut findings) = (texts("Cargo.lock"), BTreeMap::new(), Vec::new());
    assert!(files.len() > 1, "there is only one workspace");
    for (file, text) in &files {
        for (name, version) in locked(text) {
            let (other, first) = *known.entry((name, series(version))).or_insert((version, file));
            if version != other {
                findings.push(format!("{file} has {name} {version}, {first} has {other}"));
            }
        }
    }
    none(&findings);
}
