//! Values of Python as values of scenes.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};
use wayfare_scene::edit::Value;

/// The value of a number, a text, a sequence or a dictionary; numbers of numpy are numbers.
pub(crate) fn value(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    if let Ok(flag) = object.cast::<PyBool>() {
        return Ok(Value::Flag(flag.is_true()));
    }
    if object.is_instance_of::<PyInt>() {
        return Ok(Value::Integer(
            object
                .extract::<i64>()
                .map(i128::from)
                .or_else(|_| object.extract::<u64>().map(i128::from))?,
        ));
    }
    if object.is_instance_of::<PyFloat>() {
        return Ok(Value::Number(object.extract()?));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Value::Text(text.to_string()));
    }
    if let Ok(dict) = object.cast::<PyDict>() {
        let entry = |(key, item): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok((key.extract::<String>()?, value(&item)?))
        };
        return Ok(Value::Table(dict.iter().map(entry).collect::<PyResult<_>>()?));
    }
    // Scalars of numpy are neither, but have an index or a float.
    if let Ok(whole) = object.call_method0("__index__") {
        return value(&whole);
    }
    if let Ok(items) = object.try_iter() {
        let items = items.map(|item| value(&item?)).collect::<PyResult<_>>()?;
        return Ok(Value::List(items));
    }
    if let Ok(number) = object.call_method0("__float__") {
        return value(&number);
    }
    let kind = object.get_type().qualname()?;
    Err(PyTypeError::new_err(format!(
        "a scene has no value of the type {kind}; allowed: numbers, texts, lists and dictionaries"
    )))
}
