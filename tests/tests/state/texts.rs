//! Texts of variables in saved states, in other crowds and in recordings.

use super::reload::{Notes, crowd, program, snapshot};
use pleach::record::{Recorder, Replay};
use pleach::state::ReloadPolicy;
use pleach::values::{InternError, MAX_INTERNED, MAX_TEXT};
use pleach::{Agent, Bindings, Crowd, Group, Image, Program, Status, TextId};
use pleach_compile::internals::emit;
use pleach_tests::own;

const TREE: &str = "action work() var line: text = \"one\" var other: text = \"two\" world var news: text
    tree main { sequence { set news = line use inner(line) } }
    tree inner(who: text) { var last: text = who sequence { action work condition last <= who } }";

/// Returns a crowd of one agent that has worked for a tick, with a text of the host.
fn before() -> (Crowd, Agent) {
    let (mut crowd, agents, mut host) = crowd(TREE, &["main"]);
    let line = crowd.program().variable("line").expect("it is declared");
    let text = crowd.intern("from the host").expect("there is room");
    crowd.set(agents[0], line, text).expect("a text");
    crowd.tick(0, &mut host);
    (crowd, agents[0])
}

/// Returns the texts that an agent and the world hold.
fn held(crowd: &Crowd, agent: Agent) -> Vec<String> {
    let own = ["line", "other", "inner.last"].map(|name| {
        let variable = crowd.program().variable(name).expect("it is declared");
        crowd.get::<TextId>(agent, variable).expect("a text")
    });
    let news = crowd.program().shared("news").expect("it is declared");
    let news = crowd.shared_value::<TextId>(news, Group::default()).expect("a text");
    let texts = own.into_iter().chain([news]).map(|text| crowd.text(text));
    texts.map(|text| String::from_utf8_lossy(text).into_owned()).collect()
}

#[test]
fn texts_are_found_by_their_bytes() {
    let (mut crowd, agent) = before();
    let texts = ["from the host", "two", "from the host", "from the host"];
    assert_eq!(held(&crowd, agent), texts);
    let state = snapshot(&mut crowd);
    let other_literals = TREE.replace("\"one\"", "\"zero\"").replace("world", "var more: text = \"x\" world");
    for text in [TREE, &other_literals] {
        for interned in [&[][..], &["a", "b", "from the host"]] {
            let mut restored = Crowd::new(&program(text));
            interned.iter().for_each(|text| _ = restored.intern(text).expect("there is room"));
            restored.restore(&state).expect("it is sound");
            assert_eq!(held(&restored, agent), texts, "{interned:?}");
        }
    }
    let (mut one, new) = (Vec::new(), program(&other_literals));
    crowd.save_agent(agent, &mut one).expect("it is there");
    crowd.reload(&new, ReloadPolicy::default(), 1, &mut Notes::default()).expect("it goes on");
    assert_eq!(held(&crowd, agent), texts);
    let mut to = Crowd::new(&new);
    to.intern("another").expect("there is room");
    let agent = to.load_agent(&one, Group::default()).expect("it is sound");
    assert_eq!(held(&to, agent)[..3], texts[..3]);
}

/// A number that the host has got before a restore stays that of its text.
#[test]
fn numbers_stay_when_a_crowd_goes_back() {
    let (mut crowd, agent) = before();
    let state = snapshot(&mut crowd);
    let later = crowd.intern("later").expect("there is room");
    let line = crowd.program().variable("line").expect("it is declared");
    crowd.set(agent, line, later).expect("a text");
    crowd.restore(&state).expect("it is sound");
    assert_eq!(held(&crowd, agent)[0], "from the host");
    assert_eq!((crowd.intern("later"), crowd.text(later)), (Ok(later), &b"later"[..]));
}

