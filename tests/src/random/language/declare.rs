//! Random declarations.

use super::expression::Scene;
use super::{Builder, Kind, Scope, Type, Variable};

/// Named constant.
#[derive(Clone, Debug)]
pub(super) struct Constant {
    pub(super) name: String,
    pub(super) ty: Type,
    /// Value of the constant, if it is small and known.
    pub(super) value: Option<i32>,
}

/// Enum with the numbers of its members.
#[derive(Clone, Debug)]
pub(super) struct Enum {
    pub(super) name: String,
    pub(super) members: Vec<String>,
}

/// Action, or query with the type of its answer.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: String,
    /// Types of its parameters; `None` is a text.
    params: Vec<Option<Type>>,
    /// True for the parameters by which an action gives values.
    outs: Vec<bool>,
    pub(super) answers: Option<Type>,
}

/// Parameter of a tree.
#[derive(Clone, Debug)]
pub(super) struct Param {
    pub(super) name: String,
    /// Type of the parameter; `None` is a text.
    pub(super) ty: Option<Type>,
    /// True if it always stands for a constant.
    pub(super) constant: bool,
    /// True if it always stands for a number from 1 to 4.
    pub(super) count: bool,
    /// Kind of a variable of the tree; none for a parameter.
    pub(super) local: Option<Kind>,
}

/// Tree that others may use.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) name: String,
    pub(super) params: Vec<Param>,
    /// Number of nodes that a use of it adds.
    pub(super) size: usize,
}

const KINDS: &[Kind] = &[
    Kind::Bool,
    Kind::Int("int"),
    Kind::Float,
    Kind::Int("int8"),
    Kind::Int("uint8"),
    Kind::Int("int16"),
    Kind::Int("uint16"),
    Kind::Long,
    Kind::Double,
    Kind::Entity("entity"),
    Kind::Entity("entity<Enemy>"),
    Kind::Text,
    Kind::Vector(2),
    Kind::Vector(3),
];
const TYPES: &[Option<Type>] = &[
    Some(Type::Bool),
    Some(Type::Int),
    Some(Type::Float),
    Some(Type::Int),
    Some(Type::Float),
    Some(Type::Long),
    Some(Type::Double),
    Some(Type::Entity("entity")),
    Some(Type::Entity("entity<Enemy>")),
    Some(Type::Text),
    Some(Type::Vector(2)),
    Some(Type::Vector(3)),
];
/// Types of parameters; `None` is a text.
const PARAMS: &[Option<Type>] = &[
    None,
    Some(Type::Bool),
    Some(Type::Int),
    Some(Type::Int),
    Some(Type::Int),
    Some(Type::Int),
    Some(Type::Int),
    Some(Type::Float),
    Some(Type::Float),
    Some(Type::Long),
    Some(Type::Double),
    Some(Type::Entity("entity")),
    Some(Type::Entity("entity<Enemy>")),
    Some(Type::Text),
    Some(Type::Vector(2)),
    Some(Type::Vector(3)),
];
pub(super) const TEXTS: &[&str] =
    &["\"\"", "\"north gate\"", "\"\\\"q\\\" \\\\ \\n\\t\"", "\"tr\u{e4}d\"", "\"// no\""];

/// Numbers near the limits of columns, for members.
const NUMBERS: &[i64] = &[-2_147_483_648, -40_000, -200, -3, 7, 200, 255, 256, 40_000, 70_000, 2_147_483_600];

impl Builder {
    pub(super) fn word(&self, ty: Option<Type>) -> String {
        match ty {
            Some(Type::Bool) => "bool".to_owned(),
            Some(Type::Int) => "int".to_owned(),
            Some(Type::Float) => "float".to_owned(),
            Some(Type::Long) => "int64".to_owned(),
            Some(Type::Double) => "double".to_owned(),
            Some(Type::Entity(word)) => word.to_owned(),
            Some(Type::Enum(index)) => self.enums[index].name.clone(),
            Some(Type::Vector(count)) => format!("vec{count}"),
            Some(Type::Text) | None => "text".to_owned(),
        }
    }

    /// Returns the type of a variable as text.
    fn kind_word(&self, kind: Kind) -> String {
        match kind {
            Kind::Int(word) => word.to_owned(),
            kind => self.word(Some(kind.ty())),
        }
    }

    /// Returns one of the types, or an enum.
    fn ty(&mut self, types: &[Option<Type>]) -> Option<Type> {
        if !self.enums.is_empty() && self.draws.one_in(5) {
            return Some(Type::Enum(self.draws.below(self.enums.len())));
        }
        self.draws.pick(types)
    }

