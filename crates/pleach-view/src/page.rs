//! The page: one document, which loads nothing else.
//!
//! Its parts are plain text that an editor understands: HTML, style sheets, scripts. They are
//! concatenated; there is no other build step. The scripts share one scope. The last one starts the
//! program.

/// Document, with placeholders for a nonce and for data.
const PAGE: &str = concat!(
    include_str!("../page/head.html"),
    include_str!("../page/base.css"),
    include_str!("../page/layout.css"),
    include_str!("../page/tree.css"),
    include_str!("../page/panels.css"),
    include_str!("../page/editing.css"),
    include_str!("../page/body.html"),
    include_str!("../page/dom.js"),
    include_str!("../page/model.js"),
    include_str!("../page/link.js"),
    include_str!("../page/layout.js"),
    include_str!("../page/heat.js"),
    include_str!("../page/tree.js"),
    include_str!("../page/cards.js"),
    include_str!("../page/node.js"),
    include_str!("../page/source.js"),
    include_str!("../page/list.js"),
    include_str!("../page/agent.js"),
    include_str!("../page/time.js"),
    include_str!("../page/banner.js"),
    include_str!("../page/editing.js"),
    include_str!("../page/palette.js"),
    include_str!("../page/gestures.js"),
    include_str!("../page/form.js"),
    include_str!("../page/text.js"),
    include_str!("../page/why.js"),
    include_str!("../page/main.js"),
    include_str!("../page/tail.html"),
);

/// Returns the document with a nonce. `data` is empty, or a JSON array of messages if the page
/// shows a run without a server.
pub(crate) fn document(nonce: &str, data: &str) -> String {
    // Data is escaped first, because it may contain any text of a source.
    let data = data.replace('<', "\\u003c");
    let pieces: Vec<_> = PAGE.split("{{data}}").map(|piece| piece.replace("{{nonce}}", nonce)).collect();
    pieces.join(&data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_types_are_words_of_the_source() {
        let page = document("0123", "[]");
        let words = page.split("const WORDS = new Set([").nth(1).and_then(|rest| rest.split("])").next());
        let words: Vec<_> = words.expect("the list of words").split(", ").collect();
        for name in (0..64).filter_map(pleach_image::format::slot_kind::name) {
            assert!(words.contains(&format!("{name:?}").as_str()), "{name}");
        }
    }

    #[test]
    fn data_stays_data() {
        let page = document("0123", r#"["</script>{{nonce}}"]"#);
        assert!(page.contains(r#"["\u003c/script>{{nonce}}"]"#));
        assert!(page.contains("nonce=\"0123\"") && !page.contains("nonce=\"{{"));
    }
}
