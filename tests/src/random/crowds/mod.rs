//! One image, several crowds: the same agents on different engines, side by side.
//!
//! A [`duel`](super::duel) compares one agent after the other with the reference interpreter. This
//! module compares whole crowds with the scalar engine, of sizes that fill chunks and sizes that
//! leave them nearly empty. Between ticks, agents are spawned and despawned, reset and switched,
//! events are raised, variables written, and paces set. Crowds are also ticked in parts, within
//! budgets and with watchers. After each tick, every agent must have the same outcome and the same
//! data, and its host must have got the same calls in the same order.

mod game;
mod hosts;
mod life;
mod side;
mod survival;
mod way;

use super::Case;
use super::draws::{Draws, hash};
use life::Life;
use pleach::engine::{Engine, Vectors};
use pleach::{Agent, Image};
use side::Side;
use way::{Way, contenders, representatives, survivors};

/// Runs an image on all engines, and tells whether the batch engine swept it; or
/// the first difference, in words.
///
/// # Errors
/// If there is one.
pub fn agree(bytes: &[u8], variables: &[String], case: &Case, ticks: u64) -> Result<bool, String> {
    let agreed = compared(contenders(case.seed), [bytes; 2], variables, Span { case, ticks, most: None })?;
    Ok(agreed.swept)
}

/// Runs an image on the scalar engine and on the batch engine of each width, whose crowds must have
/// the same digest after each tick. Returns a digest of all these.
///
/// # Errors
/// If there is a difference.
pub fn digest(bytes: &[u8], variables: &[String], case: &Case, ticks: u64) -> Result<u64, String> {
    let span = Span { case, ticks, most: Some(1 + case.seed as usize % MANY) };
    let engines = [Engine::Scalar].into_iter().chain(Vectors::all().map(Engine::Batch));
    let engines = engines.map(|engine| (engine, Way::Whole));
    Ok(compared(engines, [bytes; 2], variables, span)?.digest)
}

/// Runs an image while what is running is saved and restored, and reloaded from one build to
/// another, before each tick; the first difference to what comes of it otherwise, in words.
///
/// # Errors
/// If there is one.
pub fn survive(builds: [&[u8]; 2], variables: &[String], case: &Case, ticks: u64) -> Result<(), String> {
    compared(survivors(), builds, variables, Span { case, ticks, most: None }).map(drop)
}

/// Both at once with few engines and agents, for many programs: on the scalar engine and on the
/// batch engine, saved and restored, and reloaded before each tick.
///
/// # Errors
/// If there is a difference.
pub fn both(builds: [&[u8]; 2], variables: &[String], case: &Case, ticks: u64) -> Result<(), String> {
    let span = Span { case, ticks, most: Some(1 + case.seed as usize % FEW) };
    compared(representatives(case.seed), builds, variables, span).map(drop)
}

/// Agents of a small crowd.
const FEW: usize = 12;

/// Agents of a crowd that is large enough for lanes of every width.
const MANY: usize = 40;

/// Outcome of crowds that behaved equally.
struct Agreed {
    /// True if the batch engine swept the program.
    swept: bool,
    /// Digest of the digests of the first crowd after each tick.
    digest: u64,
}

/// Number of ticks, and the largest number of agents, or `None` if that number is random. The case
/// has bounds for both.
#[derive(Clone, Copy)]
struct Span<'a> {
    case: &'a Case,
    ticks: u64,
    most: Option<usize>,
}

