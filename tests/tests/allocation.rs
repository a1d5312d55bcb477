//! A tick allocates nothing.

use pleach::{Bindings, Crowd, Program, Status};
use pleach_tests::inline;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, counting for each thread: that which runs the tests allocates when it likes.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

fn allocations() -> usize {
    ALLOCATIONS.get()
}

#[expect(unsafe_code, reason = "an allocator is an unsafe trait")]
// SAFETY: all memory comes from and goes back to the system's allocator, with the layouts that were asked for.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const TREE: &str = r"
selector {
    behavior patrol
    decorator timer( 40 ) { sequence { condition distanceTo( E_ENEMY ) < 3 && !alertedToEnemy action fight() } }
    concurrent { action roam() decorator mapStatus( 1, 7, 2 ) { action heal() } }
}
";
const PATROL: &str = "sequence { condition percentHealth( E_SELF ) > 0.5 || alertedToEnemy action moveTo( E_GOAL ) action rush() }";

#[test]
fn ticks_do_not_allocate() {
    let mut host = Bindings::new(0_u64);
    for name in ["fight", "roam", "heal", "moveTo", "rush"] {
        host.action(name, |calls: &mut u64, call| {
            *calls += 1;
            match (call.now + call.agent.index() as i64 + *calls as i64) % 4 {
                0 => Status::Failure,
                1 => Status::Success,
                2 => Status::Other(9),
                _ => Status::Running,
            }
        });
    }
    for name in ["distanceTo", "percentHealth", "alertedToEnemy"] {
        host.query(name, |_, call| (call.now as f64 / 3.0) % 5.0);
    }
    let image = inline::image(&[("main", TREE), ("patrol", PATROL)], &["main"]);
    let mut crowd = Crowd::new(&Program::link(&image, &host).unwrap());
    let agents: Vec<_> = (0..1000).map(|_| crowd.spawn("main").unwrap()).collect();
    let before = allocations();
    for now in 0..200 {
        crowd.tick(now, &mut host);
    }
    for agent in &agents {
        crowd.tick_agent(*agent, 200, &mut host, &mut ()).unwrap();
    }
    let allocated = allocations() - before;
    assert_eq!(allocated, 0);
    assert!(*host.world() > 200_000, "the trees did call their leaves: {}", host.world());
    let before = allocations();
    drop(vec![0_u8; 64]);
    assert!(allocations() > before, "the allocator does count");
}
