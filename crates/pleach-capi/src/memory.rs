//! Memory from the game.
//!
//! With the feature `allocator`, all allocations of the library, including Rust's standard library
//! in it, use functions that the game sets before any other call. Mapped files, and memory that the
//! system keeps for threads, are not covered.

use crate::abi::pleach_status;
use crate::border::{Versioned, border};
use crate::status::{E_LATE, E_NULL};
use bytemuck::Zeroable;
use core::alloc::{GlobalAlloc, Layout};
use core::ffi::c_void;
use core::sync::atomic::{AtomicBool, Ordering};
use std::alloc::System;
use std::sync::OnceLock;

/// Functions that allocate and release memory.
#[repr(C)]
#[derive(Clone, Copy, Debug, Zeroable)]
pub struct pleach_allocator {
    /// `sizeof(pleach_allocator)`.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// Pointer that the functions get.
    pub user: *mut c_void,
    /// Returns `size` bytes at a multiple of `alignment`, a power of two, or null if there is no
    /// memory left. Called on any thread.
    pub allocate:
        Option<unsafe extern "C" fn(user: *mut c_void, size: usize, alignment: usize) -> *mut c_void>,
    /// Releases memory, with the size and alignment of its allocation. Called on any thread.
    pub release:
        Option<unsafe extern "C" fn(user: *mut c_void, bytes: *mut c_void, size: usize, alignment: usize)>,
}

impl Versioned for pleach_allocator {
    const FIRST: usize = core::mem::offset_of!(Self, release) + size_of::<usize>();

    fn size(&self) -> u32 {
        self.struct_size
    }
}

/// Takes all memory from the game, except for mapped files. Call it once, before any other function
/// of the library, while no other thread uses the library.
///
/// Errors: PLEACH_E_LATE if memory has been allocated already. Each piece must be released by the
/// allocator that it came from.
///
/// # Safety
/// [The contract](crate#the-contract) of all functions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pleach_set_allocator(allocator: *const pleach_allocator) -> pleach_status {
    border!(|border| {
        let allocator = border.options(allocator)?;
        if allocator.allocate.is_none() || allocator.release.is_none() {
            return Err(E_NULL.into());
        }
        if USED.load(Ordering::Acquire) {
            return Err(E_LATE.into());
        }
        Ok(HOOKS.set(Hooks(allocator)).map_err(|_| E_LATE)?)
    })
}

struct Hooks(pleach_allocator);

// SAFETY: the fields are functions, and a pointer that is handed back to them. The header says that
// they are called on any thread.
unsafe impl Send for Hooks {}
// SAFETY: as above; nothing in it changes.
unsafe impl Sync for Hooks {}

static HOOKS: OnceLock<Hooks> = OnceLock::new();
/// True if memory has been taken from the system.
static USED: AtomicBool = AtomicBool::new(false);

struct Hooked;

#[global_allocator]
static ALLOCATOR: Hooked = Hooked;

// SAFETY: memory comes from the system or from the game, which has promised what an allocator must
// provide. After the first allocation from the system, the game's functions are never set. So each
// piece is released where it came from.
unsafe impl GlobalAlloc for Hooked {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match HOOKS.get().map(|hooks| (hooks.0.allocate, hooks.0.user)) {
            // SAFETY: as the game has promised.
            Some((Some(allocate), user)) => unsafe { allocate(user, layout.size(), layout.align()).cast() },
            _ => {
                USED.store(true, Ordering::Release);
                // SAFETY: the caller makes the promise that `System` requires.
                unsafe { System.alloc(layout) }
            }
        }
    }

    unsafe fn dealloc(&self, bytes: *mut u8, layout: Layout) {
        match HOOKS.get().map(|hooks| (hooks.0.release, hooks.0.user)) {
            // SAFETY: it was allocated by the game's function with this layout.
            Some((Some(release), user)) => unsafe {
                release(user, bytes.cast(), layout.size(), layout.align());
            },
            // SAFETY: the caller makes the promise that `System` requires.
            _ => unsafe { System.dealloc(bytes, layout) },
        }
    }
}