    fn kind(&mut self) -> Kind {
        match self.ty(&[None]) {
            Some(Type::Enum(index)) => Kind::Enum(index),
            _ => self.draws.pick(KINDS),
        }
    }

    fn enumeration(&mut self) {
        self.has("enum");
        let name = self.plain_name("E");
        let (mut members, mut list, mut last) = (Vec::new(), Vec::new(), -1_i64);
        for _ in 0..1 + self.draws.below(5) {
            let member = self.plain_name("m");
            let greater: Vec<_> = NUMBERS.iter().copied().filter(|number| *number > last).collect();
            let first = members.is_empty() && self.draws.one_in(3);
            if first || self.draws.one_in(5) && !greater.is_empty() {
                self.has("number of a member");
                let from = if first { NUMBERS } else { &greater };
                last = self.draws.pick(from);
                list.push(format!("{member} = {last}"));
            } else {
                last += 1;
                list.push(member.clone());
            }
            members.push(member);
        }
        let comma = self.draws.pick(&["", "", ",", "\n"]);
        self.items.push((format!("enum {name} {{ {}{comma} }}", list.join(", ")), false));
        self.enums.push(Enum { name, members });
    }

    /// Returns a member of an enum, as an expression.
    pub(super) fn member(&mut self, index: usize) -> String {
        let Enum { name, members } = self.enums[index].clone();
        let member = &members[self.draws.below(members.len())];
        if self.draws.one_in(2) {
            self.has("member alone");
            return member.clone();
        }
        self.has("member with its enum");
        format!("{name}.{member}")
    }

    /// Adds all declarations but trees.
    pub(super) fn declarations(&mut self) {
        self.several(3, Self::enumeration);
        self.several(6, Self::constant);
        self.declare_function(None);
        self.several(4, |it| it.declare_function(None));
        self.several(5, |it| {
            let answers = it.ty(TYPES);
            it.declare_function(answers);
        });
        self.several(10, Self::variable);
        if self.draws.one_in(2) {
            self.several(5, Self::tunable);
        }
        self.several(3, Self::giving_action);
        self.several(4, Self::event);
    }

    /// Adds fewer parts than `limit`.
    pub(super) fn several(&mut self, limit: usize, mut part: impl FnMut(&mut Self)) {
        for _ in 0..self.draws.count(limit) {
            self.draws.begin();
            part(self);
            self.draws.end();
        }
    }

    fn constant(&mut self) {
        let Some(ty) = self.ty(TYPES) else { return };
        let name = self.name("C");
        let value = (ty == Type::Int && self.draws.one_in(2)).then(|| self.draws.below(40) as i32);
        let text = match value {
            Some(value) => self.exactly(value),
            None => self.expression(ty, 3, Scene::CONSTANT),
        };
        self.has("const");
        let typed = if self.draws.one_in(2) {
            self.has("typed const");
            format!(": {}", self.word(Some(ty)))
        } else {
            String::new()
        };
        self.items.push((format!("const {name}{typed} = {text}"), false));
        self.constants.push(Constant { name, ty, value });
    }

    fn declare_function(&mut self, answers: Option<Type>) {
        let (keyword, end) = match answers {
            None => ("action", String::new()),
            Some(ty) => ("query", format!(": {}", self.word(Some(ty)))),
        };
        self.has(keyword);
        let name = self.name(keyword);
        let count = self.draws.pick(&[0, 0, 1, 2, 4]);
        let params: Vec<_> = (0..count).map(|_| self.ty(PARAMS)).collect();
        let list: Vec<_> =
            params.iter().enumerate().map(|(at, ty)| format!("p{at}: {}", self.word(*ty))).collect();
        let list = match (list.is_empty(), self.draws.one_in(3)) {
            (true, false) => String::new(),
            _ => format!("({})", list.join(", ")),
        };
        self.items.push((format!("{keyword} {name}{list}{end}"), false));
        let functions = if answers.is_some() { &mut self.queries } else { &mut self.actions };
        let outs = vec![false; params.len()];
        functions.push(Function { name, params, outs, answers });
    }

