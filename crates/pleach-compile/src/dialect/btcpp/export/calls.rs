//! Leaves of the host.

use super::super::entries::key_of;
use super::super::kinds::{Version, find};
use super::super::names::{NameRule, flaw};
use super::element::{Element, foreign};
use super::{Exporter, Refusal, models, refusal, script};
use crate::ast::Value;
use crate::ir::ImportKind;
use crate::manifest::{Function, Manifest, Param, Type};

impl<'a> Exporter<'a> {
    /// Writes an action.
    pub(super) fn action(&mut self, site: u32) -> Result<Element, Refusal> {
        Ok(self.call(site)?.0)
    }

    /// Writes a leaf that calls the host. Returns the type of the answer with it.
    pub(super) fn call(&mut self, site: u32) -> Result<(Element, Option<Type>), Refusal> {
        let site = self.module.sites[site as usize];
        let import = self.module.imports[site.import as usize];
        let name = self.module.names.text(import.name).into_owned();
        let function = self.function(import.kind, &name)?;
        let args = &self.module.args[site.args.0 as usize..][..site.args.1 as usize];
        if function.params.iter().any(|param| param.ty.floats().is_some()) {
            return Err(refusal("a port holds no vector", "pass the parts as numbers"));
        }
        let mut element = Element::new(&function.name);
        for (index, param) in function.params.iter().enumerate() {
            let Some(value) = args.get(index) else {
                let message = format!(
                    "the argument `{}` is left out, and a port without a value cannot be read",
                    param.name
                );
                return Err(refusal(message, "write the argument"));
            };
            element = element.with(&param.name, &self.port(param, *value)?);
        }
        self.called.insert(function.name.clone(), function);
        Ok((element, function.answers))
    }

    /// Returns the declaration of a function, if it can be a node.
    fn function(&self, kind: ImportKind, name: &str) -> Result<&'a Function, Refusal> {
        let found = |it: &&'a Manifest| match kind {
            ImportKind::Action => it.action(name),
            ImportKind::Query => it.query(name),
        };
        let declared = self.functions.iter().find_map(found);
        let function = declared
            .ok_or_else(|| refusal(format!("`{name}` is not declared"), "declare it in a manifest"))?;
        let name = &function.name;
        if find(Version::Four, name).is_some() {
            let message = format!("BehaviorTree.CPP has a node `{name}` of its own");
            return Err(refusal(message, "rename the function"));
        }
        if let Some(flaw) = flaw(name, NameRule::Model) {
            return Err(refusal(format!("a node cannot be named `{name}`: {flaw}"), "rename the function"));
        }
        if self.called.get(name).is_some_and(|known| !core::ptr::eq(*known, function)) {
            let message = format!("a node cannot be named `{name}`: a query has the name, too");
            return Err(refusal(message, "rename one of them"));
        }
        Ok(function)
    }

    /// Returns the value of a port.
    fn port(&mut self, param: &Param, value: Value) -> Result<String, Refusal> {
        let name = &param.name;
        let special = !models::is_plain_port(param) || flaw(name, NameRule::Port).is_some();
        if special {
            return Err(refusal(format!("a port cannot be named `{name}`"), "rename the parameter"));
        }
        let text = match value {
            Value::Int(int) if param.ty == Type::Bool => (int != 0).to_string(),
            Value::Int(int) => int.to_string(),
            Value::Float(float) => script::number_text(float.into(), false)?,
            Value::Double(wide) => script::number_text(f64::from_bits(wide.bits()), false)?,
            Value::Int64(wide) => (wide.bits() as i64).to_string(),
            Value::Text(text) => {
                let text = core::str::from_utf8(self.module.names.bytes(text)).ok();
                if let Some(letter) = text.and_then(foreign) {
                    return Err(script::foreign_letter(letter));
                }
                // The library reads such a text as a value of another form.
                let plain = text.filter(|text| key_of(text, name).is_none() && !text.starts_with("json:"));
                let help = "use another text";
                plain
                    .ok_or_else(|| refusal("a port with this text would not hold the text", help))?
                    .to_owned()
            }
            Value::Variable(slot) => self.connected(param, slot)?,
            Value::Out(slot, _) => self.connected(param, slot)?,
            Value::Nobody => {
                return Err(refusal("a port cannot hold `none`", "leave the action without the entity"));
            }
            Value::Expression(_) => {
                return Err(refusal("the argument is computed", "write it into a variable before"));
            }
        };
        Ok(text)
    }

    /// Returns the value of a port that is connected with the entry of a variable.
    fn connected(&mut self, param: &Param, slot: u32) -> Result<String, Refusal> {
        let Ok(slot) = u16::try_from(slot) else {
            return Err(refusal("there are too many variables", "use fewer variables"));
        };
        let entry = self.entry(slot)?;
        let ty = models::ty(param);
        let known = *self.declared.entry(entry.clone()).or_insert(ty);
        if known != ty {
            let message =
                format!("`{entry}` is connected with a port of the type {known}, and here with one of {ty}");
            return Err(refusal(message, "copy the variable into another one with `set`, and pass that"));
        }
        Ok(format!("{{{entry}}}"))
    }
}
