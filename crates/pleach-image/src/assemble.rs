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

use crate::format::{BlockRow, CaseRow, DebugEdge, TableRow};
use crate::isa::{Op, Word};

/// A place in the block that is being assembled, or a way to it on which nodes end ([`Assembler::through`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(u32);

/// Labels that were made together.
#[derive(Clone, Copy, Debug)]
pub struct Labels(u32);

impl Labels {
    /// One of them, from 0.
    #[must_use]
    pub fn at(self, index: usize) -> Label {
        Label(self.0 + index as u32)
    }
}

/// The cases of a `switch`, while they are collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cases(u32);

/// By status, where to go on. All four labels are one number, since every node has such exits.
#[derive(Clone, Copy, Debug)]
pub struct Exits(u128);

/// The bits of one label.
const ONE: u128 = u32::MAX as u128;
/// The lowest bit of each label.
const EACH: u128 = 0x0000_0001_0000_0001_0000_0001_0000_0001;

/// Some of the four statuses.
#[derive(Clone, Copy, Debug)]
pub struct Statuses(u128);

impl Exits {
    /// These labels.
    #[must_use]
    pub fn new(labels: [Label; 4]) -> Self {
        Self(labels.iter().rev().fold(0, |exits, label| exits << 32 | u128::from(label.0)))
    }

    /// Where to go on with this status.
    #[must_use]
    pub fn at(self, status: usize) -> Label {
        Label((self.0 >> (32 * status)) as u32)
    }

    /// With another label for this status.
    #[must_use]
    pub fn with(self, status: usize, label: Label) -> Self {
        self.with_all(Statuses(ONE << (32 * status)), label)
    }

    /// With another label for these statuses.
    #[must_use]
    pub fn with_all(self, statuses: Statuses, label: Label) -> Self {
        let everywhere = u128::from(label.0) * EACH;
        Self(self.0 & !statuses.0 | everywhere & statuses.0)
    }
}

impl Statuses {
    /// Those that fit.
    #[must_use]
    pub fn that(fit: impl Fn(usize) -> bool) -> Self {
        Self((0..4).map(|status| (u128::from(fit(status)) * ONE) << (32 * status)).sum())
    }
}

/// A loop under construction, see [`Assembler::head`].
#[derive(Clone, Copy, Debug)]
pub struct Head {
    word: u32,
    register: u8,
}

/// The block is too large: a target is more than 65,535 words away, or there are more `switch`es than that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooFar;

/// What became of a label.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// Nothing leads there yet.
    Unused,
    /// Something leads there.
    Used,
    /// It is at this word.
    At(u32),
    /// At its word stood a jump, so it is where that leads.
    Alias(Label),
    /// It is another, on the way to which nodes end: index in the list of these.
    Through(u32),
}

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
const FIELDS: usize = size_of::<Word>() / size_of::<u16>();
/// Where `t` stands, in fields from the instruction.
const TARGET: usize = 3;
/// Where the four exits stand: `t`, and `a`, `b`, `t` of the next word.
const EXITS: [usize; 4] = [TARGET, FIELDS + 1, FIELDS + 2, FIELDS + TARGET];

