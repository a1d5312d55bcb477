//! Recordings of runs, their replay tick by tick, and the comparison of two builds.
//!
//! What trees do follows from what they are told. So a recording has no states, but times and
//! answers, what the host wrote, and what it did to its agents between ticks: some bits for an
//! agent's tick, and less where answers can be foreseen. A [`Recorder`] stands between crowd and
//! host; nothing else of the game changes. Agents that the crowd has when the recording begins are
//! in it. Before its first tick, a [`Replay`] has no agents.
//!
//! ```no_run
//! # fn play(image: pleach::Image, mut game: pleach::Bindings<()>) -> Result<(), Box<dyn std::error::Error>> {
//! use pleach::{Crowd, Program, record::{Recorder, Replay}};
//! let mut crowd = Crowd::new(&Program::link(&image, &game)?);
//! let agent = crowd.spawn("guard")?;
//! let mut recorder = Recorder::new(&image, &game);
//! for now in 0..1000 {
//!     crowd.tick(now, &mut recorder.around(&mut game));
//! }
//! std::fs::write("guard.rec", recorder.finish())?;
//!
//! let mut replay = Replay::open(std::fs::read("guard.rec")?)?;
//! replay.seek(500)?; // Also backward.
//! println!("{:?}", replay.crowd().outcome(agent));
//! # Ok(())
//! # }
//! ```
//!
//! How it works: across agents the order of calls is the engine's, but an agent's own calls have
//! one order. So what a tick brought is sorted by agent, and a replay ticks its agents one by one:
//! the tree asks, and the next answer is its. What the host changed without a call is found by
//! comparing with a copy of what the last step left; so nothing can be forgotten that a host may
//! do, and what cannot be told otherwise (a restored snapshot, a reload) is a snapshot in the
//! recording. The price is that copy, and some time: recording takes several times as long as ticks
//! do. Ticks of [parts](crate::Crowd::parts) are not recorded call by call: what they came to is a
//! snapshot after each.
//!
//! What a node of the host keeps for itself ([`Call::data`](crate::Call::data)) is its own business
//! and no part of a recording. The format is in `spec/recording.md`.

mod answers;
mod asked;
mod changes;
mod coder;
mod comparison;
mod digest;
mod error;
mod format;
mod recorder;
mod replay;
mod reply;
mod told;
mod writes;

pub use asked::AnswerRecorder;
pub use comparison::{Comparison, Difference, Divergence};
pub use error::{RecordingError, RecordingFault};
pub use recorder::{Recorder, RecordingHost};
pub use replay::Replay;
