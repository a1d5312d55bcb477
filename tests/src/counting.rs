//! An allocator that counts, and that fails when it is told to.
//!
//! A program that wants one says so, and each thread has counts of its own: that which runs the tests allocates when it likes.
//!
//! ```
//! use pleach_tests::counting::{Counting, allocations};
//! #[global_allocator]
//! static ALLOCATOR: Counting = Counting;
//! let before = allocations();
//! drop(vec![0_u8; 64]);
//! assert_eq!(allocations() - before, 1);
//! ```

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, counting.
#[derive(Debug)]
pub struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
    /// Which of the next allocations fails, 0 for none, and from how many bytes on they count.
    static FAILS: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// How often this thread has allocated.
#[must_use]
pub fn allocations() -> usize {
    ALLOCATIONS.get()
}

/// How many bytes this thread has allocated, those among them that it has given back.
#[must_use]
pub fn allocated() -> usize {
    BYTES.get()
}

/// Does something while the allocation with this number fails, counted from 1 among those of at least so many bytes. Gives what
/// came of it, and whether it came to that allocation.
pub fn failing<T>(number: usize, bytes: usize, work: impl FnOnce() -> T) -> (T, bool) {
    FAILS.set((number, bytes));
    let result = work();
    (result, FAILS.replace((0, 0)).0 == 0)
}

/// Counts an allocation; whether it is one that fails.
fn fails(size: usize) -> bool {
    ALLOCATIONS.set(ALLOCATIONS.get() + 1);
    BYTES.set(BYTES.get() + size);
    let (left, bytes) = FAILS.get();
    if left == 0 || size < bytes {
        return false;
    }
    FAILS.set((left - 1, bytes));
    left == 1
}

#[expect(unsafe_code, reason = "an allocator is an unsafe trait")]
// SAFETY: all memory comes from and goes back to the system's allocator, with the layouts that were asked for; null is what an
// allocator gives that has none.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if fails(layout.size()) {
            return core::ptr::null_mut();
        }
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}
