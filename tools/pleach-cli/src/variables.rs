//! Values of an agent's variables.

use crate::output::number;
use pleach::{Agent, Crowd, Group, Image, Program, SharedVariable, Variable};
use pleach_image::EnumSubject;
use pleach_image::format::{scope, slot_kind};

/// Width from which lines are broken.
const WIDTH: usize = 100;

/// Owner of a variable: the agent, or all that share it.
enum Home {
    Own(Variable),
    Shared(SharedVariable),
}

struct Row {
    name: String,
    /// The type of the variable in the image.
    kind: u32,
    /// The place of the variable in the image.
    subject: EnumSubject,
    home: Home,
}

/// Named variables of a program: the agent's own, then the shared ones.
pub(crate) struct Variables {
    image: Image,
    rows: Vec<Row>,
}

impl Variables {
    pub(crate) fn new(image: &Image, program: &Program) -> Self {
        let own = (0..).zip(image.slots()).filter_map(|(index, slot)| {
            let name = image.name(slot.name).to_owned();
            let home = Home::Own(program.variable(&name)?);
            let subject = EnumSubject::Slot(index);
            Some(Row { name, kind: slot.kind, subject, home })
        });
        let shared = (0..).zip(image.shared()).filter_map(|(index, row)| {
            let name = image.name(row.name);
            let home = Home::Shared(program.shared(name)?);
            let whose = if row.scope == scope::GROUP { "group" } else { "world" };
            let subject = EnumSubject::Shared(index);
            Some(Row { name: format!("{whose} {name}"), kind: row.kind, subject, home })
        });
        Self { image: image.clone(), rows: own.chain(shared).collect() }
    }

    /// Returns the values in words, as `= ammo 6, alert true, world alarm false`, on as many lines
    /// as needed; empty if there are no variables.
    pub(crate) fn show(&self, crowd: &Crowd, agent: Agent) -> String {
        let mut text = String::new();
        let mut line = String::new();
        for (row, value) in self.rows.iter().zip(self.values(crowd, agent)) {
            let Some(value) = value else { continue };
            let item = format!("{} {}", row.name, self.shown(row, value));
            if !line.is_empty() && line.len() + item.len() > WIDTH {
                text += &format!("  = {line}\n");
                line.clear();
            }
            line += if line.is_empty() { "" } else { ", " };
            line += &item;
        }
        if line.is_empty() { text } else { text + &format!("  = {line}\n") }
    }

    /// Returns the values in the order of the variables; `None` for an agent that is gone.
    pub(crate) fn values(&self, crowd: &Crowd, agent: Agent) -> Vec<Option<f64>> {
        let value = |row: &Row| match row.home {
            Home::Own(variable) => crowd.number(agent, variable).ok(),
            Home::Shared(variable) => crowd.shared(variable, Group::default()).ok(),
        };
        self.rows.iter().map(value).collect()
    }

    /// Returns the changed values in words: `alert = true, ammo = 5`.
    pub(crate) fn changed(&self, before: &[Option<f64>], after: &[Option<f64>]) -> String {
        let other = |((row, before), after): ((&Row, &Option<f64>), &Option<f64>)| {
            let after = after.filter(|_| before != after)?;
            Some(format!("{} = {}", row.name, self.shown(row, after)))
        };
        self.rows.iter().zip(before).zip(after).filter_map(other).collect::<Vec<_>>().join(", ")
    }

    fn shown(&self, row: &Row, value: f64) -> String {
        match self.image.member(row.subject, value) {
            Some(name) => name.into_owned(),
            None if row.kind == slot_kind::BIT => (value != 0.0).to_string(),
            None if row.kind == slot_kind::ENTITY && value == 0.0 => "none".to_owned(),
            None => number(value),
        }
    }
}
