//! Commands of editing: the view passes them on to the host, in order and within bounds.

use crate::support::{PATIENCE, Stage};
use pleach_view::{EditMessage, Options};
use serde_json::{Value, json};
use std::time::Instant;
use tungstenite::Message;

fn editing() -> Stage {
    Stage::with(3, Options { editing: true, ..Options::default() })
}

#[test]
fn the_host_gets_commands_and_answers_them() {
    let mut stage = editing();
    let mut page = stage.page();
    let hello = page.wait(&mut stage, "hello", |_| true);
    assert!(hello["can"].as_array().expect("a list").contains(&json!("undo")));
    let long = "x".repeat(1 << 20);
    page.say(&json!({ "do": "text", "id": 1, "text": long }));
    page.say(&json!({ "do": "undo", "id": 2 }));
    let mut requests = Vec::new();
    let until = Instant::now() + PATIENCE;
    while requests.len() < 2 && Instant::now() < until {
        stage.turn();
        requests.extend(stage.view().edit_requests());
    }
    let first: Value = serde_json::from_str(&requests[0].json).expect("JSON");
    assert_eq!((&first["do"], first["text"].as_str()), (&json!("text"), Some(long.as_str())));
    stage.view().respond(&requests[0], Ok(()), &json!({ "node": 7 }));
    stage.view().respond(&requests[1], Err("no".to_owned()), &json!({}));
    let answer = page.wait(&mut stage, "answer", |_| true);
    assert_eq!(answer, json!({ "type": "answer", "id": 1, "ok": true, "node": 7 }));
    let answer = page.wait(&mut stage, "answer", |_| true);
    assert_eq!(answer, json!({ "type": "answer", "id": 2, "ok": false, "error": "no" }));
    // A page that comes later gets the last message.
    stage.view().announce(EditMessage::Sources, &json!({ "revision": 1 }));
    stage.view().announce(EditMessage::Sources, &json!({ "revision": 2 }));
    let sources = stage.page().wait(&mut stage, "sources", |_| true);
    assert_eq!(sources["revision"], 2);
}

#[test]
fn waiting_commands_have_a_bound() {
    let mut stage = editing();
    let mut page = stage.page();
    // No turn of the host: all of them wait.
    for id in 0..12 {
        page.say(&json!({ "do": "text", "id": id, "text": "x".repeat(1 << 20) }));
    }
    let refused = page.wait(&mut stage, "answer", |_| true);
    assert!(refused["error"].as_str().is_some_and(|it| it.contains("too many commands")), "{refused}");
    let bytes: usize = stage.view().edit_requests().iter().map(|request| request.json.len()).sum();
    assert!(0 < bytes && bytes <= 8 << 20, "{bytes}");
}

#[test]
fn without_editing_there_are_no_such_commands_and_no_long_messages() {
    let mut stage = Stage::new(3);
    let mut page = stage.page();
    let refused = page.command(&mut stage, json!({ "do": "undo" })).expect_err("a refusal");
    assert!(refused.contains("unknown variant"), "{refused}");
    assert!(stage.view().edit_requests().is_empty());
    let _ = page.socket.send(Message::text(format!("{{\"do\":\"{}\"}}", "x".repeat(1 << 20))));
    page.ends(&mut stage);
}
