//! The page: one document, which loads nothing else.
//!
//! Its parts are plain text that an editor understands: HTML, style sheets, scripts. They are
//! concatenated. The scripts share one scope. The last one starts the program.
//!
//! A page that edits has an editor before its scripts: CodeMirror, bundled in one file that
//! `page/codemirror/bundle.sh` makes.

/// Beginning of the document, with placeholders for a nonce and for data.
const HEAD: &str = concat!(
    include_str!("../page/head.html"),
    include_str!("../page/base.css"),
    include_str!("../page/layout.css"),
    include_str!("../page/tree.css"),
    include_str!("../page/panels.css"),
    include_str!("../page/editing.css"),
    include_str!("../page/body.html"),
);

/// Editor of the source.
const EDITOR: &str = include_str!("../page/codemirror.js");

/// Scripts and end of the document.
const SCRIPTS: &str = concat!(
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
    include_str!("../page/editor.js"),
    include_str!("../page/drafts.js"),
    include_str!("../page/text.js"),
    include_str!("../page/compare.js"),
    include_str!("../page/why.js"),
    include_str!("../page/main.js"),
    include_str!("../page/tail.html"),
);

/// Returns the document with a nonce, for a page that edits or one that only shows. `data` is
/// empty, or a JSON array of messages if the page shows a run without a server.
pub(crate) fn document(nonce: &str, data: &str, edits: bool) -> String {
    let head = HEAD.replace("{{nonce}}", nonce);
    // Data is escaped, because it may contain any text of a source.
    let head = head.replace("{{data}}", &data.replace('<', "\\u003c"));
    [head.as_str(), if edits { EDITOR } else { "" }, SCRIPTS].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::process::{Command, Stdio};
    use std::thread;

    #[test]
    fn all_types_are_words_of_the_source() {
        let page = document("0123", "[]", true);
        let words = page.split("const WORDS = new Set([").nth(1).and_then(|rest| rest.split("])").next());
        let words: Vec<_> = words.expect("the list of words").split(", ").collect();
        for name in (0..64).filter_map(pleach_image::format::slot_kind::name) {
            assert!(words.contains(&format!("{name:?}").as_str()), "{name}");
        }
    }

    #[test]
    fn data_stays_data() {
        let page = document("0123", r#"["</script>{{nonce}}"]"#, false);
        assert!(page.contains(r#"["\u003c/script>{{nonce}}"]"#));
        assert!(page.contains("nonce=\"0123\"") && !page.contains("nonce=\"{{"));
    }

    #[test]
    fn no_script_ends_the_script() {
        let page = document("0123", "", true);
        assert_eq!(page.matches("</script").count(), 2, "one ends the data, and one the scripts");
        assert!(EDITOR.starts_with("/*!") && EDITOR.contains("Permission is hereby granted"));
    }

    /// The size is that of gzip at its best. It is only stated if the program is missing.
    #[test]
    fn the_page_with_the_editor_is_small() {
        let mut gzip = Command::new("gzip");
        let gzip = gzip.args(["-9", "-c"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let Ok(mut gzip) = gzip else { return println!("skipped: there is no gzip") };
        let mut input = gzip.stdin.take().expect("a pipe");
        let writer = thread::spawn(move || input.write_all(document("0123", "", true).as_bytes()));
        let packed = gzip.wait_with_output().expect("gzip ends").stdout.len();
        writer.join().expect("no panic").expect("gzip reads");
        println!("the page with the editor has {packed} bytes, compressed");
        assert!(packed <= 200_000, "{packed}");
    }
}
