//! Forests: named sets of trees that take orders.

use crate::abi::{pleach_forests, pleach_hook, pleach_program, pleach_status};
use crate::border::{Versioned, border};
use crate::crowd::engine as engine_of;
use crate::guard::Guarded;
use crate::host::Caller;
use crate::kinds::truth;
use crate::program::{self, Linked};
use crate::status::{E_INTERNAL, E_NAME, E_VALUE, Error};
use crate::{handles, kinds};
use bytemuck::Zeroable;
use core::ffi::{c_char, c_void};
use core::fmt::Write as _;
use pleach::forest::{
    ForestHost, Forests, Hook, HookKind, OperationQueue, PropertyDepth, TreeError, TreeErrorKind,
    TreeOperation, TreeSelector,
};
use pleach::life::{LifeStatus, PlayMode};

/// Kind of a hook: the forest, tree or node is created.
pub const PLEACH_HOOK_CONSTRUCT: u32 = 0;
/// Kind of a hook: the forest, tree or node is about to be destroyed.
pub const PLEACH_HOOK_DESTRUCT: u32 = 1;
/// Kind of a hook: the tree is paused.
pub const PLEACH_HOOK_PAUSE: u32 = 2;
/// Kind of a hook: the tree is stopped.
pub const PLEACH_HOOK_STOP: u32 = 3;
/// Kind of a hook: the tree is reset.
pub const PLEACH_HOOK_RESET: u32 = 4;
/// Kind of a hook: the tree is executed. This is the first hook of an execution.
pub const PLEACH_HOOK_EXECUTE: u32 = 5;
/// Kind of a hook: the tree has ended with success or failure.
pub const PLEACH_HOOK_REPORT: u32 = 6;
/// Kind of a hook: the tree has not ended; a node runs.
pub const PLEACH_HOOK_EXECUTING: u32 = 7;
/// Kind of a hook: the tree has not ended; it was interrupted before a node.
pub const PLEACH_HOOK_INTERRUPTED: u32 = 8;

/// Order: create the trees.
pub const PLEACH_ORDER_LOAD: u32 = 0;
/// Order: play. The tree starts counting, and is executed in each update until the target is
/// reached.
pub const PLEACH_ORDER_PLAY: u32 = 1;
/// Order: pause.
pub const PLEACH_ORDER_PAUSE: u32 = 2;
/// Order: resume trees that are paused.
pub const PLEACH_ORDER_RESUME: u32 = 3;
/// Order: stop.
pub const PLEACH_ORDER_STOP: u32 = 4;
/// Order: reset. The trees begin anew when they are played.
pub const PLEACH_ORDER_RESET: u32 = 5;
/// Order: destroy the trees.
pub const PLEACH_ORDER_DESTROY: u32 = 6;

/// Life status of a tree: destroyed.
pub const PLEACH_LIFE_DESTRUCTED: u32 = 0;
/// Life status of a tree: ordered to play, and not executed since.
pub const PLEACH_LIFE_PLAYED: u32 = 1;
/// Life status of a tree: ordered to resume, and not executed since.
pub const PLEACH_LIFE_RESUMED: u32 = 2;
/// Life status of a tree: executing, and its target is not reached.
pub const PLEACH_LIFE_EXECUTING: u32 = 3;
/// Life status of a tree: paused.
pub const PLEACH_LIFE_PAUSED: u32 = 4;
/// Life status of a tree: stopped.
pub const PLEACH_LIFE_STOPPED: u32 = 5;
/// Life status of a tree: new or reset.
pub const PLEACH_LIFE_RESET: u32 = 6;

/// Selector of an order: all forests, or all trees of a forest.
pub const PLEACH_ALL: u32 = u32::MAX;

