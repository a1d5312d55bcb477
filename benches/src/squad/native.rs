//! The tree as a programmer would write it in Rust, without any library.

use super::game::{FRAME, Game, place_of};
use crate::system::{Counts, System};
use crate::trusted;
use pleach_image::splitmix::mix;

/// Number of no behavior.
const NOTHING: u8 = u8::MAX;
/// Time between two searches for enemies.
const INTERVAL: i64 = 500;
/// Range of a search.
const RANGE: f32 = 60.0;
/// Place of the base.
const BASE: [f32; 2] = [100.0, -50.0];

/// Mood of an agent: the index of its behavior.
mod mood {
    pub(super) const CALM: u8 = 0;
    pub(super) const WARY: u8 = 1;
    pub(super) const ANGRY: u8 = 2;
}

/// Agent of a squad.
#[derive(Clone, Debug)]
struct Member {
    place: [f32; 2],
    enemy_place: [f32; 2],
    enemy: u64,
    /// Time of the next search for enemies; none before the first tick.
    due: Option<i64>,
    /// Behavior that runs.
    does: u8,
}

/// Returns the distance between two places.
#[inline(always)]
fn distance([x, y]: [f32; 2], [to_x, to_y]: [f32; 2]) -> f32 {
    ((x - to_x) * (x - to_x) + (y - to_y) * (y - to_y)).sqrt()
}

/// Returns the time before the second search of an agent that begins in the first tick, as trees
/// draw it.
fn first_interval(agent: u64) -> i64 {
    let drawn = mix(mix(mix(0)) ^ agent << 32) >> 40;
    1 + ((drawn as i64 * INTERVAL) >> 24)
}

impl Member {
    #[inline(always)]
    fn mood(&self) -> u8 {
        if self.enemy == 0 || distance(self.place, BASE) > 500.0 {
            mood::CALM
        } else if distance(self.place, self.enemy_place) < 400.0 {
            mood::ANGRY
        } else {
            mood::WARY
        }
    }

    #[inline(always)]
    fn tick(&mut self, agent: usize, now: i64, game: &mut Game) {
        if self.due.is_none_or(|due| due <= now) {
            let interval = if self.due.is_none() { first_interval(agent as u64) } else { INTERVAL };
            self.due = Some(now + interval);
            if let Some(found) = game.find(agent, RANGE) {
                (self.enemy, self.enemy_place) = (found.who, found.place);
            }
        }
        let mood = self.mood();
        if self.does != mood {
            if self.does != NOTHING {
                game.end(self.does.into());
            }
            game.begin(mood.into(), 1);
            self.does = mood;
        }
        match mood {
            mood::CALM => game.patrol(agent),
            mood::WARY => game.approach(agent, self.enemy_place[0], self.enemy_place[1]),
            _ => {
                if game.attack(agent, self.enemy) {
                    self.does = NOTHING;
                }
            }
        }
    }
}

/// Squad by hand.
#[derive(Debug)]
pub struct Native {
    game: Game,
    members: Vec<Member>,
    now: i64,
    tuned: bool,
}

impl Native {
    /// Agents at their beginning. `tuned` as for [`crate::native::Native`].
    #[must_use]
    pub fn new(agents: usize, tuned: bool) -> Self {
        let member = Member { place: [0.0; 2], enemy_place: [0.0; 2], enemy: 0, due: None, does: NOTHING };
        Self { game: Game::new(agents), members: vec![member; agents], now: 0, tuned }
    }

    #[inline(always)]
    fn tick_all(&mut self) -> Counts {
        let Self { game, members, now, .. } = self;
        for (agent, member) in members.iter_mut().enumerate() {
            member.tick(agent, *now, game);
        }
        Counts { failure: 0, success: 0, running: members.len() as u32 }
    }
}

impl System for Native {
    fn agents(&self) -> usize {
        self.members.len()
    }

    fn advance(&mut self, frame: u32) {
        self.now = i64::from(frame) * FRAME;
        self.game.advance(frame);
        for (agent, member) in self.members.iter_mut().enumerate() {
            member.place = place_of(agent, frame);
        }
    }

    fn tick(&mut self) -> Counts {
        if self.tuned { trusted::tuned(|| self.tick_all()) } else { self.tick_all() }
    }

    fn digest(&self) -> u64 {
        self.game.digest()
    }
}
