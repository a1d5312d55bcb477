//! Order in which a case lists its files and agents. Parsed objects lose it.

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use std::fmt;

/// Names of a case's files and agents, in the order of their first mention.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Listed {
    /// The files.
    pub files: Keys,
    steps: Vec<Step>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Step {
    agents: Keys,
}

/// Keys of an object, in order.
#[derive(Default)]
pub struct Keys(pub Vec<String>);

impl Listed {
    /// Returns all agents of the steps.
    #[must_use]
    pub fn agents(&self) -> Vec<&str> {
        let mut agents: Vec<&str> = Vec::new();
        for name in self.steps.iter().flat_map(|step| &step.agents.0) {
            if !agents.contains(&&**name) {
                agents.push(name);
            }
        }
        agents
    }
}

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Keys;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
        let mut keys = Vec::new();
        while let Some((key, IgnoredAny)) = map.next_entry()? {
            keys.push(key);
        }
        Ok(Keys(keys))
    }
}
