//! C and C++ programs, built with all warnings as errors, and run with and without the address
//! sanitizer.
//!
//! If there is no compiler, a test prints `skipped` and passes. `cargo test -p pleach-capi --test
//! examples -- --nocapture` shows the output of the programs.

use pleach_compile::texts::Texts;
use pleach_compile::{Request, compile, dialect};
use std::path::{Path, PathBuf};
use std::process::Command;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Returns the path of a file beside this test, such as the library.
fn beside(name: &str) -> PathBuf {
    let this = std::env::current_exe().expect("the path of this test");
    this.parent().expect("the folder of this test").join(name)
}

/// Compiles the example's tree to a file.
fn image(name: &str) -> PathBuf {
    let text = std::fs::read(here("examples/camp.pleach")).expect("the example's tree");
    let dialect = dialect::by_name("pleach").expect("the dialect");
    let (manifest, entries) = (dialect.own_manifest(), ["camp".to_owned()]);
    let texts = Texts::of("camp", "pleach", text);
    let done = compile(&texts, Request { dialect, manifest: &manifest, entries: &entries, debug: true });
    assert!(done.diagnostics.list().is_empty(), "a newcomer begins here: {:?}", done.diagnostics);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.plc"));
    let bytes = done.image.expect("an image");
    std::fs::write(&path, bytes).expect("the image is written");
    path
}

/// Runs a command and returns its output. Fails the test if the command fails.
fn run(command: &mut Command) -> String {
    let done = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, errors) = (said(&done.stdout), said(&done.stderr));
    assert!(done.status.success(), "{command:?}: {}\n{out}{errors}", done.status);
    out
}

/// Compiler with its common flags.
struct Tool {
    command: String,
    flags: &'static [&'static str],
}

impl Tool {
    /// Finds the compiler that an environment variable names, or the usual one. Returns `None` if
    /// it does not exist.
    fn find(variable: &str, usual: &str, flags: &'static [&'static str]) -> Option<Self> {
        let command = std::env::var(variable).unwrap_or_else(|_| usual.to_owned());
        let is_there = Command::new(&command).arg("--version").output().is_ok();
        if !is_there {
            println!("skipped: there is no compiler `{command}`");
        }
        is_there.then_some(Self { command, flags })
    }

    fn c() -> Option<Self> {
        Self::find("CC", "cc", &["-std=c11"])
    }

    fn cpp() -> Option<Self> {
        Self::find("CXX", "c++", &["-std=c++17"])
    }

    fn build(&self, source: &Path, extra: &[&str], to: &Path) -> Command {
        let mut command = Command::new(&self.command);
        command.args(self.flags).args(["-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pedantic"]).args(extra);
        command.arg("-I").arg(here("include")).arg(source).arg(beside("libpleach_capi.a"));
        command.args(["-lpthread", "-ldl", "-lm", "-o"]).arg(to);
        command
    }

    /// Builds a program and runs it with the image.
    fn try_out(&self, source: &str, extra: &[&str]) {
        let source = here(source);
        let stem = source.file_name().unwrap_or_default().to_string_lossy().replace('.', "_");
        let name = format!("{stem}{}", extra.concat().replace(['=', '-'], "_"));
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&name);
        run(&mut self.build(&source, extra, &program));
        print!("{name}: {}", run(Command::new(&program).arg(image(&name))));
    }

    /// Returns true if the compiler has the address sanitizer.
    fn sanitizes(&self) -> bool {
        let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nothing.c");
        std::fs::write(&source, "int main(void) { return 0; }\n").expect("a program is written");
        let mut command = Command::new(&self.command);
        command.args(["-x", "c", "-fsanitize=address", "-o"]).arg(source.with_extension("out")).arg(&source);
        let built = command.output().is_ok_and(|done| done.status.success());
        if !built {
            println!("skipped: `{}` has no address sanitizer", self.command);
        }
        built
    }
}

const ADDRESS: &[&str] = &["-fsanitize=address"];

#[test]
fn a_crowd_in_c() {
    let Some(tool) = Tool::c() else { return };
    tool.try_out("examples/camp.c", &[]);
}

