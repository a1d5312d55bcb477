//! Expressions to code of the condition machine.

use super::limits::{self, operand};
use super::{
    Amount, Bump, By, FrameLayout, HashMap, Kind, Memory, Module, Parts, Refused, SlotKind, Span, codes,
};
use crate::ir::{Arithmetic, Binary, Expr, Math, Operation, Routine};
use bumpalo::collections::Vec as ArenaVec;
use pleach_image::float::bits64;
use pleach_image::format::ConditionRow;
use pleach_image::isa::stack::Type;
use pleach_image::isa::{StackOp, StackWord};
use pleach_image::verify::MAX_STACK;

/// Emits the condition of every guard, and all other expressions of nodes. Boolean expressions come
/// first. Returns the depth of their stack, and the row of each expression that is a condition.
/// `fitting` is the number of sites that need no check.
pub(super) fn emit<'e>(
    module: &Module,
    frame: &FrameLayout,
    fitting: u32,
    memory: &mut Memory,
    arena: &'e Bump,
) -> Result<(u32, ArenaVec<'e, u16>), Refused> {
    let Memory { parts, constants, .. } = memory;
    constants.clear();
    let mut emitter = Emitter {
        module,
        frame,
        fitting,
        parts,
        of_root: bumpalo::vec![in arena; 0; module.exprs.len()],
        shared: bumpalo::vec![in arena; false; module.exprs.len()],
        stack_depth: 0,
        known: constants,
        tasks: ArenaVec::with_capacity_in(USUAL_DEPTH, arena),
        named: ArenaVec::new_in(arena),
        numbers: ArenaVec::new_in(arena),
        words: ArenaVec::new_in(arena),
        depth: 0,
        node: 0,
        refused: None,
    };
    for (index, node) in module.nodes.iter().enumerate() {
        emitter.node = index;
        emitter.node(&node.kind)?;
    }
    for ty in [Type::Real, Type::Word] {
        let roots = if ty == Type::Real { &mut emitter.numbers } else { &mut emitter.words };
        for (node, root) in core::mem::replace(roots, ArenaVec::new_in(arena)) {
            emitter.node = node;
            emitter.expression(root, ty)?;
        }
    }
    Ok((emitter.stack_depth, emitter.of_root))
}

/// Operations by [`Spelling`](crate::ast::Spelling).
const SPELLED: [StackOp; 3] = [StackOp::SpellReal, StackOp::SpellWhole, StackOp::SpellInt];
/// Operations by [`Bits`](crate::ast::Bits).
const BITS: [StackOp; 3] = [StackOp::AndLong, StackOp::OrLong, StackOp::XorLong];

/// Few expressions are deeper.
const USUAL_DEPTH: usize = 16;

/// Work that is left, last first.
enum Task {
    /// Emit an expression, and leave a value of the type.
    Value(u32, Type),
    /// Emit an operation without operand.
    Op(StackOp),
    /// Emit a short-circuit jump over an expression, and the expression.
    Skip(StackOp, u32),
    /// Emit a curve, whose argument is on the stack.
    Curve(u32),
    /// Let the jump at this word lead here.
    Land(u32),
    /// Name the value on top of the stack by its expression.
    Bind(u32),
    /// End the last name, and drop its value, which is below the top.
    Unbind,
}

struct Emitter<'a, 'e> {
    module: &'a Module,
    frame: &'a FrameLayout<'a>,
    /// Number of sites that need no check.
    fitting: u32,
    /// The conditions, their code and their constants are added to the parts.
    parts: &'a mut Parts,
    /// For each expression that is a condition, its row.
    of_root: ArenaVec<'e, u16>,
    /// For each expression of a routine, true once it has been noted.
    shared: ArenaVec<'e, bool>,
    stack_depth: u32,
    /// Index of each constant, by its bits.
    known: &'a mut HashMap<u64, usize>,
    tasks: ArenaVec<'e, Task>,
    /// Named values: their expressions, and their places on the stack, the lowest first.
    named: ArenaVec<'e, (u32, u32)>,
    /// Expressions that give numbers, with their nodes.
    numbers: ArenaVec<'e, (usize, u32)>,
    /// Expressions that give words, with their nodes.
    words: ArenaVec<'e, (usize, u32)>,
    depth: u32,
    /// The node whose expression this is.
    node: usize,
    /// First reason why the current expression does not fit into an image. It is checked after the
    /// expression, not after each step.
    refused: Option<Refused>,
}

