//! From a file to a [`Draft`]: reads the elements and attributes that have a
//! meaning, and reports the others.
//!
//! The reader keeps its own stack, so lists may nest to any depth.

use super::words::{Holds, WORDS};
use super::{
    Diagnostic, Draft, Found, Mode, Parameter, ROOT, Rule, Session, Span, Sym, Tag, Word, codes, lexical,
    prolog, text,
};
use crate::dialect::xml::{self, Attribute, Content, Element};
use hashbrown::HashMap;
use pleach_image::suggest::closest;

/// Reads a file. `None` if it is no XML; else what could be read, with the errors in the session.
pub(super) fn read(session: &mut Session<'_>, found: Found) -> Option<Draft> {
    let text = prolog::without_doctype(xml::read(session, found)?);
    lexical::check(session, &text);
    let parsed = text.parse(session)?;
    let root = parsed.root();
    let draft = Draft { root: Some(root.name_span()), ..Draft::default() };
    let mut reader = Reader { session, draft, latest: HashMap::new() };
    reader.root(root);
    Some(reader.draft)
}

struct Reader<'s, 'a> {
    session: &'s mut Session<'a>,
    draft: Draft,
    /// For each name of parameters, the last one in the draft.
    latest: HashMap<Sym, u32>,
}

/// Content of a rule besides other rules.
#[derive(Default)]
struct Common {
    mode: Option<Mode>,
    parameters: (u32, u32),
    conditions: (u32, u32),
}

impl Reader<'_, '_> {
    fn root(&mut self, root: Element<'_>) {
        if self.tag_name(root) != ROOT {
            let message = format!("`{}` is not the root of a behavior tree", self.tag_name(root));
            let finding = Diagnostic::new(codes::XML_BAD_VALUE, root.name_span(), message);
            return self.report(finding.help(format!("the root element is `{ROOT}`")));
        }
        self.stray_text(root);
        // The lists around the present rule, each with its remaining elements.
        let mut open = vec![(None, root.children())];
        while let Some((list, rest)) = open.last_mut() {
            let (list, next) = (*list, rest.next());
            let Some(element) = next else {
                self.end(list);
                open.pop();
                continue;
            };
            match Word::named(&self.tag_name(element)) {
                Some(word) if word.is_rule() => {
                    let rule = self.rule(element, word);
                    if word.holds == Holds::Rules {
                        open.push((Some(rule), element.children()));
                    }
                }
                Some(_) if list.is_some() => {}
                _ => self.unknown(element, if list.is_some() { Holds::Rules } else { Holds::Text }),
            }
        }
    }

    /// A list has ended.
    fn end(&mut self, list: Option<usize>) {
        let Some(list) = list else { return };
        let end = self.draft.rules.len() as u32;
        self.draft.rules[list].end = end;
        if end as usize == list + 1 && self.session.diagnostics.errors() == 0 {
            let span = self.draft.rules[list].span;
            self.session.report(codes::NO_CHILDREN, span, "a list without rules fails", "put a rule into it");
            self.idle(list);
        }
    }

    /// The conditions of a rule are never looked at.
    fn idle(&mut self, rule: usize) {
        let (first, count) = self.draft.rules[rule].conditions;
        for index in first..first + count {
            let (_, span) = self.draft.conditions[index as usize];
            let help = "leave it out";
            self.session.report(codes::IDLE_CONDITION, span, "this condition is never looked at", help);
        }
    }

    /// Returns a rule, without the rules in it. Its index.
    fn rule(&mut self, element: Element<'_>, word: &Word) -> usize {
        self.attributes(element, word);
        let common = match word.holds {
            Holds::Text => Common::default(),
            _ => self.common(element, word),
        };
        let subject = match word.tag {
            Tag::Action => Some((self.name(element), element.name_span())),
            Tag::Subtree => Some(self.text(element, true)),
            _ => None,
        };
        let rule = Rule {
            tag: word.tag,
            subject,
            id: self.id(element),
            looping: word.attributes.contains(&"loop") && self.truth(element, "loop"),
            optional: word.attributes.contains(&"doNotFail") && self.truth(element, "doNotFail"),
            mode: common.mode.unwrap_or_default(),
            parameters: common.parameters,
            conditions: common.conditions,
            end: self.draft.rules.len() as u32 + 1,
            span: element.name_span(),
        };
        self.draft.rules.push(rule);
        let index = self.draft.rules.len() - 1;
        if word.tag == Tag::Failure {
            self.idle(index);
        }
        index
    }

