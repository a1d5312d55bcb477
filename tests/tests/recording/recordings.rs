//! Recordings replay to equal states, and damaged recordings are refused.
//!
//! The module `batch` tests on all engines that replays of random crowds reach equal states.

use pleach::engine::{Engine, Vectors};
use pleach::record::{Recorder, RecordingFault, Replay};
use pleach::{Agent, Bindings, Crowd, EventTarget, Group, Host, Image, Program, Status};
use pleach_compile::internals::emit;
use pleach_tests::random::draws::{Draws, hash};
use pleach_tests::random::forge::Forge;
use pleach_tests::random::recordings::{bytes, first_block, golden, replay, with_block};
use pleach_tests::{inline, own};
use std::ops::ControlFlow;

/// The states of a crowd are reproduced tick by tick, and at any tick after going back.
#[test]
fn recordings_come_to_the_same() {
    for golden in golden() {
        let mut replay = Replay::open(&*golden.bytes).expect("it is one");
        assert_eq!(replay.len(), golden.digests.len() as u64);
        for digest in &golden.digests {
            assert!(replay.tick().expect("it is whole"));
            assert_eq!(replay.crowd().inspect().digest(), *digest);
        }
        assert!(!replay.tick().expect("it is whole"), "there is no more");
        for (tick, digest) in golden.digests.iter().enumerate().rev() {
            replay.seek(tick as u64 + 1).expect("it has been there");
            assert_eq!(replay.crowd().inspect().digest(), *digest, "back at {tick}");
        }
    }
}

/// A comparison begins at the first tick, however far the replay has gone.
#[test]
fn comparisons_begin_at_the_beginning() {
    let golden = &golden()[1];
    let ticks = golden.digests.len() as u64;
    for gone in 0..=ticks {
        let mut replay = Replay::open(&*golden.bytes).expect("it is one");
        replay.seek(gone).expect("it is whole");
        let image = replay.image().clone();
        let mut comparison = replay.against(&image).expect("it has been linked before");
        for tick in 0..ticks {
            let step = comparison.tick().expect("it is whole");
            assert_eq!(step, ControlFlow::Continue(()), "tick {tick} after {gone} ticks");
        }
    }
}

/// A truncated recording can be replayed up to its end.
#[test]
fn what_is_there_of_a_recording_can_be_replayed() {
    let golden = &golden()[0];
    let mut most = 0;
    for length in 0..golden.bytes.len() {
        let Ok(mut replay) = Replay::open(&golden.bytes[..length]) else { continue };
        let mut ticks = 0;
        while let Ok(true) = replay.tick() {
            assert_eq!(replay.crowd().inspect().digest(), golden.digests[ticks], "{length} bytes");
            ticks += 1;
        }
        assert!(ticks >= most, "more bytes, fewer ticks");
        assert_eq!(ticks as u64, replay.len());
        most = ticks;
    }
    assert!(most > 0, "some of the recordings that break off have ticks");
}

/// Damage is found at its place, and everything before it can be replayed.
#[test]
fn damage_is_an_error_in_its_place() {
    let golden = &golden()[1];
    let mut found = 0;
    for at in (0..golden.bytes.len()).step_by(7) {
        let mut damaged = golden.bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        let Ok(mut replay) = Replay::open(damaged) else { continue };
        let mut ticks = 0;
        let error = loop {
            match replay.tick() {
                Ok(true) => ticks += 1,
                Ok(false) => break None,
                Err(error) => break Some(error),
            }
        };
        if let Some(error) = error {
            assert_eq!(error.tick, ticks);
            found += 1;
        }
    }
    assert!(found > 0, "some of the damage is behind the header");
}

/// Forged blocks with a correct hash do no harm.
#[test]
fn forged_blocks_do_no_harm() {
    let mut draws = Draws::seeded(7);
    let (mut whole, mut forged) = (0, 0);
    for (index, golden) in golden().iter().enumerate() {
        let block = first_block(&golden.bytes);
        whole += usize::from(replay(with_block(&golden.bytes, block)) > 0);
        for _ in 0..60 {
            let mut block = block.to_vec();
            for _ in 0..1 + draws.below(4) {
                // The start of a block is a snapshot, where most changes are refused.
                let at = block.len() - 1 - draws.below(block.len().min(200));
                block[at] = draws.below(256) as u8;
            }
            forged += usize::from(replay(with_block(&golden.bytes, &block)) > 0);
            let any: Vec<u8> = (0..draws.below(60)).map(|_| draws.below(256) as u8).collect();
            bytes(&[&[index as u8][..], &any].concat());
        }
    }
    assert!(whole > 5 && forged > 5, "{whole} {forged}");
}

