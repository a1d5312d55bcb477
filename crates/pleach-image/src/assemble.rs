//! Putting code together: labels, jumps that vanish, code that nobody can reach.
//!
//! A compiler walks a tree and says "on failure go on at this label". The assembler turns labels into distances, and
//! because all jumps lead forward it knows, when a label is bound, every way that leads there. So it
//!
//! * drops what cannot be reached while it is being emitted,
//! * drops a jump to what follows,
//! * sends ways that lead to a jump straight on to where that jump leads.
//!
//! What a compiler emits without a thought about these comes out as code the verifier accepts.
//!
//! ```
//! use pleach_image::assemble::{Assembler, Exit};
//! use pleach_image::isa::{self, Op, Word};
//! let mut code = Assembler::default();
//! let fail = code.label();
//! code.branch(Word::new(Op::Cond).with_a(0), Exit::to(fail));
//! code.end(isa::SUCCESS);
//! code.bind(fail);
//! code.end(isa::FAILURE);
//! let block = code.finish_block().unwrap();
//! assert_eq!(block.count, 3);
//! ```

use crate::format::{BlockRow, DebugEdge};
use crate::isa::{Flow, Op, Word};

/// A place in the block that is being assembled.
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

/// A way out of an instruction: where it leads, and what ends on the way.
#[derive(Clone, Copy, Debug)]
pub struct Exit {
    /// Where it leads.
    pub label: Label,
    /// Row of the debug ends plus one; 0 if nothing ends.
    pub ends: u32,
}

impl Exit {
    /// A way on which nothing ends.
    #[must_use]
    pub const fn to(label: Label) -> Self {
        Self { label, ends: 0 }
    }
}

/// The block is too large: a target is more than 65,535 words away, or there are more labels than that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooFar;

#[derive(Clone, Copy, Debug)]
enum Place {
    Unbound { used: bool },
    Alias(Label),
    At(u32),
}

/// Code under construction, block by block. Until a block is finished, targets are numbers of labels.
#[derive(Debug)]
pub struct Assembler {
    words: Vec<Word>,
    owners: Vec<u16>,
    edges: Vec<DebugEdge>,
    labels: Vec<Place>,
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
}

impl Default for Assembler {
    fn default() -> Self {
        Self::for_nodes(0, true)
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
}

impl Assembler {
    /// An assembler with room for the code of this many nodes; `owned` if it shall write down the node of each word.
    #[must_use]
    pub fn for_nodes(nodes: usize, owned: bool) -> Self {
        Self {
            words: Vec::with_capacity(nodes * 5),
            owners: Vec::with_capacity(if owned { nodes * 5 } else { 0 }),
            edges: Vec::with_capacity(if owned { nodes * 4 } else { 0 }),
            labels: Vec::new(),
            first: 0,
            owner: 0,
            owned,
            falls: true,
            here: Vec::new(),
            jump: None,
        }
    }

    /// A new label of the current block.
    pub fn label(&mut self) -> Label {
        self.labels.push(Place::Unbound { used: false });
        Label(self.labels.len() as u32 - 1)
    }

    /// `count` new labels of the current block.
    pub fn labels(&mut self, count: usize) -> Labels {
        let first = self.labels.len() as u32;
        self.labels.resize(self.labels.len() + count, Place::Unbound { used: false });
        Labels(first)
    }

    /// What follows belongs to this node (0 for none), for listings and profiles.
    pub fn owner(&mut self, node: u16) {
        self.owner = node;
    }

    /// Whether what is emitted now can be reached.
    #[must_use]
    pub fn reachable(&self) -> bool {
        self.falls || !self.here.is_empty()
    }

    /// The label is here. Each label is bound once, after all ways that lead to it.
    pub fn bind(&mut self, label: Label) {
        if self.jump == Some(label) {
            self.jump = None;
            self.falls = true;
        }
        if !self.used(label) {
            return;
        }
        self.flush();
        self.labels[label.0 as usize] = Place::At(self.words.len() as u32);
        self.here.push(label);
    }

    /// An instruction that goes on at the next word.
    pub fn next(&mut self, word: Word) {
        if self.reachable() {
            self.push(word);
        }
    }

    /// An instruction that goes on at the next word or by the exit.
    pub fn branch(&mut self, word: Word, taken: Exit) {
        if self.reachable() {
            self.edge(1, taken.ends);
            let to = self.lead(taken.label);
            self.push(word.with_t(to));
        }
    }

    /// An instruction that does something and goes on by the exit.
    pub fn effect(&mut self, word: Word, exit: Exit) {
        if self.reachable() {
            self.branch(word, exit);
            self.falls = false;
        }
    }

    /// Goes on by the exit.
    pub fn jump(&mut self, exit: Exit) {
        if !self.reachable() {
            return;
        }
        if exit.ends != 0 {
            self.effect(Word::new(Op::Jump), exit);
        } else {
            while let Some(label) = self.here.pop() {
                self.labels[label.0 as usize] = Place::Alias(exit.label);
                self.mark(exit.label);
            }
            self.jump = self.falls.then(|| self.resolve(exit.label));
        }
        self.falls = false;
    }

