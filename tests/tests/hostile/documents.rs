//! Costs of reading and changing projects are in proportion to the number of their files and
//! declarations.
//!
//! For each way in which a project can grow, there is a project of some size and one of twice the
//! size. If callgrind is installed, reading it and writing each file once more takes at most 2.5
//! times the instructions.

use super::proportion::counts;
use pleach_edit::Project;

/// Function that makes the files of a project of a size.
type Grow = fn(usize) -> Vec<(String, String)>;

/// Ways to grow, each with the smaller size.
const PROJECTS: [(&str, usize, Grow); 4] = [
    ("trees", 2_000, trees),
    ("variables of a tree", 1_000, locals),
    ("files", 100, files),
    ("folders", 100, folders),
];

fn main_file(text: String) -> Vec<(String, String)> {
    vec![("main.pleach".to_owned(), text)]
}

fn trees(size: usize) -> Vec<(String, String)> {
    main_file((0..size).map(|tree| format!("tree t{tree} {{ use t{tree} }}\n")).collect())
}

fn locals(size: usize) -> Vec<(String, String)> {
    let locals: String = (0..size).map(|local| format!("var l{local}: int = 1\n")).collect();
    let sets: String = (0..size).map(|local| format!("set l{local} = l{local}\n")).collect();
    main_file(format!("tree main {{ {locals} sequence {{ {sets} }} }}"))
}

fn files(size: usize) -> Vec<(String, String)> {
    (0..size).map(|file| (format!("t{file}.pleach"), "tree main { success }".to_owned())).collect()
}

/// Returns folders with a file of trees and a manifest each.
fn folders(size: usize) -> Vec<(String, String)> {
    let tree = |folder| (format!("f{folder}/t.pleach"), "tree main { action a }".to_owned());
    let manifest = |folder| (format!("f{folder}/t.manifest"), "action a()".to_owned());
    (0..size).flat_map(|folder| [tree(folder), manifest(folder)]).collect()
}

/// Reads the files of a project, and each file again, as if a key was pressed in each file.
/// Callgrind counts the instructions of this function.
#[inline(never)]
fn counted(files: &[(String, String)]) {
    let mut project = Project::new();
    files.iter().for_each(|(name, text)| project.set(name, text.as_str().into()));
    for (name, text) in files {
        project.set(name, format!("{text} ").into());
        assert!(project.scope(name).count() > 0);
    }
}

#[test]
fn twice_the_files_take_twice_the_instructions() {
    let cases = PROJECTS.iter().flat_map(|(_, size, grow)| [*size, size * 2].map(grow));
    let test = concat!(module_path!(), "::twice_the_files_take_twice_the_instructions");
    let function = concat!(module_path!(), "::counted");
    let Some(counts) = counts(test, function, cases, |files| counted(&files)) else { return };
    for ((name, ..), counts) in PROJECTS.iter().zip(counts.chunks_exact(2)) {
        println!("{name}: {counts:?}");
        assert!(counts[1] * 2 <= counts[0] * 5, "{name}: {} and then {}", counts[0], counts[1]);
    }
}
