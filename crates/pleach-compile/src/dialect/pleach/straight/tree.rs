//! Trees: what stands in their blocks, and the copies of trees that others use.

use super::super::check::MOST_COPIED;
use super::super::check::ends::{self, Course};
use super::super::syntax::{Kind, Mode, Quota};
use super::super::value::Value;
use super::super::value::places::{self, MOST};
use super::super::words::Keyword;
use super::{Block, Body, Event, Frame, Place, Straight, Tree};
use crate::ast::{self, Arg, Role};

/// How many bytes of text copies may come to: far more than as many nodes as they may come to.
const MOST_BYTES: usize = 1 << 24;

impl Straight<'_, '_> {
    /// Emits what each event does.
    pub(super) fn events(&mut self) -> Option<()> {
        self.room.handlers.sort_by_key(|(event, _)| *event);
        let mut next = 0;
        for index in 0..self.room.events.len() {
            let Event { name, span } = self.room.events[index];
            let root = self.file.nodes.len() as u32;
            let keyword = self.sym(Keyword::Sequence);
            let (subject, args, condition, end) = (None, (0, 0), None, 0);
            self.file.nodes.push(ast::Node { keyword, subject, args, condition, end, span });
            while let Some((event, body)) = self.room.handlers.get(next).copied()
                && event as usize == index
            {
                self.sets(body)?;
                next += 1;
            }
            self.file.nodes[root as usize].end = self.file.nodes.len() as u32;
            let handler = self.file.trees.len() as u32;
            self.file.events.push(ast::Event { name, handler });
            self.file.trees.push(ast::Tree { name, role: Role::Handler, root, span });
        }
        Some(())
    }

    /// The `set`s of an event.
    fn sets(&mut self, body: Body) -> Option<()> {
        self.go((body.source, body.start));
        self.text.expect(b'{')?;
        while self.text.first()? != b'}' {
            let (Keyword::Set, place) = self.take_keyword()? else { return None };
            self.set(place)?;
        }
        (self.text.position() + 1 == body.end).then_some(())
    }

    /// Emits the trees that can be started, with those that they use, and looks at all others.
    pub(super) fn trees(&mut self) -> Option<()> {
        for index in 0..self.room.trees.len() {
            let tree = self.room.trees[index];
            if tree.params.1 == 0 && tree.body.source == self.entry {
                self.start(index as u32, &tree)?;
            }
        }
        self.trial = true;
        for index in 0..self.room.trees.len() {
            if !self.room.trees[index].read {
                self.look_at(index as u32)?;
            }
        }
        (!self.file.entries.is_empty()).then_some(())
    }

    /// Emits a tree that can be started.
    fn start(&mut self, index: u32, tree: &Tree) -> Option<()> {
        let root = self.file.nodes.len() as u32;
        self.tree(index)?;
        self.file.entries.push(self.file.trees.len() as u32);
        self.file.trees.push(ast::Tree { name: tree.name, role: Role::Main, root, span: tree.span });
        Some(())
    }

    /// Reads a tree that nothing has used; its parameters may be anything.
    fn look_at(&mut self, index: u32) -> Option<()> {
        let ast::File { nodes, exprs, args, .. } = &*self.file;
        let (nodes, exprs, args) = (nodes.len(), exprs.len(), args.len());
        let (first, count) = self.room.trees[index as usize].params;
        let params = &self.room.params[first as usize..(first + count) as usize];
        self.room.bindings.extend(params.iter().map(|param| Value::Open(param.ty)));
        self.tree(index)?;
        self.file.nodes.truncate(nodes);
        self.file.exprs.truncate(exprs);
        self.file.args.truncate(args);
        Some(())
    }

    /// Reads a tree that is not within another, whose parameters stand for all bindings.
    fn tree(&mut self, index: u32) -> Option<()> {
        let here = self.here();
        self.begin(index, 0, here)?;
        while !self.room.blocks.is_empty() {
            if self.text.first()? == b'}' { self.close()? } else { self.child()? }
        }
        Some(())
    }

    /// Goes into the block of a tree, whose parameters stand for the bindings from some position on.
    fn begin(&mut self, index: u32, bindings: u32, back: Place) -> Option<()> {
        let tree = &mut self.room.trees[index as usize];
        // Within itself, it would have no end.
        if core::mem::replace(&mut tree.open, true) {
            return None;
        }
        tree.read = true;
        let (params, body) = (tree.params, tree.body);
        self.frame = Frame { tree: index, params, bindings, back };
        self.go((body.source, body.start));
        self.open(0, 1, Course::new(Kind::Use, Mode::Plain, false))
    }

