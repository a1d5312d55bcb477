//! Programs and crowds for tests.

use pleach::{Agent, Crowd, Host, Image, Program};
use pleach_compile::dialect::by_name;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use pleach_compile::{Compiler, Request};
use pleach_groot2::{AgentWatcher, StatusChange, Tree};
use std::sync::Arc;

/// Trees of two kinds of calls: a copy, and a tree that is called twice.
pub(crate) const GUARD: &str = "action shoot(power: int)
action walk(post: int)
var health: float = 100
var ammo: int8 = 6
var visible: bool
tree guard
{
\treactive selector
\t{
\t\twhile visible && ammo > 0 { sequence { action shoot(3) set ammo -= 1 } }
\t\taction walk(3)
\t}
}
";

/// Tree of the library with a subtree.
pub(crate) const ROBOT: &str = r#"<root BTCPP_format="4" main_tree_to_execute="Main">
  <BehaviorTree ID="Main">
    <Sequence name="root_sequence">
      <Script code="x := 3; speed := 1.5"/>
      <SubTree ID="Sub" name="sub" y="{x}" z="7"/>
      <Walk name="to the door" to="{x}" _skipIf="x &lt; 0"/>
    </Sequence>
  </BehaviorTree>
  <BehaviorTree ID="Sub">
    <Sequence>
      <Script code="w := y + z"/>
      <AlwaysSuccess name="last"/>
    </Sequence>
  </BehaviorTree>
</root>
"#;

/// Compiles one file of a dialect. `more` declares actions.
pub(crate) fn image(dialect: &str, extension: &str, text: &str, more: &str) -> Image {
    let dialect = by_name(dialect).expect("the compiler knows it");
    let (more, problems) = Manifest::parse(more);
    assert!(problems.is_empty(), "{problems:?}");
    let manifest = if more == Manifest::default() { dialect.own_manifest() } else { more };
    let library = Texts::of("main", extension, text);
    let request = Request { dialect, manifest: &manifest, entries: &["main".to_owned()], debug: true };
    let done = Compiler::default().compile(&library, request);
    let bytes = done.image.unwrap_or_else(|| panic!("{:#?}", done.diagnostics));
    Image::copy(&bytes).expect("it is right")
}

pub(crate) fn guard() -> Image {
    image("pleach", "pleach", GUARD, "")
}

pub(crate) fn robot() -> Image {
    image("btcpp", "xml", ROBOT, "action Walk(to: int)")
}

/// Returns the tree of an image whose source is known.
pub(crate) fn tree(image: &Image, entry: &str, text: &str) -> Tree {
    Tree::new(image, entry, |_| Some(text.as_bytes().to_vec())).expect("it can be shown")
}

/// Crowd of one agent, and what its nodes did.
pub(crate) struct Play<H> {
    pub(crate) crowd: Crowd,
    pub(crate) host: H,
    pub(crate) agent: Agent,
    pub(crate) watcher: AgentWatcher<Vec<StatusChange>>,
    now: i64,
}

impl<H: Host> Play<H> {
    pub(crate) fn new(image: &Image, tree: Tree, host: H) -> Self {
        let program = Program::link(image, &host).expect("the host has all");
        let mut crowd = Crowd::new(&program);
        let agent = crowd.spawn(tree.entry()).expect("the entry is there");
        let watcher = AgentWatcher::new(Arc::new(tree), agent, Vec::new());
        Self { crowd, host, agent, watcher, now: 0 }
    }

    /// Ticks the crowd. Returns the changes: the uid and the new status.
    pub(crate) fn tick(&mut self) -> String {
        self.now += 50;
        self.crowd.tick_watched(self.now, &mut self.host, &mut self.watcher);
        let changes = std::mem::take(&mut self.watcher.sink);
        changes.iter().map(|it| format!("{} {}", it.uid, it.to.name())).collect::<Vec<_>>().join(", ")
    }

    /// Sets a variable of the agent.
    pub(crate) fn set(&mut self, name: &str, value: f64) {
        let variable = self.crowd.program().variable(name).expect("the tree has it");
        self.crowd.set_number(self.agent, variable, value).expect("the agent is there");
    }
}
