//! Recorded runs: forward, back, and as an exported file.

use crate::support::{PATIENCE, Page, Stage, TREE, game, image, scene};
use pleach::record::{Recorder, Replay};
use pleach_view::{Excerpt, Options, View, export};
use serde_json::{Value, json};
use std::time::Instant;

const TICKS: usize = 60;

/// Returns a recording of a run in which one agent is angry from some tick on.
fn recording() -> Vec<u8> {
    blocks().concat()
}

/// Returns the recording in blocks of 20 ticks each.
fn blocks() -> Vec<Vec<u8>> {
    let (mut stage, mut host) = (Stage::hidden(20), game());
    let (mut recorder, mut bytes) = (Recorder::new(&image(TREE), &host), Vec::new());
    let alarm = stage.crowd.program().event("alarm").expect("it is declared");
    for tick in 1..=TICKS {
        let mut host = recorder.around(&mut host);
        if tick == 20 {
            stage
                .crowd
                .raise(alarm, pleach::EventTarget::Agent(stage.agents[3]), 20 * 50, &mut host)
                .expect("it is there");
        }
        stage.crowd.tick(tick as i64 * 50, &mut host);
        if tick % 20 == 0 {
            // End of a block.
            bytes.push(recorder.take());
        }
    }
    bytes.push(recorder.finish());
    bytes
}

/// Recording that is shown.
struct Shown {
    view: View,
    replay: Replay,
}

impl Shown {
    fn new(bytes: Vec<u8>) -> Self {
        let replay = Replay::open(bytes).expect("it is one");
        let scene = scene(TREE, replay.image(), replay.crowd().program());
        let options = Options { clock: Some(0.0), recording: true, ..Options::default() };
        let mut view = View::serve("127.0.0.1:0", scene, options).expect("there is a port");
        view.pause();
        Self { view, replay }
    }

    fn wait(&mut self, page: &mut Page, kind: &str, is: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            // Damage is checked by the tests that cause it.
            let _ = self.view.replay(&mut self.replay);
            while let Some(message) = page.read() {
                if message["type"] == kind && is(&message) {
                    return message;
                }
            }
        }
        panic!("no such `{kind}` came")
    }
}

#[test]
fn a_recording_goes_forward_and_back() {
    let mut shown = Shown::new(recording());
    let mut page = Page::open(&shown.view.address()).expect("it is let in");
    let hello = shown.wait(&mut page, "hello", |_| true);
    assert_eq!(hello["mode"], "recording");
    let state = shown.wait(&mut page, "state", |_| true);
    assert_eq!((&state["first"], &state["last"], &state["paused"]), (&json!(1), &json!(TICKS), &json!(true)));
    page.say(&json!({ "do": "pick", "agent": 3 }));
    let first = shown.wait(&mut page, "agent", |agent| agent["walked"] == true);
    assert_eq!((&first["tick"], &first["agent"]), (&json!(1), &json!(3)));
    let mut known: Vec<Value> = Vec::new();
    // Forward tick by tick, then back in any order: each tick is shown unchanged.
    for tick in 1..=30 {
        page.say(&json!({ "do": "at", "tick": tick }));
        shown.wait(&mut page, "crowd", |crowd| crowd["tick"] == tick && crowd["asked"] == true);
        let told = shown.wait(&mut page, "agent", |agent| agent["tick"] == tick && agent["asked"] == true);
        known.push(told);
    }
    assert_eq!(known[19]["events"], json!(["alarm"]));
    assert_ne!(known[18]["nodes"], known[19]["nodes"], "it fights from then on");
    for tick in [29, 3, 20, 19, 1] {
        page.say(&json!({ "do": "at", "tick": tick }));
        let told = shown.wait(&mut page, "agent", |agent| agent["tick"] == tick && agent["asked"] == true);
        assert_eq!(told, known[tick as usize - 1]);
    }
    page.say(&json!({ "do": "step", "ticks": 2 }));
    shown.wait(&mut page, "agent", |agent| agent["tick"] == 3);
    page.say(&json!({ "do": "step", "ticks": -1 }));
    shown.wait(&mut page, "agent", |agent| agent["tick"] == 2);
    page.say(&json!({ "do": "set", "agent": 3, "variable": 0, "value": 1, "id": 9 }));
    shown.wait(&mut page, "answer", |answer| answer["id"] == 9 && answer["ok"] == false);
    page.say(&json!({ "do": "resume" }));
    shown.wait(&mut page, "state", |state| state["tick"] == TICKS && state["paused"] == true);
    page.say(&json!({ "do": "at", "tick": 1_000_000_000 }));
    shown.wait(&mut page, "agent", |agent| agent["tick"] == TICKS && agent["asked"] == true);
}

