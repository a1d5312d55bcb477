//! Texts and their form.

use super::{format, layout, upgrade};
use pleach_compile::internals::language::parse;
use quickcheck::{Arbitrary, Gen};

/// The text becomes this, which stays as it is.
#[track_caller]
fn becomes(text: &str, form: &str) {
    let formatted = format("a.pleach", text.as_bytes()).expect("no errors");
    assert_eq!(formatted, form);
    assert_eq!(format("a.pleach", form.as_bytes()).expect("no errors"), form);
}

#[test]
fn nodes_and_declarations_get_lines() {
    becomes(
        "action a ( x:int,y :float )query q:bool group  var v:int8=-3 const C=1+2*( 3-4 ) tree t{sequence{action \
         a(1,2.0)use u(C)}}\ntree u(n:int)\n{\nwait n ticks }",
        "action a(x: int, y: float)\nquery q: bool\ngroup var v: int8 = -3\nconst C = 1 + 2 * (3 - 4)\n\
         tree t { sequence { action a(1, 2.0) use u(C) } }\ntree u(n: int)\n{\n\twait n ticks\n}\n",
    );
}

#[test]
fn tunables_get_lines() {
    becomes(
        "tune  const A=1.5 in -0.5 .. -2.0*-1.0 tune agent const agent:int=5ms in 0ms..1 s const B=2 tune\nconst C=true tree t{wait A}",
        "tune const A = 1.5 in -0.5..-2.0 * -1.0\ntune agent const agent: int = 5 ms in 0 ms..1 s\nconst B = 2\n\
         tune const C = true\ntree t { wait A }\n",
    );
}

#[test]
fn blocks_stay_on_their_line_if_there_is_room() {
    let inner = "if visible && ammo > 0 { action shoot }";
    becomes(&format!("tree t {{ {inner} }}"), &format!("tree t {{ {inner} }}\n"));
    becomes(&format!("tree t\n{{ {inner} }}"), &format!("tree t\n{{\n\t{inner}\n}}\n"));
    let long = "x".repeat(60);
    becomes(
        &format!("tree t {{ invert {{ if {long} {{ {inner} }} }} }}"),
        &format!("tree t\n{{\n\tinvert\n\t{{\n\t\tif {long}\n\t\t{{\n\t\t\t{inner}\n\t\t}}\n\t}}\n}}\n"),
    );
    becomes("on hit{}tree t{random{success}}", "on hit { }\ntree t { random { success } }\n");
}

#[test]
fn weights_belong_to_their_nodes() {
    becomes(
        "tree t\n{ random {\n1 :success 2*(3) :  failure\n((1)+2): wait 5 s -x: running (/* y */ (1)): success } }",
        "tree t\n{\n\trandom\n\t{\n\t\t1: success\n\t\t2 * (3): failure\n\t\t((1) + 2): wait 5 s\n\t\t-x: running\n\
         \t\t( /* y */ (1)): success\n\t}\n}\n",
    );
}

#[test]
fn signs_stand_at_their_operands() {
    becomes(
        "tree t { condition ! a&&-b- -c<-1||! (d==now- 1)&&int( e )%2!=abs (-f) }",
        "tree t { condition !a && -b - -c < -1 || !(d == now - 1) && int(e) % 2 != abs(-f) }\n",
    );
    becomes(
        "tree t { parallel(succeed 2,fail any) { set a  min= -b set c max=random () set d=float(e)*2 } }",
        "tree t { parallel (succeed 2, fail any) { set a min= -b set c max= random() set d = float(e) * 2 } }\n",
    );
    becomes("tree t { wait 500ms }", "tree t { wait 500 ms }\n");
    becomes(
        "tree t { while (a) { repeat (2) { wait (3)ticks } } }",
        "tree t { while (a) { repeat (2) { wait (3) ticks } } }\n",
    );
}

#[test]
fn comments_keep_their_place() {
    becomes(
        "\n\n// first  \n\n\n/* two\n lines */ tree t // of t\n{ // open\n\n  // own\n\tsequence { /* in */ success } // end\n\
         \n\n\n // last in it\n\n } /* a */ // b\n// end",
        "// first\n\n/* two\n lines */\ntree t // of t\n{ // open\n\n\t// own\n\tsequence { /* in */ success } // end\n\
         \n\t// last in it\n} /* a */ // b\n// end\n",
    );
    becomes(
        "tree t { if a && // why\nb\n// and\n|| c { success } }",
        "tree t\n{\n\tif a && // why\n\t\tb\n\t\t// and\n\t\t|| c { success }\n}\n",
    );
    becomes("// nothing", "// nothing\n");
    becomes("", "");
}

#[test]
fn breaks_stay_beside_operators_and_in_lists() {
    becomes(
        "action a(\nx: int,\n\n y\n:\nint\n)\ntree t { if\na\n&& b ||\nc\n{ action a(1,\n2) }\n}",
        "action a(\n\tx: int,\n\ty: int\n)\ntree t\n{\n\tif a\n\t\t&& b ||\n\t\tc\n\t{\n\t\taction a(1,\n\t\t\t2)\n\t}\n}\n",
    );
}

