//! Tests of the plugin: entities, trees and systems.

mod common;

use bevy_app::{App, TaskPoolPlugin, Update};
use bevy_asset::{AssetPlugin, AssetServer, Assets, Handle};
use bevy_ecs::prelude::*;
use common::{add, app, bytes, messages, trees};
use pleach_bevy::pleach::{EntityId, Fault, Function, Halt, Host, Outcome, TextId};
use pleach_bevy::prelude::*;
use pleach_bevy::{NoTree, TreesFailure};
use std::path::Path;

#[derive(Component, Debug, PartialEq)]
struct Health(f32);

#[derive(Component, Debug, Default, PartialEq)]
struct Eyes {
    see: bool,
}

#[derive(Component, Debug, Default, PartialEq)]
struct Goal(i32);

/// Calls of the action `walk`: entity, argument, and true if the action began.
#[derive(Resource, Default, Debug, PartialEq)]
struct Asked(Vec<(Entity, i32, bool)>);

/// Action that runs until the time reaches its argument.
fn walk(mut act: Act, mut asked: ResMut<Asked>) {
    act.each(|entity, call| {
        asked.0.push((entity, call.args.int(0), call.fresh));
        if call.now < call.args.int(0).into() { Status::Running } else { Status::Success }
    });
}

fn outcome(app: &App, entity: Entity) -> Option<Outcome> {
    let of = app.world().get::<InCrowd>(entity)?;
    app.world().resource::<Crowds>().outcome(of)
}

#[test]
fn an_action_is_a_system_with_the_entities_that_came_to_it() {
    let mut app = app();
    app.behavior_input("health", |health: &Health| health.0).behavior_action(
        "heal",
        |mut act: Act, mut wounded: Query<&mut Health>, mut commands: Commands| {
            act.each(|entity, _| {
                let Ok(mut health) = wounded.get_mut(entity) else { return Status::Failure };
                health.0 += 20.0;
                commands.entity(entity).insert(Goal(7));
                Status::Success
            });
        },
    );
    let trees =
        add(&mut app, "action heal() var health: float = 100 tree test { if health < 50 { action heal } }");
    let spawn =
        |app: &mut App, health| app.world_mut().spawn((Health(health), Behavior::new(&trees, "test"))).id();
    let all: Vec<_> =
        (0..600).map(|index| spawn(&mut app, if index % 3 == 0 { 10.0 } else { 90.0 })).collect();
    let without = app.world_mut().spawn(Behavior::new(&trees, "test")).id();
    app.update();
    app.update();
    app.update();
    // Healing twice by 20 is enough.
    for (index, entity) in all.into_iter().enumerate() {
        let is_hurt = index % 3 == 0;
        assert_eq!(app.world().get::<Health>(entity), Some(&Health(if is_hurt { 50.0 } else { 90.0 })));
        assert_eq!(app.world().get::<Goal>(entity).is_some(), is_hurt);
    }
    // The variable of the entity without the component has its declared value.
    assert_eq!(outcome(&app, without), Some(Outcome::Status(Status::Failure)));
    let tally = app.world().resource::<Crowds>().tally();
    assert_eq!((tally.total(), tally.failure), (601, 601));
}

