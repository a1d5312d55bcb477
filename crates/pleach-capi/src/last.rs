//! Last error of each thread.

use crate::status::Error;
use core::cell::RefCell;

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Stores the message of an error until the next one.
pub(crate) fn keep(error: Error) {
    // A thread that is ending has no last error.
    let _ = LAST.try_with(|last| {
        if let Ok(mut last) = last.try_borrow_mut() {
            *last = error.message.into_owned();
        }
    });
}

/// Returns the message of the last error on this thread.
pub(crate) fn told() -> String {
    LAST.try_with(|last| last.borrow().clone()).unwrap_or_default()
}
