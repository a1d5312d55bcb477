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
