//! Input of any depth is compiled and run on a stack of 128 KiB, and programs that would grow
//! without limit are refused.
//!
//! Each source goes the whole way from text to ticks ([`trial::source_text`] and similar
//! functions), in a thread whose stack is too small for a recursion over the input. The dialect
//! decides if the result is a program or diagnostics. These tests check that there is a result
//! within seconds, and that deep trees run.

use pleach_compile::Compilation;
use pleach_image::Image;
use pleach_tests::random::trial::{self, Verdict, compilation, run};
use std::time::{Duration, Instant};

const DEPTH: usize = 100_000;
/// Depth that an image can hold.
const DEEPEST: usize = 60_000;
/// Depth that a test host accepts, and depth that it accepts with many timers.
const RUNNABLE: [usize; 2] = [10_000, 400];
const STACK: usize = 128 * 1024;
/// Time limit: far more than needed, and far less than unlimited growth would take.
const PATIENCE: Duration = Duration::from_secs(60);

type Trees = Vec<(String, String)>;

/// Compiles `main` of these trees on a small stack.
fn compiled(trees: Trees) -> Compilation {
    let start = Instant::now();
    let work = move || {
        let trees: Vec<_> = trees.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
        let compilation = compilation(&trees);
        if let Some(image) = &compilation.image {
            Image::copy(image).expect("what the compiler makes, the verifier lets pass");
            run(image);
        }
        compilation
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    let compilation = thread.join().expect("no panic");
    assert!(start.elapsed() < PATIENCE, "it took {:?}", start.elapsed());
    assert!(compilation.image.is_some() || compilation.diagnostics.errors() > 0, "no image and no error");
    compilation
}

fn one(text: String) -> Compilation {
    compiled(vec![("main".into(), text)])
}

/// Returns the bytes of the image. Panics with the first diagnostic if there is none.
fn image(compilation: Compilation) -> Vec<u8> {
    let first = compilation.diagnostics.list().first().map(|it| it.message.clone());
    compilation.image.unwrap_or_else(|| panic!("refused: {first:?}"))
}

fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    open.repeat(depth) + inner + &close.repeat(depth)
}

fn condition(expression: &str) -> String {
    format!("condition {expression} {{ action heal() }}")
}

/// Start of each construct with one child, and true if an image can hold it 60,000 deep. So many
/// timers exceed the frame.
const CONSTRUCTS: &[(&str, bool)] = &[
    ("selector { ", true),
    ("sequence { ", true),
    ("fallback { ", true),
    ("concurrent { ", true),
    ("condition 1 { ", true),
    ("decorator invert() { ", true),
    ("decorator mapStatus( 1, 0, 2 ) { ", true),
    ("decorator timer( 1 ) { ", false),
];

#[test]
fn nodes_nest() {
    for (open, fits) in CONSTRUCTS {
        one(nested(open, "action heal()", "} ", DEPTH));
        one(open.repeat(DEPTH));
        one(nested(open, "", "} ", DEPTH));
        let deepest = one(nested(open, "action heal()", "} ", DEEPEST));
        assert_eq!(deepest.image.is_some(), *fits, "{open}");
    }
}

/// Nested rules: a tree that is too large for an image is refused, a smaller one runs.
#[test]
fn rules_nest() {
    for depth in [DEPTH, DEEPEST, RUNNABLE[0]] {
        for (open, close) in [("<sequence>", "</sequence>"), ("<choice loop='true'>", "</choice>")] {
            for inner in ["<action name='a'/>", ""] {
                let text = format!("<behaviorTree>{}</behaviorTree>", nested(open, inner, close, depth));
                let work = move || {
                    let compilation = trial::debt_compilation(text.as_bytes());
                    compilation.image.as_ref().map(|image| (run(image), Image::copy(image).is_ok()))
                };
                let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
                let image = thread.join().expect("no panic");
                assert_eq!(image.is_some(), depth < DEPTH, "{open} {depth}");
                assert!(image.is_none_or(|(_, sound)| sound), "{open} {depth}");
            }
        }
    }
}

#[test]
fn deep_trees_run() {
    for (open, fits) in CONSTRUCTS {
        let depth = RUNNABLE[usize::from(!fits)];
        let image = image(one(nested(open, "action heal()", "} ", depth)));
        assert_eq!(trial::run(&image), Verdict::Ran, "{open}");
    }
}

#[test]
fn expressions_nest() {
    one(condition(&nested("(", "1", ")", DEPTH)));
    one(condition(&nested("(", "1 < 2", ")", DEPTH)));
    one(condition(&"(".repeat(DEPTH)));
    one(condition(&("!".repeat(DEPTH) + "alertedToEnemy")));
    one(condition(&nested("!( ", "1", " )", DEPTH)));
    for operator in ["&&", "||", "<", "==", "!="] {
        let chain = format!("alertedToEnemy {operator} ").repeat(DEPTH) + "alertedToEnemy";
        one(condition(&chain));
        one(condition(&nested(&format!("(1 {operator} "), "1", ")", DEPTH)));
        one(condition(&nested("(", "1", &format!(" {operator} 1)"), DEPTH)));
    }
}

