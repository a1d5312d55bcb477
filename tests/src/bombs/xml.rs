//! The axes of the five dialects that are XML: those of all elements, and those of each dialect.

use super::text::{Axis, Text};
use super::tried;

/// Modular behavior trees.
pub(super) const MODULAR: Text = Text {
    name: "mbt",
    skeleton: "<BehaviorTree {root}><Variables><Variable name=\"V\"/>{variables}</Variables>\
        <SignalVariables>{signals}</SignalVariables><Timestamps>{timestamps}</Timestamps>\
        <Root>{head}<Sequence>{body}</Sequence></Root></BehaviorTree>",
    slots: &[
        ("body", "<Halt/>"),
        ("head", ""),
        ("root", ""),
        ("variables", ""),
        ("signals", ""),
        ("timestamps", ""),
        ("open", "Selector"),
        ("close", "Selector"),
        ("name", "Nobody"),
    ],
    axes: &[ELEMENTS, MODULAR_NODES, MODULAR_TABLES],
    tried: |files| tried::compiled("mbt", files),
};

/// Selection trees with blocks.
pub(super) const SELECTION: Text = Text {
    name: "bst",
    skeleton: "<SelectionTree name=\"main\" type=\"t\" {root}><Blocks>{blocks}</Blocks>\
        <Variables><Variable name=\"V\"/>{variables}</Variables><SignalVariables>{signals}</SignalVariables>\
        <LeafTranslations>{maps}</LeafTranslations>{head}<Priority name=\"R\">{body}</Priority></SelectionTree>",
    slots: &[
        ("body", "<Leaf name=\"L\"/>"),
        ("blocks", ""),
        ("head", ""),
        ("root", ""),
        ("variables", ""),
        ("signals", ""),
        ("maps", ""),
        ("open", "Priority name=\"P\""),
        ("close", "Priority"),
        ("name", "Nobody"),
    ],
    axes: &[ELEMENTS, SELECTION_NODES, SELECTION_TABLES],
    tried: |files| tried::compiled("bst", files),
};

/// Forests and the files of their trees.
pub(super) const FOREST: Text = Text {
    name: "btengine",
    skeleton: "<BehaviorForestRoot {root}>{head}<Forest name=\"F\">{forest}<Tree name=\"T\" file=\"t.xml\">{tree}</Tree>\
        </Forest>{forests}</BehaviorForestRoot>\n=== t.xml\n<BehaviorTreeRoot>{attributes}\
        <Sequence name=\"S\">{body}</Sequence></BehaviorTreeRoot>\n{files}",
    slots: &[
        ("body", "<Condition name=\"c\"/>"),
        ("head", ""),
        ("root", ""),
        ("forest", ""),
        ("tree", ""),
        ("forests", ""),
        ("attributes", ""),
        ("files", ""),
        ("open", "Selector name=\"s\""),
        ("close", "Selector"),
        ("name", "Nobody"),
    ],
    axes: &[ELEMENTS, FOREST_NODES],
    tried: |files| tried::compiled("btengine", files),
};

/// Trees with scripts and blackboards.
pub(super) const SCRIPTED: Text = Text {
    name: "btcpp",
    skeleton: "<root BTCPP_format=\"4\" main_tree_to_execute=\"M\" {root}>{head}<BehaviorTree ID=\"M\"><Sequence>{body}\
        </Sequence></BehaviorTree>{trees}</root>\n{files}",
    slots: &[
        ("body", "<AlwaysSuccess/>"),
        ("head", ""),
        ("root", ""),
        ("trees", ""),
        ("files", ""),
        ("open", "Fallback"),
        ("close", "Fallback"),
        ("name", "Nobody"),
    ],
    axes: &[ELEMENTS, SCRIPTED_NODES, SCRIPTS],
    tried: |files| tried::compiled("btcpp", files),
};

/// Files of rules.
pub(super) const RULES: Text = Text {
    name: "dragengine",
    skeleton: "<behaviorTree {root}>{head}<sequence id=\"r\">{body}<action name=\"b\">{rule}</action></sequence>\
        </behaviorTree>\n{files}",
    slots: &[
        ("body", "<action name=\"a\"/>"),
        ("head", ""),
        ("root", ""),
        ("rule", ""),
        ("files", ""),
        ("open", "choice"),
        ("close", "choice"),
        ("name", "nobody"),
    ],
    axes: &[ELEMENTS, RULE_NODES],
    tried: |files| tried::compiled("dragengine", files),
};

