//! Tests of trees with Lua nodes.

use pleach::engine::TickOrder;
use pleach::{Agent, Call, Crowd, Function, Halt, Host, Image, Program, Status};
use pleach_compile::internals::dialects::Mbt;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use pleach_compile::{Request, compile};
use pleach_lua::mlua::FromLua;
use pleach_lua::{Limits, ScriptError, WithLua};

const EXAMPLE: &str = include_str!("../../../spec/examples/mbt/lua.xml");
const MANIFEST: &str = include_str!("../../../spec/examples/mbt/game.manifest");
const SECOND: i64 = 100_000;

fn image(text: &str) -> Image {
    let (manifest, _) = Manifest::parse(MANIFEST);
    let entries = &["lua".to_owned()];
    let done = compile(
        &Texts::of("lua", "xml", text),
        Request { dialect: &Mbt, manifest: &manifest, entries, debug: true },
    );
    Image::copy(&done.image.unwrap_or_else(|| panic!("{:?}", done.diagnostics))).expect("a valid image")
}

/// Host that records the actions that begin and end.
#[derive(Debug, Default)]
struct Game {
    begun: Vec<usize>,
    ended: Vec<usize>,
    succeed: bool,
}

impl Host for Game {
    fn resolve(&self, _: Function, name: &str) -> Option<u32> {
        (!name.contains("Lua")).then_some(name.len() as u32)
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        if call.fresh {
            self.begun.push(call.agent.index());
        }
        if self.succeed { Status::Success } else { Status::Running }
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }

    fn halt(&mut self, call: &mut Call<'_>, _: Halt) {
        self.ended.push(call.agent.index());
    }
}

struct Stage {
    crowd: Crowd,
    agents: Vec<Agent>,
    host: WithLua<Game>,
}

impl Stage {
    fn new(text: &str, agents: usize) -> Self {
        let image = image(text);
        let host =
            WithLua::new(&image, Game::default(), Limits { instructions: 100_000, ..Limits::default() });
        let host = host.unwrap_or_else(|errors| panic!("{errors:?}"));
        let program = Program::link(&image, &host).expect("all is there");
        let mut crowd = Crowd::new(&program);
        let agents = (0..agents).map(|_| crowd.spawn("lua").expect("the tree")).collect();
        Self { crowd, agents, host }
    }

    fn field<T: FromLua>(&mut self, agent: usize, name: &str) -> T {
        self.host.entity(self.agents[agent]).and_then(|entity| entity.get(name)).expect("a value")
    }
}

/// Returns a tree that runs a node once and then waits.
fn once(node: &str) -> String {
    format!("<BehaviorTree><Root><Sequence>{node}<Halt/></Sequence></Root></BehaviorTree>")
}

#[test]
fn the_example_counts_its_rounds() {
    let mut stage = Stage::new(EXAMPLE, 3);
    let second = stage.agents[1];
    stage.host.entity(second).and_then(|it| it.set("rounds", 1)).expect("room for a number");
    // The second agent is in an even round: it goes to its cover, and glows on its way.
    stage.crowd.tick(0, &mut stage.host);
    assert_eq!(stage.host.host.begun, [1]);
    assert_eq!([0, 1, 2].map(|it| stage.field::<Option<bool>>(it, "glows")), [None, Some(true), None]);
    stage.crowd.tick(SECOND, &mut stage.host);
    assert_eq!([0, 1, 2].map(|it| stage.field::<i64>(it, "rounds")), [2, 2, 2]);
    stage.host.host.succeed = true;
    stage.crowd.tick(2 * SECOND, &mut stage.host);
    assert_eq!([0, 1, 2].map(|it| stage.field::<bool>(it, "glows")), [false; 3]);
    assert_eq!(stage.host.take_errors(), []);
    stage.crowd.despawn(second, 0, &mut stage.host).expect("it was there");
    stage.host.forget(second);
}

