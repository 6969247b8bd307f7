//! Formats numbers, vectors and values for error texts.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use super::key_path::{KeyPath, KeySegment};
use crate::parameter::{Value, Words};
use crate::vector::Vector;

/// A number in short notation: 1e30 and not thirty digits.
pub(in crate::crowd) fn plain<T: Copy + Into<f64> + fmt::Display + fmt::LowerExp>(x: T) -> String {
    let size = x.into().abs();
    if size != 0.0 && size.is_finite() && !(1e-5..1e9).contains(&size) {
        format!("{x:e}")
    } else {
        x.to_string()
    }
}

pub(in crate::crowd) fn name_of(key_path: &KeyPath) -> String {
    key_path
        .0
        .iter()
        .rev()
        .find_map(|key| if let KeySegment::Name(name) = key { Some(name.clone()) } else { None })
        .unwrap_or_default()
}

/// The allowed names, in quotes; `none` if there are none.
pub(in crate::crowd) fn quoted<'a>(names: impl Iterator<Item = &'a str>, none: &str) -> String {
    let list: Vec<String> = names.take(40).map(|name| format!("\"{name}\"")).collect();
    if list.is_empty() { none.to_string() } else { list.join(", ") }
}

/// A vector in the notation of a scene file.
pub(in crate::crowd) fn list<V: Vector>(v: V) -> String {
    let axes: Vec<String> = (0..V::DIMENSION).map(|i| plain(v.axis(i))).collect();
    format!("[{}]", axes.join(", "))
}

pub(in crate::crowd) fn show<V: Vector>(value: &Value<V>) -> String {
    match value {
        Value::Number(x) => plain(*x),
        Value::Double(x) => plain(*x),
        Value::Word(word) => Words(&[word]).to_string(),
        Value::Off => "false".to_string(),
        Value::Integer(x) => x.to_string(),
        other => format!("{other:?}"),
    }
}
