//! From the user's arguments to trees or images.
//!
//! Trees are compiled in a [`Job`]: a dialect, a library and the names of the trees. Commands
//! that take a tree or an image get a [`Subject`], an image with the places of its source
//! lines, and need not know which of the two the user named. An image is recognized by its
//! first bytes, whatever its name.

use crate::args::Compile;
use crate::failure::Failure;
use crate::library::{self, Files, is_stdin};
use crate::render::{Findings, human};
use crate::texts::Texts;
use crate::write::Kind;
use pleach_build::files::{self, Overlay};
use pleach_compile::dialect::{DIALECTS, Dialect, by_name};
use pleach_compile::manifest::{Declarations, Manifest, Manifests};
use pleach_compile::source::{Library, Sources};
use pleach_compile::{Compilation, Compiler, Conversion, ConversionOptions, Request, codes};
use pleach_edit::substitutes;
use pleach_image::Image;
use pleach_image::suggest::KnownNames;
use pleach_lint::Linted;
use pleach_lint::diff::Outline;
use pleach_lint::settings::Settings;
use std::path::{Path, PathBuf};

/// Dialect with substitutes of nodes.
const SUBSTITUTED: &str = "btcpp";

/// Trees to be compiled together.
pub(crate) struct Job {
    pub(crate) library: Files,
    dialect: &'static dyn Dialect,
    pub(crate) manifests: Manifests,
    entries: Vec<String>,
    lenient: bool,
}

impl Job {
    /// Reads files that become the entries of one program.
    pub(crate) fn new(files: &[&Path], options: &Compile) -> Result<Self, Failure> {
        Self::with(files, options, &Overlay::new())
    }

    /// Reads files that become the entries of one program. `instead` has texts that take the place
    /// of those on the disk.
    pub(crate) fn with(files: &[&Path], options: &Compile, instead: &Overlay) -> Result<Self, Failure> {
        if let [folder] = files
            && folder.is_dir()
        {
            return Self::of_folder(folder, options);
        }
        let mut texts = Vec::with_capacity(files.len());
        for file in files {
            texts.push(library::read_named(file)?);
        }
        let Some((first, text)) = files.first().zip(texts.first()) else {
            return Err(Failure::new("no file was given"));
        };
        let dialect = dialect(first, text, options.dialect)?;
        let mut library = Files::new(dialect, &options.folders)?.with_texts(instead.clone());
        let mut entries = Vec::new();
        for (file, text) in files.iter().zip(texts) {
            if self::dialect(file, &text, options.dialect)?.name() != dialect.name() {
                return Err(Failure::file(
                    "build",
                    file,
                    format!("it is not {} as the first is", dialect.name()),
                ));
            }
            entries.push(if is_stdin(file) { library.add_stdin(text)? } else { library.add(file, text)? });
        }
        if let Some(entry) = options.entry.as_ref().filter(|_| !dialect.files_hold_trees()) {
            entries = vec![entry.clone()];
        }
        let manifests = manifests(Some(dialect), options)?;
        Ok(Self { library, dialect, manifests, entries, lenient: options.lenient })
    }

    /// Finds the files of a folder, which belong together.
    fn of_folder(folder: &Path, options: &Compile) -> Result<Self, Failure> {
        let Some(dialect) = files::folder_dialect(options.dialect) else {
            return Err(Failure::file("use", folder, "it is a folder; name the files in it"));
        };
        let mut library = Files::new(dialect, &options.folders)?;
        library.add_folder(folder)?;
        if library.files().is_empty() {
            let why = format!(
                "a folder is read as one of the dialect `{}`, and it has no such files; name files instead",
                dialect.name()
            );
            return Err(Failure::file("use", folder, why));
        }
        Ok(Self {
            library,
            dialect,
            manifests: manifests(Some(dialect), options)?,
            entries: options.entry.iter().cloned().collect(),
            lenient: options.lenient,
        })
    }

    /// Returns the files that were read: trees, their included files, and manifests.
    pub(crate) fn inputs(&self, options: &Compile) -> Vec<PathBuf> {
        let named = options.manifests.iter().chain(&options.substitutes).cloned();
        self.library.read().into_iter().map(|(_, path)| path).chain(named).collect()
    }

