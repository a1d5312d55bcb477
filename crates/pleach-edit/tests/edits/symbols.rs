//! Things that are found in texts: declarations, references and their access.

use super::marked;
use pleach_edit::{Access, Project};

#[test]
fn reads_writes_and_declarations_are_told_apart() {
    let (project, marks) =
        marked("var a$mmo: int\non e { set ammo += 1 }\ntree t { if ammo > 0 { success } }");
    let file = project.file("a.pleach").expect("the file");
    let symbol = project.resolve("a.pleach", file.mention_at(marks[0]).expect("a name"));
    let access: Vec<_> = project.references("a.pleach", &symbol).iter().map(|it| it.access).collect();
    assert_eq!(access, [Access::Declares, Access::Writes, Access::Reads]);
}

#[test]
fn declarations_have_headings_and_comments() {
    let project = Project::new().with(
        "a.pleach",
        "// Walks there.\n// Slowly.\naction go(place: int, speed: float)\nquery near(who: int): bool // in sight\n\
         world var alarm: bool = true\nconst POST = 3\nenum Mood { calm, wary = 4, /* red */ angry }\ntree t(n: Mood) { var x: int8 success }\n",
    );
    let file = project.file("a.pleach").expect("the file");
    let headings: Vec<_> =
        file.declarations().iter().map(|it| (it.heading(), it.comment.replace('\n', " "))).collect();
    let of = |heading: &str, comment: &str| (heading.to_owned(), comment.to_owned());
    assert_eq!(
        headings,
        [
            of("action go(place: int, speed: float)", "Walks there. Slowly."),
            of("place: int", ""),
            of("speed: float", ""),
            of("query near(who: int): bool", "in sight"),
            of("who: int", ""),
            of("world var alarm: bool = true", ""),
            of("const POST = 3", ""),
            of("enum Mood", ""),
            of("Mood.calm = 0", ""),
            of("Mood.wary = 4", ""),
            of("Mood.angry = 5", ""),
            of("tree t(n: Mood)", ""),
            of("n: Mood", ""),
            of("var x: int8", ""),
        ]
    );
}

#[test]
fn a_snapshot_does_not_change() {
    let mut project = Project::new().with("a.pleach", "tree a { success }");
    let snapshot = project.clone();
    project.set("a.pleach", "tree b { success }".into());
    assert_eq!(snapshot.text("a.pleach"), "tree a { success }");
    assert_eq!(project.file("a.pleach").expect("the file").declarations()[0].name, "b".into());
    project.remove("a.pleach");
    assert!(project.file("a.pleach").is_none() && project.text("a.pleach").is_empty());
}

#[test]
fn headings_show_out_parameters() {
    let project = Project::new()
        .with("a.pleach", "action find(range: float, out who: entity<Enemy>)\naction go(out: int)\n")
        .with("b.manifest", "action look(out at: vec2)\naction turn(by: number?)\n");
    let headings = |file: &str| -> Vec<String> {
        let all = project.file(file).expect("the file").declarations().iter();
        all.map(|it| it.heading()).filter(|it| it.starts_with("action")).collect()
    };
    let of_trees = ["action find(range: float, out who: entity<Enemy>)", "action go(out: int)"];
    assert_eq!(headings("a.pleach"), of_trees);
    assert_eq!(headings("b.manifest"), ["action look(out at: vec2)", "action turn(by: number?)"]);
}
