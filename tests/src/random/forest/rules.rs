//! What the page promises about any run, looked at from outside: in which order hooks are called, and which statuses they
//! lead to.

use pleach::life::LifeStatus;
use pleach_compile::forest::Role;
use pleach_compile::ir::Module;

/// What is known of a tree from what was heard.
#[derive(Clone, Debug, Default)]
struct Known {
    /// Whether it is being executed.
    executing: bool,
    /// The hook that all its nodes heard last.
    last: Option<String>,
    /// Whether its root was executed since then.
    since: bool,
    /// Whether its last execution had no end.
    endless: bool,
}

pub(super) struct Rules {
    /// For each tree, the nodes that hear of operations, its root first, in order.
    nodes: Vec<Vec<String>>,
    known: Vec<Known>,
}

impl Rules {
    pub(super) fn new(module: &Module) -> Self {
        let trees = module.forests.trees.iter();
        let nodes: Vec<_> = trees.map(|tree| hearing(module, tree)).collect();
        Self { known: vec![Known::default(); nodes.len()], nodes }
    }

    /// Whether what was heard in an update, and what trees have come to, is as it must be.
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
            // One without an end hears nothing of it.
            known.endless |= core::mem::take(&mut known.executing);
            let is = is_right(known, *status, *count);
            is.then_some(()).ok_or_else(|| format!("tree {tree} is {}: {known:?}", status.name()))?;
        }
        Ok(())
    }

    /// How many calls belong together.
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
            // What a tree is told while it is executed waits for the end; that of one without an end cannot be heard.
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

/// The nodes of a tree that hear of operations.
fn hearing(module: &Module, tree: &pleach_compile::forest::Tree) -> Vec<String> {
    let root = module.blocks[module.entries[tree.entry as usize] as usize].root as usize;
    let faces = &module.forests.nodes[root..module.nodes[root].end as usize];
    let hears =
        faces.iter().filter(|it| !matches!(it.role, Role::Selector | Role::Sequence | Role::Parallel));
    hears.map(|it| module.names.text(it.name.unwrap_or(tree.name)).into_owned()).collect()
}

/// Whether a status can be what was heard leads to.
fn is_right(known: &Known, status: LifeStatus, count: u32) -> bool {
    let last = known.last.as_deref();
    match status {
        LifeStatus::Destructed => matches!(last, None | Some("OnDestruct")) && count == 0,
        LifeStatus::Paused => last == Some("OnPause") && !known.since,
        LifeStatus::Reset => matches!(last, Some("OnReset" | "OnConstruct")) && !known.since,
        // By the target, if not by an operation.
        LifeStatus::Stopped => known.endless || count > 0 || last == Some("OnStop") && !known.since,
        LifeStatus::Executing => known.since && last != Some("OnDestruct"),
        // Said by the last hooks of an update, when the tree has had its turn.
        LifeStatus::Played => last.is_some_and(|last| last != "OnDestruct") && count == 0,
        LifeStatus::Resumed => last == Some("OnPause"),
    }
}
