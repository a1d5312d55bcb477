//! The commands, one function each.

mod bindgen;
mod build;
mod check;
mod completions;
mod convert;
mod cost;
mod diff;
mod explain;
mod fmt;
mod forest;
mod graph;
mod lint;
mod list;
mod live;
mod lsp;
mod manifest;
mod new;
mod replay;
mod run;
mod sweep;
mod test;
mod trace;
mod view;

pub(crate) use bindgen::bindgen;
pub(crate) use build::build;
pub(crate) use check::check;
pub(crate) use completions::completions;
pub(crate) use convert::convert;
pub(crate) use cost::cost;
pub(crate) use diff::diff;
pub(crate) use explain::explain;
pub(crate) use fmt::fmt;
pub(crate) use forest::status as forest_status;
pub(crate) use graph::graph;
pub(crate) use lint::lint;
pub(crate) use list::list;
pub(crate) use lsp::lsp;
pub(crate) use manifest::manifest;
pub(crate) use new::new;
pub(crate) use replay::replay;
pub(crate) use run::run;
pub(crate) use sweep::sweep;
pub(crate) use test::test;
pub(crate) use trace::trace;
pub(crate) use view::view;

use crate::Verdict;
use crate::args::Format;
use crate::failure::Failure;
use crate::render::{Findings, human, json, junit, sarif};

/// Shows the findings, and returns the verdict.
fn report(findings: &Findings, format: Format) -> Result<Verdict, Failure> {
    match format {
        Format::Human => human::show(findings),
        Format::Json => json::show(findings)?,
        Format::Junit => junit::show(findings)?,
        Format::Sarif => sarif::show(findings)?,
    }
    Ok(if findings.failed() { Verdict::Problems } else { Verdict::Fine })
}