    /// Returns the request for the compiler.
    pub(crate) fn request(&self) -> Request<'_> {
        let manifest = self.manifests.manifest();
        Request { dialect: self.dialect, manifest, entries: &self.entries, debug: true }
    }

    /// Compiles, and adds the findings to `findings`. Returns `None` if a manifest has errors:
    /// every name that it fails to declare would be an error again.
    pub(crate) fn compile(&self, findings: &mut Findings) -> Option<Compilation> {
        findings.add_manifests(&self.manifests);
        let mut compiler = self.compiler()?;
        let done = compiler.compile(&self.library, self.request());
        findings.add(&done, &self.library);
        Some(done)
    }

    /// Checks, and adds the findings to `findings`. Returns the image, where there is one.
    pub(crate) fn check(&self, findings: &mut Findings) -> Option<Vec<u8>> {
        let done = self.checked();
        self.tell(done.as_ref(), findings);
        done?.image
    }

    /// Compiles. Files that belong together are checked all at once, if none is to be the entry.
    /// Returns `None` if a manifest has errors.
    pub(crate) fn checked(&self) -> Option<Compilation> {
        let mut compiler = self.compiler()?;
        Some(if self.entries.is_empty() {
            compiler.check_folder(&self.library, self.request())
        } else {
            compiler.compile(&self.library, self.request())
        })
    }

    /// Adds the findings of manifests and of a check. That nothing can be started is no error of a
    /// file that others include.
    pub(crate) fn tell(&self, done: Option<&Compilation>, findings: &mut Findings) {
        findings.add_manifests(&self.manifests);
        if let Some(done) = done {
            findings.add_but(codes::NOTHING_TO_START, done, &self.library);
        }
    }

    /// Compiles, and returns the program in words. Adds the findings to `findings`.
    pub(crate) fn outline(&self, of_code: bool, findings: &mut Findings) -> Option<Outline> {
        findings.add_manifests(&self.manifests);
        let (outline, done) = Outline::compile(&self.library, self.request(), self.lenient, of_code);
        findings.add(&done, &self.library);
        outline.filter(|_| self.manifests.diagnostics().errors() == 0)
    }

    /// Returns the trees as a file of BehaviorTree.CPP. Adds the findings to `findings`.
    pub(crate) fn to_btcpp(&self, options: ConversionOptions<'_>, findings: &mut Findings) -> Option<String> {
        findings.add_manifests(&self.manifests);
        let Conversion { text, sources, diagnostics } =
            pleach_compile::to_btcpp(&self.library, self.request(), options);
        findings.add(&Compilation { image: None, sources, diagnostics }, &self.library);
        text.filter(|_| self.manifests.diagnostics().errors() == 0)
    }

    /// Applies the rules about trees.
    pub(crate) fn lint(&self, settings: &Settings) -> Linted {
        pleach_lint::lint(&self.library, self.request(), settings, self.lenient)
    }

    /// Returns the declarations in the trees themselves.
    fn declarations(&self) -> Declarations {
        pleach_compile::declarations(&self.library, self.request())
    }

    /// Returns a compiler, unless a manifest has errors.
    fn compiler(&self) -> Option<Compiler> {
        let is_usable = self.manifests.diagnostics().errors() == 0;
        is_usable.then(|| Compiler::default().lenient(self.lenient))
    }
}

/// Makes sure that `--entry` means one thing.
pub(crate) fn check_entry(files: &[PathBuf], options: &Compile) -> Result<(), Failure> {
    match options.entry {
        Some(_) if files.len() > 1 => Err(Failure::new("--entry goes with a single file")),
        _ => Ok(()),
    }
}

/// Returns the declarations that trees of a dialect are compiled with. An image may be of an
/// unknown dialect.
pub(crate) fn manifests(dialect: Option<&dyn Dialect>, options: &Compile) -> Result<Manifests, Failure> {
    let own = dialect.filter(|_| !options.no_manifest).map_or_else(Manifests::new, Manifests::of);
    let mut manifests = files::add_manifests(own, &options.manifests)?;
    if let Some(path) = &options.substitutes {
        if dialect.is_none_or(|dialect| dialect.name() != SUBSTITUTED) {
            return Err(Failure::file(
                "use",
                path,
                format!("only trees of `{SUBSTITUTED}` have substitutes"),
            ));
        }
        let text = std::fs::read_to_string(path).map_err(|why| Failure::file("read", path, why))?;
        manifests.substitute(substitutes::read(&text).map_err(|why| Failure::file("read", path, why))?);
    }
    Ok(manifests)
}

/// An image to be shown or run.
pub(crate) struct Subject {
    /// Name by which the user named the file.
    pub(crate) name: String,
    pub(crate) image: Image,
    /// The tree to start with.
    pub(crate) entry: String,
    pub(crate) texts: Texts,
    /// The files that were read.
    pub(crate) inputs: Vec<PathBuf>,
    /// Declarations of the trees; none of an image.
    pub(crate) declared: Declarations,
    /// Declarations that the trees were compiled with; none of an image.
    pub(crate) vocabulary: Manifest,
}

impl Subject {
    /// Loads an image or compiles a tree; `None` if there were errors, which have then been told.
    pub(crate) fn open(file: &Path, options: &Compile) -> Result<Option<Self>, Failure> {
        let opened = Opened::new(file, options)?;
        if !opened.findings.list().is_empty() || opened.findings.failed() {
            human::show(&opened.findings);
        }
        Ok(opened.subject)
    }

    fn new(
        file: &Path,
        image: Image,
        options: &Compile,
        texts: Texts,
        inputs: Vec<PathBuf>,
    ) -> Result<Self, Failure> {
        let entry = match &options.entry {
            Some(entry) => entry.clone(),
            None => default_entry(&image, &library::stem(file).unwrap_or_default()),
        };
        has_entry(file, &image, &entry)?;
        Ok(Self {
            name: shown(file),
            image,
            entry,
            texts,
            inputs,
            declared: Declarations::default(),
            vocabulary: Manifest::default(),
        })
    }
}