/// Code under construction, block by block.
#[derive(Debug)]
pub struct Assembler {
    code: Code,
    /// The ways of the current block.
    ways: Vec<Way>,
    labels: Vec<Place>,
    /// Where labels lead on the way to which nodes end, and the row of the debug ends plus one.
    through: Vec<(Label, u32)>,
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
            labels: Vec::new(),
            through: Vec::new(),
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
        let Self { mut ways, mut labels, mut through, mut switches, mut open, mut here, .. } =
            core::mem::take(self);
        room.clear();
        room.words.reserve(nodes * 5);
        if owned {
            room.owners.reserve(nodes * 5);
            room.edges.reserve(nodes * 4);
        }
        ways.clear();
        labels.clear();
        through.clear();
        switches.clear();
        open.clear();
        here.clear();
        *self = Self { code: room, ways, labels, through, switches, open, here, owned, ..Self::default() };
    }

    /// A new label of the current block.
    #[inline]
    pub fn label(&mut self) -> Label {
        self.push_label(Place::Unused)
    }

    /// `count` new labels of the current block.
    #[inline]
    pub fn labels(&mut self, count: usize) -> Labels {
        let first = self.labels.len() as u32;
        self.labels.extend(core::iter::repeat_n(Place::Unused, count));
        Labels(first)
    }

    /// The way to the label on which nodes end: row of the debug ends plus one.
    pub fn through(&mut self, label: Label, ends: u32) -> Label {
        let (to, _) = self.lead(label);
        self.through.push((to, ends));
        self.push_label(Place::Through(self.through.len() as u32 - 1))
    }

    /// What ends on the way to a label: row of the debug ends plus one; 0 if nothing ends.
    #[must_use]
    pub fn ends(&self, label: Label) -> u32 {
        self.lead(label).1
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
        let place = &mut self.labels[label.0 as usize];
        if matches!(place, Place::Used) {
            *place = Place::At(self.code.words.len() as u32);
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

    /// A `switch` on a slot. Its cases are added later, each before its label is bound.
    pub fn switch(&mut self, slot: u8) -> Cases {
        let cases = Cases((self.code.tables.len() + self.switches.len()) as u32);
        if self.reachable() {
            self.switches.push(self.code.words.len() as u32);
            self.push(Word::new(Op::Switch).with_x(slot).with_a(cases.0 as u16));
        }
        cases
    }

    /// Adds a case to a `switch`: for the nodes from `low` to `high` control goes on at the label. Nodes ascend.
    pub fn case(&mut self, cases: Cases, low: u16, high: u16, label: Label) {
        self.labels[label.0 as usize] = Place::Used;
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
                self.labels[label.0 as usize] = Place::Alias(to);
                self.labels[to.0 as usize] = Place::Used;
            }
            self.jump = self.falls.then_some(to);
        }
        self.falls = false;
    }

    /// An instruction with four exits.
    #[inline]
    pub fn exits(&mut self, word: Word, exits: Exits) {
        if self.reachable() {
            let failure = self.way(0, EXITS[0], exits.at(0));
            let success = self.way(1, EXITS[1], exits.at(1));
            let running = self.way(2, EXITS[2], exits.at(2));
            let other = self.way(3, EXITS[3], exits.at(3));
            self.ways.extend([failure, success, running, other]);
            self.push(word);
            self.push(Word::new(Op::Exits).with_a(1).with_b(1).with_t(1));
            self.falls = false;
        }
    }

    /// An instruction with four exits, of which those on success and running lead to words near ahead: distances from the
    /// instruction. There [`Assembler::arrive`] is called.
    #[inline]
    pub fn exits_near(&mut self, word: Word, exits: Exits, success: u16, running: u16) {
        if self.reachable() {
            let failure = self.way(0, EXITS[0], exits.at(0));
            let other = self.way(3, EXITS[3], exits.at(3));
            self.ways.extend([failure, other]);
            self.push(word);
            self.push(Word::new(Op::Exits).with_a(success).with_b(running).with_t(1));
            self.falls = false;
        }
    }

    /// An instruction that goes on at the next word or at one near ahead: a distance. There [`Assembler::arrive`] is called.
    #[inline]
    pub fn branch_near(&mut self, word: Word, taken: u16) {
        if self.reachable() {
            self.push(word.with_t(taken));
        }
    }

    /// An instruction that could be reached leads here by a distance, and the next instruction is one that is not put off.
    #[inline]
    pub fn arrive(&mut self) {
        self.falls = true;
    }

    /// Ends the whole tick: a loop is spent.
    pub fn fault(&mut self) {
        if self.reachable() {
            self.push(Word::new(Op::Fault));
            self.falls = false;
        }
    }

    /// Ends the block with a status.
    pub fn end(&mut self, status: u8) {
        if self.reachable() {
            self.push(Word::new(Op::Return).with_x(status));
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
        self.labels.clear();
        self.through.clear();
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

    fn push_label(&mut self, place: Place) -> Label {
        self.labels.push(place);
        Label(self.labels.len() as u32 - 1)
    }

    /// Where a label leads, and what ends on the way.
    fn lead(&self, label: Label) -> (Label, u32) {
        match self.labels[label.0 as usize] {
            Place::Through(index) => self.through[index as usize],
            _ => (label, 0),
        }
    }

    /// The way by an exit, from a field counted from the next word, to a label.
    #[inline(always)]
    fn way(&mut self, exit: usize, field: usize, label: Label) -> Way {
        let to = match self.labels[label.0 as usize] {
            Place::Through(index) => self.edge(exit, index),
            _ => label,
        };
        self.labels[to.0 as usize] = Place::Used;
        Way { field: (self.code.words.len() * FIELDS + field) as u32, to }
    }

    /// Writes down what ends on an exit of the next word, and gives where it leads.
    #[cold]
    fn edge(&mut self, exit: usize, through: u32) -> Label {
        let (to, ends) = self.through[through as usize];
        self.code.edges.push(DebugEdge { way: DebugEdge::way(self.code.words.len(), exit as u32), ends });
        to
    }

    /// An instruction with a target.
    #[inline(always)]
    fn leave(&mut self, word: Word, to: Label) {
        let way = self.way(1, TARGET, to);
        self.ways.push(way);
        self.push(word);
    }

    /// A label is about to be bound behind a jump that was put off: one that leads there vanishes.
    #[cold]
    fn land(&mut self, jump: Label, label: Label) {
        if jump == label {
            self.jump = None;
            self.falls = true;
        } else if matches!(self.labels[label.0 as usize], Place::Used) {
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
        for Way { field, to } in self.ways.drain(..) {
            let place = match self.labels[to.0 as usize] {
                Place::At(place) => place,
                _ => resolve(&mut self.labels, to),
            };
            let (word, distance) = (field / FIELDS as u32, &mut fields[field as usize]);
            let to = place - word + u32::from(*distance);
            farthest = farthest.max(to);
            *distance = to as u16;
        }
        if farthest > u32::from(u16::MAX) { Err(TooFar) } else { Ok(()) }
    }

    /// Puts the cases of the block into the order of tables, with their distances.
    fn settle_cases(&mut self) -> Result<(), TooFar> {
        if self.code.tables.len() + self.switches.len() > usize::from(u16::MAX) {
            return Err(TooFar);
        }
        self.open.sort_by_key(|(cases, ..)| cases.0);
        let mut rest = self.open.drain(..).peekable();
        for at in self.switches.drain(..) {
            let (table, first) = (self.code.tables.len() as u32, self.code.cases.len() as u32);
            while let Some((_, case, label)) = rest.next_if(|(cases, ..)| cases.0 == table) {
                let distance = resolve(&mut self.labels, label) - at;
                self.code
                    .cases
                    .push(CaseRow { target: u16::try_from(distance).map_err(|_| TooFar)?, ..case });
            }
            self.code.tables.push(TableRow { first, count: self.code.cases.len() as u32 - first });
        }
        Ok(())
    }
}

/// The word at the end of a chain of aliases, which becomes short.
fn resolve(labels: &mut [Place], label: Label) -> u32 {
    let mut last = label;
    while let Place::Alias(to) = labels[last.0 as usize] {
        last = to;
    }
    let Place::At(place) = labels[last.0 as usize] else {
        unreachable!("a label that is used was not bound before the end of its block");
    };
    let mut step = label;
    while let Place::Alias(to) = labels[step.0 as usize] {
        labels[step.0 as usize] = Place::At(place);
        step = to;
    }
    place
}

#[cfg(test)]
mod tests {
    use super::Assembler;
    use crate::isa::{FAILURE, Op, SUCCESS, Word};

    fn mnemonics(mut code: Assembler) -> Vec<&'static str> {
        code.finish().words.iter().map(|word| word.op().map_or("?", Op::mnemonic)).collect()
    }

    #[test]
    fn a_jump_to_what_follows_vanishes() {
        let mut code = Assembler::default();
        let next = code.label();
        code.jump(next);
        code.bind(next);
        code.end(SUCCESS);
        code.finish_block().unwrap();
        assert_eq!(mnemonics(code), ["return"]);
    }

    #[test]
    fn what_cannot_be_reached_is_dropped() {
        let mut code = Assembler::default();
        let unused = code.label();
        code.end(SUCCESS);
        code.bind(unused);
        code.next(Word::new(Op::Arm));
        code.end(FAILURE);
        code.finish_block().unwrap();
        assert_eq!(mnemonics(code), ["return"]);
    }

    #[test]
    fn a_way_to_a_jump_leads_where_the_jump_leads() {
        let mut code = Assembler::default();
        let (hop, last) = (code.label(), code.label());
        code.branch(Word::new(Op::JumpFlag), hop);
        code.end(SUCCESS);
        code.bind(hop);
        code.jump(last);
        code.bind(last);
        code.end(FAILURE);
        code.finish_block().unwrap();
        let words = code.finish().words;
        assert_eq!((words.len(), words[0].t), (3, 2));
    }

    #[test]
    fn a_jump_on_which_something_ends_stays() {
        let mut code = Assembler::default();
        let next = code.label();
        let through = code.through(next, 5);
        code.jump(through);
        code.bind(next);
        code.end(SUCCESS);
        code.finish_block().unwrap();
        assert_eq!(mnemonics(code), ["jump", "return"]);
    }

    #[test]
    fn a_loop_leads_back_to_its_head() {
        let mut code = Assembler::default();
        let spent = code.label();
        let head = code.head(2, 5);
        code.next(Word::new(Op::Arm));
        code.again(head, spent);
        code.bind(spent);
        code.end(SUCCESS);
        code.finish_block().unwrap();
        let words = code.finish().words;
        assert_eq!(
            (words[0].x, words[0].b, words[2]),
            (2, 5, Word::new(Op::Again).with_x(2).with_b(2).with_t(1))
        );
    }

    #[test]
    fn a_target_too_far_away_is_refused() {
        let mut code = Assembler::default();
        let far = code.label();
        code.branch(Word::new(Op::JumpFlag), far);
        for _ in 0..u16::MAX {
            code.next(Word::new(Op::Arm));
        }
        code.bind(far);
        code.end(SUCCESS);
        assert_eq!(code.finish_block(), Err(super::TooFar));
    }
}
