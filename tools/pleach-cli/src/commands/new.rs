//! `pleach new`: a project to begin with, which runs.

use crate::Verdict;
use crate::args::{GameLanguage, New};
use crate::failure::Failure;
use crate::output;
use pleach_build::bindgen;
use std::fs;
use std::path::Path;

/// Checkout that this command was built from. The crates of a new project are there.
const CHECKOUT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A file of a project: its path, and its text with `{{name}}`, `{{pleach}}` and `{{command}}` to
/// be filled in.
type Template = (&'static str, &'static str);

const TREES: &[Template] = &[
    ("trees/guard.pleach", include_str!("../../templates/trees/guard.pleach")),
    ("trees/guard.test", include_str!("../../templates/trees/guard.test")),
];

const RUST: &[Template] = &[
    (".gitignore", include_str!("../../templates/rust/gitignore")),
    ("Cargo.toml", include_str!("../../templates/rust/Cargo.toml.in")),
    ("build.rs", include_str!("../../templates/rust/build.rs")),
    ("src/main.rs", include_str!("../../templates/rust/src/main.rs")),
];

const CPP: &[Template] = &[
    (".gitignore", include_str!("../../templates/cpp/gitignore")),
    ("CMakeLists.txt", include_str!("../../templates/cpp/CMakeLists.txt.in")),
    ("src/main.cpp", include_str!("../../templates/cpp/src/main.cpp")),
];

/// Names that other things have, in lower case and with `_` for `-`.
type Taken = &'static [(&'static str, &'static [&'static str])];

const TAKEN_IN_RUST: Taken = &[
    ("a library of Rust", &["alloc", "core", "proc_macro", "std", "test"]),
    ("a folder of cargo", &["build", "deps", "examples", "incremental"]),
    ("a crate that the project depends on", &["pleach", "pleach_build", "pleach_compile", "pleach_image"]),
];

const TAKEN_IN_CMAKE: Taken = &[
    (
        "a target of CMake",
        &[
            "all",
            "all_build",
            "clean",
            "edit_cache",
            "help",
            "install",
            "package",
            "package_source",
            "preinstall",
            "rebuild_cache",
            "run_tests",
            "test",
            "zero_check",
        ],
    ),
    ("a target that the project has", &["pleach", "pleach_build", "pleach_shared", "pleach_static", "trees"]),
];

/// Makes the folder of a project.
pub(crate) fn new(args: &New) -> Result<Verdict, Failure> {
    let path = &args.path;
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    check_name(name, args.lang).map_err(|why| {
        Failure::file("make", path, format!("`{name}` cannot be the name of a project; {why}"))
    })?;
    if path.is_symlink() || path.exists() {
        return Err(Failure::file("make", path, "it is there"));
    }
    let checkout = Path::new(CHECKOUT).canonicalize().map_err(|why| {
        let why = format!("{why}; the command was built there, build it again where Pleach is now");
        Failure::file("find", Path::new(CHECKOUT), why)
    })?;
    let command = std::env::current_exe().ok().and_then(|command| command.parent().map(Path::to_owned));
    let fill = |text: &str| {
        text.replace("{{name}}", name)
            .replace("{{pleach}}", &checkout.display().to_string())
            .replace("{{command}}", &command.clone().unwrap_or_default().display().to_string())
    };
    let (host, run, manifest) = match args.lang {
        GameLanguage::Rust => (RUST, "cargo run", "Cargo.toml"),
        GameLanguage::Cpp => (
            CPP,
            "cmake -S . -B build && cmake --build build && (cd build && ctest --output-on-failure)",
            "CMakeLists.txt",
        ),
    };
    for (file, text) in TREES.iter().chain(host) {
        write(&path.join(file), &fill(text))?;
    }
    output::print(&format!(
        "{}: made\n\n  cd {0}\n  {run}\n  pleach test trees/guard.test\n  pleach view trees/guard.pleach\n\n\
         {manifest} names the checkout of Pleach by its absolute path, {}: change it there if the checkout moves.\n",
        path.display(),
        checkout.display()
    ))?;
    Ok(Verdict::Fine)
}

/// Checks that the tools of a language take a name. Returns the reason if they do not.
fn check_name(name: &str, lang: GameLanguage) -> Result<(), String> {
    let is_word = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '-' || it == '_');
    if !is_word {
        return Err("it begins with a letter and has letters, digits, `-` and `_`".to_owned());
    }
    if lang == GameLanguage::Rust && bindgen::is_word_of_rust(name) {
        return Err("it is a word of Rust".to_owned());
    }
    let taken = match lang {
        GameLanguage::Rust => TAKEN_IN_RUST,
        GameLanguage::Cpp => TAKEN_IN_CMAKE,
    };
    let folded = name.replace('-', "_").to_ascii_lowercase();
    match taken.iter().find(|(_, names)| names.contains(&folded.as_str())) {
        Some((whose, _)) => Err(format!("it is the name of {whose}")),
        None => Ok(()),
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, text));
    written.map_err(|why| Failure::file("write", path, why))
}
