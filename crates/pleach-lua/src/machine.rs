//! Lua state with limits.

use crate::Limits;
use mlua::{ChunkMode, HookTriggers, Lua, LuaOptions, StdLib, Table, Value, VmState};
use pleach::Agent;
use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

/// Number of instructions after which the hook is called.
const STEP: u32 = 1000;

/// Functions that are removed: they read or run code that was not compiled before, catch errors,
/// write output, or take time that is not counted.
const GLOBALS: [&str; 10] = [
    "collectgarbage",
    "coroutine",
    "dofile",
    "load",
    "loadfile",
    "pcall",
    "print",
    "require",
    "warn",
    "xpcall",
];
const PATTERNS: [&str; 4] = ["find", "gmatch", "gsub", "match"];
const CHANCE: [&str; 2] = ["random", "randomseed"];

/// Lua state with its compiled code and the tables of agents.
#[derive(Debug)]
pub(crate) struct Machine {
    lua: Lua,
    compiled: HashMap<Box<[u8]>, mlua::Function>,
    entities: HashMap<Agent, Table>,
    /// Number of steps that the current call may still take.
    left: Rc<Cell<u32>>,
    limits: Limits,
}

impl Machine {
    pub(crate) fn new(limits: Limits) -> mlua::Result<Self> {
        let libraries = StdLib::MATH | StdLib::STRING | StdLib::TABLE | StdLib::UTF8;
        let lua = Lua::new_with(libraries, LuaOptions::default())?;
        tame(&lua)?;
        lua.set_memory_limit(limits.memory)?;
        let left = Rc::new(Cell::new(0_u32));
        let counted = left.clone();
        lua.set_hook(HookTriggers::new().every_nth_instruction(STEP), move |_, _| {
            match counted.get().checked_sub(1) {
                Some(left) => {
                    counted.set(left);
                    Ok(VmState::Continue)
                }
                None => Err(mlua::Error::runtime("the code takes too long")),
            }
        })?;
        Ok(Self { lua, compiled: HashMap::new(), entities: HashMap::new(), left, limits })
    }

    pub(crate) fn lua(&self) -> &Lua {
        &self.lua
    }

    /// Compiles code. Empty code is not stored and does nothing.
    pub(crate) fn compile(&mut self, code: &[u8], place: &str) -> mlua::Result<()> {
        if !code.is_empty() && !self.compiled.contains_key(code) {
            let chunk = self.lua.load(code).set_name(format!("={place}")).set_mode(ChunkMode::Text);
            self.compiled.insert(code.into(), chunk.into_function()?);
        }
        Ok(())
    }

    pub(crate) fn entity(&mut self, agent: Agent) -> mlua::Result<Table> {
        if let Some(table) = self.entities.get(&agent) {
            return Ok(table.clone());
        }
        let table = self.lua.create_table()?;
        self.entities.insert(agent, table.clone());
        Ok(table)
    }

    pub(crate) fn forget(&mut self, agent: Agent) {
        self.entities.remove(&agent);
    }

    /// Runs code for an agent. Returns true if the code returned `true`.
    pub(crate) fn run(&mut self, code: &[u8], agent: Agent) -> mlua::Result<bool> {
        let Some(function) = self.compiled.get(code).cloned() else { return Ok(false) };
        let entity = self.entity(agent)?;
        self.lua.globals().raw_set("entity", entity)?;
        self.left.set(self.limits.instructions / STEP);
        let answer = function.call::<Value>(());
        self.lua.globals().raw_set("entity", Value::Nil)?;
        Ok(matches!(answer?, Value::Boolean(true)))
    }
}

/// Removes functions that could do harm.
fn tame(lua: &Lua) -> mlua::Result<()> {
    let globals = lua.globals();
    let take =
        |table: &Table, names: &[&str]| names.iter().try_for_each(|name| table.raw_set(*name, Value::Nil));
    take(&globals, &GLOBALS)?;
    take(&globals.get("string")?, &PATTERNS)?;
    take(&globals.get("math")?, &CHANCE)?;
    // Finalizers run outside of all counting.
    let set: mlua::Function = globals.get("setmetatable")?;
    let tamed = lua.create_function(move |_, (table, meta): (Table, Option<Table>)| {
        if let Some(meta) = &meta
            && !meta.raw_get::<Value>("__gc")?.is_nil()
        {
            return Err(mlua::Error::runtime("finalizers are not allowed"));
        }
        set.call::<Table>((table, meta))
    })?;
    globals.raw_set("setmetatable", tamed)
}
