//! New projects. That their games are built and run is tested by `.ci/run`: cargo and CMake take
//! their time.

use crate::folder::Folder;
use std::path::Path;

#[test]
fn the_trees_of_a_new_project_are_right_and_tested() {
    let folder = Folder::new("projects_trees");
    for (name, lang) in [("arena", "rust"), ("my-arena_2", "cpp"), ("herd", "bevy")] {
        let made = folder.pleach(&["new", name, "--lang", lang]).exits(0).out;
        assert!(made.contains(&format!("cd {name}\n")), "{made}");
        let project = Folder(folder.0.join(name));
        assert_eq!(project.pleach(&["check", "trees/guard.pleach"]).exits(0).err, "1 file: no problems\n");
        project.pleach(&["fmt", "--check", "trees/guard.pleach"]).exits(0);
        let tested = project.pleach(&["test", "trees/guard.test"]).exits(0).out;
        assert!(tested.ends_with("\n3 tests, 0 failed\n"), "{tested}");
        project.pleach(&["run", "trees/guard.pleach", "--agents=50", "--ticks=50"]).exits(0);
    }
}

#[test]
fn the_files_of_a_project_name_it_and_the_checkout() {
    let folder = Folder::new("projects_files");
    for (file, lang, crate_of, first_build) in [
        ("arena/Cargo.toml", "rust", "crates/pleach", ""),
        (
            "games/CMakeLists.txt",
            "cpp",
            "crates/pleach-capi",
            "a few minutes: cargo builds the library by its fast",
        ),
        ("herd/Cargo.toml", "bevy", "crates/pleach-bevy", "some minutes: cargo builds the parts of Bevy"),
    ] {
        let (name, manifest) = file.split_once('/').expect("a folder");
        let made = folder.pleach(&["new", name, "--lang", lang]).exits(0).out;
        let text = std::fs::read_to_string(folder.0.join(file)).expect("a file");
        assert!(!text.contains("{{") && text.contains(name), "{text}");
        let path = text.split('"').find(|part| part.ends_with(crate_of)).expect("a path of the checkout");
        assert!(Path::new(path).is_dir(), "{path}");
        let checkout = path.strip_suffix(crate_of).expect("an end").trim_end_matches('/');
        let told = format!("\n{manifest} names the checkout of Pleach by its absolute path, {checkout}: ");
        assert!(made.contains(&told), "{made}");
        assert_eq!(made.contains("The first build takes"), !first_build.is_empty(), "{made}");
        assert!(made.contains(first_build), "{made}");
    }
}

#[test]
fn a_project_takes_no_place_and_has_a_name() {
    let folder = Folder::new("projects_names");
    folder.file("arena/mine.txt", "kept");
    for (name, why) in [
        ("arena", "it exists already; choose another name"),
        ("2nd", "cannot be the name"),
        ("a b", "cannot be the name"),
        ("..", "cannot be"),
    ] {
        let ran = folder.pleach(&["new", name]).exits(2);
        assert!(ran.err.contains(why), "{name}: {}", ran.err);
    }
    assert_eq!(std::fs::read_dir(folder.0.join("arena")).expect("a folder").count(), 1);
}

#[test]
fn a_name_that_the_tools_refuse_makes_no_project() {
    let folder = Folder::new("projects_refused");
    for (lang, name, why) in [
        ("rust", "fn", "it is a word of Rust"),
        ("rust", "Self", "it is a word of Rust"),
        ("rust", "test", "it is the name of a library of Rust"),
        ("rust", "core", "it is the name of a library of Rust"),
        ("rust", "proc-macro", "it is the name of a library of Rust"),
        ("rust", "build", "it is the name of a folder of cargo"),
        ("rust", "pleach", "it is the name of a crate that the project depends on"),
        ("rust", "pleach-image", "it is the name of a crate that the project depends on"),
        ("bevy", "fn", "it is a word of Rust"),
        ("bevy", "build", "it is the name of a folder of cargo"),
        ("bevy", "bevy-ecs", "it is the name of a crate that the project depends on"),
        ("cpp", "test", "it is the name of a target of CMake"),
        ("cpp", "trees", "it is the name of a target that the project has"),
        ("cpp", "pleach", "it is the name of a target that the project has"),
    ] {
        let ran = folder.pleach(&["new", name, "--lang", lang]).exits(2);
        assert!(ran.err.contains(&format!("`{name}` cannot be the name of a project; {why}")), "{}", ran.err);
    }
    for (lang, name) in
        [("rust", "pleach-demo"), ("rust", "My-Game"), ("rust", "trees"), ("cpp", "core"), ("bevy", "log")]
    {
        folder.pleach(&["new", name, "--lang", lang]).exits(0);
    }
}

/// Parts of Bevy of another version have other types than those of the plugin.
#[test]
fn a_project_with_bevy_has_the_parts_that_the_plugin_has() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| std::fs::read_to_string(root.join(file)).expect("a manifest");
    let (project, plugin) =
        (read("templates/bevy/Cargo.toml.in"), read("../../crates/pleach-bevy/Cargo.toml"));
    let parts: Vec<_> = project.lines().filter(|line| line.starts_with("bevy_")).collect();
    assert!(parts.len() >= 3, "{project}");
    for part in parts {
        assert!(plugin.lines().any(|line| line == part), "{part}");
    }
}
