//! Saved states keep every bit of 64-bit values, and entities are replaced after a restore.

use super::reload::{Notes, crowd, program, snapshot};
use pleach::state::ReloadPolicy;
use pleach::{Agent, Crowd, EntityId, Group};

const BEFORE: &str = "action work()
    var count: int64 var exact: double var foe: entity<Enemy> var small: int8
    world var sum: int64 group var leader: entity
    tree main
    {
        sequence
        {
            set count = 9007199254740993 set exact = 0.1 set small = 1
            set sum += 9007199254740993 set leader = foe
            use inner(foe)
        }
    }
    tree inner(who: entity<Enemy>) { var last: entity = who sequence { action work condition last == who } }";
const FOE: EntityId = EntityId(u64::MAX - 1);

/// Returns a crowd of one agent that has worked for a tick, before whose end its writes wait.
fn before() -> (Crowd, Agent) {
    let (mut crowd, agents, mut host) = crowd(BEFORE, &["main"]);
    let foe = crowd.program().variable("foe").expect("it is declared");
    crowd.set(agents[0], foe, FOE).expect("an entity");
    crowd.tick(0, &mut host);
    (crowd, agents[0])
}

fn entity(crowd: &Crowd, agent: Agent, name: &str) -> EntityId {
    let variable = crowd.program().variable(name).expect("it is declared");
    crowd.get(agent, variable).expect("an entity")
}

fn leader(crowd: &Crowd) -> EntityId {
    let variable = crowd.program().shared("leader").expect("it is declared");
    crowd.shared_value(variable, Group::default()).expect("an entity")
}

/// Checks all values. Agents hold `foe`.
#[track_caller]
fn holds(crowd: &Crowd, agent: Agent, foe: EntityId) {
    let variable = |name| crowd.program().variable(name).expect("it is declared");
    assert_eq!(crowd.get::<i64>(agent, variable("count")).expect("an int64"), 9_007_199_254_740_993);
    assert_eq!(crowd.get::<f64>(agent, variable("exact")).expect("a double").to_bits(), 0.1_f64.to_bits());
    assert_eq!(crowd.get::<i8>(agent, variable("small")).expect("an int8"), 1);
    let sum = crowd.program().shared("sum").expect("it is declared");
    assert_eq!(crowd.shared_value::<i64>(sum, Group::default()).expect("an int64"), 9_007_199_254_740_993);
    let held = [entity(crowd, agent, "foe"), entity(crowd, agent, "inner.last"), leader(crowd)];
    assert_eq!(held, [foe; 3]);
}

#[test]
fn every_bit_is_kept() {
    let (mut crowd, agent) = before();
    holds(&crowd, agent, FOE);
    let state = snapshot(&mut crowd);
    let longer = BEFORE.replace("var count", "var more: double var count");
    for text in [BEFORE, &longer] {
        let mut restored = Crowd::new(&program(text));
        restored.restore(&state).expect("it is sound");
        holds(&restored, agent, FOE);
    }
    crowd.reload(&program(&longer), ReloadPolicy::default(), 1, &mut Notes::default()).expect("it goes on");
    holds(&crowd, agent, FOE);
}

#[test]
fn entities_get_other_numbers() {
    let (mut crowd, agent) = before();
    let other = crowd.spawn("main").expect("there is room");
    crowd.map_entities(|entity| EntityId(entity.0 - 7));
    let foe = EntityId(FOE.0 - 7);
    holds(&crowd, agent, foe);
    assert_eq!(entity(&crowd, other, "foe"), EntityId::NONE);
    crowd.map_entities_of(agent, |_| EntityId(3)).expect("the agent is there");
    assert_eq!([entity(&crowd, agent, "foe"), leader(&crowd)], [EntityId(3), foe]);
}

/// Writes that wait for the end of the tick are saved and mapped, too.
#[test]
fn waiting_writes_are_kept() {
    let text = "world var who: entity world var sum: int64 var foe: entity \
        tree main { sequence { set who = foe set sum += 9007199254740993 set sum max= 5000000000 } }";
    let (mut crowd, agents, mut host) = crowd(text, &["main"]);
    let foe = crowd.program().variable("foe").expect("it is declared");
    crowd.set(agents[0], foe, FOE).expect("an entity");
    crowd.tick_agent(agents[0], 0, &mut host, &mut ()).expect("the agent is there");
    let state = snapshot(&mut crowd);
    let mut restored = Crowd::new(&program(text));
    restored.restore(&state).expect("it is sound");
    restored.map_entities(|entity| EntityId(entity.0 - 1));
    for (mut crowd, must) in [(crowd, FOE), (restored, EntityId(FOE.0 - 1))] {
        crowd.end_tick(0, &mut host);
        let shared = |name| crowd.program().shared(name).expect("it is declared");
        assert_eq!(crowd.shared_value::<EntityId>(shared("who"), Group::default()), Ok(must));
        assert_eq!(crowd.shared_value::<i64>(shared("sum"), Group::default()), Ok(9_007_199_254_740_993));
    }
}
