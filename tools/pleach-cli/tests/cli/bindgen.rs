//! Names of trees as source text, which compiles and works.

#[rustfmt::skip]
#[path = "bindgen/soldier.rs"]
mod soldier;

#[rustfmt::skip]
#[path = "bindgen/moods.rs"]
mod moods;

#[rustfmt::skip]
#[path = "bindgen/places.rs"]
mod places;

use crate::folder::Folder;
use pleach::{Call, Crowd, EventTarget, Image, Program, Status};
use soldier::{Functions, Game, Ids};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const TREE: &str = include_str!("bindgen/soldier.pleach");
const MOODS: &str = include_str!("bindgen/moods.pleach");
const PLACES: &str = include_str!("bindgen/places.pleach");
const MANIFEST: &str = include_str!("bindgen/arena.manifest");

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("soldier.pleach", TREE).file("arena.manifest", MANIFEST);
    folder
}

fn generated(folder: &Folder, args: &[&str]) -> String {
    folder.pleach(&[&["bindgen"], args].concat()).exits(0).out
}

/// Compares with a file beside this one; `PLEACH_BLESS=1` writes it.
#[track_caller]
fn is_golden(text: &str, file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/bindgen").join(file);
    if env::var_os("PLEACH_BLESS").is_some() {
        fs::write(&path, text).expect("a file");
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    assert!(golden == text, "{file} is not what is written now; PLEACH_BLESS=1 writes it:\n{text}");
}

#[test]
fn what_is_written_stays_what_it_was() {
    let folder = folder("bindgen");
    let with_manifest = ["soldier.pleach", "--manifest", "arena.manifest"];
    is_golden(&generated(&folder, &[&with_manifest[..], &["--lang", "rust"]].concat()), "soldier.rs");
    is_golden(&generated(&folder, &[&with_manifest[..], &["--lang", "c"]].concat()), "soldier.h");
    is_golden(&generated(&folder, &["arena.manifest", "--lang", "c"]), "arena.h");
}

#[test]
fn an_image_has_the_names_of_its_tree() {
    let folder = folder("bindgen_image");
    folder.pleach(&["build", "soldier.pleach", "--manifest", "arena.manifest", "-o", "soldier.plc"]).exits(0);
    let of_image = generated(&folder, &["soldier.plc", "--manifest", "arena.manifest", "--lang", "rust"]);
    let of_tree = generated(&folder, &["soldier.pleach", "--manifest", "arena.manifest", "--lang", "rust"]);
    // But for constants, which are numbers in an image.
    let of_tree = of_tree.replace("    /// `POST`\n    pub const POST: i32 = 3;\n", "");
    assert_eq!(of_image.replace("soldier.plc", "soldier.pleach"), of_tree);
}

#[test]
fn constants_of_trees_are_written() {
    let folder = Folder::new("bindgen_constants");
    folder.file(
        "posts.pleach",
        "const POST = 3  const FAR = 1.5  const LOUD = true  const LEAST = -2147483647 - 1  const NONE = 1e38 * 10.0  tree posts { success }",
    );
    let rust = generated(&folder, &["posts.pleach", "--lang", "rust"]);
    for constant in ["POST: i32 = 3;", "FAR: f32 = 1.5;", "LOUD: bool = true;", "LEAST: i32 = -2147483648;"] {
        assert!(rust.contains(&format!("pub const {constant}\n")), "{constant} in {rust}");
    }
    let c = generated(&folder, &["posts.pleach", "--lang", "c"]);
    for constant in ["POST (3)", "FAR (1.5f)", "LOUD true", "LEAST (-2147483647 - 1)"] {
        assert!(c.contains(&format!("#define POSTS_SYMBOL_{constant}\n")), "{constant} in {c}");
    }
    assert!(!rust.contains("NONE") && !c.contains("NONE"), "it is no finite number");
}

/// `A_ACTION_GO_NAME` is the place of one action, and would be the constant of the name of another.
#[test]
fn names_and_places_of_functions_are_told_apart() {
    let folder = Folder::new("bindgen_name");
    folder.file("a.pleach", "action go() action go_name() tree a { sequence { action go action go_name } }");
    let c = generated(&folder, &["a.pleach", "--lang", "c"]);
    for line in [
        "    A_ACTION_GO,\n",
        "    A_ACTION_GO_NAME,\n",
        "#define A_ACTION_GO_NAME_ACTION \"go\"\n",
        "#define A_ACTION_GO_NAME_NAME \"go_name\"\n",
    ] {
        assert!(c.contains(line), "{line} in {c}");
    }
}

#[test]
fn a_file_is_written_only_if_it_changes() {
    let folder = folder("bindgen_file");
    let args = ["bindgen", "arena.manifest", "--lang", "c", "-o", "names.h", "--name", "2nd Arena"];
    let written = || folder.0.join("names.h").metadata().and_then(|it| it.modified()).expect("a file");
    assert_eq!(folder.pleach(&args).exits(0).out, "");
    let first = written();
    folder.pleach(&args).exits(0);
    assert_eq!(first, written());
    let text = fs::read_to_string(folder.0.join("names.h")).expect("a file");
    assert!(text.contains("N2ND_ARENA_ACTION_MOVE_TO,"), "{text}");
}

#[test]
fn errors_are_told() {
    let folder = folder("bindgen_errors");
    folder.file("bad.manifest", "action one\n").file("bad.pleach", "tree a { action nothing }\n");
    for file in ["bad.manifest", "bad.pleach"] {
        assert!(folder.pleach(&["bindgen", file, "--lang", "c"]).exits(1).err.contains("error"));
    }
    folder.pleach(&["bindgen", "none.manifest", "--lang", "c"]).exits(2);
    folder.pleach(&["bindgen", "soldier.pleach"]).exits(2);
}

/// A game with all functions that its trees need: another name would not compile.
#[derive(Default)]
struct Arena {
    healed: u32,
    walked: Vec<i32>,
}

impl Game for Arena {
    fn heal(&mut self, _call: &mut Call<'_>) -> Status {
        self.healed += 1;
        Status::Running
    }

    fn move_to(&mut self, _call: &mut Call<'_>, place: i32, _speed: Option<f64>) -> Status {
        self.walked.push(place);
        Status::Success
    }

    fn move_to_action(&mut self, _call: &mut Call<'_>) -> Status {
        Status::Success
    }

    fn loop_(&mut self, _call: &mut Call<'_>) -> Status {
        Status::Failure
    }

    fn distance(&mut self, call: &mut Call<'_>, place: i32) -> f32 {
        assert_eq!(place, call.args.int(0));
        place as f32
    }

    fn visible(&mut self, _call: &mut Call<'_>) -> bool {
        true
    }

    fn loop_query(&mut self, _call: &mut Call<'_>) -> i32 {
        1
    }
}

fn program(folder: &Folder, tree: &str) -> Program {
    folder.pleach(&["build", tree, "--manifest", "arena.manifest", "-o", "out.plc"]).exits(0);
    let image = Image::load(folder.0.join("out.plc")).expect("an image");
    Program::link(&image, &Functions(Arena::default())).expect("the game has all functions")
}

#[test]
fn a_game_runs_on_what_is_written() {
    let folder = folder("bindgen_runs");
    let program = program(&folder, "soldier.pleach");
    let ids = Ids::of(&program).expect("the program has all names");
    let mut host = Functions(Arena::default());
    let mut crowd = Crowd::new(&program);
    let soldiers: Vec<_> =
        (0..40).map(|_| crowd.spawn(soldier::trees::SOLDIER).expect("there is room")).collect();
    for soldier in &soldiers[..30] {
        crowd.set(*soldier, ids.alert, true).expect("a variable");
    }
    for _ in 0..6 {
        crowd.raise(ids.hit, EventTarget::Agent(soldiers[0]), 0, &mut host).expect("an event");
    }
    let tally = crowd.tick(0, &mut host);
    // One is hurt, 29 walk, and the others do what fails.
    assert_eq!((tally.running, tally.success, tally.failure), (1, 29, 10));
    assert_eq!((host.0.healed, host.0.walked), (1, vec![3; 29]));
    assert_eq!(crowd.get::<f32>(soldiers[0], ids.health), Ok(40.0));
    assert_eq!(soldier::symbols::WORST, i32::MIN);
}

#[test]
fn names_that_are_gone_are_told_together() {
    let folder = folder("bindgen_gone");
    let changed = TREE.replace("class: int8", "class: int").replace("on class", "on rank");
    folder.file("soldier.pleach", changed.replace("alert", "alarmed").replace("on hit", "on hits"));
    let program = program(&folder, "soldier.pleach");
    let error = Ids::of(&program).expect_err("four names are gone").to_string();
    for line in [
        "lacks 4 of the names",
        "variable `alert`",
        "variable `class` as `i8`: it is `i32`",
        "event `class`",
        "event `hit` (did you mean `hits`?)",
    ] {
        assert!(error.contains(line), "{line} in {error}");
    }
}

#[test]
fn enums_of_trees_are_enums_of_games() {
    let folder = Folder::new("bindgen_enums");
    folder.file("moods.pleach", MOODS);
    is_golden(&generated(&folder, &["moods.pleach", "--lang", "rust"]), "moods.rs");
    is_golden(&generated(&folder, &["moods.pleach", "--lang", "c"]), "moods.h");
}

/// A game that shows what its trees ask for.
#[derive(Default)]
struct Gallery(Vec<(moods::Mood, bool, moods::OptionEnum)>);

impl moods::Game for Gallery {
    fn show(&mut self, _: &mut Call<'_>, mood: moods::Mood, loud: bool, other: moods::OptionEnum) -> Status {
        self.0.push((mood, loud, other));
        Status::Success
    }

    fn mood_of(&mut self, _: &mut Call<'_>, who: i32) -> moods::Mood {
        assert_eq!(who, 1);
        moods::Mood::Wary
    }
}

#[test]
fn a_game_answers_with_members() {
    let folder = Folder::new("bindgen_enums_run");
    folder.file("moods.pleach", MOODS);
    folder.pleach(&["build", "moods.pleach", "-o", "out.plc"]).exits(0);
    let image = Image::load(folder.0.join("out.plc")).expect("an image");
    let mut host = moods::Functions(Gallery::default());
    let program = Program::link(&image, &host).expect("the game has all functions");
    let mut crowd = Crowd::new(&program);
    crowd.spawn(moods::trees::MOODS).expect("there is room");
    assert_eq!(crowd.tick(0, &mut host).success, 1);
    assert_eq!(host.0.0, [(moods::Mood::Least, true, moods::OptionEnum::Calm)]);
    assert_eq!(moods::symbols::START, moods::Mood::Wary);
    assert_eq!((moods::Mood::of(4), moods::Mood::of(3)), (moods::Mood::Wary, moods::Mood::Other(3)));
    assert_eq!(moods::Mood::Other(3).number(), 3);
}

/// A game whose functions take, give and answer vectors.
#[derive(Default)]
struct Map(Vec<[f32; 4]>);

impl places::Game for Map {
    fn go(&mut self, _: &mut Call<'_>, to_x: f32, to_y: f32, to_z: f32, speed: f32) -> Status {
        self.0.push([to_x, to_y, to_z, speed]);
        Status::Success
    }

    fn find(&mut self, call: &mut Call<'_>) -> Status {
        call.give(places::outs::FIND_AT_X, 5.0_f32).expect("an out argument");
        call.give(places::outs::FIND_AT_Y, 6.0_f32).expect("an out argument");
        Status::Success
    }

    fn threat(&mut self, _: &mut Call<'_>, near_x: f32, near_y: f32) -> [f32; 3] {
        [near_x, near_y, 3.0]
    }
}

#[test]
fn vectors_are_floats_of_games() {
    let folder = Folder::new("bindgen_vectors");
    folder.file("places.pleach", PLACES);
    is_golden(&generated(&folder, &["places.pleach", "--lang", "rust"]), "places.rs");
    folder.pleach(&["build", "places.pleach", "-o", "out.plc"]).exits(0);
    let image = Image::load(folder.0.join("out.plc")).expect("an image");
    let mut host = places::Functions(Map::default());
    let program = Program::link(&image, &host).expect("the game has all functions");
    let ids = places::Ids::of(&program).expect("the program has all names");
    let mut crowd = Crowd::new(&program);
    let agent = crowd.spawn(places::trees::PLACES).expect("there is room");
    assert_eq!(crowd.tick(0, &mut host).success, 1);
    assert_eq!(host.0.0, [[2.0, 4.0, 6.0, 6.0]]);
    assert_eq!(
        [ids.at_x, ids.at_z, ids.found_y].map(|id| crowd.get(agent, id)),
        [Ok(2.0_f32), Ok(6.0), Ok(6.0)]
    );
    assert_eq!(crowd.shared(ids.goal_x, Default::default()), Ok(5.0));
}

/// The folder with the header of the library, and a compiler of C; or why not.
fn c() -> Result<PathBuf, &'static str> {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/pleach-capi/include");
    if !include.join("pleach.h").is_file() {
        return Err("there is no pleach.h");
    }
    match Command::new("cc").arg("--version").output() {
        Ok(out) if out.status.success() => Ok(include),
        _ => Err("there is no compiler called cc"),
    }
}