#[test]
fn all_are_counted_while_it_plays() {
    let mut shown = Shown::new(recording());
    let mut page = Page::open(&shown.view.address()).expect("it is let in");
    page.say(&json!({ "do": "statistics", "every": 1 }));
    page.say(&json!({ "do": "step", "ticks": 10 }));
    shown.wait(&mut page, "statistics", |counts| counts["ticks"] == 200);
    page.say(&json!({ "do": "at", "tick": 5 }));
    shown.wait(&mut page, "statistics", |counts| counts["ticks"] == 20);
}

#[test]
fn damage_is_an_error_in_its_place() {
    let whole = recording();
    let mut damaged = blocks();
    *damaged[2].last_mut().expect("it is not empty") ^= 0x55;
    let mut shown = Shown::new(damaged.concat());
    let mut page = Page::open(&shown.view.address()).expect("it is let in");
    page.say(&json!({ "do": "pick", "agent": 3 }));
    shown.wait(&mut page, "agent", |agent| agent["walked"] == true);
    page.say(&json!({ "do": "at", "tick": TICKS }));
    shown.wait(&mut page, "agent", |agent| agent["tick"] == 40 && agent["walked"] == true);
    // A step into the damage is answered with an error. Going back still works.
    page.say(&json!({ "do": "step", "ticks": 1 }));
    let until = Instant::now() + PATIENCE;
    while shown.view.replay(&mut shown.replay).is_ok() {
        assert!(Instant::now() < until, "it goes on");
    }
    page.say(&json!({ "do": "at", "tick": 7 }));
    shown.wait(&mut page, "agent", |agent| agent["tick"] == 7 && agent["walked"] == true);
    for length in (0..whole.len()).step_by(97) {
        let Ok(mut replay) = Replay::open(whole[..length].to_vec()) else { continue };
        let scene = scene(TREE, replay.image(), replay.crowd().program());
        let excerpt = Excerpt { agents: vec![3], from: 1, ticks: 100 };
        // The export either has the ticks so far, or reports the damage.
        let _ = export(&scene, &mut replay, &excerpt);
    }
}

#[test]
fn an_export_has_all_that_a_page_needs() {
    let mut replay = Replay::open(recording()).expect("it is one");
    let text = TREE.replace("action roam()", "action roam() // </script><script>alert(1)</script>");
    let scene = scene(&text, replay.image(), replay.crowd().program());
    let excerpt = Excerpt { agents: vec![3, 7], from: 11, ticks: 20 };
    let page = export(&scene, &mut replay, &excerpt).expect("it can be told");
    let begin = page.find(r#"id="run">"#).expect("it is there") + r#"id="run">"#.len();
    let data = &page[begin..begin + page[begin..].find("</script>").expect("an end")];
    assert!(!data.contains('<') && !page.contains("alert(1)</script>") && !page.contains("{{"));
    let messages: Vec<Value> = serde_json::from_str(data).expect("it is JSON");
    let of = |kind: &str| messages.iter().filter(|message| message["type"] == kind).collect::<Vec<_>>();
    assert_eq!((&of("hello")[0]["mode"], &of("hello")[0]["can"]), (&json!("export"), &json!(["pick", "at"])));
    assert_eq!((&of("state")[0]["first"], &of("state")[0]["last"]), (&json!(11), &json!(30)));
    assert_eq!(of("program")[0]["files"][0]["text"], json!(text));
    assert_eq!((of("agents").len(), of("crowd").len(), of("agent").len()), (1, 20, 40));
    assert_eq!(of("statistics")[0]["ticks"], 400);
    let alarm = of("agent").into_iter().find(|agent| agent["agent"] == 3 && agent["tick"] == 20);
    assert_eq!(alarm.map(|agent| &agent["events"]), Some(&json!(["alarm"])));
    assert!(of("agent").iter().all(|agent| agent["walked"] == true));
    let first = Excerpt { agents: vec![3], from: 1, ticks: 1 };
    let page = export(&scene, &mut replay, &first).expect("it can be told");
    assert!(page.contains(r#""tick":1,"now":50,"agent":3,"status":2,"outcome":"running","walked":true"#));
    let nothing = Excerpt { agents: vec![999], from: 1_000, ticks: u64::MAX };
    export(&scene, &mut replay, &nothing).expect("there is nothing there");
}
