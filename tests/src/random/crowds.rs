//! One image, several crowds: the same agents on different engines, side by side.
//!
//! Where a [`duel`](super::duel) compares one agent after the other with the reference interpreter, this compares whole
//! crowds with the scalar engine, in numbers that fill chunks and leave them nearly empty, and with all that happens to
//! agents between ticks: they are spawned and despawned, reset and switched, events are raised, variables written, paces set. Crowds are also ticked in
//! parts, within budgets and while somebody watches. After
//! each tick every agent must have come to the same, must carry the same, and its host must have heard the same in the same
//! order.

use super::Case;
use super::draws::{Draws, hash};
use super::linking::linked;
use super::program::OTHERS;
use core::num::NonZeroU16;
use pleach::engine::{Engine, Vectors};
use pleach::host::{LogKind, RunawayTick};
use pleach::record::{Recorder, RecordingHost, Replay};
use pleach::state::ReloadPolicy;
use pleach::watch::{CrowdObserver, ObservedHost, Statistics, TraceCapacity, Traces, Watch};
use pleach::{
    Agent, Call, Crowd, EventTarget, Function, Group, Halt, Host, Image, Program, Status, Variable,
};
use std::sync::Mutex;

/// Answers at which tests change their minds.
const NUMBERS: &[f64] =
    &[0.0, 1.0, 2.0, 3.0, -1.0, 0.5, -0.0, 2.5, 100.0, 1e9, -3e9, 1e300, f64::NAN, f64::INFINITY];

/// Step limits.
const LIMITS: &[u16] = &[1, 2, 3, 5, 8, 20, 100, 100, 100];

/// A host that answers by a hash of who asks what, and how often, and writes down what it hears.
struct Game {
    seed: u64,
    tick: u64,
    /// Answers stay the same for two to this power ticks.
    patience: u32,
    /// So many of eight actions run on.
    running: usize,
    names: Vec<String>,
    variables: Vec<Variable>,
    /// Ids of rules, to which calls send agents.
    ids: Vec<String>,
    /// For each agent, by index, all that was heard, as a hash.
    heard: Vec<u64>,
    /// How much of it in this tick.
    counts: Vec<u64>,
    calls: u64,
}

impl Game {
    fn new(seed: u64, program: &Program, names: &[String], ids: &[String]) -> Self {
        let mut draws = Draws::seeded(seed ^ 0xba7c);
        Self {
            seed,
            tick: 0,
            patience: draws.below(4) as u32,
            running: 1 + draws.below(6),
            names: names.to_vec(),
            variables: variables(program, names),
            ids: ids.to_vec(),
            heard: Vec::new(),
            counts: Vec::new(),
            calls: 0,
        }
    }

    fn next(&mut self) {
        self.tick += 1;
        self.counts.fill(0);
    }

    /// Where it is noted what was heard for an agent.
    fn place(&mut self, agent: Agent) -> usize {
        let agent = agent.index();
        if self.heard.len() <= agent {
            self.heard.resize(agent + 1, 0);
            self.counts.resize(agent + 1, 0);
        }
        agent
    }

    /// Hears a call, and gives the draws for its answer.
    fn hear(&mut self, call: &Call<'_>, kind: u64) -> Draws {
        let mut what =
            hash([kind, call.function.into(), call.node.into(), call.fresh.into(), call.now as u64]);
        for arg in call.args.iter() {
            what = match arg {
                pleach::Value::Int(int) => hash([what, 1, int as u64]),
                pleach::Value::Float(float) => hash([what, 3, float.to_bits().into()]),
                pleach::Value::Text(text) => text.iter().fold(what, |sum, byte| hash([sum, (*byte).into()])),
            };
        }
        self.note(call.agent, what)
    }

    /// Notes what was heard of an agent, and gives the draws for the answer.
    fn note(&mut self, agent: Agent, what: u64) -> Draws {
        let agent = self.place(agent);
        self.heard[agent] = hash([self.heard[agent], what]);
        self.counts[agent] += 1;
        self.calls += 1;
        Draws::seeded(hash([self.seed, agent as u64, self.tick >> self.patience, self.counts[agent], what]))
    }