const TREE: &str =
    "selector { sequence { condition distanceTo( E_ENEMY ) < 3 action fight() } action roam() }";

/// Returns a host whose answers have known probabilities. Actions are running in half of the cases,
/// and fail or succeed otherwise. A distance is one of eight numbers, constant within a tick.
fn game() -> Bindings<u64> {
    let mut host = Bindings::new(0_u64);
    for name in ["fight", "roam"] {
        host.action(name, |calls: &mut u64, call| {
            *calls += 1;
            match hash([*calls, call.agent.index() as u64]) % 4 {
                0 => Status::Failure,
                1 => Status::Success,
                _ => Status::Running,
            }
        });
    }
    host.query("distanceTo", |calls, call| {
        *calls += 1;
        (hash([*calls, 9, call.agent.index() as u64]) % 8) as f64
    });
    host
}

fn crowd(host: &dyn Host, image: &Image, agents: usize) -> (Crowd, Vec<Agent>) {
    let program = Program::link(image, host).expect("the host has all");
    let mut crowd = Crowd::new(&program).with_engine(Engine::Batch(Vectors::Avx512));
    let agents = (0..agents).map(|_| crowd.spawn("main").expect("there is room")).collect();
    (crowd, agents)
}

/// The size of a recording is close to the information content of the answers.
#[test]
fn recordings_are_short() {
    let image = inline::image(&[("main", TREE)], &["main"]);
    let mut host = game();
    let (mut crowd, _) = crowd(&host, &image, 500);
    let mut recorder = Recorder::new(&image, &host);
    let mut before = 0;
    let (mut length, mut calls) = (0, 0_u64);
    for now in 0..200 {
        crowd.tick(now, &mut recorder.around(&mut host));
        if now == 50 {
            // At this point the coder has learned the probabilities.
            length = 0;
            (_, before) = (recorder.take(), *host.world());
        }
        calls = *host.world();
    }
    length += recorder.take().len();
    // Each agent asks for the distance in each tick, 3 bits, and acts, 1.5 bits.
    let calls = (calls - before) as f64;
    let most = calls * 3.0 / 8.0;
    assert!((length as f64) < most, "{length} bytes for {calls} answers");
}

/// Between events for single agents, the host makes any changes: to these agents and others, to
/// shared data, and by spawning and despawning.
#[test]
fn what_changes_between_events_is_replayed() {
    let text = "action roam()\nvar seen: int\nvar heard: int\nworld var noise: int\n\
        on shot { set heard += seen  set noise = heard }\ntree main { if heard > noise { action roam } }\n";
    let files = [("main.pleach".to_owned(), text.to_owned())];
    let module = own::module(&files.into_iter().collect()).expect("it is right");
    let image = Image::copy(&emit::emit(&module, "pleach", None).expect("it is small")).expect("it is sound");
    let mut host = Bindings::new(0);
    host.action("roam", |_, _| Status::Running);
    let (mut crowd, mut agents) = crowd(&host, &image, 600);
    let program = crowd.program().clone();
    let shot = program.event("shot").expect("it is declared");
    let seen = program.variable("seen").expect("it is declared");
    let noise = program.shared("noise").expect("it is declared");
    let (mut recorder, mut draws, mut digests) = (Recorder::new(&image, &host), Draws::seeded(3), Vec::new());
    for now in 0..40 {
        for _ in 0..30 {
            let agent = draws.pick(&agents);
            match draws.below(6) {
                0 => crowd.set(agent, seen, draws.below(9) as i32).expect("it is there"),
                1 => agents.push(crowd.spawn("main").expect("there is room")),
                2 => crowd.set_shared(noise, Group::default(), draws.below(9) as f64).expect("it is there"),
                _ => {
                    crowd
                        .raise(shot, EventTarget::Agent(agent), now, &mut recorder.around(&mut host))
                        .expect("it is there");
                }
            }
        }
        crowd.tick(now, &mut recorder.around(&mut host));
        digests.push(crowd.inspect().digest());
    }
    let mut replay = Replay::open(recorder.finish()).expect("it is one");
    for digest in digests {
        assert!(replay.tick().expect("it is whole"));
        assert_eq!(replay.crowd().inspect().digest(), digest);
    }
}

