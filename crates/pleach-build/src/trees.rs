//! Trees of a game, named by its build script.

use crate::bindgen::{self, Language, Names};
use crate::error::Error;
use crate::files::{self, Files};
use crate::findings::Findings;
use pleach_compile::dialect::{DIALECTS, Dialect};
use pleach_compile::manifest::{Manifest, Manifests};
use pleach_compile::{Request, compile, declarations};
use pleach_image::Image;
use std::path::{Path, PathBuf};
use std::{env, fs, process};

/// Trees that become one image and one module of the game.
///
/// Paths are relative to the folder of the game's `Cargo.toml`, which is where build scripts run.
#[derive(Clone, Debug)]
pub struct Trees {
    name: String,
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
    manifests: Vec<PathBuf>,
    debug: bool,
}

/// Files that were read, ready to be compiled.
struct Opened {
    library: Files,
    dialect: &'static dyn Dialect,
    entries: Vec<String>,
}

/// Trees that have been compiled.
struct Made {
    bytes: Vec<u8>,
    opened: Opened,
    vocabulary: Manifest,
}

/// Result of compiling trees.
#[derive(Debug, Default)]
pub struct Output {
    /// Errors and warnings. If there are errors, no file was written.
    pub findings: Findings,
    /// Files that were read, and folders whose files all belong to the program. A change of any of
    /// them can change the result.
    pub inputs: Vec<PathBuf>,
}

