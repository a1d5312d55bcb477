//! Promises of the dialect's page about any run, checked from outside: the order of hooks, and the
//! statuses that they lead to.

use pleach::life::LifeStatus;
use pleach_compile::internals::forest::Role;
use pleach_compile::internals::ir::Module;

/// State of a tree as derived from its hooks.
#[derive(Clone, Debug, Default)]
struct Known {
    /// True while the tree is being executed.
    executing: bool,
    /// Last hook that all its nodes received.
    last: Option<String>,
    /// True if its root was executed since then.
    since: bool,
    /// True if its last execution had no end.
    endless: bool,
}

pub(super) struct Rules {
    /// Nodes of each tree that receive operations, in order, the root first.
    nodes: Vec<Vec<String>>,
    known: Vec<Known>,
}

impl Rules {
    pub(super) fn new(module: &Module) -> Self {
        let trees = module.forests.trees.iter();
        let nodes: Vec<_> = trees.map(|tree| hearing(module, tree)).collect();
        Self { known: vec![Known::default(); nodes.len()], nodes }
    }

    /// Checks the hooks of an update, and the lives of trees after it.
    pub(super) fn check(
        &mut self,
        heard: &[(Option<usize>, String)],
        lives: &[(LifeStatus, u32)],
    ) -> Result<(), String> {
        let mut at = 0;
        while let Some((tree, hook)) = heard.get(at) {
            at += match tree {
                Some(tree) => self.hook(*tree, hook, &heard[at..]).map_err(|why| format!("{hook}: {why}"))?,
                None => 1,
            };
        }
        for (tree, (status, count)) in lives.iter().enumerate() {
            let known = &mut self.known[tree];
            // An execution without end is not reported by a hook.
            known.endless |= core::mem::take(&mut known.executing);
            let is = is_right(known, *status, *count);
            is.then_some(()).ok_or_else(|| format!("tree {tree} is {}: {known:?}", status.name()))?;
        }
        Ok(())
    }

    /// Returns the number of calls that belong together.
    fn hook(
        &mut self,
        tree: usize,
        hook: &str,
        rest: &[(Option<usize>, String)],
    ) -> Result<usize, &'static str> {
        let (node, what) = hook.rsplit_once('.').ok_or("it has no node")?;
        let (nodes, known) = (&self.nodes[tree], &mut self.known[tree]);
        if matches!(what, "OnConstruct" | "OnDestruct" | "OnPause" | "OnStop" | "OnReset") {
            let all = nodes.iter().map(|node| (Some(tree), format!("{node}.{what}")));
            if !all.eq(rest.iter().take(nodes.len()).cloned()) {
                return Err("not all nodes hear it in order");
            }
            // A tree that is told something while it is executed acts on it at the end. An
            // execution without end has none.
            *known = Known { last: Some(what.to_owned()), ..Known::default() };
            return Ok(nodes.len());
        }
        if node != nodes[0] {
            return if known.executing { Ok(1) } else { Err("its tree is not executed") };
        }
        let begins = what == "OnExecute";
        if begins == known.executing {
            return Err("an execution begins before another has ended, or ends twice");
        }
        *known = Known { executing: begins, since: true, endless: false, last: known.last.take() };
        Ok(1)
    }
}

/// Returns the nodes of a tree that receive operations.
fn hearing(module: &Module, tree: &pleach_compile::internals::forest::Tree) -> Vec<String> {
    let root = module.blocks[module.entries[tree.entry as usize] as usize].root as usize;
    let faces = &module.forests.nodes[root..module.nodes[root].end as usize];
    let hears =
        faces.iter().filter(|it| !matches!(it.role, Role::Selector | Role::Sequence | Role::Parallel));
    hears.map(|it| module.names.text(it.name.unwrap_or(tree.name)).into_owned()).collect()
}

/// Returns true if a status can follow from the hooks.
fn is_right(known: &Known, status: LifeStatus, count: u32) -> bool {
    let last = known.last.as_deref();
    match status {
        LifeStatus::Destructed => matches!(last, None | Some("OnDestruct")) && count == 0,
        LifeStatus::Paused => last == Some("OnPause") && !known.since,
        LifeStatus::Reset => matches!(last, Some("OnReset" | "OnConstruct")) && !known.since,
        // A tree stops by an operation or by its target.
        LifeStatus::Stopped => known.endless || count > 0 || last == Some("OnStop") && !known.since,
        LifeStatus::Executing => known.since && last != Some("OnDestruct"),
        // These statuses are set by the last hooks of an update, after the tree was executed.
        LifeStatus::Played => last.is_some_and(|last| last != "OnDestruct") && count == 0,
        LifeStatus::Resumed => last == Some("OnPause"),
    }
}
