//! The border: what comes in through pointers, what goes out through them, and that nothing else does.
//!
//! Every exported function is `border!(|border| { … })`. A [`Border`] stands for the promise of the function's caller that
//! pointers are what the header says, so that everything behind it is safe code; what is told with a pointer is checked as far
//! as that can be. A panic ends here, and an error becomes a status and the thread's last error.

use crate::last;
use crate::status::{E_BUFFER, E_INTERNAL, E_LENGTH, E_NULL, E_TEXT, E_VERSION, Error, OK};
use bytemuck::Zeroable;
use core::ffi::{c_char, c_void};
use core::marker::PhantomData;
use core::ptr::NonNull;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The body of an exported function.
macro_rules! border {
    (|$border:ident| $body:block) => {{
        // SAFETY: this is the body of an exported function, and the header has told its callers what they promise.
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

/// What a panic says.
fn words(panic: Box<dyn Any + Send>) -> String {
    let other = match panic.downcast::<&str>() {
        Ok(text) => return (*text).to_owned(),
        Err(other) => other,
    };
    other.downcast::<String>().map_or_else(
        |other| {
            // What was thrown may panic when it is dropped.
            core::mem::forget(other);
            "a panic without words".to_owned()
        },
        |text| *text,
    )
}

/// The promise of an exported function's caller: where the header says so, pointers lead to what may be read or written.
#[derive(Debug)]
pub(crate) struct Border(());

impl Border {
    /// # Safety
    /// Only in the body of an exported function, for its own arguments.
    pub(crate) unsafe fn trust() -> Self {
        Self(())
    }

    /// A place for a result. It is zero from now on, until the result is there.
    pub(crate) fn out<T: Zeroable>(&self, out: *mut T) -> Result<Out<'_, T>, Error> {
        let place = NonNull::new(out).filter(|_| out.is_aligned()).ok_or(E_NULL)?;
        let place = Out { place, border: PhantomData };
        place.put(T::zeroed());
        Ok(place)
    }

    /// The same where nobody has to want the result.
    pub(crate) fn wanted<T: Zeroable>(&self, out: *mut T) -> Result<Wanted<Out<'_, T>>, Error> {
        if out.is_null() { Ok(Wanted(None)) } else { Ok(Wanted(Some(self.out(out)?))) }
    }

    /// Some elements. Null stands for none.
    pub(crate) fn slice<T>(&self, first: *const T, count: usize) -> Result<&[T], Error> {
        check(first, count)?;
        if count == 0 {
            return Ok(&[]);
        }
        // SAFETY: the caller promises that so many elements may be read, and does not change them meanwhile; the pointer is
        // neither null nor misaligned, and the size is one that slices can have.
        Ok(unsafe { core::slice::from_raw_parts(first, count) })
    }

    /// Something of ours, which the caller hands back.
    pub(crate) fn look<T>(&self, at: *const c_void) -> Result<&T, Error> {
        check(at.cast::<T>(), 1)?;
        // SAFETY: the caller promises that it is what a callback was handed, and that the callback has not returned.
        Ok(unsafe { &*at.cast::<T>() })
    }

    /// Some bytes.
    pub(crate) fn bytes(&self, first: *const c_void, length: usize) -> Result<&[u8], Error> {
        self.slice(first.cast(), length)
    }

    /// A text.
    pub(crate) fn text(&self, first: *const c_char, length: usize) -> Result<&str, Error> {
        core::str::from_utf8(self.slice(first.cast(), length)?).map_err(|_| E_TEXT.into())
    }

    /// Places for elements of the caller's.
    pub(crate) fn room<T: Copy>(&self, first: *mut T, count: usize) -> Result<Room<'_, T>, Error> {
        check(first.cast_const(), count)?;
        Ok(Room { first, count, border: PhantomData })
    }

    /// Lets elements of the caller's be changed.
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
        // SAFETY: the caller promises that so many elements may be read and written, and that nobody else does meanwhile.
        work(unsafe { core::slice::from_raw_parts_mut(first, count) })
    }

    /// A buffer for elements, and a place for how many there are. There are none from now on.
    pub(crate) fn buffer<T: Copy>(
        &self,
        first: *mut T,
        room: usize,
        count: *mut usize,
    ) -> Result<Buffer<'_, T>, Error> {
        Ok(Buffer { count: self.out(count)?, room: self.room(first, room)? })
    }

    /// A struct that begins with its size, in the version of whoever calls. Null stands for all zeros.
    pub(crate) fn options<T: Versioned>(&self, given: *const T) -> Result<T, Error> {
        if given.is_null() { Ok(T::zeroed()) } else { self.versioned(given.cast()) }
    }

    /// The structs of an array, all of the same version.
    pub(crate) fn all_options<T: Versioned>(&self, first: *const T, count: usize) -> Result<Vec<T>, Error> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let step = self.size_of_version::<T>(first.cast())?;
        let fits = count.checked_mul(step).is_some_and(|bytes| bytes <= isize::MAX as usize);
        if !fits {
            return Err(E_LENGTH.into());
        }
        // Each is at a multiple of the size that the first one tells, which the product above bounds.
        let at = |index: usize| first.cast::<u8>().wrapping_add(index.wrapping_mul(step));
        let all: Result<Vec<T>, Error> = (0..count).map(|index| self.versioned(at(index).cast())).collect();
        all.and_then(|all| {
            if all.iter().all(|one| one.size() as usize == step) { Ok(all) } else { Err(E_LENGTH.into()) }
        })
    }

    /// The size that a struct tells.
    fn size_of_version<T: Versioned>(&self, given: *const c_void) -> Result<usize, Error> {
        if given.is_null() || !given.cast::<T>().is_aligned() {
            return Err(E_NULL.into());
        }
        // SAFETY: the caller promises a struct that begins with its size; it is aligned as the struct is.
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
        // SAFETY: no more bytes than the struct has; each is that of the same field, as versions only add fields, and what
        // fields point to the caller promises.
        unsafe { core::ptr::copy_nonoverlapping(known.as_ptr(), (&raw mut options).cast(), known.len()) };
        Ok(options)
    }

    /// A place for a result in a struct that begins with its size, in the version of whoever calls. Its fields are zero from
    /// now on.
    pub(crate) fn report<T: Versioned>(&self, out: *mut T) -> Result<ReportTo<'_, T>, Error> {
        let size = self.size_of_version::<T>(out.cast_const().cast())?.min(size_of::<T>());
        let to = ReportTo { place: out, size, border: PhantomData };
        to.put(T::zeroed());
        Ok(to)
    }

    /// The same where nobody has to want the result.
    pub(crate) fn wanted_report<T: Versioned>(&self, out: *mut T) -> Result<Wanted<ReportTo<'_, T>>, Error> {
        if out.is_null() { Ok(Wanted(None)) } else { Ok(Wanted(Some(self.report(out)?))) }
    }
}

