//! Random trees.

use super::Builder;
use super::constructs::{COMPOSITES, DECORATORS};
use super::declare::{Enum, Param, Tree};
use super::expression::Scene;
use super::{Scope, Type, Variable};

const TIMES: &[i32] = &[0, 1, 5, 16, 20, 33, 64, 100, 100, 1000, 65_536];
const TICKS: &[i32] = &[0, 1, 1, 2, 3, 5, 255, 256, 65_535];
const COUNTS: &[i32] = &[1, 2, 2, 3, 4, 7, 255, 256, 65_535];

/// Maximum number of nodes of a tree that other trees use. Trees that are started may have more.
const MOST_NODES: usize = 3_000;

impl Builder {
    /// Adds trees with `size` nodes together: first trees that others use,
    /// then trees that are started.
    pub(super) fn trees(&mut self, size: usize) {
        let used = self.draws.count(4);
        for rest in (0..used).rev() {
            self.draws.begin();
            let share = (size / (rest + 2)).min(200);
            let params = self.params();
            let name = self.name("tree");
            let list = self.param_list(&params);
            let mut scene = params.clone();
            let locals = self.locals(&mut scene);
            let (text, nodes) = self.node(share, Scene { params: &scene, constant: false }, false);
            self.items.push((format!("tree {name}{list} {{ {locals}{text} }}"), false));
            // Each variable is a node with long names, or as many as a vector has parts.
            let size = nodes + 2 + 12 * (scene.len() - params.len());
            self.trees.push(Tree { name, params, size });
            self.draws.end();
        }
        for name in ["second", "main"] {
            let mut scene = Vec::new();
            let locals = self.locals(&mut scene);
            let size = if name == "main" { size } else { size / 3 };
            let (text, _) = self.node(size, Scene { params: &scene, constant: false }, false);
            self.items.push((format!("tree {name} {{ {locals}{text} }}"), true));
            let variable = |it: Param| {
                Some(Variable { name: format!("{name}.{}", it.name), scope: Scope::Agent, kind: it.local? })
            };
            self.locals.extend(scene.into_iter().filter_map(variable));
        }
    }

    /// Returns a node with about `size` nodes in it, and its number of nodes after all uses are
    /// copied.
    fn node(&mut self, size: usize, scene: Scene<'_>, branch: bool) -> (String, usize) {
        self.draws.begin();
        let note = self.note();
        let (text, nodes) = match self.draws.below(22) {
            _ if size <= 1 => self.leaf(scene),
            0 => self.leaf(scene),
            1 => self.use_tree(MOST_NODES.min(3 * size + 10), scene).unwrap_or_else(|| self.leaf(scene)),
            2..=8 => self.composite(size - 1, scene, branch),
            9 | 10 => self.parallel(size - 1, scene, branch),
            11 => self.random(size - 1, scene, branch),
            12 => self.utility(size - 1, scene, branch),
            13 | 14 => self.matched(size - 1, scene, branch),
            _ => self.decorator(size - 1, scene, branch),
        };
        self.draws.end();
        (note + &text, nodes)
    }

    /// Returns a comment, or mostly an empty text.
    fn note(&mut self) -> String {
        if !self.draws.one_in(20) {
            return String::new();
        }
        self.has("comment");
        self.draws.pick(&["// a \"note\" }\n", "/* a } note\n * // */ "]).to_owned()
    }

    /// Returns nodes that share a size; there may be none. The caller adds the text before each.
    fn children(&mut self, size: usize, scene: Scene<'_>, branch: bool) -> (Vec<String>, usize) {
        let count = if self.draws.one_in(30) { 0 } else { 1 + self.draws.count(self.width) };
        let (mut texts, mut nodes, mut left) = (Vec::new(), 1, size);
        for rest in (1..=count).rev() {
            let share = if rest == 1 { left } else { self.draws.below(2 * left / rest + 1) };
            left -= share.min(left);
            let (text, inside) = self.node(share, scene, branch);
            texts.push(text);
            nodes += inside;
        }
        (texts, nodes)
    }

