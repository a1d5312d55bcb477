//! `pleach new`: a project to begin with, which runs.

use crate::Verdict;
use crate::args::{GameLanguage, New};
use crate::failure::Failure;
use crate::output;
use pleach_build::bindgen;
use std::fs;
use std::path::Path;

/// Checkout that this command was built from. It has the crates for a new project.
const CHECKOUT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A file of a project: its path, and its text with `{{name}}`, `{{pleach}}` and `{{command}}` to
/// be filled in.
type Template = (&'static str, &'static str);

/// Project of a language.
struct Project {
    /// Files beside the trees.
    files: &'static [Template],
    /// Commands that build the game and run it.
    run: &'static str,
    /// File that names the checkout.
    manifest: &'static str,
    /// Time that the first build takes, and the reason, as a line; empty for a short one.
    first_build: &'static str,
    /// Names that the project cannot have.
    taken: &'static [&'static Taken],
    /// True if the project's name must not be a word of Rust.
    is_crate: bool,
}

const TREES: &[Template] = &[
    ("trees/guard.pleach", include_str!("../../templates/trees/guard.pleach")),
    ("trees/guard.test", include_str!("../../templates/trees/guard.test")),
];

const RUST: Project = Project {
    files: &[
        (".gitignore", include_str!("../../templates/rust/gitignore")),
        ("Cargo.toml", include_str!("../../templates/rust/Cargo.toml.in")),
        ("build.rs", include_str!("../../templates/rust/build.rs")),
        ("src/main.rs", include_str!("../../templates/rust/src/main.rs")),
    ],
    run: "cargo run",
    manifest: "Cargo.toml",
    first_build: "",
    taken: &[LIBRARIES, FOLDERS, CRATES],
    is_crate: true,
};

const CPP: Project = Project {
    files: &[
        (".gitignore", include_str!("../../templates/cpp/gitignore")),
        ("CMakeLists.txt", include_str!("../../templates/cpp/CMakeLists.txt.in")),
        ("src/main.cpp", include_str!("../../templates/cpp/src/main.cpp")),
    ],
    run: "cmake -S . -B build && cmake --build build && (cd build && ctest --output-on-failure)",
    manifest: "CMakeLists.txt",
    first_build: "The first build takes a few minutes: cargo builds the library by its fast profile, which optimizes \
                  it as a whole.\n",
    taken: &[TARGETS, OWN_TARGETS],
    is_crate: false,
};

/// Project for Bevy. Its build script and the files that git ignores are those of a project in
/// Rust.
const BEVY: Project = Project {
    files: &[
        (".gitignore", include_str!("../../templates/rust/gitignore")),
        ("Cargo.toml", include_str!("../../templates/bevy/Cargo.toml.in")),
        ("build.rs", include_str!("../../templates/rust/build.rs")),
        ("src/main.rs", include_str!("../../templates/bevy/src/main.rs")),
    ],
    first_build: "The first build takes some minutes: cargo builds the parts of Bevy that the game uses.\n",
    taken: &[LIBRARIES, FOLDERS, CRATES, BEVY_CRATES],
    ..RUST
};

/// Names that a kind of things has, in lower case and with `_` for `-`.
type Taken = (&'static str, &'static [&'static str]);

const LIBRARIES: &Taken = &("a library of Rust", &["alloc", "core", "proc_macro", "std", "test"]);
const FOLDERS: &Taken = &("a folder of cargo", &["build", "deps", "examples", "incremental"]);
const CRATES: &Taken = &(DEPENDENCY, &["pleach", "pleach_build", "pleach_compile", "pleach_image"]);
const BEVY_CRATES: &Taken =
    &(DEPENDENCY, &["bevy_app", "bevy_asset", "bevy_ecs", "bevy_time", "pleach_bevy"]);
const TARGETS: &Taken = &(
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
);
const OWN_TARGETS: &Taken = &(
    "a target that the project has",
    &["pleach", "pleach_build", "pleach_shared", "pleach_static", "trees"],
);

const DEPENDENCY: &str = "a crate that the project depends on";

/// Creates the folder of a project.
pub(crate) fn new(args: &New) -> Result<Verdict, Failure> {
    let path = &args.path;
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let project = match args.lang {
        GameLanguage::Rust => RUST,
        GameLanguage::Cpp => CPP,
        GameLanguage::Bevy => BEVY,
    };
    check_name(name, &project).map_err(|why| {
        Failure::file("make", path, format!("`{name}` cannot be the name of a project; {why}"))
    })?;
    if path.is_symlink() || path.exists() {
        return Err(Failure::file("make", path, "it exists already; choose another name"));
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
    for (file, text) in TREES.iter().chain(project.files) {
        write(&path.join(file), &fill(text))?;
    }
    let Project { run, manifest, first_build, .. } = project;
    output::print(&format!(
        "{}: made\n\n  cd {0}\n  {run}\n  pleach test trees/guard.test\n  pleach view --edit trees/guard.pleach\n\n{first_build}\
         {manifest} names the checkout of Pleach by its absolute path, {}: change it there if the checkout moves.\n",
        path.display(),
        checkout.display()
    ))?;
    Ok(Verdict::Fine)
}

/// Checks that the tools of a project take its name. Returns the reason if they do not.
fn check_name(name: &str, project: &Project) -> Result<(), String> {
    let is_word = name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|it| it.is_ascii_alphanumeric() || it == '-' || it == '_');
    if !is_word {
        return Err("a name begins with a letter and has letters, digits, `-` and `_`".to_owned());
    }
    if project.is_crate && bindgen::is_word_of_rust(name) {
        return Err("it is a word of Rust".to_owned());
    }
    let folded = name.replace('-', "_").to_ascii_lowercase();
    match project.taken.iter().find(|(_, names)| names.contains(&folded.as_str())) {
        Some((whose, _)) => Err(format!("it is the name of {whose}")),
        None => Ok(()),
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, text));
    written.map_err(|why| Failure::file("write", path, why))
}
