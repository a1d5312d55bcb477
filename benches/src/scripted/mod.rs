//! Trees from files, with leaves that cost next to nothing, so that the tree is timed.
//!
//! * [`Tree`] is a file that was read; its leaves answer by a seed, see `functions` and `leaves`.
//! * `crowd` runs it on the engines of pleach, `walker` node by node, as games do it. `stateful`
//!   does this for trees of BehaviorTree.CPP, as the library does it. The walker is the yardstick.
//! * [`report`] measures both and prints what `ratios tree` prints, with the counts of [`counts`]
//!   and [`instructions`].
//!
//! Before each frame, one of eight agents gets an event of the program, or another value of a
//! boolean variable, so that trees which react to changes have something to do. Trees of
//! BehaviorTree.CPP have only the answers of their leaves.

pub mod counts;
mod crowd;
mod functions;
pub mod instructions;
mod leaves;
pub mod report;
mod stateful;
mod walker;

use crate::equality;
use crate::system::{Counts, Named, Role, engines};
use crowd::Scripted;
use functions::Functions;
use pleach::Image;
use pleach_compile::dialect::{self, Dialect, manifest_of_file};
use pleach_compile::internals::btcpp::{Outline, outline};
use pleach_compile::internals::dialects::BtCpp;
use pleach_compile::internals::emit::emit;
use pleach_compile::internals::ir::{Kind, Module};
use pleach_compile::internals::session::Session;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use pleach_image::splitmix::mix;
use stateful::Stateful;
use std::ffi::OsStr;
use std::path::Path;
use walker::Walker;

/// Name of the walker in lines.
pub const WALKER: &str = "walker";
/// Milliseconds of game time between frames.
const FRAME_MS: i64 = 16;
/// One of this number of agents gets an event or a change before a frame.
const TOLD: u64 = 8;

/// A tree that was read from a file, as an image for the engines and as a module for the walker.
#[derive(Debug)]
pub struct Tree {
    name: String,
    image: Image,
    module: Module,
    /// Nodes with their ports, if the tree is one of BehaviorTree.CPP.
    outline: Option<Outline>,
    functions: Functions,
}

