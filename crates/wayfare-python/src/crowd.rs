//! A crowd that runs.

use std::sync::Arc;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use wayfare::crowd::{Added, AgentChange, Command, Event, Limit};
use wayfare::glam::{Vec2, Vec3};
use wayfare::log::Refused;
use wayfare::{AgentId, GroupId, Order, Vector};
use wayfare_scene::{AnyScene, Scene as Decoded, Source, problem_of, read_log};

use crate::behaviors::{GivenBehavior, OwnBehaviors};
use crate::columns::{Columns, Views};
use crate::errors::{WayfareError, refused, scene_error};
use crate::events::event_dict;
use crate::scene::{Scene, crowd_of};
use crate::shapes::shape_dict;

#[derive(Clone)]
pub(crate) enum AnyCrowd {
    TwoD(wayfare::Crowd<Vec2>),
    ThreeD(wayfare::Crowd<Vec3>),
}

/// The behaviors in Python of a crowd.
#[derive(Clone)]
enum AnyBehaviors {
    None,
    TwoD(Arc<OwnBehaviors<Vec2>>),
    ThreeD(Arc<OwnBehaviors<Vec3>>),
}

/// A crowd: agents that step together. Arrays are ordered by id.
#[pyclass(module = "wayfare", subclass)]
pub(crate) struct Crowd {
    pub(crate) crowd: AnyCrowd,
    behaviors: AnyBehaviors,
    /// The views of the columns since the last change.
    pub(crate) views: Views,
    /// Rows in the order of ids, reused.
    order: Vec<u32>,
    /// The events of the ticks of the last step before its last one.
    earlier: Vec<Event>,
}

impl Drop for Crowd {
    fn drop(&mut self) {
        self.views.release(&mut self.crowd);
    }
}

/// Calls the same code with a crowd of either dimension.
macro_rules! each {
    ($crowd:expr, $name:ident => $body:expr) => {
        match $crowd {
            $crate::crowd::AnyCrowd::TwoD($name) => $body,
            $crate::crowd::AnyCrowd::ThreeD($name) => $body,
        }
    };
}
pub(crate) use each;

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
pub(crate) enum Which {
    Position,
    Velocity,
    Heading,
}

impl Which {
    /// The components on `axis`, by row.
    pub(crate) fn column<V: Vector>(self, crowd: &wayfare::Crowd<V>, axis: usize) -> &[f32] {
        match self {
            Self::Position => crowd.positions(axis),
            Self::Velocity => crowd.velocities(axis),
            Self::Heading => crowd.headings(axis),
        }
    }
}

/// The vectors of these rows, one after the other.
pub(crate) fn by_rows<V: Vector>(
    crowd: &wayfare::Crowd<V>,
    which: Which,
    rows: &[u32],
) -> Vec<f32> {
    let columns: Vec<&[f32]> = (0..V::DIMENSION).map(|axis| which.column(crowd, axis)).collect();
    let of_row = |&row: &u32| columns.iter().map(move |column| column[row as usize]);
    rows.iter().flat_map(of_row).collect()
}

impl Crowd {
    /// Vectors as an array of agents by axes, in the order of ids: one pass over the rows.
    fn vectors<'py>(
        &mut self,
        py: Python<'py>,
        which: Which,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let Self { crowd, order, .. } = self;
        each!(crowd, crowd => {
            crowd.rows_by_id(order);
            let shape = [order.len(), dimension(crowd)];
            by_rows(crowd, which, order).into_pyarray(py).reshape(shape)
        })
    }

    /// A limit of the agents, in the order of ids.
    fn limits<'py>(&mut self, py: Python<'py>, limit: Limit) -> Bound<'py, PyArray1<f32>> {
        let Self { crowd, order, .. } = self;
        each!(crowd, crowd => {
            crowd.rows_by_id(order);
            let of_agents = order.iter().filter_map(|&row| crowd.agent_at_row(row));
            let value = |agent: wayfare::crowd::AgentRef<'_, _>| match limit {
                Limit::Mass => agent.agent.mass,
                Limit::MaxSpeed => agent.agent.max_speed,
                Limit::MaxForce => agent.agent.max_force,
                Limit::Radius => agent.agent.radius,
            };
            of_agents.map(value).collect::<Vec<f32>>().into_pyarray(py)
        })
    }

    /// Whole numbers of the agents in the order of ids.
    fn numbers<'py>(&mut self, py: Python<'py>, groups: bool) -> Bound<'py, PyArray1<u32>> {
        let Self { crowd, order, .. } = self;
        each!(crowd, crowd => {
            crowd.rows_by_id(order);
            let column = if groups { crowd.group_column() } else { crowd.id_column() };
            let values: Vec<u32> = order.iter().map(|&row| column[row as usize]).collect();
            values.into_pyarray(py)
        })
    }
}

