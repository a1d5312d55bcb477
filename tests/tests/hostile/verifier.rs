//! Every rule of the verifier has images that break this rule and no other. See [`broken`].
//!
//! Further tests check the limits that keep small files from using much memory or time.

use pleach_compile::emit;
use pleach_image::Image;
use pleach_image::format::{self, EntryRow, StrRef, ValueRow, value_tag};
use pleach_image::isa::{Op, Word};
use pleach_image::verify::{MAX_NAME, Rule};
use pleach_tests::broken::{self, looping, whole};
use pleach_tests::random::program::program;
use pleach_tests::random::trial::{self, Verdict};
use pleach_tests::random::{Case, golden};
use std::path::Path;
use std::time::{Duration, Instant};

/// Every rule is broken by a file or by rows, and exactly that rule is reported.
#[test]
fn every_rule_refuses_an_image() {
    for base in broken::bases() {
        assert_eq!(trial::run(&base), Verdict::Ran, "an image before it is broken");
    }
    let images = broken::images();
    let mut reported: Vec<_> =
        images.iter().map(|(rule, image)| (*rule, Image::copy(image).map(drop))).collect();
    reported.push((Rule::Aligned, Image::new(&broken::shifted().as_ref()[1..]).map(drop)));
    for (rule, result) in &reported {
        let found = result.as_ref().expect_err(rule.meaning());
        assert_eq!(found.rule, *rule, "{found}");
    }
    let untested = Rule::ALL.iter().filter(|rule| reported.iter().all(|(tested, _)| tested != *rule));
    // Missing memory is tested in `memory.rs`.
    assert_eq!(untested.collect::<Vec<_>>(), [&Rule::Memory]);
}

/// Writes or checks the images for the tests of the image crate, see its `tests/golden.rs`: the
/// golden images, and all images above.
#[test]
fn the_golden_images_are_these() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/pleach-image/tests/golden.plcs");
    let sound = golden::images().iter().map(|(_, bytes)| bytes.clone()).chain(broken::bases());
    let mut golden = Vec::new();
    let broken = broken::images().into_iter().map(|(_, bytes)| bytes);
    // Some images break a rule by their size, so they are left out.
    for bytes in sound.chain(broken.filter(|bytes| bytes.len() < 1 << 16)) {
        let said = Image::copy(&bytes).map_or_else(|error| error.to_string(), |_| "sound".to_owned());
        for piece in [said.as_bytes(), &bytes] {
            golden.extend((piece.len() as u32).to_le_bytes());
            golden.extend(piece);
        }
    }
    if std::env::var_os("PLEACH_BLESS").is_some() {
        std::fs::write(&file, &golden).expect("the file can be written");
    }
    let found = std::fs::read(&file).expect("the file is there");
    assert!(found == golden, "the golden images are others; PLEACH_BLESS=1 writes them");
}

#[test]
fn long_names_are_refused_by_the_compiler() {
    let mut module = program(&Case::sized(3, 5));
    module.imports[0].name = module.names.intern(&[b'x'; MAX_NAME as usize - 7]);
    let image = emit::emit(&module, "random", None).expect("the name just fits");
    Image::copy(&image).expect("what the compiler makes, the verifier lets pass");
    module.imports[0].name = module.names.intern(&[b'x'; MAX_NAME as usize]);
    let refused = emit::emit(&module, "random", None).expect_err("the name is too long");
    assert_eq!(refused.code, pleach_compile::codes::TOO_LARGE);
}

/// Rows that share strings or code must not multiply them. These images are a few megabytes, but
/// would take as many gigabytes, or minutes.
#[test]
fn nothing_multiplies() {
    let many = 60_000;
    let mut texts = whole();
    texts.strings.resize(1 << 20, b'x');
    texts.values.resize(many, ValueRow { tag: value_tag::TEXT, bits: 0, len: 1 << 20 });
    let mut names = whole();
    let name = StrRef { start: 0, len: MAX_NAME };
    names.strings.resize(MAX_NAME as usize, b'x');
    names.entries.resize(many, EntryRow { name, block: 0, reserved: 0 });
    let mut functions = whole();
    functions.imports.resize(many, functions.imports[0]);
    functions.code.splice(9..9, vec![Word::new(Op::Flag).with_t(1); 1 << 18]);
    functions.code[1] = Word::new(Op::Cond).with_t(1);
    functions.code.pop();
    functions.blocks[1].count += (1 << 18) - 1;
    for parts in [texts, names, functions] {
        let (start, file) = (Instant::now(), format::write(&parts));
        assert_eq!(Image::copy(&file).map(drop), Ok(()));
        trial::run(&file);
        assert!(start.elapsed() < Duration::from_secs(20), "it took {:?}", start.elapsed());
    }
}

#[test]
fn loops_end_within_their_bound_and_reach_it() {
    let image = Image::copy(&format::write(&looping())).unwrap();
    let program = pleach::Program::link(&image, &trial::Anybody::default()).unwrap();
    let mut crowd = pleach::Crowd::new(&program);
    let agent = crowd.spawn("main").unwrap();
    let mut steps = trial::Steps::default();
    let outcome = crowd.tick_agent(agent, 0, &mut trial::Anybody::default(), &mut steps);
    assert_eq!(outcome, Ok(pleach::Outcome::Fault(pleach::Fault::Fuel)));
    // Two passes of the outer loop with three calls each. A call runs the called block without its
    // return, the call itself and its `again`. The rest is the start and end of a pass and the
    // start of the outer loop. Returns and faults are not counted.
    assert_eq!(steps.0, 2 * (3 * ((1 + 3) + 2) + 3) + 1);
    assert_eq!(program.bounds().instructions, steps.0 + 2 * 3 + 1);
    assert_eq!(crowd.tick(1, &mut trial::Anybody::default()).faults, 1);
}
