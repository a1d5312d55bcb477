//! Recordings from arbitrary bytes: refused, or replayed up to their first error.
//!
//! A few small programs of all generators are used, each with a recording of a crowd. Bytes are
//! tried as a recording. They are also tried as the only block of a recording, with length and hash
//! corrected, so that the checks behind these are reached. Every failure is a panic.

use super::draws::Draws;
use super::trial::Anybody;
use super::{Case, bst, btcpp, language, mbt, program, rules};
use crate::own;
use pleach::record::{Recorder, Replay};
use pleach::{Crowd, EventTarget, Image, Program};
use pleach_compile::internals::emit;
use pleach_compile::internals::ir::Module;
use pleach_image::splitmix::GAMMA;
use std::sync::LazyLock;

/// Limits on bounds and on the size of agents. Larger programs are left out.
const MOST_WORK: u64 = 5_000;
const MOST_BYTES: f64 = 256.0;
/// Maximum number of ticks that are replayed from arbitrary bytes.
const TICKS: usize = 20;
/// Offsets of the number of functions and of the size of the image in the header, and the size of
/// the header.
const FUNCTIONS: usize = 12;
const IMAGE: usize = 16;
const HEADER: usize = 32;
/// Size of a block's header in bytes.
const BLOCK: usize = 16;

/// Recording with its states.
pub struct Golden {
    /// Bytes of the recording.
    pub bytes: Vec<u8>,
    /// Digest of the crowd after each tick.
    pub digests: Vec<u64>,
}

/// Returns recordings of some programs.
#[must_use]
pub fn golden() -> &'static [Golden] {
    static GOLDEN: LazyLock<Vec<Golden>> = LazyLock::new(|| (0..).filter_map(of_seed).take(10).collect());
    &GOLDEN
}

fn of_seed(seed: u64) -> Option<Golden> {
    let case = &Case::sized(seed, 4 + seed as usize % 9);
    let valid = "the generators make valid trees";
    let module: Module = match seed % 6 {
        0 => program::program(case),
        1 => own::module(&language::program(case).files.into_iter().collect()).expect(valid),
        2 => mbt::module(&mbt::text(case)).expect(valid),
        3 => bst::module(&bst::text(case)).expect(valid).0,
        4 => rules::module(case),
        _ => btcpp::module(&btcpp::text(case)).expect(valid),
    };
    let bytes = emit::emit(&module, "random", None).expect("a small program fits");
    let image = Image::copy(&bytes).expect("what the compiler makes, the verifier lets pass");
    let program = Program::link(&image, &Anybody::default()).expect("this host has every function");
    let small = program.bounds().instructions <= MOST_WORK && program.bytes_per_agent() <= MOST_BYTES;
    small.then(|| record(&image, &program, seed))
}

/// Records a crowd with random changes.
fn record(image: &Image, program: &Program, seed: u64) -> Golden {
    let (mut crowd, mut game, mut draws) = (Crowd::new(program), Anybody::default(), Draws::seeded(seed));
    let mut recorder = Recorder::new(image, &game);
    let entries: Vec<String> = program.entries().map(str::to_owned).collect();
    let events: Vec<_> =
        image.events().iter().filter_map(|row| program.event(image.name(row.name))).collect();
    let (mut agents, mut bytes, mut digests) = (Vec::new(), Vec::new(), Vec::new());
    for now in 0..12 {
        if draws.one_in(2) {
            agents.push(crowd.spawn(&entries[draws.below(entries.len())]).expect("there is room"));
        }
        let mut host = recorder.around(&mut game);
        if !agents.is_empty() && draws.one_in(4) {
            let agent = agents.swap_remove(draws.below(agents.len()));
            crowd.despawn(agent, now, &mut host).expect("it is there");
        }
        if !events.is_empty() {
            crowd.raise(draws.pick(&events), EventTarget::All, now, &mut host).expect("it is there");
        }
        crowd.tick(now, &mut host);
        digests.push(crowd.inspect().digest());
        if draws.one_in(3) {
            bytes.extend(recorder.take());
        }
    }
    bytes.extend(recorder.finish());
    Golden { bytes, digests }
}

/// Tries bytes as a recording: as they are, and as the block of one of the golden recordings.
pub fn bytes(bytes: &[u8]) {
    replay(bytes.to_vec());
    let Some((which, block)) = bytes.split_first() else { return };
    let golden = golden();
    replay(with_block(&golden[usize::from(*which) % golden.len()].bytes, block));
}

/// Replays bytes as far as possible. Returns the number of ticks.
pub fn replay(bytes: Vec<u8>) -> usize {
    let Ok(mut replay) = Replay::open(bytes) else { return 0 };
    let mut ticks = 0;
    while ticks < TICKS && matches!(replay.tick(), Ok(true)) {
        ticks += 1;
    }
    // Going back must work from any tick.
    replay.seek(replay.ticks() / 2).expect("it has been there");
    ticks
}

/// Returns a recording with `block` as its only block.
#[must_use]
pub fn with_block(recording: &[u8], block: &[u8]) -> Vec<u8> {
    let mut bytes = recording[..front(recording)].to_vec();
    bytes.extend((block.len() as u32).to_le_bytes());
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend(hash(block).to_le_bytes());
    bytes.extend(block);
    bytes
}

/// Returns the first block of a recording.
#[must_use]
pub fn first_block(recording: &[u8]) -> &[u8] {
    let front = front(recording);
    let length = u32::from_le_bytes(recording[front..][..4].try_into().expect("four bytes"));
    &recording[front + BLOCK..][..length as usize]
}

/// Returns the number of bytes before the blocks.
fn front(recording: &[u8]) -> usize {
    let functions = u32::from_le_bytes(recording[FUNCTIONS..][..4].try_into().expect("four bytes"));
    let image = u64::from_le_bytes(recording[IMAGE..][..8].try_into().expect("eight bytes"));
    HEADER + image as usize + functions as usize * 8
}

/// Returns a step of the hash of the specification.
pub(super) fn mix(hash: u64, next: u64) -> u64 {
    let z = (hash.rotate_left(23) ^ next).wrapping_add(GAMMA);
    let m = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    m ^ (m >> 31)
}

/// Returns the hash of a block, as the specification defines it.
fn hash(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words.iter().fold(bytes.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    rest.iter().fold(hash, |hash, byte| mix(hash, (*byte).into()))
}
