//! Functions of the language, queries and actions: which function a name means, and its arguments.
//!
//! Arguments are the operands on top of the stack, from some position on.

use super::super::syntax::Param;
use super::operate::{goes_as, widened};
use super::{
    Checker, Diagnostic, Expr, Function, Meaning, Op, Operand, Scope, Span, Type, Value, Word, ast, codes,
};
use pleach_image::float::bits64;

/// Most parameters of a function or tree that a help shows.
pub(super) const SHOWN_PARAMS: usize = 8;

impl<'s> Checker<'s, '_> {
    /// Returns the meaning of a name in an expression, declared by the text or by the manifest.
    #[inline]
    pub(super) fn meaning(&mut self, word: Word) -> Meaning {
        match self.names.get(word).value {
            Meaning::Nothing => self.host().value(word),
            known => known,
        }
    }

    /// The action that a word names, by the text or by the manifest.
    #[inline]
    pub(super) fn action(&mut self, word: Word) -> Option<u32> {
        self.names.get(word).action.or_else(|| self.host().action(word))
    }

    /// `NAME(…)` in an expression.
    pub(super) fn call(&mut self, word: Word, op: Op, index: u32) {
        let first = self.stack.len().saturating_sub(op.count as usize);
        let marks = match self.stack.get(first) {
            Some(operand) => operand.marks,
            None => (self.file.exprs.len() as u32, self.file.args.len() as u32),
        };
        let value = match self.meaning(word) {
            Meaning::Query(query) => self.query(query, first, op),
            Meaning::Function(function) => self.function(function, first, op),
            Meaning::Nothing => self.unknown_value(word, op),
            Meaning::Variable(_)
            | Meaning::Constant(_)
            | Meaning::Symbol(_)
            | Meaning::Member(_)
            | Meaning::SharedMember(_) => self.no_function(word, op),
        };
        let args = &self.stack[first..];
        let call = Operand {
            value,
            ops: (args.first().map_or(index, |it| it.ops.0), index + 1),
            marks,
            named: args.iter().any(|it| it.named),
            given: args.iter().any(|it| it.given),
        };
        self.stack.truncate(first);
        self.stack.push(call);
    }

    /// A query's answer, as its type.
    pub(super) fn query(&mut self, query: u32, first: usize, op: Op) -> Value {
        let function @ Function { name, answers, .. } = self.program.queries[query as usize];
        let Some(args) = self.arguments(function, first, self.place((op.start, op.end)), false) else {
            return Value::Wrong;
        };
        if answers.floats().is_some() {
            return self.ask_for_vector(answers, name, args);
        }
        if !answers.is_word() {
            return self.ask(answers, Expr::Query { name, args });
        }
        let out = ast::Value::Out(self.answer(answers), ast::NO_VARIABLE);
        self.file.args.push(out);
        self.ask(answers, Expr::Asked { name, args: (args.0, args.1 + 1) })
    }

    /// Emits the arguments of a query or an action; `None` if there are too many or too few.
    pub(super) fn arguments(
        &mut self,
        function: Function<'s>,
        first: usize,
        at: Span,
        is_action: bool,
    ) -> Option<(u32, u32)> {
        let count = self.stack.len() - first;
        if count == 0 && function.params.is_empty() {
            return Some((self.file.args.len() as u32, 0));
        }
        let least = function.params.iter().filter(|param| !param.optional).count();
        if count < least || count > function.params.len() {
            let whom = format!("`{}`", self.session.names.cited(function.name));
            let usage = self.signature(function.name, function.params);
            self.wrong_count(count < least, &whom, &usage, function.span, at);
            return None;
        }
        let args = self.file.args.len() as u32;
        for (position, param) in (first..first + count).zip(function.params) {
            let operand = self.stack[position];
            if param.out {
                self.out_argument(&operand, *param, function.span);
            } else if let Some(value) = self.fit(&operand, *param, function.span) {
                self.argument(position, value, *param, is_action);
            }
        }
        Some((args, self.file.args.len() as u32 - args))
    }

    /// Emits an argument that is passed to the host: one for each float of a vector.
    fn argument(&mut self, position: usize, value: Value, param: Param, is_action: bool) {
        let operand = self.stack[position];
        if param.ty.floats().is_none() {
            let passed = self.passed(&operand, value, param, is_action);
            return self.file.args.push(passed);
        }
        let value = match value {
            Value::Vector(_, _, false) if !is_action => {
                self.computed_argument(&operand);
                Value::Open(param.ty)
            }
            value => value,
        };
        if is_action {
            self.compute_factors(position, param.name);
        }
        for part in self.floats_of(value) {
            let passed = match value {
                Value::Vector(..) if is_action && !part.is_constant() => {
                    ast::Value::Variable(self.compute(&operand, part, param.name))
                }
                _ => self.passed(&operand, part, Param { ty: Type::Float, ..param }, is_action),
            };
            self.file.args.push(passed);
        }
    }

    /// Returns the value of an argument.
    fn passed(&mut self, operand: &Operand, value: Value, param: Param, is_action: bool) -> ast::Value {
        let shared = match value {
            Value::Variable(variable, _) | Value::Widened(variable, _) => {
                let is_shared = self.program.variables[variable as usize].scope != Scope::Agent;
                is_shared.then_some(variable)
            }
            _ => None,
        };
        if is_action && (shared.is_some() || matches!(value, Value::Computed(..))) {
            let value = self.widen(value, param.ty);
            return ast::Value::Variable(self.compute(operand, value, param.name));
        }
        if let Some(variable) = shared {
            let help = match self.tunable_named(variable) {
                Some(name) => {
                    format!("declare it as `tune agent const {name}`, of which each agent has a value")
                }
                None => "copy it into a variable of the agent with `set`, and pass that".to_owned(),
            };
            self.no_argument(operand, "a variable that agents share cannot be passed here", &help);
        }
        match value {
            Value::Int(value) | Value::Member(_, value) => ast::Value::Int(value),
            Value::Float(value) => ast::Value::Float(value),
            Value::Int64(value) => ast::Value::Int64((value as u64).into()),
            Value::Double(value) => ast::Value::Double(bits64(value).into()),
            Value::Nobody => ast::Value::Nobody,
            Value::Variable(variable, _) | Value::Widened(variable, _) => ast::Value::Variable(variable),
            Value::Truth(value) => ast::Value::Int(value.into()),
            Value::Text(value) => ast::Value::Text(value),
            Value::Computed(..) => {
                self.computed_argument(operand);
                ast::Value::Int(0)
            }
            Value::Open(_) | Value::Wrong | Value::Vector(..) => ast::Value::Int(0),
        }
    }

    /// Emits an out argument: a variable of the agent, of the type of the parameter.
    fn out_argument(&mut self, operand: &Operand, param: Param, declared: Option<Span>) {
        let (variable, held) = match operand.value {
            Value::Variable(variable, held) => (variable, held),
            Value::Open(_) | Value::Wrong => return,
            _ => {
                let help = "the action gives a value by it: write the name of a variable, or of a parameter that stands for one";
                self.no_argument(operand, "this is no variable, and cannot get a value", help);
                return;
            }
        };
        if self.tunable_named(variable).is_some() {
            self.no_argument(operand, "a tunable cannot get a value", "pass a `var` of the agent");
            return;
        }
        if self.program.variables[variable as usize].scope != Scope::Agent {
            let help = "pass a variable of the agent, and copy it with `set` when the action has succeeded";
            self.no_argument(operand, "a variable that agents share cannot get a value here", help);
            return;
        }
        let fits = match (param.ty, held) {
            (Type::Entity(given), Type::Entity(held)) => given == held || held == 0,
            (given, held) => given == held,
        };
        if !fits {
            let what = format!("the variable for `{}`", self.session.names.cited(param.name));
            let finding = self.mismatched(operand, param.ty, &what);
            self.report(Diagnostic { help: None, ..finding }.related(declared, "declared here"));
            return;
        }
        for part in variable..variable + held.parts() as u32 {
            let given = self.give(operand, part, param.name);
            self.file.args.push(given);
        }
    }

    /// Says that an argument is computed while the tree runs.
    pub(super) fn computed_argument(&mut self, operand: &Operand) {
        let help = "arguments of queries and trees are constants or variables: write it into a variable with `set`, and pass that";
        self.no_argument(operand, "this is computed while the tree runs and cannot be passed", help);
    }

    /// The value of an argument as its parameter wants it; `None` if it is of another type.
    pub(super) fn fit(&mut self, operand: &Operand, param: Param, declared: Option<Span>) -> Option<Value> {
        Some(match (operand.value, operand.value.ty()?, param.ty) {
            (value, is, wanted) if is == wanted => value,
            (value, Type::Int | Type::Float, Type::Number) => value,
            (value, _, wanted) if goes_as(value, wanted) => value,
            (value, is, wanted) if widened(is, wanted) == Some(wanted) => match value {
                Value::Variable(variable, _) | Value::Widened(variable, _) => {
                    Value::Widened(variable, wanted)
                }
                // Where it is passed, it becomes one of the type.
                Value::Computed(..) => value,
                _ => self.promoted(operand, wanted),
            },
            (_, is, wanted) if self.is_unknown(is) || self.is_unknown(wanted) => return None,
            _ => {
                let what = format!("the argument `{}`", self.session.names.cited(param.name));
                let finding = self.mismatched(operand, param.ty, &what).related(declared, "declared here");
                self.report(finding);
                return None;
            }
        })
    }

    #[cold]
    pub(super) fn no_argument(&mut self, operand: &Operand, message: &str, help: &str) {
        self.report_value(operand, codes::BAD_ARGUMENT_VALUE, message, help);
    }

    /// Says that there are too few or too many arguments.
    #[cold]
    pub(super) fn wrong_count(
        &mut self,
        few: bool,
        whom: &str,
        usage: &str,
        declared: Option<Span>,
        at: Span,
    ) {
        let (code, how) =
            if few { (codes::TOO_FEW_ARGUMENTS, "few") } else { (codes::TOO_MANY_ARGUMENTS, "many") };
        let message = format!("too {how} arguments for {whom}");
        let finding = Diagnostic::new(code, Some(at), message)
            .help(format!("it is `{usage}`"))
            .related(declared, "declared here");
        self.report(finding);
    }

    /// Returns the declaration of a function or tree, for a help.
    pub(super) fn signature(&self, name: crate::text::Sym, params: &[Param]) -> String {
        let text = |param: &Param| {
            let ty = match param.ty {
                Type::Number => "int or float".to_owned(),
                ty => self.type_name(ty),
            };
            let optional = if param.optional { "?" } else { "" };
            let out = if param.out { "out " } else { "" };
            format!("{out}{}: {ty}{optional}", self.session.names.cited(param.name))
        };
        let more = if params.len() > SHOWN_PARAMS { ", …" } else { "" };
        let params: Vec<_> = params.iter().take(SHOWN_PARAMS).map(text).collect();
        format!("{}({}{more})", self.session.names.cited(name), params.join(", "))
    }
}
