//! Models of nodes in files, as declarations of a manifest.

use super::kinds::{Version, find};
use super::values::{integer, real, truth};
use super::xml::{Document, Element};

/// Returns the declarations of the nodes that a file has models of, without those of the library.
pub(super) fn declarations(document: &Document) -> String {
    let sections = document.children(0).filter(|it| document.elements[*it].name == "TreeNodesModel");
    let models = sections.flat_map(|section| document.children(section));
    models.filter_map(|model| declaration(document, model)).collect()
}

fn declaration(document: &Document, model: usize) -> Option<String> {
    let row = &document.elements[model];
    let id = row.attribute("ID").filter(|id| find(Version::Four, id).is_none())?;
    let (word, end) = match &*row.name {
        "Action" => ("action", ""),
        "Condition" => ("action", " condition"),
        "Decorator" => ("decorator", ""),
        _ => return None,
    };
    let (mut required, mut optional) = (Vec::new(), Vec::new());
    for port in document.children(model) {
        let port = &document.elements[port];
        let Some(name) = port.attribute("name").filter(|name| is_name(name)) else { continue };
        let ty = ty(port.attribute("type").unwrap_or_default());
        let reads = matches!(&*port.name, "input_port" | "inout_port");
        if reads {
            required.push(format!("{name}_given: bool"));
            match default(port, ty) {
                Some(default) => optional.push(format!("{name}: {ty} = {default}")),
                None => required.push(format!("{name}: {ty}")),
            }
        }
        let writes = matches!(&*port.name, "output_port" | "inout_port");
        if writes {
            required.push(format!("out {name}: {ty}"));
        }
    }
    required.append(&mut optional);
    is_name(id).then(|| format!("{word} {id}({}){end}\n", required.join(", ")))
}

/// Returns the type of a port. Types of the host's own are entities.
fn ty(name: &str) -> &'static str {
    match name {
        "int" | "short" | "unsigned short" | "int16" | "uint16" | "int8" | "uint8" => "int",
        "int64" | "long" | "unsigned int" | "unsigned" | "unsigned long" | "uint" => "int64",
        "double" => "double",
        "float" => "float",
        "bool" => "bool",
        "string" | "std::string" | "" | "BT::AnyTypeAllowed" => "text",
        _ => "entity",
    }
}

/// Returns the default of a port, if it is a value of its type.
fn default(port: &Element, ty: &str) -> Option<String> {
    let text = port.attribute("default")?;
    if text.starts_with('{') && text.ends_with('}') && !text.contains([',', '"', '=']) {
        return Some(format!("\"{text}\""));
    }
    let plain = !text.contains([',', '"', '#', '(', ')', '{', '=', '?', '\n']);
    match ty {
        "bool" => truth(text).map(|is| u8::from(is).to_string()),
        "int" | "int64" => integer(text).map(|(int, _)| int.to_string()),
        "double" | "float" => real(text).filter(|(it, _)| it.is_finite()).map(|(it, _)| it.to_string()),
        "text" if plain => Some(format!("\"{text}\"")),
        _ => None,
    }
}

fn is_name(text: &str) -> bool {
    let part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.bytes().all(part) && text.bytes().next().is_some_and(|first| !first.is_ascii_digit())
}
