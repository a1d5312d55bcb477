//! The text of trees, from memory, and its compilation.

use pleach::Image;
use pleach_compile::manifest::Manifest;
use pleach_compile::source::{Found, Library};
use pleach_compile::{Compiler, Request, dialect};
use std::collections::HashMap;
use std::sync::Arc;

/// The name of the bot's tree.
pub const BOT: &str = "bot";

/// Trees by name, in memory.
#[derive(Clone, Debug)]
pub struct Memory {
    /// What the names of their files would end in. It says which dialect they are in.
    extension: &'static str,
    texts: HashMap<String, Arc<[u8]>>,
}

impl Default for Memory {
    /// No trees yet, but of the game.
    fn default() -> Self {
        Self::new("bt")
    }
}

impl Memory {
    /// No trees yet.
    #[must_use]
    pub fn new(extension: &'static str) -> Self {
        Self { extension, texts: HashMap::new() }
    }

    /// The bot's own files.
    #[must_use]
    pub fn bot() -> Self {
        let mut memory = Self::default();
        for (name, text) in [
            (BOT, include_str!("../trees/bot.bt")),
            ("bot_reflexes", include_str!("../trees/bot_reflexes.bt")),
            ("bot_fight", include_str!("../trees/bot_fight.bt")),
            ("bot_heal", include_str!("../trees/bot_heal.bt")),
            ("bot_supply", include_str!("../trees/bot_supply.bt")),
            ("bot_build", include_str!("../trees/bot_build.bt")),
            ("bot_wander", include_str!("../trees/bot_wander.bt")),
        ] {
            memory.add(name.to_owned(), text.to_owned());
        }
        memory
    }

    /// Adds a tree.
    pub fn add(&mut self, name: String, text: String) {
        self.texts.insert(name, text.into_bytes().into());
    }

    /// Bytes of text.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.texts.values().map(|text| text.len()).sum()
    }
}

impl Library for Memory {
    fn tree(&self, name: &str) -> Option<Found> {
        let text = self.texts.get(name)?;
        Some(Found { name: format!("bots/{name}.{}", self.extension), text: text.clone() })
    }

    fn include(&self, path: &str) -> Option<Found> {
        self.tree(path.strip_suffix(self.extension)?.strip_suffix('.')?)
    }
}

/// The vocabulary of the bot: that of the game.
///
/// # Panics
/// If the dialect is gone.
#[must_use]
pub fn manifest() -> Manifest {
    dialect::by_name("unvanquished").expect("the dialect exists").own_manifest()
}

/// Compiles trees, with all diagnostics, to the bytes of an image, with or without debug information.
///
/// # Panics
/// If they have errors.
#[must_use]
pub fn bytes(
    compiler: &mut Compiler,
    library: &Memory,
    manifest: &Manifest,
    entries: &[String],
    debug: bool,
) -> Vec<u8> {
    let dialect = dialect::by_extension(library.extension).expect("the dialect exists");
    let done = compiler.compile(library, Request { dialect, manifest, entries, debug });
    done.image.unwrap_or_else(|| panic!("{:#?}", done.diagnostics.list().first()))
}

/// The bot, compiled and verified.
///
/// # Panics
/// If it has errors.
#[must_use]
pub fn bot_image() -> Image {
    let bytes = bytes(&mut Compiler::default(), &Memory::bot(), &manifest(), &[BOT.to_owned()], true);
    Image::copy(&bytes).unwrap_or_else(|error| panic!("{error}"))
}
