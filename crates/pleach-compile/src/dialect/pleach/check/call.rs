//! Functions of the language, queries and actions: who is meant, and what is passed.
//!
//! Arguments are the operands on top of the stack, from some position on.

use super::super::names::Meaning;
use super::super::syntax::{Function, Op, Param, Type};
use super::super::words::{Keyword, Word};
use super::Checker;
use super::value::{Operand, Value};
use crate::ast::{self, Arg, Expr, Scope};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::manifest::{self, Manifest};
use crate::source::Span;
use crate::text::Interner;

/// Which of the host's functions is called.
#[derive(Clone, Copy, Debug)]
pub(super) enum Callee {
    /// Index in [`super::Program::actions`].
    Action(u32),
    /// Index in [`super::Program::queries`].
    Query(u32),
}

impl Checker<'_, '_> {
    /// What a name in an expression stands for, by the text or by the manifest.
    #[inline]
    pub(super) fn meaning(&mut self, word: Word) -> Meaning {
        match self.names.get(word).value {
            Meaning::Nothing => self.manifest_value(word),
            known => known,
        }
    }

    /// Takes a query or symbol over from the manifest when it is first met.
    #[cold]
    fn manifest_value(&mut self, word: Word) -> Meaning {
        if let Some(function) = Keyword::of(word).filter(|keyword| keyword.is_function()) {
            return Meaning::Function(function);
        }
        let manifest: &Manifest = self.session.manifest;
        let name = self.session.names.bytes(self.program.words.sym(word));
        let symbol = manifest.symbols.iter().find(|symbol| symbol.name.as_bytes() == name);
        let query = manifest.queries.iter().find(|query| query.name.as_bytes() == name);
        let meaning = match (query, symbol) {
            (Some(query), _) => {
                let query = declared(query, &mut self.session.names);
                self.program.queries.push(query);
                Meaning::Query(self.program.queries.len() as u32 - 1)
            }
            (None, Some(symbol)) => Meaning::Symbol(symbol.value),
            (None, None) => return Meaning::Nothing,
        };
        self.names.row(word).value = meaning;
        meaning
    }

    /// The action that a word names, by the text or by the manifest.
    #[inline]
    pub(super) fn action(&mut self, word: Word) -> Option<u32> {
        self.names.get(word).action.or_else(|| self.manifest_action(word))
    }

