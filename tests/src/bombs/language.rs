//! The axes of the language `pleach`.

use super::text::{Axis, Files, Text};
use super::tried;
use pleach_edit::Project;

/// Programs, from text to crowds.
pub(super) const TREES: Text = Text { name: "pleach", tried: compiled, ..FORM };

/// Texts that tools read: the formatter, and the index of names of edits.
pub(super) const EDITED: Text = Text { name: "pleach, edited", tried: edited, ..FORM };

const FORM: Text = Text {
    name: "",
    skeleton: "action a() query q(): int var v: int\n{top}\ntree main { sequence { {body} } }\n{files}",
    slots: &[("body", "action a "), ("top", ""), ("name", "z"), ("files", "")],
    axes: &[NODES, NUMBERS, VECTORS, NAMES, FAULTS, FILES],
    tried: compiled,
};

fn compiled(files: &Files<'_>) {
    tried::compiled("pleach", files);
}

fn edited(files: &Files<'_>) {
    drop(pleach_edit::format("main.pleach", files.main().as_bytes()));
    let others = files.0[1..].iter().copied();
    let all = [("main.pleach", files.main())].into_iter().chain(others);
    let project = all.fold(Project::new(), |project, (name, text)| project.with(name, text));
    assert!(project.program("main.pleach").len() <= files.0.len(), "a program has each file once");
}

const NODES: &[Axis] = &[
    Axis("children", &[("body", "«action a »")]),
    Axis("depth", &[("body", "«sequence { »{@}«} »")]),
    Axis("parallels in each other", &[("body", "«parallel { action a »{@}«} »")]),
    Axis("loops in each other", &[("body", "«repeat { »{@}«} »")]),
    Axis("timers in each other", &[("body", "«timeout 5 ms { »{@}«} »")]),
    Axis("limits in each other", &[("body", "«limit 3 { »{@}«} »")]),
    Axis("reactive nodes in each other", &[("body", "«while v > {i} { »{@}«} »")]),
    Axis("branches", &[("body", "parallel { «action a »}")]),
    Axis("parallels with a warning each", &[("body", "«parallel (succeed 9) { action a } »")]),
    Axis("weights", &[("body", "random { «{j}: action a »}")]),
    Axis("scores", &[("body", "utility { «v * {i}: action a »}")]),
    Axis("reactive scores", &[("body", "reactive utility { «v * {i}: action a »}")]),
    Axis("pairs of scores", &[("body", "«utility { v: condition v > {i} v: condition v < {i} } »")]),
    Axis("cases", &[("body", "match v { «{j}: action a »else: failure }")]),
    Axis("computed cases", &[("body", "reactive match v + q { «{j}: action a »else: failure }")]),
    Axis("cases in each other", &[("body", "«match v { {i}: »{@}«} »")]),
    Axis("chances in each other", &[("body", "«chance 0.5 { »{@}«} »")]),
    Axis("cleanups in each other", &[("body", "«cleanup { set v = {i} } { »{@}«} »")]),
    Axis(
        "texts of a condition",
        &[("body", "condition q0 == \"\"«|| q0 == \"{i}\"» "), ("top", "query q0: text ")],
    ),
    Axis("services in each other", &[("body", "«every {i} ms { set v = {i} } { »{@}«} »")]),
    Axis(
        "leaves of a service",
        &[
            ("body", "every 1 s { «action a raise e set v = {i} »} { action a }"),
            ("top", "on e { set v = 1 } "),
        ],
    ),
    Axis("cleanups", &[("body", "«cleanup { set v = {i} } { action a } »")]),
    Axis("writes of a cleanup", &[("body", "cleanup { «set v = {i} »} { action a }")]),
    Axis("children in any order", &[("body", "random selector { «action a »}")]),
    Axis("lists in any order in each other", &[("body", "«random sequence { action a »{@}«} »")]),
    Axis("children that run once", &[("body", "«once { action a } »")]),
    Axis("computed waits", &[("body", "«wait v + {i} ms »")]),
    Axis("ranges", &[("body", "«wait {i} ms to {i} s »")]),
    Axis("variables of a tree", &[("top", "tree l { «var l{i}: int = v »action a } "), ("body", "use l ")]),
    Axis(
        "copies with a variable",
        &[("top", "tree l { keep var l: int set l += 1 } "), ("body", "«use l »")],
    ),
    Axis("cooldowns", &[("body", "«cooldown 5 ms { action a } »")]),
    Axis(
        "copies",
        &[
            ("top", "tree d0 { sequence { {@} } } ‹tree d{j} { sequence { use d{i} use d{i} } } ›"),
            ("body", "use d{k} "),
        ],
    ),
    Axis("trees", &[("top", "«tree t{i} { action a } »"), ("body", "«use t{i} »")]),
    Axis(
        "trees that use the next one",
        &[("top", "«tree c{i} { sequence { action a use c{j} } } »tree c{n} { {@} } "), ("body", "use c0 ")],
    ),
    Axis(
        "trees in a circle",
        &[("top", "«tree o{i} { use o{j} } »tree o{n} { use o0 } "), ("body", "use o0 ")],
    ),
];

