//! The axes of saved states and recordings: their numbers, and the bytes of crowds that grow.

use super::Form;
use super::binary::{ROW, Words};
use crate::busy::Busy;
use crate::own;
use crate::random::forge::Forge;
use crate::random::recordings;
use pleach::record::{Recorder, Replay};
use pleach::{Agent, Call, Crowd, EventTarget, Function, Group, Host, Image, Program, Status};
use pleach_compile::internals::emit;
use std::sync::LazyLock;

/// A program with something of everything that agents carry.
const TEXT: &str = "action work() query q(): int var v: int group var g: int world var w: int \
    on e { set v += 1 } tree main { parallel { while q() >= 0 { action work } limit 2 { sequence { wait 5 ms set g += 1 action work } } } }";

static PROGRAM: LazyLock<(Image, Program)> =
    LazyLock::new(|| linked(TEXT).expect("the program is right and small"));

/// Returns the program of a text; `None` if an image cannot hold it.
fn linked(text: &str) -> Option<(Image, Program)> {
    let module = own::module(&[(own::MAIN.to_owned(), text.to_owned())].into()).ok()?;
    let image = Image::copy(&emit::emit(&module, "test", None).ok()?).expect("it is right");
    let program = Program::link(&image, &Busy).expect("all functions are there");
    Some((image, program))
}

/// Returns a crowd that has been ticked.
fn crowd(program: &Program, agents: usize) -> Crowd {
    let mut crowd = Crowd::new(program);
    spawn(&mut crowd, agents);
    crowd.tick(1, &mut Busy);
    crowd
}

fn spawn(crowd: &mut Crowd, agents: usize) -> Vec<Agent> {
    (0..agents).map(|_| crowd.spawn("main").expect("there is room")).collect()
}

/// Returns the state of a crowd.
fn state(mut crowd: Crowd) -> Vec<u8> {
    let mut state = Vec::new();
    crowd.snapshot(&mut state);
    state
}

/// Restores a state in a crowd, takes it over as that of another build, and as that of an agent.
fn restored(bytes: &[u8]) {
    let mut crowd = Crowd::new(&PROGRAM.1);
    drop((crowd.restore(bytes), crowd.migrate(bytes), crowd.load_agent(bytes, Group::default())));
}

pub(super) const STATE_WORDS: Words = Words {
    name: "numbers of a state",
    golden: || {
        static GOLDEN: LazyLock<Vec<u8>> = LazyLock::new(|| state(crowd(&PROGRAM.1, 3)));
        &GOLDEN
    },
    repaired: |bytes| bytes,
    without: &[],
    tried: restored,
};

pub(super) const RECORDING_WORDS: Words = Words {
    name: "numbers of a recording",
    golden: || recordings::first_block(&recordings::golden()[1].bytes),
    repaired: |block| recordings::with_block(&recordings::golden()[1].bytes, &block),
    without: &[],
    tried: |bytes| _ = recordings::replay(bytes.to_vec()),
};

