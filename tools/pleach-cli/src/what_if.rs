//! Breakpoints and forced statuses, in the words of the command line.

use crate::failure::Failure;
use crate::when;
use pleach::watch::{Breakpoint, Breakpoints, ForcedAnswers, Traces};
use pleach::{Agent, Crowd, Image, Status};

/// Breakpoint before which nothing is shown.
pub(crate) struct Until {
    text: String,
    points: Breakpoints,
    come: bool,
}

impl Until {
    /// Waits until an agent comes to a node, or one of its variables changes. Without a text, it
    /// does not wait.
    pub(crate) fn new(
        text: Option<&str>,
        image: &Image,
        crowd: &Crowd,
        agent: Agent,
    ) -> Result<Self, Failure> {
        let mut points = Breakpoints::default();
        if let Some(text) = text {
            match crowd.program().variable(text) {
                Some(variable) => points.add(agent, Breakpoint::Variable(variable)),
                None => {
                    let nodes = when::nodes(image, text)?;
                    nodes.into_iter().for_each(|node| points.add(agent, Breakpoint::Node(node)));
                }
            }
        }
        Ok(Self { text: text.unwrap_or_default().to_owned(), points, come: text.is_none() })
    }

    /// Returns true if the agent has come to the breakpoint, in this tick or before. Called after
    /// each tick.
    pub(crate) fn has_come(&mut self, crowd: &mut Crowd, now: i64, traces: &Traces, image: &Image) -> bool {
        if !self.come {
            let stopped = self.points.stop(crowd, now, traces, image);
            for (agent, _) in &stopped {
                // The agent stopped a moment ago, so it exists and can continue.
                let _ = self.points.go_on(crowd, *agent);
            }
            self.come = !stopped.is_empty();
        }
        self.come
    }

    /// Returns the breakpoint as the user wrote it.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

/// Reads forced statuses of an agent, each in the form `NODE=STATUS`.
pub(crate) fn forced(texts: &[String], image: &Image, agent: Agent) -> Result<ForcedAnswers, Failure> {
    let mut forced = ForcedAnswers::default();
    for text in texts {
        let usage = || Failure::new(format!("`{text}` is not NODE=STATUS, as `moveTo=failure`"));
        let (node, status) = text.rsplit_once('=').ok_or_else(usage)?;
        let status = match status.trim() {
            "failure" => Status::Failure,
            "success" => Status::Success,
            "running" => Status::Running,
            _ => return Err(usage()),
        };
        for node in when::nodes(image, node.trim())? {
            forced.force(agent, node, status);
        }
    }
    Ok(forced)
}