impl Tree {
    /// Reads and compiles a tree; files of its folder and of the folders in it may be included if
    /// they have the same extension. The manifest, or else a file `game.manifest` beside the tree,
    /// takes the place of the dialect's manifest. A file with models of nodes of BehaviorTree.CPP
    /// and an image are manifests, too.
    ///
    /// # Errors
    /// If a file cannot be read, or the first error of the tree.
    pub fn load(path: &Path, manifest: Option<&Path>) -> Result<Self, String> {
        let told = |error: std::io::Error| format!("{}: {error}", path.display());
        let (name, extension) = (text(path.file_stem()), text(path.extension()));
        let dialect =
            dialect_of(path, &extension).ok_or_else(|| format!("{}: of no dialect", path.display()))?;
        // The folder of a path without one is the empty path, which cannot be read.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let texts = library(folder, &extension).map_err(told)?;
        let beside = folder.join("game.manifest");
        let manifest = match (std::fs::read(manifest.unwrap_or(&beside)), manifest) {
            (Ok(bytes), _) => {
                let text = manifest_of_file("image", &bytes).map_err(|why| why.to_string())?;
                Manifest::parse(&text).0
            }
            (Err(error), Some(path)) => return Err(format!("{}: {error}", path.display())),
            (Err(_), None) => dialect.own_manifest(),
        };
        Self::compile(&texts, dialect, &manifest, name)
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    fn compile(
        texts: &Texts,
        dialect: &'static dyn Dialect,
        manifest: &Manifest,
        name: String,
    ) -> Result<Self, String> {
        let mut session = Session::new(texts, manifest);
        let entries = [name];
        let module = pleach_compile::internals::module(&mut session, dialect, &entries)
            .ok_or_else(|| format!("{:?}", session.diagnostics.list().first()))?;
        let is_robot = dialect.name() == BtCpp.name();
        let outline = is_robot.then(|| outline(&mut Session::new(texts, manifest), &entries)).flatten();
        let bytes = emit(&module, dialect.name(), None).map_err(|error| error.message.to_string())?;
        let image = Image::copy(&bytes).map_err(|error| error.to_string())?;
        let entry = image.entries().first().ok_or("no tree to start")?;
        let functions = Functions::of(&module, manifest, outline.as_ref());
        Ok(Self { name: image.name(entry.name).to_owned(), image, module, outline, functions })
    }

    /// Returns the name of the tree.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of nodes.
    #[must_use]
    pub fn nodes(&self) -> u32 {
        self.image.meta().nodes
    }

    /// Returns a system for each engine, its agents at their beginning.
    #[must_use]
    pub fn systems(&self, agents: usize) -> Vec<Named> {
        self.engines::<false>(agents)
    }

    /// Returns the walker and a system for each engine, the agents of each at their beginning. Only
    /// the engines if the walker lacks a kind of node that the tree has.
    #[must_use]
    pub fn compared(&self, agents: usize) -> Vec<Named> {
        self.all::<false>(agents)
    }

    /// Returns the walker's agents at their beginning.
    ///
    /// # Errors
    /// If the tree has a kind of node that the walker lacks: its name.
    pub fn walker(&self, agents: usize) -> Result<Named, String> {
        self.walked::<false>(agents)
    }

    /// Runs the walker and all engines side by side, and compares the leaf calls of each agent
    /// after each frame. Returns the counts of the statuses and the mean number of leaf calls in an
    /// agent's tick.
    ///
    /// # Errors
    /// If a system differs from the others: its name, and in which frame.
    pub fn check(&self, agents: usize, frames: u32) -> Result<(Counts, f64), String> {
        let mut systems = self.all::<true>(agents);
        let counts = equality::check(&mut systems, frames)?;
        let mut one = Scripted::<true>::new(self, agents, pleach::engine::Engine::Scalar);
        let calls = counts::calls(&mut one, frames);
        Ok((counts, calls as f64 / (agents as f64 * f64::from(frames))))
    }

    fn engines<const TRACE: bool>(&self, agents: usize) -> Vec<Named> {
        let named =
            |(name, engine)| Named::new(name, Role::Engine, Scripted::<TRACE>::new(self, agents, engine));
        engines().map(named).collect()
    }

    fn walked<const TRACE: bool>(&self, agents: usize) -> Result<Named, String> {
        Ok(match &self.outline {
            Some(outline) => {
                Named::new(WALKER, Role::Yardstick, Stateful::<TRACE>::new(self, outline, agents)?)
            }
            None => Named::new(WALKER, Role::Yardstick, Walker::<TRACE>::new(self, agents)?),
        })
    }

    fn all<const TRACE: bool>(&self, agents: usize) -> Vec<Named> {
        self.walked::<TRACE>(agents).into_iter().chain(self.engines::<TRACE>(agents)).collect()
    }

    /// Returns the slots of the boolean variables that are changed. The bit that keeps actions from
    /// being called is not one of them, because a dead agent of a game does nothing.
    fn truths(&self) -> Vec<usize> {
        // Those of a tree of BehaviorTree.CPP say which entries have a value.
        if self.outline.is_some() {
            return Vec::new();
        }
        let gates = |slot: usize| {
            let mut nodes = self.module.nodes.iter();
            nodes.any(|node| matches!(node.kind, Kind::Action { gate: Some(gate), .. } if usize::from(gate) == slot))
        };
        let slots = self.module.slots.iter().enumerate();
        let is_truth = |slot: &pleach_compile::internals::ir::Slot| {
            slot.name.is_some() && slot.kind == pleach_compile::internals::ir::SlotKind::Bit
        };
        slots.filter(|(index, slot)| is_truth(slot) && !gates(*index)).map(|(index, _)| index).collect()
    }
}

/// Returns the agents that are told something before a frame, each with a number that says what.
fn told(frame: u32, agents: usize) -> impl Iterator<Item = (usize, u64)> {
    let draw = move |agent: usize| (agent, mix(u64::from(frame) << 32 | agent as u64 | 1 << 63));
    (0..agents)
        .map(draw)
        .filter(|(_, draw)| draw.is_multiple_of(TOLD))
        .map(|(agent, draw)| (agent, draw / TOLD))
}

/// Picks one of `count` things by a number that [`told`] returned.
fn pick(draw: u64, count: usize) -> usize {
    (draw >> 8) as usize % count
}

/// Returns the time of a frame.
fn time_of(frame: u32) -> i64 {
    1000 + FRAME_MS * i64::from(frame)
}

/// Reads the files of a folder and of the folders in it that have an extension.
fn library(folder: &Path, extension: &str) -> std::io::Result<Texts> {
    let (mut texts, mut folders) = (Texts::new(extension), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next)? {
            let entry = entry?;
            let path = entry.path();
            // A link to a folder could lead back.
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if text(path.extension()) == extension {
                let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                texts.add(name, std::fs::read(&path)?);
            }
        }
    }
    Ok(texts)
}

