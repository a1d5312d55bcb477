//! Forests, through the C API.

use super::answers::{Answers, with};
use super::c;
use super::link::{Linked, Owned, link, told};
use crate::conformance::engine::{Arg, Call, Grove};
use crate::reference::forest::Listener;
use pleach::forest::{TreeOperation, TreeSelector};
use pleach::life::{LifeStatus, PlayMode};
use pleach_capi::{
    PLEACH_ALL, PLEACH_ENGINE_BATCH, PLEACH_ORDER_DESTROY, PLEACH_ORDER_LOAD, PLEACH_ORDER_PAUSE,
    PLEACH_ORDER_PLAY, PLEACH_ORDER_RESET, PLEACH_ORDER_RESUME, PLEACH_ORDER_STOP, PLEACH_TREE_ERROR_ENDLESS,
    pleach_life, pleach_order, pleach_tree_error,
};
use pleach_compile::internals::ir::{Module, Outcome};
use std::collections::VecDeque;

pub(super) struct Planted {
    forests: Owned,
    linked: Linked,
    endless: usize,
}

impl Planted {
    pub(super) fn new(module: &Module) -> Result<Self, String> {
        let (linked, mut forests) = (link(module)?, 0);
        told(c!(pleach_forests_new(linked.program.0, PLEACH_ENGINE_BATCH, &mut forests)))?;
        Ok(Self { forests: Owned(forests), linked, endless: 0 })
    }
}

/// Returns an order as C gives it.
fn order(what: TreeOperation, whom: TreeSelector) -> pleach_order {
    let (forest, tree) = match whom {
        TreeSelector::All => (PLEACH_ALL, PLEACH_ALL),
        TreeSelector::Forest(forest) => (forest, PLEACH_ALL),
        TreeSelector::Tree(forest, tree) => (forest, tree),
    };
    let (order, sync) = match what {
        TreeOperation::Load => (PLEACH_ORDER_LOAD, false),
        TreeOperation::Play { .. } => (PLEACH_ORDER_PLAY, false),
        TreeOperation::Pause { sync } => (PLEACH_ORDER_PAUSE, sync),
        TreeOperation::Resume => (PLEACH_ORDER_RESUME, false),
        TreeOperation::Stop { sync } => (PLEACH_ORDER_STOP, sync),
        TreeOperation::Reset { sync } => (PLEACH_ORDER_RESET, sync),
        TreeOperation::Destroy => (PLEACH_ORDER_DESTROY, false),
    };
    let (target, mode) = match what {
        TreeOperation::Play { target, mode } => (target, mode),
        _ => (None, None),
    };
    let number = |mode: PlayMode| PlayMode::ALL.iter().position(|known| *known == mode);
    pleach_order {
        struct_size: size_of::<pleach_order>() as u32,
        order,
        forest,
        tree,
        sync: sync.into(),
        has_target: target.is_some().into(),
        target: target.unwrap_or(0),
        mode: mode.and_then(number).map_or(0, |number| number as u32 + 1),
    }
}

fn give(forests: u64, what: TreeOperation, whom: TreeSelector) {
    told(c!(pleach_forests_order(forests, &order(what, whom)))).expect("the trees are there");
}

impl Grove for Planted {
    fn order(&mut self, what: TreeOperation, whom: TreeSelector) {
        give(self.forests.0, what, whom);
    }

    fn update(&mut self, now: i64, listener: &mut dyn Listener) {
        let (forests, mut problems) = (self.forests.0, 0);
        with(&self.linked.names, &mut Between { forests, listener, tree: None }, |user| {
            told(c!(pleach_forests_update(forests, now, user, &mut problems)))
        })
        .expect("the forests are there");
        let endless = |number: &u32| {
            let mut problem =
                pleach_tree_error { struct_size: 20, kind: u32::MAX, forest: 0, tree: 0, node: 0 };
            told(c!(pleach_forests_error(forests, *number, &mut problem))).expect("there are so many");
            problem.kind == PLEACH_TREE_ERROR_ENDLESS
        };
        self.endless = (0..problems).filter(endless).count();
    }

    fn lives(&self) -> Vec<(LifeStatus, u32)> {
        let mut lives = Vec::new();
        for forest in 0.. {
            let mut trees = 0;
            if c!(pleach_forests_tree_count(self.forests.0, forest, &mut trees)) != 0 {
                break;
            }
            lives.extend((0..trees).map(|tree| self.life(forest, tree)));
        }
        lives
    }

    fn endless(&self) -> usize {
        self.endless
    }
}

impl Planted {
    fn life(&self, forest: u32, tree: u32) -> (LifeStatus, u32) {
        let mut life = pleach_life { struct_size: 20, status: 0, mode: 0, target: 0, count: 0 };
        told(c!(pleach_forests_life(self.forests.0, forest, tree, &mut life))).expect("the tree is there");
        let all = [
            LifeStatus::Destructed,
            LifeStatus::Played,
            LifeStatus::Resumed,
            LifeStatus::Executing,
            LifeStatus::Paused,
            LifeStatus::Stopped,
            LifeStatus::Reset,
        ];
        (all[life.status as usize], life.count)
    }
}

/// Hands hooks on.
struct Between<'a> {
    forests: u64,
    listener: &'a mut dyn Listener,
    /// The tree that is executed.
    tree: Option<usize>,
}

impl Between<'_> {
    fn hand_on(&mut self, tree: Option<usize>, hook: &str) -> Outcome {
        let mut given = VecDeque::new();
        let answer = self.listener.hook(tree, hook, &mut given);
        given.into_iter().for_each(|(what, whom)| give(self.forests, what, whom));
        answer
    }
}

impl Answers for Between<'_> {
    fn act(&mut self, _: usize, call: &Call<'_>) -> (Outcome, Option<String>) {
        let mut hook = String::from_utf8_lossy(call.name).into_owned();
        if let Some(Arg::Int(status)) = call.args.first() {
            let status = ["Failure", "Success", "Executing"][*status as usize];
            hook = format!("{hook}({status})");
        }
        (self.hand_on(self.tree, &hook), None)
    }

    fn query(&mut self, _: usize, _: &Call<'_>) -> (f64, Option<String>) {
        unreachable!("nodes of these trees ask no questions")
    }

    fn hook(&mut self, tree: Option<usize>, is_execute: bool, text: &str) {
        if is_execute {
            self.tree = tree;
        }
        self.hand_on(tree, text);
    }
}
