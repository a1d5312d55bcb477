//! The examples of the specification load, and say what they should.

use super::load;

macro_rules! example {
    ($name:literal) => {
        ($name, include_bytes!(concat!("../../../../../spec/examples/pleach/", $name, ".pleach")) as &[u8])
    };
}

const COMMON: (&str, &[u8]) = example!("common");
const EXAMPLES: &[(&str, &[u8])] =
    &[example!("tour"), example!("guard"), example!("medic"), example!("builder"), example!("sentry")];

#[test]
fn examples_have_no_findings() {
    for example in EXAMPLES {
        let outcome = load(&[*example, COMMON], "");
        assert_eq!(outcome.findings, "", "{}", example.0);
        assert!(outcome.file.contains(&format!("\n{}: ", example.0)), "{}", outcome.file);
    }
}

#[test]
fn the_examples_of_the_specification_load() {
    let spec = include_str!("../../../../../spec/dialects/pleach.md");
    let blocks = spec.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next());
    let examples: Vec<_> =
        blocks.filter(|text| text.starts_with("action ") || text.starts_with("enum ")).collect();
    assert_eq!(examples.len(), 11);
    for text in examples {
        let outcome = load(&[("main", text.as_bytes())], "");
        assert_eq!(outcome.findings, "");
    }
}

#[test]
fn the_tour_shows_every_node() {
    let outcome = load(&[EXAMPLES[0], COMMON], "");
    for word in [
        "reactive selector",
        "reactive utility keep(",
        "sequence {",
        "selector {",
        "parallel(",
        "random(",
        "utility(",
        "match(0, 3) seen",
        "reactive match(1)",
        "chance (",
        "once {",
        "cleanup {",
        "every(",
        "random sequence {",
        "random selector {",
        "tree patrol(",
        "var left(",
        "between(",
        "condition (",
        "while (",
        "action shoot",
        "set ammo(",
        "wait(",
        "wait ticks(",
        "success",
        "failure",
        "running",
        "invert {",
        "force failure {",
        "force success {",
        "repeat(",
        "repeat {",
        "retry(",
        "until failure {",
        "until success {",
        "cooldown(",
        "timeout(",
        "delay ticks(",
        "limit(",
        "raise hit(0, 0)",
        "raise hit(0, 1)",
        "raise hit(0, 2)",
        "now",
        "draw",
        "abs(",
        "max",
        "min",
    ] {
        assert!(outcome.file.contains(word), "{word}");
    }
}
