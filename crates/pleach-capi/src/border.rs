//! The border: the only place where data comes in and goes out through pointers.
//!
//! Every exported function is `border!(|border| { … })`. A [`Border`] stands for the caller's
//! promise that pointers are as the header requires, so all code behind it is safe. Pointers are
//! checked as far as possible. A panic is caught here. An error becomes a status and the thread's
//! last error.

use crate::last;
use crate::status::{E_BUFFER, E_INTERNAL, E_LENGTH, E_NULL, E_TEXT, E_VERSION, Error, OK};
use bytemuck::Zeroable;
use core::ffi::{c_char, c_void};
use core::marker::PhantomData;
use core::ptr::NonNull;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Wraps the body of an exported function.
macro_rules! border {
    (|$border:ident| $body:block) => {{
        // SAFETY: this is the body of an exported function, whose callers have made the promises of
        // the header.
        let trusted = unsafe { $crate::border::Border::trust() };
        $crate::border::enter(|| {
            let $border = &trusted;
            $body
        })
    }};
}
pub(crate) use border;

/// Runs the body of an exported function. No panic leaves it.
pub(crate) fn enter(body: impl FnOnce() -> Result<(), Error>) -> i32 {
    let error = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return OK,
        Ok(Err(error)) => error,
        Err(panic) => Error::new(E_INTERNAL, words(panic)),
    };
    let status = error.status;
    last::keep(error);
    status
}

/// Returns the message of a panic.
fn words(panic: Box<dyn Any + Send>) -> String {
    let other = match panic.downcast::<&str>() {
        Ok(text) => return (*text).to_owned(),
        Err(other) => other,
    };
    other.downcast::<String>().map_or_else(
        |other| {
            // The payload may panic when it is dropped.
            core::mem::forget(other);
            "a panic without words".to_owned()
        },
        |text| *text,
    )
}

/// Promise of an exported function's caller: pointers lead to memory that may be read or written as
/// the header says.
#[derive(Debug)]
pub(crate) struct Border(());

impl Border {
    /// # Safety
    /// Only in the body of an exported function, for its own arguments.
    pub(crate) unsafe fn trust() -> Self {
        Self(())
    }