/// Compiles a file without linking. Returns the messages of the compiler if there are any.
fn compiles(include: &Path, folder: &Folder, file: &str, standard: &str) -> Result<(), String> {
    let flags = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", standard, "-I"];
    let out = Command::new("cc").args(flags).arg(include).arg(file).current_dir(&folder.0).output();
    let out = out.expect("the compiler was there before");
    if out.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&out.stderr).into_owned()) }
}

const USE: &str = r#"
#include "soldier.h"
#include "arena.h"
#include "moods.h"
#include "places.h"
static pleach_function functions[SOLDIER_FUNCTION_COUNT];
const char *use(pleach_program program, uint32_t function, pleach_context context)
{
    soldier_ids ids;
    soldier_functions(functions);
    soldier_action_move_to_args args = soldier_action_move_to_args_of(context);
    if (args.place > 3 && args.speed > 1) return 0;
    moods_action_show_args shown = moods_action_show_args_of(context);
    if (shown.mood == MOODS_ENUM_MOOD_WARY && shown.loud) return 0;
    places_action_go_args went = places_action_go_args_of(context);
    if (went.to_x > went.to_z && went.speed > 1) return 0;
    if (PLACES_OUT_FIND_AT_Y != PLACES_OUT_FIND_AT_X + 1) return 0;
    functions[SOLDIER_ACTION_MOVE_TO].data = &functions[SOLDIER_QUERY_DISTANCE];
    if (!strcmp(SOLDIER_ACTION_HEAL_NAME, SOLDIER_QUERY_DISTANCE_NAME)) return 0;
    if (soldier_ids_find(program, &ids) != PLEACH_OK || ids.class_ == ids.hit) return 0;
    switch (function) {
    case SOLDIER_ACTION_MOVE_TO_ACTION: return SOLDIER_TREE_SOLDIER;
    default: return ARENA_SYMBOL_WORST < 0 ? "" : 0;
    }
}
"#;

