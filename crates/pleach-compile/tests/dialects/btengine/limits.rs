//! Depth, size and hostile input: nothing here may hang, eat memory or overflow a small stack.

use super::{load, tree};

const DEEP: usize = 100_000;
const SMALL_STACK: usize = 128 * 1024;

fn in_small_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(SMALL_STACK).spawn_scoped(scope, run);
        thread.expect("a thread").join().expect("no panic")
    })
}

#[test]
fn elements_nest_without_limit() {
    let open: String = (0..DEEP).map(|at| format!("<Decorator name='{at}'>")).collect();
    let text = format!("{open}<Condition name='c'/>{}", "</Decorator>".repeat(DEEP));
    let outcome = in_small_stack(|| tree(&text));
    assert_eq!(outcome.findings, "");
    assert_eq!(outcome.file.matches("Decorator").count(), DEEP);
}

#[test]
fn open_elements_nest_without_limit() {
    let text = "<Selector name='s'>".repeat(DEEP);
    assert_eq!(in_small_stack(|| tree(&text)).codes, ["E0701"]);
}

#[test]
fn there_may_be_many_children() {
    let children: String = (0..DEEP).map(|at| format!("<Condition name='{at}'/>")).collect();
    let outcome = tree(&format!("<Selector name='s'>{children}</Selector>"));
    assert_eq!(outcome.findings, "");
}

#[test]
fn any_text_is_read_or_refused() {
    let text = "<Selector name='l'><Decorator name='d'><Condition name='c'/></Decorator><Action name='a' policy='Failure'/><UserAttr key='k' value='v'/></Selector>";
    for end in 0..text.len() {
        tree(&text[..end]);
        tree(&text[end..]);
        tree(&[&text[..end], "\u{0}", &text[end..]].concat());
    }
}

/// A library may have one file under many names: what is read in all has
/// a limit, which is told once.
#[test]
fn tree_files_have_a_limit_together() {
    let comment = format!("<!--{}-->", " ".repeat(1 << 20));
    let text = format!("<BehaviorTreeRoot>{comment}<Action name='a'/></BehaviorTreeRoot>");
    let paths: Vec<_> = (0..20).map(|index| format!("t{index}.xml")).collect();
    let trees: String = paths.iter().map(|path| format!("<Tree name='{path}' file='{path}'/>")).collect();
    let forest = format!("<BehaviorForestRoot><Forest name='F'>{trees}</Forest></BehaviorForestRoot>");
    let files: Vec<_> =
        [("f.xml", &*forest)].into_iter().chain(paths.iter().map(|path| (&**path, &*text))).collect();
    let outcome = load(&files);
    assert_eq!(outcome.codes, ["E0201"]);
    assert!(outcome.findings.contains("`t15.xml`"), "{}", outcome.findings);
    assert_eq!(load(&files[..16]).codes.first(), Some(&"E0619"), "fewer can be read");
}
