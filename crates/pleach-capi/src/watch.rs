//! Watching an agent step by step, and the places of its nodes in the source.

use crate::abi::{pleach_agent, pleach_crowd, pleach_image, pleach_status, pleach_tally};
use crate::border::{Versioned, border};
use crate::crowd::{Held, tell, write};
use crate::host::Caller;
use crate::image::{AnyImage, get, on};
use crate::kinds::status_number;
use crate::status::E_NAME;
use bytemuck::Zeroable;
use core::ffi::{c_char, c_void};
use pleach::watch::Watch;
use pleach::{Agent, Status};

/// Observer of one agent's tick. Watching changes no result. Callbacks may be null.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_watch {
    /// `sizeof(pleach_watch)`.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// Pointer that the callbacks get.
    pub user: *mut c_void,
    /// Reports a call of an action: its node, the index of its name among the image's imports, 1 if
    /// it began now, and its outcome.
    pub acted:
        Option<unsafe extern "C" fn(user: *mut c_void, node: u32, import: u32, fresh: u32, outcome: u32)>,
    /// Reports a call of a query: the index of its name among the image's imports, and its answer.
    pub asked: Option<unsafe extern "C" fn(user: *mut c_void, import: u32, answer: f64)>,
    /// Reports that a node has ended with an outcome, or is running. Called only if the image has
    /// debug information.
    pub ended: Option<unsafe extern "C" fn(user: *mut c_void, node: u32, outcome: u32)>,
}

impl Versioned for pleach_watch {
    const FIRST: usize = core::mem::offset_of!(Self, ended) + size_of::<usize>();

    fn size(&self) -> u32 {
        self.struct_size
    }
}

/// Observer that passes events on to the callbacks.
struct Watcher<'a> {
    watch: pleach_watch,
    image: &'a AnyImage,
}

impl Watcher<'_> {
    /// Returns the import of a site.
    fn import(&self, site: u32) -> u32 {
        let row = on!(self.image, |image| image.sites().get(site as usize).copied());
        row.map_or(u32::MAX, |row| row.import.into())
    }
}

impl Watch for Watcher<'_> {
    fn acted(&mut self, node: u32, site: u32, fresh: bool, status: Status) {
        if let Some(acted) = self.watch.acted {
            let (import, (outcome, _)) = (self.import(site), status_number(status));
            // SAFETY: the game has promised callbacks that can be called like this.
            unsafe { acted(self.watch.user, node, import, fresh.into(), outcome) };
        }
    }

    fn asked(&mut self, site: u32, answer: f64) {
        if let Some(asked) = self.watch.asked {
            // SAFETY: as in `acted`.
            unsafe { asked(self.watch.user, self.import(site), answer) };
        }
    }

    fn left(&mut self, word: u32, exit: u32) {
        let Some(ended) = self.watch.ended else { return };
        on!(self.image, |image| for end in image.debug_ends(word, exit) {
            // SAFETY: as in `acted`. Statuses of images have the numbers of the header's outcomes.
            unsafe { ended(self.watch.user, end.node.into(), end.status.into()) };
        });
    }
}

/// Ticks the crowd like pleach_crowd_tick, and reports the tick of one agent to an observer.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_crowd_tick_watching(
    crowd: pleach_crowd,
    agent: pleach_agent,
    now: i64,
    user: *mut c_void,
    watch: *const pleach_watch,
    tally: *mut pleach_tally,
) -> pleach_status {
    border!(|border| {
        let out = border.wanted_report(tally)?;
        let (agent, watch) = (Agent::from_bits(agent), border.options(watch)?);
        let tally = write(crowd, |held| {
            let Held { crowd, linked, .. } = held;
            let mut watcher = Watcher { watch, image: &linked.image };
            let mut host = Caller::new(&linked.callbacks, user);
            Ok(crowd.tick_watching(now, &mut host, agent, &mut watcher)?)
        })?;
        tell(&out, tally)
    })
}

/// Gets the origin of a node: the line in its file, its parent node (0 for none), and a text such
/// as `selector` or `moveTo`.
///
/// Errors: PLEACH_E_NAME if the image has no debug information for the node.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_image_node(
    image: pleach_image,
    node: u32,
    line: *mut u32,
    parent: *mut u32,
    buffer: *mut c_char,
    room: usize,
    length: *mut usize,
) -> pleach_status {
    border!(|border| {
        let to = border.buffer(buffer.cast(), room, length)?;
        let (line, parent) = (border.wanted(line)?, border.wanted(parent)?);
        let image = get(image)?;
        on!(&*image, |image| {
            let row = image.debug_node(node).ok_or(E_NAME)?;
            line.put(row.line);
            parent.put(row.parent);
            let (keyword, subject) = (image.debug_text(row.keyword), image.debug_text(row.subject));
            // A keyword that begins with a dot is internal. It may stand for a node of the host.
            let text = if keyword.is_empty() || keyword.starts_with('.') { subject } else { keyword };
            to.give(text.as_bytes())
        })
    })
}

/// Gets the file that a node comes from.
///
/// Errors: PLEACH_E_NAME if the image has no debug information for the node.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_image_node_file(
    image: pleach_image,
    node: u32,
    buffer: *mut c_char,
    room: usize,
    length: *mut usize,
) -> pleach_status {
    border!(|border| {
        let to = border.buffer(buffer.cast(), room, length)?;
        let image = get(image)?;
        on!(&*image, |image| {
            let row = image.debug_node(node).ok_or(E_NAME)?;
            to.give(image.debug_text(row.file).as_bytes())
        })
    })
}
