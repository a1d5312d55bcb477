//! Findings about files with errors and surprises.

use super::{Files, codes, load, load_from};
use pleach_compile::source::{Found, Library};
use std::sync::Arc;

/// Returns the findings about a text.
fn findings(text: &str) -> Vec<(&'static str, String)> {
    load(&[("main.debt", text.as_bytes())]).findings
}

#[test]
fn errors_have_codes_and_places() {
    let one = |text: &str| {
        let outcome = load(&[("main.debt", text.as_bytes())]);
        assert_eq!((outcome.errors, outcome.findings.len()), (1, 1), "{text}: {:?}", outcome.findings);
        outcome.findings[0].clone()
    };
    let is = |text: &str, code: &str, place: &str| assert_eq!(one(text), (code, place.to_owned()), "{text}");
    is("<tree/>", "E0707", "1:2 tree");
    is("<behaviorTree><a/></behaviorTree>", "E0705", "1:16 a");
    is("<behaviorTree><condition>a</condition></behaviorTree>", "E0705", "1:16 condition");
    is("<behaviorTree><success><success/></success></behaviorTree>", "E0705", "1:25 success");
    is("<behaviorTree><choice><inverter/></choice></behaviorTree>", "E0705", "1:24 inverter");
    is("<behaviorTree><success/>\n<success/></behaviorTree>", "E0714", "2:2 success");
    is("<behaviorTree><success id=''/></behaviorTree>", "E0711", "1:24 id");
    is("<behaviorTree><choice id='a'><success id='a'/></choice></behaviorTree>", "E0712", "1:43 a");
    is("<behaviorTree><action id='a'/></behaviorTree>", "E0706", "1:16 action");
    is("<behaviorTree><success><parameter/></success></behaviorTree>", "E0706", "1:25 parameter");
    is(
        "<behaviorTree><success><conditionMode>alltrue</conditionMode></success></behaviorTree>",
        "E0707",
        "1:39 alltrue",
    );
    is("<behaviorTree><subtree>no.debt</subtree></behaviorTree>", "E0619", "1:24 no.debt");
    is("<behaviorTree><subtree/></behaviorTree>", "E0619", "1:16 subtree");
    is("<behaviorTree><subtree>../a.debt</subtree></behaviorTree>", "E0715", "1:24 ../a.debt");
    is("<behaviorTree><subtree>/main.debt</subtree></behaviorTree>", "E0409", "1:24 /main.debt");
    is("<behaviorTree><success id  ='a'/></behaviorTree>", "E0716", "1:28 =");
    is("<behaviorTree>", "E0701", "1:15 ");
    is("<behaviorTree><!-- -- --></behaviorTree>", "E0701", "1:15 <");
    is("<!DOCTYPE behaviorTree [<!ENTITY a 'b'>]><behaviorTree/>", "E0703", "1:1 <");
    is("<!DOCTYPE other><behaviorTree/>", "E0703", "1:1 <");
    is("<?xml version='1.0' encoding='KOI8-R'?><behaviorTree/>", "E0702", "1:31 K");
}

#[test]
fn all_errors_are_told_at_once() {
    let text =
        "<choice id=''><a/><action/><success id='x'/><failure id='x'/><subtree>no.debt</subtree></choice>";
    assert_eq!(codes(text), ["E0711", "E0705", "E0706", "E0712", "E0619"]);
}

#[test]
fn what_does_nothing_is_a_warning() {
    let is = |text: &str, code: &str, place: &str| {
        let text = format!("<behaviorTree>{text}</behaviorTree>");
        assert_eq!(findings(&text), [(code, place.to_owned())], "{text}");
    };
    is("<sequence loop='1'><success/></sequence>", "W0711", "1:31 1");
    is("<sequence doNotFail='TRUE'><success/></sequence>", "W0711", "1:36 TRUE");
    is("<success foo='1'/>", "W0712", "1:24 foo");
    is("<success loop='true'/>", "W0712", "1:24 loop");
    is("<success><condition>a<b/></condition></success>", "W0713", "1:37 b");
    is("<success>stray</success>", "W0714", "1:24 stray");
    is("<success><condition>a<!-- c -->b</condition></success>", "W0714", "1:46 b");
    is("<success><condition><![CDATA[a]]> b</condition></success>", "W0714", "1:48  b");
}