impl Emitter<'_, '_> {
    /// Emits the boolean expressions of a node of this kind, and notes those that give numbers.
    fn node(&mut self, kind: &Kind) -> Result<(), Refused> {
        match *kind {
            Kind::Guard(root) | Kind::While(root) | Kind::Until(root) | Kind::Selection(root) => {
                self.expression(root, Type::Truth)
            }
            Kind::Chain(chain) => {
                let mut transitions = self.module.chains[chain as usize].transitions();
                transitions.try_for_each(|transition| self.expression(transition.condition, Type::Truth))
            }
            Kind::Routine(routine) => self.routine(&self.module.routines[routine as usize]),
            Kind::Rule(rule) => {
                let condition = self.module.rules[rule as usize].condition;
                condition.map_or(Ok(()), |root| self.expression(root, Type::Truth))
            }
            Kind::Set(slot, root) | Kind::Take { to: slot, value: root, .. } => {
                self.of_kind(self.module.slots[usize::from(slot)].kind, root)
            }
            Kind::Share(shared, _, root) => self.of_kind(self.module.shared[usize::from(shared)].kind, root),
            Kind::Priority(first) => self.tests(first, 0, SlotKind::Bit),
            // The last child has no condition.
            Kind::Choose { by: By::First(first), .. } => self.tests(first, 1, SlotKind::Bit),
            Kind::Choose { by: By::Value(_, value, first), .. } => {
                self.of_kind(SlotKind::I32, value)?;
                self.tests(first, 1, SlotKind::Bit)
            }
            Kind::Once(_, root) => self.expression(root, Type::Truth),
            Kind::Shuffle { scores, never, .. } => {
                self.tests(scores, 0, SlotKind::F32)?;
                self.expression(never, Type::Truth)?;
                self.expression(never + 1, Type::Truth)
            }
            Kind::Wait { length: Amount::Computed(root), .. }
            | Kind::Timeout { duration: Amount::Computed(root), .. }
            | Kind::Cooldown { duration: Amount::Computed(root), .. }
            | Kind::Again { times: Some((_, Amount::Computed(root))), .. } => {
                self.of_kind(SlotKind::I32, root)
            }
            Kind::Every { first, interval, .. } => {
                self.of_kind(SlotKind::I32, first)?;
                match interval {
                    Amount::Computed(root) => self.of_kind(SlotKind::I32, root),
                    Amount::Fixed(_) => Ok(()),
                }
            }
            Kind::Choose { by: By::Highest(first), .. } => self.tests(first, 0, SlotKind::F32),
            Kind::Choose { by: By::Keeping { first, .. }, .. } => {
                self.tests(first, 0, SlotKind::F32)?;
                let count = self.module.children(self.node as u32).count();
                let counted = &self.module.tests[first as usize + count..][..2];
                counted.iter().try_for_each(|root| self.of_kind(SlotKind::F32, *root))
            }
            Kind::Start(_, root) => self.of_kind(SlotKind::F32, root),
            _ => Ok(()),
        }
    }

