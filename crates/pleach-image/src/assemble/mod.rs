//! Putting code together: labels, jumps that vanish, code that nobody can reach.
//!
//! A compiler walks a tree and says "on failure go on at this label". The assembler writes down each field that holds a
//! way to a label, and puts the distances there when the block is finished. Because all jumps lead forward it knows,
//! when a label is bound, every way that leads there. So it
//!
//! * drops what cannot be reached while it is being emitted,
//! * drops a jump to what follows,
//! * sends ways that lead to a jump straight on to where that jump leads.
//!
//! What a compiler emits without a thought about these comes out as code the verifier accepts.
//!
//! A node makes a handful of calls here, each of a dozen machine instructions, so what all of them do is inlined, and
//! what few of them do is kept out of the way.
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

pub use exits::{Exits, Statuses};
pub use labels::{Label, Labels};

use crate::format::{BlockRow, CaseRow, DebugEdge, TableRow};
use crate::isa::{Op, Word};
use alloc::vec::Vec;
use labels::{Place, Places};

/// The cases of a `switch`, while they are collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cases(u32);

/// A loop under construction, see [`Assembler::head`].
#[derive(Clone, Copy, Debug)]
pub struct Head {
    word: u32,
    register: u8,
}

/// The block is too large: a target is more than 65,535 words away, or there are more `switch`es than that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooFar;

/// A field that shall hold the distance to a label.
///
/// Until it does, it holds what is to be added: how far its word is from the instruction that distances count from.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// In units of 16 bits, from the first word.
    field: u32,
    to: Label,
}

/// Fields of a word.
const FIELDS: u32 = (size_of::<Word>() / size_of::<u16>()) as u32;
/// Where `t` stands, in fields from the instruction.
const TARGET: u32 = 3;
/// Where the four exits stand: `t`, and `a`, `b`, `t` of the next word.
const EXITS: [u32; 4] = [TARGET, FIELDS + 1, FIELDS + 2, FIELDS + TARGET];

/// A way out of one of several instructions that are emitted together.
#[derive(Clone, Copy, Debug)]
pub struct Out {
    /// Which word, from 0.
    word: usize,
    /// The exit as debug information numbers it.
    exit: u32,
    /// Counted from the word.
    field: u32,
    to: Label,
}

impl Out {
    /// By the target of an instruction.
    #[must_use]
    #[inline]
    pub fn target(word: usize, to: Label) -> Self {
        Self { word, exit: 1, field: TARGET, to }
    }

    /// Where its field stands if the first of the instructions is this word.
    #[inline]
    fn field(self, first: usize) -> u32 {
        (first + self.word) as u32 * FIELDS + self.field
    }

    /// By one of the exits of an instruction with four.
    #[must_use]
    #[inline]
    pub fn exit(word: usize, status: usize, to: Label) -> Self {
        Self { word, exit: status as u32, field: EXITS[status], to }
    }
}

/// Code under construction, block by block.
#[derive(Debug)]
pub struct Assembler {
    code: Code,
    /// The ways of the current block.
    ways: Vec<Way>,
    places: Places,
    /// Where the `switch`es of the current block are.
    switches: Vec<u32>,
    /// The cases of the current block, without targets: in the order of nodes, not of tables.
    open: Vec<(Cases, CaseRow, Label)>,
    first: u32,
    owner: u16,
    /// Whether owners are written down.
    owned: bool,
    /// Whether control comes to here from the word before.
    falls: bool,
    /// Labels bound here, at the end of the words.
    here: Vec<Label>,
    /// A jump not yet emitted: what follows may make it vanish.
    jump: Option<Label>,
    /// The longest distance by which a loop of the current block leads back.
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
    /// The instructions of all blocks.
    pub words: Vec<Word>,
    /// The node each word belongs to.
    pub owners: Vec<u16>,
    /// What ends where.
    pub edges: Vec<DebugEdge>,
    /// The tables of all `switch`es.
    pub tables: Vec<TableRow>,
    /// Their cases.
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
    /// Begins anew, in the memory of code that is no longer needed, with room for that of so many nodes. `owned` if the
    /// node of each word shall be written down.
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

