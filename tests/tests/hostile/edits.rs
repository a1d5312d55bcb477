//! Edits leave nothing in memory, however many there are.
//!
//! `PLEACH_RANDOM` is the number of rounds, each of which has its number as its seed. They must use
//! as much memory at a time as the first 20 rounds. Before a release, 1,000,000 edits are made:
//!
//! ```console
//! $ PLEACH_RANDOM=10000 cargo test --release -p pleach-tests --test hostile edits::
//! ```

use pleach_edit::Project;
use pleach_tests::counting::spent;
use pleach_tests::random::check::programs;
use pleach_tests::random::draws::Draws;
use pleach_tests::random::edits::edit;

const ROUNDS: u64 = 20;
/// Edits that are tried in a round.
const EDITS: usize = 100;
const TEXT: &str = "action go(post: int)\nvar ammo: int8 = 6\nvar calm: bool\non hit { set calm = false }\n\
    tree main { selector { while ammo > 0 { sequence { action go(1) set ammo -= 1 } } use rest random { 2: action go(2) 1: success } } }\n\
    tree rest { invert { timeout 2 s { repeat { condition calm } } } } // a comment\n";

/// Makes edits of the text and takes them back. Returns the number of edits that were made.
fn round(project: &mut Project, number: u64) -> usize {
    let mut draws = Draws::seeded(number);
    let mut made = 0;
    for _ in 0..EDITS {
        let document = project.file("main.pleach").expect("the file").document();
        let edit = edit(&mut draws, document).expect("a node").1;
        if let Ok(change) = project.edit("main.pleach", &edit) {
            let changed = change.applied(project);
            *project = change.inverse(project).applied(&changed);
            made += 1;
        }
    }
    made
}

#[test]
fn edits_leave_nothing_in_memory() {
    let mut project = Project::new().with("main.pleach", TEXT);
    let mut rounds =
        |numbers: std::ops::Range<u64>| -> usize { numbers.map(|number| round(&mut project, number)).sum() };
    rounds(0..1);
    let (made, first) = spent(|| rounds(0..ROUNDS));
    assert!(made > ROUNDS as usize * EDITS / 4, "{made} edits");
    let count = programs(10 * ROUNDS);
    let (_, all) = spent(|| rounds(ROUNDS..ROUNDS + count));
    assert!(all.total / first.total >= (count / ROUNDS) as usize / 2, "{first:?} {all:?}");
    assert!(all.peak <= first.peak + first.peak / 10, "{first:?} {all:?}");
    assert_eq!(project.text("main.pleach"), TEXT);
}