const NUMBERS: &[Axis] = &[
    Axis("times", &[("body", "repeat {n} { {@} } ")]),
    Axis("duration", &[("body", "wait {n} s ")]),
    Axis("weight", &[("body", "random { {n}: action a 1: action a } ")]),
    Axis("places", &[("body", "limit {n} { {@} } ")]),
    Axis("branches needed", &[("body", "parallel (succeed {n}) { action a } ")]),
    Axis("digits", &[("body", "wait «1» ms ")]),
    Axis("smooth steps in each other", &[("body", "condition «smooth(v, »v«, {i})» > 0.5 ")]),
    Axis("powers in each other", &[("body", "condition «pow(»v«, {i})» > 0.5 ")]),
    Axis("curves in each other", &[("body", "condition «curve(»v«, 0: {i}, 1: 2)» > 0.5 ")]),
    Axis("points of a curve", &[("body", "condition curve(v, «{i}: {j}, »{n}: 0) > 0.5 ")]),
    Axis("points of a curve that descends", &[("body", "condition curve(v, 1: 1«, -{i}: {j}») > 0.5 ")]),
    Axis("digits behind the point", &[("body", "wait 1.«0»1 s ")]),
];

const VECTORS: &[Axis] = &[
    Axis("vectors", &[("top", "«var u{i}: vec3 »"), ("body", "«condition u{i}.x > 0.5 »")]),
    Axis("sum of vectors", &[("top", "var u: vec3 "), ("body", "condition length(u« + u») > 0.5 ")]),
    Axis("factors", &[("top", "var u: vec3 "), ("body", "condition length(u« * v») > 0.5 ")]),
    Axis("factors of a set", &[("top", "var u: vec3 "), ("body", "set u = u« * v» ")]),
    Axis(
        "factors in each other",
        &[("top", "var u: vec3 "), ("body", "condition dot(«(v * »u«)», u) > 0.5 ")],
    ),
    Axis("lengths in each other", &[("top", "var u: vec3 "), ("body", "condition «length(u * »v«)» > 0.5 ")]),
    Axis(
        "distances in each other",
        &[("top", "var u: vec3 "), ("body", "condition «distance(u, u * »v«)» > 0.5 ")],
    ),
    Axis("equal vectors", &[("top", "var u: vec3 "), ("body", "condition u * q == u« && u * v != u» ")]),
    Axis("vectors that are set", &[("top", "var u: vec3 "), ("body", "«set u = vec3(u.y, u.z, u.x * v) »")]),
    Axis(
        "vectors of a tree",
        &[("top", "tree w { «var l{i}: vec3 = vec3(v, 1, 2) »action a } "), ("body", "use w ")],
    ),
    Axis(
        "vectors as arguments",
        &[("top", "var u: vec3 action b(«x{i}: vec3, »y: int) "), ("body", "action b(«u * v, »2) ")],
    ),
    Axis(
        "queries that answer vectors",
        &[("top", "query r: vec3 "), ("body", "set v = int(length(r« + r»)) ")],
    ),
    Axis(
        "queries that a vector is set to",
        &[("top", "var u: vec3 query r: vec3 "), ("body", "set u = r« + r» ")],
    ),
    Axis(
        "constant vectors of the one before",
        &[
            ("top", "const U0 = vec2(1, 1) «const U{j} = U{i} + U{i} * U{i}.x »"),
            ("body", "condition U{n}.y > 0.5 "),
        ],
    ),
];

