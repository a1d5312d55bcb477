//! Programs written in another format.

use crate::Request;
use crate::codes;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::dialect::btcpp::export::{Input, file};
use crate::lower::LoweringMemory;
use crate::session::Session;
use crate::source::{Library, Sources};

/// Result of a conversion.
#[derive(Debug)]
pub struct Conversion {
    /// The file in the other format; `None` if there are errors.
    pub text: Option<String>,
    /// Files that were read.
    pub sources: Sources,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

/// Choices of a conversion.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConversionOptions<'a> {
    /// Name of the tree that is to run; by default the tree that has the name of the file, else the
    /// first one that no other tree uses.
    pub main: Option<&'a str>,
    /// Reads trees leniently, as [`Compiler::lenient`](crate::Compiler::lenient) does.
    pub lenient: bool,
    /// Accepts some meanings that are only near, with a warning.
    pub approximate: bool,
}

/// Converts a program to a file of BehaviorTree.CPP, version 4.
///
/// What is written has the same statuses and calls of the host. What the library does not have, or
/// does otherwise, is an error. Trees that others use are written as their subtrees.
///
/// ```
/// use pleach_compile::{ConversionOptions, Request, dialect, texts::Texts, to_btcpp};
///
/// let text = "action walk(to: int)
///     var tired: bool
///     tree guard { while !tired { action walk(3) } }";
/// let (texts, entries) = (Texts::of("guard", "pleach", text), ["guard".into()]);
/// let dialect = dialect::by_name("pleach").unwrap();
/// let manifest = dialect.own_manifest();
/// let request = Request { dialect, manifest: &manifest, entries: &entries, debug: false };
/// let converted = to_btcpp(&texts, request, ConversionOptions::default());
/// let xml = converted.text.expect("all of it is carried");
/// assert!(xml.contains(r#"<walk to="3"/>"#), "{xml}");
/// ```
#[must_use]
pub fn to_btcpp(library: &dyn Library, request: Request<'_>, options: ConversionOptions<'_>) -> Conversion {
    let declared = crate::declarations(library, request);
    let mut session = Session::new(library, request.manifest);
    session.lenient = options.lenient;
    let mut memory = LoweringMemory::default();
    let module = crate::module(&mut memory, &mut session, request.dialect, request.entries);
    let (_, sources, mut diagnostics) = session.end();
    let text = module.and_then(|module| {
        let names = module.entries.iter().map(|entry| module.blocks[*entry as usize].name);
        let missing = options.main.filter(|main| names.clone().all(|name| module.names.text(name) != *main));
        if let Some(main) = missing {
            let message = format!("there is no tree `{main}` that can be started");
            diagnostics.push(Diagnostic::new(codes::TREE_NOT_FOUND, None, message));
            return None;
        }
        let functions = [&declared.functions, request.manifest];
        let main = options.main.or(request.entries.first().map(String::as_str));
        let approximate = options.approximate;
        let input = Input { module: &module, sources: &sources, functions, main, approximate };
        file(&input, &mut diagnostics)
    });
    Conversion { text, sources, diagnostics }
}
