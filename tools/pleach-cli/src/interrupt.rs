//! Signals that end the command: Ctrl-C (SIGINT) and the request to terminate (SIGTERM).
//!
//! A signal ends the command at once, with the exit code that shells use: 128 and the number of the
//! signal, so 130 for Ctrl-C. While a [`Patience`] lives, the first signal is only noted, so that
//! the command can print or keep what is done so far; a second signal ends the command at once.

use crate::output::{self, counted, grouped};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

/// Exit codes begin here, before the number of the signal.
const SIGNALLED: i32 = 128;

static STATE: LazyLock<State> =
    LazyLock::new(|| State { at_once: Arc::new(AtomicBool::new(true)), came: Arc::new(AtomicUsize::new(0)) });

struct State {
    /// A signal ends the command at once.
    at_once: Arc<AtomicBool>,
    /// Number of the last signal that was noted; 0 before the first.
    came: Arc<AtomicUsize>,
}

/// Listens to signals from now on.
pub(crate) fn listen() -> io::Result<()> {
    for signal in [SIGINT, SIGTERM] {
        // The order matters: the first signal must find the flag that it sets still unset.
        flag::register_conditional_shutdown(signal, SIGNALLED + signal, STATE.at_once.clone())?;
        flag::register(signal, STATE.at_once.clone())?;
        flag::register_usize(signal, STATE.came.clone(), signal.unsigned_abs() as usize)?;
    }
    Ok(())
}

/// Returns the exit code of a signal that was noted, if one was.
pub(crate) fn exit_code() -> Option<u8> {
    let signal = STATE.came.load(Ordering::SeqCst);
    (signal > 0).then(|| (SIGNALLED.unsigned_abs() as usize + signal) as u8)
}

/// Returns true after a signal that was noted: the command should stop, and
/// report the work done so far.
pub(crate) fn came() -> bool {
    exit_code().is_some()
}

/// Tells how far the work came, if a signal has stopped it.
pub(crate) fn tell(done: u64, all: u64) {
    if came() {
        output::say(&format!("stopped after {} of {}\n", grouped(done), counted(all as usize, "tick")));
    }
}

/// Time in which the first signal is only noted.
pub(crate) struct Patience {
    /// Signals ended the command at once before.
    outermost: bool,
}

impl Patience {
    /// Begins such a time; it ends with the value.
    pub(crate) fn new() -> Self {
        Self { outermost: !came() && STATE.at_once.swap(false, Ordering::SeqCst) }
    }
}

impl Drop for Patience {
    fn drop(&mut self) {
        if self.outermost {
            STATE.at_once.store(true, Ordering::SeqCst);
        }
    }
}