/// Order for trees.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_order {
    /// `sizeof(pleach_order)`.
    pub struct_size: u32,
    /// One of PLEACH_ORDER_....
    pub order: u32,
    /// Index of a forest, or PLEACH_ALL.
    pub forest: u32,
    /// Index of a tree in the forest, or PLEACH_ALL.
    pub tree: u32,
    /// For pause, stop and reset: 1 if the status changes only after all hooks have returned.
    pub sync: u32,
    /// For play: 1 if `target` is valid, 0 if the target stays as it was.
    pub has_target: u32,
    /// For play: count at which the tree stops; 0 for never.
    pub target: u32,
    /// For play: ticks that are counted until the target. 0: as before; 1: all; 2: those that ended
    /// with success or failure; 3: with success; 4: with failure; 5: with something still running;
    /// 6: of these, those without an interrupt; 7: of these, those with an interrupt. Another number
    /// is the error PLEACH_E_VALUE.
    pub mode: u32,
}

/// Life of a tree.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_life {
    /// `sizeof(pleach_life)`.
    pub struct_size: u32,
    /// One of PLEACH_LIFE_....
    pub status: u32,
    /// Ticks that are counted, 1 to 7 as in pleach_order.
    pub mode: u32,
    /// Count at which the tree stops; 0 for never.
    pub target: u32,
    /// Current count.
    pub count: u32,
}

/// Kind of a tree error: an operation was ordered for a tree that is not loaded.
pub const PLEACH_TREE_ERROR_DESTROYED: u32 = 0;
/// Kind of a tree error: a decorator was executed again too often. Its tree has stopped there.
pub const PLEACH_TREE_ERROR_ENDLESS: u32 = 1;
/// Kind of a tree error: the host reported a fault in a hook.
pub const PLEACH_TREE_ERROR_FAULT: u32 = 2;
/// Kind of a tree error: the crowd is full.
pub const PLEACH_TREE_ERROR_FULL: u32 = 3;

/// Error of a tree in an update.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_tree_error {
    /// `sizeof(pleach_tree_error)`.
    pub struct_size: u32,
    /// One of PLEACH_TREE_ERROR_....
    pub kind: u32,
    /// Index of the forest.
    pub forest: u32,
    /// Index of the tree in its forest.
    pub tree: u32,
    /// For PLEACH_TREE_ERROR_ENDLESS: index of the decorator in its tree.
    pub node: u32,
}

macro_rules! versioned {
    ($($name:ident $last:ident;)*) => {
        $(
            impl Versioned for $name {
                const FIRST: usize = core::mem::offset_of!($name, $last) + size_of::<u32>();

                fn size(&self) -> u32 {
                    self.struct_size
                }
            }
        )*
    };
}

versioned! {
    pleach_order mode;
    pleach_life count;
    pleach_tree_error node;
}

/// Forests with their program. Orders may be given at any time, so the queue is not guarded.
struct Held {
    orders: OperationQueue,
    linked: Linked,
    forests: Guarded<Driven>,
}

struct Driven {
    forests: Forests,
    errors: Vec<TreeError>,
}

/// Creates the forests of a program. None of their trees is loaded yet. `engine` is one of
/// PLEACH_ENGINE_....
///
/// Errors: PLEACH_E_NAME if the program has no forests.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_forests_new(
    program: pleach_program,
    engine: u32,
    forests: *mut pleach_forests,
) -> pleach_status {
    border!(|border| {
        let out = border.out(forests)?;
        let linked = (*program::get(program)?).clone();
        let forests = Forests::new(&linked.program)?.with_engine(engine_of(engine)?);
        let orders = forests.orders();
        let forests = Guarded::new(Driven { forests, errors: Vec::new() });
        out.done(handles::add(Held { orders, linked, forests })?)
    })
}

/// Gets the number of trees of a forest, by its index from 0.
///
/// Errors: PLEACH_E_NAME if there is no such forest.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_forests_tree_count(
    forests: pleach_forests,
    forest: u32,
    count: *mut u32,
) -> pleach_status {
    border!(|border| {
        let out = border.out(count)?;
        handles::get::<Held>(forests)?.forests.read(|driven| {
            let all = driven.forests.properties(PropertyDepth::Forest).forests;
            out.done(all.get(forest as usize).ok_or(E_NAME)?.tree_count)
        })?
    })
}

