//! Linking makes the same of the golden images as ever.
//!
//! Engines come to the same by whatever steps. So this alone tells that steps are as few, tests as
//! fused and lists as short as ever. `linked.txt` has a line for each image: the number of steps,
//! plain and fused, `swept` if the batch engine sweeps the program, and a hash of all that engines
//! read. After a look at the benchmarks, a change is blessed:
//! `PLEACH_BLESS=1 cargo test -p pleach --lib linked`.

use super::*;
use crate::host::{Call, Effect, Function};
use crate::values::Status;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use pleach_image::key;
use std::{env, fs, path::Path};

/// Has every function, and none is ever called.
struct Everything;

impl Host for Everything {
    fn resolve(&self, _: Function, name: &str) -> Option<u32> {
        Some(name.len() as u32)
    }

    fn act(&mut self, _: &mut Call<'_>) -> Status {
        unreachable!("nothing is run")
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        unreachable!("nothing is run")
    }
}

/// A host whose answers depend on other agents.
struct Shared;

impl Host for Shared {
    fn resolve(&self, _: Function, name: &str) -> Option<u32> {
        Everything.resolve(Function::Action, name)
    }

    fn effect(&self, _: Function, _: u32) -> Effect {
        Effect::World
    }

    fn act(&mut self, _: &mut Call<'_>) -> Status {
        unreachable!("nothing is run")
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        unreachable!("nothing is run")
    }
}

#[test]
fn programs_whose_agents_run_by_index_have_no_steps_of_sweeps() {
    let bytes = fs::read(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../tests/golden/format-1.0/random-selection-tree-19-nodes/image.plc"),
    );
    let image = Image::copy(&bytes.expect("the file is there")).expect("the program is sound");
    let link = |host: &dyn Host| Program::link(&image, host).expect("the host has every function");
    let (own, shared) = (link(&Everything), link(&Shared));
    assert_eq!((own.order(), own.parts.batch.is_some(), own.is_swept()), (TickOrder::Any, true, true));
    assert_eq!((shared.order(), shared.parts.batch.is_some()), (TickOrder::ByIndex, false));
    assert!(!shared.is_swept());
}

/// Numbers of steps, and a hash.
fn linked(bytes: &[u8]) -> String {
    let image = Image::copy(bytes).expect("the programs are sound");
    let program = Program::link(&image, &Everything).expect("this host has every function");
    let parts = &*program.parts;
    let hash = key::name(format!("{parts:?}").as_bytes());
    let (plain, fused) = (parts.plain.steps.len(), parts.fused.steps.len());
    format!("{plain} {fused} {} {:016x}", if parts.batch.is_some() { "swept" } else { "alone" }, hash)
}

#[test]
#[cfg_attr(miri, ignore = "nothing here is unsafe, and there is much of it")]
fn what_is_linked_of_golden_programs_is_as_ever() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/format-1.0");
    let files = fs::read_dir(&folder).expect("the folder is there").map(|file| file.expect("a file").path());
    let lines = files.filter(|path| path.is_dir()).map(|path| {
        let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
        (name, linked(&fs::read(path.join("image.plc")).expect("it can be read")))
    });
    let lines: BTreeMap<_, _> = lines.collect();
    let lines: String = lines.iter().map(|(name, line)| format!("{name} {line}\n")).collect();
    let path = folder.join("linked.txt");
    if env::var_os("PLEACH_BLESS").is_some() {
        return fs::write(path, &lines).expect("the file can be written");
    }
    let known = fs::read_to_string(path).expect("the file is there");
    let others = lines.lines().zip(known.lines()).find(|(now, then)| now != then);
    assert!(others.is_none(), "linked otherwise, now and before: {others:?}");
    assert_eq!(lines.lines().count(), known.lines().count());
}
