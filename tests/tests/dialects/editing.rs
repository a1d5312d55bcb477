//! Edits of random programs change what is edited and nothing else, can be taken back, and keep
//! comments, layout and meaning.
//!
//! `PLEACH_RANDOM` is the number of programs. By default it is small enough for a run of all tests.
//! Before a release:
//!
//! ```console
//! $ PLEACH_RANDOM=12500 cargo test --release -p pleach-tests --test dialects editing::
//! ```
//!
//! Programs have comments at random places. Half of them have the usual layout.

use pleach_edit::{
    Change, Document, Edit, Item, Keyword, Mention, Project, Range, Replacement, Space, format, replaced,
};
use pleach_image::{Image, listing};
use pleach_tests::random::Case;
use pleach_tests::random::check::{cases, fight_all, programs};
use pleach_tests::random::draws::Draws;
use pleach_tests::random::edits::{NEW_COMMENT, edit, edited_text, is_sound};
use pleach_tests::random::language::program;
use pleach_tests::random::mutate::damaged;
use std::collections::BTreeMap;
use std::sync::Arc;

const PROGRAMS: u64 = 300;
/// Number of edits of each program.
const EDITS: usize = 8;
/// Number of kinds of edits that are tried.
const KINDS: usize = 15;

/// Returns a text with comments between some of its tokens.
fn commented(text: &str, draws: &mut Draws) -> String {
    let document = Document::new("a.pleach", Arc::from(text));
    let (mut new, mut from) = (String::new(), 0);
    for (number, token) in document.tokens().iter().enumerate() {
        new += document.slice((from, token.start));
        // `min=` and `max=` are two tokens that belong together, and so are `.` and a member.
        let is_assign = document.slice((token.start, token.end)) == "=";
        let joins = is_assign && new.ends_with(['n', 'x']) || new.ends_with('.');
        if draws.one_in(12) && !joins {
            new += &if draws.one_in(2) { format!("/* {number} */ ") } else { format!("// {number}\n") };
        }
        from = token.start;
    }
    new + document.slice((from, text.len() as u32))
}

/// Returns the program of a case as a project, and the name of its first file.
fn project(case: &Case, draws: &mut Draws) -> (Project, String) {
    let files = program(case).files;
    let first = files[0].0.clone();
    let in_layout = draws.one_in(2);
    let mut project = Project::new();
    for (name, text) in files {
        let text = commented(&text, draws);
        let text = if in_layout {
            format(&name, text.as_bytes()).unwrap_or_else(|_| panic!("errors:\n{text}"))
        } else {
            text
        };
        project.set(&name, text.into());
    }
    (project, first)
}

/// Returns the comments of a text in the order of the alphabet, as the formatter writes them.
fn comments(document: &Document) -> Vec<String> {
    let comments = document.tokens().iter().filter(|token| token.is_comment());
    let mut comments: Vec<String> =
        comments.map(|token| document.slice((token.start, token.end)).trim_end().to_owned()).collect();
    comments.sort();
    comments
}

/// Makes sure that the programs with a file that compile also compile after a change.
fn compiles(project: &Project, changed: &Project, name: &str) -> Result<(), String> {
    let has_image = |project: &Project, entry: &str| code(project, entry).is_ok();
    let mut entries = project.entries_with(name).iter();
    match entries.find(|entry| has_image(project, entry) && !has_image(changed, entry)) {
        Some(entry) => Err(format!("{entry} does not compile any more:\n{}", changed.text(name))),
        None => Ok(()),
    }
}

/// Returns the places that an edit may change: the node or the declaration with its comments, and
/// the places for what moves or is added.
fn places(document: &Document, edit: &Edit, node: usize) -> Vec<Range> {
    let (nodes, items) = (document.nodes(), document.items());
    let around = |node: usize| document.with_comments((nodes[node].start, nodes[node].end));
    let behind = |item: &Item| (item.end, document.with_comments((item.end, item.end)).1);
    match edit {
        Edit::Move { parent, .. } => vec![around(node), around(*parent)],
        Edit::Extract { .. } => vec![around(node), behind(&items[nodes[node].item as usize])],
        Edit::AddDeclaration { .. } => {
            let first = items.iter().take(1).map(|first| document.with_comments((first.start, first.start)));
            first.chain(items.iter().map(behind)).collect()
        }
        Edit::ChangeDeclaration { item, .. } => vec![document.heading(&items[*item])],
        Edit::DeleteDeclaration { item } => {
            vec![document.with_comments((items[*item].start, items[*item].end))]
        }
        _ => vec![around(node)],
    }
}

