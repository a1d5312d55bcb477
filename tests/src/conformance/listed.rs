//! Order in which a case lists its files and agents. Parsed objects lose it.

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use std::fmt;

/// Names of a case's files and agents, in the order of their first mention.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Listed {
    pub(super) files: Keys,
    steps: Vec<Step>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Step {
    agents: Keys,
}

/// Keys of an object, in order.
#[derive(Default)]
pub(super) struct Keys(pub(super) Vec<String>);

impl Listed {
    /// Returns all agents of the steps.
    pub(super) fn agents(&self) -> Vec<&str> {
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

#[cfg(test)]
mod tests {
    use super::Listed;

    #[test]
    fn files_and_agents_stand_as_they_are_written() {
        let text = r#"{"steps": [{"agents": {"2": {}, "1": {}}}, {"agents": {"3": {}, "1": 0}}], "files": {"b": "", "a": ""}}"#;
        let listed: Listed = serde_json::from_str(text).unwrap();
        assert_eq!(listed.files.0, ["b", "a"]);
        assert_eq!(listed.agents(), ["2", "1", "3"]);
    }
}