    /// The end of a block.
    #[inline]
    pub(super) fn close(&mut self) -> Option<()> {
        let block = self.room.blocks.pop()?;
        if block.children == 0 {
            return None;
        }
        match block.course.kind {
            Kind::Use => self.finish()?,
            kind => {
                self.file.nodes[block.node as usize].end = self.file.nodes.len() as u32;
                match kind {
                    Kind::Parallel => self.close_parallel(&block)?,
                    Kind::Random => self.close_random(&block)?,
                    _ => {}
                }
                self.text.pass(1);
            }
        }
        if let Some(outer) = self.room.blocks.last_mut() {
            outer.course.child(block.course.ends(true));
        }
        Some(())
    }

    /// The end of a tree: it must be where it seemed to be, or all that was taken for what follows it was not.
    fn finish(&mut self) -> Option<()> {
        let Frame { tree, bindings, back, .. } = self.frame;
        let tree = &mut self.room.trees[tree as usize];
        if self.text.position() + 1 != tree.body.end {
            return None;
        }
        tree.open = false;
        self.room.bindings.truncate(bindings as usize);
        if let Some(frame) = self.room.frames.pop() {
            self.frame = frame;
            self.go(back);
        }
        Some(())
    }

    /// `use`: the tree in this place.
    pub(super) fn use_tree(&mut self) -> Option<()> {
        let token = self.word()?;
        self.pass(token);
        let index = self.room.names.get(token.word).tree?;
        let first = self.room.bindings.len();
        self.bind(index)?;
        let Tree { read, body, .. } = self.room.trees[index as usize];
        if self.trial {
            self.room.bindings.truncate(first);
            self.end_with(ends::EITHER);
            // Unless it has been read, it might use the one that is read.
            return read.then_some(());
        }
        self.copied_bytes += body.end - body.start;
        if self.copied_bytes > MOST_BYTES {
            return None;
        }
        self.room.frames.push(self.frame);
        let here = self.here();
        self.begin(index, first as u32, here)
    }

    /// Lets the parameters of a tree stand for the arguments that follow.
    fn bind(&mut self, tree: u32) -> Option<()> {
        let (first, wanted) = self.room.trees[tree as usize].params;
        let mut count = 0;
        if self.text.take(b'(') && !self.text.take(b')') {
            loop {
                let value = self.expression()?;
                if count == wanted {
                    return None;
                }
                let ty = self.room.params[(first + count) as usize].ty;
                let value = places::argument(value, ty)?;
                if matches!(value, Value::Computed(..)) {
                    return None;
                }
                self.room.bindings.push(value);
                count += 1;
                if !self.text.take(b',') {
                    break;
                }
            }
            self.text.expect(b')')?;
        }
        (count == wanted).then_some(())
    }

    /// Counts a node that a copy brings.
    #[inline]
    pub(super) fn count_copy(&mut self) -> Option<()> {
        self.copied += u32::from(!self.room.frames.is_empty());
        (self.copied <= MOST_COPIED).then_some(())
    }

    /// The numbers of branches that a parallel waits for.
    fn close_parallel(&mut self, block: &Block) -> Option<()> {
        let Mode::Policy(succeed, fail) = block.course.mode else { return None };
        let branches = i32::try_from(block.children).ok()?;
        let first = self.file.nodes[block.node as usize].args.0 as usize;
        for (quota, arg) in [succeed, fail].into_iter().zip(&mut self.file.args[first..]) {
            match arg.value {
                _ if quota == Quota::All => arg.value = ast::Value::Int(branches),
                ast::Value::Int(count) if quota == Quota::Count && count > branches => return None,
                _ => {}
            }
        }
        Some(())
    }

    /// The weights of a `random`, one for each child.
    fn close_random(&mut self, block: &Block) -> Option<()> {
        let weights = &self.room.weights[block.weights as usize..];
        let sum: i64 = weights.iter().map(|weight| i64::from(*weight)).sum();
        if sum == 0 && !self.trial || sum > i64::from(MOST) {
            return None;
        }
        let node = &mut self.file.nodes[block.node as usize];
        node.args = (self.file.args.len() as u32, weights.len() as u32);
        let arg = |weight: &i32| Arg { name: None, value: ast::Value::Int(*weight), span: node.span };
        self.file.args.extend(weights.iter().map(arg));
        self.room.weights.truncate(block.weights as usize);
        Some(())
    }
}
