//! Models of nodes, by which editors and the library know the ports of the game's own nodes.

use super::super::hosts::{GIVEN, NAME, WAKE};
use super::super::kinds::{Version, find};
use super::element::{Element, HEAD, foreign};
use crate::manifest::{Default, Function, Inside, Leaf, Manifest, Param, Type};

/// Returns a file with models of all actions of a manifest, and of its queries that answer a truth.
pub(crate) fn file(manifest: &Manifest) -> String {
    let queries = manifest.queries.iter().filter(|query| query.answers == Some(Type::Bool));
    let models = section(manifest.actions.iter().chain(queries));
    let mut text = HEAD.to_owned();
    Element::around("root", [models]).with("BTCPP_format", "4").write(&mut text, 0);
    text
}

/// Returns the section of a file that has models of functions, without those of the library.
pub(super) fn section<'f>(functions: impl IntoIterator<Item = &'f Function>) -> Element {
    let own = functions.into_iter().filter(|function| find(Version::Four, &function.name).is_none());
    Element::around("TreeNodesModel", own.map(model))
}

fn model(function: &Function) -> Element {
    let word = match (function.inside, function.leaf) {
        (Inside::Child, _) => "Decorator",
        _ if function.answers.is_some() => "Condition",
        (_, Leaf::Condition) => "Condition",
        _ => "Action",
    };
    let params = || function.params.iter();
    let is_read = |name: &str| params().any(|param| !param.out && param.name == name);
    let is_written = |name: &str| params().any(|param| param.out && param.name == name);
    let ports = params().filter(|param| is_plain_port(param) && !is_mark(param, function));
    let ports = ports.filter_map(|param| {
        let way = match (is_read(&param.name), is_written(&param.name)) {
            // A port that is read and written has two parameters.
            (true, true) if param.out => return None,
            (true, true) => "inout_port",
            (false, _) => "output_port",
            (true, _) => "input_port",
        };
        let port = Element::new(way).with("name", &param.name).with("type", ty(param));
        let default = param.default.as_ref().map(|default| text(default, param.ty));
        Some(match default.filter(|text| foreign(text).is_none()) {
            Some(default) => port.with("default", &default),
            None => port,
        })
    });
    ports.fold(Element::new(word).with("ID", &function.name), Element::child)
}

/// Returns true for a parameter that is a port, and not the name of the node or its wake-up flag.
pub(super) fn is_plain_port(param: &Param) -> bool {
    param.name != NAME && !(param.out && param.name == WAKE)
}

/// Returns true for a parameter that says if a port can be read or written.
fn is_mark(param: &Param, function: &Function) -> bool {
    let port = param.name.strip_suffix(GIVEN).filter(|_| param.ty == Type::Bool);
    port.is_some_and(|port| function.params.iter().any(|param| param.name == port))
}

/// Returns the name of the type of a port, as the library spells it.
pub(super) fn ty(param: &Param) -> &'static str {
    match param.ty {
        Type::Bool => "bool",
        Type::Int if param.range.0 == 0.0 => "unsigned int",
        Type::Int | Type::Enum(_) => "int",
        Type::Float => "float",
        Type::Number | Type::Double => "double",
        Type::Int64 => "long",
        Type::Text => "std::string",
        Type::Entity(_) | Type::Vec2 | Type::Vec3 => "Entity",
    }
}

fn text(default: &Default, ty: Type) -> String {
    match default {
        Default::Number(number) if ty == Type::Bool => (*number != 0.0).to_string(),
        Default::Number(number) => number.to_string(),
        Default::Text(text) => text.clone(),
    }
}