    fn composite(&mut self, size: usize, scene: Scene<'_>, branch: bool) -> (String, usize) {
        let keyword = self.draws.pick(COMPOSITES);
        self.has(keyword);
        let (children, nodes) = self.children(size, scene, branch);
        (format!("{keyword} {{\n{}\n}}", children.join("\n")), nodes)
    }

    fn parallel(&mut self, size: usize, scene: Scene<'_>, branch: bool) -> (String, usize) {
        self.has(if branch { "parallel in a parallel" } else { "parallel" });
        let (children, nodes) = self.children(size, scene, true);
        let policies = self.policies(children.len());
        (format!("parallel {policies}{{\n{}\n}}", children.join("\n")), nodes)
    }

    fn policies(&mut self, branches: usize) -> String {
        let words: &[&str] =
            self.draws.pick(&[&[][..], &["succeed"], &["fail"], &["succeed", "fail"], &["fail", "succeed"]]);
        let mut list = Vec::new();
        for word in words {
            self.has(if *word == "fail" { "fail" } else { "succeed" });
            let count = 1 + self.draws.below(branches + 2) as i32;
            let count = match self.draws.below(4) {
                0 => "all".to_owned(),
                1 => "any".to_owned(),
                _ => self.exactly(count),
            };
            list.push(format!("{word} {count}"));
        }
        if list.is_empty() { String::new() } else { format!("({}) ", list.join(", ")) }
    }

    fn random(&mut self, size: usize, scene: Scene<'_>, branch: bool) -> (String, usize) {
        let (children, nodes) = self.children(size, scene, branch);
        if children.is_empty() {
            return self.leaf(scene);
        }
        self.has("random");
        let likely = self.draws.below(children.len());
        let weighted = |it: &mut Self, at: usize, child: &String| {
            let weight = it.draws.pick(&[0, 0, 1, 2, 5, 100]);
            let weight = if at == likely { weight + 1 } else { weight };
            if weight == 1 && it.draws.one_in(2) {
                return child.clone();
            }
            it.has("weight");
            format!("{}: {child}", apart(it.exactly(weight)))
        };
        let list: Vec<_> = children.iter().enumerate().map(|(at, child)| weighted(self, at, child)).collect();
        (format!("random {{\n{}\n}}", list.join("\n")), nodes)
    }

    fn utility(&mut self, size: usize, scene: Scene<'_>, branch: bool) -> (String, usize) {
        let (children, nodes) = self.children(size, scene, branch);
        if children.is_empty() {
            return self.leaf(scene);
        }
        let keyword = self.draws.pick(&["utility", "reactive utility"]);
        self.has(keyword);
        let scored = |child: &String| format!("{}: {child}", apart(self.wanted(Type::Float, 2, scene)));
        let list: Vec<_> = children.iter().map(scored).collect();
        let keep =
            self.draws.one_in(2).then(|| self.draws.pick(&["keep 0 % ", "keep 10 % ", "keep 1000 % "]));
        let keep = keep.filter(|_| keyword == "reactive utility");
        if keep.is_some() {
            self.has("utility keep");
        }
        (format!("{keyword} {}{{\n{}\n}}", keep.unwrap_or_default(), list.join("\n")), nodes)
    }

    /// Returns a `match` whose values are the numbers of its children.
    fn matched(&mut self, size: usize, scene: Scene<'_>, branch: bool) -> (String, usize) {
        let (children, nodes) = self.children(size, scene, branch);
        if children.is_empty() {
            return self.leaf(scene);
        }
        let keyword = self.draws.pick(&["match", "reactive match"]);
        self.has(keyword);
        if !self.enums.is_empty() && self.draws.one_in(3) {
            return (self.matched_enum(keyword, &children, scene), nodes + 1);
        }
        let value = self.expression(Type::Int, 2, scene);
        let value = if self.draws.one_in(3) { value } else { format!("({value}) % {}", children.len()) };
        let rest = self.draws.one_in(2).then(|| children.len() - 1);
        let case = |(at, child): (usize, &String)| {
            if rest == Some(at) {
                self.has("else");
                return format!("else: {child}");
            }
            format!("{}: {child}", apart(self.exactly(at as i32)))
        };
        let list: Vec<_> = children.iter().enumerate().map(case).collect();
        (format!("{keyword} {value} {{\n{}\n}}", list.join("\n")), nodes + 1)
    }