#[test]
fn the_header_compiles() {
    let include = match c() {
        Ok(include) => include,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    let folder = folder("bindgen_c");
    let with_manifest = ["bindgen", "soldier.pleach", "--manifest", "arena.manifest", "--lang", "c"];
    folder.pleach(&[&with_manifest[..], &["-o", "soldier.h"]].concat()).exits(0);
    folder.pleach(&["bindgen", "arena.manifest", "--lang", "c", "-o", "arena.h"]).exits(0);
    folder.file("moods.pleach", MOODS);
    folder.pleach(&["bindgen", "moods.pleach", "--lang", "c", "-o", "moods.h"]).exits(0);
    folder.file("places.pleach", PLACES);
    folder.pleach(&["bindgen", "places.pleach", "--lang", "c", "-o", "places.h"]).exits(0);
    folder.file("use.c", USE).file("use.cpp", USE);
    folder.file("renamed.c", USE.replace("SOLDIER_ACTION_MOVE_TO]", "SOLDIER_ACTION_WALK]"));
    assert_eq!(compiles(&include, &folder, "use.c", "-std=c99"), Ok(()));
    assert_eq!(compiles(&include, &folder, "use.cpp", "-std=c++17"), Ok(()));
    let error = compiles(&include, &folder, "renamed.c", "-std=c99").expect_err("the name is gone");
    assert!(error.contains("SOLDIER_ACTION_WALK"), "{error}");
    folder.file("renamed.cpp", USE.replace("SOLDIER_ACTION_HEAL_NAME", "SOLDIER_ACTION_CURE_NAME"));
    let error = compiles(&include, &folder, "renamed.cpp", "-std=c++17").expect_err("the name is gone");
    assert!(error.contains("SOLDIER_ACTION_CURE_NAME"), "{error}");
}

/// A tree that declares its functions itself needs no manifest.
#[test]
fn what_a_tree_declares_has_types() {
    let folder = Folder::new("bindgen_declared");
    folder.file(
        "a.pleach",
        "action walk(post: int, speed: float, run: bool, loop: text)\naction unused()\nquery seen(who: int): bool\n\
         tree a { if seen(1) { action walk(2, 0.5, true, \"x\") } }\n",
    );
    let rust = generated(&folder, &["a.pleach", "--lang", "rust"]);
    for line in [
        "fn walk(&mut self, call: &mut ::pleach::Call<'_>, post: i32, speed: f32, run: bool, loop_: &[u8]) -> ::pleach::Status;",
        "fn seen(&mut self, call: &mut ::pleach::Call<'_>, who: i32) -> bool;",
    ] {
        assert!(rust.contains(line), "{line} in {rust}");
    }
    assert!(!rust.contains("unused"), "{rust}");
    let c = generated(&folder, &["a.pleach", "--lang", "c"]);
    let members = "    int32_t post;\n    float speed;\n    bool run;\n    const char *loop;\n    size_t loop_length;\n";
    assert!(
        c.contains(&format!("typedef struct a_action_walk_args {{\n{members}}} a_action_walk_args;\n")),
        "{c}"
    );
}
