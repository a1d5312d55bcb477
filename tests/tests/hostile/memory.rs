//! Every allocation fails once, and nothing is left half done.
//!
//! If any allocation fails, loading an image and spawning end with an error. Restoring and
//! reloading do so for all memory of agents. There is no such promise for tables in proportion to
//! the program, and for linking it: there a process without memory is ended by the standard
//! library.

use pleach::crowd::SwitchError;
use pleach::state::{ReloadPolicy, StateFault};
use pleach::{Agent, Crowd, Group, Image, Program, SpawnError};
use pleach_compile::internals::emit;
use pleach_compile::internals::ir::Module;
use pleach_image::verify::Rule;
use pleach_tests::busy::Busy;
use pleach_tests::counting::failing;
use pleach_tests::random::golden;
use pleach_tests::random::rebuilt::rebuilt;
use pleach_tests::{broken, own};

/// Lower bound of the allocations for agents in bytes. Tables of the programs here and memory of a
/// tick are smaller; columns of a chunk are larger.
const AGENTS_MEMORY: usize = 12 * 1024;
/// Number of variables, which make the columns so large.
const VARIABLES: usize = 16;

/// Returns two builds of one program.
fn programs() -> [Program; 2] {
    let variables: String = (0..VARIABLES).map(|index| format!("var v{index}: int ")).collect();
    let text = format!(
        "action work() {variables} tree main {{ sequence {{ action work set v0 += 1 }} }} tree other {{ action work }}"
    );
    let mut module = own::module(&[("main.pleach".to_owned(), text)].into()).expect("a program");
    let linked = |module: &Module| {
        let image = Image::copy(&emit::emit(module, "test", None).expect("an image")).expect("it is right");
        Program::link(&image, &Busy).expect("all functions are there")
    };
    let first = linked(&module);
    rebuilt(&mut module);
    [first, linked(&module)]
}

fn state(crowd: &mut Crowd) -> Vec<u8> {
    let mut state = Vec::new();
    crowd.snapshot(&mut state);
    state
}

/// Returns running agents, some of which are despawned, so that places are free.
fn crowd(program: &Program, agents: usize) -> (Crowd, Vec<Agent>) {
    let mut crowd = Crowd::new(program);
    let mut all: Vec<_> = (0..agents).map(|_| crowd.spawn("main").expect("there is room")).collect();
    crowd.tick(0, &mut Busy);
    let gone: Vec<_> = all.iter().copied().step_by(5).skip(1).collect();
    gone.iter().for_each(|agent| crowd.despawn(*agent, 0, &mut Busy).expect("it is there"));
    all.retain(|agent| !gone.contains(agent));
    (crowd, all)
}

/// Runs `attempt` while one allocation after the other fails, until none does. Returns their
/// number.
fn each(mut attempt: impl FnMut(usize) -> bool) -> usize {
    (1..).find(|number| !attempt(*number)).expect("numbers do not end") - 1
}

#[test]
fn loading_an_image_fails_as_a_whole() {
    let images = golden::images().iter().map(|golden| golden.image.clone()).chain(broken::bases());
    for image in images.chain(broken::images().into_iter().map(|(_, image)| image)) {
        let whole = Image::copy(&image).map(|image| image.bytes().to_vec());
        let failed = each(|number| {
            let (found, reached) = failing(number, 0, || Image::copy(&image));
            match found {
                Err(error) if error.rule == Rule::Memory => assert!(reached),
                // Memory that only speeds up the check may be missing.
                other => assert_eq!(other.map(|image| image.bytes().to_vec()), whole),
            }
            reached
        });
        assert!(failed > 0 || whole.is_err());
    }
}

#[test]
fn loading_a_file_fails_as_a_whole() {
    let path = std::env::temp_dir().join(format!("pleach-{}-memory.plc", std::process::id()));
    std::fs::write(&path, &golden::images()[0].image).expect("a file");
    let failed = each(|number| {
        let (found, reached) = failing(number, 0, || Image::load(&path).is_ok());
        assert!(found || reached);
        reached
    });
    std::fs::remove_file(&path).expect("the file is there");
    assert!(failed > 2, "{failed}");
}

#[test]
fn nobody_is_half_spawned() {
    let [program, _] = programs();
    for agents in [0, 1, 256, 257, 512] {
        let failed = each(|number| {
            let mut crowd = Crowd::new(&program);
            (0..agents).for_each(|_| _ = crowd.spawn("main").expect("there is room"));
            let before = state(&mut crowd);
            let (spawned, reached) = failing(number, 0, || crowd.spawn("main"));
            assert_eq!(spawned.is_ok(), !reached);
            if reached {
                assert_eq!((spawned, state(&mut crowd) == before), (Err(SpawnError::Full), true));
                crowd.spawn("main").expect("now there is memory");
            }
            assert_eq!(crowd.tick(0, &mut Busy).total() as usize, agents + 1);
            reached
        });
        assert_eq!(failed > 4, agents % 256 == 0, "{agents} agents: {failed} allocations");
    }
}