/// A number of no text stays one in a crowd with other texts.
#[test]
fn numbers_of_no_text_become_no_text() {
    let (mut crowd, agent) = before();
    let line = crowd.program().variable("line").expect("it is declared");
    crowd.set(agent, line, TextId(100)).expect("a text");
    let (mut one, mut to) = (Vec::new(), Crowd::new(crowd.program()));
    crowd.save_agent(agent, &mut one).expect("it is there");
    (0..200).for_each(|text| _ = to.intern(text.to_string()).expect("there is room"));
    let agent = to.load_agent(&one, Group::default()).expect("it is sound");
    assert_eq!(to.get::<TextId>(agent, line), Ok(TextId(i32::MAX as u32)));
    assert_eq!(held(&to, agent)[..3], ["", "two", "from the host"]);
}

#[test]
fn a_crowd_has_room_for_so_many_texts() {
    let (mut crowd, agent) = before();
    assert_eq!(crowd.intern("a".repeat(MAX_TEXT + 1)), Err(InternError::TooLong(MAX_TEXT + 1)));
    for text in 1..MAX_INTERNED {
        crowd.intern(text.to_string()).expect("there is room");
    }
    assert_eq!(crowd.intern("one more"), Err(InternError::TooMany));
    let state = snapshot(&mut crowd);
    crowd.restore(&state).expect("it is sound");
    let mut full = Crowd::new(crowd.program());
    full.intern("one more").expect("there is room");
    assert_eq!(full.restore(&state).expect_err("it is full").fault.code(), "S0501");
    assert_eq!((full.len(), held(&crowd, agent)[1].as_str()), (0, "two"));
}

/// A replay interns the texts that the host did, before answers that name them.
#[test]
fn recordings_have_the_texts_of_the_host() {
    let said = recorded(
        "action say(line: text) query next(): text var line: text
        tree main { sequence { condition next() < \"m\" set line = next() action say(line) } }",
    );
    assert_eq!(said, ["b", "a", "b", "c"]);
    // Without a variable that holds a text, texts that the host interns are compared nevertheless.
    recorded("action say(line: int) query next(): text tree main { if next() < \"m\" { action say(1) } }");
}

/// Records a crowd whose host interns texts before the first tick and between ticks, and makes sure
/// that the replay is the same. Returns the texts that the action got.
fn recorded(text: &str) -> Vec<String> {
    let files = [("main.pleach".to_owned(), text.to_owned())].into();
    let module = own::module(&files).expect("a program");
    let image = Image::copy(&emit::emit(&module, "test", None).expect("an image")).expect("it is right");
    let mut host = Bindings::new((TextId::default(), Vec::new()));
    host.query("next", |(next, _), _| f64::from(*next));
    host.action("say", |(_, said), call| {
        said.push(String::from_utf8_lossy(&call.args.text(0)).into_owned());
        Status::Success
    });
    let mut crowd = Crowd::new(&Program::link(&image, &host).expect("all is there"));
    for word in ["zebra", "ape"] {
        crowd.intern(word).expect("there is room");
    }
    crowd.spawn("main").expect("there is room");
    let mut recorder = Recorder::new(&image, &host);
    let mut digests = Vec::new();
    for (tick, word) in ["b", "z", "a", "b", "c"].into_iter().enumerate() {
        host.world_mut().0 = crowd.intern(word).expect("there is room");
        crowd.tick(tick as i64, &mut recorder.around(&mut host));
        digests.push(crowd.inspect().digest());
    }
    let mut replay = Replay::open(recorder.finish()).expect("it is sound");
    for digest in &digests {
        assert_eq!(replay.tick(), Ok(true));
        assert_eq!(replay.crowd().inspect().digest(), *digest);
        let own = |crowd: &Crowd| (0..8).map(|text| crowd.text(TextId(text)).to_vec()).collect::<Vec<_>>();
        assert_eq!(own(replay.crowd())[..4], own(&crowd)[..4]);
    }
    replay.seek(2).expect("it is there");
    assert_eq!(replay.crowd().inspect().digest(), digests[1]);
    std::mem::take(&mut host.world_mut().1)
}