    /// Declares an action that gives values of the types of some variables of agents.
    fn giving_action(&mut self) {
        let own: Vec<_> = self.variables.iter().filter(|it| it.scope == Scope::Agent).cloned().collect();
        if own.is_empty() {
            return;
        }
        self.has("out parameter");
        let name = self.name("action");
        let (mut params, mut outs) = (Vec::new(), Vec::new());
        for _ in 0..self.draws.pick(&[1, 1, 2, 3]) {
            outs.push(params.is_empty() || self.draws.one_in(2));
            let ty = own[self.draws.below(own.len())].kind.ty();
            params.push(if outs.last() == Some(&true) { Some(ty) } else { self.ty(PARAMS) });
        }
        let text = |(at, (ty, out)): (usize, (&Option<Type>, &bool))| {
            format!("{}p{at}: {}", if *out { "out " } else { "" }, self.word(*ty))
        };
        let list: Vec<_> = params.iter().zip(&outs).enumerate().map(text).collect();
        self.items.push((format!("action {name}({})", list.join(", ")), false));
        self.actions.push(Function { name, params, outs, answers: None });
    }

    /// Returns a variable of the agent or of the tree that can get a value of a type.
    fn out_argument(&mut self, ty: Option<Type>, scene: Scene<'_>) -> String {
        self.has("out argument");
        if ty == Some(Type::Float)
            && self.draws.one_in(3)
            && let Some(part) = self.part_as_argument(scene, true)
        {
            return part;
        }
        let locals = scene.params.iter().filter(|it| it.local.is_some() && it.ty == ty);
        let own = self.variables.iter().filter(|it| it.scope == Scope::Agent && Some(it.kind.ty()) == ty);
        let names: Vec<_> = locals.map(|it| it.name.clone()).chain(own.map(|it| it.name.clone())).collect();
        names[self.draws.below(names.len())].clone()
    }

    fn variable(&mut self) {
        let kind = self.kind();
        let (scope, keyword) = self.draws.pick(&[
            (Scope::Agent, "var"),
            (Scope::Agent, "var"),
            (Scope::Group, "group var"),
            (Scope::World, "world var"),
        ]);
        self.has(keyword);
        self.has(kind.construct());
        let name = self.name("v");
        let default = if self.draws.one_in(2) {
            self.has("default");
            let value = self.wanted(kind.ty(), 2, Scene::CONSTANT);
            fitting_default(kind, &value)
        } else {
            String::new()
        };
        self.items.push((format!("{keyword} {name}: {}{default}", self.kind_word(kind)), false));
        self.variables.push(Variable { name, scope, kind });
    }

    /// Adds an event with one handler or a few.
    fn event(&mut self) {
        let name = self.name("hit");
        self.has("on");
        for _ in 0..1 + self.draws.below(2) {
            let mut sets = Vec::new();
            self.several(4, |it| sets.extend(it.set(Scene::HANDLER)));
            self.items.push((format!("on {name} {{ {} }}", sets.join(" ")), false));
        }
        self.events.push(name);
    }

    /// Declares variables of a tree, which are added to its parameters. Returns their text.
    pub(super) fn locals(&mut self, params: &mut Vec<Param>) -> String {
        let mut text = String::new();
        self.several(4, |it| {
            let (kind, keeps) = (it.kind(), it.draws.one_in(3));
            it.has(if keeps { "keep var" } else { "var of a tree" });
            let name = it.name("l");
            let default = if it.draws.one_in(2) {
                it.has("default of a var of a tree");
                let scene = Scene { params, constant: keeps };
                let value = it.wanted(kind.ty(), 2, scene);
                fitting_default(kind, &value)
            } else {
                String::new()
            };
            let keep = if keeps { "keep " } else { "" };
            text += &format!("{keep}var {name}: {}{default}\n", it.kind_word(kind));
            let (ty, local) = (Some(kind.ty()), Some(kind));
            params.push(Param { name, ty, constant: false, count: false, local });
        });
        text
    }

    /// Returns a call of a function, or its use in a condition.
    pub(super) fn call(&mut self, function: &Function, scene: Scene<'_>) -> String {
        let params = function.params.iter().zip(&function.outs);
        let argument = |(ty, out): (&Option<Type>, &bool)| match out {
            true => self.out_argument(*ty, scene),
            false => self.argument(*ty, false, scene),
        };
        let args: Vec<_> = params.map(argument).collect();
        let empty = args.is_empty() && self.draws.one_in(2);
        if empty { function.name.clone() } else { format!("{}({})", function.name, args.join(", ")) }
    }

