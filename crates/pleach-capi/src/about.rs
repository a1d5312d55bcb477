//! Functions about the library: version, statuses, errors, handles.

use crate::abi::{pleach_handle, pleach_status};
use crate::border::{Border, border};
use crate::{handles, last, status};
use core::ffi::c_char;

/// Version of the header's types and functions. It grows when something is added. Existing parts
/// never change.
pub const PLEACH_ABI_VERSION: u32 = 1;

/// Returns the version of the library's types and functions. It is at least PLEACH_ABI_VERSION
/// unless the library is older than the header.
#[unsafe(no_mangle)]
pub extern "C" fn pleach_abi_version() -> u32 {
    PLEACH_ABI_VERSION
}

/// Returns the name of a status, such as "PLEACH_E_STALE", or "?" for a number without meaning. The
/// text must not be freed.
#[unsafe(no_mangle)]
pub extern "C" fn pleach_status_name(status: pleach_status) -> *const c_char {
    status::row(status).map_or(c"?", |row| row.c_name).as_ptr()
}

/// Returns the meaning of a status in one line. The text must not be freed.
#[unsafe(no_mangle)]
pub extern "C" fn pleach_status_meaning(status: pleach_status) -> *const c_char {
    status::row(status).map_or(c"?", |row| row.c_meaning).as_ptr()
}

/// Copies the message of the last error on this thread to a buffer. The message stays until the
/// next error. A long message is cut to the buffer. The copy ends with a zero unless `length` is 0.
/// Returns the size of the whole message in bytes, with the zero. Never fails: with a null buffer
/// or a length of 0 it only returns the size.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_last_error(buffer: *mut c_char, length: usize) -> usize {
    // SAFETY: this is the body of an exported function, whose callers have made the promises of the
    // header.
    let border = unsafe { Border::trust() };
    let text = last::told();
    if let (false, Ok(room)) = (buffer.is_null(), border.room(buffer.cast::<u8>(), length)) {
        let end = text.floor_char_boundary(room.count.saturating_sub(1));
        room.fill(&[text.as_bytes().get(..end).unwrap_or_default(), &[0]].concat());
    }
    text.len().saturating_add(1)
}

/// Frees the object of a handle, of any kind. Freeing 0 does nothing. An object that another one
/// still uses, such as the program of a crowd, stays until that one is freed too.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_free(handle: pleach_handle) -> pleach_status {
    border!(|_border| { if handle == 0 { Ok(()) } else { handles::free(handle) } })
}
