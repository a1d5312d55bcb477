//! Another program for all agents of a crowd: what a changed file comes to while the game runs.
//!
//! A program does not change. So when a tree has been edited and compiled anew, the crowd gets the new program between two
//! ticks, and its agents begin their trees from the beginning. What the game knows them by stays: handles, groups, paces, who
//! sleeps, and all variables that the new program declares with the same name and type.

use super::{Crowd, SpawnError};
use crate::frame::alike;
use crate::host::{Halt, Host};
use crate::program::Program;

impl Crowd {
    /// Lets all agents run another program from its beginning, each the tree of the same name. The host is told which actions
    /// will not go on; it must be the one that both programs were linked to.
    ///
    /// Handles of agents and groups stay valid. What is found in a program by name is to be looked up in the new one:
    /// variables, events, what agents share. Variables keep their values if both programs have them with the same type.
    ///
    /// # Errors
    /// If an agent runs a tree that the new program does not have. Nothing has changed then.
    ///
    /// ```no_run
    /// # fn reload(crowd: &mut pleach::Crowd, image: &pleach::Image, host: &mut pleach::Bindings<()>, now: i64) {
    /// // `image` was compiled from the changed file.
    /// let program = pleach::Program::link(image, host).unwrap();
    /// crowd.replace(&program, now, host).unwrap();
    /// # }
    /// ```
    pub fn replace<H: Host + ?Sized>(
        &mut self,
        program: &Program,
        now: i64,
        host: &mut H,
    ) -> Result<(), SpawnError> {
        let find = |name: &str| program.entry(name).ok_or_else(|| SpawnError::NoEntry(name.to_owned()));
        let entries: Vec<_> = self.program.entries().map(find).collect();
        for chunk in self.chunks.iter().filter(|chunk| chunk.lanes().next().is_some()) {
            entries[chunk.entry as usize].clone()?;
        }
        let places: Vec<_> = self.agents.places().collect();
        for place in &places {
            self.halt(*place, now, host, Halt::Reset);
        }
        let old = core::mem::replace(self, Self::new(program).with_engine(self.engine));
        let (parts, before) = (&program.parts, &old.program.parts);
        self.world =
            old.world.for_program(&before.shared, &parts.shared, parts.events.len(), parts.gate_counts);
        (self.agents, self.count) = (old.agents, old.count);
        let kept = alike(&before.frame, &parts.frame);
        for place in places {
            let source = &old.chunks[place.chunk as usize];
            // The entries of all chunks with agents were found.
            let Ok(entry) = entries[source.entry as usize] else { continue };
            let (to, agent) = (self.room(entry), source.agent(place.lane));
            // There are no more chunks than before.
            self.agents.move_to(agent, to);
            let chunk = &mut self.chunks[to.chunk as usize];
            chunk.occupy(&parts.frame, to.lane, agent);
            chunk.copy_standing(to.lane, source, place.lane);
            for (from, into) in &kept {
                chunk.write(*into, to.lane, source.read(*from, place.lane));
            }
        }
        Ok(())
    }
}
