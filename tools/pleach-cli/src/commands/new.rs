//! `pleach new`: a project to begin with, which runs.

use crate::Verdict;
use crate::args::{GameLanguage, New};
use crate::failure::Failure;
use crate::output;
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

/// Makes the folder of a project.
pub(crate) fn new(args: &New) -> Result<Verdict, Failure> {
    let path = &args.path;
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if !is_name(name) {
        let why = format!("`{name}` cannot be the name of a project; it has letters, digits, `-` and `_`");
        return Err(Failure::file("make", path, why));
    }
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
    let (host, run) = match args.lang {
        GameLanguage::Rust => (RUST, "cargo run"),
        GameLanguage::Cpp => {
            (CPP, "cmake -S . -B build && cmake --build build && (cd build && ctest --output-on-failure)")
        }
    };
    for (file, text) in TREES.iter().chain(host) {
        write(&path.join(file), &fill(text))?;
    }
    output::print(&format!(
        "{}: made\n\n  cd {0}\n  {run}\n  pleach test trees/guard.test\n  pleach view trees/guard.pleach\n",
        path.display()
    ))?;
    Ok(Verdict::Fine)
}

/// Returns true for a name of a crate and of a target of CMake.
fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '-' || it == '_')
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, text));
    written.map_err(|why| Failure::file("write", path, why))
}
