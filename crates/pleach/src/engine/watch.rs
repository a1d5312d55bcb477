//! Watching an agent while it is ticked, step by step.

use crate::host::LogKind;
use crate::layout::Frame;
use crate::store::{Chunk, World};
use crate::values::{Group, SharedVariable, Status, loaded};
use core::fmt;

/// Observer of one agent's tick. All methods do nothing by default, and watching changes no result.
pub trait Watch {
    /// Returns false if nobody watches, so that the agent is ticked as any other.
    #[doc(hidden)]
    fn is_on(&self) -> bool {
        true
    }

    /// Notes that the host is about to be asked to act. No other step follows if the host panics.
    fn acts(&mut self, _node: u32, _site: u32) {}

    /// Notes the call of an action: node, site, true if the action begins with this call, and the
    /// answer.
    fn acted(&mut self, _node: u32, _site: u32, _fresh: bool, _status: Status) {}

    /// Notes that a node that was running does not continue, with the site by which the host is
    /// told.
    fn halted(&mut self, _node: u32, _site: u32) {}

    /// Returns a writer for the description of the last call, see
    /// [`Host::describe`](crate::Host::describe); `None` if nobody reads descriptions.
    fn words(&mut self) -> Option<&mut dyn fmt::Write> {
        None
    }

    /// Notes the call of a query: site and answer.
    fn asked(&mut self, _site: u32, _answer: f64) {}

    /// Notes that an instruction of the image with two exits has been decided. `sight` shows the
    /// variables that the instruction can read.
    fn looked(&mut self, _word: u32, _sight: &WatchContext<'_>) {}

    /// Notes that an instruction of the image, other than `return`, was left by an exit.
    /// [`pleach_image::Image::debug_ends`] has the nodes that end there. A `fault` is left by exit
    /// 0, and no step follows.
    fn left(&mut self, _word: u32, _exit: u32) {}

    /// Notes that the status that a node keeps has changed: 0 is idle, 1 running, 2 success, 3
    /// failure.
    fn changed(&mut self, _node: u32, _from: u8, _to: u8) {}

    /// Notes a text that the tree wrote to the log of its agent.
    fn logged(&mut self, _node: u32, _kind: LogKind, _text: &[u8]) {}
}

/// The ways in which the loop of the scalar engine is compiled for a host. To watch is slow anyway,
/// so there is one copy for all hosts and observers, which calls them by their tables of functions.
pub(crate) trait Mode: Watch {
    /// True if the engine is to tell steps. If false, the engine is compiled without the calls.
    const ON: bool;
    /// True if a tick ends before the first step that needs the host, or anything but the agent's
    /// columns and the time.
    const HOSTLESS: bool = false;
}

impl Mode for &mut (dyn Watch + '_) {
    const ON: bool = true;
}

/// No watcher, but the steps of the plain program are run, as for a watched agent.
pub(crate) struct Unwatched;

impl Watch for Unwatched {}

/// No watcher, and a tick that ends before it needs the host.
pub(crate) struct Hostless;

impl Watch for Hostless {}

impl Mode for Hostless {
    const ON: bool = false;
    const HOSTLESS: bool = true;
}

/// No watcher.
impl Watch for () {
    fn is_on(&self) -> bool {
        false
    }
}

impl Mode for () {
    const ON: bool = false;
}

impl<W: Watch + ?Sized> Watch for &mut W {
    fn is_on(&self) -> bool {
        (**self).is_on()
    }

    fn acts(&mut self, node: u32, site: u32) {
        (**self).acts(node, site);
    }

    fn acted(&mut self, node: u32, site: u32, fresh: bool, status: Status) {
        (**self).acted(node, site, fresh, status);
    }

    fn halted(&mut self, node: u32, site: u32) {
        (**self).halted(node, site);
    }

    fn words(&mut self) -> Option<&mut dyn fmt::Write> {
        (**self).words()
    }

    fn asked(&mut self, site: u32, answer: f64) {
        (**self).asked(site, answer);
    }

    fn looked(&mut self, word: u32, sight: &WatchContext<'_>) {
        (**self).looked(word, sight);
    }

    fn left(&mut self, word: u32, exit: u32) {
        (**self).left(word, exit);
    }

    fn changed(&mut self, node: u32, from: u8, to: u8) {
        (**self).changed(node, from, to);
    }

    fn logged(&mut self, node: u32, kind: LogKind, text: &[u8]) {
        (**self).logged(node, kind, text);
    }
}

/// Variables that a watched agent sees at this point of its tick.
#[derive(Debug)]
pub struct WatchContext<'a> {
    pub(crate) frame: &'a Frame,
    pub(crate) chunk: &'a Chunk,
    pub(crate) lane: u8,
    pub(crate) world: &'a World,
}

impl WatchContext<'_> {
    /// Returns the value that the watched agent has now in a slot, by the number of the slot in the
    /// image. A boolean is 1 or 0. `None` if there is no such slot or it holds no variable.
    #[must_use]
    pub fn slot(&self, slot: u16) -> Option<f64> {
        let column = self.frame.slots.get(usize::from(slot))?.column;
        column.kind.is_variable().then(|| loaded(column.kind, self.chunk.read(column, self.lane)))
    }

    /// Returns the value that a shared variable of the image had when the tick began.
    #[must_use]
    pub fn shared(&self, shared: u16) -> Option<f64> {
        self.world.number(SharedVariable(shared), Group(self.chunk.group(self.lane)))
    }
}
