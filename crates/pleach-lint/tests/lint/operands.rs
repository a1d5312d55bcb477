//! Each expression is an operand of at most one other: a second use would ask the host twice, and
//! code would grow with each level of operators.

use pleach_compile::internals::ir::Module;
use pleach_tests::random::check::{cases, programs};
use pleach_tests::random::{Case, language, mbt};

/// Largest number of nodes.
const NODES: usize = 200;

/// Checks a module, and adds the number of its operands.
fn look(module: &Module, count: &mut u64) -> Result<(), String> {
    let mut seen = vec![false; module.exprs.len()];
    for operand in module.exprs.iter().flat_map(|expr| expr.operands()) {
        *count += 1;
        if std::mem::replace(&mut seen[operand as usize], true) {
            let expr = module.exprs[operand as usize];
            return Err(format!("the expression {operand}, {expr:?}, is an operand twice"));
        }
    }
    Ok(())
}

#[test]
fn no_expression_is_an_operand_of_two_others() {
    let all = |case: &Case, count: &mut u64| {
        let case = case.clone().cut(NODES);
        let files = language::program(&case).files.into_iter().collect();
        look(&pleach_tests::own::module(&files)?, count)?;
        look(&mbt::module(&mbt::text(&case))?, count)
    };
    let found = cases(programs(400), all).unwrap_or_else(|found| panic!("{found}"));
    assert!(found.iter().sum::<u64>() > 5_000, "{found:?}");
}