/// Gets the index of a forest by its name, and the index of one of its trees. If the name of the
/// tree is empty, the tree's index is PLEACH_ALL.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_forests_find(
    forests: pleach_forests,
    forest_name: *const c_char,
    forest_length: usize,
    tree_name: *const c_char,
    tree_length: usize,
    forest: *mut u32,
    tree: *mut u32,
) -> pleach_status {
    border!(|border| {
        let (forest, tree) = (border.out(forest)?, border.out(tree)?);
        let (name, of_tree) =
            (border.text(forest_name, forest_length)?, border.text(tree_name, tree_length)?);
        let held = handles::get::<Held>(forests)?;
        let of_tree = Some(of_tree).filter(|name| !name.is_empty());
        let (of, one) = match held.orders.select(Some(name), of_tree)? {
            TreeSelector::Tree(forest, tree) => (forest, tree),
            TreeSelector::Forest(forest) => (forest, PLEACH_ALL),
            TreeSelector::All => (PLEACH_ALL, PLEACH_ALL),
        };
        forest.put(of);
        tree.done(one)
    })
}

fn operation(order: &pleach_order) -> Result<TreeOperation, Error> {
    let sync = truth(order.sync)?;
    Ok(match order.order {
        PLEACH_ORDER_LOAD => TreeOperation::Load,
        PLEACH_ORDER_PLAY => TreeOperation::Play {
            target: truth(order.has_target)?.then_some(order.target),
            mode: match order.mode.checked_sub(1) {
                None => None,
                Some(mode) => Some(*PlayMode::ALL.get(mode as usize).ok_or(E_VALUE)?),
            },
        },
        PLEACH_ORDER_PAUSE => TreeOperation::Pause { sync },
        PLEACH_ORDER_RESUME => TreeOperation::Resume,
        PLEACH_ORDER_STOP => TreeOperation::Stop { sync },
        PLEACH_ORDER_RESET => TreeOperation::Reset { sync },
        PLEACH_ORDER_DESTROY => TreeOperation::Destroy,
        _ => return Err(E_VALUE.into()),
    })
}

/// Gives an order. Orders may be given from any thread and from hooks. They are queued, and the
/// next update carries them out in order.
///
/// Errors: PLEACH_E_NAME if there are no such trees.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_forests_order(
    forests: pleach_forests,
    order: *const pleach_order,
) -> pleach_status {
    border!(|border| {
        let order = border.options(order)?;
        let whom = match (order.forest, order.tree) {
            (PLEACH_ALL, _) => TreeSelector::All,
            (forest, PLEACH_ALL) => TreeSelector::Forest(forest),
            (forest, tree) => TreeSelector::Tree(forest, tree),
        };
        Ok(handles::get::<Held>(forests)?.orders.give(operation(&order)?, whom)?)
    })
}

/// Carries out all queued orders, then executes every playing tree once. `errors` may be null. It
/// receives the number of errors.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_forests_update(
    forests: pleach_forests,
    now: i64,
    user: *mut c_void,
    errors: *mut u32,
) -> pleach_status {
    border!(|border| {
        let out = border.wanted(errors)?;
        let held = handles::get::<Held>(forests)?;
        held.forests.write(|driven| {
            let mut host = Caller::new(&held.linked.callbacks, user);
            driven.errors.clear();
            driven.errors.extend_from_slice(driven.forests.update(now, &mut host));
            out.put(driven.errors.len() as u32);
            Ok(())
        })?
    })
}

