//! Functions and constants that trees declare themselves.

use crate::Request;
use crate::manifest::Declarations;
use crate::session::Session;
use crate::source::Library;

/// Returns the declarations of the files of the entries, and of all that they include.
///
/// Dialects whose files declare nothing have none. Errors of the files are told by
/// [`compile`](crate::compile).
///
/// ```
/// use pleach_compile::manifest::{Constant, Manifest};
/// use pleach_compile::texts::Texts;
/// use pleach_compile::{Request, declarations, dialect};
///
/// let text = "action walk(post: int)  const POST = 3  tree guard { action walk(POST) }";
/// let texts = Texts::of("guard", "pleach", text);
/// let (dialect, manifest) = (dialect::by_name("pleach").unwrap(), Manifest::default());
/// let entries = ["guard".into()];
/// let request = Request { dialect, manifest: &manifest, entries: &entries, debug: false };
/// let declared = declarations(&texts, request);
/// assert_eq!(declared.functions.action("walk").unwrap().params[0].name, "post");
/// assert_eq!(declared.constants, [("POST".to_owned(), Constant::Int(3))]);
/// ```
#[must_use]
pub fn declarations(library: &dyn Library, request: Request<'_>) -> Declarations {
    let mut session = Session::new(library, request.manifest);
    request.dialect.declarations(&mut session, request.entries)
}