#[test]
fn a_blank_that_stays_is_told() {
    let leaf = b"<behaviorTree><success/></behaviorTree>";
    let main = b"<behaviorTree><subtree id='s'> f.debt</subtree></behaviorTree>";
    let outcome = load(&[("main.debt", main), (" f.debt", leaf)]);
    assert_eq!(outcome.findings, [("W0715", "1:31  f.debt".to_owned())]);
    assert_eq!(codes("<success><condition>a <b/></condition></success>"), ["W0713", "W0715"]);
}

#[test]
fn what_is_given_twice_is_told() {
    let twice = "<parameter name='p'>1</parameter><parameter name='p'>2</parameter>";
    assert_eq!(codes(&format!("<success>{twice}</success>")), ["W0716"]);
    let twice = "<conditionMode>allTrue</conditionMode><conditionMode>anyTrue</conditionMode>";
    assert_eq!(codes(&format!("<success>{twice}</success>")), ["W0716"]);
}

#[test]
fn conditions_that_nobody_asks_are_told() {
    assert_eq!(codes("<failure><condition>a</condition></failure>"), ["W0717"]);
    assert_eq!(codes("<sequence><condition>a</condition></sequence>"), ["W0603", "W0717"]);
    assert_eq!(codes("<sequence/>"), ["W0603"]);
    assert_eq!(codes("<success><condition>&#300;</condition></success>"), ["W0718"]);
}

#[test]
fn files_that_are_used_over_and_over_come_to_an_end() {
    let twice = |next: usize| {
        let subtree = |id| format!("<subtree id='{id}'>f{next}.debt</subtree>");
        format!("<behaviorTree><sequence>{}{}</sequence></behaviorTree>", subtree("a"), subtree("b"))
    };
    let mut files = vec![("main.debt".to_owned(), twice(0).into_bytes())];
    files.extend((0..40).map(|n| (format!("f{n}.debt"), twice(n + 1).into_bytes())));
    files.push(("f40.debt".to_owned(), b"<behaviorTree/>".to_vec()));
    let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), text.as_slice())).collect();
    let outcome = load(&files);
    assert_eq!(outcome.findings.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["E0618"]);
}

/// A library that has the same file at every path.
struct Everywhere(Arc<[u8]>);

impl Library for Everywhere {
    fn tree(&self, name: &str) -> Option<Found> {
        self.include(name)
    }

    fn include(&self, path: &str) -> Option<Found> {
        Some(Found { name: path.to_owned(), text: self.0.clone() })
    }
}

/// Returns the codes of what is found in some files.
fn told(library: &dyn Library) -> Vec<&'static str> {
    load_from(library).findings.iter().map(|(code, _)| *code).collect()
}

#[test]
fn files_that_always_name_another_come_to_an_end() {
    let file = "<behaviorTree><subtree>in/deep.debt</subtree></behaviorTree>";
    assert_eq!(told(&Everywhere(file.as_bytes().into())), ["E0719"]);
    let long = format!("{file}<!--{}-->", "x".repeat(1 << 20));
    assert_eq!(told(&Everywhere(long.as_bytes().into())), ["E0201"]);
}

#[test]
fn a_path_has_at_most_1024_bytes_with_the_folders_before_it() {
    let told = |length: usize| {
        let folder = "x".repeat(length - "/b.debt".len());
        let [first, second] = ["a", "b"].map(|name| format!("{folder}/{name}.debt"));
        told(&Files(&[
            ("main.debt", format!("<behaviorTree><subtree>{first}</subtree></behaviorTree>").as_bytes()),
            (&first, b"<behaviorTree><subtree>b.debt</subtree></behaviorTree>"),
            (&second, b"<behaviorTree/>"),
        ]))
    };
    assert_eq!(told(1_024), [""; 0]);
    assert_eq!(told(1_025), ["E0719"]);
}

#[test]
fn a_missing_tree_is_told() {
    assert_eq!(load(&[]).findings, [("E0407", String::new())]);
}
