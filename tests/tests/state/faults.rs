//! Every fault of a handmade saved state is refused with its own code.
//!
//! A [`Form`] knows the layout of a state, taken from `spec/state.md` and not from the code that
//! reads it.

use pleach::state::{StateError, StateFault};
use pleach::{Crowd, Group, Image, Program, StaleAgent};
use pleach_compile::internals::emit;
use pleach_tests::busy::Busy;
use pleach_tests::{inline, own};
use std::collections::BTreeSet;

const TREE: &str = "action work() action rest() var done: int world var alarm: bool world var most: float
    on hit { set done += 100 }
    tree main { sequence { set most max= 2.5 action work action rest } }";

/// Returns a crowd in which three agents have had places, two of them still exist, and a write is
/// pending.
fn crowd() -> Crowd {
    let files = [("main.pleach".to_owned(), TREE.to_owned())].into();
    let module = own::module(&files).expect("a program");
    let image = Image::copy(&emit::emit(&module, "test", None).expect("an image")).expect("it is right");
    let mut crowd = Crowd::new(&Program::link(&image, &Busy).expect("all functions are there"));
    let agents: Vec<_> = (0..3).map(|_| crowd.spawn("main").expect("there is room")).collect();
    for agent in &agents {
        crowd.tick_agent(*agent, 0, &mut Busy, &mut ()).expect("it is there");
    }
    crowd.despawn(agents[1], 0, &mut Busy).expect("it is there");
    crowd.add_group().expect("there are few");
    crowd.join(agents[0], Group::default()).expect("both are there");
    crowd
        .set_pace(pleach::EventTarget::Agent(agents[0]), 2.try_into().expect("it is 2"))
        .expect("it is there");
    crowd
}

/// State with the offsets of its parts.
#[derive(Clone)]
struct Form {
    bytes: Vec<u8>,
    entries: usize,
    slots: usize,
    shared: usize,
    events: usize,
    nodes: usize,
    /// Offset of the part after the tables.
    body: usize,
}

impl Form {
    fn of(bytes: Vec<u8>) -> Self {
        let count = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes")) as usize;
        let entries = 56;
        let slots = entries + 8 * count(32);
        let shared = slots + 24 * count(36);
        let events = shared + 16 * count(40);
        let keys = events + 8 * count(44);
        let nodes = keys + 8 * count(48);
        let body = nodes + 2 * count(48) + count(52);
        Self { entries, slots, shared, events, nodes, body, bytes }
    }

    fn crowd() -> Self {
        let mut bytes = Vec::new();
        crowd().snapshot(&mut bytes);
        Self::of(bytes)
    }

    fn put<const N: usize>(mut self, at: usize, bytes: [u8; N]) -> Self {
        self.bytes[at..at + N].copy_from_slice(&bytes);
        self
    }

    /// Adds an epoch of the last chunk.
    fn with(mut self, epoch: i64) -> Self {
        self.bytes.extend(epoch.to_le_bytes());
        let length = self.bytes.len() as u64;
        self.put(24, length.to_le_bytes())
    }

    fn word(self, at: usize, word: u32) -> Self {
        self.put(at, word.to_le_bytes())
    }

    /// Changes the program's identity, so that the tables are used.
    fn foreign(self) -> Self {
        self.put(16, [7; 8])
    }

    fn found(&self) -> StateError {
        let (mut crowd, mut before, mut after) = (crowd(), Vec::new(), Vec::new());
        crowd.snapshot(&mut before);
        let error = crowd.restore(&self.bytes).expect_err("it is wrong");
        crowd.snapshot(&mut after);
        assert!(before == after, "{error}: something has changed");
        error
    }
}

/// State with one fault, and the offset that the error reports.
type Faulty = (StateFault, Form, usize);

