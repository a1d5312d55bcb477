//! `pleach diff`: what has changed between two programs, in the meaning of their nodes.

use crate::Verdict;
use crate::args::{Compile, Diff, DiffFormat};
use crate::failure::Failure;
use crate::input::{self, Job};
use crate::output::{self, Tone, counted};
use crate::render::{Findings, human};
use crate::write::Kind;
use pleach_build::files::Overlay;
use pleach_graph::{MAX_LABEL, Node, svg};
use pleach_image::Image;
use pleach_lint::diff::{Change, Differences, Outline, compare};
use serde::Serialize;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Number of arguments that git passes for a file: its path, and for the old and the new text a
/// file, a hash and a mode.
const OF_GIT: usize = 7;
/// Arguments that git passes beyond these if a file has been renamed: its new path, and a text.
const OF_GIT_RENAMED: usize = 9;

/// Compares two programs.
pub(crate) fn diff(args: &Diff) -> Result<Verdict, Failure> {
    if args.git {
        return of_git(args);
    }
    let [old, new] = args.files.as_slice() else {
        return Err(Failure::new("two files are compared: name the old one and the new one"));
    };
    let of_code = input::is(Kind::Image, old)? || input::is(Kind::Image, new)?;
    let sides = (outline(old, &args.compile, of_code)?, outline(new, &args.compile, of_code)?);
    let (Some(old), Some(new)) = sides else { return Ok(Verdict::Problems) };
    let found = compare(&old, &new);
    match args.format {
        DiffFormat::Text => output::print_toned(&text(&old, &new, &found), tone)?,
        DiffFormat::Json => output::print(&json(&old, &new, &found)?)?,
        DiffFormat::Svg => output::print(&svg(&picture(&old, &new, &found)))?,
    }
    Ok(if found.list.is_empty() { Verdict::Fine } else { Verdict::Problems })
}

/// Compares two texts of a file as git passes them. Git takes a failure for its own, so errors are
/// reported, and the exit code is 0.
fn of_git(args: &Diff) -> Result<Verdict, Failure> {
    if ![OF_GIT, OF_GIT_RENAMED].contains(&args.files.len()) {
        return Err(Failure::new("--git is for `git config diff.pleach.command \"pleach diff --git\"`"));
    }
    let (name, old, new) = (&args.files[0], &args.files[1], &args.files[4]);
    output::print(&format!("{}\n", name.display()))?;
    // Included files are those of the checkout.
    let beside = name.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut options = args.compile.clone();
    options.folders.push(beside.to_owned());
    let is_there = |path: &PathBuf| path.as_path() != Path::new("/dev/null");
    let side = |path: &PathBuf| if is_there(path) { outline(path, &options, false) } else { Ok(None) };
    match (side(old)?, side(new)?) {
        (Some(old), Some(new)) => {
            let found = compare(&old, &new);
            let same = if found.list.is_empty() { "  no change in meaning\n" } else { "" };
            output::print_toned(&format!("{same}{}", text(&old, &new, &found)), tone)?;
        }
        (None, Some(_)) if !is_there(old) => output::print("  new file\n")?,
        (Some(_), None) if !is_there(new) => output::print("  file removed\n")?,
        _ => output::print("  not compared, because a text has errors\n")?,
    }
    Ok(Verdict::Fine)
}

/// Returns the outline of a tree or an image; none if it has errors, which have then been told.
fn outline(file: &Path, options: &Compile, of_code: bool) -> Result<Option<Outline>, Failure> {
    if input::is(Kind::Image, file)? {
        let image = Image::load(file).map_err(|why| Failure::file("load", file, why))?;
        return Ok(Some(Outline::of_image(&image)));
    }
    let (mut findings, job) = (Findings::default(), Job::new(&[file], options)?);
    let outline = job.outline(of_code, &mut findings);
    if findings.failed() {
        human::show(&findings);
    }
    Ok(outline)
}

/// Returns the outline of a tree, with texts that take the place of those on the disk.
pub(crate) fn outline_of(file: &Path, options: &Compile, texts: &Overlay) -> Result<Outline, String> {
    let job = Job::with(&[file], options, texts).map_err(|why| why.to_string())?;
    job.outline(false, &mut Findings::default())
        .ok_or_else(|| "the saved or the edited trees have errors".to_owned())
}

/// Returns the number of differences, and their picture as SVG.
pub(crate) fn changes(old: &Outline, new: &Outline) -> (usize, String) {
    let found = compare(old, new);
    (found.list.len(), svg(&picture(old, new, &found)))
}

