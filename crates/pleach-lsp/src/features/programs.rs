//! Compiled programs and read tests, kept between requests.

use crate::snapshot::Snapshot;
use pleach_compile::manifest::Problem;
use pleach_edit::scenario::{Scenario, parse};
use pleach_image::Image;
use std::collections::HashMap;
use std::rc::Rc;

/// Program that was asked for last. It is compiled again if a text of it has changed.
#[derive(Default)]
pub(crate) struct ProgramCache(Option<LastProgram>);

struct LastProgram {
    entry: String,
    revisions: Vec<u64>,
    /// None if the program has errors.
    image: Option<Image>,
}

impl ProgramCache {
    /// Returns the program of an entry, with debug information. `None` if it has errors.
    pub(crate) fn image(&mut self, now: &Snapshot, entry: &str) -> Option<&Image> {
        let revisions = now.revisions(now.project.program(entry));
        let last = self.0.take().filter(|last| last.entry == entry && last.revisions == revisions);
        let last = last.unwrap_or_else(|| {
            let image = now.image(entry);
            LastProgram { entry: entry.to_owned(), revisions, image }
        });
        self.0.insert(last).image.as_ref()
    }
}

/// Tests of a file, and its lines that cannot be read.
pub(crate) type ReadTests = (Scenario, Vec<Problem>);

/// Read files of tests, each with the revision of its text.
#[derive(Default)]
pub(crate) struct TestsCache(HashMap<String, (u64, Rc<ReadTests>)>);

impl TestsCache {
    /// Returns the tests of a file. The file is read again if its text has changed.
    pub(crate) fn read(&mut self, now: &Snapshot, name: &str) -> Option<Rc<ReadTests>> {
        let file = now.project.file(name)?;
        if let Some((revision, tests)) = self.0.get(name)
            && *revision == file.revision()
        {
            return Some(tests.clone());
        }
        self.0.retain(|known, _| now.project.file(known).is_some());
        let tests = Rc::new(parse(file.document().text()));
        self.0.insert(name.to_owned(), (file.revision(), tests.clone()));
        Some(tests)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::uri_of;
    use crate::workspace::Workspace;
    use std::ptr;

    #[test]
    fn a_program_is_compiled_again_after_a_change_of_its_texts() {
        let (mut workspace, mut cache) = (Workspace::default(), ProgramCache::default());
        let [tree, part, other] = ["a", "b", "c"].map(|name| format!("/nowhere/{name}.pleach"));
        workspace.open(&uri_of(&tree).0, 1, "include \"b.pleach\"\ntree a { use b }".to_owned());
        workspace.open(&uri_of(&part).0, 1, "tree b { success }".to_owned());
        let mut bytes = |workspace: &Workspace| {
            let image = cache.image(&workspace.snapshot(), &tree);
            image.map(|image| (image.bytes().as_ptr(), image.meta().nodes))
        };
        let first = bytes(&workspace);
        assert!(first.is_some());
        workspace.open(&uri_of(&other).0, 1, "tree c { success }".to_owned());
        assert_eq!(bytes(&workspace), first);
        workspace.open(&uri_of(&part).0, 2, "tree b { invert { success } }".to_owned());
        assert_ne!(bytes(&workspace).map(|it| it.1), first.map(|it| it.1));
        workspace.open(&uri_of(&part).0, 3, "tree b { action go }".to_owned());
        assert_eq!(bytes(&workspace), None);
    }

    #[test]
    fn tests_are_read_again_after_a_change_of_their_text() {
        let (mut workspace, mut cache) = (Workspace::default(), TestsCache::default());
        let name = "/nowhere/a.test";
        workspace.open(&uri_of(name).0, 1, "tree a.pleach\ntest one\n".to_owned());
        let mut read = |workspace: &Workspace| cache.read(&workspace.snapshot(), name).expect("the file");
        let first = read(&workspace);
        assert!(ptr::eq(&*first, &*read(&workspace)));
        workspace.open(&uri_of(name).0, 2, "tree a.pleach\ntest one\ntest two\n".to_owned());
        assert_eq!((first.0.tests.len(), read(&workspace).0.tests.len()), (1, 2));
    }
}
