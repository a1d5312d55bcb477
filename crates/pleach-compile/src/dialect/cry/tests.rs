//! The shared parts by themselves.

use super::condition::{self, parse};
use super::signals::declare;
use super::variables::Variables;
use super::{attributes, child};
use crate::ast::{self, Binary, Expr};
use crate::dialect::number::{self, Flaw};
use crate::dialect::xml;
use crate::manifest::Manifest;
use crate::session::Session;
use crate::source::{Found, Library};

struct Nothing;

impl Library for Nothing {
    fn tree(&self, _: &str) -> Option<Found> {
        None
    }
    fn include(&self, _: &str) -> Option<Found> {
        None
    }
}

/// Calls `look` with the outermost element of a text, in a session where A to C are declared.
/// Returns its result and the codes of the findings.
fn with<R>(
    text: &str,
    look: impl FnOnce(&mut Session<'_>, &mut ast::File, &mut Variables, xml::Element<'_>) -> R,
) -> (R, Vec<&'static str>) {
    let manifest = Manifest::default();
    let mut session = Session::new(&Nothing, &manifest);
    let found = Found { name: "test.xml".into(), text: text.as_bytes().into() };
    let text = xml::read(&mut session, found).expect("text");
    let parsed = text.parse(&mut session).expect("well-formed");
    let (mut file, mut variables) = (ast::File::default(), Variables::default());
    if let Some(section) = child(parsed.root(), "variables") {
        for element in section.children() {
            variables.declare(&mut session, &mut file, element).expect("a variable");
        }
    }
    let result = look(&mut session, &mut file, &mut variables, parsed.root());
    (result, session.diagnostics.list().iter().map(|it| it.code.id).collect())
}

/// Returns the value of a condition where A is true, B and C are false; or the code of its error.
fn value(condition: &str) -> (Result<bool, &'static str>, Vec<&'static str>) {
    let escaped = condition.replace('&', "&amp;").replace('<', "&lt;");
    let text = format!(
        "<t c=\"{escaped}\"><Variables><Variable name='A'/><Variable name='B'/><Variable name='C'/></Variables></t>"
    );
    with(&text, |session, file, variables, root| {
        let attribute = attributes::required(root, "C").expect("in any case");
        let index = parse(session, file, variables, attribute).map_err(|it| it.code.id)?;
        Ok(evaluate(&file.exprs)[index as usize])
    })
}

fn evaluate(exprs: &[Expr]) -> Vec<bool> {
    let mut values = Vec::new();
    for expr in exprs {
        let at = |index: u32| -> bool { values[index as usize] };
        values.push(match *expr {
            Expr::Truth(truth) => truth,
            Expr::Variable(index) => index == 0,
            Expr::Not(of) => !at(of),
            Expr::Binary(Binary::And, a, b) => at(a) && at(b),
            Expr::Binary(Binary::Or, a, b) => at(a) || at(b),
            Expr::Binary(Binary::Equal, a, b) => at(a) == at(b),
            Expr::Binary(Binary::NotEqual, a, b) => at(a) != at(b),
            other => panic!("{other:?}"),
        });
    }
    values
}

#[test]
fn conditions_that_are_complete() {
    for (text, expected) in [
        ("A", true),
        ("a", true),
        ("!A", false),
        ("A or B and C", false),
        ("A or (B and C)", true),
        ("A xor A", false),
        ("A XOR b", true),
        ("!A == B", true),
        ("!(A == B)", true),
        ("A != B", true),
        ("A == (B == C)", true),
        ("(A) == TRUE and !(!A)", true),
        (" \t( ( A ) ) ", true),
        ("B or A == B", false),
    ] {
        assert_eq!(value(text), (Ok(expected), vec![]), "{text}");
    }
}

#[test]
fn conditions_that_end_early() {
    for (text, expected) in [
        ("A && B", true),
        ("A B", true),
        ("A == B == C", false),
        ("A) or B", true),
        ("A = B", true),
        ("A ü", true),
    ] {
        assert_eq!(value(text), (Ok(expected), vec!["W0751"]), "{text}");
    }
}

#[test]
fn conditions_that_are_wrong() {
    for text in [
        "",
        " ",
        "1",
        "!!A",
        "A and",
        "A ==",
        "(A",
        "()",
        "(A B)",
        "!= A",
        "not A)(",
        "and A",
        "A or or B",
        "!",
    ] {
        let known = text.starts_with("not");
        assert_eq!(value(text).0, if known { Ok(false) } else { Err("E0751") }, "{text}");
    }
}

#[test]
fn names_that_are_not_declared_are_false() {
    assert_eq!(value("Ghost or B"), (Ok(false), vec!["W0752"]));
    assert_eq!(value("!Ghost.b"), (Ok(true), vec!["W0752"]));
}

