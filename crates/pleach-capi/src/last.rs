//! What went wrong last, for each thread.

use crate::status::Error;
use core::cell::RefCell;

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps what went wrong, until something else does.
pub(crate) fn keep(error: Error) {
    // A thread that is ending has no last error.
    let _ = LAST.try_with(|last| {
        if let Ok(mut last) = last.try_borrow_mut() {
            *last = error.message.into_owned();
        }
    });
}

/// What went wrong last on this thread.
pub(crate) fn told() -> String {
    LAST.try_with(|last| last.borrow().clone()).unwrap_or_default()
}
