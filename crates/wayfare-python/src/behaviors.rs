//! Behaviors in Python or in native code: one call per tick with the arrays of a whole group.
//!
//! Before each step every behavior computes the forces of its group's members into a table, from
//! which its entry in the group's list reads them.

use std::ffi::c_void;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use numpy::{IntoPyArray, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;
use wayfare::annotation::DebugDraw;
use wayfare::behavior::Steer;
use wayfare::combine::{Entry, Slot};
use wayfare::crowd::Setup;
use wayfare::{Agent, Behavior, Memory, SteerContext, Vector};

use crate::crowd::{Which, by_rows, group_index};
use crate::errors::WayfareError;

/// The function of a behavior in native code; see `wayfare.Native`.
type NativeFunction = extern "C" fn(
    members: usize,
    dimension: usize,
    tick: u64,
    dt: f64,
    id: *const u32,
    position: *const f32,
    velocity: *const f32,
    force: *mut f32,
);

/// The function that computes the forces.
enum Function {
    Python(Py<PyAny>),
    Native(NativeFunction),
}

/// Forces by the id of their agent.
#[derive(Clone, Debug)]
struct Table<V>(Arc<RwLock<Vec<V>>>);

impl<V: Vector> Steer<V> for Table<V> {
    fn force(
        &self,
        _: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        _: DebugDraw<'_, V>,
    ) -> V {
        let forces = self.0.read().unwrap_or_else(PoisonError::into_inner);
        // An agent that came after the call has no force in this tick.
        forces.get(context.id.0 as usize).copied().unwrap_or(V::ZERO)
    }
}

/// A behavior of a group.
struct OwnBehavior<V> {
    group: u32,
    dt: f64,
    function: Function,
    table: Table<V>,
}

/// The behaviors of a crowd. Copies of the crowd share them, with their tables.
pub(crate) struct OwnBehaviors<V> {
    behaviors: Vec<OwnBehavior<V>>,
    /// Locked from the computation of forces to the end of the step that reads them.
    stepping: Mutex<()>,
}

/// A behavior as Python gives it: the group, and a callable or the address of native code.
#[derive(FromPyObject)]
pub(crate) struct GivenBehavior(String, Given);

#[derive(FromPyObject)]
enum Given {
    Native(usize),
    Python(Py<PyAny>),
}

impl<V: Vector> OwnBehaviors<V> {
    /// Puts the behaviors into the lists of their groups in `setup`.
    pub(crate) fn add(setup: &mut Setup<V>, given: Vec<GivenBehavior>) -> PyResult<Self> {
        let add = |GivenBehavior(name, given): GivenBehavior| {
            let names = setup.groups.iter().map(|group| group.name.as_str()).collect();
            let group = group_index(names, &name)?;
            let table = Table(Arc::default());
            let entry = Entry::Behavior(Behavior::own("python", table.clone()));
            // First, since a solver is the last of its list.
            setup.groups[group].steer.slots.insert(0, Slot::new(entry));
            let function = function(given)?;
            Ok(OwnBehavior { group: group as u32, dt: setup.dt, function, table })
        };
        let behaviors = given.into_iter().map(add).collect::<PyResult<_>>()?;
        Ok(Self { behaviors, stepping: Mutex::new(()) })
    }

    /// Steps `crowd`, for which the behaviors compute their forces first.
    pub(crate) fn step(&self, py: Python<'_>, crowd: &mut wayfare::Crowd<V>) -> PyResult<()> {
        let Ok(_stepping) = self.stepping.try_lock() else {
            return Err(WayfareError::new_err(
                "a copy of this crowd is stepping, which shares its behaviors\nallowed: one step \
                 at a time of a crowd with behaviors of its own and its copies",
            ));
        };
        self.behaviors.iter().try_for_each(|behavior| behavior.compute(py, crowd))?;
        py.detach(|| crowd.step());
        Ok(())
    }
}

fn function(given: Given) -> PyResult<Function> {
    match given {
        Given::Python(function) => Ok(Function::Python(function)),
        Given::Native(0) => Err(WayfareError::new_err(
            "the address of a native behavior is 0\nallowed: the address of a function",
        )),
        Given::Native(address) => {
            let address = std::ptr::with_exposed_provenance::<c_void>(address);
            #[expect(unsafe_code, reason = "the caller gives the address of a function")]
            // SAFETY: the documentation of `wayfare.Native` demands the address of a function of
            // this signature that outlives the crowd.
            let function = unsafe { std::mem::transmute::<*const c_void, NativeFunction>(address) };
            Ok(Function::Native(function))
        }
    }
}

impl<V: Vector> OwnBehavior<V> {
    /// Computes the forces for the present tick of `crowd`.
    fn compute(&self, py: Python<'_>, crowd: &wayfare::Crowd<V>) -> PyResult<()> {
        let mut rows = Vec::new();
        crowd.rows_by_id(&mut rows);
        let groups = crowd.group_column();
        rows.retain(|&row| groups[row as usize] == self.group);
        let id: Vec<u32> = rows.iter().map(|&row| crowd.id_column()[row as usize]).collect();
        let (position, velocity) =
            (by_rows(crowd, Which::Position, &rows), by_rows(crowd, Which::Velocity, &rows));
        let forces = match &self.function {
            Function::Python(function) => {
                let shape = [id.len(), V::DIMENSION];
                let arguments = (
                    crowd.tick(),
                    id.clone().into_pyarray(py),
                    position.into_pyarray(py).reshape(shape)?,
                    velocity.into_pyarray(py).reshape(shape)?,
                    by_rows(crowd, Which::Heading, &rows).into_pyarray(py).reshape(shape)?,
                );
                let returned = function.call1(py, arguments)?;
                let returned: PyReadonlyArray2<'_, f32> = returned.extract(py)?;
                returned.as_array().iter().copied().collect()
            }
            Function::Native(function) => py.detach(|| {
                let mut forces = vec![0.0; position.len()];
                function(
                    id.len(),
                    V::DIMENSION,
                    crowd.tick(),
                    self.dt,
                    id.as_ptr(),
                    position.as_ptr(),
                    velocity.as_ptr(),
                    forces.as_mut_ptr(),
                );
                forces
            }),
        };
        self.store(&id, &forces, crowd.group_names().nth(self.group as usize).unwrap_or_default())
    }

    fn store(&self, id: &[u32], forces: &[f32], group: &str) -> PyResult<()> {
        let by_agent = forces.chunks_exact(V::DIMENSION);
        if let Some((agent, force)) =
            id.iter().zip(by_agent.clone()).find(|(_, force)| force.iter().any(|x| !x.is_finite()))
        {
            return Err(WayfareError::new_err(format!(
                "the behavior of group `{group}` gives agent {agent} the force {force:?}\nallowed: \
                 finite numbers"
            )));
        }
        let mut table = self.table.0.write().unwrap_or_else(PoisonError::into_inner);
        table.clear();
        table.resize(id.last().map_or(0, |&last| last as usize + 1), V::ZERO);
        for (&id, force) in id.iter().zip(by_agent) {
            table[id as usize] = V::from_fn(|axis| force[axis]);
        }
        Ok(())
    }
}
