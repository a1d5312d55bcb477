//! Assembler: turns labels into distances, and drops idle jumps and unreachable code.
//!
//! A compiler walks a tree and says "on failure, continue at this label". The assembler records
//! each field that holds a way to a label, and fills in the distances when the block is finished.
//! All jumps lead forward. Therefore the assembler knows every way to a label at the moment when
//! the label is bound, and it
//!
//! * drops code that is unreachable when it is emitted,
//! * drops a jump to the instruction that follows,
//! * redirects a way that leads to a jump to the target of that jump.
//!
//! A compiler need not care about any of these. The verifier accepts the code that results.
//!
//! Each node makes a few calls here, and each call takes about a dozen machine instructions. So the
//! common path is inlined and the rare path is not.
//!
//! ```
//! use pleach_image::assemble::Assembler;
//! use pleach_image::isa::{self, Op, Word};
//! let mut code = Assembler::default();
//! let fail = code.label();
//! code.branch(Word::new(Op::Cond).with_a(0), fail);
//! code.end(isa::SUCCESS);
//! code.bind(fail);
//! code.end(isa::FAILURE);
//! let block = code.finish_block().unwrap();
//! assert_eq!(block.count, 3);
//! ```

mod exits;
mod labels;

pub use exits::Exits;
pub use labels::{Label, Labels};

use crate::format::{BlockRow, CaseRow, DebugEdge, TableRow};
use crate::isa::{Op, Word};
use alloc::vec::Vec;
use labels::{Place, Places};

/// Cases of a `switch` while they are collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cases(u32);

/// Loop under construction, see [`Assembler::head`].
#[derive(Clone, Copy, Debug)]
pub struct Head {
    word: u32,
    register: u8,
}

/// The block is too large: a target is more than 65,535 words away, or the program has more than
/// 65,535 `switch`es.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooFar;

/// Field that will hold the distance to a label.
///
/// Until the block is finished, the field holds an addend: the number of words from the instruction
/// that the distance counts from to the word of the field.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// Index of the field in units of 16 bits, from the first word of the code.
    field: u32,
    to: Label,
}

/// Number of 16-bit fields in a word.
const FIELDS: u32 = (size_of::<Word>() / size_of::<u16>()) as u32;
/// Offset of `t` in fields from the start of the instruction.
const TARGET: u32 = 3;
/// Offsets of the four exits: `t` of the instruction, and `a`, `b`, `t` of the next word.
const EXITS: [u32; 4] = [TARGET, FIELDS + 1, FIELDS + 2, FIELDS + TARGET];

/// Code under construction, block by block.
#[derive(Debug)]
pub struct Assembler {
    code: Code,
    /// Ways of the current block whose distances are not filled in yet.
    ways: Vec<Way>,
    places: Places,
    /// Positions of the `switch`es of the current block.
    switches: Vec<u32>,
    /// Cases of the current block without targets, in the order of nodes, not of tables.
    open: Vec<(Cases, CaseRow, Label)>,
    first: u32,
    owner: u16,
    /// True if the node of each word is recorded.
    owned: bool,
    /// True if control can come from the last word to the next.
    falls: bool,
    /// Labels that are bound to the end of the words.
    here: Vec<Label>,
    /// Jump that is not emitted yet, because the next instruction may make it unnecessary.
    jump: Option<Label>,
    /// Longest distance by which a loop of the current block leads back.
    farthest_back: u32,
}

impl Default for Assembler {
    fn default() -> Self {
        Self {
            code: Code::default(),
            ways: Vec::new(),
            places: Places::default(),
            switches: Vec::new(),
            open: Vec::new(),
            first: 0,
            owner: 0,
            owned: true,
            falls: true,
            here: Vec::new(),
            jump: None,
            farthest_back: 0,
        }
    }
}

/// Finished code.
#[derive(Debug, Default)]
pub struct Code {
    /// Instructions of all blocks.
    pub words: Vec<Word>,
    /// Node of each word.
    pub owners: Vec<u16>,
    /// Debug edges: the nodes that end on each way out.
    pub edges: Vec<DebugEdge>,
    /// Tables of all `switch`es.
    pub tables: Vec<TableRow>,
    /// Cases of the tables.
    pub cases: Vec<CaseRow>,
}

impl Code {
    fn clear(&mut self) {
        let Self { words, owners, edges, tables, cases } = self;
        words.clear();
        owners.clear();
        edges.clear();
        tables.clear();
        cases.clear();
    }
}

impl Assembler {
    /// Starts new code in the memory of `room`, which is cleared and gets capacity for `nodes`
    /// nodes. If `owned` is true, the node of each word is recorded.
    pub fn begin(&mut self, mut room: Code, nodes: usize, owned: bool) {
        let Self { mut ways, mut places, mut switches, mut open, mut here, .. } = core::mem::take(self);
        room.clear();
        room.words.reserve(nodes * 5);
        if owned {
            room.owners.reserve(nodes * 5);
            room.edges.reserve(nodes * 4);
        }
        ways.clear();
        places.clear();
        switches.clear();
        open.clear();
        here.clear();
        *self = Self { code: room, ways, places, switches, open, here, owned, ..Self::default() };
    }

