//! Monitor of Groot2 beside the page: shows the agent that a page has picked last.

use crate::failure::Failure;
use crate::input::Subject;
use crate::interrupt;
use crate::output;
use pleach::{Agent, Crowd};
use pleach_groot2::{Monitor, Tree};
use pleach_sweep::ScriptedHost;
use pleach_view::View;
use std::net::SocketAddr;

/// Monitor, and the agent that it was to show last.
pub(super) struct Groot2 {
    monitor: Monitor,
    /// Agent and name of its tree that were shown last, or that could not be shown. None once the
    /// program has changed.
    tried: Option<(Agent, String)>,
}

impl Groot2 {
    /// Serves the first agent of a crowd.
    pub(super) fn serve(address: SocketAddr, subject: &Subject, crowd: &Crowd) -> Result<Self, Failure> {
        let failed = |why: &dyn ToString| Failure::new(format!("cannot serve Groot2: {}", why.to_string()));
        let agent = crowd.at(0).ok_or_else(|| failed(&"there is no agent"))?;
        let tree = tree(subject, crowd, agent).map_err(|why| failed(&why))?;
        let mut monitor = Monitor::serve(address, tree, agent)
            .map_err(|why| failed(&format!("{address} and the next port: {why}")))?;
        monitor.end_when(interrupt::came);
        let tried = Some((agent, monitor.tree().entry().to_owned()));
        Ok(Self { monitor, tried })
    }

    /// Returns the line that the command prints at its start.
    pub(super) fn headline(&self) -> String {
        let (address, agent) = (self.monitor.address(), self.monitor.agent().index());
        format!("Groot2 at {address}: agent {agent}, then the one that is picked in the page\n")
    }

    /// Notes that the program has changed.
    pub(super) fn reloaded(&mut self) {
        self.tried = None;
    }

    /// Ticks a crowd with a view. Waits at breakpoints of Groot2.
    pub(super) fn tick(
        &mut self,
        view: &mut View,
        (subject, crowd): (&Subject, &mut Crowd),
        (now, host): (i64, &mut ScriptedHost),
    ) {
        self.follow(view, subject, crowd);
        let (watcher, mut host) = self.monitor.split(host);
        view.tick_watched(crowd, now, &mut host, Some(watcher));
        self.monitor.ticked(crowd);
    }

    /// Shows the picked agent. If its tree cannot be shown, the former one stays, and the reason is
    /// told once.
    fn follow(&mut self, view: &View, subject: &Subject, crowd: &Crowd) {
        let picked = view.picked().last().and_then(|index| crowd.at(index));
        let agent = picked.unwrap_or(self.monitor.agent());
        // An agent that is gone has no tree.
        let entry = crowd.inspect().tree(agent).unwrap_or_default();
        if self.tried.as_ref().is_some_and(|(tried, its)| *tried == agent && its == entry) {
            return;
        }
        self.tried = Some((agent, entry.to_owned()));
        let shown = tree(subject, crowd, agent)
            .and_then(|tree| self.monitor.look_at(tree, agent).map_err(|why| why.to_string()));
        if let Err(why) = shown {
            output::say(&format!("Groot2 cannot show agent {}: {why}\n", agent.index()));
        }
    }
}

/// Returns the tree that an agent runs.
fn tree(subject: &Subject, crowd: &Crowd, agent: Agent) -> Result<Tree, String> {
    let entry = crowd.inspect().tree(agent).map_err(|why| why.to_string())?;
    Tree::new(&subject.image, entry, |file| subject.texts.whole(file)).map_err(|why| why.to_string())
}