    /// Returns a `match` on an enum, whose first members are the cases of the children. A child
    /// that is left is for all other values.
    fn matched_enum(&mut self, keyword: &str, children: &[String], scene: Scene<'_>) -> String {
        self.has("match on an enum");
        let of = self.draws.below(self.enums.len());
        let value = self.expression(Type::Enum(of), 2, scene);
        let Enum { name, members } = self.enums[of].clone();
        let mut list = Vec::new();
        for (child, member) in children.iter().zip(&members) {
            let owner = if self.draws.one_in(2) { format!("{name}.") } else { String::new() };
            list.push(format!("{owner}{member}: {child}"));
        }
        if let Some(child) = children.get(members.len()) {
            self.has("else");
            list.push(format!("else: {child}"));
        }
        format!("{keyword} {value} {{\n{}\n}}", list.join("\n"))
    }

    fn decorator(&mut self, size: usize, scene: Scene<'_>, branch: bool) -> (String, usize) {
        let head = self.head(scene);
        let (child, nodes) = self.node(size, scene, branch);
        (format!("{head} {{ {child} }}"), nodes + 2)
    }

    /// Returns the text before the braces of a decorator.
    fn head(&mut self, scene: Scene<'_>) -> String {
        let word = self.draws.pick(DECORATORS);
        self.has(word);
        match word {
            "if" => format!("if {}", self.expression(Type::Bool, 3, scene)),
            "while" => format!("while {}", self.expression(Type::Bool, 3, scene)),
            "cleanup" => {
                let mut sets = Vec::new();
                self.several(3, |it| sets.extend(it.set(scene)));
                format!("cleanup {{ {} }}", sets.join("\n"))
            }
            "every" => {
                let mut leaves = Vec::new();
                self.several(3, |it| leaves.extend(it.instant(scene)));
                format!("every {} {{ {} }}", self.duration(false, scene), leaves.join("\n"))
            }
            "chance" => format!("chance {}", self.chance(scene)),
            "repeat" | "retry" => {
                let computed = if self.draws.one_in(3) { None } else { self.computed(4, scene) };
                if computed.is_some() {
                    self.has("computed count");
                }
                format!("{word} {}", computed.unwrap_or_else(|| self.count(COUNTS, scene)))
            }
            "repeat for ever" => "repeat".to_owned(),
            "retry for ever" => "retry".to_owned(),
            "cooldown" | "timeout" => format!("{word} {}", self.duration(false, scene)),
            "delay" => format!("delay {}", self.duration(true, scene)),
            "limit" => format!("limit {}", self.count(&[1, 1, 2, 3, 1000], scene)),
            _ => word.to_owned(),
        }
    }

    /// Returns a leaf that ends at once, unless it is one for which nothing is declared.
    fn instant(&mut self, scene: Scene<'_>) -> Option<String> {
        match self.draws.below(6) {
            0 if !self.events.is_empty() => Some(self.raise()),
            0..=3 => self.set(scene),
            _ => {
                self.has("instant action");
                Some(format!("action {}", self.call_any_action(scene)))
            }
        }
    }

    /// Returns one of the numbers, or a parameter that stands for a small number.
    fn count(&mut self, from: &[i32], scene: Scene<'_>) -> String {
        let params: Vec<_> = scene.params.iter().filter(|param| param.count).collect();
        if !params.is_empty() && !self.draws.one_in(3) {
            self.has("parameter as a count");
            return params[self.draws.below(params.len())].name.clone();
        }
        let count = self.draws.pick(from);
        self.exactly(count)
    }

    /// Returns an int that is known only at run time and mostly less than `below`, if there is one.
    fn computed(&mut self, below: i32, scene: Scene<'_>) -> Option<String> {
        if self.draws.one_in(2) {
            return None;
        }
        let scene = Scene { constant: false, ..scene };
        let value =
            if self.draws.one_in(2) { self.variable_of(Type::Int) } else { self.ask(Type::Int, scene) }?;
        Some(if self.draws.one_in(4) { value } else { format!("{value} % {below}") })
    }

