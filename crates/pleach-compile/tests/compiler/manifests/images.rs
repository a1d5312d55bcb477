//! Manifests that are made from images.

use super::told;
use pleach_compile::dialect::{by_name, manifest_of_file};
use pleach_compile::manifest::{Manifest, Manifests, Starter};
use pleach_compile::texts::Texts;
use pleach_compile::{Request, compile};
use pleach_image::format::{
    EnumRow, ImportRow, MemberRow, Parts, SiteRow, StrRef, TypedRow, import_kind, seal, typed, write,
};
use pleach_image::{Image, ImageError};

const GUARD: &str = "enum Mood { calm, wary = 4 }
    action walk(post: int, pace: float)
    action findEnemy(range: float, out who: entity<Enemy>, out near: float)
    action attack(who: entity<Enemy>)
    action say(line: text)
    action feel(mood: Mood)
    action look(at: vec3)
    action count(of: int64, part: double)
    query seen(): bool
    query distanceTo(post: int): float
    query nearest(): entity<Enemy>
    query home(): vec2
    query mood(): Mood
    var target: entity<Enemy>
    var near: float
    var post: int8
    var spot: vec3
    var place: vec2
    tree guard { sequence {
        action walk(3, 1.5) action walk(post, near) action findEnemy(20.0, target, near)
        action attack(target) action say(\"hi\") action feel(calm) action look(spot) action count(1, 0.5)
        condition seen() && distanceTo(2) < 5.0 && mood() == wary
        set target = nearest() set place = home()
    } }";

/// Returns the image of a tree.
fn image(dialect: &str, extension: &str, manifest: &Manifest, text: &str) -> Vec<u8> {
    let dialect = by_name(dialect).expect("a dialect");
    let request = Request { dialect, manifest, entries: &["guard".to_owned()], debug: false };
    let done = compile(&Texts::of("guard", extension, text), request);
    done.image.unwrap_or_else(|| panic!("{:?}", told(&done.diagnostics)))
}

fn guard() -> Vec<u8> {
    image("pleach", "pleach", &Manifest::default(), GUARD)
}

/// Returns the manifest of an image that is valid.
fn made(bytes: &[u8]) -> String {
    manifest_of_file("guard.plc", bytes).unwrap_or_else(|why| panic!("{why}"))
}

/// Returns the manifest of an image whose rows have been changed.
fn changed(change: impl FnOnce(&mut Parts)) -> String {
    let mut parts = Image::copy(&guard()).expect("an image").parts();
    change(&mut parts);
    made(&write(&parts))
}

/// Makes sure that a text is a manifest without errors.
#[track_caller]
fn is_manifest(text: &str) -> Manifest {
    let (manifest, problems) = Manifest::parse(text);
    assert_eq!(problems, [], "{text}");
    manifest
}

#[test]
fn functions_have_the_types_that_calls_show() {
    let made = made(&guard());
    assert_eq!(
        made,
        "action attack(value1: entity) # guard.plc\n\
         action count(value1: int64, value2: double) # guard.plc\n\
         action feel(value1: int) # guard.plc; value1 is of the enum Mood: calm = 0, wary = 4\n\
         action findEnemy(value1: float, out value2: entity, out value3: float) # guard.plc\n\
         action look(value1: float, value2: float, value3: float) # guard.plc\n\
         action say(value1: text) # guard.plc\n\
         action walk(value1: int, value2: float) # guard.plc\n\
         query distanceTo(value1: int) -> number # guard.plc\n\
         query home() -> vec2 # guard.plc\n\
         query mood() -> int # guard.plc; the answer is of the enum Mood: calm = 0, wary = 4\n\
         query nearest() -> entity # guard.plc\n\
         query seen() -> bool # guard.plc\n"
    );
    // A tree without declarations of its own can use all of it, in the same way.
    let text = "var e: entity var d: float var v: vec2 tree guard { sequence { action findEnemy(1.0, e, d)
        action attack(e) action look(d, d, d) action feel(4) action say(\"\") action walk(1, 2.0)
        set e = nearest() set v = home() condition seen() && mood() == 4 && distanceTo(1) > 2.0 } }";
    image("pleach", "pleach", &is_manifest(&made), text);
}

