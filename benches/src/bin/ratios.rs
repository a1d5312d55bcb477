//! Prints the speed of pleach compared with hand-written Rust and with bonsai-bt, in one process.
//!
//! ```text
//! RATIO <tree> <engine> <agents> <x native scalar> <x bonsai-bt>
//! SELECT <engine> <agents> <of a thousand agents told something in a frame> <x native scalar>
//! REACT <tree> <engine> <agents> <x native scalar>
//! COMPILE <nodes per second>
//! COMPILE pleach <nodes per second>
//! THREADS <tree> <agents> <x one thread, by two>
//! CAPI <tree> <agents> <x the time of Rust>
//! SHORTCUT <shortcut> <tree> <engine> <agents> <x the time with it, without it>
//! TREE <file> <engine> <agents> <x walker> <nanoseconds> [<instructions>]
//! OPCODE <tree> <opcode> <times in an agent's tick>
//! COST <tree> <system> <instructions> <function>
//! LOAD <nanoseconds per byte to map and verify> <x compiling the same trees>
//! ```
//!
//! A ratio above 1 means that pleach is faster. `-` means that a peer was not run, or cannot run
//! the tree. Lines that begin with `#` have the measured times: nanoseconds of an agent's tick,
//! for all systems. The program fails if the systems do not do the same. `--svg FILE` draws the
//! engines beside hand-written Rust.
//!
//! Names (of trees, or `slow`, `threads`, `select`, `react`, `texts`) choose what is measured.
//! Without names everything is measured, which takes long. `--capi` measures a tick through the C
//! API compared with the same tick through Rust, and nothing else unless it is named. `shortcuts`
//! measures the gain of each shortcut of the engines, on all these trees and on the files whose
//! paths follow, and prints tables at the end. `tree` measures the trees in the files whose paths
//! follow: on each engine, compared with a walker over nodes, and in instructions of the
//! processor if callgrind is installed. `--manifest FILE` before it declares what they call.

use pleach::Shortcut;
use pleach_benches::border;
use pleach_benches::chart::Chart;
use pleach_benches::corpus::{self, Part};
use pleach_benches::corpus_pleach;
use pleach_benches::equality;
use pleach_benches::fields::Tree;
use pleach_benches::lineup::{Workload, calls_per_tick};
use pleach_benches::measure::{Runner, median, time};
use pleach_benches::reacting::Reacting;
use pleach_benches::scripted::{self, instructions, report};
use pleach_benches::select;
use pleach_benches::shortcuts::{self, Gains, Worth};
use pleach_benches::system::{BONSAI, Named, Role, engines};
use pleach_benches::trees;
use pleach_benches::trusted::TempFile;
use pleach_compile::Compiler;
use pleach_compile::manifest::Manifest;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

const REPETITIONS: usize = 15;
/// Number of repetitions for systems of very many agents, whose single frame is long enough.
const FEW_REPETITIONS: usize = 5;
/// With more agents than this, few repetitions are enough.
const MANY_AGENTS: usize = 100_000;
/// With more agents than this, peers are not run.
const PEER_AGENTS: usize = 10_000;
/// Frames before the first measurement.
const WARM_UP: u32 = 32;
/// Frames between changes of an agent in the worlds that change slowly.
const CALM: u32 = 64;
/// Agents of the figures that are drawn.
const CHARTED: usize = 10_000;
/// Images of the corpus.
const PARTS: u64 = 80;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ratios: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Measurements beside those of trees: slow worlds, two threads, selections, reactions, compiling
/// and loading.
const OTHERS: [&str; 5] = ["slow", "threads", "select", "react", "texts"];

/// Measurements that the command line asks for.
#[derive(Default)]
struct Wanted {
    /// Names of the measurements; an empty list means all.
    names: Vec<String>,
    /// True if the C API is to be measured.
    capi: bool,
    /// File to draw the chart into.
    drawing: Option<String>,
    /// Files with trees on which shortcuts are measured, beside the built-in trees; `None` if
    /// shortcuts are not measured.
    shortcuts: Option<Vec<String>>,
    /// Trees from files that are to be measured beside the walker.
    files: Vec<String>,
    /// Manifest of the trees from files.
    manifest: Option<String>,
}

