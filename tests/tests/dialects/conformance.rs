//! Every engine passes every recorded case: those of the folders in `conformance/`, and those of
//! the folders that `PLEACH_CASES` names (separated by `:`).

use pleach_tests::conformance::engine::ENGINES;
use pleach_tests::conformance::{Folder, run};
use std::path::{Path, PathBuf};

/// Returns the folders of cases in the repository.
fn own() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
    let entries = std::fs::read_dir(&root).unwrap_or_else(|error| panic!("{}: {error}", root.display()));
    let mut folders: Vec<_> = entries.map(|entry| entry.expect("an entry of a folder").path()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    folders
}

fn named() -> Vec<PathBuf> {
    let variable = std::env::var("PLEACH_CASES").unwrap_or_default();
    variable.split(':').filter(|path| !path.is_empty()).map(PathBuf::from).collect()
}

/// Replays a folder on all engines and prints the results. Failures fail the test.
/// `is_own` is true for the cases of this repository, which may neither be skipped nor refused.
fn replay(path: &Path, is_own: bool) {
    let folder = Folder::read(path).unwrap_or_else(|error| panic!("{error}"));
    for engine in ENGINES {
        let report = run(&folder, *engine);
        print!("{report}{}", report.skips());
        assert!(report.passed > 0, "nothing of {} ran on {}", path.display(), engine.name());
        assert!(report.failed.is_empty(), "{report}");
        let all_count = report.skipped.is_empty() && report.refused.is_empty();
        assert!(!is_own || all_count, "{}", report.skips());
    }
}

/// The cases of this repository need no other files and no features that are left out. So no case
/// may be skipped or refused.
#[test]
fn own_cases_pass() {
    let folders = own();
    assert!(!folders.is_empty());
    folders.iter().for_each(|path| replay(path, true));
}

/// Further cases may need trees that are missing here.
#[test]
fn named_cases_pass() {
    named().iter().for_each(|path| replay(path, false));
}
