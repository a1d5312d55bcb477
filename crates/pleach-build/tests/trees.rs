//! Tests of build scripts: trees are compiled into a folder, with findings and lines for cargo.

use pleach_build::bindgen::{Language, Names};
use pleach_build::{Output, Trees};
use pleach_image::Image;
use std::fs;
use std::path::{Path, PathBuf};

/// Folder of one test, with files in it.
struct Game {
    folder: PathBuf,
}

impl Game {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("an older folder of the test");
        }
        let game = Self { folder };
        for (file, text) in files {
            let path = game.path(file);
            fs::create_dir_all(path.parent().expect("a folder of the file")).expect("a new folder");
            fs::write(path, text).expect("a new file");
        }
        game
    }

    fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    fn compile(&self, trees: &Trees) -> Output {
        trees.compile(&self.folder).expect("all files can be read and written")
    }

    /// Removes the path of the test's folder from a text.
    fn short(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.folder.display()), "")
    }
}

const GUARD: &str =
    "action heal()\nvar health: float = 100\n\ntree guard { if health < 50 { action heal } }\n";

#[test]
fn a_running_game_gets_an_image_or_the_findings_as_text() {
    let game = Game::new("in_memory", &[("guard.pleach", GUARD), ("bad.pleach", "tree bad { use gaurd }\n")]);
    let image = Trees::new("guard").file(game.path("guard.pleach")).image().expect("an image");
    assert!(image.entry("guard").is_some());
    assert!(!game.path("guard.plc").exists() && !game.path("guard.rs").exists());
    let error =
        Trees::new("bad").file(game.path("bad.pleach")).image().expect_err("there is no tree `gaurd`");
    let text = game.short(&error.to_string());
    assert!(text.starts_with("error[E") && text.contains("bad.pleach:1:16"), "{text}");
    let error = Trees::new("none").file(game.path("none.pleach")).image().expect_err("there is no file");
    assert!(error.to_string().starts_with("cannot read "), "{error}");
}

#[test]
fn an_image_and_a_module_are_written() {
    let game = Game::new("written", &[("guard.pleach", GUARD)]);
    let output = game.compile(&Trees::new("guard").file(game.path("guard.pleach")));
    assert_eq!(game.short(&output.directives()), "cargo::rerun-if-changed=guard.pleach\n");
    let bytes = fs::read(game.path("guard.plc")).expect("the image");
    let image = Image::copy(&bytes).expect("an image of the compiler");
    assert!(image.entry("guard").is_some() && image.debug_node(1).is_some());
    let module = fs::read_to_string(game.path("guard.rs")).expect("the module");
    assert!(module.starts_with("pub mod guard {"), "{module}");
    assert!(module.contains("include_bytes!(\"guard.plc\")"), "{module}");
    assert!(module.contains("fn heal(&mut self"), "{module}");
}

#[test]
fn an_image_can_do_without_debug_sections() {
    let game = Game::new("stripped", &[("guard.pleach", GUARD)]);
    game.compile(&Trees::new("guard").file(game.path("guard.pleach")).without_debug());
    let bytes = fs::read(game.path("guard.plc")).expect("the image");
    assert!(Image::copy(&bytes).expect("an image of the compiler").debug_node(1).is_none());
}

#[test]
fn errors_have_their_lines_and_nothing_is_written() {
    let game = Game::new("wrong", &[("guard.pleach", "tree guard\n{\n    action heel\n}\n")]);
    let output = game.compile(&Trees::new("guard").file(game.path("guard.pleach")));
    assert!(output.findings.failed());
    let text = game.short(&output.findings.render(false));
    assert!(text.contains("guard.pleach:3:12"), "{text}");
    assert!(text.contains("3 |     action heel"), "{text}");
    assert!(text.ends_with("1 file: 1 error\n"), "{text}");
    assert_eq!(game.short(&output.directives()), "cargo::rerun-if-changed=guard.pleach\n");
    assert!(!game.path("guard.plc").exists() && !game.path("guard.rs").exists());
}

#[test]
fn included_files_and_manifests_are_inputs() {
    let files = [
        ("bots/guard.bt", "selector\n{\n    behavior rest\n    action heal()\n}\n"),
        ("lib/rest.bt", "action wait()\n"),
        ("arena.manifest", "action heal()\naction wait()\n"),
    ];
    let game = Game::new("included", &files);
    let trees = Trees::new("bots").file(game.path("bots/guard.bt")).folder(game.path("lib"));
    let output = game.compile(&trees.manifest(game.path("arena.manifest")));
    assert!(!output.findings.failed(), "{}", output.findings.render(false));
    assert_eq!(
        game.short(&output.directives()),
        "cargo::rerun-if-changed=arena.manifest\n\
         cargo::rerun-if-changed=bots/guard.bt\n\
         cargo::rerun-if-changed=lib/rest.bt\n"
    );
}

#[test]
fn problems_of_a_manifest_have_their_lines() {
    let files = [("guard.pleach", GUARD), ("arena.manifest", "action heal()\nacton wait()\n")];
    let game = Game::new("manifest", &files);
    let trees = Trees::new("guard").file(game.path("guard.pleach")).manifest(game.path("arena.manifest"));
    let output = game.compile(&trees);
    let text = game.short(&output.findings.render(false));
    assert!(text.contains("arena.manifest:2:1") && text.contains("acton wait()"), "{text}");
    assert!(!game.path("guard.plc").exists());
}

