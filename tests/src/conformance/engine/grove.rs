//! Forests on engines: the driver of the runtime, and that of the reference interpreter.

use crate::reference::forest::{Forests as Judge, Listener, Orders};
use pleach::engine::Engine;
use pleach::forest::{
    ForestHost, Forests, Hook, HookKind, OperationQueue, TreeErrorKind, TreeOperation, TreeSelector,
};
use pleach::life::LifeStatus;
use pleach::{Call, Function, Host, Image, Program, Status};
use pleach_compile::internals::emit;
use pleach_compile::internals::ir::{Module, Outcome};
use std::collections::VecDeque;

/// The trees of a module's forests.
pub trait Grove {
    /// Gives an order.
    fn order(&mut self, what: TreeOperation, whom: TreeSelector);
    /// An update.
    fn update(&mut self, now: i64, listener: &mut dyn Listener);
    /// Returns the status and the count of each tree.
    fn lives(&self) -> Vec<(LifeStatus, u32)>;
    /// Returns the number of trees that the last update stopped because a decorator repeated
    /// without end.
    fn endless(&self) -> usize;
}

impl Grove for Judge<'_> {
    fn order(&mut self, what: TreeOperation, whom: TreeSelector) {
        self.orders.push_back((what, whom));
    }

    fn update(&mut self, now: i64, listener: &mut dyn Listener) {
        Judge::update(self, now, listener);
    }

    fn lives(&self) -> Vec<(LifeStatus, u32)> {
        self.trees.iter().map(|tree| (tree.status, tree.count)).collect()
    }

    fn endless(&self) -> usize {
        self.endless.len()
    }
}

/// The runtime's forests, by the whole way: image, verifier, linking.
pub(super) struct Planted {
    forests: Forests,
    orders: OperationQueue,
    names: Vec<String>,
    endless: usize,
}

impl Planted {
    pub(super) fn new(module: &Module, engine: Engine) -> Result<Self, String> {
        let bytes = emit::emit(module, "case", None).map_err(|refused| refused.message)?;
        let image = Image::copy(&bytes).map_err(|error| error.to_string())?;
        let names: Vec<_> = image.imports().iter().map(|it| image.name(it.name).to_owned()).collect();
        let host = Between { names: &names, orders: None, listener: &mut Silence, tree: None };
        let program = Program::link(&image, &host).map_err(|error| error.to_string())?;
        let forests = Forests::new(&program).map_err(|error| error.to_string())?.with_engine(engine);
        Ok(Self { orders: forests.orders(), forests, names, endless: 0 })
    }
}

impl Grove for Planted {
    fn order(&mut self, what: TreeOperation, whom: TreeSelector) {
        self.orders.give(what, whom).expect("the trees are there");
    }

    fn update(&mut self, now: i64, listener: &mut dyn Listener) {
        let Self { forests, orders, names, endless } = self;
        let problems =
            forests.update(now, &mut Between { names, orders: Some(orders), listener, tree: None });
        *endless = problems.iter().filter(|it| matches!(it.kind, TreeErrorKind::Endless { .. })).count();
    }

    fn lives(&self) -> Vec<(LifeStatus, u32)> {
        let depth = pleach::forest::PropertyDepth::Tree;
        let forests = self.forests.properties(depth).forests;
        forests.iter().flat_map(|forest| &forest.trees).map(|tree| (tree.status, tree.count)).collect()
    }

    fn endless(&self) -> usize {
        self.endless
    }
}

/// Host for linking a program, which answers nothing.
struct Silence;

impl Listener for Silence {
    fn hook(&mut self, _: Option<usize>, _: &str, _: &mut Orders) -> Outcome {
        Outcome::Failure
    }
}

/// Hands hooks on.
struct Between<'a> {
    names: &'a [String],
    orders: Option<&'a OperationQueue>,
    listener: &'a mut dyn Listener,
    /// The tree that is executed.
    tree: Option<usize>,
}

impl Between<'_> {
    fn hand_on(&mut self, tree: Option<usize>, hook: &str) -> Outcome {
        let mut given = VecDeque::new();
        let answer = self.listener.hook(tree, hook, &mut given);
        for (what, whom) in given {
            self.orders.expect("hooks are called in updates").give(what, whom).expect("the trees are there");
        }
        answer
    }
}

impl Host for Between<'_> {
    fn resolve(&self, _: Function, name: &str) -> Option<u32> {
        self.names.iter().position(|known| known == name).map(|index| index as u32)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        let mut hook = self.names[call.function as usize].clone();
        if !call.args.is_empty() {
            let status = ["Failure", "Success", "Executing"][call.args.int(0) as usize];
            hook = format!("{hook}({status})");
        }
        match self.hand_on(self.tree, &hook) {
            Outcome::Failure => Status::Failure,
            Outcome::Success => Status::Success,
            Outcome::Running => Status::Running,
            Outcome::Other(number) => Status::Other(number),
        }
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        unreachable!("nodes of these trees ask no questions")
    }
}

impl ForestHost for Between<'_> {
    fn hook(&mut self, hook: &Hook<'_>) {
        let tree = hook.tree_number();
        if hook.kind == HookKind::Execute {
            self.tree = tree;
        }
        self.hand_on(tree, &hook.to_string());
    }
}