    /// A new label of the current block.
    #[inline]
    pub fn label(&mut self) -> Label {
        self.places.label(Place::Unused)
    }

    /// Two new labels of the current block.
    #[inline]
    pub fn pair(&mut self) -> Labels {
        self.places.pair()
    }

    /// `count` new labels of the current block.
    pub fn labels(&mut self, count: usize) -> Labels {
        self.places.labels(count)
    }

    /// The way to the label on which nodes end: row of the debug ends plus one.
    pub fn through(&mut self, label: Label, ends: u32) -> Label {
        self.places.through(label, ends)
    }

    /// What ends on the way to a label: row of the debug ends plus one; 0 if nothing ends.
    #[must_use]
    pub fn ends(&self, label: Label) -> u32 {
        self.places.lead(label).1
    }

    /// What follows belongs to this node (0 for none), for listings and profiles.
    #[inline]
    pub fn owner(&mut self, node: u16) {
        self.owner = node;
    }

    /// Whether what is emitted now can be reached.
    #[must_use]
    #[inline]
    pub fn reachable(&self) -> bool {
        // Both are as good as random, what they come to is nearly always true: one branch, not two.
        self.falls | !self.here.is_empty()
    }

    /// The label is here. Each label is bound once, after all ways that lead to it.
    #[inline(always)]
    pub fn bind(&mut self, label: Label) {
        if let Some(jump) = self.jump {
            self.land(jump, label);
        }
        if self.places.arrive(label, self.code.words.len()) {
            self.here.push(label);
        }
    }

    /// An instruction that goes on at the next word.
    pub fn next(&mut self, word: Word) {
        if self.reachable() {
            self.push(word);
        }
    }

    /// An instruction that goes on at the next word or at the label.
    #[inline]
    pub fn branch(&mut self, word: Word, taken: Label) {
        if self.reachable() {
            self.leave(word, taken);
        }
    }

    /// An instruction that does something and goes on at the label.
    #[inline]
    pub fn effect(&mut self, word: Word, to: Label) {
        if self.reachable() {
            self.leave(word, to);
            self.falls = false;
        }
    }

    /// An instruction that does something and goes on here.
    pub fn then(&mut self, word: Word) {
        let next = self.label();
        self.effect(word, next);
        self.bind(next);
    }

    /// A `switch` on a slot, if it can be reached. Its cases are added later, each before its label is bound.
    pub fn switch(&mut self, slot: u8) -> Option<Cases> {
        let cases = Cases((self.code.tables.len() + self.switches.len()) as u32);
        self.reachable().then(|| {
            self.switches.push(self.code.words.len() as u32);
            self.push(Word::new(Op::Switch).with_x(slot).with_a(cases.0 as u16));
            cases
        })
    }

    /// Adds a case to a `switch`: for the nodes from `low` to `high` control goes on at the label. Nodes ascend.
    pub fn case(&mut self, cases: Cases, low: u16, high: u16, label: Label) {
        self.places.need(label);
        self.open.push((cases, CaseRow { low, high, target: 0, reserved: 0 }, label));
    }

    /// Adds a case to a `switch`: for the nodes from `low` to `high` control goes on here.
    #[inline]
    pub fn case_here(&mut self, cases: Cases, low: u16, high: u16) {
        if let Some(jump) = self.jump {
            self.flush(jump);
        }
        let label = self.places.label(Place::At(self.code.words.len() as u32));
        self.here.push(label);
        self.open.push((cases, CaseRow { low, high, target: 0, reserved: 0 }, label));
    }

    /// Begins a loop that can begin again so often in a tick.
    pub fn head(&mut self, register: u8, times: u16) -> Head {
        self.next(Word::new(Op::Loop).with_x(register).with_b(times));
        Head { word: (self.code.words.len() as u32).saturating_sub(1), register }
    }