/// The parts of vectors that the host gives are replayed.
#[test]
fn vectors_are_replayed() {
    let text = "query at: vec3 action find(out place: vec2) action roam()\nvar to: vec3 var by: vec2\n\
        tree main { sequence { set to = at + at * 0.5 action find(by) action roam } }\n";
    let files = [("main.pleach".to_owned(), text.to_owned())];
    let module = own::module(&files.into_iter().collect()).expect("it is right");
    let image = Image::copy(&emit::emit(&module, "pleach", None).expect("it is small")).expect("it is sound");
    let mut host = Bindings::new(0_u64);
    let next = |calls: &mut u64, part: u64| {
        *calls += 1;
        (hash([*calls, part]) % 1000) as f32
    };
    host.query("at", move |calls, call| {
        (0..3).for_each(|part| call.give(part, next(calls, part as u64)).expect("a part"));
        0.0
    });
    host.action("find", move |calls, call| {
        (0..2).for_each(|part| call.give(part, next(calls, part as u64)).expect("a part"));
        Status::Success
    });
    host.action("roam", |calls, _| if *calls % 3 == 0 { Status::Running } else { Status::Success });
    let (mut crowd, agents) = crowd(&host, &image, 70);
    let parts = ["to.x", "to.y", "to.z", "by.x", "by.y"];
    let parts = parts.map(|name| crowd.program().variable(name).expect("it is declared"));
    let held = |crowd: &Crowd| parts.map(|part| crowd.number(agents[7], part).expect("the agent is there"));
    let (mut recorder, mut ticks) = (Recorder::new(&image, &host), Vec::new());
    for now in 0..20 {
        crowd.tick(now, &mut recorder.around(&mut host));
        ticks.push((crowd.inspect().digest(), held(&crowd)));
    }
    assert!(ticks.iter().any(|(_, parts)| parts.iter().all(|part| *part != 0.0)), "parts are given");
    let mut replay = Replay::open(recorder.finish()).expect("it is one");
    for (digest, parts) in ticks {
        assert!(replay.tick().expect("it is whole"));
        assert_eq!((replay.crowd().inspect().digest(), held(replay.crowd())), (digest, parts));
    }
}

/// A panic of the host is replayed for the same agents.
#[test]
fn panics_are_replayed() {
    let image = inline::image(&[("main", TREE)], &["main"]);
    let mut host = Bindings::new(());
    host.query("distanceTo", |(), call| f64::from(u8::from(call.agent.index() % 3 != 0)) * 5.0);
    host.action("fight", |(), call| {
        assert!(call.now != 3, "a touchy host");
        Status::Success
    });
    host.action("roam", |(), _| Status::Running);
    let (mut crowd, agents) = crowd(&host, &image, 90);
    let mut recorder = Recorder::new(&image, &host);
    let mut outcomes = Vec::new();
    for now in 0..6 {
        let tally = crowd.tick(now, &mut recorder.around(&mut host));
        assert_eq!(tally.faults, if now == 3 { 30 } else { 0 });
        outcomes.push(agents.iter().map(|agent| crowd.outcome(*agent)).collect::<Vec<_>>());
    }
    let mut replay = Replay::open(recorder.finish()).expect("it is one");
    for outcomes in outcomes {
        assert!(replay.tick().expect("it is whole"));
        let replayed: Vec<_> = agents.iter().map(|agent| replay.crowd().outcome(*agent)).collect();
        assert_eq!(replayed, outcomes);
    }
}

#[test]
fn other_bytes_are_no_recordings() {
    let fault = |bytes: &[u8]| Replay::open(bytes).err().map(|error| error.fault);
    assert_eq!(fault(b""), Some(RecordingFault::Magic));
    assert_eq!(fault(b"a text that is longer than the magic"), Some(RecordingFault::Magic));
    let mut later = golden()[0].bytes.clone();
    later[8] = 3;
    assert_eq!(fault(&later), Some(RecordingFault::Version));
    let mut image = golden()[0].bytes.clone();
    image[40] ^= 1;
    assert_eq!(fault(&image), Some(RecordingFault::Image));
}