    /// Creates a label of the current block.
    #[inline]
    pub fn label(&mut self) -> Label {
        self.places.label(Place::Unused)
    }

    /// Creates `count` consecutive labels of the current block.
    pub fn labels(&mut self, count: usize) -> Labels {
        self.places.labels(count)
    }

    /// Creates a label that leads on to another one and says which nodes end when control comes that
    /// way. `ends` is 1 more than the index of a row of the section `debug_ends`; 0 if no node ends.
    #[inline]
    pub fn through(&mut self, label: Label, ends: u32) -> Label {
        self.places.through(label, ends)
    }

    /// Returns the `ends` with which a label was created by [`Self::through`], or 0.
    #[must_use]
    #[inline]
    pub fn ends(&self, label: Label) -> u32 {
        self.places.lead(label).1
    }

    /// Sets the node that the following instructions belong to, for listings and profiles; 0 for
    /// none.
    #[inline]
    pub fn owner(&mut self, node: u16) {
        self.owner = node;
    }

    /// Returns true if an instruction emitted now can be reached.
    #[must_use]
    #[inline]
    pub fn reachable(&self) -> bool {
        // Each operand alone is unpredictable, but their disjunction is nearly always true: one
        // branch, not two.
        self.falls | !self.here.is_empty()
    }

    /// Binds the label to the current position. Each label is bound once, after all ways that lead
    /// to it.
    #[inline(always)]
    pub fn bind(&mut self, label: Label) {
        if let Some(jump) = self.jump {
            self.land(jump, label);
        }
        if self.places.arrive(label, self.code.words.len()) {
            self.here.push(label);
        }
    }

    /// Emits an instruction after which control continues at the next word.
    pub fn next(&mut self, word: Word) {
        if self.reachable() {
            self.push([word]);
        }
    }

    /// Emits an instruction after which control continues at the next word or at the label.
    #[inline(always)]
    pub fn branch(&mut self, word: Word, taken: Label) {
        if self.reachable() {
            self.leave(word, taken);
        }
    }

    /// Emits an instruction after which control continues at the label.
    #[inline(always)]
    pub fn effect(&mut self, word: Word, to: Label) {
        if self.reachable() {
            self.leave(word, to);
            self.falls = false;
        }
    }

    /// Emits an instruction that has a target, and binds the target to the position after it.
    pub fn then(&mut self, word: Word) {
        let next = self.label();
        self.effect(word, next);
        self.bind(next);
    }

    /// Emits a `switch` on a slot. Returns `None` if the position is unreachable. Its cases are
    /// added later, each before its label is bound.
    pub fn switch(&mut self, slot: u8) -> Option<Cases> {
        let cases = Cases((self.code.tables.len() + self.switches.len()) as u32);
        self.reachable().then(|| {
            self.switches.push(self.code.words.len() as u32);
            self.push([Word::new(Op::Switch).with_x(slot).with_a(cases.0 as u16)]);
            cases
        })
    }

    /// Adds a case to a `switch`: for the nodes from `low` to `high`, control continues at the
    /// label. The nodes of successive cases ascend.
    pub fn case(&mut self, cases: Cases, low: u16, high: u16, label: Label) {
        self.places.need(label);
        self.open.push((cases, CaseRow { low, high, target: 0, reserved: 0 }, label));
    }

    /// Adds a case to a `switch`: for the nodes from `low` to `high`, control continues at the
    /// current position.
    #[inline]
    pub fn case_here(&mut self, cases: Cases, low: u16, high: u16) {
        if let Some(jump) = self.jump {
            self.flush(jump);
        }
        let label = self.places.label(Place::At(self.code.words.len() as u32));
        self.here.push(label);
        self.open.push((cases, CaseRow { low, high, target: 0, reserved: 0 }, label));
    }

    /// Begins a loop that can be repeated `times` times in a tick, or up to the step limit if
    /// `times` is 0.
    pub fn head(&mut self, register: u8, times: u16) -> Head {
        self.next(Word::new(Op::Loop).with_x(register).with_b(times));
        Head { word: (self.code.words.len() as u32).saturating_sub(1), register }
    }

    /// Emits the instruction that repeats the loop, or continues at the label if the repetitions
    /// are used up. If the loop is too long for the distance back, [`Assembler::finish_block`]
    /// returns the error.
    pub fn again(&mut self, head: Head, spent: Label) {
        let back = self.code.words.len() as u32 - head.word;
        self.farthest_back = self.farthest_back.max(back);
        let word = Word::new(Op::Again).with_x(head.register).with_b(back as u16);
        self.effect(word, spent);
    }

    /// Continues at the label.
    pub fn jump(&mut self, to: Label) {
        if !self.reachable() {
            return;
        }
        if self.ends(to) != 0 {
            self.leave(Word::new(Op::Jump), to);
        } else {
            for label in self.here.drain(..) {
                self.places.alias(label, to);
            }
            self.jump = self.falls.then_some(to);
        }
        self.falls = false;
    }

