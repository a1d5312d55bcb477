//! `pleach bindgen`: names of trees as source text for the game.

use crate::Verdict;
use crate::args::Bindgen;
use crate::failure::Failure;
use crate::input::Subject;
use crate::library::{self, is_stdin};
use crate::output;
use crate::render::{Findings, human};
use crate::write::{Kind, Output, signed};
use pleach_build::bindgen::Names;
use pleach_build::files;
use pleach_compile::dialect::models_of_manifest;
use pleach_compile::manifest::{Function, Manifest, Manifests};
use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

/// Extension of files that are manifests.
const MANIFEST: &str = "manifest";

/// Writes the names of a manifest, of an image, or of a tree as the image it compiles to.
pub(crate) fn bindgen(args: &Bindgen) -> Result<Verdict, Failure> {
    let mut names = Names::default();
    let is_manifest = args.file.extension() == Some(OsStr::new(MANIFEST));
    let mut inputs: Vec<_> =
        is_manifest.then_some(&args.file).into_iter().chain(&args.compile.manifests).cloned().collect();
    let Some(mut manifest) = manifest(&inputs)? else { return Ok(Verdict::Problems) };
    names.add_manifest(&manifest);
    if !is_manifest {
        let Some(subject) = Subject::open(&args.file, &args.compile)? else { return Ok(Verdict::Problems) };
        names.add_image(&subject.image);
        names.add_declarations(&subject.declared);
        names.describe(&subject.vocabulary);
        add(&mut manifest, subject.declared.functions);
        inputs = subject.inputs;
    }
    let title = Some(manifest.name.clone()).filter(|name| is_manifest && !name.is_empty());
    let title = match args.name.clone().or(title) {
        Some(title) => title,
        None if is_stdin(&args.file) => "trees".to_owned(),
        None => library::stem(&args.file)?,
    };
    let origin = args.file.file_name().filter(|_| !is_stdin(&args.file));
    let origin = origin.map_or_else(|| "the trees".into(), OsStr::to_string_lossy);
    let text = match args.lang.of_game() {
        Some(language) => language.write(&names, &title, &origin),
        None => signed(&models_of_manifest(&manifest), "bindgen"),
    };
    match &args.output {
        // What is built from the file need not be built again if it would stay the same.
        Some(output) if fs::read(output).is_ok_and(|old| old == text.as_bytes()) => {}
        Some(path) => {
            let output = Output { path, kind: Kind::Names, force: args.overwrite.force };
            output.write(inputs, text.as_bytes())?;
        }
        None => output::print(&text)?,
    }
    Ok(Verdict::Fine)
}

/// Adds functions that trees declare to those of a manifest, which count if both have them.
fn add(manifest: &mut Manifest, declared: Manifest) {
    let new = |known: &[Function], function: &Function| known.iter().all(|it| it.name != function.name);
    let actions = declared.actions.into_iter().filter(|it| new(&manifest.actions, it)).collect::<Vec<_>>();
    let queries = declared.queries.into_iter().filter(|it| new(&manifest.queries, it)).collect::<Vec<_>>();
    manifest.actions.extend(actions);
    manifest.queries.extend(queries);
}

/// Adds up manifests; `None` if something is wrong with them, which has then been told.
fn manifest(paths: &[PathBuf]) -> Result<Option<Manifest>, Failure> {
    let mut findings = Findings::default();
    let manifests = files::add_manifests(Manifests::new(), paths)?;
    findings.add_manifests(&manifests);
    if !findings.list().is_empty() {
        human::show(&findings);
    }
    Ok((!findings.failed()).then(|| manifests.into_manifest()))
}