/// Returns faults of the header and of the tables.
fn faults_of_tables(whole: &Form) -> Vec<Faulty> {
    let edit = || whole.clone();
    vec![
        (StateFault::Magic, edit().put(0, [0]), 0),
        (StateFault::Version, edit().word(8, 4), 8),
        (StateFault::What, edit().word(12, 2), 12),
        (StateFault::Length, edit().put(24, [0]), 24),
        (StateFault::Name, edit().word(whole.entries, u32::MAX), whole.entries),
        (StateFault::Name, edit().word(whole.slots + 8, 0), whole.slots),
        (StateFault::Slot, edit().word(whole.slots + 16, 77), whole.slots),
        (StateFault::Slot, edit().word(whole.slots + 20, 1), whole.slots),
        (StateFault::Shared, edit().word(whole.shared + 8, 2), whole.shared),
        (StateFault::Shared, edit().word(whole.shared + 12, 2), whole.shared),
        (StateFault::Name, edit().word(whole.events, 0), whole.events),
        (StateFault::Node, edit().put(whole.nodes, [0, 0]), whole.nodes),
    ]
}

/// State of a crowd with one fault, and the offset that the error reports.
type FaultyBytes = (StateFault, Vec<u8>, usize);

/// Returns a crowd of one agent that runs a tree, and its state.
fn state_of(text: &str) -> (Crowd, Vec<u8>) {
    let files = [("main.pleach".to_owned(), text.to_owned())].into();
    let module = own::module(&files).expect("a program");
    let image = Image::copy(&emit::emit(&module, "test", None).expect("an image")).expect("it is right");
    let mut crowd = Crowd::new(&Program::link(&image, &Busy).expect("all functions are there"));
    crowd.spawn("main").expect("there is room");
    let mut whole = Vec::new();
    crowd.snapshot(&mut whole);
    (crowd, whole)
}

/// Returns the state of a crowd whose agents have a variable of texts, and faults of its tables.
fn faults_of_texts() -> (Crowd, Vec<u8>, Vec<FaultyBytes>) {
    let (crowd, whole) = state_of(
        "action rest() var line: text = \"one\" tree main { sequence { set line = \"two\" action rest } }",
    );
    let count = |at: usize| u32::from_le_bytes(whole[at..at + 4].try_into().expect("4 bytes")) as usize;
    assert_eq!(
        (count(8), count(56), count(60), count(64)),
        (3, 0, 0, 3),
        "version, members, variables, texts"
    );
    let texts = 68 + 8 * count(32) + 24 * count(36) + 16 * count(40) + 8 * count(44) + 10 * count(48);
    let edit = |at: usize, word: u32| {
        let mut bytes = whole.clone();
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        bytes
    };
    let faults = vec![
        (StateFault::Text, edit(texts + 12, 0), texts + 12),
        (StateFault::Text, edit(texts + 16, 1025), texts + 12),
        (StateFault::Text, edit(texts + 24 + 4, 4), texts + 24),
        (StateFault::Text, edit(texts + 24 + 8, 1), texts + 24),
        (StateFault::Text, edit(texts + 24 + 8, u32::MAX), texts + 24),
        (StateFault::Length, edit(64, u32::MAX), texts),
    ];
    (crowd, whole, faults)
}

/// Returns the state of a crowd whose agents have two variables of enums, and faults of its tables.
fn faults_of_enums() -> (Crowd, Vec<u8>, Vec<FaultyBytes>) {
    let text = "action rest() enum Mood { calm, wary } enum Sky { blue }
        var mood: Mood var sky: Sky tree main { sequence { set mood = wary set sky = blue action rest } }";
    let (crowd, whole) = state_of(text);
    let count = |at: usize| u32::from_le_bytes(whole[at..at + 4].try_into().expect("4 bytes")) as usize;
    assert_eq!((count(8), count(56), count(60)), (2, 3, 2), "version, members and variables");
    let tables = 8 * count(32) + 24 * count(36) + 16 * count(40) + 8 * count(44) + 10 * count(48);
    let members = 64 + tables;
    let typed = members + 3 * 16;
    let edit = |at: usize, word: u32| {
        let mut bytes = whole.clone();
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        bytes
    };
    let faults = vec![
        (StateFault::Name, edit(members, 0), members),
        (StateFault::Member, edit(members + 12, 1), members),
        (StateFault::Member, edit(members + 2 * 16 + 12, 2), members + 2 * 16),
        (StateFault::Member, edit(typed, u32::MAX), typed),
        (StateFault::Member, edit(typed + 8, 0), typed + 8),
        (StateFault::Member, edit(typed + 4, 2), typed),
        (StateFault::Length, edit(56, u32::MAX), 64 + tables),
    ];
    (crowd, whole, faults)
}

