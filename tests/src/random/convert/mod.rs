//! Random programs of our own language, and the same ones converted to BehaviorTree.CPP.
//!
//! Both run beside each other, and their hosts give the same answers. After each tick they must
//! have the same status, calls and variables. Programs that are not converted are counted.

mod tree;

use super::draws::{Draws, hash};
use crate::conformance::engine::{Arg, Call, Halt, Settlers, Society, World, scalar};
use crate::random::Case;
use pleach::Image;
use pleach_compile::internals::ir::Outcome;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use pleach_compile::{Conversion, ConversionOptions, Request, compile, dialect, to_btcpp};

/// Declarations of the host that both programs share.
const ACTIONS: &str = "action plain()\naction whole(n: int)\naction mixed(real: double, line: text)\n\
    action judge(is: bool)\naction far(n: int64)\naction few(n: int 0..)\naction give(out n: int, out x: double)\n";
/// Queries of our own language.
const QUERIES: &str = "query sees() -> bool\nquery near(n: int) -> bool\n";
/// Conditions of BehaviorTree.CPP.
const CONDITIONS: &str = "action sees() condition\naction near(n: int) condition\n";
/// Variables that are compared.
const VARIABLES: [&str; 7] = ["i", "small", "tiny", "b", "c", "d", "e"];
/// Number of ticks of a program.
const TICKS: u64 = 40;

/// Numbers of programs that were converted, and that were not.
#[derive(Clone, Copy, Debug, Default)]
pub struct Converted {
    /// Programs that ran in both languages.
    pub run: u64,
    /// Programs that the format has not.
    pub refused: u64,
}

/// Runs the program of a case in both languages.
///
/// # Errors
/// With the first difference.
pub fn fight(case: &Case, counts: &mut Converted) -> Result<(), String> {
    let text = tree::text(case);
    let Some(xml) = converted(&text)? else {
        counts.refused += 1;
        return Ok(());
    };
    counts.run += 1;
    compare(&text, &xml, case.seed, TICKS.min(case.ticks)).map_err(|why| format!("{why}\n{text}\n{xml}"))
}

/// Converts a text of our own language. Returns `None` if the format does not have all of it.
///
/// # Errors
/// If the text is not valid.
pub fn converted(text: &str) -> Result<Option<String>, String> {
    let done = conversion(text, false);
    let own = |code: &str| code != "E0764";
    let wrong = done.diagnostics.list().iter().find(|it| it.code.id.starts_with('E') && own(it.code.id));
    match wrong {
        Some(wrong) => Err(format!("{}: {}\n{text}", wrong.code.id, wrong.message)),
        None => Ok(done.text),
    }
}

/// Converts a text of our own language.
///
/// # Panics
/// If the language is unknown.
#[must_use]
pub fn conversion(text: &str, approximate: bool) -> Conversion {
    let manifest = manifest(QUERIES);
    let (library, entries) = (Texts::of("main", "pleach", text), ["main".to_owned()]);
    let dialect = dialect::by_name("pleach").expect("our own language");
    let request = Request { dialect, manifest: &manifest, entries: &entries, debug: false };
    to_btcpp(&library, request, ConversionOptions { approximate, ..ConversionOptions::default() })
}

/// Runs a text and its conversion, and compares them tick by tick.
///
/// # Errors
/// With the first difference.
pub fn compare(text: &str, xml: &str, seed: u64, ticks: u64) -> Result<(), String> {
    let mut own = society("pleach", "pleach", text, QUERIES, seed)?;
    let mut other = society("btcpp", "xml", xml, CONDITIONS, seed)?;
    let mut hosts = [Host::new(seed), Host::new(seed)];
    let mut draws = Draws::seeded(!seed);
    let mut now = 0;
    for tick in 0..ticks {
        now += [0, 10, 20, 30, 50][draws.below(5)];
        if tick > 0 && draws.one_in(3) {
            let (name, value) = (draws.pick(&["b", "c", "d"]), draws.below(2) as f64);
            // An entry that a tree does not have is no variable.
            let known = other.get(0, name).is_some() && own.get(0, name).is_some();
            if known {
                own.set(0, name, value);
                other.set(0, name, value);
            }
        }
        let statuses = [own.tick(now, &mut hosts[0])?, other.tick(now, &mut hosts[1])?];
        let calls = hosts.each_mut().map(|host| core::mem::take(&mut host.heard));
        if statuses[0] != statuses[1] || calls[0] != calls[1] {
            return Err(format!("tick {tick} at {now}: {statuses:?}, {calls:#?}"));
        }
        for name in VARIABLES {
            let values = [own.get(0, name), other.get(0, name)];
            if let [Some(one), Some(two)] = values
                && one != two
                && !(one.is_nan() && two.is_nan())
            {
                return Err(format!("tick {tick}: {name} is {one}, and converted {two}"));
            }
        }
    }
    Ok(())
}