impl Trees {
    /// Creates a program without trees. `name` is the name of the module, `NAME.rs`, and of the
    /// image, `NAME.plc`.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), files: Vec::new(), folders: Vec::new(), manifests: Vec::new(), debug: true }
    }

    /// Adds a file of trees. Files that it includes may be in its folder.
    #[must_use]
    pub fn file(mut self, path: impl Into<PathBuf>) -> Self {
        self.files.push(path.into());
        self
    }

    /// Adds a folder in which trees and included files are searched, like `-I` of the command.
    #[must_use]
    pub fn folder(mut self, path: impl Into<PathBuf>) -> Self {
        self.folders.push(path.into());
        self
    }

    /// Adds a manifest with functions of the game to the dialect's own manifest, like `--manifest`
    /// of the command.
    ///
    /// A declaration replaces an earlier one of that name, with a warning.
    #[must_use]
    pub fn manifest(mut self, path: impl Into<PathBuf>) -> Self {
        self.manifests.push(path.into());
        self
    }

    /// Leaves out the debug sections, from which traces and live views get the lines of nodes. By
    /// default they are written.
    #[must_use]
    pub fn without_debug(mut self) -> Self {
        self.debug = false;
        self
    }

    /// Compiles the trees into `OUT_DIR`, as build scripts do, and reports to cargo which files
    /// were read.
    ///
    /// Errors are printed to standard error, and the process ends with exit code 1, which fails the
    /// build. Warnings become warnings of cargo, one line each.
    pub fn build(&self) {
        let Some(out) = env::var_os("OUT_DIR") else {
            fail("there is no OUT_DIR: trees are built in a build script, which cargo runs");
        };
        let output = self.compile(Path::new(&out)).unwrap_or_else(|error| fail(&error.to_string()));
        print!("{}", output.directives());
        eprint!("{}", output.findings.render(false));
        if output.findings.failed() {
            process::exit(1);
        }
    }

    /// Compiles the trees and writes image and module into a folder, unless there are errors.
    ///
    /// # Errors
    /// If the name cannot be the name of a module; if a file cannot be read or written, has no
    /// known dialect, or has another dialect than the first file.
    pub fn compile(&self, out: &Path) -> Result<Output, Error> {
        if !bindgen::is_module(&self.name) {
            return Err(Error::new(format!("`{}` cannot be the name of a module of Rust", self.name)));
        }
        let (output, made) = self.make()?;
        if let Some(made) = made {
            let names = self.names(&made)?;
            write(&out.join(format!("{}.plc", self.name)), &made.bytes)?;
            write(&out.join(format!("{}.rs", self.name)), self.module(&names).as_bytes())?;
        }
        Ok(output)
    }

    /// Compiles the trees in memory, for a game that reads its trees again while it runs. No file
    /// is written, and paths are relative to the folder in which the game runs.
    ///
    /// # Errors
    /// As for [`compile`](Self::compile), and if the trees have errors. The text of the error then
    /// has all findings, each with its place, as the command prints them.
    pub fn image(&self) -> Result<Image, Error> {
        let (output, made) = self.make()?;
        let made = made.ok_or_else(|| Error::new(output.findings.render(false)))?;
        verified(&made.bytes)
    }

    /// Compiles the trees. Without an image, the findings have an error.
    fn make(&self) -> Result<(Output, Option<Made>), Error> {
        let mut output = Output::default();
        let opened = self.open()?;
        let vocabulary = files::add_manifests(Manifests::of(opened.dialect), &self.manifests)?;
        output.inputs.extend(self.manifests.iter().cloned());
        output.findings.add_manifests(&vocabulary);
        if output.findings.failed() {
            return Ok((output, None));
        }
        let vocabulary = vocabulary.into_manifest();
        let library = &opened.library;
        let done = compile(library, self.request(&opened, &vocabulary));
        output.findings.add(&done, library);
        output.inputs.extend(library.read().into_iter().map(|(_, path)| path));
        output.inputs.extend(library.whole_folders());
        output.inputs.sort();
        let made = done.image.map(|bytes| Made { bytes, opened, vocabulary });
        Ok((output, made))
    }

    /// Returns what the compiler is asked for.
    fn request<'r>(&self, opened: &'r Opened, manifest: &'r Manifest) -> Request<'r> {
        let Opened { dialect, entries, .. } = opened;
        Request { dialect: *dialect, manifest, entries, debug: self.debug }
    }

    /// Reads the named files.
    fn open(&self) -> Result<Opened, Error> {
        let mut opened: Option<Opened> = None;
        for path in &self.files {
            let text = files::read(path).map_err(|why| Error::file("read", path, why))?;
            let found = files::dialect(path, &text).ok_or_else(|| unknown(path))?;
            let Opened { library, dialect, entries } = match &mut opened {
                Some(opened) => opened,
                None => opened.insert(Opened {
                    library: Files::new(found, &self.folders)?,
                    dialect: found,
                    entries: Vec::new(),
                }),
            };
            if found.name() != dialect.name() {
                return Err(Error::file("build", path, format!("it is not {dialect:?} as the first is")));
            }
            entries.push(library.add(path, text)?);
        }
        opened.ok_or_else(|| Error::new(format!("no file of trees was named for `{}`", self.name)))
    }

    /// Returns the names that the trees and the game share.
    fn names(&self, made: &Made) -> Result<Names, Error> {
        let Made { bytes, opened, vocabulary } = made;
        let image = verified(bytes)?;
        let mut names = Names::default();
        names.add_manifest(files::add_manifests(Manifests::new(), &self.manifests)?.manifest());
        names.add_image(&image);
        names.add_declarations(&declarations(&opened.library, self.request(opened, vocabulary)));
        names.describe(vocabulary);
        Ok(names)
    }

    /// Returns the module for the game: the names, and the image beside the module.
    fn module(&self, names: &Names) -> String {
        let name = &self.name;
        let text = Language::Rust.write(names, name, name);
        format!(
            "pub mod {name} {{\n{text}\n/// The image that these names are of.\n\
             pub static IMAGE: &[u8] = include_bytes!(\"{name}.plc\");\n}}\n"
        )
    }
}

impl Output {
    /// Returns the lines that tell cargo which files were read, and the warnings if there are no
    /// errors.
    #[must_use]
    pub fn directives(&self) -> String {
        let reads = self.inputs.iter().map(|path| format!("cargo::rerun-if-changed={}\n", path.display()));
        let warnings = self.findings.list().iter().filter(|_| !self.findings.failed());
        let warnings = warnings.map(|finding| format!("cargo::warning={}\n", finding.brief()));
        reads.chain(warnings).collect()
    }
}

/// Returns an image that the compiler has made.
fn verified(bytes: &[u8]) -> Result<Image, Error> {
    let wrong = |why| Error::new(format!("the compiler has made an invalid image, please report: {why}"));
    Image::copy(bytes).map_err(wrong)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    fs::write(path, bytes).map_err(|why| Error::file("write", path, why))
}

fn unknown(path: &Path) -> Error {
    let known: Vec<_> = DIALECTS.iter().map(|dialect| dialect.name()).collect();
    let known = known.join(", ");
    Error::file(
        "build",
        path,
        format!("neither its extension nor its first element tells its dialect: {known}"),
    )
}

/// Ends the build script with an error.
fn fail(message: &str) -> ! {
    eprintln!("error: {message}");
    process::exit(1)
}