    /// Parameters and conditions of a rule. They belong to it wherever they stand among its rules.
    fn common(&mut self, rule: Element<'_>, word: &Word) -> Common {
        self.stray_text(rule);
        let Draft { parameters, conditions, .. } = &self.draft;
        let first = (parameters.len() as u32, conditions.len() as u32);
        let mut mode = None;
        for element in rule.children() {
            match Word::named(&self.tag_name(element)) {
                Some(word) if !word.is_rule() => self.part(element, word, first.0, &mut mode),
                // Lists look at all others when they come to their rules.
                _ if word.holds == Holds::Rules => {}
                _ => self.unknown(element, Holds::Common),
            }
        }
        let Draft { parameters, conditions, .. } = &self.draft;
        Common {
            mode,
            parameters: (first.0, parameters.len() as u32 - first.0),
            conditions: (first.1, conditions.len() as u32 - first.1),
        }
    }

    /// A parameter, a condition or the mode. The rule's parameters begin at `first`.
    fn part(&mut self, element: Element<'_>, word: &Word, first: u32, mode: &mut Option<Mode>) {
        self.attributes(element, word);
        match word.tag {
            Tag::Parameter => self.parameter(element, first),
            Tag::Condition => {
                let condition = self.text(element, true);
                self.draft.conditions.push(condition);
            }
            _ => self.mode(element, mode),
        }
    }

    fn parameter(&mut self, element: Element<'_>, first: u32) {
        let name = self.name(element);
        let (value, span) = self.text(element, false);
        let parameter = Parameter { name, value, span };
        let parameters = &mut self.draft.parameters;
        let own = self.latest.insert(name, parameters.len() as u32).filter(|at| *at >= first);
        let Some(earlier) = own else { return parameters.push(parameter) };
        self.latest.insert(name, earlier);
        let before = core::mem::replace(&mut parameters[earlier as usize], parameter).span;
        let message = format!("the parameter `{}` is given a second time", self.session.names.text(name));
        let finding = Diagnostic::new(codes::GIVEN_AGAIN, element.name_span(), message);
        self.report(finding.help("the last one counts").related(before, "what was said before"));
    }

    fn mode(&mut self, element: Element<'_>, mode: &mut Option<Mode>) {
        let (name, span) = self.text(element, true);
        let name = self.session.names.text(name).into_owned();
        let Some(named) = Mode::named(&name) else {
            let modes = Mode::NAMES.map(|(known, _)| format!("`{known}`")).join(", ");
            let message = format!("`{name}` is not a way to put conditions together");
            let finding = Diagnostic::new(codes::XML_BAD_VALUE, span, message);
            return self.report(finding.meant(
                closest(&name, Mode::NAMES.map(|(known, _)| known)),
                format!("it is one of {modes}"),
            ));
        };
        if mode.replace(named).is_some() {
            let message = "the mode of the conditions is given a second time";
            self.session.report(codes::GIVEN_AGAIN, element.name_span(), message, "the last one counts");
        }
    }

    /// Returns the text of an element whose text has a meaning, and the place of the text. `plain`
    /// warns about a blank at its ends, which an author hardly wants.
    fn text(&mut self, element: Element<'_>, plain: bool) -> (Sym, Span) {
        for child in element.children() {
            let message = format!("`{}` is ignored here", self.tag_name(child));
            let help = format!("of `{}` only the text is read", self.tag_name(element));
            self.session.report(codes::UNREAD_ELEMENT, child.name_span(), message, help);
        }
        let (inside, has_attributes) = self.inside(element);
        let raw = String::from_utf8_lossy(self.session.sources.text(inside)).into_owned();
        let said = text::first(&raw, has_attributes);
        let span = if inside.start == inside.end { element.name_span() } else { inside };
        if said.cut {
            self.cut(span);
        }
        if let Some(rest) = text::rest(&raw, said.end) {
            let at = |offset: usize| inside.start + offset as u32;
            self.ignored_text(Span { start: at(rest.start), end: at(rest.end), ..inside });
        }
        if plain && (said.text.starts_with(' ') || said.text.ends_with(' ')) {
            let message = format!("`{}` has a blank at its end", said.text);
            let help = "let no white space stand between the tag and the text";
            self.session.report(codes::BLANK_AT_END, span, message, help);
        }
        (self.session.names.intern(said.text.as_bytes()), span)
    }

    /// Returns the content of an element, and true if its tag has attributes.
    fn inside(&self, element: Element<'_>) -> (Span, bool) {
        let all = element.span();
        let text = String::from_utf8_lossy(self.session.sources.text(all));
        let head = text::tag_length(&text).unwrap_or(text.len());
        let has_attributes = text[..head].contains('=');
        let end = if text[..head].ends_with("/>") { head } else { text.rfind("</").unwrap_or(head) };
        (Span { start: all.start + head as u32, end: all.start + end as u32, ..all }, has_attributes)
    }