    /// Emits an instruction with four exits.
    #[inline(always)]
    pub fn exits(&mut self, word: Word, exits: Exits) {
        if self.reachable() {
            let [failure, success, running, other] = EXITS;
            let ways = [
                self.way(failure, 0, exits.at(0)),
                self.way(success, 1, exits.at(1)),
                self.way(running, 2, exits.at(2)),
                self.way(other, 3, exits.at(3)),
            ];
            self.ways.extend(ways);
            self.push([word, Word::new(Op::Exits).with_a(1).with_b(1).with_t(1)]);
            self.falls = false;
        }
    }

    /// Ends the block with a status.
    pub fn end(&mut self, status: u8) {
        if self.reachable() {
            self.push([Word::new(Op::Return).with_x(status)]);
            self.falls = false;
        }
    }

    /// Ends the whole tick with a fault: the repetitions of a loop are used up.
    pub fn fault(&mut self) {
        if self.reachable() {
            self.push([Word::new(Op::Fault)]);
            self.falls = false;
        }
    }

    /// Ends the current block and begins the next.
    ///
    /// # Errors
    /// If a target is too far away, or the program has too many `switch`es.
    pub fn finish_block(&mut self) -> Result<BlockRow, TooFar> {
        if let Some(jump) = self.jump {
            self.flush(jump);
        }
        self.settle()?;
        self.settle_cases()?;
        self.places.clear();
        self.here.clear();
        self.falls = true;
        let row = BlockRow { first: self.first, count: self.code.words.len() as u32 - self.first };
        self.first = self.code.words.len() as u32;
        Ok(row)
    }

    /// Returns the code of all finished blocks.
    #[must_use]
    pub fn finish(&mut self) -> Code {
        core::mem::take(&mut self.code)
    }

    fn push<const WORDS: usize>(&mut self, words: [Word; WORDS]) {
        self.code.words.extend(words);
        if self.owned {
            self.code.owners.extend([self.owner; WORDS]);
        }
        self.here.clear();
        self.falls = true;
    }

    /// Emits an instruction with a target.
    #[inline]
    fn leave(&mut self, word: Word, to: Label) {
        let way = self.way(TARGET, 1, to);
        self.ways.push(way);
        self.push([word]);
    }

    /// Returns a way out of the instruction that is emitted next: the field that will hold the
    /// distance, counted from the instruction, and the number of the exit in debug information.
    #[inline]
    fn way(&mut self, field: u32, exit: u32, to: Label) -> Way {
        let word = self.code.words.len();
        let (to, ends) = self.places.lead(to);
        self.places.need(to);
        if ends != 0 {
            self.code.edges.push(DebugEdge { way: DebugEdge::way(word, exit), ends });
        }
        Way { field: word as u32 * FIELDS + field, to }
    }

    /// Settles a pending jump before a label is bound. A jump to this very label is dropped.
    #[cold]
    fn land(&mut self, jump: Label, label: Label) {
        if jump == label {
            self.jump = None;
            self.falls = true;
        } else if self.places.is_needed(label) {
            self.flush(jump);
        }
    }

    /// Emits a pending jump.
    #[cold]
    fn flush(&mut self, to: Label) {
        self.jump = None;
        self.leave(Word::new(Op::Jump), to);
        self.falls = false;
    }

    /// Fills in the distances of the block.
    fn settle(&mut self) -> Result<(), TooFar> {
        let mut farthest = core::mem::take(&mut self.farthest_back);
        let fields: &mut [u16] = bytemuck::cast_slice_mut(&mut self.code.words);
        for Way { field, to } in &self.ways {
            let place = self.places.find(*to);
            let (word, distance) = (field / FIELDS, &mut fields[*field as usize]);
            let to = place - word + u32::from(*distance);
            farthest = farthest.max(to);
            *distance = to as u16;
        }
        self.ways.clear();
        if farthest > u32::from(u16::MAX) { Err(TooFar) } else { Ok(()) }
    }

    /// Puts the cases of the block into the order of tables, with their distances.
    fn settle_cases(&mut self) -> Result<(), TooFar> {
        if self.code.tables.len() + self.switches.len() > usize::from(u16::MAX) {
            return Err(TooFar);
        }
        let (table, case) = (self.code.tables.len(), self.code.cases.len());
        self.code.tables.resize(table + self.switches.len(), TableRow::default());
        let tables = &mut self.code.tables[table..];
        for (cases, ..) in &self.open {
            tables[cases.0 as usize - table].count += 1;
        }
        let mut first = case as u32;
        for table in &mut *tables {
            (table.first, first, table.count) = (first, first + table.count, 0);
        }
        self.code.cases.resize(first as usize, CaseRow::default());
        for (cases, case, label) in self.open.drain(..) {
            let index = cases.0 as usize - table;
            let table = &mut tables[index];
            let distance = self.places.find(label) - self.switches[index];
            let target = u16::try_from(distance).map_err(|_| TooFar)?;
            self.code.cases[(table.first + table.count) as usize] = CaseRow { target, ..case };
            table.count += 1;
        }
        self.switches.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests;