#[test]
fn who_cannot_move_stays() {
    let [program, _] = programs();
    let (other, agents) = crowd(&program, 300);
    let mut saved = Vec::new();
    other.save_agent(agents[0], &mut saved).expect("it is there");
    let failed = each(|number| {
        let (mut crowd, agents) = crowd(&program, 256);
        let before = state(&mut crowd);
        let (switched, reached) = failing(number, 0, || crowd.switch(agents[3], "other", 0, &mut Busy));
        assert_eq!(switched, if reached { Err(SwitchError::Full) } else { Ok(()) });
        assert!(!reached || state(&mut crowd) == before, "a switch that failed has changed something");
        reached
    });
    assert!(failed > 4, "{failed}");
    let failed = each(|number| {
        let mut crowd = Crowd::new(&program);
        let before = state(&mut crowd);
        let (loaded, reached) = failing(number, AGENTS_MEMORY, || crowd.load_agent(&saved, Group::default()));
        assert_eq!(
            loaded.map(drop).map_err(|error| error.fault),
            if reached { Err(StateFault::Full) } else { Ok(()) }
        );
        assert!(!reached || state(&mut crowd) == before, "loading that failed has changed something");
        reached
    });
    assert!(failed > 0, "{failed}");
}

/// Despawning needs no memory for any number of agents.
#[test]
fn going_needs_no_memory() {
    let [program, _] = programs();
    let mut crowd = Crowd::new(&program);
    let agents: Vec<_> = (0..3000).map(|_| crowd.spawn("main").expect("there is room")).collect();
    for agent in agents {
        let (gone, reached) = failing(1, 0, || crowd.despawn(agent, 0, &mut Busy));
        assert_eq!((gone, reached), (Ok(()), false));
    }
}

#[test]
fn nothing_is_half_restored() {
    let builds = programs();
    let (mut saved, _) = crowd(&builds[0], 900);
    let whole = state(&mut saved);
    for program in &builds {
        for migrates in [false, true] {
            let failed = each(|number| {
                let (mut crowd, _) = crowd(program, 20);
                let before = state(&mut crowd);
                let (restored, reached) = failing(number, AGENTS_MEMORY, || {
                    if migrates { crowd.migrate(&whole).map(drop) } else { crowd.restore(&whole) }
                });
                if reached {
                    assert_eq!(restored.map_err(|error| error.fault), Err(StateFault::Full));
                    assert!(state(&mut crowd) == before, "what failed has changed something");
                } else {
                    assert_eq!((restored, crowd.len()), (Ok(()), saved.len()));
                }
                reached
            });
            assert!(failed >= 3, "{failed}");
        }
    }
}

#[test]
fn nothing_is_half_reloaded() {
    let builds = programs();
    let failed = each(|number| {
        let (mut crowd, agents) = crowd(&builds[0], 900);
        let before = state(&mut crowd);
        let (report, reached) =
            failing(number, AGENTS_MEMORY, || crowd.reload(&builds[1], ReloadPolicy::Places, 0, &mut Busy));
        if reached {
            assert_eq!(report.map(drop).map_err(|error| error.fault), Err(StateFault::Full));
            assert!(state(&mut crowd) == before, "a reload that failed has changed something");
        } else {
            assert_eq!(report.map(|report| report.kept), Ok(agents.len()));
        }
        assert_eq!(crowd.tick(1, &mut Busy).running as usize, agents.len());
        reached
    });
    assert!(failed >= 4, "{failed}");
}

#[test]
fn no_more_come_than_the_host_allows() {
    let [program, _] = programs();
    let (mut crowd, agents) = crowd(&program, 10);
    let state = state(&mut crowd);
    crowd.set_most(agents.len() + 1);
    let last = crowd.spawn("main").expect("one more is allowed");
    let before = self::state(&mut crowd);
    assert_eq!(crowd.spawn("main"), Err(SpawnError::Full));
    crowd.switch(last, "other", 0, &mut Busy).expect("nobody is more");
    crowd.restore(&before).expect("as many are allowed");
    crowd.set_most(agents.len() - 1);
    assert_eq!(crowd.restore(&state).map_err(|error| error.fault), Err(StateFault::Full));
    assert_eq!(crowd.migrate(&state).map_err(|error| error.fault), Err(StateFault::Full));
    assert_eq!((crowd.len(), self::state(&mut crowd) == before), (agents.len() + 1, true));
}
