//! The library itself: its version, statuses, errors, handles.

use crate::abi::{pleach_handle, pleach_status};
use crate::border::{Border, border};
use crate::{handles, last, status};
use core::ffi::c_char;

/// The version of the header's types and functions. It grows when something is added; what is there stays as it is.
pub const PLEACH_ABI_VERSION: u32 = 1;

/// The version of the library's types and functions: at least PLEACH_ABI_VERSION, if the library is not older than the header.
#[unsafe(no_mangle)]
pub extern "C" fn pleach_abi_version() -> u32 {
    PLEACH_ABI_VERSION
}

/// The name of a status, such as "PLEACH_E_STALE"; "?" for numbers without meaning. Never freed.
#[unsafe(no_mangle)]
pub extern "C" fn pleach_status_name(status: pleach_status) -> *const c_char {
    status::row(status).map_or(c"?", |row| row.c_name).as_ptr()
}

/// What a status means, in one line. Never freed.
#[unsafe(no_mangle)]
pub extern "C" fn pleach_status_meaning(status: pleach_status) -> *const c_char {
    status::row(status).map_or(c"?", |row| row.c_meaning).as_ptr()
}

/// What went wrong last on this thread, in words for people: it stays until something else does. Copies as much of it as there is
/// room for, always with a zero at the end, if there is room for that. Returns how many bytes all of it has with the zero, and
/// never fails: a null buffer or one of length 0 asks for the size alone.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_last_error(buffer: *mut c_char, length: usize) -> usize {
    // SAFETY: this is the body of an exported function, and the header has told its callers what they promise.
    let border = unsafe { Border::trust() };
    let text = last::told();
    if let (false, Ok(room)) = (buffer.is_null(), border.room(buffer.cast::<u8>(), length)) {
        let end = text.floor_char_boundary(room.count.saturating_sub(1));
        room.fill(&[text.as_bytes().get(..end).unwrap_or_default(), &[0]].concat());
    }
    text.len().saturating_add(1)
}

/// Frees what a handle stands for, whatever it is. 0 is nothing, and freed without effect. What others still use, such as the
/// program of a crowd, stays until they are freed, too.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_free(handle: pleach_handle) -> pleach_status {
    border!(|_border| { if handle == 0 { Ok(()) } else { handles::free(handle) } })
}
