//! Optional numbers that may be infinite, for `#[serde(with = "…")]`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::number;

#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Written(#[serde(with = "number")] f32);

/// Writes `x`: as [`number::serialize`], or as nothing.
pub(crate) fn serialize<S: Serializer>(x: &Option<f32>, to: S) -> Result<S::Ok, S::Error> {
    x.map(Written).serialize(to)
}

/// Reads what [`serialize`] writes.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f32>, D::Error> {
    Ok(Option::<Written>::deserialize(from)?.map(|written| written.0))
}