/// Offsets of the world's parts in a state of [`crowd`].
struct WorldPlaces {
    world: usize,
    /// Offsets of the bytes of two events, for two groups and for all agents; there are no gates.
    waits: usize,
    raised: usize,
    /// Offsets of the two shared variables, each with its pending writes.
    alarm: usize,
    most: usize,
    generations: usize,
    /// Offset of the places of agents.
    places: usize,
    free: usize,
    /// Offset of the agents.
    chunk: usize,
}

impl WorldPlaces {
    fn of(whole: &Form) -> Self {
        let world = whole.body;
        let (waits, raised) = (world + 48, world + 48 + 3);
        let alarm = raised + 3;
        let most = alarm + 4 + 40 + 4;
        let generations = most + 40;
        let places = generations + 3 * 4;
        let free = places + 3 * 4;
        Self { world, waits, raised, alarm, most, generations, places, free, chunk: free + 4 }
    }
}

/// Returns faults of groups, events, shared variables and handles.
fn faults_of_the_world(whole: &Form) -> Vec<Faulty> {
    let edit = || whole.clone();
    let WorldPlaces { world, waits, raised, alarm, most, generations, places, free, .. } =
        WorldPlaces::of(whole);
    vec![
        (StateFault::Reserved, edit().word(world + 44, 1), world),
        (StateFault::Group, edit().word(world + 16, 0), world),
        (StateFault::Flag, edit().word(world + 20, 2), world),
        (StateFault::Turn, edit().word(world + 24, 2), generations),
        (StateFault::Flag, edit().put(waits, [1]), waits),
        (StateFault::Flag, edit().put(raised, [2]), raised),
        (StateFault::Value, edit().word(alarm, 2), alarm),
        (StateFault::Pending, edit().put(most + 24, f64::NAN.to_le_bytes()), most),
        (StateFault::Pending, edit().word(most, 8), most),
        (StateFault::Place, edit().word(places, 256), places),
        (StateFault::Place, edit().word(places, 2), places + 8),
        (StateFault::Free, edit().word(free, 0), free),
        (StateFault::Free, edit().word(free, 3), free),
        (StateFault::Free, edit().word(places, u32::MAX), places),
    ]
}

/// Returns faults of a chunk of agents.
fn faults_of_agents(whole: &Form) -> Vec<Faulty> {
    let edit = || whole.clone();
    let (WorldPlaces { chunk, .. }, end) = (WorldPlaces::of(whole), whole.bytes.len());
    // Other statuses, groups and tick intervals, for each lane.
    let [ends, groups, paces] = [13, 8, 4].map(|bytes| end - 256 * bytes);
    // The first slot is the position: the number of `work`, after the bits of two agents.
    let position = ends - (256 * 2 + 256 * 4);
    let at = |node: u16| edit().put(position, node.to_le_bytes());
    let mut faults = vec![
        (StateFault::Awake, edit().put(chunk + 8, [0b111]), chunk),
        (StateFault::Entry, edit().word(chunk, 1), chunk),
        (StateFault::Flag, edit().word(chunk + 4, 16 | 7), chunk),
        (StateFault::End, edit().put(ends + 9, [7]), ends + 9),
        (StateFault::Group, edit().word(groups + 4, 2), groups + 4),
        (StateFault::Pace, edit().put(paces + 4, [0; 4]), paces + 4),
        (StateFault::Pace, edit().put(paces, [2, 0, 2, 0]), paces),
        (StateFault::Moved, at(1), position),
        (StateFault::Moved, at(0xffff), position),
        (StateFault::Moved, at(999), position),
        (StateFault::Gone, at(999).foreign(), position),
    ];
    for epoch in [0, 1, -1, -1 << 30, i64::MIN + 1, i64::MAX] {
        faults.push((StateFault::Epoch, edit().word(chunk + 4, 8 | 7).with(epoch), end));
    }
    faults
}