const NAMES: &[Axis] = &[
    Axis("arguments", &[("top", "action b(«x{i}: int, »y: int) "), ("body", "action b(«{i}, »2) ")]),
    Axis(
        "arguments of trees",
        &[("top", "tree p(«x{i}: int, »y: int) { {@} } "), ("body", "use p(«{i}, »2) ")],
    ),
    Axis("operands", &[("body", "condition 0 < v« + {i}» ")]),
    Axis("operands in parentheses", &[("body", "condition 0 < «({i} + »v«)» ")]),
    Axis("operands of a chain of ors", &[("body", "condition v == 0« || v > {i}» ")]),
    Axis("negations", &[("body", "condition «!»(v > 0) ")]),
    Axis("draws", &[("body", "condition v == 0« || random() < 0.5» ")]),
    Axis(
        "arguments of queries",
        &[("top", "query r(«x{i}: int, »y: int): int "), ("body", "condition r(«{i}, »1) > 0 ")],
    ),
    Axis("calls of a query", &[("top", "query s(x: int): bool "), ("body", "condition v == 0« || s({i})» ")]),
    Axis(
        "queries of a condition",
        &[("top", "«query t{i}(): bool »"), ("body", "condition v == 0« || t{i}» ")],
    ),
    Axis("constants", &[("top", "«const K{i} = {i} »"), ("body", "condition v < 0« + K{i}» ")]),
    Axis(
        "constants of the one before",
        &[("top", "const L0 = 1 «const L{j} = L{i} + 1 »"), ("body", "condition v < L{n} ")],
    ),
    Axis(
        "constants of the next one",
        &[("top", "«const M{i} = M{j} »const M{n} = 1 "), ("body", "condition v < M0 ")],
    ),
    Axis(
        "constants in a circle",
        &[("top", "«const N{i} = N{j} »const N{n} = N0 "), ("body", "condition v < N0 ")],
    ),
    Axis(
        "computed arguments",
        &[("top", "action computed(x: int) "), ("body", "«action computed(v + {i}) »")],
    ),
    Axis("enums", &[("top", "«enum Mood{i} { moody{i} } var mood{i}: Mood{i} »")]),
    Axis(
        "members and variables of an enum",
        &[("top", "enum Place { «p{i}, »plast } «var place{i}: Place = p{i} »")],
    ),
    Axis(
        "members and cases",
        &[
            ("top", "enum Step { «s{i}, »slast } var step: Step "),
            ("body", "match step { «s{i}: action a »slast: failure } "),
        ],
    ),
    Axis(
        "members and arguments",
        &[
            ("top", "enum Word { «w{i}w, »wlast } action speak(w: Word) query heard(w: Word): Word "),
            ("body", "«action speak(w{i}w) condition heard(w{i}w) == wlast »"),
        ],
    ),
    Axis(
        "tests of an enum",
        &[
            ("top", "enum Rank { low, high } var rank: Rank "),
            ("body", "condition rank == low« || rank == high || rank == low» "),
        ],
    ),
    Axis("variables", &[("top", "«var w{i}: int »"), ("body", "«set w{i} = 1 »")]),
    Axis("truths", &[("top", "«var b{i}: bool »")]),
    Axis("world variables", &[("top", "«world var u{i}: int »"), ("body", "«set u{i} = 1 »")]),
    Axis("world variables that nothing sets", &[("top", "«world var k{i}: int »")]),
    Axis("group variables", &[("top", "«group var g{i}: int »"), ("body", "«set g{i} += v »")]),
    Axis("events", &[("top", "«on e{i} { set v = 1 } »"), ("body", "«raise e{i} »")]),
    Axis("sets of an event", &[("top", "on f { «set v = {i} »} ")]),
    Axis("handlers of an event", &[("top", "«on h { set v = {i} } »")]),
    Axis("declarations", &[("top", "«action known{i}() »"), ("body", "action known0 ")]),
    Axis("queries", &[("top", "«query ask{i}(): int »"), ("body", "«condition ask{i} > 0 »")]),
    Axis("length of a name", &[("name", "«x»"), ("top", "action {name}() "), ("body", "action {name} ")]),
    Axis("length of a text", &[("top", "action say(t: text) "), ("body", "action say(\"«x»\") ")]),
    Axis("length of a text variable", &[("top", "var text: text = \"«x»\" ")]),
    Axis("escapes", &[("top", "action tell(t: text) "), ("body", "action tell(\"«\\n»\") ")]),
    Axis("comments", &[("top", "«/* c */»")]),
    Axis("length of a comment", &[("top", "/*«x»*/")]),
    Axis("lines", &[("top", "«\n»")]),
];