impl Wanted {
    fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut wanted = Self::default();
        let known: Vec<_> = Workload::all().map(Workload::name).chain(OTHERS).collect();
        while let Some(arg) = args.next() {
            if arg == "--svg" {
                wanted.drawing = Some(args.next().ok_or("--svg wants the name of a file")?);
            } else if arg == "--manifest" {
                wanted.manifest = Some(args.next().ok_or("--manifest wants the name of a file")?);
            } else if arg == "--capi" {
                wanted.capi = true;
            } else if arg == "shortcuts" {
                wanted.shortcuts = Some(args.by_ref().collect());
            } else if arg == "tree" {
                wanted.files = args.by_ref().collect();
                if wanted.files.is_empty() {
                    return Err("tree wants the names of files".to_owned());
                }
            } else if known.contains(&&*arg) {
                wanted.names.push(arg);
            } else {
                return Err(format!(
                    "`{arg}` is not measured; there are --svg FILE, --capi, --manifest FILE, shortcuts [FILE...], tree FILE... and {}",
                    known.join(", ")
                ));
            }
        }
        Ok(wanted)
    }

    fn manifest(&self) -> Option<&Path> {
        self.manifest.as_deref().map(Path::new)
    }

    fn has(&self, name: &str) -> bool {
        self.names.is_empty() && !self.capi || self.names.iter().any(|it| it == name)
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<_> = std::env::args().skip(1).collect();
    if let [instructions::ARGUMENT, file, system, agents, manifest @ ..] =
        &args.iter().map(String::as_str).collect::<Vec<_>>()[..]
    {
        let manifest = manifest.first().map(Path::new);
        return Ok(instructions::serve(file.as_ref(), system, agents.parse()?, manifest)?);
    }
    let wanted = Wanted::parse(args.into_iter())?;
    if !wanted.files.is_empty() {
        let mut files = wanted.files.iter();
        return Ok(files.try_for_each(|file| report::tree(file.as_ref(), wanted.manifest(), &measure))?);
    }
    if let Some(files) = &wanted.shortcuts {
        return Ok(worths(files, wanted.manifest())?);
    }
    let mut chart = Chart::default();
    for workload in Workload::all().filter(|workload| wanted.has(workload.name())) {
        sizes(workload, &mut chart)?;
    }
    if wanted.has("slow") {
        Tree::ALL.into_iter().for_each(slow);
    }
    if wanted.has("threads") {
        Tree::ALL.into_iter().try_for_each(threads)?;
    }
    if wanted.has("select") {
        selections()?;
    }
    if wanted.has("react") {
        Reacting::ALL.into_iter().try_for_each(reactions)?;
    }
    if wanted.capi {
        border()?;
    }
    if let Some(file) = &wanted.drawing {
        std::fs::write(file, chart.svg())?;
    }
    if wanted.has("texts") {
        texts()?;
    }
    Ok(())
}

/// Measures a tree with crowds of all sizes.
fn sizes(workload: Workload, chart: &mut Chart) -> Result<(), String> {
    equal(workload)?;
    if let Workload::Bot(_) = workload {
        let (nodes, calls) = (trees::bot_image().meta().nodes, calls_per_tick(1000, 200));
        println!("# {}: {nodes} nodes, {calls:.1} leaf calls in an agent's tick", workload.name());
    }
    for agents in [1, 8, 64, 1000, 10_000, 100_000, 1_000_000] {
        let (about, ratios) = ticks(workload, agents, agents <= PEER_AGENTS);
        println!("{about}");
        for Ratio { engine, native, peer } in ratios {
            let peer = peer.map_or("-".to_owned(), |peer| format!("{peer:.2}"));
            println!("RATIO {} {engine} {agents} {native:.3} {peer}", workload.name());
            if agents == CHARTED {
                chart.add(workload.name(), engine, native);
            }
        }
    }
    Ok(())
}

