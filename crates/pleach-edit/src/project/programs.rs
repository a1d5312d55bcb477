//! Files that are compiled together.
//!
//! A file of trees that no other file includes is the *entry* of a program: with the files that it
//! includes, those that these include, and its manifests. Of files that include each other in a
//! circle, one is an entry: that in the fewest folders, the first by name. A file of tests belongs
//! to the program of the tree under test. All files of a program share their spaces of names.

use super::{FileKind, Project};
use crate::document::{Document, ItemKind};
use crate::paths::folder_of;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// Returns the paths that a text includes.
pub(super) fn includes(document: &Document) -> Vec<Box<str>> {
    let paths = document.items().iter().filter(|item| item.kind == ItemKind::Include);
    let quoted = paths.filter_map(|item| Some(document.slice(item.name?)));
    quoted.map(|path| path.trim_matches('"').into()).collect()
}

/// Manifests by their folder, in the order of their names.
type Manifests = BTreeMap<Box<str>, Vec<Box<str>>>;

/// Programs of a project.
#[derive(Debug)]
pub(super) struct Programs {
    /// Manifests by their folder.
    manifests: Manifests,
    /// Files by entry, in the order in which they are read.
    by_entry: BTreeMap<Box<str>, Vec<Box<str>>>,
    /// Entries by file.
    entries: BTreeMap<Box<str>, Vec<Box<str>>>,
    /// By file, the files that are in a program together with it, if they were asked for.
    scopes: BTreeMap<Box<str>, OnceLock<BTreeSet<Box<str>>>>,
}

impl Project {
    /// Returns the file that an include directive of an entry's program stands for: its name, and
    /// the path by which it was found.
    fn included(&self, entry: &str, folder: &str, path: &str) -> Option<(Box<str>, String)> {
        let beside = format!("{folder}{path}");
        [beside.as_str(), path].into_iter().find_map(|path| Some((self.find(entry, path)?, path.to_owned())))
    }

    /// Returns the file with a path, as the program of an entry finds it: beside the entry, in the
    /// folders of the project, or in the folder above.
    pub(super) fn find(&self, entry: &str, path: &str) -> Option<Box<str>> {
        let path = path.strip_prefix("./").unwrap_or(path);
        let beside = folder_of(entry);
        let above = folder_of(beside.trim_end_matches('/'));
        let folders = [beside].into_iter().chain(self.folders.iter().map(AsRef::as_ref)).chain([above]);
        folders
            .map(|folder| format!("{folder}{path}"))
            .find_map(|name| self.files.get_key_value(name.as_str()).map(|(name, _)| name.clone()))
    }

    /// Returns the manifests of a tree, the outermost first.
    #[must_use]
    pub fn manifests_of(&self, name: &str) -> Vec<&str> {
        self.manifests_around(&self.programs().manifests, name)
    }

    /// Returns the manifests of a tree, of all manifests by folder.
    fn manifests_around<'m>(&'m self, all: &'m Manifests, name: &str) -> Vec<&'m str> {
        if !self.manifests.is_empty() {
            let known = self.manifests.iter().filter(|name| self.files.contains_key(*name));
            return known.map(AsRef::as_ref).collect();
        }
        let folders = [0].into_iter().chain(name.match_indices('/').map(|(at, _)| at + 1));
        let around = folders.filter_map(|end| all.get(&name[..end]));
        around.flatten().map(AsRef::as_ref).collect()
    }

    /// Returns all manifests by their folder.
    fn manifests_by_folder(&self) -> Manifests {
        let mut all = Manifests::new();
        for (name, _) in self.files.iter().filter(|(_, file)| file.kind == FileKind::Manifest) {
            all.entry(folder_of(name).into()).or_default().push(name.clone());
        }
        all
    }

    fn program_of(&self, manifests: &Manifests, entry: &str) -> Vec<Box<str>> {
        let (mut found, mut known): (Vec<Box<str>>, BTreeSet<Box<str>>) = (Vec::new(), BTreeSet::new());
        let mut open: Vec<(Box<str>, String)> = vec![(entry.into(), String::new())];
        while let Some((name, folder)) = open.pop() {
            if !known.insert(name.clone()) {
                continue;
            }
            let paths = self.file(&name).map(|file| file.paths.as_slice()).unwrap_or_default();
            for path in paths.iter().rev() {
                let next = self.included(entry, &folder, path);
                open.extend(next.map(|(name, path)| (name, folder_of(&path).to_owned())));
            }
            found.push(name);
        }
        found.extend(self.manifests_around(manifests, entry).into_iter().map(Into::into));
        found
    }