fn tone(line: &str) -> Tone {
    match line.trim_start().chars().next() {
        Some('+') => Tone::Success,
        Some('-') => Tone::Failure,
        Some('~' | '>') => Tone::Running,
        _ if line.starts_with(' ') => Tone::Plain,
        _ => Tone::Heading,
    }
}

/// Returns the differences as text: a paragraph for each tree.
fn text(old: &Outline, new: &Outline, found: &Differences) -> String {
    let mut text = String::new();
    let mut subject = "";
    let mut rows: Vec<_> = found.list.iter().collect();
    // Removed and other nodes of a tree stand together.
    let mut place_of: HashMap<&str, usize> = HashMap::new();
    for row in &found.list {
        let next = place_of.len();
        place_of.entry(&row.subject).or_insert(next);
    }
    rows.sort_by_key(|row| place_of[row.subject.as_str()]);
    for row in rows {
        if row.subject != subject {
            subject = &row.subject;
            let _ = writeln!(text, "{subject}");
        }
        let outline = if row.change == Change::Removed { old } else { new };
        let place = row.node.map(|node| &outline.nodes[node].place).filter(|(_, line)| *line > 0);
        let place = place.map(|(file, line)| format!("  ({file}:{line})")).unwrap_or_default();
        let _ = writeln!(text, "  {} {}{place}", row.change.sign(), row.text);
    }
    if !found.list.is_empty() {
        let _ = writeln!(text, "{}", counted(found.list.len(), "difference"));
    }
    text
}

/// Difference for programs.
#[derive(Serialize)]
struct Row<'a> {
    change: &'static str,
    subject: &'a str,
    text: &'a str,
    file: Option<&'a str>,
    line: Option<u32>,
}

/// Returns the differences, an object on each line.
fn json(old: &Outline, new: &Outline, found: &Differences) -> Result<String, Failure> {
    let mut text = String::new();
    for row in &found.list {
        let outline = if row.change == Change::Removed { old } else { new };
        let place = row.node.map(|node| &outline.nodes[node].place);
        let row = Row {
            change: row.change.name(),
            subject: &row.subject,
            text: &row.text,
            file: place.map(|(file, _)| file.as_str()),
            line: place.map(|(_, line)| *line),
        };
        let row = serde_json::to_string(&row);
        text += &row.map_err(|why| Failure::new(format!("cannot write JSON: {why}")))?;
        text.push('\n');
    }
    Ok(text)
}

/// Returns the new program with the nodes that were removed, each with its change.
fn picture(old: &Outline, new: &Outline, found: &Differences) -> Vec<Node> {
    let rows = found.list.iter().filter(|row| row.change != Change::Removed);
    let marks: HashMap<_, _> = rows.filter_map(|row| Some((row.node?, row.change))).collect();
    let [old_children, new_children] = [old, new].map(Outline::children);
    let (mut nodes, mut open) = (Vec::new(), Vec::new());
    let roots = |outline: &Outline| {
        let of = outline.nodes.iter().enumerate();
        of.filter(|(_, node)| node.parent.is_none()).map(|(index, _)| index).collect::<Vec<_>>()
    };
    let lost = |children: &[usize]| -> Vec<(bool, usize)> {
        let lost = children.iter().copied().filter(|node| found.partners[*node].is_none());
        lost.map(|node| (true, node)).collect()
    };
    let partner_of: HashMap<usize, usize> =
        found.partners.iter().enumerate().filter_map(|(old, new)| Some(((*new)?, old))).collect();
    let first = roots(new).into_iter().map(|node| (false, node)).chain(lost(&roots(old)));
    open.extend(first.collect::<Vec<_>>().into_iter().rev().map(|node| (node, None)));
    while let Some(((is_old, node), parent)) = open.pop() {
        let row = if is_old { &old.nodes[node] } else { &new.nodes[node] };
        let is_new = !is_old && !partner_of.contains_key(&node);
        let mark = if is_old { Some(Change::Removed) } else { marks.get(&node).copied() };
        let mark = mark.or(is_new.then_some(Change::Added));
        let label = row.text.chars().take(MAX_LABEL).collect();
        let index = nodes.len();
        let (file, line) = row.place.clone();
        let mark = mark.map(Change::name);
        nodes.push(Node { label, file, line, parent, mark, ..Node::default() });
        let children: Vec<_> = if is_old {
            lost(&old_children[node])
        } else {
            let gone = partner_of.get(&node).map(|partner| lost(&old_children[*partner]));
            let stays = new_children[node].iter().map(|child| (false, *child));
            stays.chain(gone.unwrap_or_default()).collect()
        };
        open.extend(children.into_iter().rev().map(|child| (child, Some(index))));
    }
    nodes
}
