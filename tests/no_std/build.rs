//! Compiles the trees of the game: that happens where the game is built, so the compiler may use what it wants.

use pleach_compile::{Request, compile, dialect, texts::Texts};
use std::{env, fs, path::Path};

fn main() {
    println!("cargo::rerun-if-changed=guard.pleach");
    let source = fs::read_to_string("guard.pleach").expect("the source is there");
    let dialect = dialect::by_extension("pleach").expect("the language has this name");
    let texts = Texts::of("guard", "pleach", &source);
    let manifest = dialect.own_manifest();
    let entries = ["guard".into()];
    let done = compile(&texts, Request { dialect, manifest: &manifest, entries: &entries, debug: false });
    let image = done.image.unwrap_or_else(|| panic!("{:?}", done.diagnostics));
    let out = env::var_os("OUT_DIR").expect("cargo says where to write");
    fs::write(Path::new(&out).join("guard.plc"), image).expect("the folder can be written to");
}