fn dimension<V: Vector>(_: &wayfare::Crowd<V>) -> usize {
    V::DIMENSION
}

/// The source of a crowd.
#[derive(FromPyObject)]
enum Origin<'py> {
    Scene(PyRef<'py, Scene>),
    Crowd(PyRef<'py, Crowd>),
}

type WithBehaviors<V> = (wayfare::Crowd<V>, Option<Arc<OwnBehaviors<V>>>);

/// The crowd of a scene, and the behaviors that were put into its lists.
fn crowd_with<V: Vector>(
    py: Python<'_>,
    scene: &Decoded<V>,
    seed: Option<u64>,
    threads: Option<usize>,
    given: Vec<GivenBehavior>,
) -> PyResult<WithBehaviors<V>> {
    if given.is_empty() {
        let crowd = py.detach(|| crowd_of(&scene.setup, seed, threads)).map_err(refused)?;
        return Ok((crowd, None));
    }
    let mut setup = scene.setup.clone();
    let behaviors = OwnBehaviors::add(&mut setup, given)?;
    let crowd = py.detach(|| crowd_of(&setup, seed, threads)).map_err(refused)?;
    Ok((crowd, Some(Arc::new(behaviors))))
}

#[pymethods]
impl Crowd {
    /// The crowd of a scene at tick 0, or a copy of a crowd.
    #[new]
    #[pyo3(signature = (source, seed=None, threads=None, behaviors=Vec::new()))]
    fn new(
        py: Python<'_>,
        source: Origin<'_>,
        seed: Option<u64>,
        threads: Option<usize>,
        behaviors: Vec<GivenBehavior>,
    ) -> PyResult<Self> {
        let (crowd, behaviors) = match source {
            Origin::Crowd(other) => {
                let other = &*other;
                (py.detach(|| other.crowd.clone()), other.behaviors.clone())
            }
            Origin::Scene(scene) => match scene.decoded() {
                AnyScene::TwoD(scene) => {
                    let (crowd, own) = crowd_with(py, scene, seed, threads, behaviors)?;
                    (AnyCrowd::TwoD(crowd), own.map_or(AnyBehaviors::None, AnyBehaviors::TwoD))
                }
                AnyScene::ThreeD(scene) => {
                    let (crowd, own) = crowd_with(py, scene, seed, threads, behaviors)?;
                    (AnyCrowd::ThreeD(crowd), own.map_or(AnyBehaviors::None, AnyBehaviors::ThreeD))
                }
            },
        };
        Ok(Self {
            crowd,
            behaviors,
            views: Views::default(),
            order: Vec::new(),
            earlier: Vec::new(),
        })
    }

    /// Steps by `ticks`, without the interpreter's lock.
    #[pyo3(signature = (ticks=1))]
    fn step(&mut self, py: Python<'_>, ticks: u64) -> PyResult<()> {
        self.views.release(&mut self.crowd);
        let earlier = &mut self.earlier;
        earlier.clear();
        match (&mut self.crowd, &self.behaviors) {
            (AnyCrowd::TwoD(crowd), AnyBehaviors::TwoD(own)) => {
                return step_with(py, crowd, own, earlier, ticks);
            }
            (AnyCrowd::ThreeD(crowd), AnyBehaviors::ThreeD(own)) => {
                return step_with(py, crowd, own, earlier, ticks);
            }
            _ => {}
        }
        let before = each!(&self.crowd, crowd => crowd.refused_command().is_some());
        let mut left = ticks;
        while left > 0 {
            let part = left.min(TICKS_OF_PART);
            py.detach(|| {
                each!(&mut self.crowd, crowd => for tick in 0..part {
                    if left < ticks || tick > 0 {
                        earlier.extend_from_slice(crowd.events());
                    }
                    crowd.step();
                });
            });
            each!(&self.crowd, crowd => raise_refused(crowd, before))?;
            left -= part;
            // Ctrl-C is heeded between two parts.
            py.check_signals()?;
        }
        Ok(())
    }

    /// Read-only views of the columns.
    #[getter]
    fn columns(this: Py<Self>) -> Columns {
        Columns::new(this)
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

    /// The reaction time of each agent, in the order of ids.
    #[getter]
    fn mass<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        self.limits(py, Limit::Mass)
    }

    /// The top speed of each agent, in the order of ids.
    #[getter]
    fn max_speed<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        self.limits(py, Limit::MaxSpeed)
    }

    /// The largest force of each agent, in the order of ids.
    #[getter]
    fn max_force<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        self.limits(py, Limit::MaxForce)
    }

    /// The radius of each agent's body, in the order of ids.
    #[getter]
    fn radius<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        self.limits(py, Limit::Radius)
    }

    /// The name of the state of each agent, in the order of ids; `None` for groups without states.
    #[getter]
    fn state(&mut self) -> Vec<Option<String>> {
        let Self { crowd, order, .. } = self;
        each!(crowd, crowd => {
            crowd.rows_by_id(order);
            let state = |row: &u32| {
                let agent = crowd.agent_at_row(*row)?;
                agent.state.map(str::to_string)
            };
            order.iter().map(state).collect()
        })
    }

    /// The events of all ticks of the last step, as dictionaries.
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        each!(&self.crowd, crowd => {
            let events = self.earlier.iter().chain(crowd.events());
            events.map(|event| event_dict(py, event)).collect()
        })
    }

    /// Applies a command, in the notation of command logs, as JSON; returns the id of what it has
    /// added, if anything.
    fn apply(&mut self, py: Python<'_>, command: &str) -> PyResult<Option<u32>> {
        self.views.release(&mut self.crowd);
        let tick = each!(&self.crowd, crowd => crowd.tick());
        let body = command.trim().strip_prefix('{').unwrap_or(command);
        let text = format!("{{\"tick\": {tick}, {body}\n");
        let source = Source { name: "command".to_string(), text };
        let added = each!(&mut self.crowd, crowd => apply_line(crowd, &source));
        added.map_err(|problems| scene_error(py, &source, &problems))
    }

    /// Sets positions and velocities of agents, by their ids.
    #[pyo3(signature = (ids, position=None, velocity=None))]
    fn move_agents(
        &mut self,
        ids: PyReadonlyArray1<'_, u32>,
        position: Option<PyReadonlyArray2<'_, f32>>,
        velocity: Option<PyReadonlyArray2<'_, f32>>,
    ) -> PyResult<()> {
        self.views.release(&mut self.crowd);
        each!(&mut self.crowd, crowd => {
            let ids = known_ids(crowd, &ids)?;
            let position = position.map(|rows| points("position", &rows, ids.len())).transpose()?;
            let velocity = velocity.map(|rows| points("velocity", &rows, ids.len())).transpose()?;
            for (index, &id) in ids.iter().enumerate() {
                let position = match &position {
                    Some(position) => position[index],
                    None => match crowd.get(id) {
                        Some(agent) => agent.agent.position,
                        None => continue,
                    },
                };
                let velocity = velocity.as_ref().map(|velocity| velocity[index]);
                crowd.apply(&Command::Move { id, position, velocity }).map_err(refused)?;
            }
            Ok(())
        })
    }

    /// Gives agents their orders, by their ids: a point each.
    fn order_agents(
        &mut self,
        ids: PyReadonlyArray1<'_, u32>,
        order: PyReadonlyArray2<'_, f32>,
    ) -> PyResult<()> {
        self.views.release(&mut self.crowd);
        each!(&mut self.crowd, crowd => {
            let ids = known_ids(crowd, &ids)?;
            let order = points("order", &order, ids.len())?;
            for (&id, point) in ids.iter().zip(order) {
                let change = AgentChange::Order(Some(Order::Point(point)));
                crowd.apply(&Command::Agent { id, change }).map_err(refused)?;
            }
            Ok(())
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

    /// The obstacles by their ids.
    #[getter]
    fn obstacles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        each!(&self.crowd, crowd => {
            for (id, obstacle) in crowd.obstacle_ids().zip(crowd.obstacles()) {
                found.set_item(id.0, shape_dict(py, obstacle.shape())?)?;
            }
        });
        Ok(found)
    }

    /// The state as bytes of a snapshot.
    fn save<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes = py.detach(|| each!(&self.crowd, crowd => crowd.snapshot()));
        PyBytes::new(py, &bytes)
    }

    /// Restores the state of a snapshot of the same scene.
    fn restore(&mut self, py: Python<'_>, snapshot: &[u8]) -> PyResult<()> {
        self.views.release(&mut self.crowd);
        self.earlier.clear();
        py.detach(
            || each!(&mut self.crowd, crowd => crowd.restore(snapshot).map_err(|e| e.to_string())),
        )
        .map_err(refused)
    }

    fn __repr__(&self) -> String {
        format!("<wayfare.Crowd of {} agents at tick {}>", self.__len__(), self.tick())
    }
}