fn manifest(more: &str) -> Manifest {
    let (manifest, problems) = Manifest::parse(&format!("{ACTIONS}{more}"));
    assert_eq!(problems, [], "the manifest is read");
    manifest
}

fn society(
    name: &str,
    extension: &str,
    text: &str,
    more: &str,
    seed: u64,
) -> Result<scalar::Society, String> {
    let manifest = manifest(more);
    let (library, entries) = (Texts::of("main", extension, text), ["main".to_owned()]);
    let dialect = dialect::by_name(name).ok_or("no dialect")?;
    let request = Request { dialect, manifest: &manifest, entries: &entries, debug: false };
    let done = compile(&library, request);
    let bytes = done.image.ok_or_else(|| format!("{name}: {:?}", done.diagnostics.list()))?;
    let image = Image::copy(&bytes).map_err(|why| why.to_string())?;
    let settlers = Settlers { groups: &[0], entry: "main", seed, chance: None };
    scalar::Society::new(&image, &settlers)
}

/// Host that answers by a hash of the question and the number of earlier questions.
struct Host {
    seed: u64,
    asked: u64,
    heard: Vec<String>,
}

impl Host {
    fn new(seed: u64) -> Self {
        Self { seed, asked: 0, heard: Vec::new() }
    }

    fn answer(&mut self, call: &Call<'_>) -> (String, u64) {
        let name = written(call);
        self.asked += 1;
        let letters = name.bytes().fold(0_u64, |sum, byte| sum.wrapping_mul(31) + u64::from(byte));
        let answer = hash([self.seed, self.asked, letters]);
        (name, answer)
    }

    /// Answers a condition.
    fn judge(&mut self, call: &Call<'_>) -> bool {
        let (name, answer) = self.answer(call);
        let is = answer.is_multiple_of(2);
        self.heard.push(format!("{name}? {is}"));
        is
    }
}

/// Returns a call, with all numbers in one form.
fn written(call: &Call<'_>) -> String {
    let args = call.args.iter().map(|arg| match *arg {
        Arg::Int(int) => f64::from(int).to_string(),
        Arg::Float(float) => f64::from(float).to_string(),
        Arg::Int64(int) => (int as f64).to_string(),
        Arg::Double(double) => double.to_string(),
        Arg::Text(text) => format!("{:?}", String::from_utf8_lossy(text)),
        Arg::Out => "out".to_owned(),
    });
    format!("{}({})", String::from_utf8_lossy(call.name), args.collect::<Vec<_>>().join(", "))
}

impl World for Host {
    fn act(&mut self, _: usize, call: &Call<'_>) -> Outcome {
        if matches!(call.name, b"sees" | b"near") {
            return if self.judge(call) { Outcome::Success } else { Outcome::Failure };
        }
        let (name, answer) = self.answer(call);
        let outcome = match answer % 8 {
            0..=2 => Outcome::Success,
            3 => Outcome::Failure,
            _ => Outcome::Running,
        };
        self.heard.push(format!("{}{name} {outcome:?}", if call.fresh { "+" } else { "" }));
        outcome
    }

    fn give(&mut self, _: usize, _: &Call<'_>, place: usize) -> Option<f64> {
        let answer = hash([self.seed, self.asked, place as u64]);
        [None, Some(0.0), Some(5.0)][(answer % 3) as usize]
    }

    fn query(&mut self, _: usize, call: &Call<'_>) -> f64 {
        f64::from(u8::from(self.judge(call)))
    }

    /// Arguments of halts are not compared: `onHalted` of the library has none.
    fn halt(&mut self, _: usize, call: &Call<'_>, _: Halt) {
        self.heard.push(format!("-{}", String::from_utf8_lossy(call.name)));
    }
}
