//! Functions that a tree calls, and the numbers that its queries answer.

use pleach::Function;
use pleach_compile::ast::Binary;
use pleach_compile::ir::{Expr, ImportKind, Module};
use pleach_compile::manifest::{Manifest, Type};

/// Functions of a tree, by number: actions and queries have numbers of their own.
#[derive(Clone, Debug)]
pub(super) struct Functions {
    names: [Vec<String>; 2],
    /// By query, the number of its answers: integers from 0. For 0, fractions from 0 up to 1.
    ranges: Vec<u32>,
}

impl Functions {
    /// Lists the functions of a module. So that conditions go both ways, a query that is compared with numbers answers up to the
    /// largest one for equality, and up to twice the largest one for order.
    pub(super) fn of(module: &Module, manifest: &Manifest) -> Self {
        let of = |kind| {
            let imports = module.imports.iter().enumerate().filter(move |(_, import)| import.kind == kind);
            imports.map(|(index, import)| {
                let name = String::from_utf8_lossy(module.names.bytes(import.name)).into_owned();
                (index as u32, name)
            })
        };
        let range = |(import, name): (u32, String)| {
            let answers = manifest.query(&name).and_then(|query| query.answers);
            range(answers, largest(module, import))
        };
        let ranges = of(ImportKind::Query).map(range).collect();
        let names =
            [ImportKind::Action, ImportKind::Query].map(|kind| of(kind).map(|(_, name)| name).collect());
        Self { names, ranges }
    }

    /// Returns the number of a function.
    pub(super) fn number(&self, function: Function, name: &str) -> Option<u32> {
        let names = &self.names[usize::from(function == Function::Query)];
        names.iter().position(|known| known == name).map(|index| index as u32)
    }

    /// Returns the number of answers of each query.
    pub(super) fn ranges(&self) -> &[u32] {
        &self.ranges
    }
}

fn range(answers: Option<Type>, largest: f64) -> u32 {
    match answers {
        Some(Type::Bool) => 2,
        Some(Type::Float) if largest <= 2.0 => 0,
        _ => largest.clamp(1.0, f64::from(1 << 24)) as u32 + 1,
    }
}

/// Returns the largest number that the answers of a query are to reach, 0 if they are compared with no number.
fn largest(module: &Module, import: u32) -> f64 {
    let asks = |expr: u32| matches!(module.exprs[expr as usize], Expr::Query(site) if module.sites[site as usize].import == import);
    let number = |expr: u32| match module.exprs[expr as usize] {
        Expr::Number(number) => Some(number),
        _ => None,
    };
    let reach = |expr: &Expr| match *expr {
        Expr::Binary(operator, left, right) if asks(left) || asks(right) => {
            let with = number(left).or_else(|| number(right))?;
            let is_order = !matches!(operator, Binary::Equal | Binary::NotEqual);
            Some(if is_order { 2.0 * with } else { with })
        }
        _ => None,
    };
    module.exprs.iter().filter_map(reach).fold(0.0, f64::max)
}