/// Gets an error of the last update, by its number from 0.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_forests_error(
    forests: pleach_forests,
    number: u32,
    error: *mut pleach_tree_error,
) -> pleach_status {
    border!(|border| {
        let out = border.report(error)?;
        handles::get::<Held>(forests)?.forests.read(|driven| {
            let found = driven.errors.get(number as usize).ok_or(E_NAME)?;
            let (kind, node) = match found.kind {
                TreeErrorKind::Destroyed { .. } => (PLEACH_TREE_ERROR_DESTROYED, 0),
                TreeErrorKind::Endless { node } => (PLEACH_TREE_ERROR_ENDLESS, node),
                TreeErrorKind::Panicked => (PLEACH_TREE_ERROR_FAULT, 0),
                TreeErrorKind::Full => (PLEACH_TREE_ERROR_FULL, 0),
                _ => Err(E_INTERNAL)?,
            };
            let TreeError { forest, tree, .. } = *found;
            out.done(pleach_tree_error { struct_size: 0, kind, forest, tree, node })
        })?
    })
}

/// Gets the life of a tree, by the index of its forest and its own.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_forests_life(
    forests: pleach_forests,
    forest: u32,
    tree: u32,
    life: *mut pleach_life,
) -> pleach_status {
    border!(|border| {
        let out = border.report(life)?;
        handles::get::<Held>(forests)?.forests.read(|driven| {
            let life = driven.forests.life(forest, tree)?;
            let status = match life.status() {
                LifeStatus::Destructed => PLEACH_LIFE_DESTRUCTED,
                LifeStatus::Played => PLEACH_LIFE_PLAYED,
                LifeStatus::Resumed => PLEACH_LIFE_RESUMED,
                LifeStatus::Executing => PLEACH_LIFE_EXECUTING,
                LifeStatus::Paused => PLEACH_LIFE_PAUSED,
                LifeStatus::Stopped => PLEACH_LIFE_STOPPED,
                LifeStatus::Reset => PLEACH_LIFE_RESET,
            };
            let mode = PlayMode::ALL.iter().position(|mode| *mode == life.mode()).unwrap_or_default();
            let mode = (mode as u32).saturating_add(1);
            let (target, count) = (life.target(), life.counted());
            out.done(pleach_life { struct_size: 0, status, mode, target, count })
        })?
    })
}

/// Returns the number of a hook's kind, and the number that the kind carries.
fn hook_kind(kind: HookKind) -> (u32, u32) {
    match kind {
        HookKind::Construct => (PLEACH_HOOK_CONSTRUCT, 0),
        HookKind::Destruct => (PLEACH_HOOK_DESTRUCT, 0),
        HookKind::Pause => (PLEACH_HOOK_PAUSE, 0),
        HookKind::Stop => (PLEACH_HOOK_STOP, 0),
        HookKind::Reset => (PLEACH_HOOK_RESET, 0),
        HookKind::Execute => (PLEACH_HOOK_EXECUTE, 0),
        HookKind::Report(status) => (PLEACH_HOOK_REPORT, kinds::status_number(status).0),
        HookKind::NotifyExecuting(node) => (PLEACH_HOOK_EXECUTING, node),
        HookKind::NotifyInterrupt(node) => (PLEACH_HOOK_INTERRUPTED, node),
    }
}

impl ForestHost for Caller<'_> {
    fn hook(&mut self, hook: &Hook<'_>) {
        let (host, user) = self.host();
        let Some(callback) = host.hook else { return };
        self.text.clear();
        // Writing to a string does not fail.
        let _ = write!(self.text, "{hook}");
        let (kind, about) = hook_kind(hook.kind);
        let seen = pleach_hook {
            struct_size: size_of::<pleach_hook>() as u32,
            kind,
            forest: hook.forest(),
            tree: hook.tree().unwrap_or(PLEACH_ALL),
            node: hook.node().unwrap_or(PLEACH_ALL),
            about,
            tree_number: hook.tree_number().map_or(PLEACH_ALL, |number| number as u32),
            reserved: 0,
            text: self.text.as_ptr().cast(),
            text_length: self.text.len(),
        };
        // SAFETY: the game has promised a callback that can be called like this.
        unsafe { callback(user, &raw const seen) };
    }
}
