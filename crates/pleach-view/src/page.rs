//! The page: one document, which loads nothing else, joined from its parts.
//!
//! The parts are plain text that an editor understands: HTML, style sheets, scripts. They stand one after the other, and that is all
//! there is to build. The scripts share one scope; they begin to run with the last one.

/// The document, with places for a nonce and for data.
const PAGE: &str = concat!(
    include_str!("../page/head.html"),
    include_str!("../page/base.css"),
    include_str!("../page/layout.css"),
    include_str!("../page/tree.css"),
    include_str!("../page/panels.css"),
    include_str!("../page/body.html"),
    include_str!("../page/dom.js"),
    include_str!("../page/model.js"),
    include_str!("../page/link.js"),
    include_str!("../page/layout.js"),
    include_str!("../page/heat.js"),
    include_str!("../page/tree.js"),
    include_str!("../page/node.js"),
    include_str!("../page/source.js"),
    include_str!("../page/list.js"),
    include_str!("../page/agent.js"),
    include_str!("../page/time.js"),
    include_str!("../page/banner.js"),
    include_str!("../page/main.js"),
    include_str!("../page/tail.html"),
);

/// The document with this nonce and, if it is to show a run without a server, with its messages: a JSON array.
pub(crate) fn document(nonce: &str, data: &str) -> String {
    // In data first, for it may hold whatever a source does.
    let data = data.replace('<', "\\u003c");
    let pieces: Vec<_> = PAGE.split("{{data}}").map(|piece| piece.replace("{{nonce}}", nonce)).collect();
    pieces.join(&data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_stays_data() {
        let page = document("0123", r#"["</script>{{nonce}}"]"#);
        assert!(page.contains(r#"["\u003c/script>{{nonce}}"]"#));
        assert!(page.contains("nonce=\"0123\"") && !page.contains("nonce=\"{{"));
    }
}