    /// Returns a float that is a chance, or one that is known only at run time.
    fn chance(&mut self, scene: Scene<'_>) -> String {
        let known = if self.draws.one_in(2) { self.variable_of(Type::Float) } else { None };
        known.unwrap_or_else(|| {
            let value = self.wanted(Type::Float, 2, scene);
            self.draws.pick(&["0.5", "0.9", "clamp(VALUE, 0.0, 1.0)"]).replace("VALUE", &value)
        })
    }

    /// Returns a duration, or a range of durations.
    fn duration(&mut self, ticks: bool, scene: Scene<'_>) -> String {
        if !self.draws.one_in(3) {
            return self.length(ticks, scene);
        }
        let in_ticks = ticks && self.draws.one_in(2);
        let (unit, below) = if in_ticks { ("ticks", 4) } else { self.draws.pick(&[("ms", 300), ("s", 3)]) };
        if let (Some(first), Some(last)) = (self.computed(below, scene), self.computed(below, scene)) {
            self.has("computed range");
            return format!("{first} {unit} to {last} {unit}");
        }
        self.has("range");
        let first = self.draws.below(below as usize) as i32;
        let last = first + self.draws.below(below as usize) as i32;
        format!("{} {unit} to {} {unit}", self.exactly(first), self.exactly(last))
    }

    fn length(&mut self, ticks: bool, scene: Scene<'_>) -> String {
        let units: &[_] =
            &[("computed ticks", " ticks", 4), ("computed ms", " ms", 300), ("computed s", " s", 3)];
        // What follows a `wait` or a `delay` could continue the expression.
        if !ticks
            && !self.tunables.is_empty()
            && self.draws.one_in(2)
            && let Some(tuned) = self.tuned_duration()
        {
            return tuned;
        }
        let (construct, unit, below) = self.draws.pick(&units[usize::from(!ticks)..]);
        if let Some(computed) = self.computed(below, scene) {
            self.has(construct);
            return computed + unit;
        }
        let unit = self.draws.pick(&["", "", "ms", "s", "ticks", "ticks"]);
        match unit {
            "ticks" if ticks => {
                self.has("ticks");
                format!("{} ticks", self.count(TICKS, scene))
            }
            "s" => {
                self.has("s");
                format!("{} s", self.count(&[0, 1, 2], scene))
            }
            _ => {
                self.has("ms");
                format!("{} ms", self.count(TIMES, scene))
            }
        }
    }

    fn leaf(&mut self, scene: Scene<'_>) -> (String, usize) {
        let text = match self.draws.below(16) {
            14 | 15 => {
                self.has("condition");
                format!("condition {}", self.expression(Type::Bool, 4, scene))
            }
            2..=4 => self.assignment(scene),
            5 | 6 => {
                self.has("wait");
                format!("wait {}", self.duration(true, scene))
            }
            0 => {
                let word = self.draws.pick(&["success", "failure", "running"]);
                self.has(word);
                word.to_owned()
            }
            8 => self.raise(),
            _ => {
                self.has("action node");
                format!("action {}", self.call_any_action(scene))
            }
        };
        (text, 1)
    }

    fn assignment(&mut self, scene: Scene<'_>) -> String {
        let set = self.set(scene);
        self.has(if set.is_some() { "set" } else { "success" });
        set.unwrap_or_else(|| "success".to_owned())
    }

    fn raise(&mut self) -> String {
        let events = self.events.len();
        if events == 0 {
            self.has("failure");
            return "failure".to_owned();
        }
        let event = self.events[self.draws.below(events)].clone();
        let (construct, to) =
            self.draws.pick(&[("raise", ""), ("raise to group", " to group"), ("raise to all", " to all")]);
        self.has(construct);
        format!("raise {event}{to}")
    }
}

/// Makes a number independent of the text before it. A child may end with an expression, which
/// would absorb a sign or a parenthesis, or with a number, which would take a name for its unit.
fn apart(expression: String) -> String {
    if expression.starts_with(|first: char| first.is_ascii_digit()) {
        expression
    } else {
        format!("0 + {expression}")
    }
}
