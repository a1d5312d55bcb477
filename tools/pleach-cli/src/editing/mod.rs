//! Editing of trees in the live view: texts, their history, and the commands of pages.
//!
//! `spec/view.md` describes the commands. Texts are kept here; they change only if the running
//! crowd has continued with them, or if they come from the disk.

mod drafts;
mod files;
mod form;
mod history;
mod palette;
mod request;
mod sources;
mod start;
mod target;
#[cfg(test)]
mod tests;
mod trial;

pub(crate) use request::{Details, Refused};
pub(crate) use start::{Start, start};
pub(crate) use trial::{Comparison, Trial, TrialNode, TrialSide};

use files::{EditedFile, MAX_TEXT, State};
use history::{History, Step};
use palette::Palette;
use pleach_build::files::Overlay;
use pleach_edit::{Change, Edit, Project, Replacement};
use pleach_view::{EditMessage, View};
use request::{Command, Placed};
use std::path::PathBuf;

/// Name of the step by which a text of the disk is taken over.
const FROM_DISK: &str = "change on the disk";

/// Crowd that runs the edited trees.
pub(crate) trait Running {
    /// Continues with new texts. Returns the files that were read: their names in the program, and
    /// their paths.
    fn go_on(&mut self, texts: &Overlay) -> Result<Vec<(String, PathBuf)>, Refused>;

    /// Shows why the crowd does not run the present texts.
    fn show_trouble(&mut self, refused: &Refused);

    /// Runs copies of some agents with the saved texts and with the edited ones.
    fn try_out(&mut self, saved: &Overlay, edited: &Overlay, percent: f64) -> Result<Trial, Refused>;

    /// Compares the programs of the saved texts and of the edited ones.
    fn compare(&mut self, saved: &Overlay, edited: &Overlay) -> Result<Comparison, Refused>;
}

/// Result of a command.
type Done = Result<Details, Refused>;

/// Texts that pages edit.
#[derive(Debug)]
pub(crate) struct Editing {
    project: Project,
    files: Vec<EditedFile>,
    /// Paths of the manifests that the user named.
    manifests: Vec<PathBuf>,
    history: History,
    /// Number of the texts.
    revision: u64,
    /// True if the running program was compiled from the present texts.
    is_current: bool,
    palette: Option<Palette>,
}

impl Editing {
    /// Carries out a command of a page.
    pub(crate) fn perform(&mut self, json: &str, running: &mut dyn Running) -> Done {
        match Command::read(json)? {
            Command::Edit { file, revision, edit } => {
                self.is_present(revision)?;
                self.edit(file, &edit, running)
            }
            Command::Text { file, revision, text } => {
                self.is_present(revision)?;
                self.replace(file, &text, running)
            }
            Command::Undo { revision } => {
                self.is_present(revision)?;
                self.undo(running)
            }
            Command::Redo { revision } => {
                self.is_present(revision)?;
                self.redo(running)
            }
            Command::Save { file } => self.save(file),
            Command::Take { file } => self.take(file, running),
            Command::Keep { file } => self.keep(file),
            Command::Form { file, revision, node } => {
                self.is_present(revision)?;
                let form = form::form(&self.project, &self.known(file)?.name, node);
                let form = form.ok_or_else(|| Refused::new(format!("there is no node {node}")))?;
                Ok(Details { form: Some(form), ..Details::default() })
            }
            Command::Completion { file, text, line, character } => {
                self.completion(file, &text, line, character)
            }
            Command::Hover { file, text, line, character } => self.hover(file, &text, line, character),
            Command::Diagnostics { file, text } => self.diagnostics(file, &text),
            Command::Try { drafts, percent } => self.try_out(drafts, percent, running),
            Command::Compare { drafts } => self.compare(drafts, running),
        }
    }

    /// Returns the findings of a refusal for pages.
    pub(crate) fn details(&self, refused: &Refused) -> Details {
        let place =
            |name: &Option<String>| self.files.iter().position(|file| Some(&file.name) == name.as_ref());
        let findings = refused.findings.iter();
        let placed = findings.map(|it| Placed { finding: it.clone(), place: place(&it.name) });
        Details { findings: placed.collect(), ..Details::default() }
    }