/// Applies the command of a log that is the only line of `source`.
fn apply_line<V: Vector>(
    crowd: &mut wayfare::Crowd<V>,
    source: &Source,
) -> Result<Option<u32>, Vec<wayfare_scene::Problem>> {
    let log = read_log::<V>(source, crowd.dt())?;
    let Some((tick, command)) = log.commands().next() else { return Ok(None) };
    let added = crowd
        .apply(command)
        .map_err(|error| vec![problem_of(Refused { index: 0, tick, error }, source)])?;
    Ok(added.and_then(|added| match added {
        Added::Agent(id) => Some(id.0),
        Added::Group(id) => Some(id.0 as u32),
        Added::Obstacle(id) => Some(id.0),
        Added::Path(id) => Some(id.0 as u32),
        Added::Field(id) => Some(id.0 as u32),
        Added::Line(id) => Some(id.0),
        Added::Exit(id) => Some(id.0),
        Added::Source(id) => Some(id.0),
        _ => None,
    }))
}

/// Raises what an event of the scene was refused for, unless that was `before`.
pub(crate) fn raise_refused<V: Vector>(crowd: &wayfare::Crowd<V>, before: bool) -> PyResult<()> {
    match crowd.refused_command() {
        Some(event) if !before => Err(refused(event)),
        _ => Ok(()),
    }
}

