//! Nodes of the IR to boxes.

use super::expression::{Argument, Expression, Site};
use super::node::{Action, Behavior, Composite, Cooldown, Guard, Included, Map, Node, Place, Whole, ended};
use super::reacting::{Chain, Emit, Machine, Note, Priority, Select, Selection, Start, Tell, Within, Wrap};
use super::resuming::{
    Again, Choose, Constant, Parallel, Perform, SetBit, SetNumber, Timeout, Until, Wait, While,
};
use crate::scripted::leaves::{self, Leaves};
use pleach::Function;
use pleach_compile::internals::ast::Value;
use pleach_compile::internals::ir::{
    self, Amount, By, Expr, ImportKind, Kind, Module, NodeIndex, Outcome, SlotKind,
};
use std::rc::Rc;

/// Maker of nodes.
pub(super) struct Builder<'m, const TRACE: bool> {
    module: &'m Module,
    leaves: &'m Leaves<TRACE>,
    /// Trees so far, by block.
    trees: Vec<Rc<Node<TRACE>>>,
}

type Made<T> = Result<T, String>;

impl<'m, const TRACE: bool> Builder<'m, TRACE> {
    pub(super) fn new(module: &'m Module, leaves: &'m Leaves<TRACE>) -> Self {
        Self { module, leaves, trees: Vec::new() }
    }

    /// Makes the nodes of all trees, by block. A block calls only earlier blocks.
    pub(super) fn trees(mut self) -> Made<Vec<Rc<Node<TRACE>>>> {
        for block in &self.module.blocks {
            let root = self.node(block.root)?;
            self.trees.push(Rc::new(root));
        }
        Ok(self.trees)
    }

    fn node(&self, index: NodeIndex) -> Made<Node<TRACE>> {
        let node = self.module.nodes[index as usize];
        Ok(Node {
            place: Place { index, end: node.end, resumes: self.module.resumes },
            identity: self.module.identity(index),
            memory: node.memory,
            behavior: self.behavior(index, node.kind)?,
        })
    }

    fn behavior(&self, index: NodeIndex, kind: Kind) -> Made<Box<dyn Behavior<TRACE>>> {
        let children = || self.children(index);
        Ok(match kind {
            Kind::Tree | Kind::Logged(_) => Box::new(Whole(children()?)),
            Kind::Call(block) => Box::new(Included(Rc::clone(&self.trees[block as usize]))),
            Kind::Composite(policy, start) => Box::new(Composite { policy, start, children: children()? }),
            Kind::Map(table) => Box::new(Map(self.module.maps[table as usize], children()?)),
            Kind::Guard(condition) => Box::new(Guard(self.expression(condition)?, children()?)),
            Kind::While(condition) => Box::new(While(self.expression(condition)?, children()?)),
            Kind::Until(condition) => Box::new(Until(self.expression(condition)?)),
            Kind::Constant(outcome) => Box::new(Constant(outcome)),
            Kind::Cooldown { slot, duration, rule } => {
                let (slot, duration) = (slot.into(), fixed(duration)?.into());
                Box::new(Cooldown { slot, duration, rule, children: children()? })
            }
            Kind::Timeout { slot, duration } => Box::new(Timeout {
                slot: slot.into(),
                duration: fixed(duration)?.into(),
                children: children()?,
            }),
            Kind::Wait { timer, length } => {
                let ticks = self.module.slots[usize::from(timer)].kind != SlotKind::Time;
                let length = fixed(length)?;
                Box::new(Wait { slot: timer.into(), length, ticks, children: children()? })
            }
            Kind::Again { again, times, spent, broken, eager } => {
                let [again, spent, broken] = [again, spent, broken].map(ended);
                let times = match times {
                    Some((slot, times)) => Some((slot.into(), (fixed(times)? as u16).into())),
                    None => None,
                };
                Box::new(Again { again, times, spent, broken, eager, children: children()? })
            }
            Kind::Parallel { columns, succeed, fail, early } => {
                let counts = [succeed, fail].map(usize::from);
                Box::new(Parallel { columns: columns.into(), counts, early, children: children()? })
            }
            Kind::Choose { by, reactive } => self.choose(by, reactive, children()?)?,
            Kind::Action { site, gate, exclusive } => {
                Box::new(Action { site: self.site(site)?, gate: gate.map(usize::from), exclusive })
            }
            Kind::Perform { site, outcome } => Box::new(Perform(self.site(site)?, ended(outcome))),
            other => return self.reacting(index, other),
        })
    }

