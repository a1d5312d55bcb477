//! Everything that is done with an input: from text to an image, from an image to a
//! program and what tools make of it.

use super::text::Files;
use crate::random::trial::Anybody;
use pleach::forest::{Forests, PropertyDepth};
use pleach::watch::Statistics;
use pleach::{Call, Function, Host, Image, Program, Status};
use pleach_compile::diagnostic::Severity;
use pleach_compile::source::{Found, Library};
use pleach_compile::{Compilation, Request, compile, dialect};
use pleach_image::{bounds, listing};
use std::collections::HashMap;

/// Name of the first file, and of the tree in it.
const MAIN: &str = "main";

/// Compiles the files of an input, and does everything with the image if there is one.
pub(super) fn compiled(name: &str, files: &Files<'_>) {
    let done = compilation(name, files);
    match &done.image {
        Some(bytes) => assert!(image(bytes), "the verifier lets pass what the compiler makes"),
        None => assert!(
            done.diagnostics.list().iter().any(|it| it.severity == Severity::Error),
            "there is no image, and no finding that is kept says why"
        ),
    }
}

/// Compiles the files of an input.
pub(super) fn compilation(name: &str, files: &Files<'_>) -> Compilation {
    let dialect = dialect::by_name(name).expect("the compiler knows the dialect");
    let shelf = Shelf {
        main: format!("{MAIN}.{}", dialect.extensions()[0]),
        text: files.main(),
        others: files.0[1..].iter().copied().collect(),
    };
    let (manifest, entries) = (dialect.own_manifest(), [MAIN.to_owned()]);
    compile(&shelf, Request { dialect, manifest: &manifest, entries: &entries, debug: true })
}

/// Verifies, links, lists and counts an image. Returns true if the verifier lets it pass.
pub(super) fn image(bytes: &[u8]) -> bool {
    let Ok(image) = Image::copy(bytes) else { return false };
    drop(Program::link(&image, &Nobody).map_err(|error| error.to_string()));
    let program = Program::link(&image, &Anybody::default()).expect("this host has every function");
    let mut text = String::new();
    listing::write(&image, &|_, _| None, &mut text).expect("a string takes all");
    drop((bounds::of(&image), Statistics::new(&image)));
    if let Ok(forests) = Forests::new(&program) {
        drop(forests.properties(PropertyDepth::Node));
    }
    true
}

/// Files in memory.
struct Shelf<'a> {
    main: String,
    text: &'a str,
    others: HashMap<&'a str, &'a str>,
}

impl Library for Shelf<'_> {
    fn tree(&self, name: &str) -> Option<Found> {
        let main = || Found { name: self.main.clone(), text: self.text.as_bytes().into() };
        if name == MAIN { Some(main()) } else { self.include(name) }
    }

    fn include(&self, path: &str) -> Option<Found> {
        let text = self.others.get(path)?;
        Some(Found { name: path.to_owned(), text: text.as_bytes().into() })
    }

    fn files(&self) -> Vec<Found> {
        self.tree(MAIN).into_iter().collect()
    }
}

/// A host without functions, which knows some names.
struct Nobody;

impl Host for Nobody {
    fn resolve(&self, _: Function, _: &str) -> Option<u32> {
        None
    }

    fn names(&self, _: Function) -> Vec<String> {
        (0..100).map(|number| format!("act{number}")).collect()
    }

    fn act(&mut self, _: &mut Call<'_>) -> Status {
        Status::Failure
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }
}
