//! The ledger: the record of all campaigns, run by run.
//!
//! `tests/ledger.tsv` has a line for each run. Only the command `campaign` appends lines.
//! The page `spec/ledger.md` has the sums of the lines. Its table is made from the file,
//! and a test compares the two.

use super::mutation::PARTS;
use super::{CAMPAIGNS, TARGETS};
use pleach_image::verify::Rule;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The day on which it ended, as `2026-01-31`.
    pub date: String,
    /// The campaign; of the fuzzer, `fuzz` and the target.
    pub name: String,
    /// Hash of the crates' sources at the time of the run, see [`code`].
    pub code: String,
    /// Duration of the run.
    pub seconds: u64,
    /// Number of executions.
    pub executions: u64,
    /// Number of findings.
    pub findings: u64,
    /// Remarks on the run.
    pub words: String,
}

impl Line {
    /// Reads a line of the ledger; `None` if it is none.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [date, name, code, seconds, executions, findings, words] = fields[..] else { return None };
        Some(Self {
            date: date.to_owned(),
            name: name.to_owned(),
            code: code.to_owned(),
            seconds: seconds.parse().ok()?,
            executions: executions.parse().ok()?,
            findings: findings.parse().ok()?,
            words: words.to_owned(),
        })
    }

    /// Returns the line as it is written to the ledger.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { date, name, code, seconds, executions, findings, words } = self;
        let words = words.replace(['\t', '\n'], " ");
        format!("{date}\t{name}\t{code}\t{seconds}\t{executions}\t{findings}\t{words}\n")
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn file() -> PathBuf {
    root().join("tests/ledger.tsv")
}

/// Returns all runs.
///
/// # Errors
/// If the file cannot be read, or a line is none.
pub fn lines() -> io::Result<Vec<Line>> {
    let text = std::fs::read_to_string(file())?;
    let line = |(number, line)| {
        Line::parse(line).ok_or_else(|| io::Error::other(format!("line {number} of the ledger is none")))
    };
    (1..).zip(text.lines()).map(line).collect()
}

/// Appends a run, and makes the table anew.
///
/// # Errors
/// If a file cannot be read or written.
pub fn append(line: &Line) -> io::Result<()> {
    use io::Write as _;
    std::fs::OpenOptions::new().append(true).create(true).open(file())?.write_all(line.text().as_bytes())?;
    let (page, lines) = (root().join("spec/ledger.md"), lines()?);
    let text = std::fs::read_to_string(&page)?;
    let text = tables(&lines).into_iter().try_fold(text, |text, (name, table)| replaced(&text, name, &table));
    std::fs::write(page, text.ok_or_else(|| io::Error::other("the page has no table"))?)
}