/// Result of opening a file that the user named. Its findings are not printed yet.
pub(crate) struct Opened {
    pub(crate) findings: Findings,
    /// None if there were errors.
    pub(crate) subject: Option<Subject>,
    /// Sources that were compiled.
    pub(crate) sources: Option<Sources>,
    /// The files that were read: their names in the program, and their paths.
    pub(crate) files: Vec<(String, PathBuf)>,
}

impl Opened {
    /// Loads an image or compiles a tree.
    pub(crate) fn new(file: &Path, options: &Compile) -> Result<Self, Failure> {
        Self::with(file, options, &Overlay::new())
    }

    /// Loads an image or compiles a tree, with texts that take the place of those on the disk.
    pub(crate) fn with(file: &Path, options: &Compile, instead: &Overlay) -> Result<Self, Failure> {
        if !is(Kind::Image, file)? {
            return Self::compile(file, options, instead);
        }
        let image = Image::load(file).map_err(|why| Failure::file("load", file, why))?;
        let texts = Texts::find_in(sources(&image, file, options)?);
        let subject = Some(Subject::new(file, image, options, texts, vec![file.to_owned()])?);
        let files = vec![(shown(file), file.to_owned())];
        Ok(Self { findings: Findings::default(), subject, sources: None, files })
    }

    fn compile(file: &Path, options: &Compile, instead: &Overlay) -> Result<Self, Failure> {
        let (mut findings, job) = (Findings::default(), Job::with(&[file], options, instead)?);
        let Some(done) = job.compile(&mut findings) else {
            let files = vec![(shown(file), file.to_owned())];
            return Ok(Self { findings, subject: None, sources: None, files });
        };
        let subject = done.image.as_deref().map(|bytes| {
            Subject::new(file, verified(bytes)?, options, Texts::of(&done.sources), job.inputs(options))
        });
        let mut subject = subject.transpose()?;
        if let Some(subject) = &mut subject {
            subject.declared = job.declarations();
            subject.vocabulary = job.manifests.manifest().clone();
        }
        Ok(Self { findings, subject, sources: Some(done.sources), files: job.library.read() })
    }
}

/// Makes sure that a tree of this name can be started.
pub(crate) fn has_entry(file: &Path, image: &Image, entry: &str) -> Result<(), Failure> {
    if image.entry(entry).is_some() {
        return Ok(());
    }
    let known = KnownNames::near(entry, image.entries().iter().map(|entry| image.name(entry.name)));
    Err(Failure::new(format!("{} has no tree `{entry}`; {known}", shown(file))))
}

/// Returns a file that the user named, for messages.
pub(crate) fn shown(file: &Path) -> String {
    if is_stdin(file) { "<stdin>".to_owned() } else { file.display().to_string() }
}

/// Returns the image that the compiler wrote. If the verifier refuses it, the compiler has a
/// defect, and the failure says so.
pub(crate) fn verified(bytes: &[u8]) -> Result<Image, Failure> {
    Image::copy(bytes).map_err(|why| {
        Failure::new(format!(
            "the compiler has written an invalid image, which is a defect of Pleach; please report it: {why}"
        ))
    })
}

/// Returns the entry that is called like the file, or else the first.
pub(crate) fn default_entry(image: &Image, stem: &str) -> String {
    let first = || image.entries().first().map_or("", |entry| image.name(entry.name));
    if image.entry(stem).is_some() { stem.to_owned() } else { first().to_owned() }
}

/// Returns the folders that may hold the sources of an image; `None` if its dialect is unknown.
pub(crate) fn sources(image: &Image, file: &Path, options: &Compile) -> Result<Option<Files>, Failure> {
    let Some(dialect) = by_name(image.dialect()) else { return Ok(None) };
    let beside = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folders: Vec<PathBuf> = std::iter::once(beside.to_owned()).chain(options.folders.clone()).collect();
    Ok(Some(Files::new(dialect, &folders)?))
}

/// Returns true if a file that the user named is of this kind.
pub(crate) fn is(kind: Kind, path: &Path) -> Result<bool, Failure> {
    if is_stdin(path) || !path.is_file() {
        return Ok(false);
    }
    kind.is_of(path).map_err(|why| Failure::file("read", path, why))
}

/// Returns the dialect of a file: as the user says, by its extension, or by its first
/// element where that does not decide.
pub(crate) fn dialect(
    path: &Path,
    text: &[u8],
    said: Option<&'static dyn Dialect>,
) -> Result<&'static dyn Dialect, Failure> {
    said.or_else(|| files::dialect(path, text)).ok_or_else(|| {
        let names: Vec<_> = DIALECTS.iter().map(|dialect| dialect.name()).collect();
        let why = format!(
            "it is not an image of Pleach, and neither its name nor its first element tells a dialect; use --dialect with one of {}",
            names.join(", ")
        );
        Failure::file("use", path, why)
    })
}