    /// Looks at the disk after files have changed there.
    pub(crate) fn look(&mut self, running: &mut dyn Running) {
        let before = self.revision;
        let has_changed = start::read_manifests(&mut self.project, &self.manifests);
        self.revision += u64::from(has_changed);
        let mut change = Change::default();
        for file in &mut self.files {
            let old = self.project.text(&file.name);
            let Some(new) = file.look(old) else { continue };
            if file.reason.is_none() {
                change.files.insert(file.name.as_str().into(), vec![whole(old, &new)]);
            } else {
                // The disk alone has the text of such a file, so nothing can be undone.
                self.project.set(&file.name, new.into());
                self.revision += 1;
            }
        }
        if !change.is_empty() {
            let step = Step::new(FROM_DISK, change, &self.project);
            self.put(step.change.applied(&self.project));
            self.history.add(step);
        }
        // A file that the view itself has written is no news.
        if self.revision > before || !self.is_current {
            self.follow(running);
        }
    }

    /// Sends the texts to all pages, and the palette if it has changed.
    pub(crate) fn announce(&mut self, view: &View) {
        view.announce(EditMessage::Sources, &self.sources(view.revision()));
        let palette = self.files.first().map(|entry| Palette::of(&self.project, &entry.name));
        if let Some(palette) = palette.filter(|palette| self.palette.as_ref() != Some(palette)) {
            view.announce(EditMessage::Palette, &palette);
            self.palette = Some(palette);
        }
    }

    /// Returns everything that pages are told, except for the texts.
    pub(crate) fn state(&self) -> impl PartialEq + use<> {
        let files = self.files.iter().map(|file| (self.state_of(file), file.reason.clone()));
        (self.revision, self.is_current, files.collect::<Vec<_>>())
    }

    /// Returns the names of files with unsaved changes.
    pub(crate) fn unsaved(&self) -> Vec<String> {
        let unsaved = self.files.iter().filter(|file| self.state_of(file) != State::Saved);
        unsaved.map(|file| file.path.display().to_string()).collect()
    }

    /// Refuses a command about other texts than the present ones.
    fn is_present(&self, revision: u64) -> Result<(), Refused> {
        if revision == self.revision {
            return Ok(());
        }
        Err(Refused::new("the text has changed meanwhile; nothing was done"))
    }

    fn known(&self, file: usize) -> Result<&EditedFile, Refused> {
        self.files.get(file).ok_or_else(|| Refused::new(format!("there is no file {file}")))
    }

    /// Returns the name of a file that can be edited.
    fn editable(&self, file: usize) -> Result<String, Refused> {
        let known = self.known(file)?;
        match &known.reason {
            None => Ok(known.name.clone()),
            Some(reason) => Err(Refused::new(format!("{} cannot be edited: {reason}", known.name))),
        }
    }

    fn state_of(&self, file: &EditedFile) -> State {
        if file.reason.is_some() { State::Saved } else { file.state(self.project.text(&file.name)) }
    }

    /// Replaces the texts.
    fn put(&mut self, project: Project) {
        self.project = project;
        self.revision += 1;
    }

    /// Lets the crowd continue with the present texts, or shows why it does not.
    fn follow(&mut self, running: &mut dyn Running) {
        let done = running.go_on(&self.overlay(&self.project));
        self.is_current = done.is_ok();
        match done {
            Ok(files) => self.add(&files),
            Err(refused) => running.show_trouble(&refused),
        }
    }

    /// Takes a step that pages ask for, if the crowd can continue with its result.
    fn step(&mut self, step: Step, running: &mut dyn Running) -> Result<(), Refused> {
        for name in step.change.files.keys() {
            match self.files.iter().position(|file| *file.name == **name) {
                Some(file) => drop(self.editable(file)?),
                None => {
                    return Err(Refused::new(format!("{name} would change, and it cannot be edited here")));
                }
            }
            // The new text is not made before its size is known.
            if step.size_after(name, self.project.text(name).len()) > MAX_TEXT {
                return Err(Refused::new(format!("a text has at most {} MiB", MAX_TEXT >> 20)));
            }
        }
        let project = step.change.applied(&self.project);
        let files = running.go_on(&self.overlay(&project))?;
        self.put(project);
        self.history.add(step);
        self.is_current = true;
        self.add(&files);
        Ok(())
    }

    fn edit(&mut self, file: usize, edit: &Edit, running: &mut dyn Running) -> Done {
        let name = self.editable(file)?;
        let change = self.project.edit(&name, edit).map_err(|why| Refused::new(why.reason))?;
        let node = self.project.file(&name).and_then(|file| target::target(file.document(), edit));
        let op = serde_json::to_value(edit).ok().and_then(|it| Some(it["op"].as_str()?.to_owned()));
        self.step(Step::new(&op.unwrap_or_default(), change, &self.project), running)?;
        Ok(Details { file: Some(file), node, ..Details::default() })
    }

