//! Findings with their places: what is wrong, and what is forgiven but may hide a mistake.

use super::{root, told};

#[test]
fn nothing_is_said_about_a_tree_without_fault() {
    let text = "<BehaviorTree><MetaExtensions/><Timestamps><Timestamp name='T' setOnEvent='E'/></Timestamps>\
        <Variables><Variable name='V'/></Variables><SignalVariables><Signal name='E' variable='V' value='!V'/>\
        </SignalVariables><Root><Sequence _startLog='x'><IfTime since='T' isLessThan='2'><Halt/></IfTime></Sequence>\
        </Root></BehaviorTree>";
    told(text, &[]);
}

#[test]
fn sections() {
    told(
        "<Tree>\n<Variabels/>\n<Root><Halt/></Root><root/></Tree>",
        &[
            "W0756 1:2+4 the file begins with `Tree`",
            "W0756 2:2+9 `Variabels` is ignored … did you mean `Variables`?",
            "W0756 3:22+4 `root` is ignored … already",
        ],
    );
    told(
        "<BehaviorTree><Variables><Variable name='a' defualt='true'/><Var/><Variable name='b'/></Variables>\
         <Root><AssertCondition condition='b'/></Root></BehaviorTree>",
        &[
            "W0753 1:45+7 `Variable` has no attribute `defualt` … did you mean `default`?",
            "W0755 1:62+3 `Var` cannot stand here; the rest of `Variables` is ignored",
            "W0752 1:133+1 `b` is not declared … did you mean `a`?",
        ],
    );
}

/// Entities are never expanded: a file with a document type is refused as a whole.
#[test]
fn document_types_and_entities() {
    let tree = "<BehaviorTree><Root><Log message='&a;'/></Root></BehaviorTree>";
    told(
        &format!("<!DOCTYPE a [<!ENTITY a 'x'>]>{tree}"),
        &["E0703 1:1+1 a document type is not allowed here"],
    );
    told(&format!("<!DOCTYPE BehaviorTree SYSTEM 'a.dtd'>{tree}"), &["E0703"]);
    told(tree, &["E0701"]);
}

#[test]
fn timestamps() {
    told(
        "<BehaviorTree><Timestamps><Timestamp name='A' setOnEvent='E' exlusiveTo='B'/>\
         <Stamp name='A' exclusiveTo='Seen'/></Timestamps>\
         <Root><AssertTime since='Sean' isMoreThan='1' isLessThan='2'/></Root></BehaviorTree>",
        &[
            "W0753 … `exlusiveTo` … did you mean `exclusiveTo`?",
            "W0760 … `Stamp` counts as a timestamp",
            "W0757 … without `setOnEvent` is never set",
            "W0758 … there is a timestamp `A` already",
            "W0757 … there is no timestamp `Seen`: it excludes nothing",
            "W0753 … `isLessThan` is ignored",
            "W0757 … there is no timestamp `Sean`: it is never true",
        ],
    );
}

#[test]
fn conditions() {
    let declared = |node: &str| {
        format!(
            "<BehaviorTree><Variables><Variable name='Seen'/></Variables><Root>{node}</Root></BehaviorTree>"
        )
    };
    told(
        &declared("<AssertCondition condition='Seen || sean'/>"),
        &["W0751 1:100+7 `|| sean` is ignored … write `or`"],
    );
    told(
        &declared("<AssertCondition condition='Seen == seen == true'/>"),
        &["W0751 … `== true` is ignored … operators are and, or, xor"],
    );
    told(
        &declared("<AssertCondition condition='not Seen'/>"),
        &["W0752 … `not` is not declared … write `!`", "W0751 … `Seen` is ignored"],
    );
    told(
        &declared("<IfCondition condition='sean' equalTo='true'><Halt/></IfCondition>"),
        &[
            "W0752 1:91+4 `sean` is not declared … did you mean `Seen`?",
            "W0759 1:97+7 `equalTo` is out of date",
            "W0754 1:106+4 `equalTo` is no number here, and counts false … 1 is true",
        ],
    );
    told(
        &declared("<MonitorCondition condition='(Seen'/>"),
        &["E0751 1:101+0 a closing parenthesis is missing"],
    );
}

