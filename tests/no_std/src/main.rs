//! A game without the standard library: a crowd of guards, with only an allocator and a way to
//! stop.
//!
//! It has a panic handler of its own. This proves that none of its crates uses the standard
//! library, because a second panic handler would be an error. The C library stands for the
//! platform. It provides memory, and ends the program with 0 if all results are right.

#![no_std]
#![no_main]

extern crate alloc;

use alloc::vec::Vec;
use core::alloc::{GlobalAlloc, Layout};
use core::ffi::c_int;
use core::panic::PanicInfo;
use guard::{Functions, Game, Ids};
use pleach::{Call, Crowd, Image, Program, Status};

include!(concat!(env!("OUT_DIR"), "/guard.rs"));

const GUARDS: u32 = 1000;

/// Counts of the guards' actions.
#[derive(Default)]
struct World {
    steps: u32,
    shots: u32,
}

impl Game for World {
    fn heal(&mut self, _: &mut Call<'_>) -> Status {
        Status::Running
    }

    fn shoot(&mut self, _: &mut Call<'_>) -> Status {
        self.shots += 1;
        Status::Success
    }

    /// Walks for as many ticks as the number of the place.
    fn walk(&mut self, call: &mut Call<'_>, place: i32) -> Status {
        self.steps += 1;
        if call.now < place.into() { Status::Running } else { Status::Success }
    }
}

/// Runs the game. Returns `None` if a result is wrong.
fn game() -> Option<()> {
    let mut host = Functions(World::default());
    let program = Program::link(&Image::copy(guard::IMAGE).ok()?, &host).ok()?;
    let Ids { health, visible } = Ids::of(&program).ok()?;
    let mut crowd = Crowd::new(&program);
    for index in 0..GUARDS {
        let agent = crowd.spawn(guard::trees::GUARD).ok()?;
        crowd.set(agent, health, if index % 10 == 0 { 30.0_f32 } else { 90.0 }).ok()?;
        crowd.set(agent, visible, index % 2 == 1).ok()?;
    }
    let mut running = Vec::new();
    for now in 0..4 {
        running.push(crowd.tick(now, &mut host).running);
    }
    // One guard in ten is hurt and heals. Half of them see an enemy and shoot, four times. The
    // others walk, for three ticks and one more.
    let hurt = GUARDS / 10;
    let walking = GUARDS / 2 - hurt;
    let world = &host.0;
    let mut state = Vec::new();
    crowd.snapshot(&mut state);
    let is_as_it_should = running == [hurt + walking, hurt + walking, hurt, hurt]
        && world.shots == 4 * (GUARDS / 2)
        && world.steps == 6 * walking
        && Crowd::new(&program).restore(&state).is_ok();
    is_as_it_should.then_some(())
}

#[unsafe(no_mangle)]
extern "C" fn main() -> c_int {
    c_int::from(game().is_none())
}

#[link(name = "c")]
unsafe extern "C" {
    fn aligned_alloc(align: usize, size: usize) -> *mut u8;
    fn free(memory: *mut u8);
    safe fn abort() -> !;
}

struct Platform;

#[global_allocator]
static MEMORY: Platform = Platform;

// SAFETY: memory of the C library has the requested size and alignment, and no other code owns it.
unsafe impl GlobalAlloc for Platform {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: an alignment is a power of two, and the size is a multiple of it.
        unsafe {
            aligned_alloc(layout.align().max(16), layout.size().next_multiple_of(layout.align().max(16)))
        }
    }

    unsafe fn dealloc(&self, memory: *mut u8, _: Layout) {
        // SAFETY: the caller got it from `alloc`.
        unsafe { free(memory) }
    }
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    abort()
}

/// The precompiled `alloc` supports unwinding and refers to this symbol. Nothing unwinds here.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() -> ! {
    abort()
}

/// See [`rust_eh_personality`].
#[unsafe(no_mangle)]
extern "C" fn _Unwind_Resume() -> ! {
    abort()
}