    pub(super) fn call_any_action(&mut self, scene: Scene<'_>) -> String {
        let action = self.actions[self.draws.below(self.actions.len())].clone();
        if action.params.is_empty() || !self.draws.one_in(3) {
            return self.call(&action, scene);
        }
        let argument = |it: &mut Self, (ty, out): (&Option<Type>, &bool)| match *ty {
            ty if *out => it.out_argument(ty, scene),
            Some(ty) if it.draws.one_in(2) => {
                it.has("computed argument");
                it.wanted(ty, 2, scene)
            }
            ty => it.argument(ty, false, scene),
        };
        let args: Vec<_> = action.params.iter().zip(&action.outs).map(|it| argument(self, it)).collect();
        format!("{}({})", action.name, args.join(", "))
    }

    /// Returns a use of a tree of at most `most` nodes, if there is one.
    pub(super) fn use_tree(&mut self, most: usize, scene: Scene<'_>) -> Option<(String, usize)> {
        let fitting: Vec<_> = self.trees.iter().filter(|tree| tree.size <= most).cloned().collect();
        let tree = fitting.get(self.draws.below(fitting.len().max(1)))?;
        let args: Vec<_> = tree.params.iter().map(|param| self.argument_for(param, scene)).collect();
        self.has("use");
        let list = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
        Some((format!("use {}{list}", tree.name), tree.size))
    }

    fn argument_for(&mut self, param: &Param, scene: Scene<'_>) -> String {
        if param.count {
            let count = 1 + self.draws.below(4) as i32;
            return self.exactly(count);
        }
        self.argument(param.ty, param.constant, scene)
    }

    /// Returns an argument of a type: a constant expression, or the name of one of the agent's
    /// variables.
    fn argument(&mut self, ty: Option<Type>, constant: bool, scene: Scene<'_>) -> String {
        let named = if constant { None } else { self.name_as_argument(ty, scene) };
        match (named, ty) {
            (Some(name), _) => name,
            (None, None) => {
                self.has("text argument");
                self.draws.pick(TEXTS).to_owned()
            }
            (None, Some(ty)) => {
                self.has("constant argument");
                self.wanted(ty, 2, scene.constant())
            }
        }
    }

    fn name_as_argument(&mut self, ty: Option<Type>, scene: Scene<'_>) -> Option<String> {
        if ty == Some(Type::Float)
            && self.draws.one_in(2)
            && let Some(part) = self.part_as_argument(scene, false)
        {
            return Some(part);
        }
        if self.draws.one_in(3) {
            let fitting: Vec<_> = scene.params.iter().filter(|param| param.ty == ty).collect();
            let param = fitting.get(self.draws.below(fitting.len().max(1)))?;
            self.has("parameter as argument");
            return Some(param.name.clone());
        }
        // An int variable may be passed for a float parameter.
        let also = if ty == Some(Type::Float) { Some(Type::Int) } else { ty };
        let fits = |it: &&Variable| {
            let own = Some(it.kind.ty());
            it.scope == Scope::Agent && (own == ty || own == also)
        };
        let fitting: Vec<_> = self.variables.iter().filter(fits).map(|it| it.name.clone()).collect();
        let name = fitting.get(self.draws.below(fitting.len().max(1)))?.clone();
        (!self.draws.one_in(3)).then(|| {
            self.has("variable argument");
            name
        })
    }

    /// Returns random parameters for a tree.
    pub(super) fn params(&mut self) -> Vec<Param> {
        let count = self.draws.pick(&[0, 1, 2, 3]);
        if count > 0 {
            self.has("tree with parameters");
        }
        let mut param = || {
            let ty = self.ty(PARAMS);
            let count = ty == Some(Type::Int) && !self.draws.one_in(3);
            let constant = count || ty.is_none() || self.draws.one_in(2);
            Param { name: self.name("p"), ty, constant, count, local: None }
        };
        (0..count).map(|_| param()).collect()
    }

    pub(super) fn param_list(&self, params: &[Param]) -> String {
        let text = |param: &Param| format!("{}: {}", param.name, self.word(param.ty));
        let list: Vec<_> = params.iter().map(text).collect();
        if list.is_empty() { String::new() } else { format!("({})", list.join(", ")) }
    }
}

/// Makes a default fit its kind. Values that are assigned later need not fit.
fn fitting_default(kind: Kind, value: &str) -> String {
    match kind {
        Kind::Int("int8") => format!(" = clamp({value}, -128, 127)"),
        Kind::Int("uint8") => format!(" = clamp({value}, 0, 255)"),
        Kind::Int("int16") => format!(" = clamp({value}, -32768, 32767)"),
        Kind::Int("uint16") => format!(" = clamp({value}, 0, 0xffff)"),
        _ => format!(" = {value}"),
    }
}