/// Axes that grow any element.
const ELEMENTS: &[Axis] = &[
    Axis("children", &[("body", "«<{open}>{@}</{close}>»")]),
    Axis("depth", &[("body", "«<{open}>»{@}«</{close}>»")]),
    Axis("attributes", &[("body", "<{open} «a{i}=\"1\" »>{@}</{close}>")]),
    Axis("the same attribute", &[("body", "<{open} «a=\"1\" »>{@}</{close}>")]),
    Axis("attributes of the root", &[("root", "«a{i}=\"1\" »")]),
    Axis("length of an attribute", &[("body", "<{open} a=\"«x»\">{@}</{close}>")]),
    Axis("entities of an attribute", &[("body", "<{open} a=\"«&amp;»\">{@}</{close}>")]),
    Axis("namespaces of the root", &[("root", "«xmlns:n{i}=\"u{i}\" »")]),
    Axis("namespaces in each other", &[("body", "«<{open} xmlns:n{i}=\"u{i}\">»{@}«</{close}>»")]),
    Axis("namespaces of elements", &[("body", "«<{open} xmlns:n{i}=\"u{i}\">{@}</{close}>»")]),
    Axis("length of a namespace", &[("root", "xmlns:n=\"«x»\"")]),
    Axis("length of an unknown element", &[("name", "«x»"), ("body", "<{name}/>")]),
    Axis("unknown elements", &[("body", "«<Nobody{i}/>»")]),
    Axis("unknown elements in an unknown one", &[("body", "<{name}>«<Nobody{i}/>»</{name}>")]),
    Axis(
        "unknown elements in one of a long name",
        &[("name", "«x»"), ("body", "<{name}>«<Nobody{i}/>»</{name}>")],
    ),
    Axis("elements of a name", &[("body", "«<{name}/>»")]),
    Axis("texts between elements", &[("head", "«x<!-- -->»")]),
    Axis("length of a text", &[("head", "«x»")]),
    Axis("comments", &[("head", "«<!-- -->»")]),
    Axis("length of a comment", &[("head", "<!-- «x» -->")]),
    Axis("CDATA", &[("head", "«<![CDATA[x]]>»")]),
    Axis("instructions", &[("head", "«<?x y?>»")]),
    Axis("elements without end", &[("body", "«<{open}>»")]),
    Axis("elements without beginning", &[("body", "«</{close}>»")]),
];

const MODULAR_NODES: &[Axis] = &[
    Axis("parallels in each other", &[("body", "«<Parallel><Halt/>»{@}«</Parallel>»")]),
    Axis("loops in each other", &[("body", "«<Loop>»{@}«</Loop>»")]),
    Axis("count of a loop", &[("body", "<Loop count=\"{n}\">{@}</Loop>")]),
    Axis("seconds", &[("body", "<Wait duration=\"{n}\"/>")]),
    Axis("users", &[("body", "<LimitConcurrentUsers max=\"{n}\">{@}</LimitConcurrentUsers>")]),
    Axis("lists of leaves", &[("body", "«<Sequence><Halt/></Sequence>»")]),
    Axis("conditions", &[("body", "<Selector>«<AssertCondition condition=\"V == {i}\"/>»</Selector>")]),
    Axis("operands", &[("body", "<AssertCondition condition=\"V« and V»\"/>")]),
    Axis("parentheses", &[("body", "<AssertCondition condition=\"«(»V«)»\"/>")]),
    Axis("unknown variables", &[("body", "<AssertCondition condition=\"V« and X{i}»\"/>")]),
    Axis(
        "states",
        &[(
            "body",
            "<StateMachine>«<State name=\"S{i}\"><BehaviorTree>{@}</BehaviorTree></State>»</StateMachine>",
        )],
    ),
    Axis(
        "transitions",
        &[(
            "body",
            "<StateMachine><State name=\"S\"><Transitions>«<Transition onEvent=\"E{i}\" to=\"S\"/>»</Transitions>\
            <BehaviorTree>{@}</BehaviorTree></State></StateMachine>",
        )],
    ),
    Axis("cases", &[("body", "<Priority>«<Case condition=\"V\">{@}</Case>»</Priority>")]),
    Axis("events that are waited for", &[("body", "<Parallel>«<WaitForEvent name=\"W{i}\"/>»</Parallel>")]),
    Axis("events that are sent", &[("body", "<Sequence>«<SendEvent name=\"N{i}\"/>»</Sequence>")]),
    Axis(
        "logs",
        &[(
            "body",
            "«<Selector _startLog=\"x{i}\" _successLog=\"y{i}\" _failureLog=\"z{i}\">»{@}«</Selector>»",
        )],
    ),
    Axis("scopes", &[("body", "«<GroupScope name=\"G{i}\">»{@}«</GroupScope>»")]),
];

