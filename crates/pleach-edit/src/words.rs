//! Words of the language, with their meanings and forms, for tools that propose words.

use crate::document::Shape;

/// Word of the language.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The word, or two words that belong together.
    pub text: &'static str,
    /// Its meaning in one sentence.
    pub meaning: &'static str,
    /// Its form with places to fill in: `$1`, or `${1:example}`.
    pub snippet: &'static str,
}

impl Word {
    /// Returns an example: the words of the form before a block, with the examples of its places.
    #[must_use]
    pub fn example(&self) -> String {
        let words = self.snippet.split('\n').next().unwrap_or_default().trim_end();
        let mut example = String::new();
        let mut rest = words;
        while let Some((before, place)) = rest.split_once('$') {
            example += before;
            let braced = place.strip_prefix('{').and_then(|place| place.split_once('}'));
            let (inner, after) = braced.unwrap_or_else(|| {
                place.split_at(place.find(|it: char| !it.is_ascii_digit()).unwrap_or(place.len()))
            });
            example += inner.split_once(':').map_or("", |(_, text)| text);
            rest = after;
        }
        (example + rest).trim_end().to_owned()
    }

    /// Returns the text behind the words of a new node or declaration by which it is complete: a
    /// block, if it has one. A block that needs a child gets the leaf `running`.
    #[must_use]
    pub fn block(&self) -> &'static str {
        match self.text {
            "random" => "\n{\n\t1: running\n}",
            "utility" | "reactive utility" => "\n{\n\t1.0: running\n}",
            "match" | "reactive match" => "\n{\n\telse: running\n}",
            "sequence" | "selector" | "reactive sequence" | "reactive selector" | "parallel"
            | "random sequence" | "random selector" => "\n{\n}",
            "on" => " { }",
            _ if self.snippet.ends_with('}') && self.snippet.contains('\n') => " { running }",
            _ => "",
        }
    }
}

const fn word(text: &'static str, snippet: &'static str, meaning: &'static str) -> Word {
    Word { text, meaning, snippet }
}