    /// Sometimes, sends the agent that asks to a rule, which its tree may not have.
    fn send(&self, call: &mut Call<'_>, draws: &mut Draws) {
        if !self.ids.is_empty() && draws.one_in(16) {
            let _ = call.jump_to(&self.ids[draws.below(self.ids.len())]);
        }
    }

    /// Sometimes, writes a variable of the agent that asks.
    fn write(&self, call: &mut Call<'_>, draws: &mut Draws) {
        if self.variables.is_empty() || !draws.one_in(8) {
            return;
        }
        let variable = draws.pick(&self.variables);
        // One of these is its type.
        let _ = call.set(variable, draws.one_in(2));
        let _ = call.set(variable, draws.below(100) as i32);
        let _ = call.set(variable, draws.below(100) as f32 / 8.0);
    }
}

impl Host for Game {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        let kind = u64::from(function == Function::Action);
        Some(name.bytes().fold(hash([kind]), |sum, byte| hash([sum, byte.into()])) as u32)
    }

    fn knows(&mut self, _: Function, number: u32, agent: Agent) -> bool {
        !self.note(agent, hash([8, number.into()])).one_in(8)
    }

    fn ran_away(&mut self, run: &RunawayTick<'_>) {
        let rules = run.rules().fold(9, |sum, rule| hash([sum, rule.node().into()]));
        self.note(run.agent, rules);
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        let mut draws = self.hear(call, 1);
        self.write(call, &mut draws);
        self.send(call, &mut draws);
        match draws.below(8) {
            roll if roll < self.running => Status::Running,
            7 if draws.one_in(3) => Status::Other(draws.pick(OTHERS)),
            roll if roll % 2 == 0 => Status::Success,
            _ => Status::Failure,
        }
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        let mut draws = self.hear(call, 2);
        self.write(call, &mut draws);
        self.send(call, &mut draws);
        draws.pick(NUMBERS)
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        self.hear(call, 3 + reason as u64);
    }

    fn log(&mut self, agent: Agent, node: u32, kind: LogKind, text: &[u8]) {
        let agent = self.place(agent);
        let what =
            text.iter().fold(hash([9, node.into(), kind as u64]), |sum, byte| hash([sum, (*byte).into()]));
        self.heard[agent] = hash([self.heard[agent], what]);
    }
}

/// How a crowd is ticked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// As a whole.
    Whole,
    /// In so many parts, sometimes by threads.
    Parts(usize),
    /// Chunk by chunk, with a budget for the least.
    Within,
    /// While one of the agents is watched.
    Watching,
    /// While some agents are traced, and all counted.
    Watched,
    /// As a whole, while a recorder notes what comes in.
    Recorded,
    /// As a whole, but before each tick all is saved and restored: after another tick, in a new crowd, in another build.
    Restored,
    /// As a whole, but before each tick the program is reloaded, from one build to another.
    Reloaded,
}

/// A crowd on one engine, with its host.
struct Side {
    name: String,
    crowd: Crowd,
    game: Game,
    way: Way,
    engine: Engine,
    /// The program, and another build of it.
    builds: [Program; 2],
    state: Vec<u8>,
    watchers: (Traces, Statistics),
    recorder: Option<Recorder>,
    /// What the crowd was after each tick that was recorded.
    digests: Vec<u64>,
}

impl Way {
    /// Whether what comes in is recorded, of the program of a seed. Of parts, a recording has a snapshot after each tick.
    fn is_recorded(self, seed: u64) -> bool {
        match self {
            Self::Recorded => true,
            Self::Within | Self::Watched => seed.is_multiple_of(16),
            Self::Parts(2) => seed.is_multiple_of(64),
            _ => false,
        }
    }
}

