//! `pleach --explain`: the meaning of a diagnostic code, with examples.

use crate::Verdict;
use crate::explanations;
use crate::failure::Failure;
use crate::output::{self, Tone};

/// Prints the explanation of a code.
pub(crate) fn explain(code: &str) -> Result<Verdict, Failure> {
    let Some(explanation) = explanations::find(code) else {
        return Err(Failure::new(format!(
            "there is no diagnostic code `{code}`; a code is `E` or `W` and four digits, such as E0611, or `L` and three digits, such as L010"
        )));
    };
    let text = explanation.text();
    let heading = text.lines().next().unwrap_or_default();
    output::print_toned(&text, |line| if line.trim_end() == heading { Tone::Heading } else { Tone::Plain })?;
    Ok(Verdict::Fine)
}
