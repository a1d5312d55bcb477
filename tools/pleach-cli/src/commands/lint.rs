//! `pleach lint`: trees that compile but do not do what their authors mean.
//!
//! Each file is a program, as for `pleach check`. A node of a shared file may be wrong in one
//! program and right in another, so findings are told when all programs have been looked at.

use super::report;
use crate::Verdict;
use crate::args::Lint;
use crate::failure::Failure;
use crate::input::{self, Job};
use crate::library::{self, is_stdin};
use crate::output;
use crate::render::Findings;
use crate::write::Writer;
use pleach_build::files;
use pleach_compile::Compilation;
use pleach_compile::diagnostic::{Diagnostic, Diagnostics};
use pleach_compile::manifest::Problem;
use pleach_lint::rule;
use pleach_lint::settings::{self, Settings};
use pleach_lint::{Linted, agreed, mended};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Largest number of times that changes are made and files are looked at again.
const MAX_ROUNDS: usize = 10;

/// Applies rules to files, or lists the rules.
pub(crate) fn lint(args: &Lint) -> Result<Verdict, Failure> {
    if args.rules {
        return rules();
    }
    if args.fix && args.files.iter().any(|path| is_stdin(path)) {
        return Err(Failure::new("standard input cannot be mended: name a file with --fix"));
    }
    let mut files = Vec::new();
    for path in &args.files {
        files.extend(expanded(path)?.into_iter().map(|file| Listed { is_named: file == *path, path: file }));
    }
    input::check_entry(&args.files, &args.compile)?;
    for _ in 0..if args.fix { MAX_ROUNDS } else { 0 } {
        let (_, linter, _) = look(&files, args);
        if !linter.fix()? {
            break;
        }
    }
    let (mut findings, linter, mut failures) = look(&files, args);
    linter.finish(&mut findings);
    let verdict = report(&findings, args.report.format)?;
    let Some(last) = failures.pop() else { return Ok(verdict) };
    failures.iter().for_each(output::complain);
    Err(last)
}

/// File to be looked at.
struct Listed {
    path: PathBuf,
    /// True if the user named the file, and not its folder.
    is_named: bool,
}

/// Looks at all files. A file that cannot be read does not keep the others from being looked at.
fn look(files: &[Listed], args: &Lint) -> (Findings, Linter, Vec<Failure>) {
    let (mut findings, mut linter) = (Findings::default(), Linter::new(&args.files));
    let mut failures = Vec::new();
    let mut jobs = Vec::new();
    for file in files {
        match Job::new(&[file.path.as_path()], &args.compile) {
            Ok(job) => {
                let (mut trial, done) = (Findings::default(), job.checked());
                job.tell(done.as_ref(), &mut trial);
                jobs.push(Looked { file, job, done, failed: trial.failed() });
            }
            Err(failure) => failures.push(failure),
        }
    }
    let parts = parts(&jobs);
    for Looked { file, job, done, .. } in jobs.into_iter().filter(|it| !parts.contains(&it.file.path)) {
        job.tell(done.as_ref(), &mut findings);
        failures.extend(linter.look(&file.path, job, &mut findings).err());
    }
    (findings, linter, failures)
}

/// File that has been compiled.
struct Looked<'f> {
    file: &'f Listed,
    job: Job,
    done: Option<Compilation>,
    failed: bool,
}