    /// The expressions of a routine. Several operations may have one expression.
    fn routine(&mut self, routine: &Routine) -> Result<(), Refused> {
        for operation in routine.tick.iter().chain(&routine.halt) {
            match *operation {
                Operation::Unless(root, _) => self.once(root, SlotKind::Bit)?,
                Operation::Set(slot, root) => self.once(root, self.module.slots[slot as usize].kind)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// An expression for slots of this kind that several nodes may have.
    fn once(&mut self, root: u32, kind: SlotKind) -> Result<(), Refused> {
        if core::mem::replace(&mut self.shared[root as usize], true) {
            return Ok(());
        }
        self.of_kind(kind, root)
    }

    /// An expression for a slot of this kind.
    fn of_kind(&mut self, kind: SlotKind, root: u32) -> Result<(), Refused> {
        if kind == SlotKind::Bit {
            return self.expression(root, Type::Truth);
        }
        let roots = if kind.is_word() { &mut self.words } else { &mut self.numbers };
        roots.push((self.node, root));
        Ok(())
    }

    /// The conditions or scores of the children of a node, without those of the last `without`
    /// children.
    fn tests(&mut self, first: u32, without: usize, kind: SlotKind) -> Result<(), Refused> {
        let count = self.module.children(self.node as u32).count().saturating_sub(without);
        let tests = &self.module.tests[first as usize..][..count];
        tests.iter().try_for_each(|root| self.of_kind(kind, *root))
    }

    fn expression(&mut self, root: u32, ty: Type) -> Result<(), Refused> {
        let first = self.parts.condition_code.len() as u32;
        let index = self.operand(self.parts.conditions.len(), "conditions");
        self.value(root, ty);
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Value(expr, wanted) => self.value(expr, wanted),
                Task::Op(op) => self.operation(op, 0),
                Task::Skip(op, right) => {
                    let jump = self.parts.condition_code.len() as u32;
                    self.operation(op, 0);
                    self.tasks.extend([Task::Land(jump), Task::Value(right, Type::Truth)]);
                }
                Task::Curve(curve) => self.curve(curve),
                Task::Land(jump) => self.land(jump),
                Task::Bind(value) => self.named.push((value, self.depth)),
                Task::Unbind => {
                    self.named.pop();
                    self.operation(StackOp::Nip, 0);
                }
            }
        }
        let end = match ty {
            Type::Truth => StackOp::End,
            Type::Real => StackOp::Give,
            Type::Word => StackOp::GiveWord,
        };
        self.operation(end, 0);
        self.parts
            .conditions
            .push(ConditionRow { first, count: self.parts.condition_code.len() as u32 - first });
        self.of_root[root as usize] = index;
        self.refused.take().map_or(Ok(()), Err)
    }

    /// Emits an expression without operands. For any other expression, puts off its operation and
    /// its other operands, and goes on with its first operand.
    fn value(&mut self, mut expr: u32, mut wanted: Type) {
        loop {
            let mut third = None;
            let (op, first, second) = match self.module.exprs[expr as usize] {
                Expr::Binary(op, left, right) => (OPERATIONS[op as usize], left, Some(right)),
                Expr::CompareWords(op, left, right) => (OF_WORDS[op as usize], left, Some(right)),
                Expr::Order(left, right) => (StackOp::Order, left, Some(right)),
                Expr::Spelled(spelling, text) => (SPELLED[spelling as usize], text, None),
                Expr::Bits(operator, left, right) => (BITS[operator as usize], left, Some(right)),
                Expr::Math(op, ty, left, right) => (math(op, ty), left, Some(right)),
                Expr::Apply(function, inner) => (FUNCTIONS[function as usize], inner, None),
                Expr::Power(left, right) => (StackOp::Pow, left, Some(right)),
                Expr::Curve(inner, curve) => {
                    self.tasks.push(Task::Curve(curve));
                    (expr, wanted) = (inner, Type::Real);
                    continue;
                }
                Expr::Let(value, body) => {
                    self.tasks.extend(conversion(Type::Real, wanted).map(Task::Op));
                    self.tasks.extend([Task::Unbind, Task::Value(body, Type::Real), Task::Bind(value)]);
                    (expr, wanted) = (value, Type::Real);
                    continue;
                }
                Expr::Negate(ty, inner) => (NEGATIVES[ty as usize], inner, None),
                Expr::Magnitude(ty, inner) => (MAGNITUDES[ty as usize], inner, None),
                Expr::ToInt(inner) => (StackOp::Int, inner, None),
                Expr::ToFloat(inner) => (StackOp::Float, inner, None),
                Expr::ToLong(inner) => (StackOp::Long, inner, None),
                Expr::FromLong(inner) => (StackOp::Real, inner, None),
                Expr::Thousandths(inner) => (StackOp::Thousandths, inner, None),
                Expr::Between(first, last, drawn) => {
                    third = Some(drawn);
                    (StackOp::Between, first, Some(last))
                }
                Expr::Smooth(x, from, to) => {
                    third = Some(to);
                    (StackOp::Smooth, x, Some(from))
                }
                Expr::ToTruth(inner) => (StackOp::Truth, inner, None),
                Expr::FromTruth(inner) => (StackOp::Number, inner, None),
                Expr::Not(inner) => (StackOp::Not, inner, None),
                leaf => return self.leaf(leaf, wanted),
            };
            let ty = op.pops().first().copied().unwrap_or(Type::Real);
            self.tasks.extend(conversion(result(op), wanted).map(Task::Op));
            match second {
                Some(right) if matches!(op, StackOp::And | StackOp::Or) => {
                    self.tasks.push(Task::Skip(op, right));
                }
                Some(right) => {
                    self.tasks.push(Task::Op(op));
                    self.tasks.extend(third.map(|operand| Task::Value(operand, ty)));
                    self.tasks.push(Task::Value(right, ty));
                }
                None => self.tasks.push(Task::Op(op)),
            }
            (expr, wanted) = (first, ty);
        }
    }

    /// Emits an expression without operands, and its conversion to the type that is wanted.
    fn leaf(&mut self, leaf: Expr, wanted: Type) {
        let is_bit = |kind| kind == SlotKind::Bit;
        let (op, operand) = match leaf {
            Expr::Slot(slot) if is_bit(self.module.slots[usize::from(slot)].kind) => {
                (StackOp::Bit, self.frame.at(slot))
            }
            Expr::Slot(slot) => (self.load(slot), self.frame.at(slot)),
            Expr::Asked(site, slot) => {
                let site = self.site(site);
                self.operation(StackOp::Ask, site);
                (self.load(slot), self.frame.at(slot))
            }
            Expr::Shared(shared) if self.module.shared[usize::from(shared)].kind.is_word() => {
                (StackOp::SharedWord, shared)
            }
            Expr::Word(bits) => (StackOp::WordConst, self.constant(bits)),
            Expr::Shared(shared) if is_bit(self.module.shared[usize::from(shared)].kind) => {
                (StackOp::SharedBit, shared)
            }
            Expr::Shared(shared) => (StackOp::Shared, shared),
            Expr::Query(site) => (StackOp::Query, self.site(site)),
            Expr::Now => (StackOp::Now, 0),
            Expr::Bound(value) => {
                // Deeper stacks are refused.
                let place =
                    self.named.iter().rev().take(MAX_STACK as usize).find(|(named, _)| *named == value);
                (StackOp::Copy, place.map_or(0, |(_, place)| self.depth - place) as u16)
            }
            Expr::Draw(draw) => (StackOp::Draw, draw),
            Expr::Since(slot) => (StackOp::Since, self.frame.at(slot)),
            Expr::Noted(slot) => (StackOp::Noted, self.frame.at(slot)),
            Expr::Reached(slot) => (StackOp::Reached, self.frame.at(slot)),
            Expr::Number(number) => (StackOp::Const, self.constant(bits64(number))),
            Expr::Text(text) => (StackOp::Const, self.constant(f64::from(text).to_bits())),
            truth => {
                let number = f64::from(truth == Expr::Truth(true));
                (StackOp::Const, self.constant(number.to_bits()))
            }
        };
        self.operation(op, operand);
        let mut given = result(op);
        if matches!(leaf, Expr::Truth(_)) {
            self.operation(StackOp::Truth, 0);
            given = Type::Truth;
        }
        if let Some(op) = conversion(given, wanted) {
            self.operation(op, 0);
        }
    }

    /// Emits a curve: its first value, and a ramp to each other one.
    fn curve(&mut self, curve: u32) {
        let module = self.module;
        let points = &module.curves[curve as usize];
        self.float(points[0].1);
        for pair in points.windows(2) {
            [pair[0].0, pair[1].0, pair[1].1].into_iter().for_each(|number| self.float(number));
            self.operation(StackOp::Ramp, 0);
        }
        self.operation(StackOp::Nip, 0);
    }

    fn float(&mut self, number: f32) {
        let constant = self.constant(bits64(number.into()));
        self.operation(StackOp::Const, constant);
    }

    /// Returns the operation that pushes a slot that is no bit.
    fn load(&self, slot: u16) -> StackOp {
        if self.module.slots[usize::from(slot)].kind.is_word() { StackOp::WordSlot } else { StackOp::Slot }
    }

    /// Emits an operation. The operand of a jump is filled in later.
    fn operation(&mut self, op: StackOp, operand: u16) {
        self.depth = self.depth + op.pushes().len() as u32 - op.pops().len() as u32;
        if self.depth > self.stack_depth {
            self.deeper();
        }
        self.parts.condition_code.push(StackWord::new(op, operand));
    }

    /// The stack has never been so deep.
    #[cold]
    fn deeper(&mut self) {
        self.stack_depth = self.depth;
        if self.depth > MAX_STACK {
            let message = format!("the condition nests operators more than {MAX_STACK} deep");
            self.refuse((codes::CONDITION_TOO_DEEP, self.span(), message));
        }
    }

    fn land(&mut self, jump: u32) {
        let jump = jump as usize;
        let distance = u16::try_from(self.parts.condition_code.len() - jump);
        let long = || (codes::CONDITION_TOO_DEEP, self.span(), "the condition is too long".to_owned());
        let distance = distance.map_err(|_| long());
        self.parts.condition_code[jump].a = self.or_refuse(distance);
    }

    fn constant(&mut self, bits: u64) -> u16 {
        let constants = &mut self.parts.constants;
        let index = *self.known.entry(bits).or_insert_with(|| {
            constants.push(bits);
            constants.len() - 1
        });
        self.operand(index, "different numbers in conditions")
    }

    /// Returns a count as a 16-bit operand.
    fn operand(&mut self, index: usize, what: &str) -> u16 {
        let found = operand(index, what, self.span());
        self.or_refuse(found)
    }

    /// Returns the operand that names a call of the host.
    fn site(&mut self, site: u32) -> u16 {
        if site < self.fitting {
            return site as u16;
        }
        let found = limits::site(self.module, site, self.span());
        self.or_refuse(found)
    }

    /// Returns the operand, or 0 if it is refused.
    fn or_refuse(&mut self, found: Result<u16, Refused>) -> u16 {
        found.unwrap_or_else(|refused| {
            self.refuse(refused);
            0
        })
    }

    /// Records a reason. Only the first one is reported.
    #[cold]
    fn refuse(&mut self, refused: Refused) {
        self.refused.get_or_insert(refused);
    }

    fn span(&self) -> Option<Span> {
        self.module.nodes[self.node].span
    }
}

/// Returns the type of the value that an operation leaves.
fn result(op: StackOp) -> Type {
    op.pushes().first().copied().unwrap_or(Type::Truth)
}

/// Returns the operation that makes a value of one type of a value of the other.
fn conversion(given: Type, wanted: Type) -> Option<StackOp> {
    match (given, wanted) {
        (Type::Real, Type::Truth) => Some(StackOp::Truth),
        (Type::Truth, Type::Real) => Some(StackOp::Number),
        _ => None,
    }
}

/// Returns the operation that an operator between numbers is.
fn math(op: Math, ty: Arithmetic) -> StackOp {
    use StackOp::*;
    let each = match op {
        Math::Add => [AddInt, AddFloat, AddLong, AddDouble],
        Math::Subtract => [SubInt, SubFloat, SubLong, SubDouble],
        Math::Multiply => [MulInt, MulFloat, MulLong, MulDouble],
        Math::Divide => [DivInt, DivFloat, DivLong, DivDouble],
        // Floats have no remainder.
        Math::Remainder => [RemInt, RemInt, RemLong, RemInt],
        Math::Min => [Min, Min, MinLong, Min],
        Math::Max => [Max, Max, MaxLong, Max],
    };
    each[ty as usize]
}

/// Operations of the functions of one number, in their order.
static FUNCTIONS: [StackOp; 2] = [StackOp::Sqrt, StackOp::Logistic];

/// Operations that change the sign of a number, by arithmetic.
static NEGATIVES: [StackOp; 4] = [StackOp::NegInt, StackOp::NegFloat, StackOp::NegLong, StackOp::NegDouble];

/// Operations that take the sign of a number away, by arithmetic.
static MAGNITUDES: [StackOp; 4] = [StackOp::AbsInt, StackOp::AbsFloat, StackOp::AbsLong, StackOp::AbsDouble];

/// Operations of the comparisons of words, in the order of the operators.
static OF_WORDS: [StackOp; 6] =
    [StackOp::LtLong, StackOp::LeLong, StackOp::GtLong, StackOp::GeLong, StackOp::EqWord, StackOp::NeWord];

/// Operations of the operators with a boolean result, in the order of the operators.
static OPERATIONS: [StackOp; 8] = {
    use StackOp::{And, Eq, Ge, Gt, Le, Lt, Ne, Or};
    const _: () =
        assert!(Binary::Less as usize == 0 && Binary::NotEqual as usize == 5 && Binary::Or as usize == 7);
    [Lt, Le, Gt, Ge, Eq, Ne, And, Or]
};
