//! Golden images: small random programs, at least one for each instruction and each operation of conditions.
//!
//! They are what damage is done to: see [`crate::campaign`].

use super::program::{program, sources};
use super::{Case, bst, forest, language, mbt, rules};
use crate::own;
use pleach_compile::emit;
use pleach_image::Image;
use pleach_image::isa::{Op, StackOp};
use std::collections::BTreeMap;
use std::sync::LazyLock;

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
///
/// # Panics
/// If a generator makes what is not valid.
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

/// The same, each once, with an operation by which it is there.
pub fn images() -> &'static [(&'static str, Vec<u8>)] {
    static IMAGES: LazyLock<Vec<(&'static str, Vec<u8>)>> = LazyLock::new(|| {
        let mut images: Vec<_> = by_operation().into_iter().collect();
        images.sort_by(|one, other| (one.1.len(), &one.1).cmp(&(other.1.len(), &other.1)));
        images.dedup_by(|one, other| one.1 == other.1);
        images
    });
    &IMAGES
}