/// Makes sure that only blanks change outside of the places that an edit may change.
fn is_local(document: &Document, edit: &Edit, node: usize, change: &Change) -> Result<(), String> {
    let places = places(document, edit, node);
    for it in change.files.values().flatten() {
        // White space at the ends of a replacement does not count.
        let text = document.text();
        let (start, end) = (it.range.0 as usize, it.range.1 as usize);
        let last = text[..end].trim_end().len().max(text[..start].trim_end().len()) as u32;
        let first = (text.len() - text[start..].trim_start().len()) as u32;
        let is_inside = places.iter().any(|place| place.0 <= first && last <= place.1);
        let is_blank = text[start..end].trim().is_empty() && it.text.trim().is_empty();
        if !is_inside && !is_blank {
            let places: Vec<_> = places.iter().map(|place| document.slice(*place)).collect();
            return Err(format!("{it:?} is outside of {places:?}"));
        }
    }
    Ok(())
}

/// Tries an edit. Returns true if it was not refused.
fn tries(project: &Project, name: &str, node: usize, edit: &Edit) -> Result<bool, String> {
    let Ok(change) = project.edit(name, edit) else { return Ok(false) };
    let wrong = |why: String| format!("{edit:?} of {name}:\n{}\n{why}", project.text(name));
    let changed = change.applied(project);
    is_sound(project, &changed, &change).map_err(wrong)?;
    compiles(project, &changed, name).map_err(wrong)?;
    let document = project.file(name).expect("the file").document();
    let after = changed.file(name).expect("the file").document();
    is_local(document, edit, node, &change).map_err(wrong)?;
    let (old, mut new) = (comments(document), comments(after));
    if let Edit::Insert { text, .. }
    | Edit::Replace { text, .. }
    | Edit::AddDeclaration { text }
    | Edit::ChangeDeclaration { text, .. } = edit
        && text.ends_with(NEW_COMMENT)
    {
        let added = new.iter().position(|comment| comment == NEW_COMMENT);
        new.remove(added.ok_or_else(|| wrong("the new comment is lost".to_owned()))?);
    }
    let is_kept = match edit {
        // A comment inside an expression or a declaration goes with it.
        Edit::Delete { .. }
        | Edit::Replace { .. }
        | Edit::SetArgument { .. }
        | Edit::SetWeight { .. }
        | Edit::ChangeDeclaration { .. }
        | Edit::DeleteDeclaration { .. } => new.iter().all(|comment| old.contains(comment)),
        Edit::Duplicate { .. } => old.iter().all(|comment| new.contains(comment)),
        _ => old == new,
    };
    if !is_kept {
        return Err(wrong(format!("comments are lost: {old:?} {new:?}\n{}", changed.text(name))));
    }
    match edit {
        Edit::Wrap { .. } => unwraps(project, &changed, name, node).map_err(wrong)?,
        Edit::Disable { .. } => enables(project, &changed, name).map_err(wrong)?,
        Edit::Extract { .. } => inlines(project, &changed, name).map_err(wrong)?,
        _ => {}
    }
    Ok(true)
}

/// Makes sure that a node that was wrapped is as before when it is unwrapped.
fn unwraps(project: &Project, changed: &Project, name: &str, node: usize) -> Result<(), String> {
    let nodes = project.file(name).expect("the file").document().nodes();
    if !nodes[node].shape.takes_any_node() {
        return Err("a block of its own was wrapped".to_owned());
    }
    goes_back(project, changed, name, &Edit::Unwrap { node })
}

/// Makes sure that a node that was disabled is as before when it is enabled.
fn enables(project: &Project, changed: &Project, name: &str) -> Result<(), String> {
    let disabled = |project: &Project| {
        let document = project.file(name).expect("the file").document();
        (0..document.nodes().len()).find(|node| document.disabled_by(*node).is_some())
    };
    // A program may have a node that is disabled already.
    if disabled(project).is_some() {
        return Ok(());
    }
    let node = disabled(changed).ok_or("no node is disabled")?;
    goes_back(project, changed, name, &Edit::Enable { node })
}

/// Makes sure that an edit takes another one back: byte by byte, unless a block became too long for
/// its line.
fn goes_back(project: &Project, changed: &Project, name: &str, edit: &Edit) -> Result<(), String> {
    let change = changed.edit(name, edit).map_err(|refusal| format!("{refusal}: {}", changed.text(name)))?;
    let back = change.applied(changed);
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let (old, new, between) = (project.text(name), back.text(name), changed.text(name));
    let is_longer = between.lines().count() > old.lines().count();
    if old == new || is_longer && words(old) == words(new) {
        return Ok(());
    }
    Err(format!("{edit:?} gives other bytes:\n{between}\n{new}"))
}

/// Makes sure that a tree that was made of a node can be put back in its place: without the tree,
/// all programs are as before.
fn inlines(project: &Project, changed: &Project, name: &str) -> Result<(), String> {
    let after = changed.file(name).expect("the file").document();
    let is_use =
        |node: &pleach_edit::Node| node.subject.is_some_and(|it| after.slice(it) == "extracted_tree");
    let Some(node) = after.nodes().iter().position(is_use) else {
        return Err("the tree is not used".to_owned());
    };
    let change = changed.edit(name, &Edit::Inline { node }).map_err(|refusal| refusal.reason)?;
    let mut back = change.applied(changed);
    let document = back.file(name).expect("the file").document();
    let is_extracted = |item: &&Item| item.name.is_some_and(|it| document.slice(it) == "extracted_tree");
    let tree = document.items().iter().find(is_extracted).ok_or("the tree is lost")?;
    let text = replaced(document.text(), &[Replacement::remove((tree.start, tree.end))]);
    back.set(name, text.into());
    for entry in project.entries_with(name) {
        let (old, new) = (code(project, entry), code(&back, entry));
        if old.is_ok() && old != new {
            return Err(format!("the code of {entry} differs:\n{old:?}\n{new:?}\n{}", back.text(name)));
        }
    }
    Ok(())
}

