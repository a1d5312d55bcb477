//! Variables: booleans of an agent, declared in the text.
//!
//! `<Variable name="Seen" default="true"/>`: the name is compared without regard to case,
//! and the default is `false`.

use super::attributes::attribute;
use super::{
    Attribute, Diagnostic, Element, Interner, Refused, Session, Span, ast, codes, expect, only, refused,
    required,
};
use crate::ast::{Scope, SlotKind, Variable};
use hashbrown::HashMap;
use pleach_image::suggest::Suggestions;

/// The variables declared so far, by name.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    /// Index in [`ast::File::variables`], by the name in lower case.
    by_name: HashMap<String, u32>,
    /// The names as written, in order.
    names: Vec<String>,
    /// Variables that are not declared but mentioned, by their names in lower case; `None`
    /// if hosts may not write these.
    mentioned: Option<HashMap<String, u32>>,
}

impl Variables {
    /// Variables that hosts may write without their being declared.
    pub(crate) fn open() -> Self {
        Self { mentioned: Some(HashMap::new()), ..Self::default() }
    }

    /// Returns true if hosts may write variables that are not declared.
    pub(crate) fn are_open(&self) -> bool {
        self.mentioned.is_some()
    }

    /// Returns the variable that a name means which is not declared, if hosts may write it.
    pub(crate) fn mention(
        &mut self,
        names: &mut Interner,
        file: &mut ast::File,
        name: &str,
        span: Span,
    ) -> Option<u32> {
        let next = file.variables.len() as u32;
        let index = *self.mentioned.as_mut()?.entry(name.to_ascii_lowercase()).or_insert(next);
        if index == next {
            file.variables.push(truth_variable(names, name, false, span));
        }
        Some(index)
    }

    /// Returns the variable with this name, in any case: index in [`ast::File::variables`].
    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.by_name.get(&name.to_ascii_lowercase()).copied()
    }

    /// Returns the name that is written most like this one.
    pub(crate) fn nearest(&self, suggestions: &Suggestions, name: &str) -> Option<&str> {
        suggestions.closest(name, self.names.iter().map(String::as_str))
    }

    /// Declares what an element of a section of variables says.
    pub(crate) fn declare(
        &mut self,
        session: &mut Session<'_>,
        file: &mut ast::File,
        element: Element<'_>,
    ) -> Result<(), Refused> {
        expect(element, "Variable")?;
        only(session, element, &["name", "default"]);
        let name = required(element, "name")?;
        let init = match attribute(element, "default") {
            Some(default) => truth(default)?,
            None => false,
        };
        let index = file.variables.len() as u32;
        if let Some(first) = self.find(name.value()) {
            let message = format!("`{}` is declared twice", name.value());
            let finding = Diagnostic::new(codes::DECLARED_TWICE, name.value_span(), message);
            let finding = finding.help("names of variables are the same in any case");
            return Err(finding.related(file.variables[first as usize].span, "first here").into());
        }
        self.by_name.insert(name.value().to_ascii_lowercase(), index);
        self.names.push(name.value().to_owned());
        let variable = truth_variable(&mut session.names, name.value(), init, name.value_span());
        file.variables.push(variable);
        Ok(())
    }
}

fn truth_variable(names: &mut Interner, name: &str, init: bool, span: Span) -> Variable {
    let name = names.intern(name.as_bytes());
    Variable { name, scope: Scope::Agent, kind: SlotKind::Bit, init: init.into(), span }
}

fn truth(default: Attribute<'_>) -> Result<bool, Refused> {
    match default.value() {
        value if value.eq_ignore_ascii_case("true") => Ok(true),
        value if value.eq_ignore_ascii_case("false") => Ok(false),
        value => {
            let message = format!("a variable cannot begin as `{value}`");
            Err(refused(codes::XML_BAD_VALUE, default.value_span(), message, "write true or false"))
        }
    }
}