    /// Begins the loop again that this stands in, or goes on at the label if it has begun again often enough. A loop that is
    /// too long for a distance back shows when the block is finished.
    pub fn again(&mut self, head: Head, spent: Label) {
        let back = self.code.words.len() as u32 - head.word;
        self.farthest_back = self.farthest_back.max(back);
        let word = Word::new(Op::Again).with_x(head.register).with_b(back as u16);
        self.effect(word, spent);
    }

    /// Goes on at the label.
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

    /// An instruction with four exits.
    #[inline]
    pub fn exits(&mut self, word: Word, exits: Exits) {
        if self.reachable() {
            let words = [word, Word::new(Op::Exits).with_a(1).with_b(1).with_t(1)];
            let out = |status| Out::exit(0, status, exits.at(status));
            self.run(words, [out(0), out(1), out(2), out(3)]);
        }
    }

    /// Instructions that lead to each other by distances and elsewhere by ways. Control comes to the first and does not go on
    /// behind the last.
    #[inline(always)]
    pub fn run<const WORDS: usize, const WAYS: usize>(&mut self, words: [Word; WORDS], ways: [Out; WAYS]) {
        let (first, known) = (self.code.words.len(), self.ways.len());
        // Room for all at once, filled in one by one: pushing would look for room each time.
        self.ways.extend_from_slice(&[Way { field: 0, to: Label(0) }; WAYS]);
        for (way, out) in self.ways[known..].iter_mut().zip(ways) {
            *way = Way { field: out.field(first), to: self.places.way(&mut self.code.edges, first, out) };
        }
        self.code.words.extend_from_slice(&words);
        if self.owned {
            self.code.owners.extend([self.owner; WORDS]);
        }
        self.here.clear();
        self.falls = false;
    }

    /// Binds two labels, the first here and the second behind the next word, if both are needed and nothing else leads to
    /// either place. Tells whether it did.
    #[inline(always)]
    pub fn bind_pair(&mut self, labels: Labels) -> bool {
        let apart = !self.reachable() & self.jump.is_none();
        apart && self.places.arrive_pair(labels, self.code.words.len())
    }

    /// Ends the block with a status.
    pub fn end(&mut self, status: u8) {
        if self.reachable() {
            self.push(Word::new(Op::Return).with_x(status));
            self.falls = false;
        }
    }

    /// Ends the whole tick: a loop is spent.
    pub fn fault(&mut self) {
        if self.reachable() {
            self.push(Word::new(Op::Fault));
            self.falls = false;
        }
    }

    /// Ends the current block and begins the next.
    ///
    /// # Errors
    /// If a target is too far away.
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

    /// All blocks.
    #[must_use]
    pub fn finish(&mut self) -> Code {
        core::mem::take(&mut self.code)
    }

    fn push(&mut self, word: Word) {
        self.code.words.push(word);
        if self.owned {
            self.code.owners.push(self.owner);
        }
        self.here.clear();
        self.falls = true;
    }

    /// An instruction with a target.
    #[inline(always)]
    fn leave(&mut self, word: Word, to: Label) {
        let (first, out) = (self.code.words.len(), Out::target(0, to));
        let to = self.places.way(&mut self.code.edges, first, out);
        self.ways.push(Way { field: out.field(first), to });
        self.push(word);
    }

    /// A label is about to be bound behind a jump that was put off: one that leads there vanishes.
    #[cold]
    fn land(&mut self, jump: Label, label: Label) {
        if jump == label {
            self.jump = None;
            self.falls = true;
        } else if self.places.is_needed(label) {
            self.flush(jump);
        }
    }

    /// Emits a jump that was put off.
    #[cold]
    fn flush(&mut self, to: Label) {
        self.jump = None;
        self.leave(Word::new(Op::Jump), to);
        self.falls = false;
    }

    /// Puts the distances of the block where they belong.
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
