//! Texts of trees in memory, and their compilation.

use pleach::Image;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use pleach_compile::{Compiler, Request, dialect};

/// The name of the bot's tree.
pub const BOT: &str = "bot";

/// Returns the bot's files.
#[must_use]
pub fn bot() -> Texts {
    [
        ("bot.bt", include_str!("../trees/bot.bt")),
        ("bot_reflexes.bt", include_str!("../trees/bot_reflexes.bt")),
        ("bot_fight.bt", include_str!("../trees/bot_fight.bt")),
        ("bot_heal.bt", include_str!("../trees/bot_heal.bt")),
        ("bot_supply.bt", include_str!("../trees/bot_supply.bt")),
        ("bot_build.bt", include_str!("../trees/bot_build.bt")),
        ("bot_wander.bt", include_str!("../trees/bot_wander.bt")),
    ]
    .into_iter()
    .fold(Texts::new("bt"), |texts, (path, text)| texts.with(path, text))
}

/// Returns the vocabulary of the bot: that of the game.
///
/// # Panics
/// If the dialect is gone.
#[must_use]
pub fn manifest() -> Manifest {
    dialect::by_name("unvanquished").expect("the dialect exists").own_manifest()
}

/// Compiles trees, with all diagnostics, to the bytes of an image, with or without debug
/// information.
///
/// # Panics
/// If they have errors.
#[must_use]
pub fn bytes(
    compiler: &mut Compiler,
    library: &Texts,
    manifest: &Manifest,
    entries: &[String],
    debug: bool,
) -> Vec<u8> {
    let dialect = dialect::by_extension(library.extension()).expect("the dialect exists");
    let done = compiler.compile(library, Request { dialect, manifest, entries, debug });
    done.image.unwrap_or_else(|| panic!("{:#?}", done.diagnostics.list().first()))
}

/// Returns the bot, compiled and verified.
///
/// # Panics
/// If it has errors.
#[must_use]
pub fn bot_image() -> Image {
    let bytes = bytes(&mut Compiler::default(), &bot(), &manifest(), &[BOT.to_owned()], true);
    Image::copy(&bytes).unwrap_or_else(|error| panic!("{error}"))
}