/// Measures a tree in a world that changes slowly. The ratios to quote are those of the world that
/// changes fast.
fn slow(tree: Tree) {
    let (about, ratios) = ticks(Workload::Fields(tree, CALM), 10_000, false);
    println!("# slow world: {}", about.trim_start_matches("# "));
    for Ratio { engine, native, .. } in ratios {
        println!("# slow world: {} {engine} {native:.3} x native", tree.name());
    }
}

/// Measures the gain of a second thread.
fn threads(tree: Tree) -> Result<(), String> {
    equality::check(&mut tree.threads(3000), 100)?;
    for agents in [100_000, 1_000_000] {
        let nanos: Vec<_> = measure(tree.threads(agents).into()).iter().map(Runner::nanos).collect();
        println!("THREADS {} {agents} {:.2}", tree.name(), nanos[0] / nanos[1]);
    }
    Ok(())
}

/// Measures selections of agents that got signals.
fn selections() -> Result<(), String> {
    let counts = select::check(3000, select::FEW, 300)?;
    println!("# {}: all systems select the same, 3000 agents x 300 frames: {counts:?}", select::SOLDIER);
    for told in [select::FEW, select::MANY] {
        let name = format!("{}, {told} of 1000 told something", select::SOLDIER);
        let (about, ratios) = compared(&name, select::AGENTS, select::systems(select::AGENTS, told));
        println!("{about}");
        for Ratio { engine, native, .. } in ratios {
            println!("SELECT {engine} {} {told} {native:.3}", select::AGENTS);
        }
    }
    Ok(())
}

/// Changes of variables, and an event, for agents of modular trees.
fn reactions(what: Reacting) -> Result<(), String> {
    let (name, agents) = (what.name(), CHARTED);
    what.check(3000, 300)?;
    println!("# {name}: all systems do the same, 3000 agents x 300 frames");
    let (about, ratios) = compared(name, agents, what.systems(agents));
    println!("{about}");
    for Ratio { engine, native, .. } in ratios {
        println!("REACT {name} {engine} {agents} {native:.3}");
    }
    Ok(())
}

/// Engines whose shortcuts are measured: the scalar one, and the fastest that sweeps.
fn measured_engines() -> Vec<&'static str> {
    let names: Vec<_> = engines().map(|(name, _)| name).collect();
    names.iter().take(1).chain(names.iter().skip(1).last()).copied().collect()
}

/// Measures each shortcut on each tree, and prints tables: of the benchmarks' trees, and of trees
/// from files.
fn worths(files: &[String], manifest: Option<&Path>) -> Result<(), String> {
    let mut made_up: Vec<_> = Workload::all()
        .map(|workload| gains(workload.name(), &|| workload.systems(CHARTED, false)))
        .collect();
    made_up.extend(Reacting::ALL.map(|what| gains(what.name(), &|| what.systems(CHARTED))));
    made_up.push(gains(select::SOLDIER, &|| select::systems(CHARTED, select::FEW)));
    let mut from_files = Vec::new();
    for file in files {
        let tree = scripted::Tree::load(file.as_ref(), manifest)?;
        from_files.push(gains(tree.name(), &|| tree.systems(CHARTED)));
    }
    for trees in [made_up, from_files].iter().filter(|trees| !trees.is_empty()) {
        println!("\n{}", shortcuts::table(trees));
    }
    Ok(())
}

