//! The axes of Unvanquished trees.

use super::text::{Axis, Files, Text};
use super::tried;

/// Trees, from text to crowds.
pub(super) const TREES: Text = Text {
    name: "unvanquished",
    skeleton: "{top}\nselector { {body} }\n{files}",
    slots: &[("body", "action heal "), ("top", ""), ("name", "nobody"), ("files", "")],
    axes: &[NODES, WORDS, MACROS, FILES],
    tried: compiled,
};

fn compiled(files: &Files<'_>) {
    tried::compiled("unvanquished", files);
}

const NODES: &[Axis] = &[
    Axis("children", &[("body", "«action heal »")]),
    Axis("depth", &[("body", "«sequence { »{@}«} »")]),
    Axis("concurrent nodes in each other", &[("body", "«concurrent { action heal »{@}«} »")]),
    Axis("conditions in each other", &[("body", "«condition team == {i} { »{@}«} »")]),
    Axis("timers in each other", &[("body", "«decorator timer( 1 ) { »{@}«} »")]),
    Axis("inverters in each other", &[("body", "«decorator invert() { »{@}«} »")]),
    Axis("trees", &[("body", "«behavior t{i} »"), ("files", "«=== t{i}\naction heal\n»")]),
    Axis(
        "trees that include the next one",
        &[("body", "behavior c0 "), ("files", "«=== c{i}\nselector { behavior c{j} }\n»=== c{n}\n{@}\n")],
    ),
    Axis(
        "trees that include the next one twice",
        &[
            ("body", "behavior d{k} "),
            ("files", "=== d0\nselector { {@} }\n‹=== d{j}\nselector { behavior d{i} behavior d{i} }\n›"),
        ],
    ),
];

const WORDS: &[Axis] = &[
    Axis("arguments", &[("body", "action moveTo( «{i}, »2 ) ")]),
    Axis("arguments of queries", &[("body", "condition distanceTo( «{i}, »2 ) > 1 { action heal } ")]),
    Axis("ors", &[("body", "condition team == 1« || team == {i}» { {@} } ")]),
    Axis("comparisons", &[("body", "condition team« == {i}» { {@} } ")]),
    Axis("negations", &[("body", "condition «!»alertedToEnemy { {@} } ")]),
    Axis("parentheses", &[("body", "condition «( »1« )» { {@} } ")]),
    Axis("milliseconds", &[("body", "decorator timer( {n} ) { {@} } ")]),
    Axis("length of a text", &[("body", "action say( \"«x»\" ) ")]),
    Axis("texts in a row", &[("body", "action say( «\"x\" ») ")]),
    Axis("digits", &[("body", "action moveTo( «1» ) ")]),
    Axis("comments", &[("body", "«/* c */»{@}")]),
    Axis("unknown actions", &[("body", "«action nobody{i} »")]),
    Axis("unknown queries", &[("body", "«condition nothing{i} { action heal } »")]),
    Axis("length of an unknown name", &[("name", "«x»"), ("body", "action {name} ")]),
    Axis("braces too many", &[("body", "«} »")]),
    Axis("braces without end", &[("body", "«selector { »")]),
    Axis("characters that are none", &[("body", "«` »")]),
];

const MACROS: &[Axis] = &[
    Axis("macros", &[("top", "«#define M{i} {i}\n»"), ("body", "«action moveTo( M{i} ) »")]),
    Axis(
        "macros of the next one",
        &[("top", "«#define C{i} C{j}\n»#define C{n} 1\n"), ("body", "action moveTo( C0 ) ")],
    ),
    Axis(
        "macros of the one before twice",
        &[("top", "#define D0 {@}\n‹#define D{j} D{i} D{i}\n›"), ("body", "D{k} ")],
    ),
    Axis("parameters", &[("top", "#define F(«x{i},»y) «x{i} »y\n"), ("body", "action moveTo( F(«1,»2) ) ")]),
    Axis("uses of a parameter", &[("top", "#define G(x) «x »\n"), ("body", "G( {@} ) ")]),
    Axis(
        "joined spellings",
        &[
            ("top", "#define J0 x\n#define P(x,y) x##y\n«#define J{j} P(J{i}, x)\n»"),
            ("body", "action moveTo( J{n} ) "),
        ],
    ),
    Axis("spellings", &[("top", "#define S(x) #x\n"), ("body", "action say( S(«x ») ) ")]),
    Axis("enum", &[("top", "enum { «E{i}, »LAST }\n"), ("body", "action moveTo( LAST ) ")]),
    Axis("enums in each other", &[("top", "«enum { »LAST«} »\n")]),
    Axis("conditional texts", &[("top", "«#if 1\n»«#endif\n»")]),
    Axis("skipped texts", &[("top", "«#if 0\nx\n#endif\n»")]),
    Axis("operands of directives", &[("top", "#if «1 + »1\n#endif\n")]),
    Axis("operands of evaluations", &[("body", "action moveTo( $evalint( «1 + »1 ) ) ")]),
    Axis("unknown actions by a long macro", &[("top", "#define L «x»\n"), ("body", "«action L »")]),
    Axis("unknown macros", &[("top", "«#if NOTHING{i}\n#endif\n»")]),
    Axis("macros that are undefined", &[("top", "«#undef N{i}\n»")]),
];

const FILES: &[Axis] = &[
    Axis("includes", &[("top", "«#include \"f{i}\"\n»"), ("files", "«=== f{i}\n#define I{i} 1\n»")]),
    Axis(
        "includes in each other",
        &[("top", "#include \"i0\"\n"), ("files", "«=== i{i}\n#include \"i{j}\"\n»=== i{n}\n")],
    ),
    Axis("includes of one file", &[("top", "«#include \"o\"\n»"), ("files", "=== o\n{@}\n")]),
    Axis("length of a path", &[("top", "#include \"«x»\"\n")]),
    Axis("trees that are not there", &[("body", "«behavior no{i} »")]),
];
