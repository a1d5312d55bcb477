//! Damaged and hostile images: refused, or harmless.
//!
//! The golden images are small random programs, at least one for each instruction and each operation of conditions.
//! They are cut short, lengthened, and changed in every single bit, with the checksum left as it is and put right.

use pleach_compile::emit;
use pleach_image::Image;
use pleach_image::format::seal;
use pleach_image::isa::{Op, StackOp};
use pleach_tests::own;
use pleach_tests::random::Case;
use pleach_tests::random::bst;
use pleach_tests::random::forest::{self, Texts};
use pleach_tests::random::language;
use pleach_tests::random::mbt;
use pleach_tests::random::program::{program, sources};
use pleach_tests::random::rules;
use pleach_tests::random::states;
use pleach_tests::random::trial::{self, Verdict};
use std::collections::BTreeMap;
use std::panic::catch_unwind;
use std::path::Path;

/// Programs among which the golden ones are chosen.
const CANDIDATES: u64 = 4000;

/// The candidates: any IR, programs of the own language, trees whose agents are at rules, and forests. Some instructions are
/// in one kind alone.
fn candidates() -> impl Iterator<Item = Vec<u8>> {
    let random = |seed| {
        let module = program(Case { seed, size: 1 + seed as usize % 12 });
        let sources = seed.is_multiple_of(4).then(sources);
        emit::emit(&module, "random", sources.as_ref()).expect("a small program fits")
    };
    let own = |seed| {
        let files = language::program(Case { seed, size: 1 + seed as usize % 12 }).files;
        let module = own::module(&files.into_iter().collect()).expect("the generator makes valid programs");
        emit::emit(&module, "pleach", None).expect("a small program fits")
    };
    let forest = |seed| {
        let module = forest::module(&forest::texts(Case { seed, size: 1 + seed as usize % 12 }));
        emit::emit(&module, "btengine", None).expect("a small program fits")
    };
    let reacting = |seed| {
        let text = mbt::text(Case { seed, size: 1 + seed as usize % 12 });
        let module = mbt::module(&text).expect("the generator makes valid trees");
        emit::emit(&module, "mbt", None).expect("a small program fits")
    };
    let selecting = |seed| {
        let text = bst::text(Case { seed, size: 1 + seed as usize % 12 });
        let (module, _) = bst::module(&text).expect("the generator makes valid trees");
        emit::emit(&module, "bst", None).expect("a small program fits")
    };
    let walking = |seed| {
        let module = rules::module(Case { seed, size: 1 + seed as usize % 6 });
        emit::emit(&module, "dragengine", None).expect("a small program fits")
    };
    let some = 0..CANDIDATES / 4;
    let others = some.clone().map(own).chain(some.clone().map(reacting)).chain(some.clone().map(selecting));
    let others = others.chain(some.map(walking));
    (0..CANDIDATES).map(random).chain(others).chain((0..CANDIDATES / 16).map(forest))
}

/// For each instruction and operation by name, the smallest of the candidates that has it.
fn golden() -> BTreeMap<&'static str, Vec<u8>> {
    let mut golden: BTreeMap<&'static str, Vec<u8>> = BTreeMap::new();
    for bytes in candidates() {
        let image = Image::copy(&bytes).expect("what the compiler makes, the verifier lets pass");
        let ops = image.code().iter().filter_map(|word| word.op()).map(Op::mnemonic);
        let stack = image.condition_code().iter().filter_map(|word| word.op()).map(StackOp::mnemonic);
        for name in ops.chain(stack) {
            let smallest = golden.get(name).is_none_or(|known| bytes.len() < known.len());
            if smallest {
                golden.insert(name, bytes.clone());
            }
        }
    }
    golden
}

#[test]
fn there_is_a_golden_image_for_every_operation() {
    let golden = golden();
    let names = Op::ALL.iter().map(|op| op.mnemonic()).chain(StackOp::ALL.iter().map(|op| op.mnemonic()));
    let missing: Vec<_> = names.filter(|name| !golden.contains_key(name)).collect();
    assert_eq!(missing, [""; 0]);
    assert!(golden.values().all(|bytes| trial::run(bytes) == Verdict::Ran));
}

#[test]
fn every_other_length_is_refused() {
    for (name, bytes) in golden() {
        for length in 0..bytes.len() {
            assert!(Image::copy(&bytes[..length]).is_err(), "{name}: {length} of {} bytes", bytes.len());
        }
        for more in 1..=64 {
            let mut longer = bytes.clone();
            longer.resize(bytes.len() + more, 0);
            assert!(Image::copy(&longer).is_err(), "{name}: {more} more bytes");
            seal(&mut longer);
            assert!(Image::copy(&longer).is_err(), "{name}: {more} more bytes, sealed");
        }
    }
}

