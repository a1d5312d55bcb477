//! Golden images: small random programs, at least one for each instruction and each operation of
//! conditions.
//!
//! Campaigns damage these images: see [`crate::campaign`].

use super::forest::Texts;
use super::program::{program, sources};
use super::{Case, bst, btcpp, forest, language, mbt, rules};
use crate::golden::ir;
use crate::own;
use pleach_compile::internals::emit;
use pleach_compile::internals::ir::Module;
use pleach_image::Image;
use pleach_image::isa::{Op, StackOp};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Number of programs among which the golden ones are chosen.
const CANDIDATES: u64 = 4000;

/// Files by path.
type Files = Vec<(String, String)>;

/// Generator: functions that return the image of a case, and its source files.
#[derive(Clone, Copy)]
struct Kind {
    image: fn(&Case) -> Vec<u8>,
    sources: fn(&Case) -> Files,
}

/// Generator of random IR.
const RANDOM: Kind = Kind {
    image: |case| {
        let sources = case.seed.is_multiple_of(4).then(sources);
        emit::emit(&program(case), "random", sources.as_ref()).expect("a small program fits")
    },
    sources: |case| vec![("ir.txt".to_owned(), ir::text(&program(case)))],
};

/// Generators of programs of the own language, modular trees, selections and trees with scripts.
/// Some instructions occur in one of them only.
const TEXTS: [Kind; 4] = [
    Kind {
        image: |case| emitted(own::module(&language::program(case).files.into_iter().collect()), "pleach"),
        sources: |case| language::program(case).files,
    },
    Kind {
        image: |case| emitted(mbt::module(&mbt::text(case)), "mbt"),
        sources: |case| vec![("tree.xml".to_owned(), mbt::text(case))],
    },
    Kind {
        image: |case| emitted(bst::module(&bst::text(case)).map(|(module, _)| module), "bst"),
        sources: |case| vec![("tree.xml".to_owned(), bst::text(case))],
    },
    Kind {
        image: |case| emitted(btcpp::module(&btcpp::text(case)), "btcpp"),
        sources: |case| vec![("tree.xml".to_owned(), btcpp::text(case))],
    },
];

/// Generator of trees with rules.
const WALKING: Kind = Kind {
    image: |case| emitted(Ok(rules::module(case)), "dragengine"),
    sources: |case| {
        let (main, files) = rules::text(case);
        let files = files.into_iter().map(|(path, text)| (path.trim_start_matches('/').to_owned(), text));
        [("main.debt".to_owned(), main)].into_iter().chain(files).collect()
    },
};

/// Generator of forests.
const FOREST: Kind = Kind {
    image: |case| emitted(Ok(forest::module(&forest::texts(case))), "btengine"),
    sources: |case| {
        let Texts { main, files } = forest::texts(case);
        [("main.xml".to_owned(), main)].into_iter().chain(files).collect()
    },
};

fn emitted(module: Result<Module, String>, dialect: &str) -> Vec<u8> {
    emit::emit(&module.expect("the generator makes valid trees"), dialect, None)
        .expect("a small program fits")
}

/// Golden image.
#[derive(Clone)]
pub struct Golden {
    /// Operation that the image was chosen for.
    pub name: &'static str,
    /// Bytes of the image.
    pub image: Vec<u8>,
    kind: Kind,
    case: Case,
}

impl Golden {
    /// Returns the source files of the image, by path.
    #[must_use]
    pub fn sources(&self) -> Files {
        (self.kind.sources)(&self.case)
    }
}

/// Returns the candidates.
fn candidates() -> impl Iterator<Item = (Kind, Case)> {
    let some = |kind: Kind, seeds: u64, sizes: usize| {
        (0..seeds).map(move |seed| (kind, Case::sized(seed, 1 + seed as usize % sizes)))
    };
    let texts = TEXTS.into_iter().flat_map(move |kind| some(kind, CANDIDATES / 4, 12));
    let others = texts.chain(some(WALKING, CANDIDATES / 4, 6)).chain(some(FOREST, CANDIDATES / 16, 12));
    some(RANDOM, CANDIDATES, 12).chain(others)
}

/// Returns the smallest candidate for each instruction and operation, by name.
///
/// # Panics
/// If a generator makes an invalid image.
#[must_use]
pub fn by_operation() -> BTreeMap<&'static str, Golden> {
    let mut golden: BTreeMap<&'static str, Golden> = BTreeMap::new();
    for (kind, case) in candidates() {
        let bytes = (kind.image)(&case);
        let image = Image::copy(&bytes).expect("what the compiler makes, the verifier lets pass");
        let ops = image.code().iter().filter_map(|word| word.op()).map(Op::mnemonic);
        let stack = image.condition_code().iter().filter_map(|word| word.op()).map(StackOp::mnemonic);
        for name in ops.chain(stack) {
            let smallest = golden.get(name).is_none_or(|known| bytes.len() < known.image.len());
            if smallest {
                golden.insert(name, Golden { name, image: bytes.clone(), kind, case: case.clone() });
            }
        }
    }
    golden
}

/// Returns the images without duplicates.
pub fn images() -> &'static [Golden] {
    static IMAGES: LazyLock<Vec<Golden>> = LazyLock::new(|| {
        let mut images: Vec<_> = by_operation().into_values().collect();
        images.sort_by(|one, other| (one.image.len(), &one.image).cmp(&(other.image.len(), &other.image)));
        images.dedup_by(|one, other| one.image == other.image);
        images
    });
    &IMAGES
}