#[test]
fn numbers_of_arguments_are_those_of_calls_or_of_the_declaration() {
    let manifest =
        is_manifest("action go(to: int, pace: float?)\naction rest()\nquery far(at: int = 1) -> float");
    let made_of = |manifest: &Manifest, text: &str| made(&image("pleach", "pleach", manifest, text));
    assert_eq!(
        made_of(&manifest, "tree guard { sequence { action go(1) action rest condition far(2) > 1.0 } }"),
        "action go(value1: int, value2: number?) # guard.plc\n\
         action rest() # guard.plc\n\
         query far(value1: int?) -> number # guard.plc\n"
    );
    let (dialect, mut starter) = (by_name("unvanquished").expect("a dialect"), Starter::default());
    let mut game = Manifests::of(dialect);
    game.add("game", "action dance(style: int, song: text?)\nquery mood() -> int");
    let text = "selector { condition mood { action dance( 1, \"waltz\" ) } action dance( 2 ) action heal }";
    let bytes = image("unvanquished", "bt", game.manifest(), text);
    let own = dialect.own_manifest();
    starter.read_image("guard.plc", &Image::copy(&bytes).expect("an image"), &own);
    // `heal` is declared by the dialect.
    assert_eq!(
        starter.to_string(),
        "action dance(value1: int, value2: text?) # guard.plc\nquery mood() -> bool # guard.plc\n"
    );
}

#[test]
fn only_verified_images_are_read() {
    let mut bytes = guard();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    let refused: Result<_, ImageError> = manifest_of_file("guard.plc", &bytes);
    assert!(refused.is_err());
    assert!(manifest_of_file("guard.plc", &bytes[..20]).is_err());
}

/// Appends a text to the strings of an image.
fn text(parts: &mut Parts, text: &str) -> StrRef {
    let start = parts.strings.len() as u32;
    parts.strings.extend_from_slice(text.as_bytes());
    StrRef { start, len: text.len() as u32 }
}

#[test]
fn names_that_no_manifest_can_declare_become_comments() {
    let odd = ["x\naction evil()", "a(b: int) #", "WALK", "\u{2028}", "?"];
    let found = changed(|parts| {
        for (at, name) in odd.iter().enumerate() {
            parts.imports[at].name = text(parts, name);
        }
        let last = parts.imports.len() - 1;
        parts.imports[last].name = StrRef::default();
    });
    let manifest = is_manifest(&found);
    let all: Vec<_> = manifest.actions.iter().chain(&manifest.queries).map(|it| it.name.as_str()).collect();
    assert!(!all.contains(&"evil") && !all.contains(&"a"), "{found}");
    assert_eq!(found.lines().count(), Image::copy(&guard()).expect("an image").imports().len(), "{found}");
    let twice = changed(|parts| {
        let name = text(parts, "WALK");
        let mut actions = parts.imports.iter_mut().filter(|it| it.kind == import_kind::ACTION);
        // The first one is `walk`.
        actions.nth(1).expect("an action").name = name;
    });
    assert!(twice.contains("upper and lower case alone"), "{twice}");
    is_manifest(&twice);
}

#[test]
fn tables_that_are_not_verified_do_no_harm() {
    let found = changed(|parts| {
        let far = StrRef { start: u32::MAX, len: u32::MAX };
        let long = text(parts, &"x".repeat(5000));
        parts.enums = vec![EnumRow { name: far }, EnumRow { name: long }];
        let member = |of, name| MemberRow { of, name, number: u32::MAX };
        parts.members = vec![member(7, far), member(1, long), member(1, far), member(0, long)];
        let imports = 0..parts.imports.len() as u32;
        let row = |index| TypedRow { kind: typed::PARAMETER, index, place: 0, of: index % 3 };
        parts.typed = imports.map(row).collect();
    });
    is_manifest(&found);
    assert!(found.len() < 10_000, "{} bytes", found.len());
}

/// Calls may share their arguments, so a small image may have billions of them.
#[test]
fn many_parameters_are_no_burden() {
    let found = changed(|parts| {
        let value = parts.values[0];
        let kind = import_kind::ACTION;
        parts.values.resize(60_000, value);
        for at in 0..20_000 {
            let name = text(parts, &format!("f{at}"));
            let index = parts.imports.len() as u16;
            parts.imports.push(ImportRow { name, kind, min_args: 0, max_args: u16::MAX });
            let count = if at % 2 == 0 { 50 } else { 60_000 };
            parts.sites.push(SiteRow { import: index, count, first: 0 });
        }
    });
    assert!(is_manifest(&found).actions.len() > 1000);
    assert!(found.contains("too many parameters"), "{}", &found[..200]);
}

#[test]
fn damaged_images_give_manifests_or_errors() {
    let bytes = guard();
    let mut valid = 0;
    for at in 64..bytes.len() {
        for mask in [1, 0x20, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= mask;
            seal(&mut damaged);
            if let Ok(found) = manifest_of_file("guard.plc", &damaged) {
                is_manifest(&found);
                valid += 1;
            }
        }
    }
    assert!(valid > 100, "{valid}");
}