const MODULAR_TABLES: &[Axis] = &[
    Axis("variables", &[("variables", "«<Variable name=\"X{i}\"/>»")]),
    Axis("variables that stand twice", &[("variables", "«<Variable name=\"V\"/>»")]),
    Axis("signals", &[("signals", "«<Signal name=\"E{i}\" variable=\"V\" value=\"true\"/>»")]),
    Axis("signals of an event", &[("signals", "«<Signal name=\"E\" variable=\"V\" value=\"!V\"/>»")]),
    Axis("operands of a signal", &[("signals", "<Signal name=\"E\" variable=\"V\" value=\"V« or V»\"/>")]),
    Axis(
        "unknown variables of signals",
        &[("signals", "«<Signal name=\"E\" variable=\"Y{i}\" value=\"V\"/>»")],
    ),
    Axis("timestamps", &[("timestamps", "«<Timestamp name=\"T{i}\" setOnEvent=\"E{i}\"/>»")]),
    Axis(
        "timestamps of an event",
        &[("timestamps", "«<Timestamp name=\"T{i}\" setOnEvent=\"E\" exclusiveTo=\"T{j}\"/>»")],
    ),
    Axis("timestamps of one event alone", &[("timestamps", "«<Timestamp name=\"T{i}\" setOnEvent=\"E\"/>»")]),
    Axis("timestamps of a name", &[("timestamps", "«<Timestamp name=\"T\" setOnEvent=\"E{i}\"/>»")]),
];

const SELECTION_NODES: &[Axis] = &[
    Axis("leaves", &[("body", "«<Leaf name=\"L{i}\"/>»")]),
    Axis("operands", &[("body", "<Leaf name=\"O\" condition=\"V« or V»\"/>")]),
    Axis("texts of a node", &[("body", "<Leaf name=\"L\">«x<!-- -->»</Leaf>")]),
    Axis("attributes of a leaf", &[("body", "<Leaf name=\"L\" «a{i}=\"1\" »/>")]),
    Axis("conditions", &[("body", "«<Leaf name=\"L\" condition=\"V == {i}\"/>»")]),
    Axis("states", &[("body", "<StateMachine name=\"M\">«<State name=\"S{i}\">{@}</State>»</StateMachine>")]),
    Axis(
        "transitions",
        &[(
            "body",
            "<StateMachine name=\"M\"><State name=\"S\">«<Transition state=\"S\" condition=\"V\"/>»{@}</State></StateMachine>",
        )],
    ),
    Axis(
        "state machines",
        &[("body", "«<StateMachine name=\"M{i}\"><State name=\"S\">{@}</State></StateMachine>»")],
    ),
];

const SELECTION_TABLES: &[Axis] = &[
    Axis(
        "blocks",
        &[
            ("blocks", "«<Block name=\"B{i}\"><Leaf name=\"L\"/></Block>»"),
            ("body", "«<Ref name=\"B{i}\"/>»"),
        ],
    ),
    Axis(
        "blocks of the next one",
        &[
            ("blocks", "«<Block name=\"C{i}\"><Ref name=\"C{j}\"/></Block>»<Block name=\"C{n}\">{@}</Block>"),
            ("body", "<Ref name=\"C0\"/>"),
        ],
    ),
    Axis(
        "blocks of the one before twice",
        &[
            (
                "blocks",
                "<Block name=\"D0\">{@}</Block>‹<Block name=\"D{j}\"><Ref name=\"D{i}\"/><Ref name=\"D{i}\"/></Block>›",
            ),
            ("body", "<Ref name=\"D{k}\"/>"),
        ],
    ),
    Axis(
        "blocks with comments of the one before twice",
        &[
            (
                "blocks",
                "<Block name=\"F0\"><Leaf name=\"L\">«<!-- -->»</Leaf></Block>\
                ‹<Block name=\"F{j}\"><Ref name=\"F{i}\"/><Ref name=\"F{i}\"/></Block>›",
            ),
            ("body", "<Ref name=\"F{k}\"/>"),
        ],
    ),
    Axis("references to nothing", &[("body", "«<Ref name=\"No{i}\"/>»")]),
    Axis("variables", &[("variables", "«<Variable name=\"X{i}\"/>»")]),
    Axis("signals", &[("signals", "«<Signal name=\"E{i}\" variable=\"V\" value=\"true\"/>»")]),
    Axis("signals of an event", &[("signals", "«<Signal name=\"E\" variable=\"V\" value=\"!V\"/>»")]),
    Axis("operands of a signal", &[("signals", "<Signal name=\"E\" variable=\"V\" value=\"V« or V»\"/>")]),
    Axis("translations", &[("maps", "«<Map node=\"L{i}\" target=\"B{i}\"/>»")]),
    Axis("path of a translation", &[("maps", "<Map node=\"«P:»L\" target=\"B\"/>")]),
    Axis("paths of translations", &[("maps", "«<Map node=\"P{i}:L\" target=\"B\"/>»")]),
];

