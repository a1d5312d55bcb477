//! Functions that trees declare themselves.

use crate::Request;
use crate::manifest::Manifest;
use crate::session::Session;
use crate::source::Library;

/// Returns the actions and queries that the files of the entries declare, for dialects whose files do that. What is wrong with the files
/// is told by [`compile`](crate::compile).
///
/// ```
/// use pleach_compile::{Request, declarations, dialect, manifest::Manifest, texts::Texts};
///
/// let texts = Texts::of("guard", "pleach", "action walk(post: int)  tree guard { action walk(3) }");
/// let (dialect, manifest) = (dialect::by_name("pleach").unwrap(), Manifest::default());
/// let request = Request { dialect, manifest: &manifest, entries: &["guard".into()], debug: false };
/// let declared = declarations(&texts, request);
/// assert_eq!(declared.action("walk").unwrap().params[0].name, "post");
/// ```
#[must_use]
pub fn declarations(library: &dyn Library, request: Request<'_>) -> Manifest {
    let mut session = Session::new(library, request.manifest);
    request.dialect.declarations(&mut session, request.entries)
}
