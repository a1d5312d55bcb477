//! A crowd of guards without a picture.
//!
//! The game implements a trait that the build script has made of the tree, links the image to it,
//! and ticks the crowd.

use guard::{Functions, Game, Ids};
use pleach::{Call, Crowd, EventTarget, Image, Program, Status};
use std::error::Error;

// The module `guard`, which the build script writes: the image, and the names that
// the trees and the game share.
include!(concat!(env!("OUT_DIR"), "/guard.rs"));

const GUARDS: u32 = 1000;
/// Milliseconds from one tick to the next.
const TICK: i64 = 50;

/// The game, as far as trees ask for it. An action that a tree declares and the game lacks does not
/// compile.
#[derive(Default)]
struct Arena {
    shots: u32,
    walks: u32,
}

impl Game for Arena {
    fn heal(&mut self, _call: &mut Call<'_>) -> Status {
        Status::Running
    }

    fn shoot(&mut self, _call: &mut Call<'_>) -> Status {
        self.shots += 1;
        Status::Success
    }

    fn walk(&mut self, call: &mut Call<'_>, post: i32, _speed: f32) -> Status {
        // Post N can be reached from second N of the game on.
        if call.now < 1000 * i64::from(post) {
            return Status::Running;
        }
        self.walks += 1;
        Status::Success
    }

    fn visible(&mut self, call: &mut Call<'_>) -> bool {
        call.agent.index().is_multiple_of(10)
    }
}

/// Runs the guards for some ticks. Returns the game as it is then.
fn play(ticks: i64) -> Result<Arena, Box<dyn Error>> {
    let mut host = Functions(Arena::default());
    let program = Program::link(&Image::copy(guard::IMAGE)?, &host)?;
    let ids = Ids::of(&program)?;
    let mut crowd = Crowd::new(&program);
    for _ in 0..GUARDS {
        crowd.spawn(guard::trees::GUARD)?;
    }
    for now in (0..ticks).map(|tick| tick * TICK) {
        if now == 5000 {
            crowd.raise(ids.hit, EventTarget::All, now, &mut host)?;
        }
        crowd.tick(now, &mut host);
    }
    Ok(host.0)
}

fn main() -> Result<(), Box<dyn Error>> {
    let Arena { shots, walks } = play(200)?;
    println!("{GUARDS} guards, 200 ticks: {shots} shots, {walks} walks");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guards_shoot_and_walk() {
        let Arena { shots, walks } = play(200).expect("the trees fit the game");
        assert!(shots > 0 && walks > 0);
    }
}
