//! Costs of an image are in proportion to its size: rows that share data do not multiply it.
//!
//! For each table whose rows can share data, there is an image with many rows and much shared data,
//! and one with twice as many of both. An image is refused, or verifying, linking, listing,
//! counting and running it takes at most 2.5 times the allocations and bytes and, if callgrind is
//! installed, instructions.

use pleach::forest::{Forests, PropertyDepth};
use pleach::program::Lookup;
use pleach::watch::Statistics;
use pleach::{Call, Crowd, Function, Host, Program, Status};
use pleach_image::Image;
use pleach_image::format::{
    self, AttributeRow, CaseRow, DebugEdge, DebugEnd, EntryRow, EventRow, ImportRow, ParallelRow, Parts,
    SiteRow, StrRef, TableRow, ValueRow, WrapperRow, value_tag, wrapper_kind,
};
use pleach_image::isa::{Op, Word};
use pleach_image::listing;
use pleach_image::verify::MAX_NAME;
use pleach_tests::broken::{lasting, looping, planted, whole};
use pleach_tests::callgrind::Counted;
use pleach_tests::counting::{allocations, spent};
use pleach_tests::random::trial::Anybody;

/// Function that makes a program with a number of rows, each of which uses as much shared data as
/// possible.
type Grow = fn(usize) -> Parts;

const TABLES: [(&str, Grow); 16] = [
    ("entries", entries),
    ("names of entries", names),
    ("values", values),
    ("sites", sites),
    ("imports", imports),
    ("imports and code", functions),
    ("strings", strings),
    ("halts", halts),
    ("events", events),
    ("attributes", attributes),
    ("trees of a file", trees),
    ("ends", ends),
    ("loops", loops),
    ("switches", switches),
    ("wrappers", wrappers),
    ("slots", slots),
];

/// Puts words that do nothing before the last block.
fn longer(parts: &mut Parts, words: impl IntoIterator<Item = Word>) {
    let (before, last) = (parts.code.len(), parts.blocks.len() - 1);
    let at = parts.blocks[last].first as usize;
    parts.code.splice(at..at, words);
    parts.blocks[last].count += (parts.code.len() - before) as u32;
}

fn nothing() -> Word {
    Word::new(Op::Flag).with_t(1)
}

fn entries(rows: usize) -> Parts {
    let mut parts = whole();
    longer(&mut parts, vec![nothing(); rows]);
    parts.entries = vec![EntryRow { block: 1, ..parts.entries[0] }; rows];
    parts
}

/// Entries that share one name, which is as long as a name may be.
fn names(rows: usize) -> Parts {
    let mut parts = whole();
    let start = parts.strings.len() as u32;
    parts.strings.resize(parts.strings.len() + MAX_NAME as usize, b'x');
    parts.entries = vec![EntryRow { name: StrRef { start, len: MAX_NAME }, ..parts.entries[0] }; rows];
    parts
}

fn values(rows: usize) -> Parts {
    let mut parts = whole();
    parts.strings.resize(rows * 16, b'x');
    parts.values.resize(rows, ValueRow { tag: value_tag::TEXT, bits: 0, len: rows as u32 * 16 });
    parts
}

fn sites(rows: usize) -> Parts {
    let mut parts = values(rows);
    parts.imports[0] = ImportRow { max_args: u16::MAX, ..parts.imports[0] };
    parts.sites.resize(rows, SiteRow { import: 0, first: 0, count: rows as u16 });
    longer(
        &mut parts,
        (0..rows).flat_map(|row| {
            let exits = Word::new(Op::Exits).with_a(2).with_b(2).with_t(2);
            [Word::new(Op::Act).with_a(if row == 1 { 0 } else { row as u16 }).with_b(1).with_t(2), exits]
        }),
    );
    parts
}

fn imports(rows: usize) -> Parts {
    let mut parts = whole();
    parts.imports.resize(rows, parts.imports[1]);
    parts
}

/// Returns imports before code that must be searched for those that it uses.
fn functions(rows: usize) -> Parts {
    let mut parts = imports(rows);
    longer(&mut parts, vec![nothing(); rows * 4]);
    parts
}

fn strings(rows: usize) -> Parts {
    let mut parts = whole();
    let start = parts.strings.len() as u32;
    parts.strings.resize(parts.strings.len() + rows * 16, b'x');
    parts.texts = vec![StrRef { start, len: rows as u32 * 16 }; rows];
    parts
}

fn halts(rows: usize) -> Parts {
    let mut parts = lasting();
    parts.halts.resize(rows, 1);
    parts.parallels = vec![ParallelRow { positions: rows as u16, ..parts.parallels[0] }; rows];
    parts
}