#[test]
fn manifests_add_to_the_dialects_own_and_a_later_declaration_counts() {
    let files = [
        ("guard.bt", "selector\n{\n    action roamInRadius(E_SELF, 50)\n    action dance(3)\n}\n"),
        ("game.manifest", "action dance()\n"),
        ("arena.manifest", "action dance(style: int)\n"),
    ];
    let game = Game::new("manifests", &files);
    let trees = Trees::new("guard").file(game.path("guard.bt"));
    let output =
        game.compile(&trees.manifest(game.path("game.manifest")).manifest(game.path("arena.manifest")));
    assert!(!output.findings.failed(), "{}", output.findings.render(false));
    assert_eq!(
        game.short(&output.directives()),
        "cargo::rerun-if-changed=arena.manifest\n\
         cargo::rerun-if-changed=game.manifest\n\
         cargo::rerun-if-changed=guard.bt\n\
         cargo::warning=arena.manifest:1:1: the action `dance` takes the place of an earlier one (W0779)\n"
    );
    // Functions have the parameters of their declarations, from either manifest.
    let module = fs::read_to_string(game.path("guard.rs")).expect("the module");
    assert!(module.contains("fn dance(&mut self, call: &mut ::pleach::Call<'_>, style: i32)"), "{module}");
    assert!(
        module.contains("fn roam_in_radius(&mut self, call: &mut ::pleach::Call<'_>, entity: "),
        "{module}"
    );
}

#[test]
fn constants_of_trees_are_in_the_module() {
    let files = [
        (
            "guard.pleach",
            "include \"posts.pleach\"\nconst FAR = 2.5 * POSTS\ntree guard { if FAR > now { success } }\n",
        ),
        ("posts.pleach", "const POSTS = 2 + 2  const LOUD = true  const LEAST = -2147483647 - 1\n"),
    ];
    let game = Game::new("constants", &files);
    game.compile(&Trees::new("guard").file(game.path("guard.pleach")));
    let module = fs::read_to_string(game.path("guard.rs")).expect("the module");
    for constant in ["FAR: f32 = 10.0;", "POSTS: i32 = 4;", "LOUD: bool = true;", "LEAST: i32 = -2147483648;"]
    {
        assert!(module.contains(&format!("pub const {constant}\n")), "{constant} in {module}");
    }
}

/// Each copy of a tree has its variables under names with `.` and `#`. They become identifiers that
/// differ from each other and from those of variables with similar names.
#[test]
fn variables_of_trees_have_identifiers() {
    let text = "action walk()\nvar patrol_left: int var foe: entity var said: text\ntree guard { sequence { use patrol(3) use patrol(5) } }\n\
        tree patrol(laps: int) { var left: int = laps keep var while_: bool sequence { set left -= 1 \
        set while_ = left > 1 action walk } }\n";
    let game = Game::new("copies", &[("guard.pleach", text)]);
    let output = game.compile(&Trees::new("guard").file(game.path("guard.pleach")));
    assert!(!output.findings.failed(), "{}", output.findings.render(false));
    let module = fs::read_to_string(game.path("guard.rs")).expect("the module");
    let mut names = Names::default();
    names.add_image(&Image::load(game.path("guard.plc")).expect("the image"));
    let header = Language::C.write(&names, "guard", "guard.plc");
    for (name, ty, identifier) in [
        ("patrol.left", "int", "patrol_left"),
        ("patrol.left#2", "int", "patrol_left_2"),
        ("patrol.while_", "bool", "patrol_while"),
        ("patrol.while_#2", "bool", "patrol_while_2"),
        ("patrol_left", "int", "patrol_left_variable"),
        ("foe", "entity", "foe"),
        ("said", "text", "said"),
    ] {
        let member = format!("pub {identifier}: ::pleach::Variable,");
        assert!(module.contains(&member), "{member} in {module}");
        let member = format!("/* variable {name}: {ty} */\n    pleach_variable {identifier};");
        assert!(header.contains(&member), "{member} in {header}");
    }
    assert!(!header.contains("::"), "a path of Rust in {header}");
}

#[test]
fn warnings_are_told_to_cargo_and_the_build_goes_on() {
    let text = "action heal()\ntree guard\n{\n    selector { if 1 > 2 { action heal } action heal }\n}\n";
    let game = Game::new("warned", &[("guard.pleach", text)]);
    let output = game.compile(&Trees::new("guard").file(game.path("guard.pleach")));
    assert_eq!(
        game.short(&output.directives()),
        "cargo::rerun-if-changed=guard.pleach\n\
         cargo::warning=guard.pleach:4:19: this condition is always false (W0601)\n"
    );
    assert!(game.path("guard.plc").exists());
}

#[test]
fn files_that_cannot_be_used_are_told() {
    let files = [("guard.pleach", GUARD), ("guard.bt", "action heal()"), ("guard.txt", "")];
    let game = Game::new("unusable", &files);
    let fails = |trees: Trees| game.short(&trees.compile(&game.folder).expect_err("an error").to_string());
    let trees = Trees::new("guard");
    assert_eq!(fails(trees.clone()), "no file of trees was named for `guard`");
    assert_eq!(
        fails(trees.clone().file(game.path("gard.pleach"))),
        "cannot read gard.pleach: No such file or directory (os error 2)"
    );
    assert_eq!(
        fails(trees.clone().file(game.path("guard.pleach")).file(game.path("guard.bt"))),
        "cannot build guard.bt: it is not pleach as the first is"
    );
    let unknown = fails(trees.file(game.path("guard.txt")));
    assert!(unknown.starts_with("cannot build guard.txt: neither its extension nor"), "{unknown}");
    for name in ["my guard", "2nd", "loop", "Guard", ""] {
        let error = fails(Trees::new(name).file(game.path("guard.pleach")));
        assert_eq!(error, format!("`{name}` cannot be the name of a module of Rust"));
    }
}
