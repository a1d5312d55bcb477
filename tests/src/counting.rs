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
    /// Which of the next allocations fails, 0 for none, and from how many bytes on they count.
    static FAILS: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
    /// Bytes that this thread holds now, may be below 0 if another thread allocated them; then those at the peak and in total.
    static HELD: Cell<isize> = const { Cell::new(0) };
    static SPENT: Cell<Spent> = const { Cell::new(Spent { peak: 0, total: 0 }) };
}

/// Bytes that some work has allocated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Bytes at the peak, beyond those before the work.
    pub peak: usize,
    /// Bytes of all allocations together.
    pub total: usize,
}

/// How often this thread has allocated.
#[must_use]
pub fn allocations() -> usize {
    ALLOCATIONS.get()
}

/// Does some work, and returns what came of it with the bytes that this thread has allocated meanwhile.
pub fn spent<T>(work: impl FnOnce() -> T) -> (T, Spent) {
    HELD.set(0);
    SPENT.set(Spent::default());
    let result = work();
    (result, SPENT.get())
}

/// Counts bytes that are allocated.
fn hold(bytes: usize) {
    let held = HELD.get() + bytes as isize;
    HELD.set(held);
    let Spent { peak, total } = SPENT.get();
    SPENT.set(Spent { peak: peak.max(held.max(0) as usize), total: total + bytes });
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
        hold(layout.size());
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        HELD.set(HELD.get() - layout.size() as isize);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}