    #[cold]
    fn manifest_action(&mut self, word: Word) -> Option<u32> {
        let manifest: &Manifest = self.session.manifest;
        let name = self.session.names.bytes(self.program.words.sym(word));
        let action = manifest.actions.iter().find(|action| action.name.as_bytes() == name)?;
        let action = declared(action, &mut self.session.names);
        self.program.actions.push(action);
        let index = self.program.actions.len() as u32 - 1;
        self.names.row(word).action = Some(index);
        Some(index)
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
            Meaning::Variable(_) | Meaning::Constant(_) | Meaning::Symbol(_) => self.no_function(word, op),
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

    /// A function of the language.
    fn function(&mut self, function: Keyword, first: usize, op: Op) -> Value {
        let args = self.stack.len() - first;
        let wanted = match function {
            Keyword::Abs => 1,
            Keyword::Clamp => 3,
            _ => 2,
        };
        if args != wanted {
            let whom = format!("`{}`", function.text());
            self.wrong_count(args < wanted, &whom, usage(function), None, self.place((op.start, op.end)));
            return Value::Wrong;
        }
        for position in first..first + args {
            let arg = self.stack[position];
            match arg.value.ty() {
                Some(Type::Int | Type::Float) => {}
                None => return Value::Wrong,
                _ => {
                    return self.mismatch(
                        &arg,
                        Type::Number,
                        &format!("an argument of `{}`", function.text()),
                    );
                }
            }
        }
        let value = |checker: &Self, position: usize| checker.stack[first + position].value;
        match function {
            Keyword::Abs => {
                let x = self.stack[first];
                self.magnitude(&x)
            }
            Keyword::Clamp => {
                let (x, low, high) = (value(self, 0), value(self, 1), value(self, 2));
                let bound = self.extreme(true, x, low);
                self.extreme(false, bound, high)
            }
            _ => {
                let (left, right) = (value(self, 0), value(self, 1));
                self.extreme(function == Keyword::Max, left, right)
            }
        }
    }

    /// A query's answer, as its type.
    pub(super) fn query(&mut self, query: u32, first: usize, op: Op) -> Value {
        let Function { name, answers, .. } = self.program.queries[query as usize];
        let span = self.place((op.start, op.end));
        let Some(args) = self.arguments(Callee::Query(query), first, span) else { return Value::Wrong };
        let asked = self.emit(Expr::Query { name, args, span });
        let (ty, answer) = match answers {
            Type::Bool => (Type::Bool, Expr::ToTruth(asked)),
            Type::Int => (Type::Int, Expr::ToInt(asked)),
            Type::Float | Type::Number | Type::Text => (Type::Float, Expr::ToFloat(asked)),
        };
        Value::Computed(ty, self.emit(answer))
    }

    fn callee(&self, callee: Callee) -> &Function {
        match callee {
            Callee::Action(index) => &self.program.actions[index as usize],
            Callee::Query(index) => &self.program.queries[index as usize],
        }
    }

    /// Emits the arguments of a query or an action; `None` if there are too many or too few.
    pub(super) fn arguments(&mut self, callee: Callee, first: usize, at: Span) -> Option<(u32, u32)> {
        let function = self.callee(callee);
        let count = self.stack.len() - first;
        if count == 0 && function.params.is_empty() {
            return Some((self.file.args.len() as u32, 0));
        }
        let least = function.params.iter().filter(|param| !param.optional).count();
        if count < least || count > function.params.len() {
            let whom = format!("`{}`", self.session.names.text(function.name));
            let (usage, declared) = (self.signature(function.name, &function.params), function.span);
            self.wrong_count(count < least, &whom, &usage, declared, at);
            return None;
        }
        let args = self.file.args.len() as u32;
        for position in 0..count {
            let operand = self.stack[first + position];
            let param = self.callee(callee).params[position];
            let value = self.argument(&operand, param, self.callee(callee).span);
            self.file.args.push(Arg { name: None, value, span: self.cover(operand.ops) });
        }
        Some((args, count as u32))
    }

    /// An argument that is passed to the host.
    fn argument(&mut self, operand: &Operand, param: Param, declared: Option<Span>) -> ast::Value {
        let Some(value) = self.fit(operand, param, declared) else { return ast::Value::Int(0) };
        match value {
            Value::Int(value) => ast::Value::Int(value),
            Value::Float(value) => ast::Value::Float(value),
            Value::Truth(value) => ast::Value::Int(value.into()),
            Value::Text(value) => ast::Value::Text(value),
            Value::Variable(variable, _) => {
                if self.program.variables[variable as usize].scope != Scope::Agent {
                    let help = "copy it into a variable of the agent with `set`, and pass that";
                    self.no_argument(operand, "a variable that agents share cannot be passed", help);
                }
                ast::Value::Variable(variable)
            }
            Value::Computed(..) => {
                let help = "arguments are constants or variables: write it into a variable with `set`, and pass that";
                self.no_argument(operand, "this is computed while the tree runs and cannot be passed", help);
                ast::Value::Int(0)
            }
            Value::Open(_) | Value::Wrong => ast::Value::Int(0),
        }
    }

    /// The value of an argument as its parameter wants it; `None` if it is of another type.
    pub(super) fn fit(&mut self, operand: &Operand, param: Param, declared: Option<Span>) -> Option<Value> {
        let value = operand.value;
        match (value.ty()?, param.ty) {
            (Type::Int | Type::Float, Type::Number) => Some(value),
            (Type::Int, Type::Float) if value.is_constant() => Some(self.widen(value)),
            (Type::Int, Type::Float) => match value {
                Value::Variable(variable, _) => Some(Value::Variable(variable, Type::Float)),
                _ => Some(value),
            },
            (is, wanted) if is == wanted => Some(value),
            _ => {
                let what = format!("the argument `{}`", self.session.names.text(param.name));
                let mut finding = self.mismatched(operand, param.ty, &what);
                if let Some(span) = declared {
                    finding = finding.related(span, "declared here");
                }
                self.report(finding);
                None
            }
        }
    }

    #[cold]
    pub(super) fn no_argument(&mut self, operand: &Operand, message: &str, help: &str) {
        let at = self.cover(operand.ops);
        let finding = Diagnostic::new(codes::BAD_ARGUMENT_VALUE, Some(at), message).help(help);
        self.report_value(operand, finding);
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
        let mut finding = Diagnostic::new(code, Some(at), message).help(format!("it is `{usage}`"));
        if let Some(span) = declared {
            finding = finding.related(span, "declared here");
        }
        self.report(finding);
    }

    /// How a function or tree is declared, for a help.
    pub(super) fn signature(&self, name: crate::text::Sym, params: &[Param]) -> String {
        let text = |param: &Param| {
            let optional = if param.optional { "?" } else { "" };
            format!("{}: {}{optional}", self.session.names.text(param.name), param.ty)
        };
        let params: Vec<_> = params.iter().map(text).collect();
        format!("{}({})", self.session.names.text(name), params.join(", "))
    }
}

/// How a function of the language is called.
fn usage(function: Keyword) -> &'static str {
    match function {
        Keyword::Abs => "abs(x)",
        Keyword::Clamp => "clamp(x, low, high)",
        Keyword::Max => "max(a, b)",
        _ => "min(a, b)",
    }
}

/// A function that a manifest declares.
pub(super) fn declared(function: &manifest::Function, names: &mut Interner) -> Function {
    let ty = |ty| match ty {
        manifest::Type::Bool => Type::Bool,
        manifest::Type::Int => Type::Int,
        manifest::Type::Float => Type::Float,
        manifest::Type::Number => Type::Number,
        manifest::Type::Text => Type::Text,
    };
    let params = function.params.iter().map(|param| Param {
        name: names.intern(param.name.as_bytes()),
        ty: ty(param.ty),
        optional: param.optional,
    });
    let params = params.collect();
    let answers = function.answers.map_or(Type::Bool, ty);
    Function { name: names.intern(function.name.as_bytes()), span: None, params, answers }
}
