//! If a verifier rule that an engine relies on is turned off, some image does harm.
//!
//! The language checks every access of the engines. An index that a rule has proved is used
//! unchecked by further code, and panics if it is wrong. So for each place where code relies on a
//! rule there is an image here. With the rule it is refused. Without the rule it panics, exceeds
//! its bounds, or writes to a wrong place. Only builds with `--cfg pleach_planted` can turn a rule
//! off:
//!
//! ```console
//! $ RUSTFLAGS="--cfg pleach_planted" cargo test -p pleach-tests --test hostile planted:: \
//!       --target-dir target/planted
//! ```
#![cfg(pleach_planted)]

use pleach::planted::Bug;
use pleach_image::Image;
use pleach_image::format::seal;
use pleach_image::verify::Rule;
use pleach_image::verify::planted::without;
use pleach_tests::broken;
use pleach_tests::campaign::planted_engine;
use pleach_tests::random::golden;
use pleach_tests::random::trial;
use std::collections::HashSet;
use std::panic::catch_unwind;

/// Rule with the code that relies on it, and the images that show it.
struct Lean {
    rule: Rule,
    what: &'static str,
    /// Source of the images: an image that breaks only this rule, or golden images with a changed
    /// bit, the smallest image first.
    shown: Shown,
}

enum Shown {
    Broken,
    Flips,
}

use Shown::{Broken, Flips};

const fn lean(rule: Rule, shown: Shown, what: &'static str) -> Lean {
    Lean { rule, what, shown }
}

const LEANS: &[Lean] = &[
    lean(Rule::SectionRows, Flips, "sections are cast to rows"),
    lean(Rule::MetaRow, Broken, "the one row of meta is read"),
    lean(Rule::NodeCount, Broken, "keys are looked up by node"),
    lean(Rule::StringRange, Broken, "arguments are cut from the strings"),
    lean(Rule::EntryBlock, Broken, "an agent begins at the block of its entry"),
    lean(Rule::SiteValues, Broken, "a call takes its arguments from the values"),
    lean(Rule::ValueTag, Flips, "an argument that is a variable is read from its slot"),
    lean(Rule::SlotType, Broken, "a frame has columns for slots of known kinds"),
    lean(Rule::BlockPlace, Broken, "the words of a block are cut from the code"),
    lean(Rule::ConditionPlace, Broken, "the operations of a condition are cut from the condition code"),
    lean(Rule::TablePlace, Broken, "the cases of a switch are cut from all cases"),
    lean(Rule::CaseOrder, Flips, "cases are spread over the nodes that they name"),
    lean(Rule::ParallelSlots, Broken, "a parallel halts the positions of its branches"),
    lean(Rule::TunableRow, Broken, "a tunable has the name and the default of its variable"),
    lean(Rule::SharedType, Flips, "what agents share has room by its kind"),
    lean(Rule::EventBlock, Broken, "an event runs its block"),
    lean(Rule::LimiterSlots, Flips, "a limiter asks and grants in its slots"),
    lean(Rule::CursorSlots, Flips, "agents keep their rule in a position"),
    lean(Rule::IdNodes, Broken, "ids name nodes"),
    lean(Rule::ForestTrees, Broken, "a forest has its trees"),
    lean(Rule::TreeRoot, Broken, "a tree of a forest has its root and entry"),
    lean(Rule::AttributePlace, Broken, "attributes are cut from all attributes"),
    lean(Rule::WrapperRow, Broken, "what is around a node is told of its end"),
    lean(Rule::GateRow, Flips, "a gate notes who is inside in a bit"),
    lean(Rule::ChangesRow, Flips, "changes are noted in bits"),
    lean(Rule::OpUnknown, Broken, "every word is decoded"),
    lean(Rule::TargetBackward, Broken, "an exit leads on"),
    lean(Rule::TargetRange, Broken, "a target is a step of its block"),
    lean(Rule::LoopBack, Broken, "bounds and engines look for the loop of an `again`"),
    lean(Rule::LoopEntered, Broken, "bounds count the rounds of a loop where it begins"),
    lean(Rule::LoopNested, Broken, "bounds count a loop's rounds by what it fills its register with"),
    lean(Rule::ExitsMissing, Broken, "the exits of an instruction are in the next word"),
];

/// Returns true if an image does harm.
fn harms(image: &[u8]) -> bool {
    catch_unwind(|| trial::run(image)).is_err()
}

/// Returns the rules of `LEANS` that are shown by golden images with one changed bit. Each image is
/// verified once for all rules.
fn shown_by_flips() -> HashSet<Rule> {
    let flips = LEANS.iter().filter(|lean| matches!(lean.shown, Flips));
    let (mut rest, mut shown): (HashSet<Rule>, _) = (flips.map(|lean| lean.rule).collect(), HashSet::new());
    for golden in golden::images() {
        for bit in 0..golden.image.len() * 8 {
            if rest.is_empty() {
                return shown;
            }
            let mut image = golden.image.clone();
            image[bit / 8] ^= 1 << (bit % 8);
            seal(&mut image);
            let Err(error) = Image::copy(&image) else { continue };
            if rest.contains(&error.rule) && without(error.rule, || harms(&image)) {
                rest.remove(&error.rule);
                shown.insert(error.rule);
            }
        }
    }
    shown
}

/// Returns true if an image that breaks only this rule shows that it is needed.
fn is_shown_by_its_image(rule: Rule, images: &[(Rule, Vec<u8>)]) -> bool {
    let refused = |image: &[u8]| Image::copy(image).is_err_and(|error| error.rule == rule);
    let shows = |image: &[u8]| refused(image) && without(rule, || harms(image));
    images.iter().filter(|(broken, _)| *broken == rule).any(|(_, image)| shows(image))
}

#[test]
fn what_leans_on_a_rule_breaks_without_it() {
    let (images, flips) = (broken::images(), shown_by_flips());
    for Lean { rule, what, shown } in LEANS {
        let shown = match shown {
            Broken => is_shown_by_its_image(*rule, &images),
            Flips => flips.contains(rule),
        };
        assert!(shown, "{} is not needed: {what}", rule.code());
    }
}

#[test]
fn a_rule_is_back_when_the_work_is_done() {
    let (rule, image) = broken::images().remove(0);
    let refused = || Image::copy(&image).map(drop).map_err(|error| error.rule);
    let panicked = catch_unwind(|| without(rule, || panic!("in the midst of it")));
    assert_eq!((panicked.is_err(), refused()), (true, Err(rule)));
}

/// Finds ten planted bugs in the engines, one after the other.
#[test]
fn bugs_in_engines_are_found_and_shrink() {
    for bug in Bug::ALL {
        let found = planted_engine::found(bug).unwrap_or_else(|| panic!("{bug:?} is not found"));
        assert!(found.is_small(), "{bug:?}: {:?}\n{}", found.extent, found.counterexample);
    }
}
