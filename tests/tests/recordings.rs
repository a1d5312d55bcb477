//! Recordings: what they come to, and what becomes of those that are damaged.
//!
//! That any crowd comes to the same when it is replayed is tested with all engines in `batch`.

use pleach::{
    Agent, Bindings, Crowd, Engine, Group, Host, Image, Program, Recorder, RecordingFault, Replay, Status,
    To, Vectors,
};
use pleach_compile::emit;
use pleach_tests::random::dice::{Dice, hash};
use pleach_tests::random::recordings::{bytes, first_block, golden, replay, with_block};
use pleach_tests::{inline, own};

/// What the crowd was comes back tick by tick, and at any tick when one goes back.
#[test]
fn recordings_come_to_the_same() {
    for golden in golden() {
        let mut replay = Replay::open(&*golden.bytes).expect("it is one");
        assert_eq!(replay.len(), golden.digests.len() as u64);
        for digest in &golden.digests {
            assert!(replay.tick().expect("it is whole"));
            assert_eq!(replay.crowd().digest(), *digest);
        }
        assert!(!replay.tick().expect("it is whole"), "there is no more");
        for (tick, digest) in golden.digests.iter().enumerate().rev() {
            replay.seek(tick as u64 + 1).expect("it has been there");
            assert_eq!(replay.crowd().digest(), *digest, "back at {tick}");
        }
    }
}

/// A recording that breaks off can be replayed as far as it is there.
#[test]
fn what_is_there_of_a_recording_can_be_replayed() {
    let golden = &golden()[0];
    let mut most = 0;
    for length in 0..golden.bytes.len() {
        let Ok(mut replay) = Replay::open(&golden.bytes[..length]) else { continue };
        let mut ticks = 0;
        while let Ok(true) = replay.tick() {
            assert_eq!(replay.crowd().digest(), golden.digests[ticks], "{length} bytes");
            ticks += 1;
        }
        assert!(ticks >= most, "more bytes, fewer ticks");
        assert_eq!(ticks as u64, replay.len());
        most = ticks;
    }
    assert!(most > 0, "some of the recordings that break off have ticks");
}

/// Damage is found where it is, and nothing of what is before it is lost.
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

/// Blocks of which only the hash is right.
#[test]
fn forged_blocks_do_no_harm() {
    let mut dice = Dice::new(7);
    let (mut whole, mut forged) = (0, 0);
    for (index, golden) in golden().iter().enumerate() {
        let block = first_block(&golden.bytes);
        whole += usize::from(replay(with_block(&golden.bytes, block)) > 0);
        for _ in 0..60 {
            let mut block = block.to_vec();
            for _ in 0..1 + dice.below(4) {
                // What is in front is a snapshot, of which most is refused.
                let at = block.len() - 1 - dice.below(block.len().min(200));
                block[at] = dice.below(256) as u8;
            }
            forged += usize::from(replay(with_block(&golden.bytes, &block)) > 0);
            let any: Vec<u8> = (0..dice.below(60)).map(|_| dice.below(256) as u8).collect();
            bytes(&[&[index as u8][..], &any].concat());
        }
    }
    assert!(whole > 5 && forged > 5, "{whole} {forged}");
}

const TREE: &str =
    "selector { sequence { condition distanceTo( E_ENEMY ) < 3 action fight() } action roam() }";

/// A host whose answers have a stated chance: actions run in half of the cases and else fail or succeed; a distance is one of
/// eight numbers, and the same all through a tick.
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

/// The file is not much longer than what came in is worth.
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
            // By now it has been learned what is likely.
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

/// Between events for single agents, the host changes what it likes: these agents and others, what all share, who is there.
#[test]
fn what_changes_between_events_is_replayed() {
    let text = "action roam()\nvar seen: int\nvar heard: int\nworld var noise: int\n\
        on shot { set heard += seen  set noise = heard }\ntree main { condition heard > noise { action roam } }\n";
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
    let (mut recorder, mut dice, mut digests) = (Recorder::new(&image, &host), Dice::new(3), Vec::new());
    for now in 0..40 {
        for _ in 0..30 {
            let agent = dice.pick(&agents);
            match dice.below(6) {
                0 => crowd.set(agent, seen, dice.below(9) as i32).expect("it is there"),
                1 => agents.push(crowd.spawn("main").expect("there is room")),
                2 => crowd.set_shared(noise, Group::default(), dice.below(9) as f64).expect("it is there"),
                _ => {
                    crowd
                        .raise(shot, To::Agent(agent), now, &mut recorder.around(&mut host))
                        .expect("it is there");
                }
            }
        }
        crowd.tick(now, &mut recorder.around(&mut host));
        digests.push(crowd.digest());
    }
    let mut replay = Replay::open(recorder.finish()).expect("it is one");
    for digest in digests {
        assert!(replay.tick().expect("it is whole"));
        assert_eq!(replay.crowd().digest(), digest);
    }
}

/// A host that panics does so again, for the same agents.
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
    later[8] = 2;
    assert_eq!(fault(&later), Some(RecordingFault::Version));
    let mut image = golden()[0].bytes.clone();
    image[40] ^= 1;
    assert_eq!(fault(&image), Some(RecordingFault::Image));
}
