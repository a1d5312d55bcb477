//! A `set` of a vector computes all parts before it writes the first, by whatever name a part is
//! read.

use pleach::engine::{Engine, Vectors};
use pleach::{Bindings, Crowd, Image, Program};
use pleach_compile::internals::emit;
use pleach_tests::own;

/// Returns the parts of `home` after a tick in which a tree has set it. They were 0 and 7.
fn set(node: &str, engine: Engine) -> [f64; 2] {
    let text = format!(
        "var home: vec2 = vec2(0, 7) tree main {{ {node} }} \
         tree same(p: vec2) {{ set home = vec2(1.0, float(p == vec2(0, 7))) }} \
         tree wide(d: double) {{ set home = vec2(1.0, float(d)) }} \
         tree part(f: float) {{ set home = vec2(1.0, f + 1.0) }} \
         tree of(p: vec2) {{ set home = vec2(1.0, p.x) }}"
    );
    let files = [("main.pleach".to_owned(), text)].into();
    let (module, _) = own::with_sources(&files).expect("a program");
    let image = Image::copy(&emit::emit(&module, "test", None).expect("an image")).expect("it is right");
    let mut host = Bindings::new(());
    let program = Program::link(&image, &host).expect("there are no functions");
    let mut crowd = Crowd::new(&program).with_engine(engine);
    let agents: Vec<_> = (0..3).map(|_| crowd.spawn("main").expect("there is room")).collect();
    assert_eq!(crowd.tick(0, &mut host).faults, 0);
    ["home.x", "home.y"].map(|name| {
        let variable = program.variable(name).expect("it is declared");
        crowd.number(agents[1], variable).expect("the agent is there")
    })
}

#[test]
fn parts_are_computed_before_the_first_is_written() {
    for (node, parts) in [
        ("set home = vec2(1.0, home.x)", [1.0, 0.0]),
        ("set home = vec2(1.0, length(home))", [1.0, 7.0]),
        ("set home = vec2(1.0, float(home == vec2(0, 7)))", [1.0, 1.0]),
        ("set home = vec2(1.0, float(home != vec2(0, 7)))", [1.0, 0.0]),
        ("set home = -home * float(home == vec2(0, 7))", [-0.0, -7.0]),
        ("use same(home)", [1.0, 1.0]),
        ("use wide(home.x)", [1.0, 0.0]),
        ("use part(home.x)", [1.0, 1.0]),
        ("use of(home)", [1.0, 0.0]),
    ] {
        for engine in [Engine::Scalar, Engine::Batch(Vectors::Portable)] {
            assert_eq!(set(node, engine), parts, "{node}");
        }
    }
}

/// Behind the last column there is nothing that the sign of a third part could be taken of.
#[test]
fn a_vector_of_two_parts_has_no_third() {
    let node = "if length(-home) == 7.0 { set home = vec2(1.0, 2.0) }";
    assert_eq!(set(node, Engine::Scalar), [1.0, 2.0]);
}
