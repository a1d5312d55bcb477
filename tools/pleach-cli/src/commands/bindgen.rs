//! `pleach bindgen`: names of trees as source text for the game.

use crate::Verdict;
use crate::args::Bindgen;
use crate::failure::Failure;
use crate::input::{self, Subject};
use crate::library::{self, is_stdin};
use crate::output;
use crate::render::{Findings, human};
use crate::write::{Kind, Output};
use pleach_build::bindgen::Names;
use pleach_compile::manifest::Manifest;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

/// How a file is called that is a manifest.
const MANIFEST: &str = "manifest";

/// Writes the names of a manifest, of an image, or of a tree as the image it compiles to.
pub(crate) fn bindgen(args: &Bindgen) -> Result<Verdict, Failure> {
    let mut names = Names::default();
    let is_manifest = args.file.extension() == Some(OsStr::new(MANIFEST));
    let own = is_manifest.then_some(&*args.file);
    let mut title = None;
    let mut inputs: Vec<_> =
        std::iter::once(args.file.clone()).chain(args.compile.manifest.clone()).collect();
    for file in own.into_iter().chain(args.compile.manifest.as_deref()) {
        let Some(manifest) = manifest(file)? else { return Ok(Verdict::Problems) };
        names.add_manifest(&manifest);
        title = title.or(Some(manifest.name).filter(|name| is_manifest && !name.is_empty()));
    }
    if !is_manifest {
        let Some(subject) = Subject::open(&args.file, &args.compile)? else { return Ok(Verdict::Problems) };
        names.add_image(&subject.image);
        inputs = subject.inputs;
    }
    let title = match args.name.clone().or(title) {
        Some(title) => title,
        None if is_stdin(&args.file) => "trees".to_owned(),
        None => library::stem(&args.file)?,
    };
    let origin = args.file.file_name().filter(|_| !is_stdin(&args.file));
    let origin = origin.map_or_else(|| "the trees".into(), OsStr::to_string_lossy);
    let text = args.lang.of_game().write(&names, &title, &origin);
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

/// A manifest; `None` if something is wrong with it, which has then been told.
fn manifest(file: &Path) -> Result<Option<Manifest>, Failure> {
    let mut findings = Findings::default();
    let manifest = input::read_manifest(file, &mut findings)?;
    if findings.failed() {
        human::show(&findings);
        return Ok(None);
    }
    Ok(Some(manifest))
}