    fn replace(&mut self, file: usize, text: &str, running: &mut dyn Running) -> Done {
        let name = self.editable(file)?;
        let old = self.project.text(&name);
        if old == text {
            return Err(Refused::new("nothing would change"));
        }
        let change = Change::of(&name, vec![whole(old, text)]);
        let node = self.changed(&change).1;
        self.step(Step::new("text", change, &self.project), running)?;
        Ok(Details { file: Some(file), node, ..Details::default() })
    }

    fn undo(&mut self, running: &mut dyn Running) -> Done {
        let step = self.history.last().cloned().ok_or_else(|| Refused::new("there is nothing to undo"))?;
        self.put(step.back.applied(&self.project));
        self.history.went_back();
        self.follow(running);
        let (file, node) = self.changed(&step.change);
        Ok(Details { file, node, ..Details::default() })
    }

    fn redo(&mut self, running: &mut dyn Running) -> Done {
        let step =
            self.history.next().cloned().ok_or_else(|| Refused::new("there is nothing to do again"))?;
        self.put(step.change.applied(&self.project));
        self.history.went_on();
        self.follow(running);
        let (file, node) = self.changed(&step.back);
        Ok(Details { file, node, ..Details::default() })
    }

    /// Returns the file and the node at the first place of a change of the present texts.
    fn changed(&self, change: &Change) -> (Option<usize>, Option<usize>) {
        let Some((name, first)) = change.files.iter().find_map(|(name, list)| Some((name, list.first()?)))
        else {
            return (None, None);
        };
        let file = self.files.iter().position(|file| *file.name == **name);
        let node = self.project.file(name).and_then(|file| file.document().node_at(first.range.0));
        (file, node)
    }

    fn save(&mut self, file: Option<usize>) -> Done {
        if let Some(file) = file {
            self.editable(file)?;
        }
        let all = (0..self.files.len()).filter(|at| file.is_none_or(|file| file == *at));
        for at in all.filter(|at| self.state_of(&self.files[*at]) != State::Saved).collect::<Vec<_>>() {
            let text = self.project.text(&self.files[at].name);
            self.files[at].write(text).map_err(Refused::new)?;
        }
        Ok(Details { file, ..Details::default() })
    }

    /// Returns the text on the disk of a file in conflict.
    fn newer(&self, file: usize) -> Result<(String, String), Refused> {
        let name = self.editable(file)?;
        let newer = self.files[file].newer.clone();
        let newer = newer.ok_or_else(|| Refused::new(format!("{name} has no conflict")))?;
        Ok((name, newer))
    }

    fn take(&mut self, file: usize, running: &mut dyn Running) -> Done {
        let (name, newer) = self.newer(file)?;
        let change = Change::of(&name, vec![whole(self.project.text(&name), &newer)]);
        let step = Step::new(FROM_DISK, change, &self.project);
        self.put(step.change.applied(&self.project));
        self.history.add(step);
        (self.files[file].disk, self.files[file].newer) = (newer, None);
        self.follow(running);
        Ok(Details { file: Some(file), ..Details::default() })
    }

    /// Keeps the unsaved text. The text on the disk becomes a step before it, so that it can be
    /// brought back.
    fn keep(&mut self, file: usize) -> Done {
        let (name, newer) = self.newer(file)?;
        let own = self.project.text(&name).to_owned();
        self.files[file].keep(&own, newer.clone()).map_err(Refused::new)?;
        let theirs = Change::of(&name, vec![whole(&own, &newer)]);
        let between = theirs.applied(&self.project);
        self.history.add(Step::new(FROM_DISK, theirs, &self.project));
        let back = Change::of(&name, vec![whole(&newer, &own)]);
        self.history.add(Step::new("keep", back, &between));
        Ok(Details { file: Some(file), ..Details::default() })
    }

    /// Returns the texts of a project by the paths of their files.
    fn overlay(&self, project: &Project) -> Overlay {
        let editable = self.files.iter().filter(|file| file.reason.is_none());
        editable.map(|file| (file.real.clone(), project.text(&file.name).into())).collect()
    }

    /// Adds files that the program has come to include. They can be read, but not written.
    fn add(&mut self, files: &[(String, PathBuf)]) {
        for (name, path) in files {
            if self.files.iter().any(|known| known.name == *name) {
                continue;
            }
            let reason = "it was not included when the view began".to_owned();
            if let Ok(file) = EditedFile::open(name, path, Some(reason)) {
                self.project.set(name, file.disk.as_str().into());
                self.files.push(file);
            }
        }
    }
}

/// Returns the smallest replacement by which one text becomes another.
fn whole(old: &str, new: &str) -> Replacement {
    Replacement::new((0, old.len() as u32), new).trimmed(old)
}
