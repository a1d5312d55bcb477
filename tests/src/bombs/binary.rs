//! The axes of images: their tables, and the numbers of any bytes.

use super::{Form, tried};
use crate::{broken, own};
use pleach::Image;
use pleach_compile::internals::emit;
use pleach_image::format::{self, DebugEdge, DebugEnd, Parts, StrRef, seal, slot_kind};
use pleach_image::isa::{Op, StackOp, StackWord, Word};
use std::sync::LazyLock;

/// Images whose rows become more.
pub(super) struct Tables {
    name: &'static str,
    base: fn() -> Parts,
    rows: &'static [(&'static str, Grow)],
}

type Grow = fn(&mut Parts, usize);

/// Bytes of a row at least, on average.
pub(super) const ROW: usize = 8;

impl Form for Tables {
    fn name(&self) -> &str {
        self.name
    }

    fn axes(&self) -> Vec<String> {
        self.rows.iter().map(|(name, _)| (*name).to_owned()).collect()
    }

    fn input(&self, grown: &[(usize, usize)], most: usize) -> Option<Vec<u8>> {
        let mut parts = (self.base)();
        for (axis, n) in grown {
            let (_, grow) = self.rows[*axis];
            (*n <= most / ROW).then(|| grow(&mut parts, *n))?;
        }
        Some(format::write(&parts)).filter(|bytes| bytes.len() <= most)
    }

    fn tried(&self, input: &[u8]) {
        tried::image(input);
    }
}

pub(super) const WHOLE: Tables = Tables {
    name: "image",
    base: broken::whole,
    rows: &[
        ("entries", |it, n| it.entries.resize(n, it.entries[0])),
        ("blocks", |it, n| {
            let (first, block) = (it.code.len() as u32, it.blocks[0]);
            it.code.extend((0..n).map(|_| Word::new(Op::Return)));
            it.blocks.extend((first..).take(n).map(|first| format::BlockRow { first, ..block }));
        }),
        ("code", |it, n| {
            let last = it.code.pop().expect("a block ends");
            it.code.extend((0..n).map(|_| Word::new(Op::Flag).with_x(1).with_t(1)));
            it.code.push(last);
            it.blocks.last_mut().expect("a block").count += n as u32;
        }),
        ("conditions", |it, n| {
            let end = [
                StackWord::new(StackOp::Const, 0),
                StackWord::new(StackOp::Truth, 0),
                StackWord::new(StackOp::End, 0),
            ];
            for _ in 0..n {
                let first = it.condition_code.len() as u32;
                it.condition_code.extend(end);
                it.conditions.push(format::ConditionRow { first, count: 3 });
            }
        }),
        ("operations", |it, n| {
            let last = it.condition_code.pop().expect("a condition ends");
            it.condition_code.extend((0..n).map(|_| StackWord::new(StackOp::Not, 0)));
            it.condition_code.push(last);
            it.conditions.last_mut().expect("a condition").count += n as u32;
        }),
        ("constants", |it, n| it.constants.extend((0..n as u64).map(|it| (it as f64).to_bits()))),
        ("imports", |it, n| it.imports.resize(2 + n, it.imports[0])),
        ("length of the name of imports", |it, n| {
            let start = it.strings.len() as u32;
            it.strings.extend((0..n).map(|_| b'x'));
            it.imports.iter_mut().for_each(|row| row.name = StrRef { start, len: n as u32 });
        }),
        ("sites", |it, n| it.sites.resize(2 + n, it.sites[0])),
        ("values of sites", |it, n| {
            it.values.resize(n, it.values[0]);
            it.imports[0].max_args = n as u16;
            it.sites.iter_mut().filter(|site| site.import == 0).for_each(|site| {
                (site.first, site.count) = (0, n as u16);
            });
        }),
        ("slots", |it, n| it.slots.resize(4 + n, it.slots[0])),
        ("nodes", |it, n| {
            it.keys = (1..=3 + n as u64).collect();
            it.meta[0].nodes = it.keys.len() as u32;
        }),
        ("the same key", |it, n| {
            it.keys.resize(3 + n, 1);
            it.meta[0].nodes = it.keys.len() as u32;
        }),
        ("strings", |it, n| it.strings.extend((0..n).map(|_| b'x'))),
        ("texts", |it, n| it.texts.resize(n, StrRef { start: 0, len: it.strings.len() as u32 })),
    ],
};

pub(super) const LASTING: Tables = Tables {
    name: "image, lasting",
    base: broken::lasting,
    rows: &[
        ("tables", |it, n| {
            it.cases.resize(n.max(1), it.cases[0]);
            it.tables = (0..n.max(1) as u32).map(|first| format::TableRow { first, count: 1 }).collect();
        }),
        ("parallels", |it, n| it.parallels.resize(n.max(1), it.parallels[0])),
        ("positions", |it, n| {
            let first = it.slots.len() as u16;
            it.slots.resize(it.slots.len() + n, format::SlotRow { kind: slot_kind::NODE, ..it.slots[0] });
            it.halts = [1, 2].into_iter().chain((first..).take(n)).collect();
            it.parallels.iter_mut().for_each(|row| row.positions = it.halts.len() as u16);
        }),
        ("the same position", |it, n| {
            it.halts.resize(2 + n, 1);
            it.parallels.iter_mut().for_each(|row| row.positions = it.halts.len() as u16);
        }),
        ("halts", |it, n| it.halts.resize(2 + n, 1)),
        ("shared", |it, n| it.shared.resize(2 + n, it.shared[0])),
        ("events", |it, n| it.events.resize(n.max(1), it.events[0])),
        ("limiters", |it, n| it.limiters.resize(n.max(1), it.limiters[0])),
        ("columns", |it, n| {
            it.slots.resize(it.slots.len() + n, format::SlotRow { kind: slot_kind::F32, ..it.slots[0] });
        }),
    ],
};

