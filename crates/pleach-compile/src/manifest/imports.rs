//! Functions that images import, for starters.
//!
//! An image has no declarations. It has the names of the functions that its trees call, and for
//! each call the arguments.

use super::declaration::Kind;
use super::starter::{Argument, Starter, Uses, both};
use super::{Function, Inside, Manifest, Type};
use core::fmt::Write;
use pleach_image::format::{SiteRow, ValueRow, import_kind, slot_kind, value_tag, wrapper_kind};
use pleach_image::isa::StackOp;
use pleach_image::{EnumSubject, Image};
use std::collections::HashSet;

/// Largest number of arguments of a function that is declared. Calls of an image can share their
/// arguments, so a small image could have billions of parameters.
const MOST_ARGUMENTS: usize = 64;

/// Largest number of parameters of all functions of an image.
const MOST_PARAMETERS: usize = 1 << 16;

/// Largest number of letters about the enums of a function.
const MOST_LETTERS: usize = 240;

/// Calls of a function.
#[derive(Clone, Default)]
struct Calls {
    /// Type of each argument, and true if it is an out argument.
    arguments: Vec<(Type, bool)>,
    /// Smallest number of arguments; `None` without a call.
    least: Option<usize>,
    /// Type of the answer that a query gives by out arguments.
    gives: Option<Type>,
    /// Type of the answer that conditions need.
    needs: Option<Type>,
    is_decorator: bool,
}

impl Starter {
    /// Notes the functions that an image imports and that a manifest lacks. `name` is what comments
    /// call the image.
    ///
    /// ```
    /// use pleach_compile::manifest::{Manifest, Starter};
    /// use pleach_compile::{Request, compile, dialect, texts::Texts};
    /// use pleach_image::Image;
    ///
    /// let text = "action walk(to: int)
    ///     query seen(): bool
    ///     tree guard { if seen() { action walk(3) } }";
    /// let (dialect, manifest) = (dialect::by_name("pleach").unwrap(), Manifest::default());
    /// let request =
    ///     Request { dialect, manifest: &manifest, entries: &["guard".into()], debug: false };
    /// let bytes = compile(&Texts::of("guard", "pleach", text), request).image.unwrap();
    /// let mut starter = Starter::default();
    /// starter.read_image("guard.plc", &Image::copy(&bytes).unwrap(), &manifest);
    /// assert_eq!(
    ///     starter.to_string(),
    ///     "action walk(value1: int) # guard.plc\nquery seen() -> bool # guard.plc\n"
    /// );
    /// ```
    pub fn read_image<D: AsRef<[u8]>>(&mut self, name: &str, image: &Image<D>, manifest: &Manifest) {
        let actions = manifest.actions.iter().map(|it| (Kind::Action, it));
        let all = actions.chain(manifest.queries.iter().map(|it| (Kind::Query, it)));
        let folded = |(kind, it): (Kind, &Function)| (kind, it.name.to_ascii_lowercase());
        let known: HashSet<_> = all.map(folded).collect();
        let mut room = MOST_PARAMETERS;
        for (index, (import, calls)) in image.imports().iter().zip(calls(image)).enumerate() {
            let is_query = import_kind::of(import.kind) == import_kind::QUERY;
            let kind = if is_query { Kind::Query } else { Kind::Action };
            let function = image.name(import.name).to_owned();
            if known.contains(&(kind, function.to_ascii_lowercase())) {
                continue;
            }
            let mut uses = calls.uses(import.min_args.into(), import.max_args.into());
            if uses.arguments.len() > MOST_ARGUMENTS.min(room) {
                uses.arguments.clear();
                uses.trouble = Some("it has too many parameters");
            }
            let count = uses.arguments.len();
            room -= count;
            if is_query && image.enum_of(EnumSubject::Answer(index as u32)).is_some() {
                uses.answers = Type::Int;
            }
            self.add((kind, function), uses, || name.to_owned() + &enums(image, index as u32, count));
        }
    }
}

impl Calls {
    /// Adds the arguments of a call.
    fn arguments(&mut self, types: impl ExactSizeIterator<Item = (Type, bool)>) {
        let count = types.len();
        self.least = Some(self.least.map_or(count, |least| least.min(count)));
        for (place, new) in types.take(MOST_ARGUMENTS + 1).enumerate() {
            match self.arguments.get_mut(place) {
                Some((ty, out)) => (*ty, *out) = (both(*ty, new.0), *out && new.1),
                None => self.arguments.push(new),
            }
        }
    }

    /// Notes the type that a condition needs of the answer.
    fn needs(&mut self, ty: Type) {
        self.needs = Some(self.needs.map_or(ty, |known| both(known, ty)));
    }

