//! Items by their ids or names: a number or a string where the format is human-readable.

use alloc::string::String;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::id::Named;

#[derive(Deserialize)]
#[serde(untagged)]
enum Text<I> {
    Id(I),
    Name(String),
}

#[derive(Serialize, Deserialize)]
enum Tagged<I> {
    Id(I),
    Name(String),
}

impl<I: Copy + Serialize> Serialize for Named<I> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match (self, to.is_human_readable()) {
            (Named::Id(id), true) => id.serialize(to),
            (Named::Name(name), true) => to.serialize_str(name),
            (Named::Id(id), false) => Tagged::Id(*id).serialize(to),
            (Named::Name(name), false) => Tagged::<I>::Name(name.clone()).serialize(to),
        }
    }
}

impl<'de, I: Deserialize<'de>> Deserialize<'de> for Named<I> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        if from.is_human_readable() {
            return Ok(match Text::deserialize(from)? {
                Text::Id(id) => Named::Id(id),
                Text::Name(name) => Named::Name(name),
            });
        }
        Ok(match Tagged::deserialize(from)? {
            Tagged::Id(id) => Named::Id(id),
            Tagged::Name(name) => Named::Name(name),
        })
    }
}
