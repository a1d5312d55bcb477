//! Files, and the trees that they become.

use super::{clean, load};

#[test]
fn every_rule_is_read() {
    let text = "<behaviorTree><choice id='root' loop='true' doNotFail='true'><success/><failure/><running/><yield/>\
                <sequence loop='true'><action name='a' doNotFail='true'/></sequence></choice></behaviorTree>";
    assert_eq!(clean(text), "choice#root*! { success, failure, running, yield, sequence* { action=a! } }");
    assert_eq!(clean("<behaviorTree/>"), "failure#root?");
    assert_eq!(clean("<behaviorTree><action name=''/></behaviorTree>"), "action=");
}

#[test]
fn conditions_are_put_together() {
    let rule = |mode: &str, names: &[&str]| {
        let conditions: String = names.iter().map(|name| format!("<condition>{name}</condition>")).collect();
        let mode =
            if mode.is_empty() { String::new() } else { format!("<conditionMode>{mode}</conditionMode>") };
        clean(&format!("<behaviorTree><success>{conditions}{mode}</success></behaviorTree>"))
    };
    assert_eq!(rule("", &[]), "success");
    assert_eq!(rule("anyTrue", &[]), "success");
    assert_eq!(rule("", &["a", "b", "c"]), "success if ((a&b)&c)");
    assert_eq!(rule("allTrue", &["a"]), "success if a");
    assert_eq!(rule("anyTrue", &["a", "b"]), "success if (a|b)");
    assert_eq!(rule("anyFalse", &["a", "b"]), "success if !(a&b)");
    assert_eq!(rule("allFalse", &["a", "b"]), "success if !(a|b)");
    assert_eq!(rule("", &[""]), "success if ");
}

#[test]
fn what_belongs_to_a_list_may_stand_among_its_rules() {
    let text = "<behaviorTree><sequence><success/><condition>a</condition><action name='b'>\
                <parameter name='p'>1</parameter></action><condition>c</condition><parameter name='q'/>\
                </sequence></behaviorTree>";
    assert_eq!(clean(text), "sequence(q||0|0) if (a&c) { success, action=b(p|1|1|1) }");
}

#[test]
fn parameters_are_text_and_numbers() {
    let text = "<behaviorTree><action name='a'><parameter name='x'>-2.5e1 m</parameter><parameter name='y'>true</parameter>\
                </action></behaviorTree>";
    assert_eq!(clean(text), "action=a(x|-2.5e1 m|-2|-25)(y|true|0|0)");
}

#[test]
fn text_is_read_as_the_engine_reads_it() {
    let rule = |inside: &str| {
        let text = format!("<behaviorTree><action name='a'>{inside}</action></behaviorTree>");
        load(&[("main.debt", text.as_bytes())]).trees
    };
    assert_eq!(rule("<condition>\n  near   player\n </condition>"), "action=a if near player");
    assert_eq!(rule("<parameter name='p'> v </parameter>"), "action=a(p| v|0|0)");
    assert_eq!(rule("<condition>a<!-- no --> b</condition>"), "action=a if a");
    assert_eq!(rule("<condition><!-- no --> b </condition>"), "action=a if b");
    assert_eq!(rule("<condition> <!-- no -->b</condition>"), "action=a if  ");
    assert_eq!(rule("<condition><![CDATA[ a ]]></condition>"), "action=a if  a ");
    assert_eq!(rule("<condition>&lt;&#65;&#321;&gt;</condition>"), "action=a if <AA>");
    assert_eq!(rule("<condition>a<b>c</b></condition>"), "action=a if a");
}

#[test]
fn encodings_and_document_types_are_read() {
    let latin =
        b"<?xml version='1.0' encoding='ISO-8859-1'?><behaviorTree><action name='caf\xe9'/></behaviorTree>";
    assert_eq!(load(&[("main.debt", latin)]).trees, "action=caf\u{e9}");
    assert_eq!(
        clean("<!DOCTYPE behaviorTree SYSTEM 'tree.dtd'><behaviorTree><success/></behaviorTree>"),
        "success"
    );
    assert_eq!(clean("<behaviorTree xmlns:x='u' x:y='1'><success x:id='a'/></behaviorTree>"), "success");
}

#[test]
fn nested_files_are_found_from_where_they_are_named() {
    let tree = |text: &str| format!("<behaviorTree>{text}</behaviorTree>").into_bytes();
    let main = tree("<subtree>ai/outer.debt</subtree>");
    let outer = tree("<subTree loop='true'>../leaf.debt</subTree><subtree>/ai/./more//leaf.debt</subtree>");
    let (leaf, more) = (tree("<success/><failure/>"), tree(""));
    let files: [(&str, &[u8]); 4] =
        [("main.debt", &main), ("ai/outer.debt", &outer), ("leaf.debt", &leaf), ("ai/more/leaf.debt", &more)];
    let outcome = load(&files);
    assert_eq!(outcome.findings, []);
    assert_eq!(outcome.trees, "subtree { subtree* { success, failure }, subtree }");
}