/// Measures each shortcut on one tree.
fn gains(tree: &str, systems: &dyn Fn() -> Vec<Named>) -> Gains {
    let mut gains = Gains { tree: tree.to_owned(), worths: Vec::new() };
    for engine in measured_engines() {
        let of_engine = |shortcut: &Shortcut| {
            *shortcut == Shortcut::RunningPaths || shortcut.is_of_scalar() == (engine == "scalar")
        };
        let shortcuts: Vec<_> = Shortcut::ALL.into_iter().filter(of_engine).collect();
        let made = || systems().into_iter().find(|system| system.name == engine);
        let make = || made().unwrap_or_else(|| panic!("no {engine}"));
        let (nanos, worths) = shortcuts::worths(&make, &shortcuts, measure);
        println!("# {tree}, {CHARTED} agents, {engine}: {nanos:.2} ns");
        for Worth { shortcut, ratio } in &worths {
            println!("SHORTCUT {shortcut:?} {tree} {engine} {CHARTED} {ratio:.3}");
        }
        gains.worths.extend(worths);
    }
    gains
}

/// Measures the cost that the C API adds to a tick.
fn border() -> Result<(), String> {
    equality::check(&mut border::bots::<true>(1000), 200)?;
    for tree in border::TREES {
        equality::check(&mut border::fields(tree, 1000), 200)?;
    }
    println!("# C and Rust do the same, 1000 agents x 200 frames");
    for agents in [1, 64, 1000, 10_000, 100_000] {
        added(trees::BOT, agents, border::bots::<false>(agents));
        border::TREES.into_iter().for_each(|tree| added(tree.name(), agents, border::fields(tree, agents)));
    }
    Ok(())
}

fn added(name: &str, agents: usize, systems: Vec<Named>) {
    let (about, ratios) = compared(name, agents, systems);
    println!("{about}");
    ratios.iter().for_each(|ratio| println!("CAPI {name} {agents} {:.3}", 1.0 / ratio.native));
}

/// Measures systems in turns.
fn measure(systems: Vec<Named>) -> Vec<Runner> {
    let mut runners: Vec<_> = systems.into_iter().map(Runner::new).collect();
    runners.iter_mut().for_each(|runner| runner.warm_up(WARM_UP));
    let many = runners.iter().any(|runner| runner.agents() > MANY_AGENTS);
    for _ in 0..if many { FEW_REPETITIONS } else { REPETITIONS } {
        runners.iter_mut().for_each(Runner::repeat);
    }
    runners
}

/// Speed of an engine as a multiple of the speed of others.
struct Ratio {
    engine: &'static str,
    native: f64,
    peer: Option<f64>,
}

/// Compares the systems before they are measured.
fn equal(workload: Workload) -> Result<(), String> {
    let (agents, frames) = if matches!(workload, Workload::Bot(_)) { (1000, 200) } else { (3000, 300) };
    let counts = workload.check(agents, frames)?;
    let names: Vec<_> = workload.systems(1, true).iter().map(|system| system.name).collect();
    println!(
        "# {}: {} agree, {agents} agents x {frames} frames: {counts:?}",
        workload.name(),
        names.join(", ")
    );
    Ok(())
}

/// Measures all systems that run a tree. Returns a line of nanoseconds,
/// and the ratios of each engine.
fn ticks(workload: Workload, agents: usize, peers: bool) -> (String, Vec<Ratio>) {
    compared(workload.name(), agents, workload.systems(agents, peers))
}

/// Measures any systems and compares them.
fn compared(name: &str, agents: usize, systems: Vec<Named>) -> (String, Vec<Ratio>) {
    let runners = measure(systems);
    let nanos: Vec<_> = runners.iter().map(|it| format!("{} {:.2}", it.name, it.nanos())).collect();
    let about = format!("# {name}, {agents} agents, ns in an agent's tick: {}", nanos.join(", "));

    let yardsticks = runners.iter().filter(|it| it.role == Role::Yardstick);
    let native = yardsticks.map(Runner::nanos).fold(f64::INFINITY, f64::min);
    let peer = runners.iter().find(|it| it.name == BONSAI).map(Runner::nanos);
    let engines = runners.iter().filter(|it| it.role == Role::Engine);
    let ratio = |engine: &Runner| Ratio {
        engine: engine.name,
        native: native / engine.nanos(),
        peer: peer.map(|peer| peer / engine.nanos()),
    };
    (about, engines.map(ratio).collect())
}

