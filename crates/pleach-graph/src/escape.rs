//! Texts inside of XML.

/// Returns a text for XML: without markup, and without characters that XML does not allow.
#[must_use]
pub fn escape_xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_has_no_markup_and_no_control_characters() {
        assert_eq!(escape_xml("a < \"b\" & c > \u{1b}[0m"), "a &lt; &quot;b&quot; &amp; c &gt;  [0m");
    }
}
