//! Enums: their declarations, and their names as types.
//!
//! A name that stands as a type is that of an enum, which may be declared further below. So an
//! enum is in the program from its first mention on.

use super::super::syntax::{Enum, Member};
use super::{Code, Diagnostic, Keyword, Lexeme, Meaning, Op, Parser, Span, Sym, Word, codes, report_twice};
use hashbrown::HashMap;

impl Parser<'_, '_> {
    /// Returns the enum that a name stands for as a type.
    fn enum_named(&mut self, word: Word) -> u32 {
        let new = self.program.enums.len() as u32;
        let index = *self.names.row(word).ty.get_or_insert(new);
        if index == new {
            self.program.enums.push(Enum { name: Sym(word), span: None, members: (0, 0) });
        }
        index
    }

    /// Reads a name that stands as a type. Returns none if there is no name.
    pub(super) fn named_type(&mut self) -> Option<u32> {
        if !self.stands(Lexeme::Word) || self.keyword().is_some_and(Keyword::is_reserved) {
            return None;
        }
        let index = self.enum_named(self.token.value);
        let at = self.here();
        self.program.mentions.push((index, at));
        self.advance();
        Some(index)
    }

    /// `enum NAME { MEMBER, MEMBER = NUMBER, … }`
    pub(super) fn enumeration(&mut self) {
        self.advance();
        let Some((word, span)) = self.name("an enum") else { return self.skip_item_unless_begins() };
        let open = self.here();
        if !self.expect(Lexeme::OpenBrace, "`{`", "an enum has members: `enum Mood { calm, wary, angry }`") {
            return self.skip_item_unless_begins();
        }
        let index = self.enum_named(word);
        let first = self.program.members.len() as u32;
        self.members(index);
        let members = (first, self.program.members.len() as u32);
        if members.0 == members.1 && self.stands(Lexeme::CloseBrace) {
            let help = "name what its values are: `enum Mood { calm, wary, angry }`";
            self.error(codes::WRONG_MEMBERS, span, "an enum without members", help);
        }
        if !self.take(Lexeme::CloseBrace) {
            let finding = self.is_missing("`}`").related(open, "opened here");
            self.report(finding.help("members have commas between them: `{ calm, wary = 4 }`"));
            self.skip_item_unless_begins();
        }
        let known = &mut self.program.enums[index as usize];
        if let Some(first) = known.span {
            let what = format!("the enum `{}`", self.name_of(word));
            return report_twice(&mut self.session.diagnostics, &what, span, Some(("an enum", first)));
        }
        (known.span, known.members) = (Some(span), members);
        for member in members.0..members.1 {
            self.declare_member(member);
        }
    }

    /// Reads the members of an enum, up to its end.
    fn members(&mut self, of: u32) {
        let (mut names, mut numbers) = (HashMap::new(), HashMap::new());
        let mut next = Some(0);
        while self.stands(Lexeme::Word) {
            let Some((word, span)) = self.name("a member") else { return };
            let number = if self.take(Lexeme::Assign) {
                self.member_number(span)
            } else {
                next.or_else(|| {
                    self.no_int(span);
                    None
                })
            };
            let value = number.unwrap_or_default();
            let member = Member { name: Sym(word), span, of, value };
            self.program.members.push(member);
            if let Some(same) = names.insert(word, member) {
                let what = format!("the member `{}`", self.name_of(word));
                let first = Some(("a member", same.span));
                report_twice(&mut self.session.diagnostics, &what, span, first);
            } else if let Some(same) = number.and_then(|value| numbers.insert(value, member)) {
                self.same_number(member, same);
            }
            next = value.checked_add(1);
            if !self.take(Lexeme::Comma) {
                if !self.stands(Lexeme::Word) || self.keyword().is_some_and(Keyword::is_reserved) {
                    return;
                }
                self.missing("`,`", "members have commas between them: `{ calm, wary = 4 }`");
            }
        }
    }

    /// Reads the number of a member, whose name is at `at`. Returns none after an error.
    fn member_number(&mut self, at: Span) -> Option<i32> {
        let negative = self.take(Lexeme::SUBTRACT);
        let magnitude = i64::from(self.token.value);
        if !self.stands(Lexeme::Int) {
            self.missing("a number", "a member has a literal int: `wary = 4`");
            let ends = matches!(self.token.lexeme, Lexeme::Comma | Lexeme::CloseBrace | Lexeme::End);
            if !ends && !self.keyword().is_some_and(Keyword::begins_item_only) {
                self.advance();
            }
            return None;
        }
        self.advance();
        let number = i32::try_from(if negative { -magnitude } else { magnitude }).ok();
        if number.is_none() {
            self.no_int(at);
        }
        number
    }

    #[cold]
    fn no_int(&mut self, at: Span) {
        let help =
            "a member without a number has that of the member before it and 1; the greatest is 2147483647";
        self.error(codes::WRONG_MEMBERS, at, "the number of this member is no int", help);
    }

    #[cold]
    fn same_number(&mut self, member: Member, same: Member) {
        let name = self.session.names.cited(member.name);
        let message = format!("the member `{name}` has the number {}, as an earlier one has", member.value);
        let finding = Diagnostic::new(codes::WRONG_MEMBERS, Some(member.span), message)
            .help("each member has a number of its own")
            .related(same.span, "it is the number of this member");
        self.report(finding);
    }

    /// Lets the name of a member stand for it in expressions, unless it stands for something else.
    fn declare_member(&mut self, index: u32) {
        let Member { name, of, .. } = self.program.members[index as usize];
        let row = self.names.row(name.0);
        row.value = match row.value {
            Meaning::Nothing => Meaning::Member(index),
            Meaning::Member(first) if self.program.members[first as usize].of != of => {
                Meaning::SharedMember(first)
            }
            other => other,
        };
    }

    /// Reads `.MEMBER` behind the name of an enum.
    pub(super) fn member_of(&mut self, code: Code, start: u32) -> bool {
        self.advance();
        let (member, end) = (self.token.value, self.token.end);
        if !self.stands(Lexeme::Word) {
            self.missing(
                "a member",
                "a member of an enum is written `Mood.calm`, a part of a vector `home.x`",
            );
            self.program.ops.push(Op { code: Code::Wrong, start, end: self.last, count: 0 });
            return true;
        }
        self.advance();
        self.program.ops.push(Op { code, start, end, count: member });
        true
    }

    /// Says that a part of a vector is not written alone. The `set` stays without a variable, so
    /// that nothing is said of its value.
    #[cold]
    pub(super) fn no_part_written(&mut self, index: u32) {
        let name = self.name_of(self.program.nodes[index as usize].subject);
        let from = self.program.nodes[index as usize].subject_at;
        self.advance();
        let part = self.shown();
        let written = match &*part {
            "`x`" => format!("vec3(1.0, {name}.y, {name}.z)"),
            "`y`" => format!("vec3({name}.x, 1.0, {name}.z)"),
            _ => format!("vec3({name}.x, {name}.y, 1.0)"),
        };
        let message = format!("a part of `{name}` cannot be written alone");
        let at = self.span(from, self.token.end);
        self.error(codes::NOT_WRITABLE, at, message, format!("write the vector: `set {name} = {written}`"));
        self.advance();
        if matches!(self.token.lexeme, Lexeme::Assign | Lexeme::Write(_)) {
            self.advance();
        }
        self.push_expression();
    }
}
