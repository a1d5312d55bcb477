//! Ids of rules.

use super::{clean, load};

fn tree(text: &str) -> Vec<u8> {
    format!("<behaviorTree>{text}</behaviorTree>").into_bytes()
}

#[test]
fn a_dot_continues_the_list_around() {
    let text = "<behaviorTree><sequence id='root'><sequence><success id='.a'/><choice id='.in'><success id='.b'/></choice>\
                </sequence><success id='c'/></sequence></behaviorTree>";
    assert_eq!(
        clean(text),
        "sequence#root { sequence { success#root.a, choice#root.in { success#root.in.b } }, success#c }"
    );
    let text = "<behaviorTree><choice id='.r'><success id='.a'/></choice></behaviorTree>";
    assert_eq!(clean(text), "choice#.r { success#.r.a }");
}

#[test]
fn a_subtree_stands_before_the_ids_in_it() {
    let main = tree(
        "<sequence id='main'><subtree id='.p'>sub.debt</subtree><subtree id='q'>sub.debt</subtree></sequence>",
    );
    let sub = tree("<choice id='root'><success id='.x'/><success id='y'/></choice>");
    let outcome = load(&[("main.debt", &main), ("sub.debt", &sub)]);
    assert_eq!(outcome.findings, []);
    assert_eq!(
        outcome.trees,
        "sequence#main { subtree#main.p { choice#main.p.root { success#main.p.root.x, success#main.p.y } }, \
         subtree#q { choice#q.root { success#q.root.x, success#q.y } } }"
    );
}

#[test]
fn prefixes_chain_but_not_before_dots_at_the_root_of_a_file() {
    let main = tree("<subtree id='a'>one.debt</subtree>");
    let one = tree("<subtree id='b'>two.debt</subtree><subtree>three.debt</subtree>");
    let (two, three) = (tree("<success id='c'/><success id='.d'/>"), tree("<success id='e'/>"));
    let files: [(&str, &[u8]); 4] =
        [("main.debt", &main), ("one.debt", &one), ("two.debt", &two), ("three.debt", &three)];
    assert_eq!(
        load(&files).trees,
        "subtree#a { subtree#a.b { success#a.b.c, success#.d }, subtree { success#a.e } }"
    );
}

#[test]
fn ids_are_as_long_as_can_be_saved() {
    let text = |length: usize| format!("<behaviorTree><success id='{}'/></behaviorTree>", "x".repeat(length));
    clean(&text(255));
    let outcome = load(&[("main.debt", text(256).as_bytes())]);
    assert_eq!(outcome.findings[0].0, "E0713");
}
