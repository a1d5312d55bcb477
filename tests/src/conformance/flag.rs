//! Booleans, written as `true` and `false` or as 1 and 0.

use serde::{Deserialize, Deserializer};

/// Boolean in a case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flag(pub bool);

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