#[test]
fn nodes_and_attributes() {
    told(
        &root("<Sequnce><Wait duratoin='2'/></Sequnce>"),
        &[
            "E0401 1:22+7 there is no node `Sequnce` … did you mean `Sequence`?",
            "W0753 … `duratoin` … did you mean `duration`?",
            "E0706 … `Wait` needs the attribute `duration` … `duratoin` is not read; did you mean `duration`?",
        ],
    );
    told(
        &root("<Parallel successMode='ANY'><Halt/></Parallel>"),
        &["W0760 1:44+3 `ANY` is no mode, and counts `all` … did you mean `any`?"],
    );
    told(
        &root("<Loop count='300'><Wait duration='2s' variation='x'/></Loop>"),
        &[
            "W0754 1:34+3 `count` does not fit, and counts 44",
            "W0754 1:55+2 `duration` is read up to the end of its number, and counts 2",
            "W0754 1:70+1 `variation` is no number here, and counts 0",
        ],
    );
    told(
        &root("<Log text='x' message='y'><Halt/></Log>"),
        &["W0756 1:22+3 `Log` has no children", "W0753 1:26+4 `Log` has no attribute `text`"],
    );
    told(&root("<Sequence><Wait duration='-1'/><Timeout duration='-1'/></Sequence>"), &["W0761", "W0761"]);
    told(&root("<RandomGate opensWithChance='2'><Halt/></RandomGate>"), &["W0760 … 2 counts 1"]);
    told(
        &root(
            "<StateMachine _startLog='x'><State name='S'><BehaviorTree><Halt/></BehaviorTree></State></StateMachine>",
        ),
        &["W0753 1:35+9 `StateMachine` has no attribute `_startLog`"],
    );
}

#[test]
fn machines() {
    told(
        &root(
            "<StateMachine><State name='Calm'><Transitions><Transition onEvent='E' to='Clam'/></Transitions>\
             <BehaviorTree><Halt/></BehaviorTree><Behaviour/><BehaviorTree/></State>\
             <State name='calm'><BehaviorTree><Halt/></BehaviorTree></State></StateMachine>",
        ),
        &[
            "W0758 … there is a state `calm` already",
            "W0756 … `Behaviour` is ignored",
            "W0756 … `BehaviorTree` is ignored … the first one counts",
            "E0756 … there is no state `Clam` … did you mean `Calm`?",
        ],
    );
}

#[test]
fn host_nodes() {
    told(
        &root("<Move speed='walk' stopWithinDistance='near'/>"),
        &["W0754 … `stopWithinDistance` is no number here, and counts 0"],
    );
    told(
        &root("<Shoot duration='-1' at='Target' fireMode='Burst' stance='Stand'/>"),
        &["E0707 … `duration` cannot be -1"],
    );
    told(&root("<Aim durationOnceWithinThreshold='FOREVER'/>"), &[]);
    // All that nobody knows is told at once.
    told(
        &root("<Sequence><Sneak/><Selector><Mvoe/></Selector><Sneak/></Sequence>"),
        &[
            "E0401 … there is no node `Sneak`",
            "E0401 … there is no node `Mvoe` … did you mean `Move`?",
            "E0401 … there is no node `Sneak`",
        ],
    );
    told(&root("<LuaGate code='return true'/>"), &["E0755 … `LuaGate` has one child, not 0"]);
}