#[test]
fn a_crowd_in_cpp() {
    let Some(tool) = Tool::cpp() else { return };
    tool.try_out("examples/camp.cpp", &["-fno-exceptions"]);
}

#[test]
fn the_border_in_c() {
    let Some(tool) = Tool::c() else { return };
    tool.try_out("tests/border.c", &[]);
}

#[test]
fn a_running_crowd_in_c() {
    let Some(tool) = Tool::c() else { return };
    tool.try_out("tests/running.c", &[]);
}

#[test]
fn all_of_it_under_the_address_sanitizer() {
    let (Some(c), Some(cpp)) = (Tool::c(), Tool::cpp()) else { return };
    if !c.sanitizes() {
        return;
    }
    c.try_out("examples/camp.c", ADDRESS);
    c.try_out("tests/border.c", ADDRESS);
    c.try_out("tests/running.c", ADDRESS);
    cpp.try_out("examples/camp.cpp", ADDRESS);
}

#[test]
fn sizes_and_offsets_are_what_they_were() {
    let Some(tool) = Tool::c() else { return };
    let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join("abi.o");
    run(tool.build(&here("tests/abi.c"), &["-c"], &to).arg("-Wno-unused-command-line-argument"));
}

/// Returns true if a program exists. Otherwise prints that the test is skipped.
fn is_there(program: &str) -> bool {
    let is_there = Command::new(program).arg("--version").output().is_ok();
    if !is_there {
        println!("skipped: there is no `{program}`");
    }
    is_there
}

/// Checks that installed packages are found by another project, built and run.
#[test]
fn packages_are_found() {
    if !is_there("cmake") || Tool::c().is_none() || Tool::cpp().is_none() {
        return;
    }
    let room = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages");
    // Remains of an earlier run may belong to another compiler.
    let _ = std::fs::remove_dir_all(&room);
    let (library, prefix, game) = (room.join("library"), room.join("prefix"), room.join("game"));
    let cmake = || Command::new("cmake");
    let built = format!("-DPLEACH_LIBRARY_DIR={}", beside("").display());
    run(cmake().arg("-S").arg(here("")).arg("-B").arg(&library).arg(built));
    run(cmake().arg("--build").arg(&library));
    run(cmake().arg("--install").arg(&library).arg("--prefix").arg(&prefix));
    let found = format!("-DCMAKE_PREFIX_PATH={}", prefix.display());
    run(cmake().arg("-S").arg(here("examples")).arg("-B").arg(&game).arg(found));
    run(cmake().arg("--build").arg(&game));
    for program in ["camp", "camp_cpp"] {
        print!("installed {program}: {}", run(Command::new(game.join(program)).arg(image(program))));
    }
    if is_there("pkg-config") {
        by_pkg_config(&prefix, &room.join("by_pkg_config"));
    }
}

fn by_pkg_config(prefix: &Path, to: &Path) {
    let found: Vec<_> = ["lib", "lib64"].map(|folder| prefix.join(folder).join("pkgconfig")).into();
    let path = std::env::join_paths(found).expect("a path");
    let asked =
        run(Command::new("pkg-config").args(["--cflags", "--libs", "pleach"]).env("PKG_CONFIG_PATH", path));
    let Some(tool) = Tool::c() else { return };
    let mut command = Command::new(&tool.command);
    command.args(tool.flags).arg(here("examples/camp.c")).args(asked.split_whitespace()).arg("-o").arg(to);
    run(&mut command);
    let libraries = ["lib", "lib64"].map(|folder| prefix.join(folder));
    let libraries = std::env::join_paths(libraries).expect("a path");
    let mut program = Command::new(to);
    print!("{}", run(program.arg(image("by_pkg_config")).env("LD_LIBRARY_PATH", libraries)));
}

#[cfg(feature = "compile")]
#[test]
fn source_text_is_compiled() {
    let Some(tool) = Tool::c() else { return };
    tool.try_out("tests/compile.c", &["-DPLEACH_COMPILE"]);
}

#[cfg(feature = "allocator")]
#[test]
fn memory_is_the_games() {
    let Some(tool) = Tool::c() else { return };
    tool.try_out("tests/allocator.c", &["-DPLEACH_ALLOCATOR"]);
}
