//! Explanations of codes: sections of the pages in `spec/diagnostics`, and of `spec/lint.md`.
//!
//! The pages are part of the command. A link to a section leads to the page in the checkout that
//! the command was built from, if the page is still there.

use pleach_compile::codes;
use pleach_compile::diagnostic::Code;
use pleach_lint::rule;
use std::path::Path;

/// Folder of the pages in the checkout that this command was built from.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec");

/// Pages, by path. A page has a section for each of its codes.
const PAGES: &[(&str, &str)] = &[
    ("diagnostics/general.md", include_str!("../../../spec/diagnostics/general.md")),
    ("diagnostics/pleach.md", include_str!("../../../spec/diagnostics/pleach.md")),
    ("diagnostics/unvanquished.md", include_str!("../../../spec/diagnostics/unvanquished.md")),
    ("diagnostics/xml.md", include_str!("../../../spec/diagnostics/xml.md")),
    (RULES, include_str!("../../../spec/lint.md")),
];

/// Page about the rules of `pleach lint`. Its text introduces each mended example.
const RULES: &str = "lint.md";

/// Explanation of a code.
pub(crate) struct Explanation {
    code: Code,
    page: &'static str,
    /// Heading of the section: the code, and for a rule its name.
    heading: &'static str,
    /// Section in Markdown, without its heading.
    section: &'static str,
}

/// Returns a code of the compiler or of a rule by its name, in upper or lower case.
pub(crate) fn code(name: &str) -> Option<Code> {
    let mut all = codes::ALL.iter().copied().chain(rule::ALL.iter().map(|rule| rule.code));
    all.find(|code| code.id.eq_ignore_ascii_case(name))
}

/// Returns the explanation of a code, in upper or lower case.
pub(crate) fn find(name: &str) -> Option<Explanation> {
    let code = code(name)?;
    let of_page = |(page, text): &(&'static str, &'static str)| {
        let mut sections = text.split("\n## ").skip(1).filter_map(|section| section.split_once('\n'));
        let (heading, section) = sections.find(|(heading, _)| heading.split(' ').next() == Some(code.id))?;
        Some(Explanation { code, page, heading, section })
    };
    PAGES.iter().find_map(of_page)
}

/// Returns the address of the section about a code, for a hyperlink. Returns `None` if the checkout
/// is no longer there.
pub(crate) fn address(code: &str) -> Option<String> {
    let Explanation { page, heading, .. } = find(code)?;
    let path = Path::new(FOLDER).join(page).canonicalize().ok()?;
    let path = path.display().to_string();
    Some(format!("{}#{}", pleach_lsp::address(&path), heading.to_ascii_lowercase().replace(' ', "-")))
}

impl Explanation {
    /// Returns the explanation as text for a terminal: the code with its meaning, and the section
    /// with its examples indented under titles.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("{}: {}\n", self.code.id, self.code.meaning);
        let mut in_example = false;
        for line in self.section.trim_end().lines() {
            if let Some(info) = line.strip_prefix("```") {
                in_example = !in_example;
                if in_example && self.page != RULES {
                    text.push_str(&format!("{}\n\n", title(info)));
                }
                continue;
            }
            let is_indented = in_example && !line.is_empty();
            text.push_str(if is_indented { "    " } else { "" });
            text.push_str(line);
            text.push('\n');
        }
        text
    }
}

/// Returns the title of an example, from the words behind its fence: the language, the name of a
/// file if the example needs one, and `wrong` if it causes the code.
fn title(info: &str) -> String {
    let mut words = info.split(' ');
    let is_other = words.next() == Some("text");
    let (mut name, mut kind) = (None, "Mended");
    for word in words {
        if word == "wrong" { kind = "Wrong" } else { name = Some(word) }
    }
    match name {
        Some(name) if is_other => format!("The file {name}:"),
        Some(name) => format!("{kind}, in {name}:"),
        None => format!("{kind}:"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_end_before_the_next() {
        let text = find("e0603").expect("a section").text();
        assert!(text.starts_with("E0603: a text without end\n\nA text begins with"), "{text}");
        assert!(text.contains("\nWrong:\n\n    action say(line: text)\n\n    tree main"), "{text}");
        assert!(text.ends_with("say(\"who is there?\") }\n") && !text.contains("```"), "{text}");
        assert!(find("E0600").is_none() && find("## ").is_none());
        let text = find("L010").expect("a section").text();
        assert!(text.starts_with("L010: list with one child"), "{text}");
        assert!(text.contains("\nBetter:\n\n    action roam()") && !text.contains("Mended:"), "{text}");
    }

    #[test]
    fn titles_name_files() {
        assert_eq!(title("pleach wrong"), "Wrong:");
        assert_eq!(title("bt bots/main.bt"), "Mended, in bots/main.bt:");
        assert_eq!(title("text shared.pleach"), "The file shared.pleach:");
    }

    #[test]
    fn addresses_lead_to_sections() {
        let address = address("E0611").expect("the checkout");
        assert!(address.ends_with("/spec/diagnostics/pleach.md#e0611"), "{address}");
        let address = super::address("l010").expect("the checkout");
        assert!(address.ends_with("/spec/lint.md#l010-one-child"), "{address}");
    }
}