#[test]
fn every_bit_flip_is_refused_or_harmless() {
    let (mut refused, mut ran) = (0, 0);
    for (name, bytes) in golden() {
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(
                Image::copy(&damaged).is_err(),
                "{name}: bit {bit} of byte {} made no difference",
                bit / 8
            );
            seal(&mut damaged);
            match catch_unwind(|| trial::run(&damaged)) {
                Ok(Verdict::Refused) => refused += 1,
                Ok(Verdict::Ran) => ran += 1,
                Err(_) => panic!("{name}: bit {} of byte {} does harm", bit % 8, bit / 8),
            }
        }
    }
    println!("sealed again: {refused} refused, {ran} ran");
    assert!(refused > 100_000 && ran > 10_000, "the flips miss what they are for: {refused}, {ran}");
}

/// A fuzz target by its name.
type Target = (&'static str, fn(&[u8]));

/// What fuzzing has found, one folder a target.
#[test]
fn crashes_stay_fixed() {
    let crashes = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/crashes");
    let targets: [Target; 8] = [
        ("image", trial::image),
        ("source_text", trial::source_text),
        ("own_text", trial::own_text),
        ("mbt_text", trial::mbt_text),
        ("forest_text", trial::forest_text),
        ("bst_text", trial::bst_text),
        ("debt_text", trial::debt_text),
        ("state_bytes", states::bytes),
    ];
    for (target, run) in targets {
        let files =
            crashes.join(target).read_dir().expect("each target has a folder, with an empty file at least");
        for file in files {
            let path = file.expect("a file of the folder").path();
            let bytes = std::fs::read(&path).expect("a file that can be read");
            assert!(catch_unwind(|| run(&bytes)).is_ok(), "{} fails again", path.display());
        }
    }
}

/// Sources that hold what the grammar has, as seeds for the fuzzer.
const SOURCES: &[&str] = &[
    "selector { condition team == 2 { action heal() } action roam() }",
    "selectClass { spawnAs 3 }\nsequence { decorator invert() { action flee } behavior main }",
    "concurrent { fallback { decorator timer( 500 ) { action fight } } decorator return( 2 ) { action rush } }",
    "#define W 1\n#define F(x, y) x ## y\n#ifdef W\nselector { action moveTo( F(1, 2), -0.5 ) }\n#else\n#endif\n",
    "condition !alertedToEnemy && ( 1.5 <= random || !( team != W_NONE ) ) { action say( \"a\" \"\\x41\" ) }",
    "#if defined(A) || 1 ? 2 : 3 << 4\n#include \"main.bt\"\n#elif 0\n#endif\ndecorator mapStatus( 0, 1, 7 ) { action heal() }",
    "enum { A, B = -5, C };\naction moveInDir( $evalint( A + 010 * 0x1f ), B )",
];

/// The golden images and some sources, as seeds for the fuzzer.
#[test]
#[ignore = "writes seeds for the fuzzer; .ci/fuzz runs it"]
fn write_seeds() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let write = |target: &str, name: &str, bytes: &[u8]| {
        std::fs::create_dir_all(corpus.join(target)).expect("a folder for the seeds");
        std::fs::write(corpus.join(target).join(name), bytes).expect("a seed");
    };
    golden().iter().for_each(|(name, bytes)| write("image", name, bytes));
    for (index, golden) in states::golden().iter().enumerate() {
        for (what, state) in ["crowd", "agent"].iter().zip(&golden.states) {
            write("state_bytes", &format!("{what}{index}"), &[&[index as u8][..], state].concat());
        }
    }
    let sources = SOURCES.iter().enumerate();
    sources.for_each(|(index, text)| write("source_text", &format!("seed{index}.bt"), text.as_bytes()));
    for seed in 0..64 {
        let files = language::program(Case { seed, size: 4 + seed as usize % 12 }).files;
        write("own_text", &format!("seed{seed}.pleach"), files[0].1.as_bytes());
        let text = mbt::text(Case { seed, size: 4 + seed as usize % 12 });
        write("mbt_text", &format!("seed{seed}.xml"), text.as_bytes());
        let Texts { main, files } = forest::texts(Case { seed, size: 4 + seed as usize % 12 });
        let files: Vec<_> = [main].into_iter().chain(files.into_values()).collect();
        write("forest_text", &format!("seed{seed}.xml"), files.join("\0").as_bytes());
        write("forest_text", &format!("tree{seed}.xml"), files[1].as_bytes());
        let text = bst::text(Case { seed, size: 4 + seed as usize % 12 });
        write("bst_text", &format!("seed{seed}.xml"), text.as_bytes());
        let tree = rules::text(Case { seed, size: 4 + seed as usize % 12 }).0;
        write("debt_text", &format!("seed{seed}.debt"), tree.as_bytes());
    }
}
