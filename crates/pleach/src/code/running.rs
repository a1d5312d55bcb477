//! Running sets as numbers.
//!
//! Trees with a running set mark the leaf that runs and then the nodes around it, one
//! directly after the other. So when a program is linked, all possible contents of a set are
//! known: the paths that begin at the tree's leaves. Each path gets a number, see
//! [`RunningPaths`]. In a program with numbers
//!
//! * calls are replaced by the code that they call, because a path leads through them;
//! * a `mark` that empties the set, with all marks that follow it, stores the path's number;
//! * `wipeif` and `ifmember` test the number. Paths are ordered such that those through one node
//!   are consecutive.
//!
//! A tree whose set holds something else keeps its list: one that marks a node without having
//! emptied the set, or is of a program with loops. The plain program keeps all lists, for agents
//! that are watched, and for those whose set is no path because it came from elsewhere.
//! `spec/instructions.md` says why both come to the same.

use super::class::{Branch, Control, StepEffect};
use super::step::{Span, Step};
use super::steps::Code;
use crate::layout::Frame;
use crate::layout::paths::{RunningPaths, order};
use crate::values::Kind;
use alloc::{vec, vec::Vec};
use hashbrown::HashMap;

/// Returns the paths of a program, and the program with their numbers in place of lists. `entries`
/// are the blocks of its entries. `None` if no entry has paths.
pub(crate) fn numbered(plain: &Code, frame: &Frame, entries: &[u32]) -> Option<(Code, RunningPaths)> {
    let mut sets = frame.slots.iter().map(|slot| slot.column).filter(|column| column.kind == Kind::Set);
    let (set, None) = (sets.next()?, sets.next()) else { return None };
    if !plain.tables.is_empty() || !plain.heads.is_empty() {
        return None;
    }
    let room = usize::from(set.stride) - 1;
    let (mut paths, mut steps) = (Vec::new(), 0);
    let mut has_paths = vec![false; plain.blocks.len()];
    for block in entries {
        let (mut copies, block) = (Copies::new(plain), *block as usize);
        let found = copies.add(block, true).and_then(|()| found(&copies.steps(), room));
        has_paths[block] = found.is_some();
        paths.extend(found.unwrap_or_default());
        steps += copies.out.len();
        // A small image must not take much time.
        if steps > copies.most() {
            return None;
        }
    }
    without_paths(plain, entries, &mut has_paths);
    paths.sort_unstable_by(|first, second| order(first, second));
    paths.dedup();
    // A small image must not ask for much memory.
    let fits = paths.len() * usize::from(set.stride) <= 4 * plain.steps.len() + 4096;
    if paths.is_empty() || !fits {
        return None;
    }
    let mut copies = Copies::new(plain);
    for (block, inline) in has_paths.iter().enumerate() {
        copies.add(block, *inline)?;
    }
    let column = frame.sizes.halves as u32;
    let code = Numbering::new(&copies, column, room, &paths)?.code();
    let entries = entries.iter().map(|block| has_paths[*block as usize]).collect();
    Some((code, RunningPaths::new(column, (set.first, set.stride), entries, &paths)))
}

/// Lets blocks that are called by trees without paths have none, either: these keep their calls.
fn without_paths(plain: &Code, entries: &[u32], has_paths: &mut [bool]) {
    let (mut runs, mut end) = (vec![false; plain.blocks.len()], plain.steps.len());
    entries.iter().for_each(|block| runs[*block as usize] = true);
    // Blocks call only blocks before them.
    for (block, first) in plain.blocks.iter().enumerate().rev() {
        for step in &plain.steps[*first as usize..end] {
            if let Step::Control(Control::Call { block: called, .. }) = *step
                && runs[block]
                && !has_paths[block]
            {
                (runs[usize::from(called)], has_paths[usize::from(called)]) = (true, false);
            }
        }
        end = *first as usize;
    }
}

/// Steps within which a path ends.
const FARTHEST: usize = 1024;
/// Steps within which a `wipeif` is done together with others.
const TOGETHER: usize = 32;

/// A copy of a block.
struct Copy {
    /// First word of the block, and the first behind it.
    first: u32,
    end: u32,
    /// For each word so far, its step.
    at: Vec<u32>,
    /// The copy that calls it, if it stands there in place of the call, and
    /// the words where that goes on.
    caller: Option<(usize, [u32; 4])>,
}

/// Blocks one after the other. Calls stay, or are replaced by the code that they call.
struct Copies<'a> {
    plain: &'a Code,
    copies: Vec<Copy>,
    /// Steps, each with its copy; targets are words.
    out: Vec<(Step, usize)>,
    /// For each block, its first step, and true if calls are put in place.
    blocks: Vec<(u32, bool)>,
}