#[test]
fn entities_and_texts_are_bound_as_numbers() {
    #[derive(Component, Default, Debug, PartialEq)]
    struct Heard(EntityId, TextId);
    #[derive(Component)]
    struct Leader(EntityId);
    let mut app = app();
    app.behavior_input("leader", |leader: &Leader| leader.0)
        .behavior_output("who", |who: EntityId, heard: &mut Heard| heard.0 = who)
        .behavior_output("said", |said: TextId, heard: &mut Heard| heard.1 = said);
    let trees = add(
        &mut app,
        "var leader: entity var who: entity var said: text
         tree test { sequence { set who = leader set said = \"follow\" } }",
    );
    let leader = Leader(EntityId(1 << 60));
    let entity = app.world_mut().spawn((leader, Heard::default(), Behavior::new(&trees, "test"))).id();
    app.update();
    app.update();
    // The empty text has the number 0, and the first other text of the program has 1.
    assert_eq!(app.world().get::<Heard>(entity), Some(&Heard(EntityId(1 << 60), TextId(1))));
}

#[test]
fn queries_are_systems_or_columns() {
    let mut app = app();
    app.behavior_input("sees", |eyes: &Eyes| eyes.see)
        .behavior_query("far", |mut ask: Ask, health: Query<&Health>| {
            ask.each(|entity, call| health.get(entity).is_ok_and(|health| health.0 > call.args.float(0)));
        })
        .behavior_action("none", |_: Act| {});
    let trees =
        add(&mut app, "query sees(): bool query far(than: int): bool tree test { condition sees && far(5) }");
    let mut spawn = |see, health| {
        app.world_mut().spawn((Eyes { see }, Health(health), Behavior::new(&trees, "test"))).id()
    };
    let all = [spawn(true, 6.0), spawn(true, 4.0), spawn(false, 6.0)];
    app.update();
    let came_to = all.map(|entity| outcome(&app, entity));
    assert_eq!(
        came_to,
        [Status::Success, Status::Failure, Status::Failure].map(|it| Some(Outcome::Status(it)))
    );
}

#[test]
fn components_follow_variables_that_change() {
    let mut app = app();
    app.behavior_output("goal", |goal: i16, component: &mut Goal| component.0 = goal.into())
        .behavior_output("see", |see: bool, eyes: &mut Eyes| eyes.see = see);
    let trees = add(
        &mut app,
        "var goal: int16 = 3 var see: bool var ticks: int
         tree test { sequence { set ticks += 1 if ticks == 3 { sequence { set goal = 9 set see = true } } } }",
    );
    #[derive(Resource, Default)]
    struct Writes(usize);
    app.init_resource::<Writes>();
    app.add_systems(
        Update,
        (|changed: Query<(), Changed<Goal>>, mut writes: ResMut<Writes>| writes.0 += changed.iter().count())
            .after(BehaviorSystems::Output),
    );
    let entity = app.world_mut().spawn((Goal(0), Eyes::default(), Behavior::new(&trees, "test"))).id();
    let mut seen = Vec::new();
    for _ in 0..5 {
        app.update();
        seen.push((
            app.world().get::<Goal>(entity).expect("a goal").0,
            app.world().get::<Eyes>(entity).expect("eyes").see,
        ));
    }
    assert_eq!(seen, [(3, false), (3, false), (9, true), (9, true), (9, true)]);
    // One write when the agent was new, and one when the variable changed.
    assert_eq!(app.world().resource::<Writes>().0, 2);
}

#[test]
fn events_reach_those_they_are_raised_for() {
    let mut app = app();
    app.behavior_output("hits", |hits: i32, goal: &mut Goal| goal.0 = hits);
    let trees = add(&mut app, "var hits: int on hit { set hits += 1 } tree test { condition hits > 0 }");
    let all: Vec<_> =
        (0..3).map(|_| app.world_mut().spawn((Goal(0), Behavior::new(&trees, "test"))).id()).collect();
    let stranger = app.world_mut().spawn(Goal(0)).id();
    app.update();
    for raise in
        [Raise::to(all[1], "hit"), Raise::to(stranger, "hit"), Raise::all("hit"), Raise::all("unheard")]
    {
        app.world_mut().write_message(raise);
    }
    app.update();
    let goals = all.iter().map(|entity| app.world().get::<Goal>(*entity).expect("a goal").0);
    assert_eq!(goals.collect::<Vec<_>>(), [1, 2, 1]);
}

const WALK: &str = "action walk(last: int) tree test { action walk(100) } tree other { action walk(200) }";

fn walkers() -> (App, Handle<Trees>) {
    let mut app = app();
    app.init_resource::<Asked>().behavior_action("walk", walk);
    let trees = add(&mut app, WALK);
    (app, trees)
}

#[test]
fn who_leaves_is_halted_and_makes_room() {
    let (mut app, trees) = walkers();
    let all = [0; 3].map(|_| app.world_mut().spawn(Behavior::new(&trees, "test")).id());
    app.update();
    app.world_mut().despawn(all[0]);
    app.world_mut().entity_mut(all[1]).remove::<Behavior>();
    app.update();
    let halted = messages::<ActionHalted>(&mut app);
    let halted: Vec<_> = halted.iter().map(|it| (it.entity, &*it.action, it.reason)).collect();
    assert_eq!(halted, [(all[0], "walk", Halt::Despawned), (all[1], "walk", Halt::Despawned)]);
    assert!(app.world().get::<InCrowd>(all[1]).is_none());
    let new = app.world_mut().spawn(Behavior::new(&trees, "test")).id();
    app.world_mut().resource_mut::<Asked>().0.clear();
    app.update();
    let asked = &app.world().resource::<Asked>().0;
    assert!(asked.contains(&(new, 100, true)) && asked.contains(&(all[2], 100, false)), "{asked:?}");
    assert_eq!((asked.len(), app.world().resource::<Crowds>().get(&trees).expect("a crowd").len()), (2, 2));
}

#[test]
fn an_entity_can_run_another_tree() {
    let (mut app, trees) = walkers();
    let elsewhere = add(&mut app, "action walk(last: int) tree test { action walk(300) }");
    let entity = app.world_mut().spawn(Behavior::new(&trees, "test")).id();
    app.update();
    let mut change = |trees: &Handle<Trees>, tree: &'static str| {
        app.world_mut().entity_mut(entity).insert(Behavior::new(trees, tree));
        app.world_mut().resource_mut::<Asked>().0.clear();
        app.update();
        let halted = messages::<ActionHalted>(&mut app).first().map(|it| it.reason);
        (app.world().resource::<Asked>().0.clone(), halted)
    };
    assert_eq!(change(&trees, "test"), (vec![(entity, 100, false)], None));
    assert_eq!(change(&trees, "other"), (vec![(entity, 200, true)], Some(Halt::Switched)));
    assert_eq!(change(&elsewhere, "test"), (vec![(entity, 300, true)], Some(Halt::Despawned)));
    assert_eq!(change(&elsewhere, "nowhere"), (vec![], Some(Halt::Despawned)));
    assert!(app.world().get::<NoTree>(entity).expect("it has none").0.contains("`nowhere`"));
    app.world_mut().entity_mut(entity).insert(Behavior::new(&trees, "test"));
    app.update();
    assert_eq!(app.world().get::<NoTree>(entity), None);
    assert_eq!(outcome(&app, entity), Some(Outcome::Status(Status::Running)));
}

fn replace(app: &mut App, trees: &Handle<Trees>, source: &str) {
    let mut assets = app.world_mut().resource_mut::<Assets<Trees>>();
    assets.insert(trees, common::trees(source)).expect("the handle is there");
    // Changes of assets are reported after a frame.
    app.update();
    app.update();
}

#[test]
fn new_builds_take_over_where_agents_are() {
    let (mut app, trees) = walkers();
    let entity = app.world_mut().spawn(Behavior::new(&trees, "test")).id();
    app.update();
    messages::<TreesChanged>(&mut app);
    replace(&mut app, &trees, &WALK.replace("walk(200)", "walk(250)"));
    let changed = messages::<TreesChanged>(&mut app);
    let [TreesChanged { trees: of, report }] = &changed[..] else { panic!("{changed:?}") };
    assert_eq!((*of, report.kept, report.reset.len()), (trees.id(), 1, 0));
    assert_eq!(app.world().resource::<Asked>().0.last(), Some(&(entity, 100, false)));

    // A build that cannot be linked, or lacks a tree in use, changes nothing.
    for (source, why) in
        [(WALK.replace("walk(", "run("), "action `run`"), (WALK.replace("tree test", "tree rest"), "test")]
    {
        replace(&mut app, &trees, &source);
        assert!(messages::<TreesChanged>(&mut app).is_empty());
        let failed = messages::<TreesFailed>(&mut app);
        let [TreesFailed { trees: of, failure: TreesFailure::NotReloaded(error), .. }] = &failed[..] else {
            panic!("{failed:?}")
        };
        assert!(*of == trees.id() && error.contains(why), "{error}");
        assert_eq!(app.world().resource::<Asked>().0.last(), Some(&(entity, 100, false)));
    }
}

#[test]
fn trees_that_cannot_be_run_are_told_once_and_tried_again() {
    let mut app = app();
    app.init_resource::<Asked>()
        .behavior_action("walk", walk)
        .behavior_input("health", |health: &Health| health.0);
    let missing = add(&mut app, "action fly() tree test { action fly }");
    let mistyped = add(&mut app, "var health: int tree test { condition health > 0 }");
    let entities =
        [&missing, &mistyped].map(|trees| app.world_mut().spawn(Behavior::new(trees, "test")).id());
    app.update();
    let why = entities.map(|entity| app.world().get::<NoTree>(entity).expect("it has none").0.clone());
    assert!(why[0].contains("action `fly`") && why[1].contains("`f32`: it is `i32`"), "{why:?}");
    let failed = messages::<TreesFailed>(&mut app);
    let failures: Vec<_> = failed.iter().map(|failed| failed.failure.clone()).collect();
    assert_eq!(failures, why.map(TreesFailure::NotLinked));
    assert!(messages::<TreesChanged>(&mut app).is_empty());
    app.update();
    assert!(messages::<TreesFailed>(&mut app).is_empty());
    replace(&mut app, &missing, WALK);
    assert_eq!(outcome(&app, entities[0]), Some(Outcome::Status(Status::Running)));
}

#[test]
fn a_tree_that_is_not_there_is_told_once() {
    let (mut app, trees) = walkers();
    for _ in 0..3 {
        app.world_mut().spawn(Behavior::new(&trees, "tset"));
    }
    app.update();
    let failed = messages::<TreesFailed>(&mut app);
    let [TreesFailed { failure: TreesFailure::NoTree { tree, error }, .. }] = &failed[..] else {
        panic!("{failed:?}")
    };
    assert!(tree == "tset" && error.contains("`tset`"), "{error}");
    app.update();
    assert!(messages::<TreesFailed>(&mut app).is_empty());
}

#[test]
#[should_panic(expected = "action `fly`, used at test.pleach:1")]
fn a_failure_is_a_panic_by_choice() {
    let mut app = common::app_with(PleachPlugin::in_schedule(Update).panic_on_failure());
    let trees = add(&mut app, "action fly() tree test { action fly }");
    app.world_mut().spawn(Behavior::new(&trees, "test"));
    app.update();
}

#[test]
fn a_panic_is_the_fault_of_those_that_were_asked() {
    let mut app = app();
    app.behavior_action("break", |_: Act| panic!("as it was told"))
        .behavior_action("sing", |act: Act| act.out.fill(Status::Success))
        .behavior_input("see", |eyes: &Eyes| eyes.see);
    let trees = add(
        &mut app,
        "action break() action sing() var see: bool tree test { selector { if see { action break } action sing } }",
    );
    let mut spawn = |see| app.world_mut().spawn((Eyes { see }, Behavior::new(&trees, "test"))).id();
    let all = [spawn(false), spawn(true), spawn(false)];
    app.update();
    let faults = messages::<AgentFault>(&mut app);
    assert_eq!(faults.iter().map(|it| (it.entity, it.fault)).collect::<Vec<_>>(), [(all[1], Fault::Panic)]);
    let tally = app.world().resource::<Crowds>().tally();
    assert_eq!((tally.success, tally.faults), (2, 1));
}

#[test]
fn entities_can_be_spawned_and_despawned_by_actions() {
    let mut app = app();
    app.behavior_action("leave", |act: Act, mut commands: Commands| {
        for entity in act.entities() {
            commands.entity(entity).despawn();
            commands.spawn(Health(1.0));
        }
        act.out.fill(Status::Running);
    });
    let trees = add(&mut app, "action leave() tree test { action leave }");
    for _ in 0..300 {
        app.world_mut().spawn(Behavior::new(&trees, "test"));
    }
    app.update();
    let mut left = app.world_mut().query::<&Health>();
    assert_eq!(left.iter(app.world()).count(), 300);
    app.update();
    assert!(app.world().resource::<Crowds>().get(&trees).expect("a crowd").is_empty());
    assert_eq!(messages::<ActionHalted>(&mut app).len(), 300);
}

/// Failures of trees, as text.
#[derive(Resource, Default)]
struct Failures(Vec<String>);

fn note(mut failed: MessageReader<TreesFailed>, mut failures: ResMut<Failures>) {
    failures.0.extend(failed.read().map(ToString::to_string));
}

#[test]
fn files_are_loaded_verified_and_loaded_again() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("files");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("walk.plc"), bytes(WALK)).expect("a file");
    std::fs::write(folder.join("damaged.plc"), &bytes(WALK)[..100]).expect("a file");
    let mut app = App::new();
    let file_path = folder.to_string_lossy().into_owned();
    app.add_plugins((
        TaskPoolPlugin::default(),
        AssetPlugin { file_path, ..AssetPlugin::default() },
        PleachPlugin::in_schedule(Update),
    ));
    app.init_resource::<Asked>().behavior_action("walk", walk);
    app.init_resource::<Failures>().add_systems(Update, note.after(BehaviorSystems::Prepare));
    app.finish();
    app.cleanup();
    let load = |app: &App, name: &'static str| app.world().resource::<AssetServer>().load::<Trees>(name);
    let (good, damaged) = (load(&app, "walk.plc"), load(&app, "damaged.plc"));
    let entity = app.world_mut().spawn(Behavior::new(&good, "test")).id();
    let other = app.world_mut().spawn(Behavior::new(&damaged, "test")).id();
    assert!(until(&mut app, |app| outcome(app, entity) == Some(Outcome::Status(Status::Running))));
    assert!(until(&mut app, |app| app.world().resource::<AssetServer>().load_state(&damaged).is_failed()));
    assert!(app.world().get::<InCrowd>(other).is_none());
    assert!(until(&mut app, |app| !app.world().resource::<Failures>().0.is_empty()));
    let failures = &app.world().resource::<Failures>().0;
    assert!(failures.len() == 1, "{failures:?}");
    // The message is that of the verifier, without text of the asset server.
    assert!(failures[0].starts_with("the trees `damaged.plc` were not loaded: V0"), "{failures:?}");
    assert_eq!(failures[0].lines().count(), 1, "{failures:?}");
    // Reloads the file, like a watcher of files does after a change.
    std::fs::write(folder.join("walk.plc"), bytes(&WALK.replace("100", "150"))).expect("a file");
    app.world().resource::<AssetServer>().reload("walk.plc");
    let is_new = |(of, until, _): &(Entity, i32, bool)| (*of, *until) == (entity, 150);
    assert!(until(&mut app, |app| app.world().resource::<Asked>().0.last().is_some_and(is_new)));
}