const FOREST_NODES: &[Axis] = &[
    Axis("nodes", &[("body", "«<Condition name=\"c{i}\"/>»")]),
    Axis("nodes of a name", &[("body", "«<Condition name=\"c\"/>»")]),
    Axis("actions", &[("body", "«<Action name=\"a{i}\" policy=\"Failure\"/>»")]),
    Axis("lists in each other", &[("body", "«<Selector name=\"l{i}\">»{@}«</Selector>»")]),
    Axis("decorators in each other", &[("body", "«<Decorator name=\"d{i}\">»{@}«</Decorator>»")]),
    Axis("parallels in each other", &[("body", "«<Parallel name=\"p{i}\">»{@}«</Parallel>»")]),
    Axis("branches", &[("body", "<Parallel name=\"b\">«<Condition name=\"b{i}\"/>»</Parallel>")]),
    Axis(
        "attributes of a node",
        &[("body", "<Condition name=\"u\">«<UserAttr key=\"k{i}\" value=\"v\"/>»</Condition>")],
    ),
    Axis("attributes of a forest", &[("forest", "«<UserAttr key=\"k{i}\" value=\"v\"/>»")]),
    Axis("attributes of a tree", &[("tree", "«<UserAttr key=\"k{i}\" value=\"v\"/>»")]),
    Axis("attributes of a file", &[("attributes", "«<UserAttr key=\"k{i}\" value=\"v\"/>»")]),
    Axis("length of a value", &[("attributes", "<UserAttr key=\"l\" value=\"«x»\"/>")]),
    Axis("forests", &[("forests", "«<Forest name=\"F{i}\"/>»")]),
    Axis("trees of a file", &[("forest", "«<Tree name=\"T{i}\" file=\"t.xml\"/>»")]),
    Axis(
        "trees of files",
        &[
            ("forest", "«<Tree name=\"U{i}\" file=\"u{i}.xml\"/>»"),
            ("files", "«=== u{i}.xml\n<BehaviorTreeRoot><Condition name=\"c\"/></BehaviorTreeRoot>\n»"),
        ],
    ),
    Axis("files that are not there", &[("forest", "«<Tree name=\"N{i}\" file=\"n{i}.xml\"/>»")]),
];