/// Words that begin a node, in the order of the language's page.
pub const NODES: &[Word] = &[
    word(
        "sequence",
        "sequence\n{\n\t$0\n}",
        "Its children in order, until one fails. Then it fails. After the last child it succeeds.",
    ),
    word(
        "selector",
        "selector\n{\n\t$0\n}",
        "Its children in order, until one succeeds. Then it succeeds. After the last child it fails.",
    ),
    word(
        "reactive sequence",
        "reactive sequence\n{\n\t$0\n}",
        "As `sequence`, but each tick begins with the first child again.",
    ),
    word(
        "reactive selector",
        "reactive selector\n{\n\t$0\n}",
        "As `selector`, but each tick begins with the first child again.",
    ),
    word(
        "parallel",
        "parallel (succeed ${1:all}, fail ${2:any})\n{\n\t$0\n}",
        "Each tick ticks every branch that has not ended. It ends when enough branches have succeeded or failed.",
    ),
    word(
        "random",
        "random\n{\n\t${1:1}: $0\n}",
        "One child, drawn when it begins, with the weights. Its status is the child's.",
    ),
    word(
        "random sequence",
        "random sequence\n{\n\t$0\n}",
        "As `sequence`, with the children in an order that is drawn anew each time.",
    ),
    word(
        "random selector",
        "random selector\n{\n\t$0\n}",
        "As `selector`, with the children in an order that is drawn anew each time.",
    ),
    word(
        "utility",
        "utility\n{\n\t${1:score}: $0\n}",
        "The child with the highest score when it begins. Its status is the child's.",
    ),
    word(
        "reactive utility",
        "reactive utility\n{\n\t${1:score}: $0\n}",
        "As `utility`, but the scores are computed each tick.",
    ),
    word(
        "match",
        "match ${1:value}\n{\n\t${2:0}: ${3:success}\n\telse: $0\n}",
        "The child whose value equals the expression when it begins. If there is none, the child after `else`; without one, it fails.",
    ),
    word(
        "reactive match",
        "reactive match ${1:value}\n{\n\t${2:0}: ${3:success}\n\telse: $0\n}",
        "As `match`, but the expression is evaluated each tick.",
    ),
    word("condition", "condition ${0:true}", "Success if the expression is true, else failure."),
    word(
        "if",
        "if ${1:true}\n{\n\t$0\n}",
        "The expression is evaluated when it begins. If it is false, the node fails. If it is true, the child begins.",
    ),
    word(
        "while",
        "while ${1:true}\n{\n\t$0\n}",
        "The expression is evaluated in each tick. If it is false, a running child is halted and the node fails.",
    ),
    word(
        "chance",
        "chance ${1:0.5}\n{\n\t$0\n}",
        "With this probability, begins the child and has its status. Otherwise fails.",
    ),
    word("once", "once\n{\n\t$0\n}", "Has the child's status. After the child has ended, it always fails."),
    word(
        "cleanup",
        "cleanup { set ${1:name} = ${2:false} }\n{\n\t$0\n}",
        "Has the child's status. The `set`s are done when the child ends or is halted.",
    ),
    word(
        "every",
        "every ${1:500 ms} { ${2:action name} }\n{\n\t$0\n}",
        "Has the child's status. The first block is done when the child begins, and again after each interval.",
    ),
    word(
        "action",
        "action ${0:name}",
        "Calls the host each tick, until the host returns that the action has ended.",
    ),
    word("set", "set ${1:name} = ${0:1}", "Writes a variable, and succeeds."),
    word("wait", "wait ${1:1} ${0:s}", "Runs, and succeeds in the first tick after the duration."),
    word("success", "success", "Succeeds."),
    word("failure", "failure", "Fails."),
    word("running", "running", "Runs until it is halted."),
    word("invert", "invert\n{\n\t$0\n}", "Success for failure, and failure for success."),
    word(
        "force",
        "force ${1:success}\n{\n\t$0\n}",
        "Runs while the child runs. Then it has the status of its word.",
    ),
    word(
        "repeat",
        "repeat ${1:2}\n{\n\t$0\n}",
        "Runs the child a number of times, without a number for ever. Fails when the child fails.",
    ),
    word(
        "retry",
        "retry ${1:2}\n{\n\t$0\n}",
        "Begins the child again in the next tick when it has failed. Succeeds when the child succeeds.",
    ),
    word(
        "until",
        "until ${1:success}\n{\n\t$0\n}",
        "Begins the child again until it has ended with this status.",
    ),
    word(
        "cooldown",
        "cooldown ${1:1} ${2:s}\n{\n\t$0\n}",
        "Fails while less than the duration has passed since its child ended.",
    ),
    word(
        "timeout",
        "timeout ${1:1} ${2:s}\n{\n\t$0\n}",
        "Has the child's status. After the duration, a running child is halted and the node fails.",
    ),
    word("delay", "delay ${1:1} ${2:s}\n{\n\t$0\n}", "Waits for the duration. Then the child begins."),
    word("limit", "limit ${1:1}\n{\n\t$0\n}", "Lets at most this number of agents inside at a time."),
    word("use", "use ${0:other}", "A copy of a tree in this place."),
    word("raise", "raise ${0:event}", "Raises an event, and succeeds."),
];

/// Words that begin a declaration.
pub const ITEMS: &[Word] = &[
    word("tree", "tree ${1:name}\n{\n\t$0\n}", "Declares a tree."),
    word("var", "var ${1:name}: ${2:int} = ${0:0}", "Declares a variable that each agent has."),
    word("group var", "group var ${1:name}: ${2:int} = ${0:0}", "Declares a variable of a group of agents."),
    word("world var", "world var ${1:name}: ${2:int} = ${0:0}", "Declares a variable that all agents share."),
    word("const", "const ${1:NAME} = ${0:0}", "Declares a constant."),
    word(
        "tune const",
        "tune const ${1:NAME} = ${2:1.0} in ${3:0.0}..${0:10.0}",
        "Declares a constant that the game can change within a range while trees run.",
    ),
    word(
        "tune agent const",
        "tune agent const ${1:NAME} = ${2:1.0} in ${3:0.0}..${0:10.0}",
        "Declares a constant of which each agent has a value, and that the game can change within a range.",
    ),
    word("enum", "enum ${1:Name} { ${0:first} }", "Declares a type with named values."),
    word("action", "action ${1:name}($0)", "Declares an action of the game."),
    word("query", "query ${1:name}($2): ${0:bool}", "Declares a query of the game."),
    word("on", "on ${1:event}\n{\n\t$0\n}", "Declares an event and what it sets."),
    word("include", "include \"$0\"", "Reads another file."),
];