fn events(rows: usize) -> Parts {
    let mut parts = lasting();
    let set = parts.code[0];
    parts.code.splice(0..0, vec![set; rows]);
    parts.blocks[0].count += rows as u32;
    parts.blocks[1].first += rows as u32;
    parts.events = vec![EventRow { ..parts.events[0] }; rows];
    parts
}

fn attributes(rows: usize) -> Parts {
    let mut parts = planted();
    let start = parts.strings.len() as u32;
    parts.strings.resize(parts.strings.len() + rows * 16, b'x');
    let value = StrRef { start, len: rows as u32 * 16 };
    parts.attributes = vec![AttributeRow { value, ..parts.attributes[0] }; rows];
    (parts.forests[0].attributes, parts.forests[0].count) = (0, rows as u32);
    parts.forest_trees[0].attributes = rows as u32;
    parts.faces.iter_mut().for_each(|face| face.attributes = rows as u32);
    parts
}

/// Trees that have one file, with as many nodes and attributes.
fn trees(rows: usize) -> Parts {
    let mut parts = planted();
    parts.attributes = vec![parts.attributes[0]; rows];
    (parts.faces[0].attributes, parts.faces[0].count) = (0, rows as u32);
    parts.faces.resize(rows + 3, parts.faces[1]);
    parts.keys.resize(rows + 3, 7);
    parts.meta[0].nodes = rows as u32 + 3;
    parts.forest_trees = vec![parts.forest_trees[0]; rows];
    (parts.forests[0].trees, parts.forests[0].count) = (rows as u32, 0);
    parts
}

fn ends(rows: usize) -> Parts {
    let mut parts = whole();
    longer(&mut parts, vec![nothing(); rows]);
    parts.debug_ends = (0..rows as u32).map(|next| DebugEnd { node: 1, status: 1, next }).collect();
    let edge = |word| DebugEdge { way: DebugEdge::way(word, 0), ends: rows as u32 };
    parts.debug_edges = (1..=rows).map(edge).collect();
    parts
}

fn loops(rows: usize) -> Parts {
    let mut parts = looping();
    longer(
        &mut parts,
        (0..rows).flat_map(|_| {
            [Word::new(Op::Loop).with_x(2).with_b(1), Word::new(Op::Again).with_x(2).with_b(1).with_t(1)]
        }),
    );
    parts
}

fn switches(rows: usize) -> Parts {
    let mut parts = lasting();
    let switch = |table| Word::new(Op::Switch).with_a(table as u16);
    let own = parts.code.iter_mut().find(|word| word.op() == Some(Op::Switch)).expect("there is one");
    *own = switch(rows);
    longer(&mut parts, (0..rows).map(switch));
    parts.tables = (0..=rows as u32).map(|first| TableRow { first, count: 1 }).collect();
    parts.cases = vec![CaseRow { target: 1, ..parts.cases[0] }; rows + 1];
    parts
}

fn wrappers(rows: usize) -> Parts {
    let mut parts = whole();
    parts.meta[0].nodes = rows as u32 + 3;
    parts.keys.resize(rows + 3, 7);
    let wrapper = |node: usize| WrapperRow {
        node: node as u16,
        last: rows as u16,
        position: 0,
        kind: wrapper_kind::HOST,
        index: 0,
        reserved: 0,
    };
    parts.wrappers = (1..=rows).map(wrapper).collect();
    parts
}

fn slots(rows: usize) -> Parts {
    let mut parts = lasting();
    let slot = parts.slots[0];
    parts.slots.resize(rows, slot);
    parts.halts.resize(rows, 1);
    parts.parallels[0].positions = rows as u16;
    parts
}

/// Runs every operation on an image. Returns true if the image is valid.
fn use_up(file: &[u8]) -> bool {
    let Ok(image) = Image::copy(file) else { return false };
    let mut host = Anybody::default();
    let mut text = String::new();
    listing::write(&image, &|_, _| None, &mut text).expect("there is room");
    let program = Program::link(&image, &host).expect("this host has every function");
    if let Ok(forests) = Forests::new(&program) {
        assert!(!forests.properties(PropertyDepth::Node).forests.is_empty());
    }
    let mut statistics = Statistics::new(&image);
    let mut crowd = Crowd::new(&program);
    let entry = program.entries().next().expect("there is one").to_owned();
    crowd.spawn(&entry).expect("there is room");
    crowd.tick(0, &mut host);
    crowd.tick_watched(1, &mut host, &mut statistics);
    true
}

/// Returns true if the image with this number of rows is valid, with its cost in allocations and
/// bytes.
fn cost(grow: Grow, rows: usize) -> (bool, [usize; 2]) {
    let file = format::write(&grow(rows));
    let before = allocations();
    let (sound, bytes) = spent(|| use_up(&file));
    (sound, [allocations() - before, bytes.total])
}