    /// Returns the entries among the files of trees.
    fn entries_of_all(&self, manifests: &Manifests) -> BTreeMap<Box<str>, Vec<Box<str>>> {
        let trees = self.files.iter().filter(|(_, file)| file.kind == FileKind::Trees);
        let direct = trees.clone().flat_map(|(name, file)| {
            let others = file.paths.iter().filter_map(|path| self.find(name, path));
            others.filter(move |other| other != name)
        });
        let included: BTreeSet<Box<str>> = direct.collect();
        let (outer, mut inner): (Vec<_>, Vec<_>) = trees.partition(|(name, _)| !included.contains(*name));
        inner.sort_by_key(|(name, _)| name.matches('/').count());
        let (mut all, mut reached) = (BTreeMap::new(), BTreeSet::new());
        for (name, _) in outer.into_iter().chain(inner) {
            // What only a circle includes is not reached by those before.
            if !reached.contains(name) {
                let program = self.program_of(manifests, name);
                reached.extend(program.iter().cloned());
                all.insert(name.clone(), program);
            }
        }
        all
    }

    pub(super) fn programs(&self) -> &Programs {
        self.programs.get_or_init(|| {
            let manifests = self.manifests_by_folder();
            let mut by_entry = self.entries_of_all(&manifests);
            for (name, file) in self.files.iter().filter(|(_, file)| file.kind == FileKind::Tests) {
                let tree = file.paths.first().map(|path| format!("{}{path}", folder_of(name)));
                let tree = tree.filter(|tree| self.files.contains_key(tree.as_str()));
                let tested = tree.map(|tree| self.program_of(&manifests, &tree));
                let files = [name.clone()].into_iter().chain(tested.into_iter().flatten());
                by_entry.insert(name.clone(), files.collect());
            }
            let mut entries: BTreeMap<Box<str>, Vec<Box<str>>> = BTreeMap::new();
            for (entry, files) in &by_entry {
                for file in files {
                    entries.entry(file.clone()).or_default().push(entry.clone());
                }
            }
            let scopes = self.files.keys().map(|name| (name.clone(), OnceLock::new())).collect();
            Programs { manifests, by_entry, entries, scopes }
        })
    }

    /// Returns the files that an entry is compiled with, and itself.
    #[must_use]
    pub fn program(&self, entry: &str) -> &[Box<str>] {
        self.programs().by_entry.get(entry).map(AsRef::as_ref).unwrap_or_default()
    }

    /// Returns the entries whose programs have a file.
    #[must_use]
    pub fn entries_with(&self, name: &str) -> &[Box<str>] {
        self.programs().entries.get(name).map(AsRef::as_ref).unwrap_or_default()
    }

    /// Returns the entries of trees with a file, whose findings are about it.
    #[must_use]
    pub fn roots_of(&self, name: &str) -> Vec<&str> {
        let entries = self.entries_with(name).iter().map(AsRef::as_ref);
        let trees = entries.filter(|entry| FileKind::of(entry) == Some(FileKind::Trees));
        trees.collect()
    }

    /// Returns all files that are in a program together with a file, and the file itself.
    pub fn scope(&self, name: &str) -> impl Iterator<Item = &str> {
        let together = || {
            let entries = self.entries_with(name).iter();
            let files = entries.flat_map(|entry| self.program(entry)).cloned();
            files.chain([name.into()]).collect()
        };
        let known = self.programs().scopes.get(name).map(|scope| scope.get_or_init(together));
        known.into_iter().flatten().map(AsRef::as_ref)
    }

    /// Returns the file that a path in a file leads to: that of an `include`, or the tree of tests.
    #[must_use]
    pub fn linked(&self, name: &str, path: &str) -> Option<&str> {
        let entries = self.entries_with(name).iter().map(AsRef::as_ref);
        let mut entries = [name].into_iter().chain(entries);
        let beside = format!("{}{path}", folder_of(name));
        let near = self.files.get_key_value(beside.as_str()).map(|(name, _)| name.clone());
        let found = near.or_else(|| entries.find_map(|entry| self.find(entry, path)))?;
        self.files.get_key_value(&found).map(|(name, _)| &**name)
    }
}
