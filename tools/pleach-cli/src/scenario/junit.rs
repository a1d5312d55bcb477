//! Results as JUnit has them, which most services for continuous integration read.

use pleach_graph::escape_xml;
use std::fmt::Write;

/// Result of a test: its file, its name, and the problem with its line.
pub(crate) struct Result {
    pub(crate) file: String,
    pub(crate) name: String,
    pub(crate) wrong: Option<(u32, String)>,
}

/// Returns results as XML.
pub(crate) fn xml(results: &[Result]) -> String {
    let failed = results.iter().filter(|result| result.wrong.is_some()).count();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"pleach\" tests=\"{}\" failures=\"{failed}\">\n",
        results.len()
    );
    for Result { file, name, wrong } in results {
        let (class, name) = (escape_xml(file), escape_xml(name));
        let _ = write!(text, "<testcase classname=\"{class}\" name=\"{name}\"");
        let _ = match wrong {
            None => writeln!(text, "/>"),
            Some((line, why)) => {
                let why = escape_xml(why);
                writeln!(text, "><failure message=\"{why}\">{class}:{line}: {why}</failure></testcase>")
            }
        };
    }
    text + "</testsuite>\n</testsuites>\n"
}
