//! Depth and size.

use super::compiled;
use std::time::{Duration, Instant};

/// Deeper than any stack of this size could follow.
const DEPTH: usize = 60_000;
const STACK: usize = 128 * 1024;

/// Compiles a file on a small stack: whether there is an image, and the first code.
fn small(text: String, lenient: bool) -> (bool, Option<&'static str>) {
    let start = Instant::now();
    let work = move || {
        let done = compiled(&[("t.xml", &text)], &["t"], lenient);
        assert!(done.image.is_some() || done.diagnostics.errors() > 0);
        (done.image.is_some(), done.diagnostics.list().first().map(|it| it.code.id))
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    let done = thread.join().expect("no panic");
    assert!(start.elapsed() < Duration::from_secs(60), "it took {:?}", start.elapsed());
    done
}

fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    open.repeat(depth) + inner + &close.repeat(depth)
}

#[test]
fn priorities_nest_as_they_like() {
    let open = "<Priority name='P'>";
    assert_eq!(small(nested(open, "<Leaf name='X'/>", "</Priority>", DEPTH), false), (true, None));
}

/// A tree that an image cannot hold is refused, whatever makes it too large.
#[test]
fn too_deep_and_too_large() {
    let machine = "<StateMachine name='M'><State name='s'><Transition state='s' condition='true'/>";
    for (open, close, depth) in [
        (machine, "</State></StateMachine>", 20_000),
        ("<Priority name='P' condition='A'>", "</Priority>", DEPTH),
        ("<Priority name='P'>", "</Priority>", 100_000),
        ("<Unknown>", "</Unknown>", 100_000),
    ] {
        assert!(!small(nested(open, "<Leaf name='X'/>", close, depth), false).0, "{open}");
    }
    let leaves = format!("<Priority name='P'>{}</Priority>", "<Leaf name='X'/>".repeat(100_000));
    assert_eq!(small(leaves, false), (false, Some("E0618")));
}

/// Blocks that stand for much more than they are come to an end, whatever they are made of.
#[test]
fn copies_are_counted() {
    let chain = |inner: &str, times: usize| {
        let block = |n: usize| {
            format!("<Block name='b{n}'>{}</Block>", format!("<Ref name='b{}'/>", n + 1).repeat(times))
        };
        let blocks: String = (0..40).map(block).collect();
        format!(
            "<SelectionTree name='t' type='t'><Blocks>{blocks}<Block name='b40'>{inner}</Block></Blocks>\
            <Variables><Ref name='b0'/></Variables><Leaf name='X'/></SelectionTree>"
        )
    };
    assert_eq!(small(chain("", 2), false), (false, Some("E0618")));
    assert_eq!(small(chain("<Variable name='A'/>", 1), false), (true, None));
    assert!(!small(chain("<Variable name='A'/>", 2), false).0);
    // Of a block without end, only the beginning is looked at.
    let long = format!("<Ref name='no'/>{}", "<Variable name='A'/>".repeat(200_000));
    let many = format!(
        "<SelectionTree name='t' type='t'><Blocks><Block name='b'>{long}</Block></Blocks><Variables>{}</Variables>\
        <Leaf name='X'/></SelectionTree>",
        "<Ref name='b'/>".repeat(30_000)
    );
    assert_eq!(small(many, true).1, Some("W0771"));
}

/// The content of an element is counted before the element is copied.
#[test]
fn copies_are_counted_by_what_they_cost() {
    let doubled = |times: usize, inner: &str| {
        let block = |n: usize| {
            let twice = format!("<Ref name='b{}'/>", n + 1).repeat(2);
            format!("<Block name='b{n}'>{twice}</Block>")
        };
        let blocks: String = (0..times).map(block).collect();
        format!(
            "<SelectionTree name='t' type='t'><Blocks>{blocks}<Block name='b{times}'>{inner}</Block></Blocks>\
            <Variables><Variable name='A'/></Variables><Priority name='P'><Ref name='b0'/></Priority></SelectionTree>"
        )
    };
    let attributes: String = (0..250).map(|n| format!(" a{n}='x'")).collect();
    let attributes = format!("<Leaf name='X'{attributes}/>");
    let text = format!("<Leaf name='X'>{}</Leaf>", "<!---->x".repeat(100_000));
    let condition = format!("<Leaf name='X' condition='{}A{}'/>", "(".repeat(400_000), ")".repeat(400_000));
    let name = format!("<Leaf name='{}'/>", "X".repeat(1_000_000));
    for (what, inner, fits) in
        [("attributes", attributes, 6), ("text", text, 2), ("condition", condition, 1), ("name", name, 1)]
    {
        let few = compiled(&[("t.xml", &doubled(fits, &inner))], &["t"], false);
        assert!(few.diagnostics.list().iter().all(|it| it.code.id != "E0618"), "{what}");
        let done = compiled(&[("t.xml", &doubled(14, &inner))], &["t"], false);
        let errors = done.diagnostics.list().iter().filter(|it| it.code.id.starts_with('E'));
        assert_eq!(errors.map(|it| it.code.id).collect::<Vec<_>>(), ["E0618"], "{what}");
        assert!(done.image.is_none(), "{what}");
    }
    // Without much in it, an element may be copied often.
    assert!(small(doubled(14, "<Leaf name='X'/>"), false).0);
}

#[test]
fn deep_chains_of_blocks() {
    let blocks: String =
        (0..30_000).map(|n| format!("<Block name='b{n}'><Ref name='b{}'/></Block>", n + 1)).collect();
    let text = |last: &str| {
        format!(
            "<SelectionTree name='t' type='t'><Blocks>{blocks}<Block name='b30000'>{last}</Block></Blocks>\
            <Ref name='b0'/></SelectionTree>"
        )
    };
    assert_eq!(small(text("<Leaf name='X'/>"), false), (true, None));
    assert_eq!(small(text("<Ref name='b0'/>"), false).1, Some("E0772"));
}

#[test]
fn many_translations_and_signals() {
    let maps: String = (0..20_000).map(|n| format!("<Map node='Q{n}:P:X' target='T'/>")).collect();
    let leaves = "<Leaf name='X'/>".repeat(20_000);
    let signals: String =
        (0..10_000).map(|n| format!("<Signal name='E{n}' variable='A' value='A'/>")).collect();
    let text = format!(
        "<SelectionTree name='t' type='t'><Variables><Variable name='A'/></Variables><SignalVariables>{signals}\
        </SignalVariables><LeafTranslations>{maps}</LeafTranslations><Priority name='P'>{leaves}</Priority></SelectionTree>"
    );
    assert!(small(text, false).0);
}
