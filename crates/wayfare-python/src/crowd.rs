//! A crowd that runs.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use wayfare::crowd::Event;
use wayfare::glam::{Vec2, Vec3};
use wayfare::{AgentId, GroupId, Vector};
use wayfare_scene::{Log, Source};

use crate::errors::{WayfareError, refused, scene_error};

#[derive(Clone)]
pub(crate) enum AnyCrowd {
    TwoD(wayfare::Crowd<Vec2>),
    ThreeD(wayfare::Crowd<Vec3>),
}

/// A crowd: agents that step together. Arrays are ordered by id.
#[pyclass(module = "wayfare")]
pub(crate) struct Crowd {
    crowd: AnyCrowd,
    /// Rows in the order of ids, reused.
    order: Vec<u32>,
}

impl Crowd {
    pub(crate) fn new(crowd: AnyCrowd) -> Self {
        Self { crowd, order: Vec::new() }
    }
}

/// Calls the same code with a crowd of either dimension.
macro_rules! each {
    ($crowd:expr, $name:ident => $body:expr) => {
        match $crowd {
            AnyCrowd::TwoD($name) => $body,
            AnyCrowd::ThreeD($name) => $body,
        }
    };
}

/// The ticks between two looks for a signal.
const TICKS_OF_PART: u64 = 64;

fn vector<V: Vector>(point: &[f32]) -> PyResult<V> {
    if point.len() != V::DIMENSION || point.iter().any(|x| !x.is_finite()) {
        return Err(WayfareError::new_err(format!(
            "{point:?} is no point here\nallowed: {} finite numbers",
            V::DIMENSION
        )));
    }
    Ok(V::from_fn(|axis| point[axis]))
}

/// Which vectors of the agents.
#[derive(Clone, Copy)]
enum Which {
    Position,
    Velocity,
    Heading,
}

impl Crowd {
    /// Vectors as an array of agents by axes, in the order of ids: one pass over the rows.
    fn vectors<'py>(
        &mut self,
        py: Python<'py>,
        which: Which,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let Self { crowd, order } = self;
        each!(crowd, crowd => {
            crowd.rows_by_id(order);
            let columns: Vec<&[f32]> = (0..dimension(crowd))
                .map(|axis| match which {
                    Which::Position => crowd.positions(axis),
                    Which::Velocity => crowd.velocities(axis),
                    Which::Heading => crowd.headings(axis),
                })
                .collect();
            let values: Vec<f32> = order
                .iter()
                .flat_map(|&row| columns.iter().map(move |column| column[row as usize]))
                .collect();
            values.into_pyarray(py).reshape([order.len(), columns.len()])
        })
    }

    /// Whole numbers of the agents in the order of ids.
    fn numbers<'py>(&mut self, py: Python<'py>, groups: bool) -> Bound<'py, PyArray1<u32>> {
        let Self { crowd, order } = self;
        each!(crowd, crowd => {
            crowd.rows_by_id(order);
            let column = if groups { crowd.groups() } else { crowd.ids() };
            let values: Vec<u32> = order.iter().map(|&row| column[row as usize]).collect();
            values.into_pyarray(py)
        })
    }
}

fn dimension<V: Vector>(_: &wayfare::Crowd<V>) -> usize {
    V::DIMENSION
}

#[pymethods]
impl Crowd {
    /// Steps by `ticks`, without the interpreter's lock.
    #[pyo3(signature = (ticks=1))]
    fn step(&mut self, py: Python<'_>, ticks: u64) -> PyResult<()> {
        let mut left = ticks;
        while left > 0 {
            let part = left.min(TICKS_OF_PART);
            py.detach(|| each!(&mut self.crowd, crowd => (0..part).for_each(|_| crowd.step())));
            left -= part;
            // Ctrl-C is heeded between two parts.
            py.check_signals()?;
        }
        Ok(())
    }

    /// The number of the last tick.
    #[getter]
    fn tick(&self) -> u64 {
        each!(&self.crowd, crowd => crowd.tick())
    }

    /// The simulated time.
    #[getter]
    fn time(&self) -> f64 {
        each!(&self.crowd, crowd => crowd.time())
    }

    fn __len__(&self) -> usize {
        each!(&self.crowd, crowd => crowd.len())
    }

    /// The names of the groups.
    #[getter]
    fn groups(&self) -> Vec<String> {
        each!(&self.crowd, crowd => crowd.group_names().map(str::to_string).collect())
    }

    /// The number of threads.
    #[getter]
    fn threads(&self) -> usize {
        each!(&self.crowd, crowd => crowd.threads())
    }

    /// The hash of the state: equal runs have equal hashes.
    #[getter]
    fn digest(&self, py: Python<'_>) -> u64 {
        py.detach(|| each!(&self.crowd, crowd => crowd.digest()))
    }