    /// Returns the calls as uses of the name. `least` and `most` are the numbers of arguments that
    /// the image allows; without a declaration, trees can pass any number.
    fn uses(self, least: usize, most: usize) -> Uses {
        let Self { mut arguments, least: passed, gives, needs, is_decorator } = self;
        let is_declared = most < usize::from(u16::MAX);
        let least = if is_declared { least } else { passed.unwrap_or_default() };
        // The last arguments of such a query are its answer.
        if is_declared && gives.is_none() {
            arguments.resize(most.min(MOST_ARGUMENTS + 1).max(arguments.len()), (Type::Number, false));
        }
        // One use with as few arguments as possible, and one with all of them.
        let argument = |(place, (ty, out)): (usize, (Type, bool))| Argument {
            name: format!("value{}", place + 1),
            ty,
            out,
            count: if place < least { 2 } else { 1 },
        };
        Uses {
            inside: if is_decorator { Inside::Child } else { Inside::Nothing },
            answers: gives.or(needs).unwrap_or(Type::Number),
            arguments: arguments.into_iter().enumerate().map(argument).collect(),
            count: 2,
            trouble: None,
        }
    }
}

/// Returns the calls of each function of an image.
fn calls<D: AsRef<[u8]>>(image: &Image<D>) -> Vec<Calls> {
    let mut calls = vec![Calls::default(); image.imports().len()];
    let sites = image.sites();
    for SiteRow { import, count, first } in sites {
        let values = &image.values()[*first as usize..][..usize::from(*count)];
        let is_query = import_kind::of(image.imports()[usize::from(*import)].kind) == import_kind::QUERY;
        let mut near = values.iter().take(MOST_ARGUMENTS);
        let answer = if is_query { near.position(|it| it.tag == value_tag::OUT) } else { None };
        let (arguments, answer) = values.split_at(answer.unwrap_or(values.len()));
        let function = &mut calls[usize::from(*import)];
        function.arguments(arguments.iter().map(|it| (type_of(image, it), it.tag == value_tag::OUT)));
        function.gives = function.gives.or(answer_of(image, answer));
    }
    let code = image.condition_code();
    let ops = code.iter().map(|word| word.op()).skip(1).chain([None]);
    for (word, next) in code.iter().zip(ops).filter(|(word, _)| word.op() == Some(StackOp::Query)) {
        let ty = if next == Some(StackOp::Truth) { Type::Bool } else { Type::Number };
        calls[usize::from(sites[usize::from(word.a)].import)].needs(ty);
    }
    for wrapper in image.wrappers().iter().filter(|it| it.kind == wrapper_kind::HOST) {
        calls[usize::from(sites[usize::from(wrapper.index)].import)].is_decorator = true;
    }
    calls
}

/// Returns the type of an argument.
fn type_of<D: AsRef<[u8]>>(image: &Image<D>, value: &ValueRow) -> Type {
    match value.tag {
        value_tag::INT => Type::Int,
        value_tag::FLOAT => Type::Float,
        value_tag::TEXT => Type::Text,
        value_tag::INT64 => Type::Int64,
        value_tag::DOUBLE => Type::Double,
        value_tag::ENTITY => Type::Entity(0),
        _ => match image.slots().get(value.bits as usize).map_or(0, |slot| slot.kind) {
            slot_kind::BIT => Type::Bool,
            slot_kind::I8 | slot_kind::U8 | slot_kind::I16 | slot_kind::U16 | slot_kind::I32 => Type::Int,
            slot_kind::F32 => Type::Float,
            slot_kind::I64 => Type::Int64,
            slot_kind::F64 => Type::Double,
            slot_kind::ENTITY => Type::Entity(0),
            slot_kind::TEXT => Type::Text,
            _ => Type::Number,
        },
    }
}

/// Returns the type of an answer that a query gives by out arguments.
fn answer_of<D: AsRef<[u8]>>(image: &Image<D>, outs: &[ValueRow]) -> Option<Type> {
    match *outs {
        [] => None,
        [_] => Some(type_of(image, &outs[0])),
        [_, _] => Some(Type::Vec2),
        [_, _, _] => Some(Type::Vec3),
        _ => Some(Type::Number),
    }
}

/// Returns words about the enums of a function, for a comment. Manifests have no enums.
fn enums<D: AsRef<[u8]>>(image: &Image<D>, import: u32, arguments: usize) -> String {
    let mut text = String::new();
    let parameter = |at: usize| (format!("value{}", at + 1), EnumSubject::Parameter(import, at as u32));
    let answer = ("the answer".to_owned(), EnumSubject::Answer(import));
    for (what, subject) in (0..arguments).map(parameter).chain([answer]) {
        let of = image.enum_of(subject).filter(|_| text.len() < MOST_LETTERS);
        let Some(of) = of else { continue };
        let mut gap = ":";
        let _ = write!(text, "; {what} is of the enum {}", image.enum_name(of));
        for (name, number) in image.enum_members(of) {
            if text.len() > MOST_LETTERS {
                break;
            }
            let _ = write!(text, "{gap} {name} = {number}");
            gap = ",";
        }
    }
    if let Some((end, _)) = text.char_indices().nth(MOST_LETTERS) {
        text.truncate(end);
        text.push('…');
    }
    text
}