impl<'a> Copies<'a> {
    fn new(plain: &'a Code) -> Self {
        Self { plain, copies: Vec::new(), out: Vec::new(), blocks: Vec::new() }
    }

    /// Adds a block. `None` if calls cannot be put in place, or would make too much of too little.
    fn add(&mut self, block: usize, inline: bool) -> Option<()> {
        self.blocks.push((self.out.len() as u32, inline));
        let mut open = vec![self.copy(block, None)];
        while let Some(id) = open.last().copied() {
            let copy = &mut self.copies[id];
            let word = copy.first + copy.at.len() as u32;
            if word == copy.end {
                open.pop();
                continue;
            }
            copy.at.push(self.out.len() as u32);
            match self.plain.steps[word as usize] {
                Step::Control(Control::Call { block, exits }) if inline => {
                    let exits = self.plain.exits[exits as usize];
                    open.push(self.copy(block.into(), Some((id, exits))));
                }
                step => self.out.push((step, id)),
            }
            if self.out.len() > self.most() {
                return None;
            }
        }
        Some(())
    }

    /// Most steps that are made of a program.
    fn most(&self) -> usize {
        4 * self.plain.steps.len() + 1024
    }

    fn copy(&mut self, block: usize, caller: Option<(usize, [u32; 4])>) -> usize {
        let Code { blocks, steps, .. } = self.plain;
        let end = blocks.get(block + 1).map_or(steps.len() as u32, |end| *end);
        self.copies.push(Copy { first: blocks[block], end, at: Vec::new(), caller });
        self.copies.len() - 1
    }

    /// Returns the step of a word in a copy.
    fn place(&self, id: usize, word: u32) -> u32 {
        let Copy { first, at, .. } = &self.copies[id];
        at[(word - first) as usize]
    }

    /// Returns the steps and their exits, with steps as targets.
    fn steps(&self) -> (Vec<Step>, Vec<[u32; 4]>) {
        let mut rows = Vec::new();
        let step = |(step, id): &(Step, usize)| {
            let (mut step, id) = (*step, *id);
            match &mut step {
                Step::Return { exit } => {
                    if let Some((caller, exits)) = self.copies[id].caller {
                        return Step::Jump { target: self.place(caller, exits[usize::from(*exit & 3)]) };
                    }
                }
                Step::Ask { exits, .. } | Step::Control(Control::Call { exits, .. }) => {
                    rows.push(self.plain.exits[*exits as usize].map(|word| self.place(id, word)));
                    *exits = rows.len() as u32 - 1;
                }
                _ => {
                    if let Some(target) = step.target_mut() {
                        *target = self.place(id, *target);
                    }
                }
            }
            step
        };
        let steps = self.out.iter().map(step).collect();
        (steps, rows)
    }
}

/// Returns the path that a `mark` begins, and the step behind its last `mark`; `None` if that is
/// far. Marks into a full set do nothing.
fn path(steps: &[Step], at: usize, room: usize) -> Option<(Vec<u16>, u32)> {
    let (mut nodes, mut at, mut empties) = (Vec::new(), at as u32, true);
    for _ in 0..FARTHEST {
        match steps[at as usize] {
            Step::Jump { target } => at = target,
            Step::Effect { effect: StepEffect::Mark { wipe, node, .. }, target } if empties || !wipe => {
                if nodes.len() < room && !nodes.contains(&node) {
                    nodes.push(node);
                }
                (at, empties) = (target, false);
            }
            _ => return Some((nodes, at)),
        }
    }
    None
}

/// Returns all paths of an entry, which begins with the first step. `None` if its
/// sets can hold something else.
fn found((steps, exits): &(Vec<Step>, Vec<[u32; 4]>), room: usize) -> Option<Vec<Vec<u16>>> {
    let (mut paths, mut needed) = (Vec::new(), vec![false; steps.len()]);
    needed[0] = true;
    for at in 0..steps.len() {
        if !needed[at] {
            continue;
        }
        let mut step = steps[at];
        match step {
            Step::Effect { effect: StepEffect::Mark { wipe, .. }, .. } => {
                let (nodes, end) = wipe.then(|| path(steps, at, room))??;
                needed[end as usize] = true;
                paths.push(nodes);
                continue;
            }
            Step::Ask { exits: row, .. } => {
                exits[row as usize].iter().for_each(|exit| needed[*exit as usize] = true);
            }
            _ => {}
        }
        if step.falls() {
            needed[at + 1] = true;
        }
        if let Some(target) = step.target_mut() {
            needed[*target as usize] = true;
        }
    }
    Some(paths)
}

/// Numbers from the first to the second.
type Interval = (u16, u16);