    /// An instruction with four exits, by status.
    pub fn exits(&mut self, word: Word, exits: [Exit; 4]) {
        if !self.reachable() {
            return;
        }
        for (index, exit) in exits.iter().enumerate() {
            self.edge(index as u32, exit.ends);
        }
        let [failure, success, running, other] = exits.map(|exit| self.lead(exit.label));
        self.push(word.with_t(failure));
        self.push(Word::new(Op::Exits).with_a(success).with_b(running).with_t(other));
        self.falls = false;
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
        self.flush();
        if self.labels.len() > usize::from(u16::MAX) {
            return Err(TooFar);
        }
        self.settle()?;
        self.labels.clear();
        self.here.clear();
        self.falls = true;
        let row = BlockRow { first: self.first, count: self.words.len() as u32 - self.first };
        self.first = self.words.len() as u32;
        Ok(row)
    }

    /// All blocks.
    #[must_use]
    pub fn finish(self) -> Code {
        Code { words: self.words, owners: self.owners, edges: self.edges }
    }

    fn push(&mut self, word: Word) {
        self.words.push(word);
        if self.owned {
            self.owners.push(self.owner);
        }
        self.here.clear();
        self.falls = true;
    }

    fn edge(&mut self, exit: u32, ends: u32) {
        if ends != 0 {
            self.edges.push(DebugEdge { way: DebugEdge::way(self.words.len(), exit), ends });
        }
    }

    /// A way leads to this label.
    fn lead(&mut self, label: Label) -> u16 {
        match &mut self.labels[label.0 as usize] {
            Place::Unbound { used } => *used = true,
            _ => self.mark(label),
        }
        label.0 as u16
    }

    fn flush(&mut self) {
        if let Some(label) = self.jump.take() {
            let to = self.lead(label);
            self.push(Word::new(Op::Jump).with_t(to));
            self.falls = false;
        }
    }

    fn mark(&mut self, label: Label) {
        let label = self.resolve(label);
        if let Place::Unbound { used } = &mut self.labels[label.0 as usize] {
            *used = true;
        }
    }

    fn used(&self, label: Label) -> bool {
        matches!(self.labels[label.0 as usize], Place::Unbound { used: true })
    }

    /// The label at the end of a chain of aliases, which becomes short.
    fn resolve(&mut self, label: Label) -> Label {
        let mut last = label;
        while let Place::Alias(to) = self.labels[last.0 as usize] {
            last = to;
        }
        let mut step = label;
        while let Place::Alias(to) = self.labels[step.0 as usize] {
            self.labels[step.0 as usize] = Place::Alias(last);
            step = to;
        }
        last
    }

    /// Turns the labels of the block into distances.
    fn settle(&mut self) -> Result<(), TooFar> {
        let mut at = self.first as usize;
        while at < self.words.len() {
            let word = self.words[at];
            let flow = word.op().map_or(Flow::Data, Op::flow);
            if matches!(flow, Flow::Branch | Flow::Jump | Flow::Exits) {
                self.words[at].t = self.distance(at, word.t)?;
            }
            if flow == Flow::Exits {
                let Word { a, b, t, .. } = self.words[at + 1];
                let (a, b, t) = (self.distance(at, a)?, self.distance(at, b)?, self.distance(at, t)?);
                self.words[at + 1] = Word::new(Op::Exits).with_a(a).with_b(b).with_t(t);
                at += 1;
            }
            at += 1;
        }
        Ok(())
    }

    fn distance(&mut self, from: usize, label: u16) -> Result<u16, TooFar> {
        let mut place = self.labels[usize::from(label)];
        if matches!(place, Place::Alias(_)) {
            let last = self.resolve(Label(label.into()));
            place = self.labels[last.0 as usize];
        }
        let Place::At(to) = place else {
            unreachable!("a label that is used was not bound before the end of its block");
        };
        u16::try_from(to as usize - from).map_err(|_| TooFar)
    }
}

#[cfg(test)]
mod tests {
    use super::{Assembler, Exit};
    use crate::isa::{FAILURE, Op, SUCCESS, Word};

    fn mnemonics(code: Assembler) -> Vec<&'static str> {
        code.finish().words.iter().map(|word| word.op().map_or("?", Op::mnemonic)).collect()
    }

    #[test]
    fn a_jump_to_what_follows_vanishes() {
        let mut code = Assembler::default();
        let next = code.label();
        code.jump(Exit::to(next));
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
        code.branch(Word::new(Op::JumpFlag), Exit::to(hop));
        code.end(SUCCESS);
        code.bind(hop);
        code.jump(Exit::to(last));
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
        code.jump(Exit { label: next, ends: 5 });
        code.bind(next);
        code.end(SUCCESS);
        code.finish_block().unwrap();
        assert_eq!(mnemonics(code), ["jump", "return"]);
    }

    #[test]
    fn a_target_too_far_away_is_refused() {
        let mut code = Assembler::default();
        let far = code.label();
        code.branch(Word::new(Op::JumpFlag), Exit::to(far));
        for _ in 0..u16::MAX {
            code.next(Word::new(Op::Arm));
        }
        code.bind(far);
        code.end(SUCCESS);
        assert_eq!(code.finish_block(), Err(super::TooFar));
    }
}
