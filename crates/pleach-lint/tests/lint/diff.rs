//! Differences between a random program and a changed one: there are none exactly if the programs
//! do the same by their behavior keys. Reformatting and comments never make a difference.

use pleach_compile::{Request, manifest::Manifest};
use pleach_image::Image;
use pleach_lint::diff::{Outline, compare};
use pleach_tests::own;
use pleach_tests::random::check::{cases, programs};
use pleach_tests::random::draws::Draws;
use pleach_tests::random::{Case, language};
use std::collections::BTreeMap;

const NODES: usize = 60;

type Files = BTreeMap<String, String>;

/// Returns the outline of a program, by its text or by its image; none if it has errors.
fn outline(files: &Files, of_code: bool) -> Option<Outline> {
    let (library, manifest) = (own::library(files), Manifest::default());
    let entries = ["main".to_owned()];
    let request = Request { dialect: own::dialect(), manifest: &manifest, entries: &entries, debug: true };
    if of_code {
        let bytes = pleach_compile::compile(&library, request).image?;
        return Some(Outline::of_image(&Image::copy(&bytes).expect("a valid image")));
    }
    Outline::compile(&library, request, false, false).0
}

/// Returns the files in the usual form, with comments and other white space.
fn reformatted(files: &Files, draws: &mut Draws) -> Files {
    let other = |(name, text): (&String, &String)| {
        let formatted = pleach_edit::format(name, text.as_bytes()).expect("no errors");
        let commented = formatted.replace('\n', if draws.one_in(2) { " // note\n" } else { "\n\n\t" });
        (name.clone(), commented)
    };
    files.iter().map(other).collect()
}

/// Returns the files with a change somewhere: another number, or a word less or twice.
fn changed(files: &Files, draws: &mut Draws) -> Files {
    let mut files = files.clone();
    let names: Vec<_> = files.keys().cloned().collect();
    let text = files.get_mut(&names[draws.below(names.len())]).expect("the file");
    let words: Vec<_> = text.split_inclusive(' ').map(str::to_owned).collect();
    let at = draws.below(words.len());
    let mut changed = words.clone();
    match draws.below(5) {
        0 => _ = changed.remove(at),
        1 => changed.insert(at, words[at].clone()),
        2 => changed.swap(at, draws.below(words.len())),
        _ => {
            let digit = char::from(b'1' + draws.below(9) as u8).to_string();
            changed[at] = words[at].replace(|letter: char| letter.is_ascii_digit(), &digit);
        }
    }
    *text = changed.concat();
    files
}

/// Numbers of pairs of programs that were equal and that were not.
#[derive(Default)]
struct Census([u64; 2]);

fn judge(old: &Outline, new: &Outline, census: &mut Census) -> Result<(), String> {
    let (found, same) = (compare(old, new), old.behavior == new.behavior);
    census.0[usize::from(!same)] += 1;
    if found.list.is_empty() == same { Ok(()) } else { Err(format!("same: {same}, but {:?}", found.list)) }
}

fn fight(case: &Case, census: &mut Census) -> Result<(), String> {
    let case = case.clone().cut(NODES);
    let files: Files = language::program(&case).files.into_iter().collect();
    let mut draws = Draws::seeded(case.seed ^ 0xd1ff);
    let of_code = draws.one_in(3);
    let Some(old) = outline(&files, of_code) else { return Ok(()) };
    let other = reformatted(&files, &mut draws);
    let new = outline(&other, of_code).ok_or("the formatted program has errors")?;
    let found = compare(&old, &new);
    if !found.list.is_empty() || old.behavior != new.behavior {
        return Err(format!("reformatting makes a difference: {:?}\n{other:?}", found.list));
    }
    for _ in 0..8 {
        if let Some(new) = outline(&changed(&files, &mut draws), of_code) {
            judge(&old, &new, census)?;
            judge(&new, &old, census)?;
        }
    }
    Ok(())
}

#[test]
fn differences_are_told_exactly_if_programs_differ() {
    let found = cases(programs(600), fight).unwrap_or_else(|found| panic!("{found}"));
    let [same, other] = [0, 1].map(|index| found.iter().map(|census| census.0[index]).sum::<u64>());
    assert!(same > 100 && other > 300, "{same} {other}");
}