/// Returns a program whose agents take about 60 kB each, all zero.
fn wide() -> Image {
    let variables: String = (0..15_000).map(|index| format!("var number{index}: int\n")).collect();
    let text = format!("{variables}action roam()\ntree main {{ action roam }}\n");
    let module = own::module(&[("main.pleach".to_owned(), text)].into_iter().collect()).expect("it is right");
    Image::copy(&emit::emit(&module, "pleach", None).expect("it fits")).expect("it is sound")
}

/// A snapshot takes bits for its length, even if its bytes are predicted well. So no short
/// recording holds a large snapshot.
#[test]
fn snapshots_take_bits_for_their_length() {
    let (image, mut host) = (wide(), Bindings::new(()));
    host.action("roam", |(), _| Status::Running);
    let [short, long] = [1, 257].map(|agents| {
        let (mut crowd, _) = crowd(&host, &image, agents);
        let mut recorder = Recorder::new(&image, &host);
        crowd.tick(0, &mut recorder.around(&mut host));
        let mut state = Vec::new();
        crowd.snapshot(&mut state);
        (recorder.finish().len(), state.len())
    });
    let (bytes, states) = (long.0 - short.0, long.1 - short.1);
    assert!(states > 10_000_000, "{states}");
    assert!(states <= bytes * 32 * 8, "{bytes} bytes hold {states}");
}

/// Recordings of the previous version are still read, but the claimed size of their snapshots has a
/// limit.
#[test]
fn recordings_of_the_old_version_are_read() {
    let image = inline::image(&[("main", TREE)], &["main"]);
    let mut host = game();
    let (mut crowd, _) = crowd(&host, &image, 90);
    let mut recorder = Recorder::new(&image, &host);
    crowd.tick(0, &mut recorder.around(&mut host));
    let (recording, mut state) = (recorder.finish(), Vec::new());
    crowd.snapshot(&mut state);
    crowd.end_tick(0, &mut host);
    let forge = || Forge::new(image.code().len());
    let old = forge().snapshot(state.len() as u64, &state, crowd.step_limit()).ended().of_old(&recording);
    let mut replay = Replay::open(old).expect("the version is known");
    assert_eq!(replay.tick(), Ok(true));
    assert_eq!((replay.crowd().inspect().digest(), replay.tick()), (crowd.inspect().digest(), Ok(false)));
    for claimed in [20 << 20, u64::MAX] {
        let bomb = forge().snapshot(claimed, &[0; 10_000], 1).of_old(&recording);
        let error = Replay::open(bomb).expect("the version is known").tick();
        assert_eq!(error.map_err(|error| error.fault), Err(RecordingFault::Length), "{claimed}");
    }
}

/// Finished blocks can be taken during recording. The blocks so far can be replayed, and together
/// they equal a recording that is taken at its end.
#[test]
fn recordings_can_be_written_as_they_go() {
    let image = inline::image(&[("main", TREE)], &["main"]);
    let mut host = [game(), game()];
    let (mut written, mut most, mut times) = (Vec::new(), 0, 0);
    let [whole, rest] = [false, true].map(|goes| {
        let host = &mut host[usize::from(goes)];
        let (mut crowd, _) = crowd(host, &image, 500);
        let mut recorder = Recorder::new(&image, host);
        for now in 0..800 {
            crowd.tick(now, &mut recorder.around(host));
            if goes {
                let blocks = recorder.take_blocks();
                most = most.max(blocks.len());
                times += usize::from(!blocks.is_empty());
                written.extend(blocks);
            }
        }
        recorder.finish()
    });
    // The first piece also has the image.
    let front = whole.len().min(image.bytes().len() + 1000);
    assert!(times > 2 && most < front + (1 << 16) + 1000, "{times} {most}");
    let there = Replay::open(&*written).expect("it begins with a header").len();
    assert!(there > 400 && there < 800, "{there}");
    assert!([written, rest].concat() == whole, "taking blocks changes what is written");
}
