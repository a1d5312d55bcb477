//! Status codes: one table, from which the header, the documentation and the functions about
//! statuses are generated.

use core::ffi::CStr;
use pleach::crowd::{RuleError, SwitchError};
use pleach::forest::UnknownTree;
use pleach::state::StateError;
use pleach::values::{InternError, TuneError};
use pleach::{AccessError, ImageError, LinkError, LoadError, SpawnError, StaleAgent};
use std::borrow::Cow;

/// Row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Name in C, without its prefix `PLEACH_`.
    pub name: &'static str,
    /// Number, which never changes.
    pub number: i32,
    /// Meaning in one line.
    pub meaning: &'static str,
    /// Name with its prefix, for C.
    pub c_name: &'static CStr,
    /// Meaning, for C.
    pub c_meaning: &'static CStr,
}

/// Returns a text that ends with its only zero.
const fn terminated(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(text) => text,
        Err(_) => c"?",
    }
}

macro_rules! statuses {
    ($($name:ident $number:literal $meaning:literal;)*) => {
        $(#[doc = $meaning] pub const $name: i32 = $number;)*

        /// All statuses.
        pub const STATUSES: &[Row] =
            &[$(Row {
                name: stringify!($name),
                number: $number,
                meaning: $meaning,
                c_name: terminated(concat!("PLEACH_", stringify!($name), "\0")),
                c_meaning: terminated(concat!($meaning, "\0")),
            },)*];
    };
}

#[rustfmt::skip]
statuses! {
    OK            0   "the function has succeeded";
    E_INTERNAL    -1  "a defect of the library: a panic was caught, and the object may only be read and freed from now on";
    E_NULL        -2  "a pointer is null that must not be null, or a pointer is not aligned";
    E_LENGTH      -3  "a length exceeds the address space, a text is too long, or a struct_size is impossible";
    E_VERSION     -4  "a struct of a newer version has a field that this library does not know and that is not zero";
    E_VALUE       -5  "a number is not a value of the enum that the function expects";
    E_TEXT        -6  "a text is not UTF-8";
    E_HANDLE      -7  "a handle is 0, was never issued, or belongs to an object of another kind";
    E_STALE       -8  "the object no longer exists: it was freed or despawned, or the call has ended";
    E_BUSY        -9  "another thread is using the object";
    E_REENTRANT   -10 "this thread is already using the object: a callback has called back";
    E_POISONED    -11 "the library panicked while it changed the object, which may only be read and freed";
    E_BUFFER      -12 "the buffer is too small; the required size was written";
    E_CAPACITY    -13 "there is no room for another object, agent or text";
    E_NAME        -14 "there is no tree, variable, event, group, chunk, rule or forest of this name or number";
    E_TYPE        -15 "the variable has another type";
    E_IO          -16 "the file could not be read";
    E_IMAGE       -17 "the bytes are not a valid image";
    E_LINK        -18 "the image needs functions that the host does not have";
    E_STATE       -19 "the bytes are not a saved state, or the state does not fit the program";
    E_COMPILE     -20 "the source has errors";
    E_LATE        -21 "the library has already allocated memory";
    E_RANGE       -22 "the value is outside of the range of the tunable, or has a fraction and the tunable is a whole number";
}

/// Error of a function: a status and a message.
#[derive(Debug)]
pub(crate) struct Error {
    pub(crate) status: i32,
    pub(crate) message: Cow<'static, str>,
}

impl Error {
    /// Creates an error with a message of its own.
    pub(crate) fn new(status: i32, message: impl Into<Cow<'static, str>>) -> Self {
        Self { status, message: message.into() }
    }
}

/// Returns the row of a status.
pub(crate) fn row(status: i32) -> Option<&'static Row> {
    STATUSES.iter().find(|row| row.number == status)
}

/// Creates an error with the message of the table.
impl From<i32> for Error {
    fn from(status: i32) -> Self {
        Self::new(status, row(status).map_or("", |row| row.meaning))
    }
}

macro_rules! errors {
    ($($error:ty, |$name:pat_param| $status:expr;)*) => {
        $(
            impl From<$error> for Error {
                fn from(error: $error) -> Self {
                    let status = match &error { $name => $status };
                    Self::new(status, error.to_string())
                }
            }
        )*
    };
}

errors! {
    StaleAgent, |_| E_STALE;
    ImageError, |_| E_IMAGE;
    LinkError, |_| E_LINK;
    StateError, |_| E_STATE;
    UnknownTree, |_| E_NAME;
    LoadError, |error| match error {
        LoadError::Io(_) => E_IO,
        LoadError::Image(_) => E_IMAGE,
        _ => E_INTERNAL,
    };
    AccessError, |error| match error {
        AccessError::Stale => E_STALE,
        AccessError::NoVariable | AccessError::NoPlace => E_NAME,
        AccessError::Type { .. } => E_TYPE,
        _ => E_INTERNAL,
    };
    InternError, |error| match error {
        InternError::TooLong(_) => E_LENGTH,
        InternError::TooMany => E_CAPACITY,
        _ => E_INTERNAL,
    };
    TuneError, |error| match error {
        TuneError::Unknown { .. } | TuneError::Scope { .. } => E_NAME,
        TuneError::OutOfRange { .. } | TuneError::NotWhole { .. } => E_RANGE,
        TuneError::Stale => E_STALE,
        _ => E_INTERNAL,
    };
    SpawnError, |error| match error {
        SpawnError::NoEntry(_) => E_NAME,
        SpawnError::Full => E_CAPACITY,
        _ => E_INTERNAL,
    };
    SwitchError, |error| match error {
        SwitchError::Stale => E_STALE,
        SwitchError::NoEntry(_) => E_NAME,
        SwitchError::Full => E_CAPACITY,
        _ => E_INTERNAL,
    };
    RuleError, |error| match error {
        RuleError::Stale => E_STALE,
        RuleError::NoRules | RuleError::NoRule(_) | RuleError::OtherTree | RuleError::NoId => E_NAME,
        RuleError::Version(_) | RuleError::Malformed => E_STATE,
        _ => E_INTERNAL,
    };
}
