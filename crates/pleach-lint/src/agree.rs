//! Findings on which all programs of a run agree.
//!
//! A file that several programs read is one text. A finding about this text is right only if it is
//! right in each of these programs: a node that always fails at once in one program may run in
//! another one, and a name that one program does not use may be used in another one.

use crate::Linted;
use core::borrow::Borrow;
use hashbrown::hash_map::Entry;
use hashbrown::{HashMap, HashSet};
use pleach_compile::diagnostic::Diagnostic;
use pleach_compile::source::SourceId;

/// Piece of a text of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) source: SourceId,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Presence of a node or variable in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Presence {
    /// The parent of the node can begin, and the node cannot.
    Parent,
    /// The node can begin; the variable is read or written.
    Itself,
}

/// Nodes and variables that are present in a program, by their places.
pub(crate) type Seen = HashMap<Place, Presence>;

/// Node or variable that a rule has looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject {
    pub(crate) place: Place,
    /// Presence with which another program has a say.
    pub(crate) needs: Presence,
}

/// Finding that other programs can contradict.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    /// None for a finding about the text alone: a declaration or a comment.
    pub(crate) subject: Option<Subject>,
    pub(crate) diagnostic: Diagnostic,
}

impl Pending {
    /// Returns the place of the subject, or that of the finding.
    fn place(&self) -> Option<Place> {
        let own = self.diagnostic.span;
        let own = own.map(|span| Place { source: span.source, start: span.start, end: span.end });
        self.subject.map(|subject| subject.place).or(own)
    }
}

/// Piece of a file: index of the file's path, first byte, and one past the last.
type Piece = (usize, u32, u32);

/// Paths of the files of a run, as numbers.
struct Paths {
    names: HashMap<String, usize>,
    /// By program and file, the path.
    of_files: Vec<Vec<usize>>,
    /// By path, the number of programs that read the file.
    readers: Vec<usize>,
    /// By path, true if a program with errors reads the file.
    is_in_doubt: Vec<bool>,
}

impl Paths {
    fn new<P: Borrow<Linted>>(programs: &[P], path: &dyn Fn(usize, &str) -> String) -> Self {
        let (names, of_files) = (HashMap::new(), Vec::with_capacity(programs.len()));
        let mut paths = Self { names, of_files, readers: Vec::new(), is_in_doubt: Vec::new() };
        for (index, program) in programs.iter().map(Borrow::borrow).enumerate() {
            let files = program.done.sources.files().iter();
            let files: Vec<usize> = files.map(|file| paths.number(path(index, &file.name))).collect();
            for path in files.iter().copied().collect::<HashSet<_>>() {
                paths.readers[path] += 1;
                paths.is_in_doubt[path] |= program.done.diagnostics.errors() > 0;
            }
            paths.of_files.push(files);
        }
        paths
    }

    fn number(&mut self, path: String) -> usize {
        let next = self.readers.len();
        let number = *self.names.entry(path).or_insert(next);
        if number == next {
            self.readers.push(0);
            self.is_in_doubt.push(false);
        }
        number
    }

    fn piece(&self, program: usize, place: Place) -> Piece {
        (self.of_files[program][place.source.0 as usize], place.start, place.end)
    }
}

/// Returns the findings that no program contradicts, each with the first program that has it. A
/// finding about a node counts if all programs have it in which the node can begin, a finding about
/// a declaration or comment if all programs have it that read the file. A program with errors
/// contradicts all findings about its files.
///
/// `path` returns the path of a file of a program, by the program's index and the file's name.
/// Findings about declarations and comments are returned only for paths among `named`, because
/// programs outside of the run may use the other files.
#[must_use]
pub fn agreed<P: Borrow<Linted>>(
    programs: &[P],
    path: &dyn Fn(usize, &str) -> String,
    named: &dyn Fn(&str) -> bool,
) -> Vec<(usize, Diagnostic)> {
    let paths = Paths::new(programs, path);
    let mut is_named = vec![false; paths.readers.len()];
    paths.names.iter().for_each(|(path, number)| is_named[*number] = named(path));
    let mut held: HashMap<(Piece, &str), usize> = HashMap::new();
    let mut order = Vec::new();
    let pending = programs.iter().map(Borrow::borrow).enumerate().flat_map(|(index, program)| {
        program.pending.iter().filter_map(move |it| Some((index, it, it.place()?)))
    });
    for (index, finding, place) in pending {
        let piece = paths.piece(index, place);
        match held.entry((piece, finding.diagnostic.code.id)) {
            Entry::Occupied(mut entry) => *entry.get_mut() += 1,
            Entry::Vacant(entry) => {
                entry.insert(1);
                order.push((index, finding, piece));
            }
        }
    }
    let present = present(programs, &paths, order.iter().map(|(.., piece)| *piece).collect());
    let is_agreed = |(_, finding, piece): &(usize, &Pending, Piece)| {
        let needed = match finding.subject {
            Some(subject) => present[piece].iter().filter(|it| **it >= subject.needs).count(),
            None if is_named[piece.0] => paths.readers[piece.0],
            None => return false,
        };
        !paths.is_in_doubt[piece.0] && held[&(*piece, finding.diagnostic.code.id)] == needed
    };
    let all = order.into_iter().filter(is_agreed);
    all.map(|(index, finding, _)| (index, finding.diagnostic.clone())).collect()
}

/// Returns for some pieces of files their presences in all programs that have them.
fn present<P: Borrow<Linted>>(
    programs: &[P],
    paths: &Paths,
    wanted: HashSet<Piece>,
) -> HashMap<Piece, Vec<Presence>> {
    let mut present: HashMap<_, _> = wanted.into_iter().map(|piece| (piece, Vec::new())).collect();
    for (index, program) in programs.iter().map(Borrow::borrow).enumerate() {
        for (place, presence) in program.seen.iter().flatten() {
            if let Some(known) = present.get_mut(&paths.piece(index, *place)) {
                known.push(*presence);
            }
        }
    }
    present
}