/// Whether a pointer can lead to so many elements.
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

/// No struct of any version is larger.
const MOST: usize = 4096;

/// A struct that begins with its size as a `u32`, and to which versions add fields at the end.
pub(crate) trait Versioned: Zeroable + Copy {
    /// How large the first version was.
    const FIRST: usize;
    /// The size that it tells.
    fn size(&self) -> u32;
}

/// A place for a result.
#[derive(Debug)]
pub(crate) struct Out<'b, T> {
    place: NonNull<T>,
    border: PhantomData<&'b Border>,
}

impl<T> Out<'_, T> {
    /// The result is there.
    pub(crate) fn put(&self, value: T) {
        // SAFETY: the caller promises a place that may be written; it is neither null nor misaligned.
        unsafe { self.place.write(value) };
    }

    /// The same, as the last thing that is done.
    pub(crate) fn done(&self, value: T) -> Result<(), Error> {
        self.put(value);
        Ok(())
    }
}

/// A place for a result that nobody has to want.
#[derive(Debug)]
pub(crate) struct Wanted<P>(Option<P>);

impl<T> Wanted<Out<'_, T>> {
    /// The result is there.
    pub(crate) fn put(&self, value: T) {
        if let Some(out) = &self.0 {
            out.put(value);
        }
    }
}

impl<T: Versioned> Wanted<ReportTo<'_, T>> {
    /// The result is there, as the last thing that is done.
    pub(crate) fn done(&self, value: T) -> Result<(), Error> {
        self.0.as_ref().map_or(Ok(()), |out| out.done(value))
    }
}

/// A place for a result in a struct of some version.
#[derive(Debug)]
pub(crate) struct ReportTo<'b, T> {
    place: *mut T,
    size: usize,
    border: PhantomData<&'b Border>,
}

impl<T: Versioned> ReportTo<'_, T> {
    /// The result is there. The size stays as the caller has told it.
    pub(crate) fn put(&self, value: T) {
        let from = (&raw const value).cast::<u8>().wrapping_add(size_of::<u32>());
        let to = self.place.cast::<u8>().wrapping_add(size_of::<u32>());
        // SAFETY: both have at least so many bytes: the struct in this version, and the caller's by the size that it tells.
        unsafe { core::ptr::copy_nonoverlapping(from, to, self.size.saturating_sub(size_of::<u32>())) };
    }

    /// The same, as the last thing that is done.
    pub(crate) fn done(&self, value: T) -> Result<(), Error> {
        self.put(value);
        Ok(())
    }
}

/// A buffer of the caller's.
#[derive(Debug)]
pub(crate) struct Buffer<'b, T> {
    room: Room<'b, T>,
    count: Out<'b, usize>,
}

impl<T: Copy> Buffer<'_, T> {
    /// Copies elements to the caller, if there is room for all, and tells how many there are in any case.
    pub(crate) fn give(&self, elements: &[T]) -> Result<(), Error> {
        self.count.put(elements.len());
        if self.room.count < elements.len() {
            return Err(E_BUFFER.into());
        }
        self.room.fill(elements);
        Ok(())
    }
}

/// Places for elements.
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
        // SAFETY: the caller promises that so many elements may be written, which no slice of ours are.
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

    /// A struct of an earlier or later version, as bytes.
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
