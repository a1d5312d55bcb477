//! Allocator that counts allocations, and fails on demand.
//!
//! A program installs it explicitly. Each thread has counts of its own, because the thread that
//! runs the tests allocates at any time. Only [`held`] is about all threads.
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
use std::sync::atomic::{AtomicIsize, Ordering};

/// System allocator that counts.
#[derive(Debug)]
pub struct Counting;

/// Bytes that all threads hold.
static ALL_HELD: AtomicIsize = AtomicIsize::new(0);

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    /// Number of the allocation that fails, counted down from the next one; 0 for none. With the
    /// smallest size in bytes that is counted.
    static FAILS: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
    /// Bytes that this thread holds, which may be negative if another thread allocated them; then
    /// the peak and the total of bytes.
    static HELD: Cell<isize> = const { Cell::new(0) };
    static SPENT: Cell<Spent> = const { Cell::new(Spent { peak: 0, total: 0 }) };
}

/// Bytes that some work has allocated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Peak number of bytes, beyond those before the work.
    pub peak: usize,
    /// Total number of bytes of all allocations.
    pub total: usize,
}

/// Returns the number of allocations of this thread.
#[must_use]
pub fn allocations() -> usize {
    ALLOCATIONS.get()
}

/// Runs `work`. Returns its result, with the bytes that this thread has allocated meanwhile.
pub fn spent<T>(work: impl FnOnce() -> T) -> (T, Spent) {
    HELD.set(0);
    SPENT.set(Spent::default());
    let result = work();
    (result, SPENT.get())
}

/// Returns the number of bytes that all threads of the process hold.
#[must_use]
pub fn held() -> usize {
    ALL_HELD.load(Ordering::Relaxed).max(0) as usize
}

/// Counts allocated bytes.
fn hold(bytes: usize) {
    ALL_HELD.fetch_add(bytes as isize, Ordering::Relaxed);
    let held = HELD.get() + bytes as isize;
    HELD.set(held);
    let Spent { peak, total } = SPENT.get();
    SPENT.set(Spent { peak: peak.max(held.max(0) as usize), total: total + bytes });
}

/// Runs `work` while one allocation fails: the one with this number, counted from 1 among
/// allocations of at least `bytes` bytes. Returns the result, and true if that allocation was
/// reached.
pub fn failing<T>(number: usize, bytes: usize, work: impl FnOnce() -> T) -> (T, bool) {
    FAILS.set((number, bytes));
    let result = work();
    (result, FAILS.replace((0, 0)).0 == 0)
}

/// Counts an allocation. Returns true if it must fail.
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
// SAFETY: all memory comes from the system's allocator and goes back to it, with the requested
// layouts. An allocator without memory may return null.
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
        ALL_HELD.fetch_sub(layout.size() as isize, Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}