    /// Positions, an array of agents by axes in the order of ids.
    #[getter]
    fn position<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        self.vectors(py, Which::Position)
    }

    /// Velocities, in the same order.
    #[getter]
    fn velocity<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        self.vectors(py, Which::Velocity)
    }

    /// Headings (unit vectors), in the same order.
    #[getter]
    fn heading<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        self.vectors(py, Which::Heading)
    }

    /// Ids, ascending.
    #[getter]
    fn id<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        self.numbers(py, false)
    }

    /// The index of the group of each agent, in the order of ids.
    #[getter]
    fn group<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        self.numbers(py, true)
    }

    /// The name of the state of each agent, in the order of ids; `None` for groups without states.
    #[getter]
    fn state(&mut self) -> Vec<Option<String>> {
        let Self { crowd, order } = self;
        each!(crowd, crowd => {
            crowd.rows_by_id(order);
            let state = |row: &u32| {
                let agent = crowd.agent_at_row(*row)?;
                agent.state.map(str::to_string)
            };
            order.iter().map(state).collect()
        })
    }

    /// The events of the last tick, as dictionaries.
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        each!(&self.crowd, crowd => {
            crowd.events().iter().map(|event| event_dict(py, event)).collect()
        })
    }

    /// Applies a command, in the notation of command logs, as JSON.
    fn apply(&mut self, py: Python<'_>, command: &str) -> PyResult<()> {
        let tick = each!(&self.crowd, crowd => crowd.tick());
        let body = command.trim().strip_prefix('{').unwrap_or(command);
        let text = format!("{{\"tick\": {tick}, {body}\n");
        let source = Source { name: "command".to_string(), text };
        each!(&mut self.crowd, crowd => {
            let mut log =
                Log::read(&source).map_err(|problems| scene_error(py, &source, &problems))?;
            log.go_to(tick);
            log.apply(crowd).map_err(|refused| {
                scene_error(py, &source, &[refused.problem(&source)])
            })
        })
    }

    /// Ids of the agents within a radius, ascending.
    #[pyo3(signature = (point, radius, group=None))]
    fn within(&self, point: Vec<f32>, radius: f32, group: Option<&str>) -> PyResult<Vec<u32>> {
        each!(&self.crowd, crowd => {
            let group = group_of(crowd, group)?;
            let found = crowd.within(vector(&point)?, radius, group);
            let mut ids: Vec<u32> = found.iter().map(|agent| agent.id.0).collect();
            ids.sort_unstable();
            Ok(ids)
        })
    }

    /// The id of the nearest agent, or `None`.
    #[pyo3(signature = (point, group=None))]
    fn nearest(&self, point: Vec<f32>, group: Option<&str>) -> PyResult<Option<u32>> {
        each!(&self.crowd, crowd => {
            let group = group_of(crowd, group)?;
            Ok(crowd.nearest(vector(&point)?, group).map(|agent| agent.id.0))
        })
    }

    /// The state as bytes of a snapshot.
    fn save<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| each!(&self.crowd, crowd => crowd.snapshot()));
        PyBytes::new(py, &bytes)
    }

    /// Restores the state of a snapshot of the same scene.
    fn restore(&mut self, py: Python<'_>, snapshot: &[u8]) -> PyResult<()> {
        py.detach(
            || each!(&mut self.crowd, crowd => crowd.restore(snapshot).map_err(|e| e.to_string())),
        )
        .map_err(refused)
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        Self::new(py.detach(|| self.crowd.clone()))
    }

    fn __repr__(&self) -> String {
        format!("<wayfare.Crowd of {} agents at tick {}>", self.__len__(), self.tick())
    }
}

fn group_of<V: Vector>(crowd: &wayfare::Crowd<V>, name: Option<&str>) -> PyResult<Option<GroupId>> {
    let Some(name) = name else { return Ok(None) };
    let found = crowd.group_names().position(|group| group == name);
    found.map(|index| Some(GroupId::from(index))).ok_or_else(|| {
        let names: Vec<&str> = crowd.group_names().collect();
        WayfareError::new_err(format!("there is no group `{name}`\nallowed: {}", names.join(", ")))
    })
}

fn event_dict<'py>(py: Python<'py>, event: &Event) -> PyResult<Bound<'py, PyDict>> {
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
            put("state_changed", Some(id), &[("from", from as u64), ("to", to as u64)])
        }
        Event::Crossed { id, line, to_left } => {
            put("crossed", Some(id), &[("line", line.0.into()), ("to_left", to_left.into())])
        }
        Event::Contact { id, other } => put("contact", Some(id), &[("other", other.0.into())]),
        Event::Left { id, group, exit } => {
            put("left", Some(id), &[("group", group.0 as u64), ("exit", exit.0.into())])
        }
        Event::Gone { id, group, state } => {
            put("gone", Some(id), &[("group", group.0 as u64), ("state", state as u64)])
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
