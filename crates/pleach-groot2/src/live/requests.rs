//! Requests and their replies.

use super::blackboard;
use super::hooks::{HookRow, HookRows, MOST_HOOKS, RemoveHook, UnlockHook, completed};
use super::state::{Shared, State};
use serde::Deserialize;
use std::collections::HashSet;
use std::time::{SystemTime, UNIX_EPOCH};

/// Version of the protocol.
const PROTOCOL: u8 = 2;
/// Bytes of the header of a request.
const HEADER: usize = 6;
/// Error about a hook that is not there, in the words of the library.
const NO_HOOK: &str = "Node ID not found";

/// Second frame of a reply, if there is one; else the text of an error.
type Answer = Result<Option<Vec<u8>>, String>;

/// Answers a request. Returns the frames of the reply.
pub(crate) fn answer(shared: &Shared, request: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let error = |text: &str| vec![b"error".to_vec(), text.as_bytes().to_vec()];
    let Some((header, rest)) = request.split_first().filter(|(header, _)| header.len() == HEADER) else {
        return error("wrong request header");
    };
    let mut state = shared.lock();
    state.ask();
    match reply(&mut state, header[1], rest) {
        Ok(second) => {
            let mut first = header.clone();
            first[0] = PROTOCOL;
            first.extend(state.id);
            shared.wake();
            std::iter::once(first).chain(second).collect()
        }
        Err(text) => error(&text),
    }
}

fn reply(state: &mut State, kind: u8, rest: &[Vec<u8>]) -> Answer {
    let second = || match rest {
        [text] => Ok(text.as_slice()),
        _ => Err("must be 2 parts message".to_owned()),
    };
    match kind {
        b'T' => Ok(Some(state.tree.xml().as_bytes().to_vec())),
        b'S' => Ok(Some(statuses(state))),
        b'B' => Ok(Some(blackboards(state, second()?))),
        b'I' => insert(state, json(second()?)?),
        b'R' => remove(state, &json(second()?)?),
        b'U' => unlock(state, json(second()?)?),
        b'D' => dump(state),
        b'A' => {
            state.hooks.0.clear();
            Ok(None)
        }
        b'X' => {
            state.hooks.enable(false);
            Ok(None)
        }
        b'r' => record(state, second()?),
        b't' => Ok(Some(state.take_recorded())),
        _ => Err("Request not recognized".to_owned()),
    }
}

fn json<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, String> {
    serde_json::from_slice(text).map_err(|why| format!("the JSON is wrong: {why}"))
}

/// Returns the state of each node, by instances.
fn statuses(state: &State) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(3 * state.states.len());
    for uid in state.tree.instances.iter().flat_map(|instance| &instance.nodes) {
        bytes.extend(uid.to_le_bytes());
        bytes.push(state.states[usize::from(*uid) - 1]);
    }
    bytes
}

fn blackboards(state: &State, names: &[u8]) -> Vec<u8> {
    let names = String::from_utf8_lossy(names);
    blackboard::pack(state.boards.as_ref(), state.tree.entry(), names.split(';'))
}

fn insert(state: &mut State, rows: HookRows) -> Answer {
    let rows = match rows {
        HookRows::Several(rows) => rows,
        HookRows::One(row) => vec![row],
    };
    // A hook of an unknown node is passed over.
    let known: Vec<_> = rows.into_iter().filter(|row| state.tree.node(row.uid).is_some()).collect();
    known.iter().try_for_each(|row| check(state, row))?;
    // A hook takes the place of one at the same node and position.
    let rows = state.hooks.0.iter().map(|hook| &hook.row).chain(&known);
    let places: HashSet<_> = rows.map(|row| (row.uid, row.position)).collect();
    if places.len() > MOST_HOOKS {
        return Err(format!("there can be at most {MOST_HOOKS} hooks; remove some"));
    }
    known.into_iter().for_each(|row| state.hooks.put(row));
    Ok(None)
}

/// Refuses a hook that would have no effect.
fn check(state: &State, row: &HookRow) -> Result<(), String> {
    if row.mode > 1 || row.position > 1 {
        return Err("the mode and the position of a hook are 0 or 1".to_owned());
    }
    let replaces = !row.is_breakpoint() || row.status().is_some();
    if replaces { can_replace(state, row.uid) } else { Ok(()) }
}

fn can_replace(state: &State, uid: u16) -> Result<(), String> {
    if state.tree.node(uid).is_some_and(|node| node.acts) {
        return Ok(());
    }
    let why = "only the status of a node that calls the game can be replaced";
    Err(format!("{why}, and node {uid} is none; set a breakpoint with the status SKIPPED"))
}

fn remove(state: &mut State, hook: &RemoveHook) -> Answer {
    let index = state.hooks.find(hook.uid, hook.position).ok_or(NO_HOOK)?;
    state.hooks.0.remove(index);
    Ok(None)
}

fn unlock(state: &mut State, unlock: UnlockHook) -> Answer {
    let index = state.hooks.find(unlock.uid, unlock.position).ok_or(NO_HOOK)?;
    if completed(&unlock.desired_status).is_some() {
        can_replace(state, unlock.uid)?;
    }
    let hook = &mut state.hooks.0[index];
    hook.row.desired_status = unlock.desired_status;
    hook.row.once |= unlock.remove_when_done;
    hook.unlocked = true;
    Ok(None)
}

fn dump(state: &State) -> Answer {
    let rows: Vec<_> = state.hooks.0.iter().map(|hook| &hook.row).collect();
    serde_json::to_vec(&rows).map(Some).map_err(|why| why.to_string())
}

fn record(state: &mut State, word: &[u8]) -> Answer {
    match word {
        b"start" => {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            state.record(true);
            Ok(Some(now.as_micros().to_string().into_bytes()))
        }
        b"stop" => {
            state.record(false);
            Ok(None)
        }
        _ => Err("a recording is told `start` or `stop`".to_owned()),
    }
}