#[test]
fn every_fault_is_found() {
    let whole = Form::crowd();
    crowd().restore(&whole.bytes).expect("it is right");
    crowd().restore(&whole.clone().foreign().bytes).expect("its tables are right");
    let mut found = BTreeSet::new();
    for faults in [faults_of_tables, faults_of_the_world, faults_of_agents] {
        for (fault, form, at) in faults(&whole) {
            let error = form.found();
            assert_eq!((error.fault, error.at), (fault, at), "{error}");
            found.insert(fault.code());
        }
    }
    for (mut crowd, whole, faults) in [faults_of_enums(), faults_of_texts()] {
        crowd.restore(&whole).expect("it is right");
        for (fault, bytes, at) in faults {
            let error = crowd.restore(&bytes).expect_err("it is wrong");
            assert_eq!((error.fault, error.at), (fault, at), "{error}");
            found.insert(fault.code());
        }
    }
    // Faults of names are tested in `reload.rs`: S0401 to S0404. Handles run out after 2^32 agents:
    // S0501.
    let known = ["S0308", "S0401", "S0402", "S0403", "S0404", "S0501"].map(str::to_owned);
    let missing: Vec<_> =
        StateFault::ALL.iter().map(|fault| fault.code()).filter(|code| !found.contains(code)).collect();
    assert_eq!(missing, known);
}

/// An index has nearly 2^32 generations. An index whose generations are used up is never reused, so
/// an old handle never refers to another agent.
#[test]
fn an_index_retires_with_its_last_generation() {
    let whole = Form::crowd();
    let WorldPlaces { generations, .. } = WorldPlaces::of(&whole);
    let (mut crowd, last) = (crowd(), whole.word(generations, u32::MAX - 2));
    crowd.restore(&last.bytes).expect("a generation is as good as another");
    let mut gone = Vec::new();
    for _ in 0..2 {
        let agent = crowd.agents().find(|agent| agent.index() == 0).expect("its index is taken again");
        crowd.despawn(agent, 0, &mut Busy).expect("it is there");
        gone.push(agent);
        // The next agent takes the index that was freed last.
        crowd.spawn("main").expect("there is room");
    }
    assert_ne!(gone[0], gone[1]);
    (0..300).for_each(|_| _ = crowd.spawn("main").expect("there is room"));
    assert!(crowd.agents().all(|agent| agent.index() != 0), "the index was taken again");
    assert!(gone.iter().all(|agent| crowd.outcome(*agent) == Err(StaleAgent)));
    // A state with such an index can be restored.
    let mut state = Vec::new();
    crowd.snapshot(&mut state);
    crowd.restore(&state).expect("it was just saved");
    assert!(gone.iter().all(|agent| crowd.outcome(*agent) == Err(StaleAgent)));
}

#[test]
fn sets_are_looked_into() {
    let image = inline::image(&[("main", "selector { action heal() }")], &["main"]);
    let program = Program::link(&image, &Busy).expect("all functions are there");
    let (mut crowd, mut state) = (Crowd::new(&program), Vec::new());
    crowd.spawn("main").expect("there is room");
    crowd.tick(0, &mut Busy);
    crowd.snapshot(&mut state);
    let agent = crowd.agents().next().expect("it was spawned");
    let members = crowd.inspect().running_set(agent).expect("it is there");
    let count = members.len() as u16;
    let halves: Vec<u8> = [count].iter().chain(members).flat_map(|half| half.to_le_bytes()).collect();
    let found = state.windows(halves.len()).rposition(|bytes| bytes == halves);
    let set = found.expect("the set is in the state");
    let fault = |at: usize, half: u16| {
        let mut state = state.clone();
        state[at..at + 2].copy_from_slice(&half.to_le_bytes());
        Crowd::new(&program).restore(&state).map_err(|error| error.fault)
    };
    assert_eq!(fault(set, count), Ok(()));
    assert_eq!(fault(set, 21), Err(StateFault::Set));
    assert_eq!(fault(set, 0xffff), Err(StateFault::Set));
    // The count of a lane without agent, and an entry behind the last.
    assert_eq!(fault(set + 42, 21), Err(StateFault::Set));
    assert_eq!(fault(set + 40, 999), Err(StateFault::Set));
    // An existing node that is not one of the remembered nodes.
    assert_eq!(fault(set + 2, 1), Err(StateFault::Moved));
}