/// Numbers of edits by kind: those tried, and those done.
type Census = BTreeMap<String, [u64; 2]>;

/// Edits a random program, and counts the edits.
fn edits(case: &Case, census: &mut Census) -> Result<(), String> {
    let case = case.clone().cut(40);
    let mut draws = case.damage_draws();
    let (project, _) = project(&case, &mut draws);
    let names: Vec<String> = project.files().map(|(name, _)| name.to_owned()).collect();
    for _ in 0..EDITS {
        let name = &names[draws.below(names.len())];
        let document = project.file(name).expect("the file").document();
        if let Some((node, edit)) = edit(&mut draws, document) {
            let kind = format!("{edit:?}").split(' ').next().unwrap_or_default().to_owned();
            let [tried, done] = census.entry(kind).or_default();
            *tried += 1;
            *done += u64::from(tries(&project, name, node, &edit)?);
        }
    }
    Ok(())
}

#[test]
fn edits_are_local_and_can_be_taken_back() {
    let programs = programs(PROGRAMS);
    let parts: Vec<Census> = cases(programs, edits).unwrap_or_else(|found| panic!("{found}"));
    let mut all = Census::new();
    for (kind, [tried, done]) in parts.into_iter().flatten() {
        let sum = all.entry(kind).or_default();
        *sum = [sum[0] + tried, sum[1] + done];
    }
    println!("{all:?}");
    // Of a single program, every edit may be refused.
    if programs >= PROGRAMS {
        assert_eq!(all.len(), KINDS, "{all:?}");
        assert!(all.values().all(|[tried, done]| *tried > programs / 4 && done * 20 > *tried), "{all:?}");
    }
}

/// Returns the code of a program, as text with names; the number of errors if it has any.
fn code(project: &Project, entry: &str) -> Result<String, usize> {
    let done = project.compile(entry, &project.vocabulary(entry));
    let image = Image::copy(&done.image.ok_or(done.diagnostics.errors())?).expect("a valid image");
    let mut text = String::new();
    listing::write(&image, &|_, _| None, &mut text).expect("text can be written");
    Ok(text)
}

/// A renamed program has the same code but for the name, and the name can be changed back.
fn renames(case: &Case) -> Result<(), String> {
    const NEW: &str = "renamed_thing";
    let case = case.clone().cut(40);
    let mut draws = case.damage_draws();
    let (project, first) = project(&case, &mut draws);
    let names: Vec<String> = project.files().map(|(name, _)| name.to_owned()).collect();
    let name = &names[draws.below(names.len())];
    // The parts of a vector are no declared names, unlike the members of an enum.
    let is_part = |space: &Space| matches!(space, Space::Member(of) if !project.has(name, &Space::Enum, of));
    let mut mentions = project.file(name).expect("the file").mentions().to_vec();
    // Functions of the language have no declaration.
    let is_function = |mention: &Mention| {
        Keyword::spelled(&mention.name).is_some_and(Keyword::can_be_hidden)
            && !project.has(name, &mention.space, &mention.name)
    };
    mentions.retain(|mention| !is_part(&mention.space) && !is_function(mention));
    if mentions.is_empty() {
        return Ok(());
    }
    let mention = &mentions[draws.below(mentions.len())];
    let wrong = |why: &str| format!("{} at {:?}: {why}\n{}", mention.name, mention.range, project.text(name));
    let edit = Edit::Rename { at: mention.range.0, name: NEW.to_owned() };
    let change = match project.edit(name, &edit) {
        Ok(change) => change,
        Err(refusal) => return Err(wrong(&refusal.reason)),
    };
    let changed = change.applied(&project);
    is_sound(&project, &changed, &change).map_err(|why| wrong(&why))?;
    let old = code(&project, &first);
    let new = code(&changed, &first);
    if new.map(|code| words(&code.replace(NEW, &mention.name))) != old.map(|code| words(&code)) {
        return Err(wrong("the code differs"));
    }
    Ok(())
}

/// Returns the words of a text. The length of a name decides the blanks beside it.
fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn a_renamed_program_has_the_same_code() {
    fight_all(programs(PROGRAMS), renames);
}

/// Texts with pieces removed, doubled and exchanged are edited or refused, without a panic.
#[test]
fn damaged_texts_do_no_harm() {
    fight_all(programs(PROGRAMS), |case| {
        let (_, main) = program(&case.clone().cut(12)).files.swap_remove(0);
        damaged(case, main, edited_text)
    });
}