/// Name of an axis, and what writes an input of a size; `None` if there is none.
type Axis = (&'static str, fn(usize) -> Option<Vec<u8>>);

/// Inputs that are made by what writes them.
pub(super) struct Written {
    name: &'static str,
    axes: &'static [Axis],
    /// The size is a number in the input, not how many things there are.
    claims: bool,
    tried: fn(&[u8]),
}

impl Form for Written {
    fn name(&self) -> &str {
        self.name
    }

    fn axes(&self) -> Vec<String> {
        self.axes.iter().map(|(name, _)| (*name).to_owned()).collect()
    }

    fn pairs(&self) -> bool {
        false
    }

    fn input(&self, grown: &[(usize, usize)], most: usize) -> Option<Vec<u8>> {
        let (axis, n) = *grown.first()?;
        let bytes = (self.claims || n <= most / ROW).then(|| (self.axes[axis].1)(n))??;
        Some(bytes).filter(|bytes| bytes.len() <= most)
    }

    fn tried(&self, input: &[u8]) {
        (self.tried)(input);
    }
}

/// States of the program with more of something, and states of other programs, from
/// which agents are taken over.
pub(super) const STATES: Written = Written {
    name: "state",
    claims: false,
    axes: &[
        ("agents", |n| Some(state(crowd(&PROGRAM.1, n)))),
        ("groups", |n| {
            let mut crowd = crowd(&PROGRAM.1, 3);
            (0..n).for_each(|_| _ = crowd.add_group().expect("there is room"));
            Some(state(crowd))
        }),
        ("indices without agents", |n| {
            let mut crowd = crowd(&PROGRAM.1, 3);
            let gone = spawn(&mut crowd, n);
            gone.into_iter().for_each(|agent| crowd.despawn(agent, 2, &mut Busy).expect("it is there"));
            Some(state(crowd))
        }),
        ("trees", |n| of_other(n, "tree t{i} { action work } ")),
        ("variables", |n| of_other(n, "var x{i}: int ")),
        ("members and variables of an enum", |n| {
            let members: String = (0..n).map(|i| format!("m{i}, ")).collect();
            let variables: String = (0..n).map(|i| format!("var x{i}: Mood world var y{i}: Mood ")).collect();
            of_text(&format!(
                "action work() enum Mood {{ {members}last }} {variables} tree main {{ action work }}"
            ))
        }),
        ("variables of groups", |n| of_other(n, "group var x{i}: int ")),
        ("events", |n| of_other(n, "on e{i} { set v = 1 } ")),
        ("nodes", |n| {
            of_text(&format!("action work() tree main {{ sequence {{ {} }} }}", "action work ".repeat(n)))
        }),
        ("length of a name", |n| of_other(1, &format!("var {}: int ", "x".repeat(n)))),
        ("rows that are the same tree", |n| Some(repeated(&[0], n))),
        ("rows that are the same slot", |n| Some(repeated(&[1], n))),
        ("rows that are the same shared variable", |n| Some(repeated(&[2], n))),
        ("rows that are the same event", |n| Some(repeated(&[3], n))),
        ("rows that are the same node", |n| Some(repeated(&[4, 5], n))),
    ],
    tried: restored,
};

/// Returns the state of a program that has `n` more declarations than [`TEXT`].
fn of_other(n: usize, declaration: &str) -> Option<Vec<u8>> {
    let more: String = (0..n).map(|index| declaration.replace("{i}", &index.to_string())).collect();
    of_text(&(more + TEXT))
}

fn of_text(text: &str) -> Option<Vec<u8>> {
    Some(state(crowd(&linked(text)?.1, 3)))
}

/// Offset of the row counts in the header of a state, and offset of the first row.
const COUNTS: usize = 32;
const TABLES: usize = 56;
/// Bytes of a row of each list: trees, slots, shared variables, events,
/// keys of nodes, numbers of nodes.
const ROWS: [usize; 6] = [8, 24, 16, 8, 8, 2];

/// Returns a state of another program, in which the last row of some lists stands so often.
fn repeated(lists: &[usize], n: usize) -> Vec<u8> {
    let mut bytes = state(crowd(&PROGRAM.1, 3));
    let count = |bytes: &[u8], list: usize| {
        // Keys and numbers of nodes have one count.
        let at = COUNTS + 4 * list.min(4);
        (at, u32::from_le_bytes(bytes[at..][..4].try_into().expect("four bytes")))
    };
    let counts: [_; ROWS.len()] = std::array::from_fn(|list| count(&bytes, list));
    for list in lists.iter().rev() {
        let rows = (0..=*list).map(|list| counts[list].1 as usize * ROWS[list]);
        let end = TABLES + rows.sum::<usize>();
        let row = bytes[end - ROWS[*list]..end].repeat(n);
        bytes.splice(end..end, row);
        let (at, rows) = counts[*list];
        bytes[at..][..4].copy_from_slice(&(rows + n as u32).to_le_bytes());
    }
    // The identity of the program, without which the rows would not be looked at, and the length.
    bytes[16] ^= 1;
    let length = bytes.len() as u64;
    bytes[24..32].copy_from_slice(&length.to_le_bytes());
    bytes
}

/// Recordings of more of something.
pub(super) const RECORDINGS: Written = Written {
    name: "recording",
    claims: false,
    axes: &[
        ("ticks", |n| recorded(n, &mut Busy, |_, _, _| {})),
        ("answers", |n| recorded(n, &mut Teller(0), |_, _, _| {})),
        ("agents", |n| recorded(1, &mut Busy, |crowd, _, _| drop(spawn(crowd, n)))),
        ("agents that come later", |n| {
            recorded(2, &mut Busy, |crowd, _, now| drop(spawn(crowd, now as usize * n)))
        }),
        ("agents that go", |n| {
            recorded(2, &mut Busy, |crowd, recorder, now| match now {
                0 => drop(spawn(crowd, n)),
                _ => {
                    let all: Vec<_> = crowd.agents().take(n).collect();
                    let mut busy = Busy;
                    let mut host = recorder.around(&mut busy);
                    all.iter().for_each(|it| crowd.despawn(*it, now, &mut host).expect("it is there"));
                }
            })
        }),
        ("groups", |n| {
            recorded(2, &mut Busy, |crowd, _, now| {
                (0..now as usize * n).for_each(|_| _ = crowd.add_group().expect("there is room"));
            })
        }),
        ("events", |n| {
            recorded(1, &mut Busy, |crowd, recorder, now| {
                let event = PROGRAM.1.event("e").expect("it is declared");
                let mut busy = Busy;
                let mut host = recorder.around(&mut busy);
                (0..n)
                    .for_each(|_| crowd.raise(event, EventTarget::All, now, &mut host).expect("it is there"));
            })
        }),
        ("values", |n| {
            recorded(n, &mut Busy, |crowd, _, now| {
                let variable = PROGRAM.1.shared("w").expect("it is declared");
                crowd.set_shared(variable, Group::default(), now as f64).expect("it is there");
            })
        }),
        ("snapshots", |n| {
            recorded(n, &mut Busy, |crowd, _, _| {
                let mut before = Vec::new();
                crowd.snapshot(&mut before);
                crowd.restore(&before).expect("it is its own");
            })
        }),
        ("blocks", |n| {
            let mut blocks = Vec::new();
            let rest = recorded(n, &mut Busy, |_, recorder, _| blocks.extend(recorder.take()))?;
            Some([blocks, rest].concat())
        }),
    ],
    tried: replayed,
};

/// A host that gives another answer each time.
struct Teller(u32);

impl Host for Teller {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        Busy.resolve(function, name)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        Busy.act(call)
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        self.0 += 1;
        self.0.into()
    }
}