/// Runs frames until a condition holds, up to a limit. Returns true if it holds.
fn until(app: &mut App, is_so: impl Fn(&App) -> bool) -> bool {
    for _ in 0..2000 {
        app.update();
        if is_so(app) {
            return true;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    false
}

/// Host of the game's own.
#[derive(Resource, Default)]
struct Own {
    flown: Vec<usize>,
    halted: usize,
}

impl Host for Own {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        (function == Function::Action)
            .then(|| ["fly", "walk"].iter().position(|it| *it == name))
            .flatten()
            .map(|it| it as u32)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        assert_eq!(call.function, 0, "what is bound by name is asked first");
        self.flown.push(call.agent.index());
        Status::Running
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }

    fn halt(&mut self, call: &mut Call<'_>, _: Halt) {
        assert_eq!(call.function, 0);
        self.halted += 1;
    }
}

#[test]
fn a_host_of_the_games_own_has_all_other_names() {
    let mut app = app();
    app.init_resource::<Own>().init_resource::<Asked>();
    app.behavior_host::<Own>().behavior_action("walk", walk).behavior_input("see", |eyes: &Eyes| eyes.see);
    let trees = add(
        &mut app,
        "action fly() action walk(last: int) var see: bool tree test { reactive selector { if see { action walk(9) } action fly } }",
    );
    let mut spawn = |see| app.world_mut().spawn((Eyes { see }, Behavior::new(&trees, "test"))).id();
    let [walker, flier] = [true, false].map(&mut spawn);
    app.update();
    assert_eq!(app.world().resource::<Asked>().0, [(walker, 9, true)]);
    assert_eq!(app.world().resource::<Own>().flown, [1]);
    app.world_mut().entity_mut(flier).insert(Eyes { see: true });
    app.update();
    assert_eq!(app.world().resource::<Own>().halted, 1);
    assert!(messages::<ActionHalted>(&mut app).is_empty());
}

#[test]
fn functions_work_on_columns() {
    let mut app = app();
    app.behavior_output("at", |at: i32, goal: &mut Goal| goal.0 = at).behavior_function(
        "step",
        |batch, out| {
            let Some(at) = batch.args.int(0).checked_add(1) else { return };
            assert_eq!(batch.len(), out.len());
            out.fill(if at > 1 { Status::Success } else { Status::Running });
        },
    );
    let trees = add(
        &mut app,
        "action step(by: int) var at: int tree test { sequence { action step(1) set at += 2 } }",
    );
    let entity = app.world_mut().spawn((Goal(0), Behavior::new(&trees, "test"))).id();
    app.update();
    assert_eq!(app.world().get::<Goal>(entity), Some(&Goal(2)));
}

#[test]
fn trees_from_code_are_assets() {
    assert_eq!(trees(WALK).image().entries().len(), 2);
}

#[test]
fn the_tree_of_the_readme_fits_its_game() {
    let readme = include_str!("../README.md");
    let tree = readme.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a tree");
    let mut app = common::app_with(PleachPlugin::in_schedule(Update).panic_on_failure());
    app.behavior_input("health", |health: &Health| health.0)
        .behavior_action("heal", |act: Act| act.out.fill(Status::Success));
    let trees = add(&mut app, tree);
    for health in [30.0, 100.0] {
        app.world_mut().spawn((Health(health), Behavior::new(&trees, "guard")));
    }
    app.update();
    let tally = app.world().resource::<Crowds>().tally();
    assert_eq!((tally.success, tally.running), (1, 1));
}
