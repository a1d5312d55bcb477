//! The text of the trees.
//!
//! That of the guards is written by hand; `wide`, `wide_f` and `deep` are too regular for that, and
//! a test writes them:
//! `PLEACH_BLESS=1 cargo test -p pleach-benches text`.

use super::Tree;
use pleach_compile::texts::Texts;

/// Returns the trees' files.
#[must_use]
pub fn library() -> Texts {
    let mut library = Texts::new("pleach");
    for (tree, text) in [
        (Tree::Guard, include_str!("../../trees/guard.pleach")),
        (Tree::GuardR, include_str!("../../trees/guard_r.pleach")),
        (Tree::Wide, include_str!("../../trees/wide.pleach")),
        (Tree::WideF, include_str!("../../trees/wide_f.pleach")),
        (Tree::Deep, include_str!("../../trees/deep.pleach")),
    ] {
        library.add(format!("{}.pleach", tree.name()), text);
    }
    library
}

#[cfg(test)]
mod tests {
    use super::super::shape::{DEEP_TICKS, Level, NEEDED, Pair, levels, pairs};
    use super::super::world::{Field, GRID, Kind};
    use std::fmt::Write;

    /// Returns the first lines of both kinds of tree.
    fn head(about: &str) -> String {
        let mut text = format!("// {about}\n\n");
        for Field { name, kind, .. } in GRID {
            let kind = if *kind == Kind::Float { "float" } else { "int" };
            writeln!(text, "var {name}: {kind}").unwrap();
        }
        text + "var out: int\n\n"
    }

    /// `field > limit`, or with another sign.
    fn compare(field: usize, sign: char, limit: i32) -> String {
        let Field { name, kind, .. } = GRID[field];
        let point = if kind == Kind::Float { ".0" } else { "" };
        format!("condition {name} {sign} {limit}{point}")
    }

    fn wide(fails: bool) -> String {
        let (name, about) = if fails {
            ("wide_f", "64 pairs of condition and action. An action that lacks what it needs fails at once.")
        } else {
            ("wide", "64 pairs of condition and action.")
        };
        let mut text = head(about) + &format!("tree {name}\n{{\n\tselector\n\t{{\n");
        for Pair { field, limit, action, ticks, needs } in pairs() {
            let mut act = vec![format!("set out = {action}")];
            if fails {
                act.push(compare(needs, '>', NEEDED));
            }
            if ticks > 1 {
                act.push(format!("wait {} ticks", ticks - 1));
            }
            let mut act = act.join(" ");
            if act.contains("condition") || act.contains("wait") {
                act = format!("sequence {{ {act} }}");
            }
            writeln!(text, "\t\tsequence {{ {} {act} }}", compare(field, '>', limit)).unwrap();
        }
        text + "\t}\n}\n"
    }

    fn deep() -> String {
        let mut text = head("32 sequences and selectors in one another.") + "tree deep\n{\n";
        for (depth, Level { field, limit, sequence }) in levels().enumerate() {
            let (word, sign) = if sequence { ("sequence", '<') } else { ("selector", '>') };
            let indent = "\t".repeat(depth + 1);
            writeln!(text, "{indent}{word}\n{indent}{{\n{indent}\t{}", compare(field, sign, limit)).unwrap();
        }
        let depth = levels().count();
        let indent = "\t".repeat(depth + 1);
        writeln!(text, "{indent}sequence {{ set out = 1 wait {} ticks }}", DEEP_TICKS - 1).unwrap();
        for depth in (0..=depth).rev() {
            writeln!(text, "{}}}", "\t".repeat(depth)).unwrap();
        }
        text
    }

    #[test]
    fn text_that_is_made_is_up_to_date() {
        for (name, text) in [("wide", wide(false)), ("wide_f", wide(true)), ("deep", deep())] {
            let path = format!("{}/trees/{name}.pleach", env!("CARGO_MANIFEST_DIR"));
            if std::env::var_os("PLEACH_BLESS").is_some() {
                std::fs::write(&path, &text).unwrap();
            }
            let file = std::fs::read_to_string(&path).unwrap();
            assert!(file == text, "{path} is not what is made; PLEACH_BLESS=1 writes it");
        }
    }
}
