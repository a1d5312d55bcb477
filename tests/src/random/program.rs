//! Random programs.

use super::Case;
use super::draws::Draws;
use pleach_compile::internals::ast::{Role, Value};
use pleach_compile::internals::ir::{
    Amount, Block, Cooling, EXITS, FAILURE, Import, ImportKind, Kind, Memory, Module, Node, NodeIndex,
    Outcome, Policy, SUCCESS, Site, Slot, SlotKind, Start, Step, To,
};
use pleach_compile::internals::text::Sym;
use pleach_compile::source::{OriginId, SourceId, Sources, Span};

/// Numbers of statuses other than the three. Some equal the number of one of the three, which they
/// must not be confused with.
pub(super) const OTHERS: &[i32] = &[3, -1, 7, 0, 1, 2, 1 << 20, i32::MAX, i32::MIN];

/// Status of a leaf of BehaviorTree.CPP that is skipped.
pub(super) const SKIPPED: i32 = 4;

const DURATIONS: &[i32] = &[0, 1, 20, 100, 1000, -1, -50, i32::MAX, i32::MIN];
const TEXTS: &[&[u8]] = &[b"", b"a", b"north gate", b"\xff\xfe", "tr\u{e4}d".as_bytes(), b"a\0b"];
const STEPS: &[Step] = &[Step::Next, Step::NextRunning, Step::End];
const FILE: &[u8] = b"selector\n{\n\taction roam\n}\n";

/// Policies as in dialects: similar to selector, sequence and concurrent.
const KNOWN: &[Policy] = &[
    Policy { on: [Step::Next, Step::End, Step::End, Step::End], last: FAILURE as u8 },
    Policy { on: [Step::End, Step::Next, Step::End, Step::End], last: SUCCESS as u8 },
    Policy { on: [Step::End, Step::Next, Step::NextRunning, Step::End], last: SUCCESS as u8 },
];

/// Returns the program of a case. Its spans are in [`sources`].
#[must_use]
pub fn program(case: &Case) -> Module {
    let mut builder = Builder::new(case);
    builder.frame();
    builder.imports();
    let blocks = 1 + builder.draws.count(5);
    for number in 0..blocks {
        let size = (case.size / (blocks - number)).min(case.size);
        builder.draws.begin();
        builder.block(number, size);
        builder.draws.end();
    }
    builder.entries();
    builder.module
}

/// Returns the file that the spans of random programs refer to.
#[must_use]
pub fn sources() -> Sources {
    let mut sources = Sources::default();
    sources.add("random.bt".into(), FILE[..].into());
    sources
}

/// Program under construction.
pub(super) struct Builder {
    pub(super) module: Module,
    pub(super) draws: Draws,
    /// One in `leaves` nodes has no children.
    leaves: usize,
    /// Maximum number of children of a composite.
    width: usize,
    gates: Vec<u16>,
}

impl Builder {
    fn new(case: &Case) -> Self {
        let mut draws = case.draws();
        let leaves = if case.size > 100 { 4 } else { 2 + draws.below(2) };
        let width = draws.pick(&[2, 4, 4, 6, if case.size > 100 { 300 } else { 9 }]);
        Self { module: Module::default(), draws, leaves, width, gates: Vec::new() }
    }

    fn slot(&mut self, kind: SlotKind, name: Option<Sym>, node: Option<NodeIndex>) -> u16 {
        let reset = self.draws.one_in(2);
        self.module.slots.push(Slot { kind, name, init: 0, reset, node });
        self.module.slots.len() as u16 - 1
    }

    fn name(&mut self, text: &str) -> Sym {
        self.module.names.intern(text.as_bytes())
    }

    /// Adds the slots that belong to no node, in random order.
    fn frame(&mut self) {
        let gates = self.draws.below(3);
        for gate in 0..gates {
            let name = self.name(&format!("gate{gate}"));
            let slot = self.slot(SlotKind::Bit, Some(name), None);
            self.gates.push(slot);
        }
        if !self.draws.one_in(6) {
            let capacity = 1 + self.draws.below(20) as u16;
            self.module.running = Some(self.slot(SlotKind::NodeSet(capacity), None, None));
        }
        self.module.current = Some(self.slot(SlotKind::Node, None, None));
    }

    /// Adds host functions. An action and a query may share a name.
    fn imports(&mut self) {
        for kind in [ImportKind::Action, ImportKind::Query] {
            for number in 0..=self.draws.below(4) {
                let text = self.draws.pick(&["act", "ask", "fr\u{e5}ga"]);
                let name = self.name(&format!("{text}{number}"));
                let least = self.draws.below(3) as u16;
                let most = self.draws.pick(&[least, least + 2, u16::MAX]);
                self.module.imports.push(Import { kind, name, arity: (least, most), optional: false });
            }
        }
    }

    /// Returns a host call: an existing one, or a new one with random arguments.
    pub(super) fn site(&mut self, kind: ImportKind) -> u32 {
        let imports: Vec<_> = self.indices(|builder, it| builder.module.imports[it].kind == kind);
        let import = self.draws.pick(&imports) as u32;
        let known = self.module.sites.iter().position(|site| site.import == import);
        if let (Some(known), true) = (known, self.draws.one_in(3)) {
            return known as u32;
        }
        let (least, most) = self.module.imports[import as usize].arity;
        let count = usize::from(least) + self.draws.below(usize::from((most - least).min(3)) + 1);
        let first = self.module.args.len() as u32;
        for _ in 0..count {
            let value = self.value();
            self.module.args.push(value);
        }
        self.module.sites.push(Site { import, args: (first, count as u32) });
        self.module.sites.len() as u32 - 1
    }

