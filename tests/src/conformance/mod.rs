//! Cases as data, replayed by every engine.
//!
//! A case is a tree, the answers of the world at each step, and the expected results. Folders hold
//! cases as JSON. The form of the cases belongs to a dialect and is a `Schema`, with one folder
//! here each. The engines are behind one interface ([`engine`]). Every case of a folder is counted
//! for every engine, as passed, failed, or skipped with a reason.
//!
//! ```no_run
//! # use pleach_tests::conformance::{Folder, engine::ENGINES, run};
//! # use std::path::Path;
//! let folder = Folder::read(Path::new("tests/conformance/unvanquished"))?;
//! for engine in ENGINES {
//!     print!("{}", run(&folder, *engine));
//! }
//! # Ok::<(), String>(())
//! ```

mod bst;
mod btcpp;
mod btengine;
mod dragengine;
pub mod engine;
mod flag;
mod listed;
mod mbt;
mod pleach;
mod unvanquished;

use engine::Engine;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

pub use flag::Flag;
pub use listed::Listed;

/// Form in which cases are written.
struct Schema {
    /// Returns true if a case has this form.
    fits: fn(&Value) -> bool,
    /// Runs a case of this form.
    check: fn(&Value, &Folder, &dyn Engine) -> Verdict,
}

const SCHEMAS: &[Schema] = &[
    Schema { fits: unvanquished::is_trace, check: unvanquished::check_trace },
    Schema { fits: unvanquished::is_dump, check: unvanquished::check_dump },
    Schema { fits: dragengine::is_case, check: dragengine::check },
    Schema { fits: bst::is_play, check: bst::check_play },
    Schema { fits: mbt::is_play, check: mbt::check_play },
    Schema { fits: pleach::is_play, check: pleach::check_play },
    Schema { fits: btcpp::is_play, check: btcpp::check_play },
    Schema { fits: btengine::is_forest, check: btengine::check_forest },
];

/// Result of a case.
enum Verdict {
    Passed,
    Failed(String),
    Skipped(String),
    /// The tree loads in the original engine, and is refused here: the reason.
    Refused(String),
}

/// Cases of a folder.
pub struct Folder {
    /// Last part of its path.
    pub label: String,
    path: PathBuf,
    cases: Vec<(String, Value)>,
}

impl Folder {
    /// Reads all `.json` files of a folder, in the order of their names. Fails if the folder or a
    /// file cannot be read, if a file is not JSON, or if there is no file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let cannot = |error| format!("cannot read {}: {error}", path.display());
        let path = std::path::absolute(path).map_err(cannot)?;
        let label = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut cases = Vec::new();
        for file in json_files(&path).map_err(cannot)? {
            read_cases(&file, &mut cases)?;
        }
        match cases.is_empty() {
            true => Err(format!("{} holds no cases", path.display())),
            false => Ok(Self { label, path, cases }),
        }
    }

    /// Returns the folder of trees that are not part of the cases: the folder named by
    /// `PLEACH_CORPUS`, else a fixed place beside the cases.
    fn corpus(&self, dialect: &str) -> PathBuf {
        let named = std::env::var_os("PLEACH_CORPUS").map(PathBuf::from);
        named.unwrap_or_else(|| self.path.join("../../corpus").join(dialect))
    }
}

fn json_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let file = entry?.path();
        if file.extension().is_some_and(|extension| extension == "json") {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// Appends the cases of a file. Each has the name `file: case`, and the order in which it lists its
/// files and agents.
fn read_cases(file: &Path, cases: &mut Vec<(String, Value)>) -> Result<(), String> {
    let text = std::fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let content = serde_json::from_slice(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    let list = match content {
        Value::Array(list) => list,
        other => vec![other],
    };
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let mut orders = orders(&text).into_iter();
    for (index, mut case) in list.into_iter().enumerate() {
        if let (Some(fields), Some(order)) = (case.as_object_mut(), orders.next()) {
            fields.insert("listed".to_owned(), json!({"files": order.files.0, "agents": order.agents()}));
        }
        let name = case["name"].as_str().map_or_else(|| format!("#{index}"), str::to_owned);
        cases.push((format!("{stem}: {name}"), case));
    }
    Ok(())
}

/// Returns the orders in which the cases of a file list their parts. Empty for forms in which the
/// order does not matter.
fn orders(text: &[u8]) -> Vec<Listed> {
    serde_json::from_slice(text).unwrap_or_default()
}

/// Results of a folder on an engine. Displayed as one line, and one more line for each failed case.
pub struct Report {
    folder: String,
    engine: &'static str,
    /// Number of passed cases.
    pub passed: usize,
    /// Names of the failed cases, with the reasons.
    pub failed: Vec<(String, String)>,
    /// Names of the skipped cases, with the reasons.
    pub skipped: Vec<(String, String)>,
    /// Names of the cases whose trees are refused, with the reasons.
    pub refused: Vec<(String, String)>,
}

/// Runs all cases of a folder on one engine. A panic is a failure of its case.
#[must_use]
pub fn run(folder: &Folder, engine: &dyn Engine) -> Report {
    let (label, name) = (folder.label.clone(), engine.name());
    let (failed, skipped, refused) = Default::default();
    let mut report = Report { folder: label, engine: name, passed: 0, failed, skipped, refused };
    for (name, case) in &folder.cases {
        let verdict = catch_unwind(AssertUnwindSafe(|| check(case, folder, engine)));
        match verdict.unwrap_or_else(|_| Verdict::Failed("panicked".to_owned())) {
            Verdict::Passed => report.passed += 1,
            Verdict::Failed(why) => report.failed.push((name.clone(), why)),
            Verdict::Skipped(why) => report.skipped.push((name.clone(), why)),
            Verdict::Refused(why) => report.refused.push((name.clone(), why)),
        }
    }
    report
}

/// Checks that all expected codes were reported.
fn all_told(codes: &[String], told: &str) -> Result<(), String> {
    match codes.iter().find(|code| !told.contains(*code)) {
        Some(code) => Err(format!("{code} is not told: {told}")),
        None => Ok(()),
    }
}

fn check(case: &Value, folder: &Folder, engine: &dyn Engine) -> Verdict {
    match SCHEMAS.iter().find(|schema| (schema.fits)(case)) {
        Some(schema) => (schema.check)(case, folder, engine),
        None => Verdict::Skipped("a form of case that is not known here".to_owned()),
    }
}

impl Report {
    /// Returns one line for each reason to skip or refuse cases, with the number of cases.
    #[must_use]
    pub fn skips(&self) -> String {
        let mut reasons = BTreeMap::new();
        for (word, list) in [("refused", &self.refused), ("skipped", &self.skipped)] {
            for (_, why) in list {
                *reasons.entry((word, why)).or_insert(0_usize) += 1;
            }
        }
        let line = |((word, why), count)| format!("{} {}: {count} {word}: {why}\n", self.folder, self.engine);
        reasons.into_iter().map(line).collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { folder, engine, passed, failed, skipped, refused } = self;
        let (failures, skips) = (failed.len(), skipped.len());
        write!(out, "{folder} {engine}: {passed} passed, {failures} failed, {skips} skipped")?;
        match refused.len() {
            0 => writeln!(out)?,
            count => writeln!(out, ", {count} refused")?,
        }
        for (name, why) in failed {
            writeln!(out, "  {name}: {why}")?;
        }
        Ok(())
    }
}
