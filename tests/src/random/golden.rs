//! Golden images: small random programs, at least one for each instruction and each operation of
//! conditions.
//!
//! Campaigns damage these images: see [`crate::campaign`].

use super::program::{program, sources};
use super::{Case, bst, forest, language, mbt, rules};
use crate::own;
use pleach_compile::emit;
use pleach_compile::ir::Module;
use pleach_image::Image;
use pleach_image::isa::{Op, StackOp};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Number of programs among which the golden ones are chosen.
const CANDIDATES: u64 = 4000;

/// Name of a generator, and the function that makes the image of a case.
type Kind = (&'static str, fn(&Case) -> Vec<u8>);

/// Generators: any IR, programs of the own language, modular trees, selections, trees with rules,
/// and forests. Some instructions occur in one kind only.
const KINDS: [Kind; 6] = [
    ("random", |case| {
        let sources = case.seed.is_multiple_of(4).then(sources);
        emit::emit(&program(case), "random", sources.as_ref()).expect("a small program fits")
    }),
    ("pleach", |case| {
        let files = language::program(case).files;
        emitted(own::module(&files.into_iter().collect()), "pleach")
    }),
    ("mbt", |case| emitted(mbt::module(&mbt::text(case)), "mbt")),
    ("bst", |case| emitted(bst::module(&bst::text(case)).map(|(module, _)| module), "bst")),
    ("dragengine", |case| emitted(Ok(rules::module(case)), "dragengine")),
    ("btengine", |case| emitted(Ok(forest::module(&forest::texts(case))), "btengine")),
];

fn emitted(module: Result<Module, String>, dialect: &str) -> Vec<u8> {
    emit::emit(&module.expect("the generator makes valid trees"), dialect, None)
        .expect("a small program fits")
}

/// Returns the candidates.
fn candidates() -> impl Iterator<Item = Vec<u8>> {
    let some = |(_, image): Kind, seeds: u64, sizes: usize| {
        (0..seeds).map(move |seed| image(&Case::sized(seed, 1 + seed as usize % sizes)))
    };
    let [random, own, reacting, selecting, walking, forest] = KINDS;
    let others = [own, reacting, selecting].into_iter().flat_map(move |kind| some(kind, CANDIDATES / 4, 12));
    let others = others.chain(some(walking, CANDIDATES / 4, 6)).chain(some(forest, CANDIDATES / 16, 12));
    some(random, CANDIDATES, 12).chain(others)
}

/// Returns the smallest candidate for each instruction and operation, by name.
///
/// # Panics
/// If a generator makes an invalid image.
#[must_use]
pub fn by_operation() -> BTreeMap<&'static str, Vec<u8>> {
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

/// Returns the images of [`by_operation`] without duplicates, each with an operation that it was
/// chosen for.
pub fn images() -> &'static [(&'static str, Vec<u8>)] {
    static IMAGES: LazyLock<Vec<(&'static str, Vec<u8>)>> = LazyLock::new(|| {
        let mut images: Vec<_> = by_operation().into_iter().collect();
        images.sort_by(|one, other| (one.1.len(), &one.1).cmp(&(other.1.len(), &other.1)));
        images.dedup_by(|one, other| one.1 == other.1);
        images
    });
    &IMAGES
}
