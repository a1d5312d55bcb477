//! Every rule of the verifier has images that break this rule and no other. See [`broken`].
//!
//! Further tests check the limits that keep small files from using much memory or time.

use pleach_compile::internals::emit;
use pleach_image::Image;
use pleach_image::buffer::AlignedBytes;
use pleach_image::format;
use pleach_image::verify::{MAX_NAME, Rule, Scratch};
use pleach_tests::broken::{self, Family, looping};
use pleach_tests::golden::{files, listed};
use pleach_tests::random::program::program;
use pleach_tests::random::trial::{self, Verdict};
use pleach_tests::random::{Case, golden};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

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

/// A verification in the memory of earlier verifications has the same result as one in fresh
/// memory, even if many of the earlier ones ended early.
#[test]
fn memory_of_earlier_verifications_makes_no_difference() {
    let images = golden::images().iter().map(|golden| golden.image.clone());
    let broken = broken::images().into_iter().map(|(_, image)| image);
    let mut scratch = Scratch::default();
    // A sound image behind each broken one.
    for image in broken.zip(images.cycle()).flat_map(<[_; 2]>::from) {
        let aligned = AlignedBytes::copy(&image);
        let again = Image::new_within(&mut scratch, &aligned).map(drop);
        assert_eq!(again, Image::new(&aligned).map(drop));
    }
}

/// Returns the files for the tests of the image crate, by path, see its `tests/golden.rs`.
fn golden_files() -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for golden in golden::images() {
        let folder = format!("instruction-{}", golden.name);
        put_sound(&mut files, &folder, golden.image.clone());
        let sources = golden.sources().into_iter();
        files.extend(sources.map(|(path, text)| (format!("{folder}/{path}"), text.into_bytes())));
    }
    for Family { name, sound, broken } in broken::families() {
        put_sound(&mut files, name, sound);
        let (mut said, mut counts) = (String::new(), BTreeMap::new());
        // Some images break a rule by their size, so they are left out.
        for (rule, image) in broken.into_iter().filter(|(_, image)| image.len() < 1 << 16) {
            let count = counts.entry(rule).or_insert(0);
            *count += 1;
            let error = Image::copy(&image).expect_err(rule.meaning()).to_string();
            let numbered = format!("{}-{count}", rule.code());
            said += &error.replacen(rule.code(), &numbered, 1);
            said += "\n";
            files.insert(format!("{name}/broken/{numbered}.plc"), image);
        }
        files.insert(format!("{name}/broken.txt"), said.into_bytes());
    }
    files
}

/// Adds a valid image and its listing.
fn put_sound(files: &mut BTreeMap<String, Vec<u8>>, folder: &str, bytes: Vec<u8>) {
    let image = Image::copy(&bytes).expect("the image is sound");
    files.insert(format!("{folder}/listing.txt"), listed(&image).into_bytes());
    files.insert(format!("{folder}/image.plc"), bytes);
}

#[test]
fn the_golden_images_are_these() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/pleach-image/tests/golden");
    let expected = golden_files();
    if std::env::var_os("PLEACH_BLESS").is_some() {
        fs::remove_dir_all(&folder).expect("the folder is there");
        for (path, bytes) in &expected {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, bytes).expect("a file");
        }
    }
    let path = |path: PathBuf| path.strip_prefix(&folder).expect("a file of it").display().to_string();
    let found: Vec<_> = files(&folder).into_iter().map(path).collect();
    let mut others: Vec<_> = found.iter().filter(|path| !expected.contains_key(*path)).collect();
    others.extend(expected.iter().filter_map(|(path, bytes)| {
        let same = fs::read(folder.join(path)).is_ok_and(|found| found == *bytes);
        (!same).then_some(path)
    }));
    assert_eq!(others, [""; 0], "these files are others; PLEACH_BLESS=1 writes them");
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
    // return, the call itself and its `again`. The rest is the start and end of a pass, the start
    // of the outer loop, and the fault. Returns are not counted.
    assert_eq!(steps.0, 2 * (3 * ((1 + 3) + 2) + 3) + 1 + 1);
    assert_eq!(program.bounds().instructions, steps.0 + 2 * 3);
    assert_eq!(crowd.tick(1, &mut trial::Anybody::default()).faults, 1);
}
