//! Host for tests that need none in particular.

use pleach::{Call, Function, Host, Status};

/// Host whose actions are always running.
#[derive(Clone, Copy, Debug)]
pub struct Busy;

impl Host for Busy {
    fn resolve(&self, _: Function, _: &str) -> Option<u32> {
        Some(0)
    }

    fn act(&mut self, _: &mut Call<'_>) -> Status {
        Status::Running
    }

    fn query(&mut self, _: &mut Call<'_>) -> f64 {
        0.0
    }
}