    /// Returns a place for a result, and sets the place to zero.
    pub(crate) fn out<T: Zeroable>(&self, out: *mut T) -> Result<Out<'_, T>, Error> {
        let place = NonNull::new(out).filter(|_| out.is_aligned()).ok_or(E_NULL)?;
        let place = Out { place, border: PhantomData };
        place.put(T::zeroed());
        Ok(place)
    }

    /// Returns an optional place for a result: none if the pointer is null.
    pub(crate) fn wanted<T: Zeroable>(&self, out: *mut T) -> Result<Wanted<Out<'_, T>>, Error> {
        if out.is_null() { Ok(Wanted(None)) } else { Ok(Wanted(Some(self.out(out)?))) }
    }

    /// Returns a slice of elements. A null pointer with count 0 gives an empty slice.
    pub(crate) fn slice<T>(&self, first: *const T, count: usize) -> Result<&[T], Error> {
        check(first, count)?;
        if count == 0 {
            return Ok(&[]);
        }
        // SAFETY: the caller promises that this many elements may be read, and does not change them
        // meanwhile. The pointer is neither null nor misaligned, and the size is possible for a
        // slice.
        Ok(unsafe { core::slice::from_raw_parts(first, count) })
    }

    /// Returns a value that the pointer leads to.
    pub(crate) fn one<T: Copy>(&self, at: *const c_void) -> Result<T, Error> {
        self.slice(at.cast::<T>(), 1)?.first().copied().ok_or(E_NULL.into())
    }

    /// Returns an object of the library that the caller hands back.
    pub(crate) fn look<T>(&self, at: *const c_void) -> Result<&T, Error> {
        check(at.cast::<T>(), 1)?;
        // SAFETY: the caller promises that the pointer was handed to a callback, and that the
        // callback has not returned.
        Ok(unsafe { &*at.cast::<T>() })
    }

    /// Returns a slice of bytes.
    pub(crate) fn bytes(&self, first: *const c_void, length: usize) -> Result<&[u8], Error> {
        self.slice(first.cast(), length)
    }

    /// Returns a text, which must be UTF-8.
    pub(crate) fn text(&self, first: *const c_char, length: usize) -> Result<&str, Error> {
        core::str::from_utf8(self.slice(first.cast(), length)?).map_err(|_| E_TEXT.into())
    }

    /// Returns writable places for elements.
    pub(crate) fn room<T: Copy>(&self, first: *mut T, count: usize) -> Result<Room<'_, T>, Error> {
        check(first.cast_const(), count)?;
        Ok(Room { first, count, border: PhantomData })
    }

    /// Runs `work` with the caller's elements, which it may change.
    pub(crate) fn change<T, R>(
        &self,
        first: *mut T,
        count: usize,
        work: impl FnOnce(&mut [T]) -> Result<R, Error>,
    ) -> Result<R, Error> {
        check(first.cast_const(), count)?;
        if count == 0 {
            return work(&mut []);
        }
        // SAFETY: the caller promises that this many elements may be read and written, and that no
        // other code does so meanwhile.
        work(unsafe { core::slice::from_raw_parts_mut(first, count) })
    }

    /// Returns a buffer for elements, with a place for their number, which is set to zero.
    pub(crate) fn buffer<T: Copy>(
        &self,
        first: *mut T,
        room: usize,
        count: *mut usize,
    ) -> Result<Buffer<'_, T>, Error> {
        Ok(Buffer { count: self.out(count)?, room: self.room(first, room)? })
    }

    /// Reads a struct that begins with its size, in the caller's version. Null gives all zeros.
    pub(crate) fn options<T: Versioned>(&self, given: *const T) -> Result<T, Error> {
        if given.is_null() { Ok(T::zeroed()) } else { self.versioned(given.cast()) }
    }

    /// Reads an array of such structs, all of one version.
    pub(crate) fn all_options<T: Versioned>(&self, first: *const T, count: usize) -> Result<Vec<T>, Error> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let step = self.size_of_version::<T>(first.cast())?;
        let fits = count.checked_mul(step).is_some_and(|bytes| bytes <= isize::MAX as usize);
        if !fits {
            return Err(E_LENGTH.into());
        }
        // Each struct is at a multiple of the first struct's size. The product above bounds these
        // addresses.
        let at = |index: usize| first.cast::<u8>().wrapping_add(index.wrapping_mul(step));
        let all: Result<Vec<T>, Error> = (0..count).map(|index| self.versioned(at(index).cast())).collect();
        all.and_then(|all| {
            if all.iter().all(|one| one.size() as usize == step) { Ok(all) } else { Err(E_LENGTH.into()) }
        })
    }

    /// Returns the size that a struct declares.
    fn size_of_version<T: Versioned>(&self, given: *const c_void) -> Result<usize, Error> {
        if given.is_null() || !given.cast::<T>().is_aligned() {
            return Err(E_NULL.into());
        }
        // SAFETY: the caller promises a struct that begins with its size. The pointer has the
        // alignment of the struct.
        let size = unsafe { given.cast::<u32>().read() } as usize;
        if (T::FIRST..=MOST).contains(&size) && size.is_multiple_of(align_of::<T>()) {
            Ok(size)
        } else {
            Err(E_LENGTH.into())
        }
    }

    fn versioned<T: Versioned>(&self, given: *const c_void) -> Result<T, Error> {
        let size = self.size_of_version::<T>(given)?;
        let given = self.bytes(given, size)?;
        let (known, unknown) = given.split_at(size.min(size_of::<T>()));
        if unknown.iter().any(|byte| *byte != 0) {
            return Err(E_VERSION.into());
        }
        let mut options = T::zeroed();
        // SAFETY: no more bytes are copied than the struct has. Versions only add fields, so each
        // byte belongs to the field it had. The caller promises what fields point to.
        unsafe { core::ptr::copy_nonoverlapping(known.as_ptr(), (&raw mut options).cast(), known.len()) };
        Ok(options)
    }

    /// Returns a place for a result in a struct that begins with its size, in the caller's version.
    /// Sets its other fields to zero.
    pub(crate) fn report<T: Versioned>(&self, out: *mut T) -> Result<ReportTo<'_, T>, Error> {
        let size = self.size_of_version::<T>(out.cast_const().cast())?.min(size_of::<T>());
        let to = ReportTo { place: out, size, border: PhantomData };
        to.put(T::zeroed());
        Ok(to)
    }

    /// Returns an optional place for a struct: none if the pointer is null.
    pub(crate) fn wanted_report<T: Versioned>(&self, out: *mut T) -> Result<Wanted<ReportTo<'_, T>>, Error> {
        if out.is_null() { Ok(Wanted(None)) } else { Ok(Wanted(Some(self.report(out)?))) }
    }
}

/// Checks that a pointer can lead to `count` elements.
fn check<T>(first: *const T, count: usize) -> Result<(), Error> {
    if count == 0 {
        return Ok(());
    }
    if first.is_null() || !first.is_aligned() {
        return Err(E_NULL.into());
    }
    let fits = count.checked_mul(size_of::<T>()).is_some_and(|bytes| bytes <= isize::MAX as usize);
    if fits { Ok(()) } else { Err(E_LENGTH.into()) }
}

/// Upper bound of the size of a struct of any version.
const MOST: usize = 4096;

/// Struct that begins with its size as a `u32`, and to which versions add fields at the end.
pub(crate) trait Versioned: Zeroable + Copy {
    /// Size of the first version.
    const FIRST: usize;
    /// Returns the size that the struct declares.
    fn size(&self) -> u32;
}

/// Place for a result.
#[derive(Debug)]
pub(crate) struct Out<'b, T> {
    place: NonNull<T>,
    border: PhantomData<&'b Border>,
}