fn text(part: Option<&OsStr>) -> String {
    part.and_then(OsStr::to_str).unwrap_or_default().to_owned()
}

fn dialect_of(path: &Path, extension: &str) -> Option<&'static dyn Dialect> {
    if extension != "xml" {
        return dialect::by_extension(extension);
    }
    let text = std::fs::read_to_string(path).ok()?;
    let first = |dialect: &&&'static dyn Dialect| {
        dialect.root_elements().iter().any(|root| text.contains(&format!("<{root}")))
    };
    dialect::DIALECTS.iter().find(first).copied()
}

#[cfg(test)]
mod tests {
    use super::Tree;
    use std::path::Path;

    /// Reads a tree of the checkout.
    fn load(path: &str) -> Tree {
        Tree::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path), None).unwrap()
    }

    /// Runs a tree on the walker and on all engines.
    fn compared(tree: &Tree) -> f64 {
        assert!(tree.walker(1).is_ok(), "{}: {:?}", tree.name(), tree.walker(1));
        let (counts, calls) = tree.check(300, 100).unwrap();
        assert_eq!(counts.failure + counts.success + counts.running, 30_000, "{}", tree.name());
        calls
    }

    #[test]
    fn the_walker_does_the_same_as_the_engines() {
        for name in ["guard", "medic", "raider", "recover"] {
            let calls = compared(&load(&format!("spec/examples/unvanquished/{name}.bt")));
            assert!(calls > 1.0, "{name}: {calls}");
        }
        assert!(compared(&load("benches/trees/bot.bt")) > 10.0);
    }

    #[test]
    fn the_walker_reacts_as_the_engines_do() {
        for name in ["errand", "post", "reactions", "revenge", "sight"] {
            let calls = compared(&load(&format!("spec/examples/mbt/{name}.xml")));
            assert!(calls > 0.1, "{name}: {calls}");
        }
        compared(&load("benches/trees/alarm.xml"));
        for name in ["alien", "grunt"] {
            let calls = compared(&load(&format!("spec/examples/bst/{name}.xml")));
            assert!(calls > 0.01, "{name}: {calls}");
        }
    }

    /// Trees of a real game, if they are beside the checkout.
    #[test]
    fn the_walker_does_the_same_as_the_engines_on_real_trees() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join("shared")
            .join("corpus/unvanquished/current");
        let Ok(files) = std::fs::read_dir(folder) else { return println!("skipped") };
        for file in files {
            let tree = Tree::load(&file.unwrap().path(), None).unwrap();
            println!("{}: {} leaf calls in an agent's tick", tree.name(), compared(&tree));
        }
    }

    #[test]
    fn a_node_that_is_not_walked_is_named() {
        let reason = load("spec/examples/mbt/sentry.xml").walker(1).unwrap_err();
        assert!(reason.contains("Multiply, Float"), "{reason}");
        let reason = load("spec/examples/dragengine/guard.debt").walker(1).unwrap_err();
        assert!(reason.contains("Rule") || reason.contains("Steps"), "{reason}");
        let reason = load("spec/examples/btengine/guard.xml").walker(1).unwrap_err();
        assert!(reason.contains("forest"), "{reason}");
    }
}