#[test]
fn line_ends_and_marks_of_other_systems_go() {
    becomes("\u{feff}tree t\r\n{\r\n\tsuccess // yes\r\n\r\n\r\n}\r\n", "tree t\n{\n\tsuccess // yes\n}\n");
    becomes("\u{feff}tree t\n{ random { (1): success } }", "tree t\n{\n\trandom { (1): success }\n}\n");
}

#[test]
fn variables_of_trees_and_cases_get_lines() {
    let line = "tree t(n: int) { var a: int = n keep var b: bool match a { 1: success else: failure } }";
    becomes(
        "tree t(n:int){var a:int=n keep  var b:bool match a{1:success else:failure}}",
        &format!("{line}\n"),
    );
    becomes(
        "tree t\n{ var a:int keep var b:int=2*3\nreactive match -a{1:success\nelse:chance 0.5{once{failure}}} }",
        "tree t\n{\n\tvar a: int\n\tkeep var b: int = 2 * 3\n\treactive match -a\n\t{\n\t\t1: success\n\
         \t\telse: chance 0.5 { once { failure } }\n\t}\n}\n",
    );
    becomes(
        "tree t\n{ random sequence{cleanup{set a=1}{wait 1s to 2s}} }",
        "tree t\n{\n\trandom sequence { cleanup { set a = 1 } { wait 1 s to 2 s } }\n}\n",
    );
}

#[test]
fn errors_leave_a_text_alone() {
    for text in
        ["tree", "tree t { foo }", "tree t { success", "var x = 1", "tree t { success } \u{e4}", "\"", "/* "]
    {
        let wrong = format("a.pleach", text.as_bytes()).expect_err("an error");
        assert!(wrong.diagnostics.errors() > 0, "{text}");
    }
    // Names may mean anything.
    becomes(
        "include \"no.pleach\" var a:int var a:int tree t { use u(b) }",
        "include \"no.pleach\"\nvar a: int\nvar a: int\ntree t { use u(b) }\n",
    );
}

#[test]
fn deep_blocks_take_neither_stack_nor_space() {
    for open in ["invert {", "invert\n{"] {
        let depth = 30_000;
        let text = format!("tree t {{ {} success {} }}", open.repeat(depth), "}".repeat(depth));
        let formatted = format("a.pleach", text.as_bytes()).expect("no errors");
        assert!(formatted.len() < 300 * depth, "{}", formatted.len());
        assert!(format("a.pleach", formatted.as_bytes()).is_ok_and(|again| again == formatted));
    }
}

/// Returns a text in the usual layout, also if it has errors.
fn laid_out(text: &str) -> String {
    layout::layout(text, &super::starts(&parse("a", text.as_bytes())))
}

/// Tokens and comments in any order keep their order, and are laid out once and for all.
#[test]
fn soups_are_laid_out_once() {
    const PIECES: &str = "{ { } } ( ) , : = += -= *= /= == != < <= > >= + - * / % ! && || 12 0x1f 1.5 2e3 \"a b\" \
        tree on action query var group world const include sequence selector reactive random utility match else chance once cleanup keep condition while \
        set wait success failure force use raise to true now int float min max s ms ticks all a b long_name //c /*d*/";
    let pieces: Vec<_> = PIECES.replace("\"a b\"", "\"a_b\"").split_whitespace().map(str::to_owned).collect();
    let mut chance = Gen::from_size_and_seed(100, 7);
    let mut below = |limit: usize| usize::arbitrary(&mut chance) % limit;
    for _ in 0..3_000 {
        let mut text = String::new();
        for _ in 0..below(40) {
            let piece = &pieces[below(pieces.len())];
            text += piece;
            text += if piece == "//c" { "\n" } else { [" ", " ", " ", "\n", "\n\n", "\n \n\n\t"][below(6)] };
        }
        let once = laid_out(&text);
        let twice = laid_out(&once);
        assert_eq!(once, twice, "{text:?}");
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(bare(&once), bare(&text));
        let tokens = |text: &str| {
            let pieces = super::pieces::pieces(text, &[]);
            pieces.iter().map(|piece| piece.text.trim_end().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(tokens(&once), tokens(&text));
    }
}

#[test]
fn an_upgrade_writes_if_for_a_condition_with_a_block() {
    let old = "tree t { selector { condition a /* b */ && c{ condition d } condition random() < 1.0 { running } // condition x {\n\
               while e { success } condition f if f { success } } }";
    let new = "tree t { selector { if a /* b */ && c{ condition d } if random() < 1.0 { running } // condition x {\n\
               while e { success } condition f if f { success } } }";
    assert_eq!(String::from_utf8(upgrade("t.pleach", old.as_bytes())).unwrap(), new);
    assert_eq!(upgrade("t.pleach", new.as_bytes()), new.as_bytes());
    assert_eq!(upgrade("t.pleach", b"condition { \xff"), b"condition { \xff");
}