/// The engines look these words up and ignore what they do not find.
#[test]
fn words_that_the_engines_forgive() {
    for (node, finding) in [
        (
            "<Move to='Targt'/>",
            "W0760 1:31+5 `to` cannot be `Targt`, and counts `Target` … did you mean `Target`?",
        ),
        ("<Move stance='Walk'/>", "W0760 … `stance` cannot be `Walk`, and counts as if it were left out"),
        ("<Move speed='Fast'/>", "W0760 … `speed` cannot be `Fast`, and counts as if it were left out"),
        ("<Move fireMode=''/>", "W0760 … `fireMode` cannot be ``, and counts `Off`"),
        ("<Move bodyOrientation='Forward'/>", "W0760 … it is one of FullyTowardsMovementDirection, "),
        ("<Move strafe='yes'/>", "W0760 … `strafe` cannot be `yes`, and counts `false`"),
        ("<Move moveToCover='2'/>", "W0760 … it is one of false, true"),
        ("<Move turnTowardsMovementDirectionBeforeMoving='on'/>", "W0760"),
        ("<Move glanceInMovementDirection='on'/>", "W0760"),
        ("<Stance name='Walk'/>", "W0760 … `name` cannot be `Walk`, and counts `Stand`"),
        ("<Stance stanceToUseIfSlopeIsTooSteep='Prone'/>", "W0760"),
        ("<Signal filter='All'/>", "W0760 … `filter` cannot be `All`, and counts `Sender`"),
        ("<SendTransitionSignal filter='Grup'/>", "W0760 … did you mean `Group`?"),
        ("<TurnBody towards='Enemy'/>", "W0760"),
        ("<TurnBody alignWith='Enemy'/>", "W0760"),
        (
            "<Shoot duration='1' at='Target' fireMode='Burst' stance='Stand' stanceToUseIfSlopeIsTooSteep='x'/>",
            "W0760",
        ),
        ("<Look at='Me'/>", "W0760"),
        ("<Aim at='Me'/>", "W0760"),
        ("<CheckIfTargetCanBeReached mode='Me'/>", "W0760"),
        ("<Basic_MoveToPosition bbDestination='d' speed='Fast'/>", "W0760"),
        ("<Basic_MoveToCover bbCoverId='c' stance='Walk'/>", "W0760"),
    ] {
        told(&root(node), &[finding]);
        assert!(super::compiled(&root(node), &super::manifest("")).image.is_some(), "{node}");
    }
    told(&root("<Move strafe='TRUE' moveToCover='1' glanceInMovementDirection='False'/>"), &[]);
    told(&root("<AnimationTagWrapper><Halt/></AnimationTagWrapper>"), &[]);
}

/// The engines accept only certain words and numbers for these attributes.
#[test]
fn words_and_numbers_that_the_engines_refuse() {
    for node in [
        "<Shoot duration='1' at='Me' fireMode='Burst' stance='Stand'/>",
        "<Shoot duration='1' at='Target' fireMode='Bust' stance='Stand'/>",
        "<Shoot duration='1' at='Target' fireMode='Burst' stance='Walk'/>",
        "<ShootFromCover duration='1' fireMode='Bust'/>",
        "<ThrowGrenade timeout='1' type='stone'/>",
        "<ThrowGrenade timeout='-1' type='frag'/>",
        "<QueryTPS name='q' register='LastOp'/>",
        "<SetAlertness value='3'/>",
        "<TurnBody stopWithinAngle='181'/>",
        "<TurnBody randomMinAngle='-1'/>",
        "<TurnBody randomMaxAngle='181'/>",
        "<WaitAlignedWithAttentionTarget toleranceDegrees='-1'/>",
    ] {
        told(&root(node), &["E0707"]);
    }
}

/// A signal whose value cannot be read sets its variable to false: the engine has added the rule by
/// then.
#[test]
fn a_signal_whose_value_cannot_be_read() {
    told(
        "<BehaviorTree><Variables><Variable name='D'/></Variables><SignalVariables>\n\
         <Signal name='E' variable='D' value='!(!D == D == D)'/><Signal name='E' variable='X' value='true'/>\
         </SignalVariables><Root><Halt/></Root></BehaviorTree>",
        &[
            "W0755 2:48+2 a closing parenthesis is missing here, so `E` sets `D` to false; the rest of `SignalVariables`",
        ],
    );
}

#[test]
fn one_tree_a_program() {
    let manifest = super::manifest("");
    let entries = &["tree".to_owned(), "other".to_owned()];
    let request = pleach_compile::Request {
        dialect: &pleach_compile::internals::dialects::Mbt,
        manifest: &manifest,
        entries,
        debug: false,
    };
    let text = root("<Halt/>");
    let done = pleach_compile::compile(&super::Texts::of("tree", "xml", &text), request);
    let codes: Vec<_> = done.diagnostics.list().iter().map(|it| it.code.id).collect();
    assert_eq!((codes, done.image), (vec!["E0753"], None));
}