const RULE_NODES: &[Axis] = &[
    Axis("rules", &[("body", "«<action name=\"a{i}\"/>»")]),
    Axis("ids", &[("body", "«<action id=\"i{i}\" name=\"a\"/>»")]),
    Axis("ids of a name", &[("body", "«<action id=\"i\" name=\"a\"/>»")]),
    Axis("lists with ids in each other", &[("body", "«<choice id=\".c\">»{@}«</choice>»")]),
    Axis("length of an id", &[("body", "<choice id=\"«x»\">{@}</choice>")]),
    Axis("ids in a list", &[("body", "«<action id=\".i{i}\" name=\"a\"/>»")]),
    Axis("loops in each other", &[("body", "«<choice loop=\"true\">»{@}«</choice>»")]),
    Axis("parameters", &[("rule", "«<parameter name=\"p{i}\">1</parameter>»")]),
    Axis(
        "parameters and conditions",
        &[("rule", "«<parameter name=\"q{i}\">1</parameter>»«<condition>c{i}</condition>»")],
    ),
    Axis("parameters of a name", &[("rule", "«<parameter name=\"p\">{i}</parameter>»")]),
    Axis("length of a parameter", &[("rule", "<parameter name=\"l\">«x»</parameter>")]),
    Axis("pieces of a parameter", &[("rule", "<parameter name=\"l\">«x<!-- -->»</parameter>")]),
    Axis("conditions", &[("rule", "«<condition>c{i}</condition>»")]),
    Axis("the same condition", &[("rule", "«<condition>c</condition>»")]),
    Axis("modes", &[("rule", "«<conditionMode>allTrue</conditionMode>»")]),
    Axis(
        "conditions of a list",
        &[("body", "<choice>«<condition>c{i}</condition>»«<action name=\"a\"/>»</choice>")],
    ),
    Axis(
        "files",
        &[
            ("body", "«<subtree id=\"f{i}\">f{i}.debt</subtree>»"),
            ("files", "«=== f{i}.debt\n<behaviorTree><action name=\"a\"/></behaviorTree>\n»"),
        ],
    ),
    Axis(
        "files of the next one",
        &[
            ("body", "<subtree>c0.debt</subtree>"),
            (
                "files",
                "«=== c{i}.debt\n<behaviorTree><subtree id=\"x\">c{j}.debt</subtree></behaviorTree>\n»=== c{n}.debt\n\
                <behaviorTree>{@}</behaviorTree>\n",
            ),
        ],
    ),
    Axis(
        "files of the one before twice",
        &[
            ("body", "<subtree>d{k}.debt</subtree>"),
            (
                "files",
                "=== d0.debt\n<behaviorTree>{@}</behaviorTree>\n‹=== d{j}.debt\n<behaviorTree>\
                <subtree id=\"l\">d{i}.debt</subtree><subtree id=\"r\">d{i}.debt</subtree></behaviorTree>\n›",
            ),
        ],
    ),
    Axis(
        "files with parameters of the one before twice",
        &[
            ("body", "<subtree>g{k}.debt</subtree>"),
            (
                "files",
                "=== g0.debt\n<behaviorTree><action name=\"a\">«<parameter name=\"p{i}\">1</parameter>»</action>\
                </behaviorTree>\n‹=== g{j}.debt\n<behaviorTree><subtree id=\"l\">g{i}.debt</subtree>\
                <subtree id=\"r\">g{i}.debt</subtree></behaviorTree>\n›",
            ),
        ],
    ),
    Axis(
        "folders of a path",
        &[("body", "<subtree>«x/../»f.debt</subtree>"), ("files", "=== f.debt\n<behaviorTree/>\n")],
    ),
    Axis(
        "subtrees below a long folder",
        &[
            ("name", "«x»"),
            ("body", "<subtree>{name}/s.debt</subtree>"),
            (
                "files",
                "=== {name}/s.debt\n<behaviorTree><sequence>«<subtree id=\"s{i}\">a.debt</subtree>»</sequence>\
                </behaviorTree>\n=== {name}/a.debt\n<behaviorTree><action name=\"a\"/></behaviorTree>\n",
            ),
        ],
    ),
    Axis("files that are not there", &[("body", "«<subtree>n{i}.debt</subtree>»")]),
];