/// Returns the files of folders that are no trees of their own, but parts of other trees.
fn parts(jobs: &[Looked<'_>]) -> HashSet<PathBuf> {
    let wrong = jobs.iter().filter(|it| it.failed && !it.file.is_named);
    let read: Vec<_> = jobs.iter().filter(|it| !it.failed).flat_map(|it| it.job.library.read()).collect();
    let is_part =
        |path: &Path| read.iter().any(|(_, other)| same_file::is_same_file(other, path).unwrap_or(false));
    wrong.map(|it| it.file.path.clone()).filter(|path| is_part(path)).collect()
}

/// Prints all rules with their levels.
fn rules() -> Result<Verdict, Failure> {
    let mut text = String::new();
    for rule in rule::ALL {
        let _ =
            writeln!(text, "{}  {:<8} {}: {}", rule.code.id, rule.level.name(), rule.name, rule.code.meaning);
    }
    output::print(&text)?;
    Ok(Verdict::Fine)
}

/// Returns the trees in a folder; another path as it is. The files of a dialect whose files belong
/// together stand for themselves as a folder.
fn expanded(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let (mut found, mut is_whole) = (Vec::new(), false);
    for file in files::trees(path) {
        let text = library::read(&file).map_err(|why| Failure::file("read", &file, why))?;
        match files::dialect(&file, &text) {
            Some(dialect) if dialect.reads_folders() => is_whole = true,
            Some(_) => found.push(file),
            None => {}
        }
    }
    found.extend(is_whole.then(|| path.to_owned()));
    if found.is_empty() {
        return Err(Failure::file("use", path, "there is no tree in it"));
    }
    Ok(found)
}

/// Programs that have been looked at.
pub(super) struct Linter {
    programs: Vec<Linted>,
    jobs: Vec<Job>,
    /// Files and folders that the user named, see [`real`].
    named: HashSet<PathBuf>,
    /// Settings by the folder of a tree.
    settings: HashMap<PathBuf, Settings>,
}

impl Linter {
    /// Returns a linter for files and folders that the user named.
    pub(super) fn new(named: &[PathBuf]) -> Self {
        let named = named.iter().map(|path| real(&input::shown(path))).collect();
        Self { programs: Vec::new(), jobs: Vec::new(), named, settings: HashMap::new() }
    }

    /// Applies the rules to a program. Problems of its configuration are added to `findings`.
    pub(super) fn look(&mut self, file: &Path, job: Job, findings: &mut Findings) -> Result<(), Failure> {
        let settings = self.settings(file, findings)?;
        self.programs.push(job.lint(&settings));
        self.jobs.push(job);
        Ok(())
    }

    /// Adds the findings that all programs agree upon.
    pub(super) fn finish(mut self, findings: &mut Findings) {
        let mut of_program: BTreeMap<usize, Diagnostics> = BTreeMap::new();
        for (program, finding) in self.agreed() {
            of_program.entry(program).or_default().push(finding);
        }
        for (program, diagnostics) in of_program {
            let done = &mut self.programs[program].done;
            done.diagnostics = diagnostics;
            findings.add_more(done, &self.jobs[program].library, &is_of_rule);
        }
    }

    fn agreed(&self) -> Vec<(usize, Diagnostic)> {
        let path =
            |program: usize, name: &str| real(&self.jobs[program].library.shown(name)).display().to_string();
        agreed(&self.programs, &path, &|path| self.is_named(Path::new(path)))
    }

    /// Returns true if the user named a file or a folder around the file.
    fn is_named(&self, path: &Path) -> bool {
        path.ancestors().any(|path| self.named.contains(path))
    }

    /// Makes the edits of findings. A file that the user did not name stays as it is, because other
    /// programs may read it. Returns true if there are edits.
    fn fix(&self) -> Result<bool, Failure> {
        let mut files: BTreeMap<String, (&[u8], Vec<Diagnostic>)> = BTreeMap::new();
        for (program, finding) in self.agreed() {
            let Some(edit) = finding.edits.first() else { continue };
            let source = self.programs[program].done.sources.get(edit.span.source);
            let path = self.jobs[program].library.shown(&source.name);
            if self.is_named(&real(&path)) {
                files.entry(path).or_insert((&source.text, Vec::new())).1.push(finding);
            }
        }
        let mut writer = Writer::default();
        for (path, (text, findings)) in &files {
            // Findings with edits are about text that has been read as UTF-8.
            let Ok(text) = str::from_utf8(text) else { continue };
            let (path, (text, _)) = (Path::new(path), mended(text, findings));
            writer.replace(path, text.as_bytes()).map_err(|why| Failure::file("write", path, why))?;
            output::say(&format!("{}: mended\n", path.display()));
        }
        Ok(!files.is_empty())
    }

    /// Returns the settings of the nearest file with a configuration. Its problems are reported.
    fn settings(&mut self, file: &Path, findings: &mut Findings) -> Result<Settings, Failure> {
        let folder = if file.is_dir() { file } else { file.parent().unwrap_or(Path::new("")) };
        if let Some(known) = self.settings.get(folder) {
            return Ok(known.clone());
        }
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let above = here.canonicalize().map_err(|why| Failure::file("open", here, why))?;
        let settings = match settings::nearest(&above) {
            Some(path) => read_settings(&path, findings)?,
            None => Settings::default(),
        };
        self.settings.insert(folder.to_owned(), settings.clone());
        Ok(settings)
    }
}

/// Returns the path of a file that is the same for all its names. The path of standard input stays
/// as it is.
fn real(shown: &str) -> PathBuf {
    Path::new(shown).canonicalize().unwrap_or_else(|_| PathBuf::from(shown))
}

fn read_settings(path: &Path, findings: &mut Findings) -> Result<Settings, Failure> {
    let text = library::read(path).map_err(|why| Failure::file("read", path, why))?;
    let text = String::from_utf8_lossy(&text);
    let (settings, problems) = Settings::parse(&text);
    let problem = |it: settings::SettingsError| Problem { line: it.line, message: it.message };
    let problems: Vec<_> = problems.into_iter().map(problem).collect();
    findings.add_lines(path, &text, &problems);
    Ok(settings)
}

/// Returns true if a finding is one of a rule, not of the compiler.
fn is_of_rule(finding: &Diagnostic) -> bool {
    rule::by_code(finding.code.id).is_some()
}
