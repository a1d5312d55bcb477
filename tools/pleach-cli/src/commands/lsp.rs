//! `pleach lsp`: trees in editors.

use crate::Verdict;
use crate::args::Lsp;
use crate::failure::Failure;

/// Serves an editor until it ends the session.
pub(crate) fn lsp(_: &Lsp) -> Result<Verdict, Failure> {
    pleach_lsp::serve_stdio(Some(super::test::results)).map_err(Failure::new)?;
    Ok(Verdict::Fine)
}
