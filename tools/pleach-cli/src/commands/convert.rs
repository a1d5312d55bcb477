//! `pleach convert`: trees in the format of another library.

use super::report;
use crate::Verdict;
use crate::args::{Convert, Format, Target};
use crate::failure::Failure;
use crate::input::Job;
use crate::output;
use crate::render::Findings;
use crate::write::{Kind, Output, signed};
use pleach_compile::ConversionOptions;

/// Converts trees, and reports what the format does not have. If there are errors, no file is
/// written.
pub(crate) fn convert(args: &Convert) -> Result<Verdict, Failure> {
    if args.output.is_none() && args.report.format != Format::Human {
        let why = "standard output cannot hold both the findings and the trees: give --output, or leave --format out";
        return Err(Failure::new(why));
    }
    let mut findings = Findings::default();
    let job = Job::new(&[args.file.as_path()], &args.compile)?;
    let options = ConversionOptions {
        main: args.compile.entry.as_deref(),
        lenient: args.compile.lenient,
        approximate: args.approximate,
    };
    let text = match args.to {
        Target::Btcpp => job.to_btcpp(options, &mut findings),
    };
    let told = !findings.list().is_empty() || args.report.format != Format::Human;
    let verdict = if told { report(&findings, args.report.format)? } else { Verdict::Fine };
    let Some(text) = text.map(|text| signed(&text, "convert")) else { return Ok(verdict) };
    match &args.output {
        Some(path) => {
            let output = Output { path, kind: Kind::Trees, force: args.overwrite.force };
            output.write(job.inputs(&args.compile), text.as_bytes())?;
        }
        None => output::print(&text)?,
    }
    Ok(verdict)
}
