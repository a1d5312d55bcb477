//! The nodes of the host, as its manifest declares them.

use super::reader::LOGS;
use super::{
    Attribute, Children, Diagnostic, Element, Reader, Refused, Value, attribute, attributes, codes, missing,
    number, refused,
};
use crate::manifest::{Default, Function, Inside, Kind, Param, Type, Unknown};
use pleach_image::suggest::closest;

impl<'a> Reader<'_, '_, 'a> {
    /// Reads a node that is not one of the dialect.
    pub(super) fn host(&mut self, element: Element<'a>) -> Result<(), Refused> {
        let manifest = self.session.manifest;
        let function = manifest.action(element.name()).filter(|it| it.name == element.name());
        let Some(function) = function else { return self.unknown_host(element) };
        let children = match function.inside {
            Inside::Nothing => Children::None,
            Inside::Child => Children::One,
            Inside::Anything => Children::Ignored,
        };
        self.inside(element, children)?;
        let known = function.params.iter().map(|it| &*it.name).collect();
        self.attributes(element, children, known);
        let args = self.arguments(element, function)?;
        let name = Some(self.session.names.intern(function.name.as_bytes()));
        let keyword: &[u8] = if children == Children::One { b".wrap" } else { b".act" };
        let keyword = self.session.names.intern(keyword);
        if function.hears {
            let text = format!("{}.OnEvent", function.name);
            let name = self.session.names.intern(text.as_bytes());
            self.listeners.hears(name, self.file.nodes.len() as u32, element.name_span());
        }
        let node = self.file.open((keyword, name), element.name_span(), &args, None);
        if children == Children::One {
            self.contents(node, element);
        }
        Ok(())
    }

    /// Refuses a node that is not declared, or notes it for a starter.
    fn unknown_host(&mut self, element: Element<'a>) -> Result<(), Refused> {
        if self.session.starter.is_none() {
            return Err(self.unknown(element));
        }
        let inside = match element.children().count() {
            0 => Inside::Nothing,
            1 => Inside::Child,
            _ => Inside::Anything,
        };
        let own = element.attributes().filter(|it| !LOGS.contains(&it.name()));
        let arguments = own.map(|it| (it.name().to_owned(), number::seen(it.value()))).collect();
        let unknown = Unknown { kind: Kind::Action, name: element.name().to_owned(), inside, arguments };
        self.session.note(unknown, element.name_span());
        self.recover(element);
        Ok(())
    }

    /// All attributes, in the order of the manifest. All that are wrong are told.
    fn arguments(&mut self, element: Element<'a>, function: &Function) -> Result<Vec<Value>, Refused> {
        let mut wrong = None;
        let mut values = Vec::with_capacity(function.params.len());
        for param in &function.params {
            let value = match attribute(element, &param.name) {
                Some(attribute) => self.argument(attribute, param),
                None if param.optional => Ok(self.left_out(param)),
                None => Err(missing(element, &param.name)),
            };
            match value {
                Ok(value) => values.push(value),
                Err(finding) => {
                    if let Some(earlier) = wrong.replace(finding) {
                        self.session.diagnostics.push(*earlier);
                    }
                }
            }
        }
        wrong.map_or(Ok(values), Err)
    }

    /// Returns the value of an attribute that is left out.
    fn left_out(&mut self, param: &Param) -> Value {
        match (&param.default, param.ty) {
            (Some(Default::Text(text)), _) => self.text(text),
            (Some(Default::Number(number)), Type::Float | Type::Number | Type::Double) => {
                Value::Float(*number as f32)
            }
            (Some(Default::Number(number)), _) => Value::Int(*number as i32),
            (None, Type::Text) => self.text(""),
            (None, Type::Float | Type::Number | Type::Double) => Value::Float(0.0),
            (None, _) if !param.words.is_empty() => Value::Int(-1),
            (None, _) => Value::Int(0),
        }
    }

    fn argument(&mut self, attribute: Attribute<'a>, param: &Param) -> Result<Value, Refused> {
        let word = param.words.iter().position(|word| word.eq_ignore_ascii_case(attribute.value()));
        let word = word.or_else(|| digit(attribute, param));
        let value = match (param.ty, word) {
            (Type::Int | Type::Bool, Some(index)) => return Ok(Value::Int(index as i32)),
            (_, Some(index)) => return Ok(self.text(&param.words[index])),
            (_, None) if param.others => {
                self.session.diagnostics.push(other_word(attribute, param));
                return Ok(self.left_out(param));
            }
            (Type::Int | Type::Bool, None) if !param.words.is_empty() => {
                return Err(unknown_word(attribute, param));
            }
            (Type::Text, None) => return Ok(self.text(attribute.value())),
            (Type::Bool, None) => return Ok(Value::Int(attributes::truth(self.session, attribute).into())),
            // Attributes are numbers of 32 bits.
            (Type::Int | Type::Int64 | Type::Entity(_) | Type::Enum(_), None) => {
                Value::Int(attributes::number(self.session, attribute, number::int))
            }
            // Only our own language knows vectors: the attribute is their first part.
            (Type::Float | Type::Number | Type::Double | Type::Vec2 | Type::Vec3, None) => {
                Value::Float(attributes::number(self.session, attribute, number::float))
            }
        };
        let number = match value {
            Value::Float(float) => f64::from(float),
            Value::Int(int) => f64::from(int),
            _ => return Ok(value),
        };
        let (least, greatest) = param.range;
        if least <= number && number <= greatest {
            return Ok(value);
        }
        let message = format!("`{}` cannot be {number}", param.name);
        let help = format!("it goes from {least} to {greatest}");
        Err(refused(codes::XML_BAD_VALUE, attribute.value_span(), message, help))
    }
}

/// Returns the boolean that a digit stands for, if the parameter has words for booleans.
fn digit(attribute: Attribute<'_>, param: &Param) -> Option<usize> {
    let digits = if param.ty == Type::Bool && !param.words.is_empty() { ["0", "1"] } else { return None };
    digits.iter().position(|digit| *digit == attribute.value())
}

/// Warns that a word counts as if the attribute were left out.
fn other_word(attribute: Attribute<'_>, param: &Param) -> Diagnostic {
    let default = match param.default {
        Some(Default::Number(index)) => param.words.get(index as usize),
        _ => None,
    };
    let value = attribute.value();
    let message = match default {
        Some(word) => format!("`{}` cannot be `{value}`, and counts `{word}`", param.name),
        None => format!("`{}` cannot be `{value}`, and counts as if it were left out", param.name),
    };
    let finding = Diagnostic::new(codes::ODD_VALUE, attribute.value_span(), message);
    one_of(finding, attribute, param)
}

fn unknown_word(attribute: Attribute<'_>, param: &Param) -> Refused {
    let message = format!("`{}` cannot be `{}`", param.name, attribute.value());
    let finding = Diagnostic::new(codes::XML_BAD_VALUE, attribute.value_span(), message);
    one_of(finding, attribute, param).into()
}

/// Advises a word that a parameter accepts.
fn one_of(finding: Diagnostic, attribute: Attribute<'_>, param: &Param) -> Diagnostic {
    let near = closest(attribute.value(), param.words.iter().map(String::as_str));
    finding.meant(near, format!("it is one of {}", param.words.join(", ")))
}