pub(super) const FOREST: Tables = Tables {
    name: "image, forest",
    base: broken::planted,
    rows: &[
        ("forests", |it, n| {
            it.forests.resize(1 + n, format::ForestRow { first: 1, trees: 0, count: 0, ..it.forests[0] });
        }),
        ("trees", |it, n| {
            it.forest_trees.resize(1 + n, format::ForestTreeRow { count: 0, ..it.forest_trees[0] });
            it.forests[0].trees += n as u32;
            it.forests[1..].iter_mut().for_each(|row| row.first += n as u32);
        }),
        ("faces", |it, n| {
            it.faces.resize(3 + n, it.faces[1]);
            it.keys = (1..=3 + n as u64).collect();
            it.meta[0].nodes = it.keys.len() as u32;
        }),
        ("attributes", |it, n| {
            it.attributes.resize(1 + n, it.attributes[0]);
            it.forests[0].count += n as u32;
        }),
        ("length of the text of attributes", |it, n| {
            let start = it.strings.len() as u32;
            it.strings.extend((0..n).map(|_| b'x'));
            it.attributes.iter_mut().for_each(|row| row.value = StrRef { start, len: n as u32 });
        }),
    ],
};

pub(super) const DEBUG: Tables = Tables {
    name: "image, debug",
    base: || actions(2),
    rows: &[
        ("actions", |it, n| *it = actions(n)),
        ("edges", |it, n| {
            let ways = (0..it.code.len()).flat_map(|word| (0..4).map(move |exit| DebugEdge::way(word, exit)));
            let ends = it.debug_ends.len() as u32;
            it.debug_edges = ways.take(n).map(|way| DebugEdge { way, ends }).collect();
        }),
        ("ends of each edge", |it, n| {
            it.debug_ends = (0..n as u32).map(|next| DebugEnd { node: 1, status: 0, next }).collect();
            it.debug_edges.iter_mut().for_each(|row| row.ends = n as u32);
        }),
        ("origins of each node", |it, n| {
            let origin = |origin| format::DebugOrigin { kind: 1, origin, ..Default::default() };
            it.debug_origins = (0..n as u32).map(origin).collect();
            it.debug_nodes.iter_mut().for_each(|row| row.origin = n as u32);
        }),
        ("length of names", |it, n| {
            let start = it.debug_strings.len() as u32;
            it.debug_strings.extend((0..n).map(|_| b'x'));
            it.debug_names.iter_mut().for_each(|row| *row = StrRef { start, len: n as u32 });
        }),
    ],
};

/// Returns the image of a program with this number of actions, and with debug information.
fn actions(count: usize) -> Parts {
    let text =
        format!("action work() tree main {{ sequence {{ {} }} }}", "action work ".repeat(count.max(1)));
    let (module, sources) = own::with_sources(&[(own::MAIN.to_owned(), text)].into()).expect("a program");
    // A program with more actions than an image holds has none.
    let bytes = emit::emit(&module, "test", Some(&sources)).ok();
    let image = bytes.and_then(|bytes| Image::copy(&bytes).ok());
    image.map_or_else(Parts::default, |image| image.parts())
}

/// Bytes of which each number in turn becomes larger.
pub(super) struct Words {
    pub(super) name: &'static str,
    pub(super) golden: fn() -> &'static [u8],
    /// Puts right what tells damage.
    pub(super) repaired: fn(Vec<u8>) -> Vec<u8>,
    /// Places of numbers that are put right, which are no axes.
    pub(super) without: &'static [usize],
    pub(super) tried: fn(&[u8]),
}

impl Words {
    /// Returns the places of all numbers that are axes.
    fn places(&self) -> impl Iterator<Item = usize> {
        let all = (0..(self.golden)().len() / 4).map(|word| 4 * word);
        all.filter(|at| !self.without.contains(at))
    }
}

impl Form for Words {
    fn name(&self) -> &str {
        self.name
    }

    fn axes(&self) -> Vec<String> {
        self.places().map(|at| format!("number at {at}")).collect()
    }

    fn pairs(&self) -> bool {
        false
    }

    fn input(&self, grown: &[(usize, usize)], _: usize) -> Option<Vec<u8>> {
        let mut bytes = (self.golden)().to_vec();
        // The least size is the input as it is: what that costs is no growth.
        for (axis, n) in grown.iter().filter(|(_, n)| *n > 1) {
            let at = self.places().nth(*axis)?;
            bytes[at..][..4].copy_from_slice(&u32::try_from(*n).ok()?.to_le_bytes());
        }
        Some((self.repaired)(bytes))
    }

    fn tried(&self, input: &[u8]) {
        (self.tried)(input);
    }
}

/// Places of length and checksum in the header of an image.
const SEALED: [usize; 3] = [24, 28, 36];

pub(super) const IMAGE_WORDS: Words = Words {
    name: "numbers of an image",
    golden: || {
        static GOLDEN: LazyLock<Vec<u8>> = LazyLock::new(|| format::write(&broken::lasting()));
        &GOLDEN
    },
    repaired: |mut bytes| {
        seal(&mut bytes);
        bytes
    },
    without: &SEALED,
    tried: |bytes| _ = tried::image(bytes),
};
