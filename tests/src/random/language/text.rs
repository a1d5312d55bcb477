//! Distribution of items over files.

use super::vectors::columns;
use super::{Builder, Program};

/// Paths of the files. The first file is the one to compile.
const PATHS: &[&str] = &["main.pleach", "lib/second.pleach", "third.pleach"];

/// Path by which the file of a row includes the file of a column.
const INCLUDES: [[&str; 3]; 3] = [
    ["main.pleach", "lib/second.pleach", "third.pleach"],
    ["main.pleach", "second.pleach", "third.pleach"],
    ["main.pleach", "lib/second.pleach", "third.pleach"],
];

impl Builder {
    /// Puts the items into one file or several, in random order.
    pub(super) fn finish(mut self) -> Program {
        let count = self.draws.pick(&[1, 1, 2, 3]);
        let mut files: Vec<Vec<String>> = vec![Vec::new(); count];
        let mut items = core::mem::take(&mut self.items);
        while !items.is_empty() {
            let (item, first) = items.swap_remove(self.draws.below(items.len()));
            let file = if first { 0 } else { self.draws.below(count) };
            files[file].push(item);
        }
        for file in 0..count {
            self.include(&mut files, file);
        }
        // Handlers of one event run in the order of the text. Any order of files is such an order.
        let text = |items: &Vec<String>| items.join("\n") + "\n";
        let files = files.iter().zip(PATHS).map(|(items, path)| ((*path).to_owned(), text(items)));
        Program {
            files: files.collect(),
            entries: vec!["main".to_owned(), "second".to_owned()],
            variables: self.variables.into_iter().chain(self.locals).flat_map(columns).collect(),
            tunables: self.tunables,
            events: self.events,
            constructs: self.constructs,
        }
    }

    /// Adds includes. The first file includes all others. These may include each other.
    fn include(&mut self, files: &mut [Vec<String>], file: usize) {
        for (other, path) in INCLUDES[file].iter().enumerate().take(files.len()) {
            let needed = file == 0 && other > 0;
            if needed || (file > 0 && self.draws.one_in(4)) {
                self.has("include");
                let at = self.draws.below(files[file].len() + 1);
                files[file].insert(at, format!("include \"{path}\""));
            }
        }
    }
}
