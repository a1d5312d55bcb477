//! The texts that nodes write to logs, each once.

use super::{HashMap, Kind, Module, Sym};

/// The texts of a module.
#[derive(Debug, Default)]
pub(super) struct Texts {
    /// All of them, in order.
    pub(super) list: Vec<Sym>,
    index: HashMap<Sym, u32>,
}

impl Texts {
    /// Collects the texts of a module.
    pub(super) fn of(module: &Module) -> Self {
        let mut texts = Self::default();
        for node in &module.nodes {
            match node.kind {
                Kind::Log(text) => texts.add(text),
                Kind::Logged(logs) => {
                    module.logs[logs as usize].iter().flatten().for_each(|it| texts.add(*it))
                }
                _ => {}
            }
        }
        texts
    }

    fn add(&mut self, text: Sym) {
        let Self { list, index } = self;
        index.entry(text).or_insert_with(|| {
            list.push(text);
            list.len() as u32 - 1
        });
    }

    /// Returns the index of a text. It fits into an operand, since `limits::plan` has refused more
    /// texts.
    pub(super) fn index(&self, text: Sym) -> u16 {
        self.index.get(&text).copied().unwrap_or_default() as u16
    }
}