    fn indices(&self, which: impl Fn(&Self, usize) -> bool) -> Vec<usize> {
        (0..self.module.imports.len()).filter(|it| which(self, *it)).collect()
    }

    fn value(&mut self) -> Value {
        match self.draws.below(4) {
            0 | 1 => Value::Int(self.draws.roll() as i32),
            2 => Value::Float(f32::from_bits(self.draws.roll() as u32)),
            _ => {
                let text = self.draws.pick(TEXTS);
                Value::Text(self.module.names.intern(text))
            }
        }
    }

    /// Adds a block of about `size` nodes. Nodes whose children are missing wait on a stack.
    fn block(&mut self, number: usize, size: usize) {
        let name = self.name(&format!("tree{number}"));
        let role = if self.draws.one_in(8) { Role::Class } else { Role::Main };
        let root = self.module.nodes.len();
        let memory = if self.draws.one_in(8) { self.memory() } else { Memory::None };
        self.node(Kind::Tree, memory, Some(name));
        let mut open = vec![(root, 1)];
        let mut promised = 1;
        while let Some((node, missing)) = open.last_mut() {
            if *missing == 0 {
                self.module.nodes[*node].end = self.module.nodes.len() as u32;
                if *node > root {
                    self.draws.end();
                }
                open.pop();
                continue;
            }
            *missing -= 1;
            self.draws.begin();
            let index = self.module.nodes.len();
            let full = index - root + promised >= size;
            let children = if full { self.leaf() } else { self.any_node() };
            promised = promised - 1 + children;
            open.push((index, children));
        }
        self.module.blocks.push(Block { root: root as u32, name, role });
    }

    /// Adds a node and returns the number of children that it needs.
    fn any_node(&mut self) -> usize {
        if self.draws.below(self.leaves) == 0 {
            return self.leaf();
        }
        let (kind, children) = match self.draws.below(10) {
            0 | 1 => (Kind::Guard(self.condition()), 1),
            2 => (self.map(), 1),
            3 => (self.cooldown(), 1),
            _ => (self.composite(), self.draws.count(self.width + 1)),
        };
        self.labelled(kind);
        children
    }

    fn leaf(&mut self) -> usize {
        let blocks = self.module.blocks.len();
        let kind = match self.draws.below(10) {
            9 => Kind::Guard(self.condition()),
            8 => self.composite(),
            6 | 7 if blocks > 0 => Kind::Call(self.draws.below(blocks) as u32),
            _ => {
                let gate = self.draws.pick(&[None, self.gates.first().copied(), self.gates.last().copied()]);
                Kind::Action { site: self.site(ImportKind::Action), gate, exclusive: false }
            }
        };
        self.labelled(kind);
        0
    }

    fn composite(&mut self) -> Kind {
        let policy = if self.draws.one_in(2) { self.draws.pick(KNOWN) } else { self.policy() };
        Kind::Composite(policy, self.draws.pick(&[Start::First, Start::HighestMember]))
    }

    fn policy(&mut self) -> Policy {
        let on = [(); EXITS].map(|()| self.draws.pick(STEPS));
        Policy { on, last: self.draws.pick(&[FAILURE, SUCCESS]) as u8 }
    }

    fn map(&mut self) -> Kind {
        let table = [(); EXITS].map(|()| match self.draws.below(6) {
            0 | 1 => To::Same,
            2 => To::Status(Outcome::Failure),
            3 => To::Status(Outcome::Success),
            4 => To::Status(Outcome::Running),
            _ => To::Status(Outcome::Other(self.draws.pick(OTHERS))),
        });
        self.module.maps.push(table);
        Kind::Map(self.module.maps.len() as u32 - 1)
    }

    fn cooldown(&mut self) -> Kind {
        let node = self.module.nodes.len() as u32;
        let slot = self.slot(SlotKind::Time, None, Some(node));
        let arms = [true, self.draws.one_in(2), false, self.draws.one_in(2)];
        let rule = Cooling { reached: false, arms };
        Kind::Cooldown { slot, duration: Amount::Fixed(self.draws.pick(DURATIONS)), rule }
    }

    fn memory(&mut self) -> Memory {
        self.draws.pick(&[Memory::None, Memory::Member, Memory::Member, Memory::Exclusive])
    }

    fn labelled(&mut self, kind: Kind) {
        let (memory, subject) = (self.memory(), self.name("roam"));
        let subject = self.draws.one_in(2).then_some(subject);
        self.node(kind, memory, subject);
    }

    /// Adds a node without children. Its `end` grows when children are added.
    fn node(&mut self, kind: Kind, memory: Memory, subject: Option<Sym>) {
        let keyword = self.name(keyword(kind));
        let start = self.draws.below(FILE.len()) as u32;
        let span = Span { source: SourceId(0), start, end: start + 1, origin: OriginId::NONE };
        let span = (!self.draws.one_in(4)).then_some(span);
        let end = self.module.nodes.len() as u32 + 1;
        self.module.nodes.push(Node { kind, memory, end, label: (keyword, subject), span });
    }

    /// Makes the last block an entry, and some others.
    fn entries(&mut self) {
        let last = self.module.blocks.len() as u32 - 1;
        self.module.entries = (0..last).filter(|_| self.draws.one_in(3)).collect();
        self.module.entries.push(last);
    }
}

fn keyword(kind: Kind) -> &'static str {
    match kind {
        Kind::Tree => "tree",
        Kind::Composite(..) => "composite",
        Kind::Map(_) => "map",
        Kind::Guard(_) => "condition",
        Kind::Cooldown { .. } => "timer",
        Kind::Action { .. } => "action",
        Kind::Call(_) => "behavior",
        _ => unreachable!("not made here; see `random::language`"),
    }
}