#[test]
fn includes_chain() {
    let link = |n: usize| {
        let name = if n == 0 { "main".to_owned() } else { format!("t{n}") };
        (name, format!("selector {{ behavior t{} }}", n + 1))
    };
    let mut trees: Trees = (0..1000).map(link).collect();
    trees.push(("t1000".into(), "action heal()".into()));
    assert_eq!(trial::run(&image(compiled(trees))), Verdict::Ran);
}

#[test]
fn files_include_files() {
    let link = |n: usize| {
        let name = if n == 0 { "main".to_owned() } else { format!("f{n}") };
        (name, format!("#include \"f{}.bt\"\n", n + 1))
    };
    let mut files: Trees = (0..1000).map(link).collect();
    files.push(("f1000".into(), "action heal()\n".into()));
    compiled(files);
}

#[test]
fn circles_end() {
    let trees = |texts: &[(&str, &str)]| -> Trees {
        texts.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    };
    assert!(compiled(trees(&[("main", "behavior main")])).image.is_none());
    let two = [("main", "selector { behavior a }"), ("a", "sequence { behavior main }")];
    assert!(compiled(trees(&two)).image.is_none());
    compiled(trees(&[("main", "#include \"main.bt\"\naction heal()")]));
    compiled(trees(&[("main", "#include \"a.bt\"\naction heal()"), ("a", "#include \"main.bt\"\n")]));
}

#[test]
fn macros_recurse() {
    for definitions in [
        "#define A A\n",
        "#define A A A\n",
        "#define A B\n#define B A\n",
        "#define A B B\n#define B A A\n",
        "#define A(x) A(x x)\n#define B A(1)\n",
        "#define A(x) B(x,x)\n#define B(x,y) A(x) A(y)\n",
    ] {
        for text in ["A", "A(1)", "selector { A }", "condition A { action heal() }", "action moveTo( A )"] {
            one(format!("{definitions}{text}"));
        }
    }
    let deep: String = (0..DEPTH).map(|n| format!("#define M{n} M{}\n", n + 1)).collect();
    one(format!("{deep}#define M{DEPTH} 1\naction moveTo( M0 )"));
    one(nested("A(", "1", ")", DEPTH).replacen("A", "#define A(x) x\naction moveTo( A", 1) + " )");
}

#[test]
fn expansion_stops() {
    let doubled: String = (1..=60).map(|n| format!("#define M{n} M{} M{}\n", n - 1, n - 1)).collect();
    for inner in ["action heal()", "selector {", "1"] {
        let result = one(format!("#define M0 {inner}\n{doubled}selector {{ M60 }}"));
        assert!(result.image.is_none(), "2^60 children");
    }
    let pasted: String = (1..=60).map(|n| format!("#define P{n}(x) P{}(x ## x)\n", n - 1)).collect();
    one(format!("#define P0(x) x\n{pasted}condition P60(a) {{ action heal() }}"));
    let strings: String = (1..=60).map(|n| format!("#define S{n} S{} S{}\n", n - 1, n - 1)).collect();
    one(format!("#define S0 \"x\"\n{strings}action say( S60 )"));
}

#[test]
fn sharing_is_linear() {
    let pair = |n: usize| {
        let name = if n == 0 { "main".to_owned() } else { format!("t{n}") };
        (name, format!("selector {{ behavior t{} behavior t{} }}", n + 1, n + 1))
    };
    let mut trees: Trees = (0..60).map(pair).collect();
    trees.push(("t60".into(), "action heal()".into()));
    let image = Image::copy(&image(compiled(trees))).expect("valid");
    assert!(image.code().len() < 2000, "{} words", image.code().len());
    let bounds = pleach_image::bounds::of(&image);
    assert!(bounds.iter().any(|it| it.host_calls >= 1 << 60), "2^60 ways through");
}

#[test]
fn conditional_text_nests() {
    one(nested("#if 1\n", "action heal()\n", "#endif\n", DEPTH));
    one(nested("#if 0\n", "action heal()\n", "#endif\n", DEPTH));
    one(format!("#if {}\naction heal()\n#endif\n", nested("(", "1", ")", DEPTH)));
    one(format!("#if {}1\naction heal()\n#endif\n", "!".repeat(DEPTH)));
    one(format!("#if {}1\naction heal()\n#endif\n", "1 ? 1 : ".repeat(DEPTH)));
    one(format!("#if {}1\naction heal()\n#endif\n", "1 + ".repeat(DEPTH)));
    one(format!("action moveTo( $evalint({}) )", nested("(", "1", ")", DEPTH)));
}

#[test]
fn long_things() {
    one(format!("selector {{ {} }}", "action heal() ".repeat(DEPTH)));
    one(format!("action moveTo( {} )", "1, ".repeat(DEPTH)));
    one(format!("action say( \"{}\" )", "x".repeat(DEPTH)));
    one("/*".repeat(DEPTH));
    one("x".repeat(1 << 20));
    one("\"".repeat(DEPTH));
    one(format!("#define A({}) 1\naction moveTo( A(1) )", vec!["x"; DEPTH].join(",")));
    let many: String = (0..DEPTH).map(|n| format!("#define N{n} {n}\n")).collect();
    one(format!("{many}action moveTo( N{} )", DEPTH - 1));
}