/// Variables of trees.
pub const LOCALS: &[Word] = &[
    word(
        "var",
        "var ${1:name}: ${0:int}",
        "Declares a variable of the tree, which is set when the tree begins.",
    ),
    word(
        "keep var",
        "keep var ${1:name}: ${0:int}",
        "Declares a variable of the tree, which keeps its value when the tree begins again.",
    ),
];

/// Functions and values of the language.
pub const VALUES: &[Word] = &[
    word("true", "true", "`bool`"),
    word("false", "false", "`bool`"),
    word("now", "now", "The time of the tick, an `int`."),
    word("random", "random()", "A `float` from 0 up to, but not including, 1."),
    word("min", "min($1, $2)", "The smaller of two values."),
    word("max", "max($1, $2)", "The larger of two values."),
    word("clamp", "clamp($1, $2, $3)", "The nearest value from the second to the third."),
    word("sqrt", "sqrt($1)", "The square root."),
    word("pow", "pow($1, $2)", "The first float to the power of the second."),
    word("logistic", "logistic($1)", "1 / (1 + e^-x), from 0 to 1."),
    word("smooth", "smooth($1, $2, $3)", "From 0 at the second float to 1 at the third, flat at both ends."),
    word("curve", "curve($1, $2: $3, $4: $5)", "The value at a float on the lines through some points."),
    word("abs", "abs($1)", "The magnitude."),
    word("vec2", "vec2($1, $2)", "A `vec2` of two floats."),
    word("vec3", "vec3($1, $2, $3)", "A `vec3` of three floats."),
    word("dot", "dot($1, $2)", "The sum of the products of the parts of two vectors."),
    word("length", "length($1)", "The length of a vector."),
    word("distance", "distance($1, $2)", "The length of the difference of two vectors."),
    word("int", "int($1)", "A conversion to `int`, toward zero."),
    word("float", "float($1)", "A conversion to `float`."),
    word("int64", "int64($1)", "A conversion to `int64`, toward zero."),
    word("double", "double($1)", "A conversion to `double`."),
    word("none", "none", "No `entity`."),
    word("bool", "bool($1)", "A conversion to `bool`."),
];

/// Returns the meaning of the word of a node: of two words if there are two.
#[must_use]
pub fn meaning(text: &str) -> Option<&'static str> {
    NODES.iter().find(|word| word.text == text).map(|word| word.meaning)
}

/// Words that can be put around a node, and need no name of the program.
pub const AROUND: &[&str] = &[
    "sequence",
    "selector",
    "reactive sequence",
    "reactive selector",
    "invert",
    "force success",
    "force failure",
    "repeat",
    "timeout 5 s",
    "cooldown 5 s",
    "delay 1 s",
    "once",
    "while true",
    "if true",
    "parallel",
    "random",
];

/// Words that a node can have in place of its own, by the shape of its block.
#[must_use]
pub fn kinds(shape: Shape) -> &'static [&'static str] {
    match shape {
        Shape::Many | Shape::Weighted | Shape::Scored | Shape::Cases => &[
            "sequence",
            "selector",
            "reactive sequence",
            "reactive selector",
            "random sequence",
            "random selector",
            "parallel",
            "random",
            "utility",
        ],
        Shape::One => &["invert", "force success", "force failure", "repeat", "retry", "once"],
        Shape::Leaf => &["success", "failure", "running"],
        Shape::Sets | Shape::Service => &[],
    }
}
