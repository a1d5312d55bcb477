//! The start of editing: the first texts, and the files that can be written.

use super::Editing;
use super::files::{EditedFile, Text};
use super::history::History;
use super::sources::Sources;
use crate::args;
use crate::failure::Failure;
use crate::input::Opened;
use crate::library::{is_stdin, stem};
use pleach_build::files::{Overlay, read_manifest};
use pleach_edit::{Document, ItemKind, Project, check_name};
use pleach_image::Image;
use pleach_view::{EditMessage, View};
use std::path::{Path, PathBuf};

/// Result of the wish to edit.
#[derive(Debug)]
pub(crate) enum Start {
    /// The texts can be edited.
    Editing(Box<Editing>),
    /// Nothing can be edited, for this reason.
    ReadOnly(String),
}

/// Returns the texts that differ from those on the disk at the start: a file without a tree gets
/// one, so that there is something to show.
pub(crate) fn start(path: &Path) -> Overlay {
    let is_ours = path.extension().is_some_and(|extension| extension == "pleach");
    if !is_ours || is_stdin(path) {
        return Overlay::new();
    }
    let (Ok(Text { text, reason: None, .. }), Ok(real)) = (Text::read(path), path.canonicalize()) else {
        return Overlay::new();
    };
    let document = Document::new("", text.as_str().into());
    let has_tree = document.items().iter().any(|item| item.kind == ItemKind::Tree);
    if has_tree || document.errors().next().is_some() {
        return Overlay::new();
    }
    let gap = if text.trim().is_empty() { "" } else { "\n" };
    let name = stem(path).ok().filter(|name| check_name(name).is_ok()).unwrap_or_else(|| "main".to_owned());
    Overlay::from([(real, format!("{text}{gap}tree {name}\n{{\n\trunning\n}}\n").into())])
}

/// Returns the name of a manifest in a project, which knows manifests by the ends of their names.
fn name_of_manifest(path: &Path) -> String {
    let shown = path.display().to_string();
    if shown.ends_with(".manifest") { shown } else { shown + ".manifest" }
}

/// Puts the texts of manifests into a project. Returns true if one of them has changed or cannot be
/// read: then the compiler must read them, too.
pub(super) fn read_manifests(project: &mut Project, paths: &[PathBuf]) -> bool {
    let mut has_changed = false;
    for path in paths {
        let name = name_of_manifest(path);
        match read_manifest(path) {
            Ok(text) if text == project.text(&name) => {}
            Ok(text) => {
                project.set(&name, text.into());
                has_changed = true;
            }
            Err(_) => has_changed = true,
        }
    }
    has_changed
}

/// Returns a project whose trees are compiled with manifests.
pub(super) fn with_manifests(project: Project, paths: &[PathBuf]) -> Project {
    let add = |project: Project, path: &PathBuf| project.with_manifest(&name_of_manifest(path));
    let mut project = paths.iter().fold(project, add);
    read_manifests(&mut project, paths);
    project
}

impl Start {
    /// Begins to edit the files of a program.
    pub(crate) fn new(
        args: &args::View,
        image: &Image,
        opened: &Opened,
        texts: &Overlay,
    ) -> Result<Self, Failure> {
        if is_stdin(&args.file) {
            return Ok(Self::ReadOnly("standard input cannot be written".to_owned()));
        }
        if opened.sources.is_none() {
            return Ok(Self::ReadOnly("an image cannot be edited; show its tree".to_owned()));
        }
        if image.dialect() != "pleach" {
            let reason = format!("trees of the dialect `{}` cannot be edited", image.dialect());
            return Ok(Self::ReadOnly(reason));
        }
        let mut files = Vec::new();
        for (name, path) in &opened.files {
            let file = EditedFile::open(name, path, None);
            files.push(file.map_err(|why| Failure::file("read", path, why))?);
        }
        // The named file is the first one, and the others are in the order of their names.
        files.sort_by_key(|file| file.path != args.file);
        let manifests = args.compile.manifests.clone();
        let mut project = with_manifests(Project::new(), &manifests);
        for file in &files {
            let text = texts.get(&file.real).map_or(file.disk.as_str(), AsRef::as_ref);
            project.set(&file.name, text.into());
        }
        let history = History::default();
        let editing =
            Editing { project, files, manifests, history, revision: 1, is_current: true, palette: None };
        Ok(Self::Editing(Box::new(editing)))
    }

    /// Sends the state to all pages.
    pub(crate) fn announce(&mut self, view: &View) {
        match self {
            Self::Editing(editing) => editing.announce(view),
            Self::ReadOnly(reason) => view.announce(EditMessage::Sources, &Sources::read_only(reason)),
        }
    }
}