    /// Text where there should be elements only.
    fn stray_text(&mut self, element: Element<'_>) {
        for content in element.content() {
            if let Content::Text(text, span) = content
                && !text.chars().all(text::is_space)
            {
                self.ignored_text(span);
            }
        }
    }

    fn ignored_text(&mut self, span: Span) {
        let help = "of an element only the text before its first comment or element is read";
        self.session.report(codes::IGNORED_TEXT, span, "this text is ignored", help);
    }

    /// Returns the attribute `name`, which must be there.
    fn name(&mut self, element: Element<'_>) -> Sym {
        if let Some(name) = self.attribute(element, "name") {
            return self.value(name);
        }
        let message = format!("`{}` needs a `name`", self.tag_name(element));
        self.session.report(codes::XML_MISSING_ATTRIBUTE, element.name_span(), message, "add `name='…'`");
        self.session.names.intern(b"")
    }

    fn id(&mut self, element: Element<'_>) -> Option<(Sym, Span)> {
        let attribute = self.attribute(element, "id")?;
        let (id, span) = (self.value(attribute), attribute.value_span());
        if self.session.names.bytes(id).is_empty() {
            let help = "leave it out, or give the rule a name";
            self.session.report(codes::EMPTY_ID, attribute.name_span(), "an id must not be empty", help);
            return None;
        }
        Some((id, span))
    }

    /// Returns the value of a boolean attribute. It is true only if the text is `true`.
    fn truth(&mut self, element: Element<'_>, name: &str) -> bool {
        let Some(attribute) = self.attribute(element, name) else { return false };
        let value = attribute.value();
        if !matches!(value, "true" | "false" | "0") {
            let message = format!("`{value}` counts as false");
            let help = "write `true`, or leave the attribute out";
            self.session.report(codes::NO_TRUTH, attribute.value_span(), message, help);
        }
        value == "true"
    }

    /// Returns an attribute's value as the reader gives it.
    fn value(&mut self, attribute: Attribute<'_>) -> Sym {
        let span = attribute.value_span();
        let raw = String::from_utf8_lossy(self.session.sources.text(span)).into_owned();
        let (value, cut) = text::resolved(&raw);
        if cut {
            self.cut(span);
        }
        self.session.names.intern(value.as_bytes())
    }

    /// Returns the attribute that is written so; a prefix is a part of the name.
    fn attribute<'e>(&self, element: Element<'e>, name: &str) -> Option<Attribute<'e>> {
        element.attributes().find(|it| self.session.sources.text(it.name_span()) == name.as_bytes())
    }

    /// Returns the name of an element as it is written.
    fn tag_name(&self, element: Element<'_>) -> String {
        String::from_utf8_lossy(self.session.sources.text(element.name_span())).into_owned()
    }

    /// Attributes that mean nothing. Those with a prefix are for others to read.
    fn attributes(&mut self, element: Element<'_>, word: &Word) {
        for attribute in element.attributes() {
            let name = String::from_utf8_lossy(self.session.sources.text(attribute.name_span())).into_owned();
            if name.contains(':') || word.attributes.contains(&&*name) {
                continue;
            }
            let message = format!("`{}` has no attribute `{name}`, so it is ignored", word.name);
            let finding = Diagnostic::new(codes::UNREAD_ATTRIBUTE, attribute.name_span(), message);
            self.report(finding.near(closest(&name, word.attributes.iter().copied())));
        }
    }

    /// An element that may not stand here.
    fn unknown(&mut self, element: Element<'_>, around: Holds) {
        let name = self.tag_name(element);
        let fits = |word: &&Word| match around {
            Holds::Text => word.is_rule(),
            Holds::Common => !word.is_rule(),
            Holds::Rules => true,
        };
        let known = WORDS.iter().filter(fits).map(|word| word.name);
        let message = format!("`{name}` cannot stand here");
        let finding = Diagnostic::new(codes::XML_UNKNOWN_ELEMENT, element.name_span(), message);
        let help = closest(&name, known.clone()).filter(|near| *near != name);
        self.report(finding.meant(help, format!("what can: {}", known.collect::<Vec<_>>().join(", "))));
    }

    fn cut(&mut self, span: Span) {
        let message = "a character reference above 255 counts by its lowest eight bits";
        self.session.report(codes::LARGE_REFERENCE, span, message, "write the character itself");
    }

    fn report(&mut self, finding: Diagnostic) {
        self.session.diagnostics.push(finding);
    }
}