    fn reacting(&self, index: NodeIndex, kind: Kind) -> Made<Box<dyn Behavior<TRACE>>> {
        let (module, changes) = (self.module, self.module.changes);
        let children = || self.children(index);
        Ok(match kind {
            Kind::Set(slot, value) if module.slots[usize::from(slot)].kind == SlotKind::Bit => {
                let slot = usize::from(slot);
                let changes = changes.filter(|_| module.slots[slot].name.is_some());
                Box::new(SetBit { slot, changes, value: self.expression(value)? })
            }
            Kind::Set(slot, value) => {
                let (slot, value) = (usize::from(slot), self.expression(value)?);
                Box::new(SetNumber { slot, kind: module.slots[slot].kind, value })
            }
            Kind::Priority(first) => {
                let children = children()?;
                Box::new(Priority { tests: self.tests(first, children.len())?, changes, children })
            }
            Kind::Machine(slot) => Box::new(Machine { slot: slot.into(), children: children()? }),
            Kind::Emit(block) => Box::new(Emit(Rc::clone(&self.trees[block as usize]))),
            Kind::Within(node) => {
                let (position, end) = (self.position(node), module.nodes[node as usize].end);
                Box::new(Within { position, node, end, children: children()? })
            }
            Kind::Start(slot, length) => Box::new(Start(slot.into(), self.expression(length)?)),
            Kind::Note(slot, on) => Box::new(Note(slot.into(), on)),
            Kind::Log(_) => Box::new(Constant(Outcome::Success)),
            Kind::Tell(site) => Box::new(Tell(self.site(site)?)),
            Kind::Wrap(site) => Box::new(Wrap(self.site(site)?, children()?)),
            Kind::Selection(condition) => {
                let condition = self.expression(condition)?;
                Box::new(Selection { condition, changes, children: children()? })
            }
            Kind::Select(site) => Box::new(Select(self.site(site)?)),
            Kind::Chain(chain) => {
                let ir::Chain { slot, ref states } = module.chains[chain as usize];
                let state =
                    |state: &Vec<ir::Transition>| state.iter().map(|it| self.transition(*it)).collect();
                let states = states.iter().map(state).collect::<Made<Vec<_>>>()?;
                if states.len() > 64 {
                    return Err("a chain of more than 64 states is not walked".to_owned());
                }
                Box::new(Chain { slot: slot.into(), states, children: children()? })
            }
            other => return Err(format!("{other:?} is not walked")),
        })
    }

    fn children(&self, index: NodeIndex) -> Made<Vec<Node<TRACE>>> {
        self.module.children(index).map(|child| self.node(child)).collect()
    }

    fn tests(&self, first: u32, count: usize) -> Made<Vec<Expression>> {
        let tests = &self.module.tests[first as usize..][..count];
        tests.iter().map(|test| self.expression(*test)).collect()
    }

    fn transition(&self, transition: ir::Transition) -> Made<(Expression, usize)> {
        Ok((self.expression(transition.condition)?, transition.to.into()))
    }

    /// Returns the slot of a node's position: that of the innermost branch around the node, or the
    /// tree's.
    fn position(&self, node: NodeIndex) -> usize {
        let mut position = usize::from(self.module.current.unwrap_or_default());
        for (index, around) in (0..node).zip(&self.module.nodes) {
            if let Kind::Parallel { columns, .. } = around.kind
                && node < around.end
            {
                let branches = self.module.children(index).take_while(|child| *child <= node);
                position = usize::from(columns) + branches.count() - 1;
            }
        }
        position
    }

