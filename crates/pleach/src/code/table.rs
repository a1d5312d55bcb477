//! Tables of `switch`: from the node that a position holds to a step.

use alloc::boxed::Box;
use alloc::vec;

/// Stands for "nowhere" among indices.
pub(crate) const NONE: u32 = u32::MAX;

/// Targets of a `switch`.
#[derive(Clone, Debug)]
pub(crate) enum Table {
    /// For each node from `low` on, the target or [`NONE`].
    Dense { low: u16, targets: Box<[u32]> },
    /// Spans of nodes in order.
    Sparse(Box<[Case]>),
}

/// Target of a `switch` for the nodes from `low` to `high`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub(crate) low: u16,
    pub(crate) high: u16,
    pub(crate) target: u32,
}

impl Table {
    /// Returns a table of cases. It has a place for each node, unless that
    /// takes many times the memory.
    pub(crate) fn of(cases: &[Case]) -> Self {
        let (Some(first), Some(last)) = (cases.first(), cases.last()) else { return Self::Sparse([].into()) };
        let nodes = usize::from(last.high - first.low) + 1;
        if nodes > cases.len() * 8 + 8 {
            return Self::Sparse(cases.into());
        }
        let mut targets = vec![NONE; nodes];
        for case in cases {
            let places = usize::from(case.low - first.low)..=usize::from(case.high - first.low);
            targets[places].fill(case.target);
        }
        Self::Dense { low: first.low, targets: targets.into() }
    }

    /// Returns the target for a node, or [`NONE`].
    #[inline]
    pub(crate) fn find(&self, node: u16) -> u32 {
        match self {
            Self::Dense { low, targets } => {
                targets.get(usize::from(node.wrapping_sub(*low))).copied().unwrap_or(NONE)
            }
            Self::Sparse(cases) => {
                let at = cases.partition_point(|case| case.high < node);
                cases.get(at).filter(|case| case.low <= node).map_or(NONE, |case| case.target)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_and_sparse_tables_agree() {
        let cases =
            [(3, 3, 10), (5, 9, 11), (12, 12, 12)].map(|(low, high, target)| Case { low, high, target });
        let (dense, sparse) = (Table::of(&cases), Table::Sparse(cases.into()));
        assert!(matches!(dense, Table::Dense { .. }));
        for node in 0..20 {
            assert_eq!(dense.find(node), sparse.find(node), "{node}");
        }
        assert_eq!((sparse.find(7), sparse.find(4), sparse.find(u16::MAX)), (11, NONE, NONE));
        assert!(matches!(
            Table::of(&[cases[0], Case { low: 4000, high: 4000, target: 0 }]),
            Table::Sparse(_)
        ));
    }
}