impl<T> Out<'_, T> {
    /// Writes the result.
    pub(crate) fn put(&self, value: T) {
        // SAFETY: the caller promises a place that may be written; it is neither null nor
        // misaligned.
        unsafe { self.place.write(value) };
    }

    /// Writes the result and returns success, as the last step of a function.
    pub(crate) fn done(&self, value: T) -> Result<(), Error> {
        self.put(value);
        Ok(())
    }
}

/// Optional place for a result.
#[derive(Debug)]
pub(crate) struct Wanted<P>(Option<P>);

impl<T> Wanted<Out<'_, T>> {
    /// Writes the result if there is a place.
    pub(crate) fn put(&self, value: T) {
        if let Some(out) = &self.0 {
            out.put(value);
        }
    }
}

impl<T: Versioned> Wanted<ReportTo<'_, T>> {
    /// Writes the result if there is a place, and returns success, as the last step of a function.
    pub(crate) fn done(&self, value: T) -> Result<(), Error> {
        self.0.as_ref().map_or(Ok(()), |out| out.done(value))
    }
}

/// Place for a result in a struct of some version.
#[derive(Debug)]
pub(crate) struct ReportTo<'b, T> {
    place: *mut T,
    size: usize,
    border: PhantomData<&'b Border>,
}

impl<T: Versioned> ReportTo<'_, T> {
    /// Writes the result. The size stays as the caller has set it.
    pub(crate) fn put(&self, value: T) {
        let from = (&raw const value).cast::<u8>().wrapping_add(size_of::<u32>());
        let to = self.place.cast::<u8>().wrapping_add(size_of::<u32>());
        // SAFETY: both sides have at least this many bytes: the struct in this version, and the
        // caller's struct by its declared size.
        unsafe { core::ptr::copy_nonoverlapping(from, to, self.size.saturating_sub(size_of::<u32>())) };
    }

    /// Writes the result and returns success, as the last step of a function.
    pub(crate) fn done(&self, value: T) -> Result<(), Error> {
        self.put(value);
        Ok(())
    }
}

/// Buffer of the caller.
#[derive(Debug)]
pub(crate) struct Buffer<'b, T> {
    room: Room<'b, T>,
    count: Out<'b, usize>,
}

impl<T: Copy> Buffer<'_, T> {
    /// Writes the number of elements, and copies the elements if there is room for all of them.
    /// Otherwise returns the status E_BUFFER.
    pub(crate) fn give(&self, elements: &[T]) -> Result<(), Error> {
        self.count.put(elements.len());
        if self.room.count < elements.len() {
            return Err(E_BUFFER.into());
        }
        self.room.fill(elements);
        Ok(())
    }
}

/// Writable places for elements.
#[derive(Debug)]
pub(crate) struct Room<'b, T> {
    first: *mut T,
    pub(crate) count: usize,
    border: PhantomData<&'b Border>,
}

impl<T: Copy> Room<'_, T> {
    /// Writes the first elements, as many as there is room for.
    pub(crate) fn fill(&self, elements: &[T]) {
        let count = elements.len().min(self.count);
        // SAFETY: the caller promises that this many elements may be written. They do not overlap
        // slices of the library.
        unsafe { core::ptr::copy_nonoverlapping(elements.as_ptr(), self.first, count) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::pleach_crowd_options;
    use crate::status::E_VALUE;

    #[test]
    fn a_panic_ends_at_the_border() {
        let status = enter(|| std::panic::resume_unwind(Box::new("something is broken")));
        assert_eq!((status, last::told().as_str()), (E_INTERNAL, "something is broken"));
        assert_eq!(enter(|| Err(E_VALUE.into())), E_VALUE);
        assert_eq!(last::told(), "a number is not a value of the enum that the function expects");
        assert_eq!(enter(|| Ok(())), OK);
        assert_eq!(last::told(), "a number is not a value of the enum that the function expects", "it stays");
    }

    /// Returns a struct of an earlier or later version, as bytes.
    fn of_size(size: u32, rest: u8) -> Vec<u64> {
        let mut words = vec![0_u64; 16];
        let bytes = bytemuck::cast_slice_mut::<u64, u8>(&mut words);
        bytes[..4].copy_from_slice(&size.to_le_bytes());
        bytes[size_of::<pleach_crowd_options>()..].fill(rest);
        words
    }

    #[test]
    fn structs_of_other_versions_are_known_by_their_size() {
        let border = Border(());
        let read = |words: &[u64]| border.options(words.as_ptr().cast::<pleach_crowd_options>());
        let known = size_of::<pleach_crowd_options>() as u32;
        for (size, rest, status) in [
            (known, 0xff, OK),
            (known + 8, 0, OK),
            (known + 8, 1, E_VERSION),
            (known + 4, 0, E_LENGTH),
            (known - 8, 0, E_LENGTH),
            (0, 0, E_LENGTH),
            (u32::MAX, 0, E_LENGTH),
        ] {
            let found = read(&of_size(size, rest)).map_or_else(|error| error.status, |_| OK);
            assert_eq!(found, status, "{size} bytes, then {rest}");
        }
    }
}
