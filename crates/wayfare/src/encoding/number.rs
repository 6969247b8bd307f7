//! Numbers that may be infinite, for `#[serde(with = "…")]`.

use core::fmt;
use core::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

/// A number of single or double precision.
pub(crate) trait Number: Copy + Into<f64> + Serialize + for<'de> Deserialize<'de> {
    /// The nearest number of this precision.
    fn nearest(x: f64) -> Self;
}

impl Number for f32 {
    fn nearest(x: f64) -> Self {
        x as f32
    }
}

impl Number for f64 {
    fn nearest(x: f64) -> Self {
        x
    }
}

/// Writes `x`: as a number, or as a string if it is not finite and the format is human-readable.
pub(crate) fn serialize<T: Number, S: Serializer>(x: &T, to: S) -> Result<S::Ok, S::Error> {
    let wide: f64 = (*x).into();
    if wide.is_finite() || !to.is_human_readable() {
        return x.serialize(to);
    }
    to.serialize_str(if wide.is_nan() {
        "nan"
    } else if wide > 0.0 {
        "inf"
    } else {
        "-inf"
    })
}

/// Reads what [`serialize`] writes.
pub(crate) fn deserialize<'de, T: Number, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    if from.is_human_readable() {
        from.deserialize_any(NumberVisitor(PhantomData))
    } else {
        T::deserialize(from)
    }
}

/// The number that is written as this word.
pub(super) fn from_word(word: &str) -> Option<f64> {
    match word {
        "inf" => Some(f64::INFINITY),
        "-inf" => Some(f64::NEG_INFINITY),
        "nan" => Some(f64::NAN),
        _ => None,
    }
}

struct NumberVisitor<T>(PhantomData<T>);

impl<T: Number> Visitor<'_> for NumberVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number, \"inf\" or \"-inf\"")
    }
    fn visit_f64<E: de::Error>(self, x: f64) -> Result<T, E> {
        Ok(T::nearest(x))
    }
    fn visit_i64<E: de::Error>(self, x: i64) -> Result<T, E> {
        Ok(T::nearest(x as f64))
    }
    fn visit_u64<E: de::Error>(self, x: u64) -> Result<T, E> {
        Ok(T::nearest(x as f64))
    }
    fn visit_str<E: de::Error>(self, word: &str) -> Result<T, E> {
        let unknown = || E::invalid_value(de::Unexpected::Str(word), &self);
        from_word(word).map(T::nearest).ok_or_else(unknown)
    }
}