/// All engines that this processor can run and all ways to tick, the one that the others must equal first. Recordings take as long as
/// all others together, so only every fourth program is recorded.
fn contenders(seed: u64) -> impl Iterator<Item = (Engine, Way)> {
    let engines = [Engine::Scalar].into_iter().chain(Vectors::all().map(Engine::Batch)).chain([Engine::Auto]);
    let ways = [Way::Parts(2), Way::Parts(5), Way::Within, Way::Watching, Way::Watched, Way::Recorded];
    let widest = Engine::Batch(Vectors::Avx512);
    let ways = ways.into_iter().filter(move |way| *way != Way::Recorded || seed.is_multiple_of(4));
    engines.map(|engine| (engine, Way::Whole)).chain(ways.map(move |way| (widest, way)))
}

/// Engines with all that is done to them when agents are to survive it.
fn survivors() -> impl Iterator<Item = (Engine, Way)> {
    let batch = Engine::Batch(Vectors::Avx512);
    let ways = [Engine::Scalar, batch]
        .into_iter()
        .flat_map(|engine| [Way::Restored, Way::Reloaded].map(|way| (engine, way)));
    core::iter::once((Engine::Scalar, Way::Whole)).chain(ways)
}

/// One of each kind, every one of them on both kinds of engine from program to program.
fn representatives(seed: u64) -> impl Iterator<Item = (Engine, Way)> {
    let mut engines = [Engine::Scalar, Engine::Batch(Vectors::Avx512)];
    engines.rotate_left((seed % 2) as usize);
    let whole = [Engine::Scalar, Engine::Batch(Vectors::Avx512)].map(|engine| (engine, Way::Whole));
    whole.into_iter().chain([(engines[0], Way::Restored), (engines[1], Way::Reloaded)])
}

fn variables(program: &Program, names: &[String]) -> Vec<Variable> {
    names.iter().filter_map(|name| program.variable(name)).collect()
}

/// Somebody who looks and says nothing.
struct Onlooker;

impl Watch for Onlooker {}

/// A host of several threads.
struct Locked<'a>(&'a Mutex<&'a mut Game>);

impl Host for Locked<'_> {
    fn resolve(&self, _: Function, _: &str) -> Option<u32> {
        None
    }

    fn knows(&mut self, function: Function, number: u32, agent: Agent) -> bool {
        self.0.lock().expect("no thread panics").knows(function, number, agent)
    }

    fn ran_away(&mut self, run: &RunawayTick<'_>) {
        self.0.lock().expect("no thread panics").ran_away(run);
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        self.0.lock().expect("no thread panics").act(call)
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        self.0.lock().expect("no thread panics").query(call)
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        self.0.lock().expect("no thread panics").halt(call, reason);
    }

    fn log(&mut self, agent: Agent, node: u32, kind: LogKind, text: &[u8]) {
        self.0.lock().expect("no thread panics").log(agent, node, kind, text);
    }
}

