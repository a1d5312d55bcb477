//! Prints what pleach costs beside hand-written Rust and beside bonsai-bt, in one process.
//!
//! ```text
//! RATIO <tree> <engine> <agents> <x native scalar> <x bonsai-bt>
//! COMPILE <nodes per second>
//! LOAD <nanoseconds per byte to map and verify> <x compiling the same trees>
//! ```
//!
//! A ratio above 1 says that pleach is faster; `-` stands where a peer was not run. Lines that begin with `#` say what
//! was measured. The program fails if the systems do not do the same.

use pleach_benches::corpus::{self, Part};
use pleach_benches::crowd::Bots;
use pleach_benches::equality;
use pleach_benches::measure::{Runner, median, time};
use pleach_benches::native::Native;
use pleach_benches::peer::Peer;
use pleach_benches::trees;
use pleach_benches::trusted::TempFile;
use pleach_compile::manifest::Manifest;
use std::process::ExitCode;
use std::time::Duration;

const REPETITIONS: usize = 15;
/// With more agents than this, peers are not run.
const PEER_AGENTS: usize = 10_000;
/// Frames before the first measurement.
const WARM_UP: u32 = 32;
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

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let equal = equality::check(1000, 200)?;
    println!(
        "# bot: {} nodes, {:.1} leaf calls in an agent's tick; native, pleach and bonsai-bt agree in all calls and statuses",
        trees::bot_image().meta().nodes,
        equal.calls_per_tick
    );
    println!("# bot: {:?} in 1,000 agents x 200 frames", equal.counts);
    for agents in [1, 1000, 10_000, 100_000] {
        ticks(agents);
    }
    texts()
}

/// Measures the scalar engine and its peers.
fn ticks(agents: usize) {
    let mut baseline = Runner::new(Box::new(Native::new(agents, false)), 200_000);
    let mut tuned = Runner::new(Box::new(Native::new(agents, true)), 200_000);
    let mut pleach = Runner::new(Box::new(Bots::new(agents)), 100_000);
    let mut peer = (agents <= PEER_AGENTS).then(|| Runner::new(Box::new(Peer::new(agents)), 10_000));
    let mut runners: Vec<&mut Runner> = vec![&mut baseline, &mut tuned, &mut pleach];
    runners.extend(&mut peer);
    runners.iter_mut().for_each(|runner| runner.warm_up(WARM_UP));
    for _ in 0..REPETITIONS {
        runners.iter_mut().for_each(|runner| runner.repeat());
    }
    let (native, pleach) = (baseline.nanos().min(tuned.nanos()), pleach.nanos());
    let peer = peer.map(|peer| peer.nanos());
    println!(
        "# bot, {agents} agents, ns in an agent's tick: pleach {pleach:.1}, native {:.1}, tuned {:.1}, bonsai-bt {}",
        baseline.nanos(),
        tuned.nanos(),
        peer.map_or("-".to_owned(), |peer| format!("{peer:.0}"))
    );
    let over_peer = peer.map_or("-".to_owned(), |peer| format!("{:.2}", peer / pleach));
    println!("RATIO bot scalar {agents} {:.3} {over_peer}", native / pleach);
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

/// What compiling and loading the corpus took.
struct Texts {
    nodes: u32,
    bytes: usize,
    /// Seconds to compile all.
    compiled: f64,
    /// Seconds to map and verify all.
    loaded: f64,
}

impl Texts {
    /// Compiles and loads in turns.
    fn measure(parts: &[Part], manifest: &Manifest, debug: bool) -> Result<Self, Box<dyn std::error::Error>> {
        let images: Vec<_> = parts.iter().map(|part| part.compile(manifest, debug)).collect();
        let write = |(index, image): (usize, &Vec<u8>)| TempFile::new(&format!("{index}.plc"), image);
        let files = images.iter().enumerate().map(write).collect::<Result<Vec<_>, _>>()?;
        let (mut compiled, mut loaded) = (Vec::new(), Vec::new());
        for _ in 0..REPETITIONS {
            let compile = || parts.iter().map(|part| part.compile(manifest, debug).len()).sum::<usize>();
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