    fn choose(&self, by: By, reactive: bool, children: Vec<Node<TRACE>>) -> Made<Box<dyn Behavior<TRACE>>> {
        let (first, count, by_score) = match by {
            By::First(first) => (first, children.len().saturating_sub(1), false),
            By::Highest(first) => (first, children.len(), true),
            By::Value(..) => return Err("a value that is computed for all cases is not walked".to_owned()),
            By::Keeping { .. } => return Err("a choice that keeps to its child is not walked".to_owned()),
        };
        Ok(Box::new(Choose { tests: self.tests(first, count)?, by_score, reactive, children }))
    }

    fn expression(&self, index: u32) -> Made<Expression> {
        let boxed = |operand| self.expression(operand).map(Box::new);
        Ok(match self.module.exprs[index as usize] {
            Expr::Number(number) => Expression::Number(number),
            Expr::Truth(is) => Expression::Number(f64::from(u8::from(is))),
            Expr::Query(site) => Expression::Query(self.site(site)?),
            Expr::Slot(slot) if self.module.slots[usize::from(slot)].kind == SlotKind::Bit => {
                Expression::Bit(slot.into())
            }
            Expr::Slot(slot) => Expression::Variable(slot.into()),
            Expr::Now => Expression::Now,
            Expr::Since(slot) => Expression::Since(slot.into()),
            Expr::Noted(slot) => Expression::Noted(slot.into()),
            Expr::Reached(slot) => Expression::Reached(slot.into()),
            Expr::ToTruth(operand) | Expr::FromTruth(operand) => Expression::Truth(boxed(operand)?),
            Expr::Not(operand) => Expression::Not(boxed(operand)?),
            Expr::Binary(operator, left, right) => {
                Expression::Binary(operator, Box::new([self.expression(left)?, self.expression(right)?]))
            }
            other => return Err(format!("{other:?} is not walked")),
        })
    }

    fn site(&self, site: u32) -> Made<Site> {
        let Module { sites, imports, names, args, .. } = self.module;
        let site = sites[site as usize];
        let import = imports[site.import as usize];
        let function = match import.kind {
            ImportKind::Action => Function::Action,
            ImportKind::Query => Function::Query,
        };
        let name = String::from_utf8_lossy(names.bytes(import.name));
        let function = self.leaves.number(function, &name).ok_or_else(|| format!("no function {name}"))?;
        let (first, count) = site.args;
        let first = args[first as usize..][..count as usize].first();
        let argument = first.map_or(Ok(Argument::Constant(0)), |first| self.argument(*first))?;
        Ok(Site { function, argument })
    }

    fn argument(&self, argument: Value) -> Made<Argument> {
        let constant = |value| Argument::Constant(leaves::argument(Some(value)));
        Ok(match argument {
            Value::Int(number) => constant(pleach::Value::Int(number)),
            Value::Float(number) => constant(pleach::Value::Float(number)),
            Value::Text(text) => constant(pleach::Value::Text(self.module.names.bytes(text))),
            Value::Variable(slot) => match self.module.slots[slot as usize].kind {
                SlotKind::Bit => Argument::Truth(slot as usize),
                SlotKind::F32 => Argument::Fraction(slot as usize),
                _ => Argument::Number(slot as usize),
            },
            Value::Expression(_) => return Err("an expression as an argument is not walked".to_owned()),
            _ => return Err("an argument of 64 bits and an out argument are not walked".to_owned()),
        })
    }
}

/// Returns an amount that is the same each time.
fn fixed(amount: Amount) -> Made<i32> {
    match amount {
        Amount::Fixed(amount) => Ok(amount),
        Amount::Computed(_) => Err("an amount that is computed is not walked".to_owned()),
    }
}
