//! Depth and size.

use super::{compiled, manifest, root};
use std::time::{Duration, Instant};

/// Deeper than any stack of this size could follow.
const DEPTH: usize = 60_000;
const STACK: usize = 128 * 1024;

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let start = Instant::now();
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    thread.join().expect("no panic");
    assert!(start.elapsed() < Duration::from_secs(60), "it took {:?}", start.elapsed());
}

#[test]
fn trees_nest_as_they_like() {
    for node in ["Sequence", "SuppressFailure", "Selector"] {
        on_a_small_stack(move || {
            let (open, close) = (format!("<{node}>").repeat(DEPTH), format!("</{node}>").repeat(DEPTH));
            let done = compiled(&root(&format!("{open}<Halt/>{close}")), &manifest(""));
            let first = done.diagnostics.list().first().map(|it| it.message.clone());
            assert!(done.image.is_some(), "{node}: {first:?}");
        });
    }
}

/// A tree that an image cannot hold is refused, whatever makes it too large.
#[test]
fn too_deep_and_too_large() {
    for (open, close) in [
        ("<Loop>", "</Loop>"),
        ("<Parallel>", "</Parallel>"),
        ("<LimitConcurrentUsers max='1'>", "</LimitConcurrentUsers>"),
        ("<Priority><Case>", "</Case></Priority>"),
        ("<StateMachine><State name='s'><BehaviorTree>", "</BehaviorTree></State></StateMachine>"),
        ("<Unknown>", "</Unknown>"),
    ] {
        on_a_small_stack(move || {
            let done =
                compiled(&root(&(open.repeat(DEPTH) + "<Halt/>" + &close.repeat(DEPTH))), &manifest(""));
            assert!(done.image.is_some() || done.diagnostics.errors() > 0, "{open}");
        });
    }
    let many = "<Sequence>".to_owned() + &"<Halt/>".repeat(255) + "</Sequence>";
    let more = format!("<Sequence>{}</Sequence>", many.repeat(255));
    let done = compiled(&root(&format!("<Sequence>{}</Sequence>", more.repeat(2))), &manifest(""));
    assert!(done.image.is_none() && done.diagnostics.errors() > 0);
}

#[test]
fn loops_nest_two_hundred_and_fifty_six_deep() {
    let nested = |depth: usize| root(&("<Loop>".repeat(depth) + "<Halt/>" + &"</Loop>".repeat(depth)));
    let code = |depth| {
        let done = compiled(&nested(depth), &manifest(""));
        (done.image.is_some(), done.diagnostics.list().iter().map(|it| it.code.id).collect::<Vec<_>>())
    };
    assert_eq!(code(256), (true, vec![]));
    assert_eq!(code(257), (false, vec!["E0501"]));
}
