//! Programs written in another format.

use crate::Request;
use crate::diagnostic::Diagnostics;
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

/// Converts a program to a file of BehaviorTree.CPP, version 4.
///
/// What is written has the same statuses and calls of the host. What the library does not have, or
/// does otherwise, is an error. If `approximate` is true, some meanings that are only near are
/// written, with a warning.
///
/// ```
/// use pleach_compile::{Request, dialect, texts::Texts, to_btcpp};
///
/// let text = "action walk(to: int)  var tired: bool  tree guard { while !tired { action walk(3) } }";
/// let (texts, entries) = (Texts::of("guard", "pleach", text), ["guard".into()]);
/// let dialect = dialect::by_name("pleach").unwrap();
/// let manifest = dialect.own_manifest();
/// let request = Request { dialect, manifest: &manifest, entries: &entries, debug: false };
/// let converted = to_btcpp(&texts, request, false);
/// let xml = converted.text.expect("all of it is carried");
/// assert!(xml.contains(r#"<walk to="3"/>"#), "{xml}");
/// ```
#[must_use]
pub fn to_btcpp(library: &dyn Library, request: Request<'_>, approximate: bool) -> Conversion {
    let declared = crate::declarations(library, request);
    let mut session = Session::new(library, request.manifest);
    let mut memory = LoweringMemory::default();
    let module = crate::module(&mut memory, &mut session, request.dialect, request.entries);
    let (_, sources, mut diagnostics) = session.end();
    let text = module.and_then(|module| {
        let functions = [&declared.functions, request.manifest];
        let input = Input { module: &module, sources: &sources, functions, approximate };
        file(&input, &mut diagnostics)
    });
    Conversion { text, sources, diagnostics }
}