#[test]
fn twice_the_rows_cost_twice_as_much() {
    for (name, grow) in TABLES {
        let (sound, once) = cost(grow, 3_000);
        let (_, twice) = cost(grow, 6_000);
        println!("{name}: {once:?} {twice:?} {}", if sound { "" } else { "(refused)" });
        // A refused table is not compared, so refusal must be expected.
        assert_eq!(sound, name != "halts", "{name}");
        for (once, twice) in once.into_iter().zip(twice) {
            assert!(twice * 2 <= once * 5, "{name}: {once} and then {twice}");
        }
    }
}

/// Numbers of rows whose instructions are counted: fewer, since callgrind takes 50 times as long.
const ROWS: [usize; 2] = [1_000, 2_000];

/// Variable of the environment by which the test of instructions knows that callgrind runs it.
const COUNTED: &str = "PLEACH_PROPORTION";

/// Uses an image up. Callgrind counts the instructions of this function.
#[inline(never)]
fn counted(file: &[u8]) -> bool {
    // The statement after the call keeps it from becoming a jump, which callgrind would not see.
    std::hint::black_box(use_up(file))
}

/// Returns the instructions that a test's use of each input takes in a function: the test starts
/// itself under callgrind. Returns `None` under callgrind, and if callgrind is not installed.
pub(super) fn counts<I>(
    test: &str,
    function: &str,
    inputs: impl Iterator<Item = I>,
    run: impl FnMut(I),
) -> Option<Vec<u64>> {
    if std::env::var_os(COUNTED).is_some() {
        inputs.for_each(run);
        return None;
    }
    let program = std::env::current_exe().expect("this program is a file");
    let name = test.split_once("::").expect("a module of this program").1;
    let of = Counted {
        program: &program,
        arguments: &["--exact", name],
        variables: &[(COUNTED, "1")],
        input: "",
        function,
        calls: inputs.count(),
    };
    let Some(counts) = of.instructions().expect("files can be written") else {
        println!("skipped: callgrind is not installed");
        return None;
    };
    assert_eq!(counts.len(), of.calls, "the process under callgrind ended early");
    Some(counts)
}

#[test]
fn twice_the_rows_take_twice_the_instructions() {
    let cases = TABLES.iter().flat_map(|(_, grow)| ROWS.map(|rows| format::write(&grow(rows))));
    let test = concat!(module_path!(), "::twice_the_rows_take_twice_the_instructions");
    let function = concat!(module_path!(), "::counted");
    let Some(counts) = counts(test, function, cases, |file| _ = counted(&file)) else { return };
    for ((name, _), counts) in TABLES.iter().zip(counts.chunks_exact(2)) {
        println!("{name}: {counts:?}");
        assert!(counts[1] * 2 <= counts[0] * 5, "{name}: {} and then {}", counts[0], counts[1]);
    }
}

/// Host that lacks all functions, but has many with similar names.
struct Near(Vec<String>);

impl Host for Near {
    fn resolve(&self, _: Function, _: &str) -> Option<u32> {
        None
    }

    fn names(&self, _: Function) -> Vec<String> {
        self.0.clone()
    }

    fn act(&mut self, _: &mut Call<'_>) -> Status {
        unreachable!("no program is linked")
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        unreachable!("no program is linked")
    }
}

/// Checks that names were compared until a budget for all of them was used up.
#[track_caller]
fn one_budget(suggestions: &[Option<String>]) {
    let suggested = suggestions.iter().take_while(|it| it.is_some()).count();
    assert!(suggested > 20, "{suggested}");
    assert!(suggested < suggestions.len() && suggestions[suggested..].iter().all(Option::is_none));
}

#[test]
fn functions_that_are_missing_share_the_budget_for_suggestions() {
    let image = Image::copy(&format::write(&imports(300))).expect("it is sound");
    // One of the functions is `act`, all others are `ask`.
    let host = Near((0..5_000).map(|index| if index == 0 { "axt" } else { "axk" }.to_owned()).collect());
    let error = Program::link(&image, &host).expect_err("no function is there");
    assert_eq!(error.missing.len(), 300);
    one_budget(&error.missing.into_iter().map(|it| it.suggestion).collect::<Vec<_>>());
}

#[test]
fn names_that_are_looked_up_share_the_budget_for_suggestions() {
    let mut parts = whole();
    parts.entries.resize(5_000, parts.entries[0]);
    let image = Image::copy(&format::write(&parts)).expect("it is sound");
    let program = Program::link(&image, &Anybody::default()).expect("this host has every function");
    let mut names = Lookup::new(&program);
    (0..300).for_each(|_| names.tree("mxin"));
    let error = names.end(()).expect_err("no name is there");
    one_budget(&error.missing.into_iter().map(|it| it.suggestion).collect::<Vec<_>>());
}