/// The host of a side, with its recorder if there is one.
enum SideHost<'a> {
    Recorded(RecordingHost<'a, Game>),
    Alone(&'a mut Game),
}

impl<'a> ObservedHost for SideHost<'a> {
    type Host = dyn Host + 'a;

    fn split(&mut self) -> (&mut Self::Host, Option<&mut dyn CrowdObserver>) {
        match self {
            Self::Recorded(recording) => {
                let (host, observer) = recording.split();
                (host, observer)
            }
            Self::Alone(game) => (game, None),
        }
    }
}

fn recording<'a>(recorder: &'a mut Option<Recorder>, game: &'a mut Game) -> SideHost<'a> {
    match recorder {
        Some(recorder) => SideHost::Recorded(recorder.around(game)),
        None => SideHost::Alone(game),
    }
}

impl Side {
    fn tick(&mut self, now: i64, agents: &[Agent]) -> Result<(), String> {
        match self.way {
            Way::Restored => self.survive_saving(now, agents)?,
            Way::Reloaded => self.survive_reload(now, agents)?,
            _ => {}
        }
        self.game.next();
        if self.way == Way::Watched {
            self.watch(agents);
        }
        let Self { crowd, game, way, watchers: (traces, statistics), recorder, .. } = self;
        match *way {
            Way::Whole | Way::Restored | Way::Reloaded => _ = crowd.tick(now, game),
            Way::Recorded => _ = crowd.tick(now, &mut recording(recorder, game)),
            Way::Within => while !crowd.tick_within(now, &mut recording(recorder, game), 0).ended {},
            Way::Watched => {
                crowd.tick_watched(now, &mut recording(recorder, game), &mut (traces, statistics));
            }
            Way::Watching => match agents.get(game.tick as usize % agents.len().max(1)) {
                Some(agent) => {
                    let tally = crowd.tick_watching(now, game, *agent, &mut Onlooker);
                    tally.map_err(|error| error.to_string())?;
                }
                None => _ = crowd.tick(now, game),
            },
            Way::Parts(count) if game.tick.is_multiple_of(8) => {
                let game = Mutex::new(&mut *game);
                std::thread::scope(|scope| {
                    for mut part in crowd.parts(count) {
                        let mut host = Locked(&game);
                        scope.spawn(move || part.tick(now, &mut host));
                    }
                });
            }
            Way::Parts(count) => {
                let mut parts: Vec<_> = crowd.parts(count).collect();
                for part in parts.iter_mut().rev() {
                    part.tick(now, game);
                }
            }
        }
        if let Way::Parts(_) = way {
            crowd.end_tick(now, &mut recording(recorder, game));
        }
        if recorder.is_some() {
            self.digests.push(crowd.inspect().digest());
        }
        Ok(())
    }

    /// Watches some of the agents, others from time to time.
    fn watch(&mut self, agents: &[Agent]) {
        let Self { watchers: (traces, _), game, .. } = self;
        let mut draws = Draws::seeded(hash([game.seed, game.tick, 78]));
        if !agents.is_empty() && draws.one_in(4) {
            traces.watch(
                draws.pick(agents),
                TraceCapacity { rows: 1 + draws.below(200), text: 1 + draws.below(50) },
            );
        }
        if draws.one_in(8) {
            let watched: Vec<_> = traces.agents().collect();
            watched.first().into_iter().for_each(|agent| traces.forget(*agent));
        }
    }

    /// Replays what was recorded: all of it must come to the same, also when it goes back.
    fn replay(self) -> Result<(), String> {
        let Self { recorder: Some(recorder), digests, game, .. } = self else { return Ok(()) };
        let mut replay = Replay::open(recorder.finish()).map_err(|error| error.to_string())?;
        same("ticks of the recording", &replay.len(), &(digests.len() as u64))?;
        for (tick, digest) in digests.iter().enumerate() {
            let more = replay.tick().map_err(|error| error.to_string())?;
            same("whether there is a tick", &more, &true)?;
            same(&format!("tick {tick} replayed"), &replay.crowd().inspect().digest(), digest)?;
        }
        let mut draws = Draws::seeded(hash([game.seed, 79]));
        for _ in 0..3 {
            let tick = draws.below(digests.len());
            replay.seek(tick as u64 + 1).map_err(|error| error.to_string())?;
            same(
                &format!("tick {tick} when gone back to"),
                &replay.crowd().inspect().digest(),
                &digests[tick],
            )?;
        }
        Ok(())
    }

    /// Saves what is running, and restores it in one of four ways.
    fn survive_saving(&mut self, now: i64, agents: &[Agent]) -> Result<(), String> {
        let Self { crowd, game, state, builds: [first, second], engine, .. } = self;
        let limit = NonZeroU16::new(crowd.step_limit());
        crowd.snapshot(state);
        if let Some(agent) = agents.get(game.tick as usize % agents.len().max(1)) {
            survive_moving(crowd, *agent)?;
        }
        match game.tick % 4 {
            // What happens in between has not been.
            0 => {
                crowd.tick(now, &mut Anything);
                agents.iter().step_by(3).for_each(|agent| _ = crowd.despawn(*agent, now, &mut Anything));
                crowd.restore(state).map_err(|error| error.to_string())?;
            }
            1 => {
                *crowd = Crowd::new(crowd.program()).with_engine(*engine);
                crowd.restore(state).map_err(|error| error.to_string())?;
            }
            2 => {
                *crowd = Crowd::new(second).with_engine(*engine);
                crowd.restore(state).map_err(|error| error.to_string())?;
            }
            _ => {
                *crowd = Crowd::new(first).with_engine(*engine);
                let report = crowd.migrate(state).map_err(|error| error.to_string())?;
                same("report", &(report.kept, report.reset), &(agents.len(), Vec::new()))?;
            }
        }
        // What the host has chosen is not what is running.
        limit.into_iter().for_each(|limit| crowd.set_step_limit(limit));
        game.variables = variables(crowd.program(), &game.names);
        let mut again = Vec::new();
        crowd.snapshot(&mut again);
        if game.tick % 4 < 2 && again != *state {
            let differs = |(is, must): (&u8, &u8)| is != must;
            let at = again.iter().zip(&*state).position(differs).unwrap_or(again.len().min(state.len()));
            let (is, must) = (again.len(), state.len());
            return Err(format!(
                "saved, restored and saved again: {is} bytes, not {must}, or other from byte {at} on"
            ));
        }
        Ok(())
    }

    fn survive_reload(&mut self, now: i64, agents: &[Agent]) -> Result<(), String> {
        let Self { crowd, game, builds, .. } = self;
        // Every third time it is the same one.
        let program = &builds[(game.tick % 3 % 2) as usize];
        let report =
            crowd.reload(program, ReloadPolicy::Places, now, game).map_err(|error| error.to_string())?;
        game.variables = variables(crowd.program(), &game.names);
        same("report", &(report.kept, report.reset), &(agents.len(), Vec::new()))
    }
}

/// Runs an image on all engines, and tells whether the batch engine swept it; or the first difference, in words.
///
/// # Errors
/// If there is one.
pub fn agree(bytes: &[u8], variables: &[String], case: &Case, ticks: u64) -> Result<bool, String> {
    let agreed = compared(contenders(case.seed), [bytes; 2], variables, Span { case, ticks, most: None })?;
    Ok(agreed.swept)
}

/// Runs an image on the scalar engine and on the batch engine of each width, whose crowds must have the same digest after each
/// tick. Returns a digest of all these.
///
/// # Errors
/// If there is a difference.
pub fn digest(bytes: &[u8], variables: &[String], case: &Case, ticks: u64) -> Result<u64, String> {
    let span = Span { case, ticks, most: Some(1 + case.seed as usize % MANY) };
    let engines = [Engine::Scalar].into_iter().chain(Vectors::all().map(Engine::Batch));
    let engines = engines.map(|engine| (engine, Way::Whole));
    Ok(compared(engines, [bytes; 2], variables, span)?.digest)
}

/// Runs an image while what is running is saved and restored, and reloaded from one build to another, before each tick; the
/// first difference to what comes of it otherwise, in words.
///
/// # Errors
/// If there is one.
pub fn survive(builds: [&[u8]; 2], variables: &[String], case: &Case, ticks: u64) -> Result<(), String> {
    compared(survivors(), builds, variables, Span { case, ticks, most: None }).map(drop)
}

/// Both at once with few engines and agents, for many programs: on the scalar engine and on the batch engine, saved and
/// restored, and reloaded before each tick.
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

/// Outcome of crowds that came to the same.
struct Agreed {
    /// True if the batch engine swept the program.
    swept: bool,
    /// Digest of the digests of the first crowd after each tick.
    digest: u64,
}

/// Number of ticks, and the most agents if the number is not left to chance. The case has bounds for both.
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
    let (image, other) = (image?, other?);
    let ids: Vec<String> = image.ids().iter().map(|row| image.name(row.name).to_owned()).collect();
    let mut sides = Vec::new();
    for (engine, way) in contenders {
        let nobody = Program::link(&image, &Anything).map_err(|error| error.to_string())?;
        let game = Game::new(seed, &nobody, variables, &ids);
        let program = linked(&image, &game, seed)?;
        let crowd = Crowd::new(&program).with_seed(seed).with_engine(engine);
        let other = linked(&other, &game, seed)?;
        let (name, builds) = (format!("{engine:?}, {way:?}"), [program, other]);
        let recorder = way.is_recorded(seed).then(|| Recorder::new(&image, &game));
        let watchers = (Traces::new(&image), Statistics::new(&image));
        let (state, digests) = (Vec::new(), Vec::new());
        sides.push(Side { name, crowd, game, way, engine, builds, state, watchers, recorder, digests });
    }
    let swept = sides.iter().any(|side| side.crowd.program().is_swept());
    let events = image.events().iter().map(|row| image.name(row.name).to_owned()).collect();
    let mut life = Life { seed, agents: Vec::new(), groups: vec![Group::default()], events, ids, now: 0 };
    let mut draws = Draws::seeded(seed);
    // From 1 to 300, 32 on average.
    let usual = if draws.one_in(40) { 300 } else { 1 + draws.below(50) };
    let most = most.unwrap_or(usual).min(case.agents);
    let mut digest = 0;
    for tick in 0..ticks.min(case.ticks) {
        life.meddle(&mut sides, tick, most)?;
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

/// Takes an agent to a crowd of its own, where it must carry the same.
fn survive_moving(crowd: &Crowd, agent: Agent) -> Result<(), String> {
    let (mut state, mut other) = (Vec::new(), Crowd::new(crowd.program()));
    crowd.save_agent(agent, &mut state).map_err(|error| error.to_string())?;
    let moved = other.load_agent(&state, Group::default()).map_err(|error| error.to_string())?;
    let frame = |crowd: &Crowd, agent| -> Vec<u64> {
        crowd.inspect().frame(agent).into_iter().flatten().map(f64::to_bits).collect()
    };
    same("the moved agent", &frame(&other, moved), &frame(crowd, agent))?;
    same("its outcome", &other.outcome(moved), &crowd.outcome(agent))
}

/// A host that has everything.
struct Anything;

impl Host for Anything {
    fn resolve(&self, _: Function, _: &str) -> Option<u32> {
        Some(0)
    }

    fn act(&mut self, _: &mut Call<'_>) -> Status {
        Status::Failure
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }
}

/// What happens between ticks, to all sides alike.
struct Life {
    seed: u64,
    agents: Vec<Agent>,
    groups: Vec<Group>,
    events: Vec<String>,
    ids: Vec<String>,
    now: i64,
}

impl Life {
    fn meddle(&mut self, sides: &mut [Side], tick: u64, most: usize) -> Result<(), String> {
        let mut draws = Draws::seeded(hash([self.seed, tick, 77]));
        self.now = self.now.saturating_add(draws.pick(&[0, 1, 1, 7, 50, 1000]));
        if draws.one_in(40) {
            self.now = draws.pick(&[0, -70, i64::MAX - 9, i64::from(i32::MAX) - 3, (3 << 30) - 60, 1 << 40]);
        }
        let entries: Vec<String> = sides[0].crowd.program().entries().map(str::to_owned).collect();
        while self.agents.len() < most && (tick == 0 || draws.one_in(2)) {
            let entry = &entries[draws.below(entries.len())];
            let mut spawned = Vec::new();
            for side in sides.iter_mut() {
                spawned.push(side.crowd.spawn(entry).map_err(|error| error.to_string())?);
            }
            same("handle", &spawned[1..], &vec![spawned[0]; spawned.len() - 1])?;
            self.agents.push(spawned[0]);
        }
        if !self.ids.is_empty() && (tick == 0 || draws.one_in(20)) {
            let limit = NonZeroU16::new(draws.pick(LIMITS)).unwrap_or(NonZeroU16::MIN);
            sides.iter_mut().for_each(|side| side.crowd.set_step_limit(limit));
        }
        // Where trees hear events, more happens, and most of it are these.
        let hears = !self.events.is_empty();
        let calm = if hears { 8 } else { 25 };
        for index in (0..self.agents.len()).rev() {
            if !draws.one_in(calm) {
                continue;
            }
            let agent = self.agents[index];
            let (what, entry) =
                (draws.below(if hears { 28 } else { 7 }), &entries[draws.below(entries.len())]);
            let group = self.group(sides, &mut draws);
            let (variable, number) = (draws.below(3), draws.below(300) as f64 - 20.0);
            let event = self.events.get(draws.below(self.events.len().max(1)));
            let every = NonZeroU16::new(1 + draws.below(4) as u16).unwrap_or(NonZeroU16::MIN);
            let whom = match draws.below(8) {
                0 => EventTarget::All,
                1 | 2 => EventTarget::Group(group),
                _ => EventTarget::Agent(agent),
            };
            for Side { crowd, game, recorder, way, .. } in sides.iter_mut() {
                let variables = game.variables.clone();
                let host = &mut recording(recorder, game);
                let done = match what {
                    0 => crowd.despawn(agent, self.now, host).map_err(|error| error.to_string()),
                    1 => crowd.reset(agent, self.now, host).map_err(|error| error.to_string()),
                    2 => crowd.switch(agent, entry, self.now, host).map_err(|error| error.to_string()),
                    3 => crowd.join(agent, group).map_err(|error| error.to_string()),
                    4 | 7..=20 => {
                        let event = event.and_then(|name| crowd.program().event(name));
                        let raise = |event| match whom {
                            EventTarget::Agent(agent) if *way != Way::Whole => {
                                crowd.raise_each(&[(agent, event)], self.now, host)
                            }
                            _ => crowd.raise(event, whom, self.now, host),
                        };
                        event.map_or(Ok(()), raise).map_err(|error| error.to_string())
                    }
                    5 => crowd.set_pace(whom, every).map_err(|error| error.to_string()),
                    _ => {
                        let variable = variables.get(variable).copied();
                        let set = |variable| crowd.set_number(agent, variable, number);
                        variable.map_or(Ok(()), set).map_err(|error| error.to_string())
                    }
                };
                done?;
            }
            if what == 0 {
                self.agents.swap_remove(index);
            } else if !self.ids.is_empty() {
                self.lead(sides, agent, &mut draws)?;
            }
        }
        Ok(())
    }

    /// Takes an agent to a rule or away from all.
    fn lead(&self, sides: &mut [Side], agent: Agent, draws: &mut Draws) -> Result<(), String> {
        let id = &self.ids[draws.below(self.ids.len())];
        let lost = draws.one_in(6);
        let lead = |Side { crowd, .. }: &mut Side| match lost {
            true => crowd.rules_mut().lose(agent),
            false => crowd.rules_mut().jump_to(agent, id),
        };
        let led: Vec<_> = sides.iter_mut().map(lead).collect();
        same("where it was sent", &led[1..], &vec![led[0].clone(); led.len() - 1])
    }

    /// A group, which may be new.
    fn group(&mut self, sides: &mut [Side], draws: &mut Draws) -> Group {
        if self.groups.len() < 4 && draws.one_in(6) {
            let groups: Vec<_> = sides.iter_mut().filter_map(|side| side.crowd.add_group().ok()).collect();
            self.groups.extend(groups.first());
        }
        draws.pick(&self.groups)
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
    // What was saved or reloaded may be in other chunks, or in another build.
    if other.way == Way::Whole {
        same("digest", &other.crowd.inspect().digest(), &first.crowd.inspect().digest())?;
    }
    Ok(())
}

/// Tells a difference of the second side to the first with what agents of both have come to.
fn told(life: &Life, tick: u64, [first, other]: [&Side; 2], why: &str) -> String {
    format!("tick {tick}: {}: {why}{}{}", other.name, shown(life, first), shown(life, other))
}

/// Returns the outcome of the first agents of a side, and what they carry.
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