/// Returns the tables of the page `ledger.md`, with their names.
#[must_use]
pub fn tables(lines: &[Line]) -> [(&'static str, String); 3] {
    [("ledger", table(lines)), (PLANTED, planted(lines)), ("mutation", mutation(lines))]
}

/// Returns a page with another table under a name.
fn replaced(page: &str, name: &str, table: &str) -> Option<String> {
    let begin = format!("<!-- table {name} -->\n");
    let start = page.find(&begin)? + begin.len();
    let stop = start + page[start..].find("<!-- end -->")?;
    Some(format!("{}{table}{}", &page[..start], &page[stop..]))
}

/// Returns the number of executions of a campaign in its runs whose remarks begin with the names of
/// these generators: in all runs if there are no names.
#[must_use]
pub fn executions(lines: &[Line], name: &str, generators: &str) -> u64 {
    let own = lines.iter().filter(|line| line.name == name && line.words.starts_with(generators));
    own.map(|line| line.executions).sum()
}

/// Returns the number of executions of a campaign after its last run with a finding.
#[must_use]
pub fn since(lines: &[Line], name: &str) -> u64 {
    let own: Vec<_> = lines.iter().filter(|line| line.name == name).collect();
    let last = own.iter().rposition(|line| line.findings > 0).map_or(0, |last| last + 1);
    own[last..].iter().map(|line| line.executions).sum()
}

/// Returns the table of campaigns.
fn table(lines: &[Line]) -> String {
    let mut table = String::from(
        "| campaign | executions | since the last finding | goal | findings | runs | hours | last run |\n|---|---|---|---|---|---|---|---|\n",
    );
    let campaigns = CAMPAIGNS.iter().map(|it| (it.name.to_owned(), it.unit, it.goal));
    let targets = TARGETS.iter().map(|(target, goal)| (format!("fuzz {target}"), "inputs", *goal));
    for (name, unit, goal) in campaigns.chain(targets) {
        let own: Vec<_> = lines.iter().filter(|line| line.name == name).collect();
        let (all, since) = (executions(lines, &name, ""), since(lines, &name));
        let findings: u64 = own.iter().map(|line| line.findings).sum();
        let seconds: u64 = own.iter().map(|line| line.seconds).sum();
        let last = own.last().map_or("never", |line| &line.date);
        let (hours, runs) = (seconds as f64 / 3600.0, own.len());
        let [all, since, goal] = [all, since, goal].map(grouped);
        _ = writeln!(
            table,
            "| `{name}` | {all} {unit} | {since} | {goal} | {findings} | {runs} | {hours:.2} | {last} |"
        );
    }
    table
}

/// Returns the table of mutation testing: all runs for a part.
fn mutation(lines: &[Line]) -> String {
    let mut table =
        String::from("| part | run | changes | killed | share | goal |\n|---|---|---|---|---|---|\n");
    for (part, goal) in PARTS {
        let name = format!("mutation {part}");
        for Line { date, executions, findings, .. } in lines.iter().filter(|line| line.name == name) {
            let killed = executions - findings;
            let share = 100.0 * killed as f64 / *executions as f64;
            _ = writeln!(table, "| {part} | {date} | {executions} | {killed} | {share:.1} % | {goal} % |");
        }
    }
    table
}

/// Returns the table of planted bugs: for each rule the last run without it.
fn planted(lines: &[Line]) -> String {
    let mut table = String::from("| without | found by | what was found |\n|---|---|---|\n");
    let (mut found, mut none) = (0, Vec::new());
    for rule in Rule::ALL {
        let own = lines.iter().rfind(|line| line.name == PLANTED && line.words.starts_with(rule.code()));
        let Some(line) = own else { continue };
        let words: Vec<&str> = line.words.splitn(3, ": ").collect();
        if let [code, by, what] = words[..] {
            let (by, what) = (by.trim_start_matches("found by "), what.replace('|', "/"));
            _ = writeln!(table, "| {code} | {by} | {what} |");
            found += 1;
        } else {
            none.push(rule.code());
        }
    }
    table + &format!("\nFound: {found}. Not found: {} ({}).\n", none.len(), none.join(", "))
}

/// The name of runs without a rule.
pub const PLANTED: &str = "planted";

/// Returns a number with commas.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let comma = |at: usize| at > 0 && (digits.len() - at).is_multiple_of(3);
    let piece = |(at, digit)| if comma(at) { format!(",{digit}") } else { format!("{digit}") };
    digits.chars().enumerate().map(piece).collect()
}

/// Returns a hash of the sources of all crates. Lines of the ledger with the same hash are about
/// the same code.
///
/// # Errors If a file cannot be read.
pub fn code() -> io::Result<String> {
    let (mut folders, mut files) = (vec![root().join("crates")], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs" || end == "toml") {
                files.push(path);
            }
        }
    }
    files.sort();
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    for path in files {
        let bytes = std::fs::read(path)?;
        sum = bytes.iter().fold(sum, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    }
    Ok(format!("{:012x}", sum >> 16))
}

/// Returns the day, by the clock of this machine.
#[must_use]
pub fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date(since.as_secs() / 86_400)
}

/// Returns the day that is `days` days after the first of 1970, by Howard Hinnant's
/// method: years begin in March.
#[must_use]
pub fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + u64::from(month <= 2))
}
