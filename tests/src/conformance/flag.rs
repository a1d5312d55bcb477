//! Booleans, written as `true` and `false` or as 1 and 0.

use serde::{Deserialize, Deserializer};

/// Boolean in a case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flag(pub(super) bool);

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Truth(bool),
            Number(u8),
        }
        Ok(Self(match Form::deserialize(from)? {
            Form::Truth(truth) => truth,
            Form::Number(number) => number != 0,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::Flag;

    #[test]
    fn numbers_are_truths() {
        let flags: [Flag; 4] = serde_json::from_str("[true, 1, false, 0]").unwrap();
        assert_eq!(flags.map(|it| it.0), [true, true, false, false]);
    }
}