/// Globals are shared by the code of all agents, so the order of agents must be defined.
#[test]
fn code_runs_in_the_order_of_the_agents() {
    let mut stage = Stage::new(&once("<ExecuteLua code='n = (n or 0) + 1; entity.n = n'/>"), 300);
    assert_eq!(stage.crowd.program().order(), TickOrder::ByIndex);
    stage.crowd.tick(0, &mut stage.host);
    for agent in [0, 1, 64, 299] {
        assert_eq!(stage.field::<usize>(agent, "n"), agent + 1);
    }
}

#[test]
fn code_after_a_node_runs_when_it_is_halted() {
    let mut stage = Stage::new(EXAMPLE, 1);
    let agent = stage.agents[0];
    stage.host.entity(agent).and_then(|it| it.set("rounds", 1)).expect("room");
    stage.crowd.tick(0, &mut stage.host);
    assert!(stage.field::<bool>(0, "glows"));
    stage.crowd.despawn(agent, 0, &mut stage.host).expect("it was there");
    assert_eq!(stage.host.host.ended, [0]);
    assert!(!stage.field::<bool>(0, "glows"));
}

#[test]
fn code_that_is_not_lua_is_told_with_its_line() {
    let text = once("\n<ExecuteLua code='x = = 1'/>\n<LuaGate code='return ('><Halt/></LuaGate>");
    let image = image(&text);
    let errors = WithLua::new(&image, Game::default(), Limits::default()).expect_err("two mistakes");
    let places: Vec<_> = errors.iter().map(|it| it.place.as_deref()).collect();
    assert_eq!(places, [Some("lua.xml:2"), Some("lua.xml:3")]);
    assert!(errors[0].to_string().starts_with("lua.xml:2: "), "{}", errors[0]);
}

/// Returns the errors of a node's code after one run.
fn errors(node: &str) -> Vec<ScriptError> {
    let mut stage = Stage::new(&once(node), 1);
    stage.crowd.tick(0, &mut stage.host);
    stage.host.take_errors()
}

#[test]
fn what_goes_wrong_is_told_and_fails() {
    let found = errors("<ExecuteLua code='entity.a.b = 1'/>");
    assert_eq!((found.len(), found[0].place.as_deref()), (1, Some("lua.xml:1")));
    let mut stage = Stage::new(&once("<AssertLua code='return nothing.at_all'/>"), 1);
    assert_eq!(stage.crowd.tick(0, &mut stage.host).failure, 1);
    let mut stage = Stage::new(&once("<LuaGate code='return 1'><Halt/></LuaGate>"), 1);
    assert_eq!(stage.crowd.tick(0, &mut stage.host).failure, 1);
    let mut stage = Stage::new(&once("<LuaWrapper onEnter='error(1)'><Halt/></LuaWrapper>"), 1);
    assert_eq!(stage.crowd.tick(0, &mut stage.host).failure, 1);
}

#[test]
fn hostile_code_comes_to_an_end() {
    for code in [
        "while true do end",
        "local function f() return f() end f()",
        "local s = 'x' while true do s = s .. s end",
        "local t = {} for i = 1, 1e9 do t[i] = {} end",
        "local s = string.rep('x', 1e10)",
        "setmetatable({}, {__gc = function() while true do end end})",
        "pcall(function() while true do end end)",
        "coroutine.wrap(function() while true do end end)()",
        "string.find(string.rep('a', 30), string.rep('a?', 30) .. string.rep('a', 30))",
        "('a'):match('b')",
        "os.exit()",
        "io.open('x')",
        "load('return 1')()",
    ] {
        let found = errors(&format!("<ExecuteLua code=\"{code}\"/>"));
        assert_eq!(found.len(), 1, "{code}");
    }
}

#[test]
fn without_lua_the_program_says_what_is_missing() {
    let error = Program::link(&image(EXAMPLE), &Game::default()).expect_err("nobody runs Lua");
    let text = error.to_string();
    assert!(["ExecuteLua", "LuaGate"].iter().all(|name| text.contains(&format!("`{name}`"))), "{text}");
}
