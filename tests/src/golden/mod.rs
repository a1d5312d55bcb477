//! Small programs at every stage from text to the code that engines run.
//!
//! A program is a folder `golden/DIALECT/NAME/` with its sources. Its entry is the tree `NAME`. The
//! texts of its stages are beside the sources. `golden/format-1.0/` is the record of the first
//! format: images that every later release must load.

mod ast;
pub(crate) mod ir;

use crate::busy::Busy;
use pleach::{Image, Program};
use pleach_compile::dialect::{self, Dialect};
use pleach_compile::internals::emit;
use pleach_compile::internals::forest::Forests;
use pleach_compile::internals::ir::Module;
use pleach_compile::internals::session::Session;
use pleach_compile::internals::text::Interner;
use pleach_compile::manifest::{Manifest, Manifests};
use pleach_compile::texts::Texts;
use pleach_image::listing;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folder of all golden files.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")
}

/// Returns the entries of a folder, sorted.
///
/// # Panics
/// If the folder cannot be read.
#[must_use]
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// Compares a text with the one in a file, or writes the file if `PLEACH_BLESS` is set.
///
/// # Errors
/// With the first line that differs, if the texts differ.
///
/// # Panics
/// If the file cannot be written.
pub fn check(path: &Path, text: &str) -> Result<(), String> {
    if std::env::var_os("PLEACH_BLESS").is_some() {
        fs::write(path, text).expect("the file can be written");
        return Ok(());
    }
    let known = fs::read_to_string(path).unwrap_or_default();
    if known == text {
        return Ok(());
    }
    let same = known.lines().zip(text.lines()).take_while(|(known, now)| known == now).count();
    let line = |text: &str| text.lines().nth(same).unwrap_or("(end)").to_owned();
    let (path, number, known, now) = (path.display(), same + 1, line(&known), line(text));
    Err(format!("{path}:{number}, PLEACH_BLESS=1 writes it\n  known: {known}\n  now:   {now}"))
}

/// Sources of a program with the vocabulary of its host.
pub struct Sources {
    dialect: &'static dyn Dialect,
    entry: [String; 1],
    library: Texts,
    manifest: Manifest,
    /// True if a file has words of an earlier version of its language, for which today's stand in
    /// the library.
    pub upgraded: bool,
}

impl Sources {
    /// Reads a folder, without files of stages and images. The entry is the tree of the file with
    /// this name.
    ///
    /// # Panics
    /// If the folder has no file of that name, or a file that cannot be read.
    #[must_use]
    pub fn read(folder: &Path, entry: &str) -> Self {
        let files = files(folder);
        let is_entry = |path: &&PathBuf| path.file_stem().is_some_and(|stem| stem == entry);
        let main = files.iter().find(is_entry).unwrap_or_else(|| panic!("{}: no {entry}", folder.display()));
        let text = fs::read(main).expect("a source");
        let by_extension = || dialect::by_extension(main.extension()?.to_str()?);
        let dialect = dialect::by_root_element(&text).or_else(by_extension).expect("a dialect");
        let extension = main.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let (mut library, mut manifests) = (Texts::new(extension), Manifests::of(dialect));
        let mut upgraded = false;
        for path in &files {
            let name = path.strip_prefix(folder).expect("a file of the folder").to_string_lossy();
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("manifest") => manifests.add(&name, &fs::read_to_string(path).expect("a text")),
                Some("plc" | "txt") => {}
                _ => {
                    let text = fs::read(path).expect("a source");
                    let is_own = dialect.name() == "pleach";
                    let now = if is_own { pleach_edit::upgrade(&name, &text) } else { text.clone() };
                    upgraded |= now != text;
                    library.add(name, now);
                }
            }
        }
        assert!(manifests.diagnostics().list().is_empty(), "{:?}", manifests.diagnostics());
        Self { dialect, entry: [entry.to_owned()], library, manifest: manifests.into_manifest(), upgraded }
    }

    /// Compiles the program without debug information, like code that is shipped.
    ///
    /// # Panics
    /// If the program has errors.
    #[must_use]
    pub fn compiled(&self) -> (Module, Image) {
        let mut session = Session::new(&self.library, &self.manifest);
        let module = pleach_compile::internals::module(&mut session, self.dialect, &self.entry);
        let module = module.unwrap_or_else(|| panic!("{:?}: {:#?}", self.entry, session.diagnostics.list()));
        let bytes = emit::emit(&module, self.dialect.name(), None).expect("it fits");
        (module, Image::copy(&bytes).expect("the verifier accepts the image"))
    }

    /// Returns the text of each stage, with the name of its file.
    ///
    /// # Panics
    /// If the program has errors.
    #[must_use]
    pub fn stages(&self) -> [(&'static str, String); 4] {
        let mut session = Session::new(&self.library, &self.manifest);
        let file = self.dialect.parse(&mut session, &self.entry);
        let (module, image) = self.compiled();
        let program = Program::link(&image, &Busy).expect("this host has every function");
        [
            ("ast.txt", ast::text(&file, &session.names)),
            ("ir.txt", ir::text(&module)),
            ("listing.txt", listed(&image)),
            ("fused.txt", format!("{program:?}")),
        ]
    }
}

/// Returns all files of a folder and the folders in it.
#[must_use]
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut open, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = open.pop() {
        let (folders, some): (Vec<_>, Vec<_>) = entries(&folder).into_iter().partition(|path| path.is_dir());
        open.extend(folders);
        files.extend(some);
    }
    files
}

/// Returns the listing of an image.
///
/// # Panics
/// Never: a string has room for every listing.
#[must_use]
pub fn listed(image: &Image) -> String {
    let mut text = String::new();
    listing::write(image, &|_, _| None, &mut text).expect("a string takes all");
    text
}

/// Replaces each symbol in a debug text by its name.
fn named(debug: &str, names: &Interner) -> String {
    let mut pieces = debug.split("Sym(");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (number, rest) = piece.split_once(')').expect("a symbol ends");
        let symbol = pleach_compile::internals::text::Sym(
            number.trim().trim_end_matches(',').parse().expect("a number"),
        );
        text += &format!("{:?}{rest}", names.text(symbol));
    }
    text
}

/// Appends the tables of forests.
fn forests(out: &mut String, names: &Interner, forests: &Forests) {
    table(out, names, "forests", &forests.forests);
    table(out, names, "trees of forests", &forests.trees);
    table(out, names, "nodes of forests", &forests.nodes);
    table(out, names, "attributes", &forests.attributes);
}

/// Appends a table: a heading, and each row with its index. An empty table is left out.
fn table<T: std::fmt::Debug>(out: &mut String, names: &Interner, heading: &str, rows: &[T]) {
    if !rows.is_empty() {
        *out += &format!("\n{heading}\n");
    }
    for (index, row) in rows.iter().enumerate() {
        *out += &format!("{index:4} {}\n", named(&format!("{row:?}"), names));
    }
}

/// Appends a tree in pre-order, indented by depth: for each node its text, and the end of its
/// subtree.
fn tree(out: &mut String, nodes: impl Iterator<Item = (String, u32)>) {
    *out += "\nnodes\n";
    let mut open: Vec<u32> = Vec::new();
    for (index, (text, end)) in (0..).zip(nodes) {
        while open.pop_if(|end| *end <= index).is_some() {}
        *out += &format!("{index:4} {}{text}\n", "  ".repeat(open.len()));
        open.push(end);
    }
}
