//! Reads and writes of variables, and the host functions that a program uses.

use pleach_compile::internals::ast::Value;
use pleach_compile::internals::ir::{Amount, By, Expr, Kind, Module, NodeIndex, Operation};

/// Accesses of each variable. A write whose value depends on the variable itself is no read.
#[derive(Debug)]
pub struct Uses {
    /// By slot of the frame, true if an expression or an argument reads it.
    pub slots_read: Vec<bool>,
    /// By slot of the frame, the nodes that write it.
    pub slots_written: Vec<Vec<NodeIndex>>,
    /// By variable of groups or the world, true if an expression reads it.
    pub shared_read: Vec<bool>,
    /// By variable of groups or the world, the nodes that write it.
    pub shared_written: Vec<Vec<NodeIndex>>,
}

impl Uses {
    pub(super) fn new(module: &Module) -> Self {
        let mut uses = Self {
            slots_read: vec![false; module.slots.len()],
            slots_written: vec![Vec::new(); module.slots.len()],
            shared_read: vec![false; module.shared.len()],
            shared_written: vec![Vec::new(); module.shared.len()],
        };
        for (index, node) in module.nodes.iter().enumerate() {
            match node.kind {
                Kind::Set(slot, _) | Kind::Take { to: slot, .. } => {
                    uses.slots_written[usize::from(slot)].push(index as NodeIndex);
                }
                Kind::Routine(routine) => {
                    let routine = &module.routines[routine as usize];
                    for operation in routine.tick.iter().chain(&routine.halt) {
                        if let Operation::Set(slot, _) = operation {
                            uses.slots_written[*slot as usize].push(index as NodeIndex);
                        }
                    }
                }
                Kind::Share(shared, ..) => uses.shared_written[usize::from(shared)].push(index as NodeIndex),
                _ => {}
            }
            for root in roots(module, index as NodeIndex) {
                uses.read(module, root, node.kind);
            }
        }
        for arg in &module.args {
            if let Value::Variable(slot) = arg {
                uses.slots_read[*slot as usize] = true;
            }
        }
        uses
    }

    /// Notes the variables that an expression of a node reads.
    fn read(&mut self, module: &Module, root: u32, kind: Kind) {
        let mut open = vec![root];
        while let Some(expr) = open.pop() {
            let expr = module.exprs[expr as usize];
            match (expr, kind) {
                (Expr::Slot(slot), Kind::Set(written, _)) if slot == written => {}
                (Expr::Shared(shared), Kind::Share(written, ..)) if shared == written => {}
                (Expr::Slot(slot) | Expr::Since(slot) | Expr::Noted(slot) | Expr::Reached(slot), _) => {
                    self.slots_read[usize::from(slot)] = true;
                }
                (Expr::Shared(shared), _) => self.shared_read[usize::from(shared)] = true,
                _ => open.extend(expr.operands()),
            }
        }
    }
}

/// Returns the expressions that a node evaluates, without their operands.
#[must_use]
pub fn roots(module: &Module, node: NodeIndex) -> Vec<u32> {
    let amount = |amount: Amount| match amount {
        Amount::Fixed(_) => None,
        Amount::Computed(expr) => Some(expr),
    };
    let children = || module.children(node).count();
    let tests = |first: u32, count: usize| module.tests[first as usize..][..count].to_vec();
    match module.nodes[node as usize].kind {
        Kind::Guard(expr) | Kind::While(expr) | Kind::Until(expr) | Kind::Selection(expr) => vec![expr],
        Kind::Set(_, expr) | Kind::Share(_, _, expr) | Kind::Start(_, expr) => vec![expr],
        Kind::Take { value, .. } => vec![value],
        Kind::Cooldown { duration, .. } | Kind::Timeout { duration, .. } => {
            amount(duration).into_iter().collect()
        }
        Kind::Every { first, interval, .. } => amount(interval).into_iter().chain([first]).collect(),
        Kind::Wait { length, .. } => amount(length).into_iter().collect(),
        Kind::Again { times: Some((_, times)), .. } => amount(times).into_iter().collect(),
        Kind::Choose { by: By::First(first), .. } => tests(first, children().saturating_sub(1)),
        Kind::Choose { by: By::Value(_, value, first), .. } => {
            let mut exprs = tests(first, children().saturating_sub(1));
            exprs.push(value);
            exprs
        }
        Kind::Choose { by: By::Highest(first), .. } | Kind::Priority(first) => tests(first, children()),
        Kind::Choose { by: By::Keeping { first, .. }, .. } => tests(first, children()),
        Kind::Shuffle { scores, .. } => tests(scores, children()),
        Kind::Chain(chain) => {
            module.chains[chain as usize].transitions().map(|transition| transition.condition).collect()
        }
        Kind::Routine(routine) => {
            let routine = &module.routines[routine as usize];
            let operations = routine.tick.iter().chain(&routine.halt);
            operations
                .filter_map(|operation| match operation {
                    Operation::Unless(expr, _) | Operation::Set(_, expr) => Some(*expr),
                    _ => None,
                })
                .collect()
        }
        Kind::Rule(rule) => module.rules[rule as usize].condition.into_iter().collect(),
        _ => Vec::new(),
    }
}