fn compared(
    contenders: impl Iterator<Item = (Engine, Way)>,
    builds: [&[u8]; 2],
    variables: &[String],
    Span { case, ticks, most }: Span<'_>,
) -> Result<Agreed, String> {
    let seed = case.seed;
    let [image, other] = builds.map(|bytes| Image::copy(bytes).map_err(|error| error.to_string()));
    let plan = Plan::new(seed, [image?, other?], variables);
    let sides: Result<Vec<_>, _> = contenders.map(|(engine, way)| Side::new(&plan, engine, way)).collect();
    let mut sides = sides?;
    let swept = sides.iter().any(|side| side.crowd.program().is_swept());
    let mut life = plan.life();
    let mut draws = Draws::seeded(seed);
    // From 1 to 300, 32 on average.
    let usual = if draws.one_in(40) { 300 } else { 1 + draws.below(50) };
    let most = most.unwrap_or(usual).min(case.agents);
    let mut digest = 0;
    for tick in 0..ticks.min(case.ticks) {
        life.go_on(&mut sides, tick, most)?;
        for at in 0..sides.len() {
            let ticked = sides[at].tick(life.now, &life.agents);
            ticked.map_err(|why| told(&life, tick, [&sides[0], &sides[at]], &why))?;
        }
        let (first, others) = sides.split_first().ok_or("there are engines")?;
        for other in others {
            compare(&life, first, other).map_err(|why| told(&life, tick, [first, other], &why))?;
        }
        digest = hash([digest, first.crowd.inspect().digest()]);
    }
    for side in sides {
        let name = side.name.clone();
        side.replay().map_err(|why| format!("{name}: {why}"))?;
    }
    Ok(Agreed { swept, digest })
}

/// Program of all sides, in two builds.
struct Plan<'a> {
    seed: u64,
    images: [Image; 2],
    /// Names of the variables that hosts write.
    variables: &'a [String],
    /// Ids of the rules.
    ids: Vec<String>,
}

impl<'a> Plan<'a> {
    fn new(seed: u64, images: [Image; 2], variables: &'a [String]) -> Self {
        let ids = images[0].ids().iter().map(|row| images[0].name(row.name).to_owned()).collect();
        Self { seed, images, variables, ids }
    }

    /// Returns a life without agents.
    fn life(&self) -> Life {
        let [image, _] = &self.images;
        let events = image.events().iter().map(|row| image.name(row.name).to_owned()).collect();
        Life::new(self.seed, events, self.ids.clone())
    }
}

fn compare(life: &Life, first: &Side, other: &Side) -> Result<(), String> {
    same("all calls", &other.game.calls, &first.game.calls)?;
    for agent in &life.agents {
        same("outcome", &other.crowd.outcome(*agent), &first.crowd.outcome(*agent))?;
        let heard = |side: &Side| side.game.heard.get(agent.index()).copied();
        same("what the host heard", &heard(other), &heard(first))?;
        let frame = |side: &Side| -> Result<Vec<u64>, String> {
            let numbers = side.crowd.inspect().frame(*agent).map_err(|error| error.to_string())?;
            Ok(numbers.into_iter().map(f64::to_bits).collect())
        };
        // Another build has other slots.
        if other.crowd.program().variable("spare").is_none() {
            same("what the agent carries", &frame(other)?, &frame(first)?)?;
        }
        let values = |side: &Side| -> Vec<u64> {
            let numbers = side.game.variables.iter().flat_map(|it| side.crowd.number(*agent, *it));
            numbers.map(f64::to_bits).collect()
        };
        same("the agent's variables", &values(other), &values(first))?;
    }
    // After saving or reloading, agents may be in other chunks, or in another build.
    if other.way == Way::Whole {
        same("digest", &other.crowd.inspect().digest(), &first.crowd.inspect().digest())?;
    }
    Ok(())
}

/// Tells a difference of the second side to the first with what agents of both have come to.
fn told(life: &Life, tick: u64, [first, other]: [&Side; 2], why: &str) -> String {
    format!("tick {tick}: {}: {why}{}{}", other.name, shown(life, first), shown(life, other))
}

/// Returns the outcome and the data of the first agents of a side.
fn shown(life: &Life, side: &Side) -> String {
    let agent = |agent: &Agent| {
        let (outcome, frame) = (side.crowd.outcome(*agent), side.crowd.inspect().frame(*agent));
        format!("\n  {}: agent {}: {outcome:?}, carries {frame:?}", side.name, agent.index())
    };
    life.agents.iter().take(2).map(agent).collect()
}

fn same<T: PartialEq + core::fmt::Debug + ?Sized>(what: &str, is: &T, must: &T) -> Result<(), String> {
    if is == must { Ok(()) } else { Err(format!("{what}\n     found {is:?}\n  expected {must:?}")) }
}