/// Returns the recording of two agents for this number of ticks. `happens`
/// is called before each tick.
fn recorded(
    ticks: usize,
    host: &mut dyn Host,
    mut happens: impl FnMut(&mut Crowd, &mut Recorder, i64),
) -> Option<Vec<u8>> {
    let mut crowd = crowd(&PROGRAM.1, 2);
    let mut recorder = Recorder::new(&PROGRAM.0, host);
    for now in 0..ticks as i64 {
        happens(&mut crowd, &mut recorder, now);
        crowd.tick(now, &mut recorder.around(host));
    }
    Some(recorder.finish())
}

/// Replays a recording to its end, and goes back to its middle.
fn replayed(bytes: &[u8]) {
    let Ok(mut replay) = Replay::open(bytes) else { return };
    while let Ok(true) = replay.tick() {}
    replay.seek(replay.ticks() / 2).expect("it has been there");
}

/// Numbers that recordings claim, with next to nothing behind them.
pub(super) const CLAIMS: Written = Written {
    name: "claims of a recording",
    claims: true,
    axes: &[
        ("bytes of a snapshot", |n| Some(claim(n).of(&BASE))),
        ("bytes of a snapshot that are foreseen", |n| Some(foreseen(n)?.of(&BASE))),
        ("bytes of a snapshot of the old version", |n| Some(claim(n).of_old(&BASE))),
    ],
    tried: replayed,
};

static BASE: LazyLock<Vec<u8>> = LazyLock::new(|| recorded(1, &mut Busy, |_, _, _| {}).expect("it is small"));

/// Returns a block with a snapshot that claims to have this number of bytes.
fn claim(bytes: usize) -> Forge {
    Forge::new(PROGRAM.0.code().len()).snapshot(bytes as u64, &[], 1)
}

/// Maximum number of bytes of a snapshot that is written, which takes time.
const WRITTEN: usize = 2_000_000;

/// Returns a block with a snapshot of this number of zeros. A coder that has seen some of them
/// needs next to no bits for the others.
fn foreseen(bytes: usize) -> Option<Forge> {
    let block = Forge::new(PROGRAM.0.code().len());
    (bytes <= WRITTEN).then(|| block.snapshot(bytes as u64, &vec![0; bytes], 1))
}
