//! `match`: which child is for which value.

use super::{Checker, Code, Diagnostic, ExprRange, Keyword, Node, Op, Parts, Span, Type, Value, codes};
use hashbrown::HashMap;

impl Checker<'_, '_> {
    /// The value of a `match`, and those of its cases. An `else` has none.
    pub(super) fn matched(&mut self, node: &Node, index: u32) -> Parts {
        let Some(range) = self.program.operands(node).first().copied() else { return Parts::default() };
        let operand = self.evaluate(range);
        let ty = match operand.value.ty() {
            Some(ty @ Type::Enum(_)) => ty,
            _ => Type::Int,
        };
        let value = match self.as_type(&operand, ty, "the value of a `match`") {
            Value::Wrong => Value::Int(0),
            value => value,
        };
        let condition = Some(self.index(value));
        let (mut values, mut seen, mut rest) = (Vec::new(), HashMap::new(), None);
        for child in self.children(index).collect::<Vec<_>>() {
            let Some(range) = self.value_of_child(child) else { continue };
            let at = self.cover(range);
            if let Some(rest) = rest {
                self.behind_else(at, rest);
            } else if self.is_else(range) {
                rest = Some(at);
            } else {
                let value = self.case(range, ty);
                values.push(value.unwrap_or_default());
                let first = value.and_then(|value| seen.insert(value, at));
                if let (Some(first), Some(value)) = (first, value) {
                    self.same_case(ty, value, at, first);
                }
            }
        }
        match (rest, ty) {
            (None, Type::Enum(of)) => self.missing_cases(of, &values, self.place(node.place)),
            (None, _) => self.no_else(node),
            _ => {}
        }
        Parts { subject: None, args: self.ints(&values), condition }
    }

    fn is_else(&self, range: ExprRange) -> bool {
        matches!(self.program.ops(range), [op] if matches!(op.code, Code::Else))
    }

    /// Returns true if a `match` has an `else`, which is the last of its children.
    pub(super) fn has_else(&self, index: u32) -> bool {
        let mut values = self.children(index).filter_map(|child| self.value_of_child(child));
        values.any(|range| self.is_else(range))
    }

    /// The value of a case; none if it is wrong or not known yet. The name of a member of the enum
    /// stands for that, whatever else has the name.
    fn case(&mut self, range: ExprRange, ty: Type) -> Option<i32> {
        if let (Type::Enum(of), [Op { code: Code::Name(word), .. }]) = (ty, self.program.ops(range))
            && let Some(Value::Member(_, value)) = self.member_named(of, *word)
        {
            return Some(value);
        }
        let operand = self.evaluate(range);
        match (self.constant(&operand, "the value of a case")?, ty) {
            (Value::Int(value), Type::Int) => Some(value),
            (Value::Member(of, value), Type::Enum(wanted)) if of == wanted => Some(value),
            (Value::Wrong, _) => None,
            (Value::Open(is), _) if is == ty => None,
            _ => {
                self.mismatch(&operand, ty, "the value of a case");
                None
            }
        }
    }

    /// Adds the child of a `match` without an `else` that all other values lead to.
    pub(super) fn without_else(&mut self, node: u32) {
        let span = self.file.nodes[node as usize].span;
        self.file.open((Keyword::Else.sym(), None), span, &[], None);
    }

    #[cold]
    fn same_case(&mut self, ty: Type, value: i32, at: Span, first: Span) {
        let name = match ty {
            Type::Enum(of) => self.name_of_member(of, value),
            _ => None,
        };
        let message = match name {
            Some(name) => format!("the member `{name}` has a case already"),
            None => format!("the value {value} has a case already"),
        };
        let finding = Diagnostic::new(codes::WRONG_CASE, Some(at), message)
            .help("the first one counts: take this one away, or give it another value")
            .related(first, "the first one is here");
        self.report(finding);
    }

    #[cold]
    fn behind_else(&mut self, at: Span, rest: Span) {
        let finding =
            Diagnostic::new(codes::WRONG_CASE, Some(at), "a case behind `else` can never be chosen")
                .help("`else` is for all values without a case: it stands last, and once")
                .related(rest, "`else` is here");
        self.report(finding);
    }

    #[cold]
    fn no_else(&mut self, node: &Node) {
        let at = self.place(node.place);
        let message = "this `match` fails for each int that has no case";
        let help = "add `else: NODE`; `else: failure` says that it is meant to fail";
        self.tell(codes::NO_ELSE, at, message, help);
    }
}