#[test]
fn conditions_have_a_size_but_no_depth() {
    let deep = format!("{}A{}", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(value(&deep), (Ok(true), vec![]));
    // 128 names and 127 operators; then one pair more, and one after that.
    let long = |count: usize| ["A"].repeat(count).join(" and ");
    assert_eq!(value(&long(128)).0, Ok(true));
    assert_eq!(value(&format!("!{}", long(128))).0, Ok(false));
    assert_eq!(value(&long(129)).0, Err("E0752"));
}

#[test]
fn always_is_true() {
    let mut file = ast::File::default();
    let index = condition::always(&mut file);
    assert!(evaluate(&file.exprs)[index as usize]);
}

#[test]
fn numbers_are_those_of_c() {
    use Flaw::{None as Nothing, Range, Rest};
    for (text, value, flaw) in [
        ("12", 12, None),
        (" -3 ", -3, None),
        ("+4", 4, None),
        ("7x", 7, Some(Rest)),
        ("2.5", 2, Some(Rest)),
        ("true", 0, Some(Nothing)),
        ("", 0, Some(Nothing)),
        ("-", 0, Some(Nothing)),
        ("99999999999", i32::MAX, Some(Range)),
        ("-99999999999999999999999", i32::MIN, Some(Range)),
    ] {
        assert_eq!(number::int(text), number::Number { value, flaw }, "{text}");
    }
    for (text, value, flaw) in
        [("255", 255, None), ("256", 0, Some(Range)), ("-1", 255, Some(Range)), ("3", 3, None)]
    {
        assert_eq!(number::byte(text), number::Number { value, flaw }, "{text}");
    }
    for (text, value, flaw) in [
        ("1.5", 1.5, None),
        (".5", 0.5, None),
        ("-2.", -2.0, None),
        ("1e2", 100.0, None),
        ("1e", 1.0, Some(Rest)),
        ("2s", 2.0, Some(Rest)),
        ("abc", 0.0, Some(Nothing)),
        (".", 0.0, Some(Nothing)),
        ("inf", 0.0, Some(Nothing)),
        ("1e99", f32::MAX, Some(Range)),
    ] {
        assert_eq!(number::float(text), number::Number { value, flaw }, "{text}");
    }
    for (text, value, flaw) in [
        ("1", true, None),
        ("0", false, None),
        ("true", false, Some(Nothing)),
        ("False", false, None),
        ("2", true, None),
    ] {
        assert_eq!(number::truth(text), number::Number { value, flaw }, "{text}");
    }
}

#[test]
fn variables_and_signals() {
    let section = "<Variables><Variable name='Seen' DEFAULT='TRUE'/></Variables>";
    let entries = [
        ("<Variable/>", "E0706"),
        ("<Variable name='SEEN'/>", "E0609"),
        ("<Variable name='x' default='1'/>", "E0707"),
        ("<Var name='x'/>", "E0705"),
    ];
    for (entry, code) in entries {
        let (result, _) = with(&format!("<t>{section}{entry}</t>"), |session, file, variables, root| {
            assert_eq!(file.variables[0].init, 1);
            let entry = root.children().nth(1).expect("the entry");
            variables.declare(session, file, entry).map_err(|it| it.code.id)
        });
        assert_eq!(result, Err(code), "{entry}");
    }
    let rules = [
        ("<signal name='E' variable='seen' value='!Seen'/>", Ok(0), vec![]),
        ("<Signal name='E' variable='seen' value='!Seen' valu='1'/>", Ok(0), vec!["W0753"]),
        ("<Signal name='E' variable='sen' value='true'/>", Err("E0611"), vec![]),
        ("<Signal name='E' variable='seen'/>", Err("E0706"), vec![]),
        ("<Signal name='E' variable='seen' value='1'/>", Err("E0751"), vec![]),
        ("<Rule/>", Err("E0705"), vec![]),
    ];
    for (entry, expected, findings) in rules {
        let result = with(&format!("<t>{section}{entry}</t>"), |session, file, variables, root| {
            let entry = root.children().nth(1).expect("the entry");
            let mut rules = Vec::new();
            let done = declare(session, file, variables, &mut rules, entry);
            done.map(|()| rules[0].variable).map_err(|it| it.code.id)
        });
        assert_eq!(result, (expected, findings), "{entry}");
    }
}

#[test]
fn odd_attributes_are_told() {
    let (values, codes) =
        with("<t Count='300' wait='soon' on='true' count='3' wiat='1'/>", |session, _, _, root| {
            attributes::only(session, root, &["count", "wait", "on"]);
            let at = |name| attributes::attribute(root, name).expect(name);
            (
                attributes::number(session, at("count"), number::byte),
                attributes::number(session, at("wait"), number::float),
                attributes::truth(session, at("on")),
                attributes::number(session, at("wiat"), number::int),
                attributes::number(session, at("count"), number::unsigned),
                attributes::filled(root, "name").map(|_| ()).map_err(|it| it.code.id),
            )
        });
    assert_eq!(values, (44, 0.0, false, 1, 300, Err("E0706")));
    assert_eq!(codes, ["W0753", "W0753", "W0754", "W0754", "W0754"]);
}
