//! Random forests, and random orders for them.
//!
//! A case becomes forest and tree files (`text`) and some updates. Orders are given before each
//! update, and more of them inside hooks. Hooks answer by a hash of the asking node, the question
//! and the update (`script`). The reference interpreter with its own driver and the runtime run
//! side by side. They must call the same hooks in the same order, and reach the same statuses and
//! counts. The hooks must be in the order that the page of the dialect promises, and statuses must
//! follow from them (`rules`).

mod rules;
mod script;
mod text;

pub use text::{Texts, texts};

use super::Case;
use super::draws::{Draws, hash};
use super::duel::same;
use crate::conformance::engine::{ENGINES, Grove};
use pleach::forest::{TreeOperation, TreeSelector};
use pleach::life::PlayMode;
use pleach_compile::dialect;
use pleach_compile::internals::ir::Module;
use pleach_compile::internals::session::Session;
use rules::Rules;
use script::Script;

/// Counts of features in the cases.
#[derive(Clone, Debug, Default)]
pub struct Census {
    /// Number of cases.
    pub cases: u64,
    /// Number of updates.
    pub updates: u64,
    /// Number of called hooks.
    pub hooks: u64,
    /// Number of interrupted executions.
    pub interrupted: u64,
    /// Number of executions without end.
    pub endless: u64,
    /// Number of trees that stopped because their target was reached.
    pub complete: u64,
}

impl Census {
    /// Adds the counts of another thread.
    pub fn add(&mut self, other: &Self) {
        self.cases += other.cases;
        self.updates += other.updates;
        self.hooks += other.hooks;
        self.interrupted += other.interrupted;
        self.endless += other.endless;
        self.complete += other.complete;
    }
}

/// Returns the module of a case.
///
/// # Panics
/// If its texts have errors.
#[must_use]
pub fn module(texts: &Texts) -> Module {
    let dialect = dialect::by_name("btengine").expect("the compiler knows the dialect");
    let manifest = dialect.own_manifest();
    let mut session = Session::new(texts, &manifest);
    let module = pleach_compile::internals::module(&mut session, dialect, &["main".to_owned()]);
    module.unwrap_or_else(|| panic!("{:?}", session.diagnostics))
}

/// Runs a case on all engines. Fails with the first difference.
pub fn fight(case: &Case, census: &mut Census) -> Result<(), String> {
    fight_for(case, 4 + case.seed % 8, census)
}

/// Runs a case on all engines for a number of updates.
///
/// # Errors
/// With the first difference.
pub fn fight_for(case: &Case, updates: u64, census: &mut Census) -> Result<(), String> {
    let texts = texts(case);
    let module = module(&texts);
    let mut sides = Vec::new();
    for engine in ENGINES {
        let grove = engine.plant(&module).map_err(|why| format!("{}: {why}", engine.name()))?;
        sides.push(Side { name: engine.name(), grove, script: Script::new(case, &module) });
    }
    let mut rules = Rules::new(&module);
    census.cases += 1;
    for update in 0..updates.min(case.ticks) {
        let orders = orders(case, update, &module);
        for side in &mut sides {
            side.update(&orders, update);
        }
        let [judge, others @ ..] = &sides[..] else { return Ok(()) };
        for other in others {
            other.is_like(judge).map_err(|why| format!("update {update}, {}: {why}", other.name))?;
        }
        rules
            .check(&judge.script.heard, &judge.grove.lives())
            .map_err(|why| format!("update {update}: {why}"))?;
        judge.count(census);
    }
    Ok(())
}

/// Returns the orders before an update.
fn orders(case: &Case, update: u64, module: &Module) -> Vec<(TreeOperation, TreeSelector)> {
    let mut draws = Draws::seeded(hash([case.seed, update, 1]));
    let mut orders: Vec<_> = (0..draws.below(4)).map(|_| order(&mut draws, module)).collect();
    if update == 0 {
        orders.insert(0, (TreeOperation::Load, TreeSelector::All));
        orders.push((play(&mut draws), TreeSelector::All));
    }
    orders
}

/// Returns a random order.
fn order(draws: &mut Draws, module: &Module) -> (TreeOperation, TreeSelector) {
    let sync = draws.one_in(2);
    let what = match draws.below(12) {
        0..=3 => play(draws),
        4 | 5 => TreeOperation::Pause { sync },
        6 | 7 => TreeOperation::Resume,
        8 => TreeOperation::Stop { sync },
        9 => TreeOperation::Reset { sync },
        10 => TreeOperation::Load,
        _ => TreeOperation::Destroy,
    };
    let forest = draws.below(module.forests.forests.len());
    let trees = module.forests.forests[forest].trees.1 as usize;
    let whom = match draws.below(6) {
        0 => TreeSelector::All,
        1 => TreeSelector::Forest(forest as u32),
        _ if trees == 0 => TreeSelector::Forest(forest as u32),
        _ => TreeSelector::Tree(forest as u32, draws.below(trees) as u32),
    };
    (what, whom)
}

fn play(draws: &mut Draws) -> TreeOperation {
    let target = (!draws.one_in(3)).then(|| draws.below(5) as u32);
    TreeOperation::Play { target, mode: (!draws.one_in(3)).then(|| draws.pick(PlayMode::ALL)) }
}

/// Engine with its forests.
struct Side<'m> {
    name: &'static str,
    grove: Box<dyn Grove + 'm>,
    script: Script<'m>,
}

impl Side<'_> {
    fn update(&mut self, orders: &[(TreeOperation, TreeSelector)], update: u64) {
        self.script.begin(update);
        orders.iter().for_each(|(what, whom)| self.grove.order(*what, *whom));
        self.grove.update(update as i64, &mut self.script);
    }

    fn is_like(&self, judge: &Self) -> Result<(), String> {
        same("what was heard", &self.script.heard, &judge.script.heard)?;
        same("lives", &self.grove.lives(), &judge.grove.lives())?;
        same("trees without end", &self.grove.endless(), &judge.grove.endless())
    }

    fn count(&self, census: &mut Census) {
        census.updates += 1;
        census.hooks += self.script.heard.len() as u64;
        census.endless += self.grove.endless() as u64;
        let heard =
            |what: &str| self.script.heard.iter().filter(|(_, hook)| hook.contains(what)).count() as u64;
        census.interrupted += heard("OnNotify(Interrupt");
        let lives = self.grove.lives();
        census.complete +=
            lives.iter().filter(|(status, count)| status.name() == "Stopped" && *count > 0).count() as u64;
    }
}