/// Steps a crowd with behaviors in Python.
fn step_with<V: Vector>(
    py: Python<'_>,
    crowd: &mut wayfare::Crowd<V>,
    own: &OwnBehaviors<V>,
    earlier: &mut Vec<Event>,
    ticks: u64,
) -> PyResult<()> {
    let before = crowd.refused_command().is_some();
    for tick in 0..ticks {
        if tick > 0 {
            earlier.extend_from_slice(crowd.events());
        }
        own.step(py, crowd)?;
        raise_refused(crowd, before)?;
        py.check_signals()?;
    }
    Ok(())
}

/// Ids of agents that there are.
fn known_ids<V: Vector>(
    crowd: &wayfare::Crowd<V>,
    ids: &PyReadonlyArray1<'_, u32>,
) -> PyResult<Vec<AgentId>> {
    let ids = ids.as_array();
    let known = |&id: &u32| {
        let id = AgentId(id);
        let known = crowd.get(id).is_some();
        known.then_some(id).ok_or_else(|| {
            WayfareError::new_err(format!(
                "there is no agent {}\nallowed: the ids of agents that are there",
                id.0
            ))
        })
    };
    ids.iter().map(known).collect()
}

/// The rows of an array as vectors, one per agent.
fn points<V: Vector>(
    name: &str,
    rows: &PyReadonlyArray2<'_, f32>,
    agents: usize,
) -> PyResult<Vec<V>> {
    let rows = rows.as_array();
    if rows.shape() != [agents, V::DIMENSION] {
        return Err(WayfareError::new_err(format!(
            "`{name}` has the shape {:?}\nallowed: {:?}, a row per id",
            rows.shape(),
            [agents, V::DIMENSION]
        )));
    }
    if let Some((row, values)) = (0..agents)
        .map(|row| (row, rows.row(row)))
        .find(|(_, values)| values.iter().any(|x| x.is_nan() || x.abs() > LARGEST))
    {
        return Err(WayfareError::new_err(format!(
            "`{name}` has {values} in row {row}\nallowed: numbers from -1e9 to 1e9"
        )));
    }
    Ok((0..agents).map(|row| V::from_fn(|axis| rows[[row, axis]])).collect())
}

/// The largest coordinate.
const LARGEST: f32 = 1e9;

fn group_of<V: Vector>(crowd: &wayfare::Crowd<V>, name: Option<&str>) -> PyResult<Option<GroupId>> {
    let Some(name) = name else { return Ok(None) };
    group_index(crowd.group_names().collect(), name).map(|index| Some(GroupId::from(index)))
}

/// The index of the group `name` among `names`.
pub(crate) fn group_index(names: Vec<&str>, name: &str) -> PyResult<usize> {
    names.iter().position(|&group| group == name).ok_or_else(|| {
        WayfareError::new_err(format!("there is no group `{name}`\nallowed: {}", names.join(", ")))
    })
}
