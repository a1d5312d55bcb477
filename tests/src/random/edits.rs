//! Random edits of texts, and what must hold of each.

use super::draws::{Draws, hash};
use pleach_edit::{Change, Document, Edit, Project, Replacement, format};

/// Comment at the end of some new nodes. No text is written behind it.
pub const NEW_COMMENT: &str = "// new";

/// Returns a random edit of a file and its node. The node means nothing for an edit of a
/// declaration.
#[must_use]
pub fn edit(draws: &mut Draws, document: &Document) -> Option<(usize, Edit)> {
    const HEADERS: &[&str] =
        &["invert", "sequence", "repeat 2", "timeout 5 s", "force success", "reactive selector", "random"];
    const ITEMS: &[&str] = &["action added_thing(x: int)", "var added_thing: int8", "const ADDED_THING = 1"];
    let (count, items) = (document.nodes().len(), document.items());
    let node = if count == 0 { return None } else { draws.below(count) };
    let header = draws.pick(HEADERS).to_owned();
    let end = if draws.one_in(2) { format!(" {NEW_COMMENT}") } else { String::new() };
    let (item, added) = (draws.below(items.len().max(1)), draws.pick(ITEMS));
    let edit = match draws.below(17) {
        0 | 1 => Edit::Wrap { node, header },
        2 => Edit::Unwrap { node },
        3 => Edit::Delete { node },
        4 => Edit::Duplicate { node },
        5 => Edit::Insert { parent: node, index: draws.below(3), text: format!("success{end}") },
        6 => Edit::Move { node, parent: draws.below(count), index: draws.below(4) },
        7 => Edit::ChangeKind { node, header },
        8 => Edit::SetArgument { node, index: draws.below(2), text: "1".to_owned() },
        9 => Edit::Replace { node, text: format!("repeat 2 {{ running }}{end}") },
        10 => Edit::SetWeight { node, text: "2".to_owned() },
        11 => Edit::Extract { node, name: "extracted_tree".to_owned() },
        12 => Edit::AddDeclaration { text: format!("{added}{end}") },
        13 => Edit::ChangeDeclaration { item, text: format!("{added}{end}") },
        14 => {
            let old = items.get(item).map_or("", |item| document.slice(document.heading(item)));
            Edit::ChangeDeclaration { item, text: format!("{old} {NEW_COMMENT}") }
        }
        15 => Edit::Disable { node },
        _ => Edit::DeleteDeclaration { item },
    };
    Some((node, edit))
}

/// Makes sure that the inverse of a change gives the old texts, that the change is the smallest
/// one, and that layout and form are kept.
///
/// # Errors
/// With the first of these that does not hold.
pub fn is_sound(project: &Project, changed: &Project, change: &Change) -> Result<(), String> {
    let back = change.inverse(project).applied(changed);
    for (name, list) in &change.files {
        let (old, new) = (project.text(name), changed.text(name));
        if back.text(name) != old {
            return Err(format!("the inverse gives other bytes:\n{old}\n{new}"));
        }
        if list.windows(2).any(|pair| pair[0].range.1 > pair[1].range.0) {
            return Err(format!("replacements overlap: {list:?}"));
        }
        if let Some(same) = list.iter().find(|it| !is_smallest(old, it)) {
            return Err(format!("{same:?} replaces bytes that stay"));
        }
        let has_form = |text: &str| Document::new(name, text.into()).errors().next().is_none();
        if name.ends_with(".pleach") && has_form(old) && !has_form(new) {
            return Err(format!("the form is lost:\n{new}"));
        }
        let is_laid_out = |text: &str| format(name, text.as_bytes()).is_ok_and(|form| form == text);
        if is_laid_out(old) && !is_laid_out(new) {
            return Err(format!("the layout is lost:\n{new}"));
        }
    }
    Ok(())
}

/// Returns true if a replacement changes the bytes at its ends.
fn is_smallest(old: &str, change: &Replacement) -> bool {
    let old = &old[change.range.0 as usize..change.range.1 as usize];
    let differ = |old: Option<char>, new: Option<char>| old.is_none() || old != new;
    let (mut before, mut after) = (old.chars(), change.text.chars());
    differ(before.next(), after.next()) && differ(before.next_back(), after.next_back())
}

/// Largest text that is edited further. Copies of nodes with copies in them grow without bound.
const MOST_BYTES: usize = 1 << 14;

/// Asks about all kinds of things in a text, which may have errors, and tries edits of it: one
/// after the other, each of the text that the last one gave.
///
/// # Panics
/// If an edit is not sound.
pub fn edited_text(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut draws = Draws::seeded(bytes.iter().fold(1, |seed, byte| hash([seed, u64::from(*byte)])));
    let mut project =
        Project::new().with("main.pleach", &text).with("main.manifest", &text).with("main.test", &text);
    for _ in 0..30 {
        let text = project.text("main.pleach");
        let document = project.file("main.pleach").expect("the file").document();
        let at = text.floor_char_boundary(draws.below(text.len() + 1)) as u32;
        let site = document.site(at);
        assert!(site.prefix.0 <= site.prefix.1 && site.prefix.1 <= at, "{site:?} at {at}");
        drop(project.renamed("main.pleach", at));
        let edit = match draws.below(5) {
            0 => Some(Edit::Rename { at, name: "renamed_thing".to_owned() }),
            1 => Some(Edit::NearName { at }),
            _ => edit(&mut draws, document).map(|it| it.1),
        };
        let Some(edit) = edit.filter(|_| text.len() < MOST_BYTES) else { return };
        if let Ok(change) = project.edit("main.pleach", &edit) {
            let changed = change.applied(&project);
            is_sound(&project, &changed, &change).unwrap_or_else(|why| panic!("{edit:?}: {why}"));
            project = changed;
        }
    }
}
