//! Events as dictionaries.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use wayfare::AgentId;
use wayfare::crowd::Event;

/// An event with its `kind` and what it concerns.
pub(crate) fn event_dict<'py>(py: Python<'py>, event: &Event) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let put = |kind: &str, id: Option<AgentId>, more: &[(&str, u64)]| -> PyResult<()> {
        dict.set_item("kind", kind)?;
        if let Some(id) = id {
            dict.set_item("id", id.0)?;
        }
        more.iter().try_for_each(|(key, value)| dict.set_item(*key, *value))
    };
    match *event {
        Event::Arrived { id } => put("arrived", Some(id), &[]),
        Event::StateChanged { id, from, to } => {
            put("state_changed", Some(id), &[("from", from.0 as u64), ("to", to.0 as u64)])
        }
        Event::Crossed { id, line, to_left } => {
            put("crossed", Some(id), &[("line", line.0.into()), ("to_left", to_left.into())])
        }
        Event::Contact { id, other } => put("contact", Some(id), &[("other", other.0.into())]),
        Event::Left { id, group, exit } => {
            put("left", Some(id), &[("group", group.0 as u64), ("exit", exit.0.into())])
        }
        Event::Gone { id, group, state } => {
            put("gone", Some(id), &[("group", group.0 as u64), ("state", state.0 as u64)])
        }
        Event::Unreachable { id } => put("unreachable", Some(id), &[]),
        Event::TargetLost { id, target } => {
            put("target_lost", Some(id), &[("target", target.0.into())])
        }
        Event::GroupArrived { group } => put("group_arrived", None, &[("group", group.0 as u64)]),
        Event::Entered { id, group, source } => {
            put("entered", Some(id), &[("group", group.0 as u64), ("source", source.0.into())])
        }
        _ => put("other", None, &[]),
    }?;
    Ok(dict)
}
