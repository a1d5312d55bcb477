//! Damaged and hostile images are refused, or harmless.
//!
//! The golden images are small random programs, at least one for each instruction and each
//! operation of conditions. They are cut short, lengthened, and changed in every single bit, with
//! the old checksum and with a corrected one.

use pleach_image::isa::{Op, StackOp};
use pleach_tests::random::Case;
use pleach_tests::random::bst;
use pleach_tests::random::btcpp;
use pleach_tests::random::check::{cases, programs};
use pleach_tests::random::edits::edited_text;
use pleach_tests::random::forest::{self, Texts};
use pleach_tests::random::golden;
use pleach_tests::random::language;
use pleach_tests::random::mbt;
use pleach_tests::random::mutate::mutant;
use pleach_tests::random::rules;
use pleach_tests::random::states;
use pleach_tests::random::trial::{self, Verdict};
use std::panic::catch_unwind;
use std::path::Path;

#[test]
fn there_is_a_golden_image_for_every_operation() {
    let golden = golden::by_operation();
    let names = Op::ALL.iter().map(|op| op.mnemonic()).chain(StackOp::ALL.iter().map(|op| op.mnemonic()));
    let missing: Vec<_> = names.filter(|name| !golden.contains_key(name)).collect();
    assert_eq!(missing, [""; 0]);
    // Trees of BehaviorTree.CPP may tick again in a tick, so their bounds are high.
    assert!(golden.values().all(|golden| trial::run_within(&golden.image, u64::MAX) == Verdict::Ran));
}

#[test]
fn changed_images_are_refused_or_harmless() {
    let mutants = programs(2_000);
    let tried = |case: &Case, ran: &mut u64| {
        *ran += u64::from(trial::run(&mutant(case)) == Verdict::Ran);
        Ok(())
    };
    let ran: u64 = cases(mutants, tried).unwrap_or_else(|found| panic!("{found}")).iter().sum();
    println!("{ran} of {mutants} mutants ran");
    assert!(ran > mutants / 50 && ran < mutants / 2, "the changes miss what they are for: {ran} ran");
}

/// Fuzz target with its name.
type Target = (&'static str, fn(&[u8]));

/// Replays fuzzing results, one folder for each target.
#[test]
fn crashes_stay_fixed() {
    let crashes = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/crashes");
    let targets: [Target; 10] = [
        ("image", trial::image),
        ("source_text", trial::source_text),
        ("own_text", trial::own_text),
        ("edits", edited_text),
        ("mbt_text", trial::mbt_text),
        ("btcpp_text", trial::btcpp_text),
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

/// Sources with all constructs of the grammar, as seeds for the fuzzer.
const SOURCES: &[&str] = &[
    "selector { condition team == 2 { action heal() } action roam() }",
    "selectClass { spawnAs 3 }\nsequence { decorator invert() { action flee } behavior main }",
    "concurrent { fallback { decorator timer( 500 ) { action fight } } decorator return( 2 ) { action rush } }",
    "#define W 1\n#define F(x, y) x ## y\n#ifdef W\nselector { action moveTo( F(1, 2), -0.5 ) }\n#else\n#endif\n",
    "condition !alertedToEnemy && ( 1.5 <= random || !( team != W_NONE ) ) { action say( \"a\" \"\\x41\" ) }",
    "#if defined(A) || 1 ? 2 : 3 << 4\n#include \"main.bt\"\n#elif 0\n#endif\ndecorator mapStatus( 0, 1, 7 ) { action heal() }",
    "enum { A, B = -5, C };\naction moveInDir( $evalint( A + 010 * 0x1f ), B )",
];

/// Writes the golden images and some sources as seeds for the fuzzer.
#[test]
#[ignore = "writes seeds for the fuzzer; .ci/fuzz runs it"]
fn write_seeds() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let write = |target: &str, name: &str, bytes: &[u8]| {
        std::fs::create_dir_all(corpus.join(target)).expect("a folder for the seeds");
        std::fs::write(corpus.join(target).join(name), bytes).expect("a seed");
    };
    golden::by_operation().iter().for_each(|(name, golden)| write("image", name, &golden.image));
    for (index, golden) in states::golden().iter().enumerate() {
        for (what, state) in ["crowd", "agent"].iter().zip(&golden.states) {
            write("state_bytes", &format!("{what}{index}"), &[&[index as u8][..], state].concat());
        }
    }
    let sources = SOURCES.iter().enumerate();
    sources.for_each(|(index, text)| write("source_text", &format!("seed{index}.bt"), text.as_bytes()));
    for seed in 0..64 {
        let files = language::program(&Case::sized(seed, 4 + seed as usize % 12)).files;
        write("own_text", &format!("seed{seed}.pleach"), files[0].1.as_bytes());
        write("edits", &format!("seed{seed}.pleach"), files[0].1.as_bytes());
        let text = mbt::text(&Case::sized(seed, 4 + seed as usize % 12));
        write("mbt_text", &format!("seed{seed}.xml"), text.as_bytes());
        let text = btcpp::text(&Case::sized(seed, 4 + seed as usize % 12));
        write("btcpp_text", &format!("seed{seed}.xml"), text.as_bytes());
        let Texts { main, files } = forest::texts(&Case::sized(seed, 4 + seed as usize % 12));
        let files: Vec<_> = [main].into_iter().chain(files.into_values()).collect();
        write("forest_text", &format!("seed{seed}.xml"), files.join("\0").as_bytes());
        write("forest_text", &format!("tree{seed}.xml"), files[1].as_bytes());
        let text = bst::text(&Case::sized(seed, 4 + seed as usize % 12));
        write("bst_text", &format!("seed{seed}.xml"), text.as_bytes());
        let tree = rules::text(&Case::sized(seed, 4 + seed as usize % 12)).0;
        write("debt_text", &format!("seed{seed}.debt"), tree.as_bytes());
    }
}
