//! Projects before and after a change.

use super::Project;
use crate::change::{Change, inverse, replaced};

impl Change {
    /// Returns the project with the change.
    #[must_use]
    pub fn applied(&self, project: &Project) -> Project {
        let mut changed = project.clone();
        for (file, replacements) in &self.files {
            changed.set(file, replaced(project.text(file), replacements).into());
        }
        changed
    }

    /// Returns the change that gives back the files of a project after this change.
    #[must_use]
    pub fn inverse(&self, project: &Project) -> Self {
        let files = self.files.iter();
        let back =
            files.map(|(file, replacements)| (file.clone(), inverse(project.text(file), replacements)));
        Self { files: back.collect() }
    }
}
