//! Relations of numbers.

use core::cmp::Ordering;

/// Relation of two numbers. With NaN, those in the first column are false but for [`Relation::Ne`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    NotLt,
    NotLe,
    NotGt,
    NotGe,
}

impl Relation {
    /// Returns true if two numbers stand in the relation.
    #[expect(clippy::neg_cmp_op_on_partial_ord, reason = "NaN makes the negation another relation")]
    #[inline(always)]
    pub(crate) fn holds<T: PartialOrd>(self, first: T, second: T) -> bool {
        match self {
            Self::Lt => first < second,
            Self::Le => first <= second,
            Self::Gt => first > second,
            Self::Ge => first >= second,
            Self::Eq => first == second,
            Self::Ne => first != second,
            Self::NotLt => !(first < second),
            Self::NotLe => !(first <= second),
            Self::NotGt => !(first > second),
            Self::NotGe => !(first >= second),
        }
    }

    /// Returns the relation that holds if this one does not.
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Lt => Self::NotLt,
            Self::Le => Self::NotLe,
            Self::Gt => Self::NotGt,
            Self::Ge => Self::NotGe,
            Self::Eq => Self::Ne,
            Self::Ne => Self::Eq,
            Self::NotLt => Self::Lt,
            Self::NotLe => Self::Le,
            Self::NotGt => Self::Gt,
            Self::NotGe => Self::Ge,
        }
    }

    /// Returns the relation that holds if the two numbers are exchanged.
    pub(crate) fn swapped(self) -> Self {
        match self {
            Self::Lt => Self::Gt,
            Self::Le => Self::Ge,
            Self::Gt => Self::Lt,
            Self::Ge => Self::Le,
            Self::Eq | Self::Ne => self,
            Self::NotLt => Self::NotGt,
            Self::NotLe => Self::NotGe,
            Self::NotGt => Self::NotLt,
            Self::NotGe => Self::NotLe,
        }
    }

    /// Returns true for the relations that say what another relation does not.
    pub(crate) fn is_negative(self) -> bool {
        matches!(self, Self::NotLt | Self::NotLe | Self::NotGt | Self::NotGe | Self::Ne)
    }

    /// Returns the relation of integers that stand in an order.
    pub(crate) fn of_order(order: Ordering) -> Self {
        match order {
            Ordering::Less => Self::Lt,
            Ordering::Equal => Self::Eq,
            Ordering::Greater => Self::Gt,
        }
    }

    /// Returns the order of two integers that decides, and true if they stand in this relation when
    /// they have that order, false if they do when they have another one.
    pub(crate) fn of_integers(self) -> (Ordering, bool) {
        match self {
            Self::Lt | Self::NotGe => (Ordering::Less, true),
            Self::Ge | Self::NotLt => (Ordering::Less, false),
            Self::Gt | Self::NotLe => (Ordering::Greater, true),
            Self::Le | Self::NotGt => (Ordering::Greater, false),
            Self::Eq => (Ordering::Equal, true),
            Self::Ne => (Ordering::Equal, false),
        }
    }
}

/// Does work that compares numbers, compiled anew for each relation, so that its loops have no
/// branch for the relation. The work calls the comparison by the name that it gives it.
macro_rules! by_relation {
    ($relation:expr, |$holds:ident| $work:expr) => {
        $crate::code::relation::by_relation! {
            $relation, $holds, $work, Lt Le Gt Ge Eq Ne NotLt NotLe NotGt NotGe
        }
    };
    ($relation:expr, $holds:ident, $work:expr, $($of:ident)*) => {
        match $relation {
            $($crate::code::relation::Relation::$of => {
                let $holds = |first, second| $crate::code::relation::Relation::$of.holds(first, second);
                $work
            })*
        }
    };
}
pub(crate) use by_relation;

/// Does work that compares integers, compiled anew for each order, as [`by_relation`] does for
/// relations.
macro_rules! by_order {
    ($order:expr, |$holds:ident| $work:expr) => {
        match $order {
            core::cmp::Ordering::Less => {
                let $holds = |first: i32, second: i32| first < second;
                $work
            }
            core::cmp::Ordering::Equal => {
                let $holds = |first: i32, second: i32| first == second;
                $work
            }
            core::cmp::Ordering::Greater => {
                let $holds = |first: i32, second: i32| first > second;
                $work
            }
        }
    };
}
pub(crate) use by_order;

/// Does work that is compiled anew for each of some values, such as relations, which
/// the work knows as a constant.
macro_rules! by_constant {
    ($value:ident: $type:ident of $($name:ident)*, $work:expr) => {
        match $value {
            $($type::$name => {
                let $value = $type::$name;
                $work
            })*
        }
    };
}
pub(crate) use by_constant;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_can_be_turned_round_in_both_ways_and_are_orders_of_integers() {
        let relations = [Relation::Lt, Relation::Le, Relation::Gt, Relation::Ge, Relation::Eq, Relation::Ne];
        let numbers = [1.0, 2.0, f64::NAN];
        for relation in relations.into_iter().flat_map(|relation| [relation, relation.negated()]) {
            assert_eq!(relation.negated().negated(), relation);
            for (first, second) in numbers.into_iter().flat_map(|first| numbers.map(|second| (first, second)))
            {
                let holds = relation.holds(first, second);
                assert_ne!(relation.negated().holds(first, second), holds, "{relation:?} {first} {second}");
                assert_eq!(relation.swapped().holds(second, first), holds, "{relation:?} {first} {second}");
                assert_eq!(by_relation!(relation, |compare| compare(first, second)), holds, "{relation:?}");
                if let Some(order) = first.partial_cmp(&second) {
                    let (decides, is) = relation.of_integers();
                    assert_eq!((order == decides) == is, holds, "{relation:?} {first} {second}");
                }
            }
        }
    }
}