/// Measures compiling and loading: as a game ships images, and with debug information.
fn texts() -> Result<(), Box<dyn std::error::Error>> {
    let manifest = trees::manifest();
    let parts = corpus::corpus(PARTS);
    let text: usize = parts.iter().map(|part| part.library.bytes()).sum();
    let trees: usize = parts.iter().map(|part| part.entries.len()).sum();
    let [shipped, debug] = [false, true].map(|debug| Texts::measure(&parts, &manifest, debug));
    let (shipped, debug) = (shipped?, debug?);
    println!(
        "# {PARTS} images of {} nodes in {trees} trees, {text} bytes of text; all diagnostics on",
        shipped.nodes
    );
    println!("# without debug information, {} bytes of images", shipped.bytes);
    println!("COMPILE {:.0}", shipped.nodes_per_second());
    own_language()?;
    println!("LOAD {:.3} {:.1}", shipped.nanos_per_byte(), shipped.compiled / shipped.loaded);
    println!(
        "# with debug information, {} bytes of images: {:.0} nodes/s, {:.3} ns/byte, {:.1} x compiling",
        debug.bytes,
        debug.nodes_per_second(),
        debug.nanos_per_byte(),
        debug.compiled / debug.loaded
    );
    Ok(())
}

/// Measures compiling files in pleach's own language: as a game ships images, and with debug
/// information.
fn own_language() -> Result<(), Box<dyn std::error::Error>> {
    let files = corpus_pleach::corpus(PARTS);
    let text: usize = files.iter().map(|file| file.library.bytes()).sum();
    let [shipped, debug] = [false, true].map(|debug| Texts::measure(&files, &Manifest::default(), debug));
    let (shipped, debug) = (shipped?, debug?);
    println!("# {PARTS} images of {} nodes in pleach's own language, {text} bytes of text", shipped.nodes);
    println!("COMPILE pleach {:.0}", shipped.nodes_per_second());
    println!("# with debug information: {:.0} nodes/s", debug.nodes_per_second());
    Ok(())
}

/// Times of compiling and loading the corpus.
struct Texts {
    nodes: u32,
    bytes: usize,
    /// Seconds to compile the whole corpus.
    compiled: f64,
    /// Seconds to map and verify all images.
    loaded: f64,
}

impl Texts {
    /// Compiles and loads in turns.
    fn measure(parts: &[Part], manifest: &Manifest, debug: bool) -> Result<Self, Box<dyn std::error::Error>> {
        let mut compiler = Compiler::default();
        let images: Vec<_> = parts.iter().map(|part| part.compile(&mut compiler, manifest, debug)).collect();
        let write = |(index, image): (usize, &Vec<u8>)| TempFile::new(&format!("{index}.plc"), image);
        let files = images.iter().enumerate().map(write).collect::<Result<Vec<_>, _>>()?;
        let (mut compiled, mut loaded) = (Vec::new(), Vec::new());
        for _ in 0..REPETITIONS {
            let sizes = parts.iter().map(|part| part.compile(&mut compiler, manifest, debug).len());
            let compile = || sizes.sum::<usize>();
            compiled.push(time(compile).0.as_secs_f64());
            loaded.push(load(&files)?.as_secs_f64());
        }
        let mut nodes = 0;
        for file in &files {
            nodes += file.map()?.meta().nodes;
        }
        let bytes = images.iter().map(Vec::len).sum();
        Ok(Self { nodes, bytes, compiled: median(compiled), loaded: median(loaded) })
    }

    fn nodes_per_second(&self) -> f64 {
        f64::from(self.nodes) / self.compiled
    }

    fn nanos_per_byte(&self) -> f64 {
        self.loaded * 1e9 / self.bytes as f64
    }
}

fn load(files: &[TempFile]) -> Result<Duration, pleach::LoadError> {
    let (taken, blocks) = time(|| {
        files.iter().try_fold(0, |blocks, file| file.map().map(|image| blocks + image.blocks().len()))
    });
    blocks.map(|_| taken)
}
