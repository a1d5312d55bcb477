//! Reloads after changes on the disk.

use super::history::History;
use super::*;
use std::fs;

/// Crowd that counts the texts that it gets, and refuses those with a word.
#[derive(Default)]
struct Counter(usize);

impl Running for Counter {
    fn go_on(&mut self, texts: &Overlay) -> Result<Vec<(String, PathBuf)>, Refused> {
        self.0 += 1;
        if texts.values().any(|text| text.contains("wrong")) {
            return Err(Refused::new("wrong"));
        }
        Ok(Vec::new())
    }

    fn show_trouble(&mut self, _: &Refused) {}

    fn try_out(&mut self, _: &Overlay, _: &Overlay, _: f64) -> Result<Trial, Refused> {
        Err(Refused::new("there is no crowd"))
    }

    fn compare(&mut self, _: &Overlay, _: &Overlay) -> Result<Comparison, Refused> {
        Err(Refused::new("there is no program"))
    }
}

/// Returns the image of a tree `a`.
fn image(text: &str) -> Vec<u8> {
    use pleach_compile::{Request, compile, dialect, manifest::Manifest, texts::Texts};
    let (dialect, manifest) = (dialect::by_name("pleach").expect("a dialect"), Manifest::default());
    let request = Request { dialect, manifest: &manifest, entries: &["a".to_owned()], debug: false };
    compile(&Texts::of("a", "pleach", text), request).image.expect("an image")
}

#[test]
fn the_palette_has_the_names_of_images_that_can_be_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "action walk(post: int)\naction find(out who: entity)\nquery seen(): bool\nvar e: entity\n\
        tree a { sequence { condition seen() action walk(1) action find(e) } }";
    let game = folder.path().join("game.plc");
    fs::write(&game, image(text)).expect("a file");
    let models = folder.path().join("models.xml");
    let nodes =
        "<Action ID=\"sequence\"/><Action ID=\"Rest\"><input_port name=\"time\" type=\"int\"/></Action>";
    fs::write(&models, format!("<root BTCPP_format=\"4\"><TreeNodesModel>{nodes}</TreeNodesModel></root>"))
        .expect("a file");
    let text = "action give(out place: vec2)\ntree a { running }\n";
    let project = start::with_manifests(Project::new(), &[game, models]).with("a.pleach", text);
    let palette = serde_json::to_value(Palette::of(&project, "a.pleach")).expect("JSON");
    let names = palette["names"].as_array().expect("a list").iter();
    let mut names: Vec<_> =
        names.map(|it| format!("{} {} {} {}", it["kind"], it["name"], it["type"], it["params"])).collect();
    names.sort();
    let expected = [
        r#""action" "Rest" "" [["time_given","bool",false],["time","int",false]]"#,
        r#""action" "find" "" [["value1","entity",true]]"#,
        r#""action" "give" "" [["place","vec2",true]]"#,
        r#""action" "walk" "" [["value1","int",false]]"#,
        r#""parameter" "place" "vec2" []"#,
        r#""query" "seen" "bool" []"#,
        r#""tree" "a" "" []"#,
    ];
    assert_eq!(names, expected, "`sequence` is a word of the language");
}

#[test]
fn the_program_is_compiled_only_if_a_text_has_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.pleach");
    fs::write(&path, "tree a { success }\n").expect("a file");
    let file = EditedFile::open("a.pleach", &path, None).expect("the file");
    let manifests = vec![folder.path().join("game.manifest")];
    fs::write(&manifests[0], "action walk()\n").expect("a file");
    let mut project = Project::new().with("a.pleach", &file.disk);
    start::read_manifests(&mut project, &manifests);
    let mut editing = Editing {
        project,
        files: vec![file],
        manifests: manifests.clone(),
        history: History::default(),
        revision: 1,
        is_current: true,
        palette: None,
    };
    let mut crowd = Counter::default();
    let text = r#"{"do":"text","file":0,"revision":1,"text":"tree a { failure }\n"}"#;
    editing.perform(text, &mut crowd).expect("a step");
    editing.perform(r#"{"do":"save","file":0}"#, &mut crowd).expect("it is written");
    editing.look(&mut crowd);
    assert_eq!((crowd.0, editing.revision), (1, 2));
    fs::write(&manifests[0], "action run()\n").expect("a file");
    editing.look(&mut crowd);
    assert_eq!((crowd.0, editing.revision), (2, 3));
    fs::write(&path, "tree a { wrong }\n").expect("a file");
    editing.look(&mut crowd);
    assert_eq!((crowd.0, editing.is_current), (3, false));
    // An included file may have appeared, or a manifest may be missing.
    editing.look(&mut crowd);
    editing.perform(r#"{"do":"undo","revision":4}"#, &mut crowd).expect("a step");
    assert_eq!((crowd.0, editing.is_current), (5, true));
    fs::remove_file(&manifests[0]).expect("the file");
    editing.look(&mut crowd);
    assert_eq!(crowd.0, 6);
}