const FAULTS: &[Axis] = &[
    Axis("unknown actions", &[("body", "«action nobody{i} »")]),
    Axis(
        "unknown actions among known ones",
        &[("top", "«action other{i}() »"), ("body", "«action others{i} »")],
    ),
    Axis("unknown variables", &[("body", "«set nothing{i} = 1 »")]),
    Axis("unknown trees", &[("body", "«use nowhere{i} »")]),
    Axis("unknown events", &[("body", "«raise never{i} »")]),
    Axis(
        "wrong arguments",
        &[("top", "action {name}(«x{i}: int, »y: int) "), ("body", "action {name}(«true, »true) ")],
    ),
    Axis(
        "wrong arguments of a long name",
        &[
            ("name", "«x»"),
            ("top", "action {name}(«x{i}: int, »y: int) "),
            ("body", "action {name}(«true, »true) "),
        ],
    ),
    Axis(
        "length of a parameter that many uses leave out",
        &[("name", "«x»"), ("top", "tree lacks({name}: int) { action a } "), ("body", "⟦use lacks ⟧")],
    ),
    Axis("arguments too many", &[("top", "action {name}() "), ("body", "action {name}(«1, »1) ")]),
    Axis(
        "wrong arguments of trees",
        &[("top", "tree {name}(«x{i}: int, »y: int) { action a } "), ("body", "use {name}(«true, »true) ")],
    ),
    Axis("declarations that stand twice", &[("top", "«action a(x: int) »")]),
    Axis(
        "parameters that stand twice",
        &[("name", "«x»"), ("top", "tree {name}(«x: int, »y: int) { action a } ")],
    ),
    Axis("unknown variables in one expression", &[("body", "condition v > 0« + nothing{i}» ")]),
    Axis("words that are none", &[("body", "«foo{i} »")]),
    Axis("characters that are none", &[("body", "«` »")]),
    Axis("braces too many", &[("body", "«} »")]),
    Axis("braces without end", &[("body", "«sequence { »")]),
    Axis("parentheses without end", &[("body", "condition «( »")]),
    Axis("numbers too large", &[("body", "«wait 99999999999 ms »")]),
];

const FILES: &[Axis] = &[
    Axis(
        "includes",
        &[("top", "«include \"f{i}.pleach\" »"), ("files", "«=== f{i}.pleach\ntree g{i} { action a }\n»")],
    ),
    Axis(
        "includes in each other",
        &[
            ("top", "include \"i0.pleach\" "),
            ("files", "«=== i{i}.pleach\ninclude \"i{j}.pleach\"\n»=== i{n}.pleach\n"),
        ],
    ),
    Axis("includes of nothing", &[("top", "«include \"no{i}.pleach\" »")]),
    Axis("length of a path", &[("top", "include \"«x»\" ")]),
    Axis(
        "folders of a path",
        &[("top", "include \"«x/../»f.pleach\" "), ("files", "=== f.pleach\ntree g { action a }\n")],
    ),
];