/// Maker of the program with numbers.
struct Numbering<'a> {
    copies: &'a Copies<'a>,
    steps: Vec<Step>,
    exits: Vec<[u32; 4]>,
    column: u32,
    room: usize,
    paths: &'a [Vec<u16>],
    /// For each node, the paths through it.
    through: HashMap<u16, Vec<Interval>>,
    code: Vec<Step>,
    /// For each step so far, its place in the code.
    places: Vec<u32>,
    /// Steps of the code whose targets are places.
    placed: Vec<usize>,
}

impl<'a> Numbering<'a> {
    /// `None` if there are more paths than numbers.
    fn new(copies: &'a Copies<'a>, column: u32, room: usize, paths: &'a [Vec<u16>]) -> Option<Self> {
        let mut through = HashMap::<u16, Vec<Interval>>::new();
        for (index, path) in paths.iter().enumerate() {
            let number = u16::try_from(index + 1).ok().filter(|number| *number < u16::MAX)?;
            for node in path {
                let intervals = through.entry(*node).or_default();
                match intervals.last_mut() {
                    Some((_, last)) if *last + 1 == number => *last = number,
                    _ => intervals.push((number, number)),
                }
            }
        }
        let (steps, exits) = copies.steps();
        let (code, places, placed) = (Vec::new(), Vec::new(), Vec::new());
        Some(Self { copies, steps, exits, column, room, paths, through, code, places, placed })
    }

    fn code(mut self) -> Code {
        let mut blocks = self.copies.blocks.iter().copied().peekable();
        let mut inline = false;
        for at in 0..self.steps.len() {
            while let Some((_, in_place)) = blocks.next_if(|(first, _)| *first as usize == at) {
                inline = in_place;
            }
            self.places.push(self.code.len() as u32);
            if inline { self.step(at) } else { self.code.push(self.steps[at]) }
        }
        let place = |step: u32| self.places[step as usize];
        let mut placed = self.placed.iter().copied().peekable();
        for (at, step) in self.code.iter_mut().enumerate() {
            if placed.next_if_eq(&at).is_none()
                && let Some(target) = step.target_mut()
            {
                *target = place(*target);
            }
        }
        Code {
            exits: self.exits.iter().map(|exits| exits.map(place)).collect(),
            blocks: self.copies.blocks.iter().map(|(first, _)| place(*first)).collect(),
            steps: self.code,
            ..Code::default()
        }
    }

    /// Adds the steps that replace a step in a tree with paths.
    fn step(&mut self, at: usize) {
        let column = self.column;
        match self.steps[at] {
            Step::Effect { effect: StepEffect::Mark { wipe, .. }, target } => {
                let path = if wipe { path(&self.steps, at, self.room) } else { None };
                let (nodes, target) = path.unwrap_or((Vec::new(), target));
                // Other marks are parts of paths, which are not come to by themselves.
                self.code.push(match self.paths.binary_search_by(|path| order(path, &nodes)) {
                    Ok(index) => Step::PutHalf { column, value: index as u16 + 1, target },
                    Err(_) => Step::Jump { target },
                });
            }
            Step::Effect { effect: StepEffect::WipeIf { .. }, .. } => {
                let (intervals, target) = self.wiped(at);
                let clear = self.code.len() + intervals.len() + 1;
                for span in intervals.iter().copied().map(span) {
                    self.placed.push(self.code.len());
                    self.code.push(Step::Half { column, span, target: clear as u32 });
                }
                self.code.push(Step::Jump { target });
                if !intervals.is_empty() {
                    self.code.push(Step::PutHalf { column, value: 0, target });
                }
            }
            Step::Branch { branch: Branch::IfMember { node, .. }, target } => {
                let intervals = self.through.get(&node).map_or(&[][..], Vec::as_slice);
                let test = |interval: &Interval| Step::Half { column, span: span(*interval), target };
                self.code.extend(intervals.iter().map(test));
            }
            step => self.code.push(step),
        }
    }

    /// Returns the paths that a `wipeif` and those after it empty, and the step after the last one.
    fn wiped(&self, at: usize) -> (Vec<Interval>, u32) {
        let (mut paths, mut at) = (Vec::new(), at as u32);
        for _ in 0..TOGETHER {
            match self.steps[at as usize] {
                Step::Jump { target } => at = target,
                Step::Effect { effect: StepEffect::WipeIf { node, .. }, target } => {
                    paths.extend(self.through.get(&node).into_iter().flatten());
                    at = target;
                }
                _ => break,
            }
        }
        paths.sort_unstable();
        let mut intervals: Vec<Interval> = Vec::new();
        for (low, high) in paths {
            match intervals.last_mut() {
                Some((_, last)) if low <= last.saturating_add(1) => *last = high.max(*last),
                _ => intervals.push((low, high)),
            }
        }
        (intervals, at)
    }
}

fn span((low, high): Interval) -> Span {
    Span { low, span: high - low }
}