const SCRIPTED_NODES: &[Axis] = &[
    Axis("controls", &[("body", "«<SequenceWithMemory>{@}</SequenceWithMemory>»")]),
    Axis("children of a control", &[("body", "<Parallel failure_count=\"1\">«<AlwaysSuccess/>»</Parallel>")]),
    Axis("decorators in each other", &[("body", "«<Repeat num_cycles=\"2\">»{@}«</Repeat>»")]),
    Axis("tries in each other", &[("body", "«<TryCatch catch_on_halt=\"true\">{@}»{@}«</TryCatch>»")]),
    Axis("timeouts", &[("body", "«<Timeout msec=\"1\">{@}</Timeout>»")]),
    Axis("items of a loop", &[("body", "<LoopInt queue=\"«1;»\" value=\"{v}\">{@}</LoopInt>")]),
    Axis(
        "loops and items of their entry",
        &[(
            "body",
            "<Script code=\"q := '1«;{i}»'\"/>«<LoopString queue=\"{q}\" value=\"{v}\"><AlwaysSuccess/></LoopString>»",
        )],
    ),
    Axis(
        "loops and texts of their entry",
        &[(
            "body",
            "«<Script code=\"q := '{i}'\"/>»«<LoopString queue=\"{q}\" value=\"{v}\"><AlwaysSuccess/></LoopString>»",
        )],
    ),
    Axis("length of a name", &[("body", "<AlwaysSuccess name=\"«x»\"/>")]),
    Axis(
        "subtrees",
        &[("body", "«<SubTree ID=\"S\"/>»"), ("trees", "<BehaviorTree ID=\"S\">{@}</BehaviorTree>")],
    ),
    Axis(
        "subtrees of a subtree",
        &[
            ("body", "«<SubTree ID=\"S\"/>»"),
            ("trees", "<BehaviorTree ID=\"S\"><Sequence>«{@}»</Sequence></BehaviorTree>"),
        ],
    ),
    Axis(
        "subtrees in each other",
        &[
            ("body", "<SubTree ID=\"S0\"/>"),
            ("trees", "«<BehaviorTree ID=\"S{i}\"><SubTree ID=\"S{j}\" _autoremap=\"1\"/></BehaviorTree>»"),
        ],
    ),
    Axis(
        "subtrees that double",
        &[
            ("body", "<SubTree ID=\"S0\"/>"),
            (
                "trees",
                "‹<BehaviorTree ID=\"S{i}\"><Sequence><SubTree ID=\"S{j}\"/><SubTree ID=\"S{j}\"/></Sequence>\
                </BehaviorTree>›<BehaviorTree ID=\"S{k}\">{@}</BehaviorTree>",
            ),
        ],
    ),
    Axis(
        "subtrees with defaults",
        &[
            ("body", "«<SubTree ID=\"S\"/>»"),
            (
                "trees",
                "<BehaviorTree ID=\"S\">{@}</BehaviorTree><TreeNodesModel><SubTree ID=\"S\">\
                «<input_port name=\"p{i}\" default=\"1\"/>»</SubTree></TreeNodesModel>",
            ),
        ],
    ),
    Axis(
        "subtrees with a script",
        &[
            ("body", "«<SubTree ID=\"S\"/>»"),
            ("trees", "<BehaviorTree ID=\"S\"><Script code=\"«x := 1;»\"/></BehaviorTree>"),
        ],
    ),
    Axis(
        "nodes with ports",
        &[
            ("body", "«<N/>»"),
            (
                "trees",
                "<TreeNodesModel><Action ID=\"N\">«<input_port name=\"p{i}\" type=\"int\" default=\"1\"/>»\
                </Action></TreeNodesModel>",
            ),
        ],
    ),
    Axis("trees", &[("trees", "«<BehaviorTree ID=\"T{i}\">{@}</BehaviorTree>»")]),
    Axis("models", &[("trees", "<TreeNodesModel>«<Action ID=\"A{i}\"/>»</TreeNodesModel>")]),
    Axis("includes", &[("head", "«<include path=\"f\"/>»"), ("files", "=== f\n<root/>")]),
    Axis("included files", &[("head", "«<include path=\"f{i}\"/>»"), ("files", "«=== f{i}\n<root/>\n»")]),
    Axis(
        "includes in each other",
        &[
            ("head", "<include path=\"i0\"/>"),
            ("files", "«=== i{i}\n<root><include path=\"i{j}\"/></root>\n»=== i{n}\n<root/>\n"),
        ],
    ),
];

const SCRIPTS: &[Axis] = &[
    Axis("statements", &[("body", "<Script code=\"«x := 1;»\"/>")]),
    Axis("entries", &[("body", "<Script code=\"«x{i} := 1;»\"/>")]),
    Axis("entries of entries", &[("body", "«<Script code=\"x{i} := x{j}\"/>»")]),
    Axis("writes of an entry", &[("body", "«<Script code=\"x := 1\"/>»")]),
    Axis("operands", &[("body", "<Script code=\"x := 1« + 1»\"/>")]),
    Axis("parentheses", &[("body", "<Script code=\"x := «(»1«)»\"/>")]),
    Axis("choices", &[("body", "<Script code=\"x := «1 ? 2 : »3\"/>")]),
    Axis("assignments", &[("body", "<Script code=\"«x{i} := »1\"/>")]),
    Axis("prefixes", &[("body", "<Script code=\"x := «!»1\"/>")]),
    Axis("comparisons", &[("body", "<Script code=\"x := 1« &lt; 2»\"/>")]),
    Axis("length of a text", &[("body", "<Script code=\"x := '«x»' == 1\"/>")]),
    Axis("conditions", &[("body", "«<AlwaysSuccess _skipIf=\"{i}.0\" _post=\"x := {i}.0\"/>»")]),
];
