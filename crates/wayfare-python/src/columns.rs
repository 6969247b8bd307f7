//! Views of a crowd's columns: arrays of numpy on the crowd's own memory.
//!
//! A view holds a [`Holder`]. Before its crowd changes while a holder is there, the buffers move
//! to the [`Keeper`] of that holder, and the crowd goes on with copies: no view dangles, and none
//! changes. Without views nothing is copied.

use std::sync::{Arc, Mutex, PoisonError};

use numpy::ndarray::ArrayView1;
use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use wayfare::crowd::DetachedColumns;
use wayfare::glam::{Vec2, Vec3};

use crate::crowd::{AnyCrowd, Crowd, Which, each};

/// The buffers that views read, from when they are no longer the crowd's.
#[derive(Default)]
struct Keeper(Mutex<Option<Kept>>);

/// Held, and not read: the views have the addresses.
#[expect(dead_code, reason = "the fields keep the memory of views")]
enum Kept {
    TwoD(DetachedColumns<Vec2>),
    ThreeD(DetachedColumns<Vec3>),
}

/// The base object of views, which numpy keeps as long as any of them.
#[pyclass(module = "wayfare", frozen)]
struct Holder {
    #[expect(dead_code, reason = "counts the views, and keeps their memory")]
    keeper: Arc<Keeper>,
}

/// The views of a crowd since it last changed.
#[derive(Default)]
pub(crate) struct Views(Option<Arc<Keeper>>);

impl Views {
    /// Gives the buffers of `crowd` to the views that are there, before the crowd changes.
    pub(crate) fn release(&mut self, crowd: &mut AnyCrowd) {
        let Some(keeper) = self.0.take() else { return };
        if Arc::strong_count(&keeper) == 1 {
            return;
        }
        let kept = match crowd {
            AnyCrowd::TwoD(crowd) => Kept::TwoD(crowd.detach_columns()),
            AnyCrowd::ThreeD(crowd) => Kept::ThreeD(crowd.detach_columns()),
        };
        *keeper.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(kept);
    }

    /// A read-only array on `column`, which is a column of the crowd that these views are of.
    fn view<'py, T: Element>(
        &mut self,
        py: Python<'py>,
        column: &[T],
    ) -> PyResult<Bound<'py, PyArray1<T>>> {
        let keeper = Arc::clone(self.0.get_or_insert_default());
        let holder = Bound::new(py, Holder { keeper })?;
        #[expect(unsafe_code, reason = "numpy reads the crowd's memory without a copy")]
        // SAFETY: the buffer stays in its place as long as `holder` is alive: the crowd calls
        // `release` before it changes or drops its columns, which then moves the buffer to the
        // keeper that the holder has.
        let array =
            unsafe { PyArray1::borrow_from_array(&ArrayView1::from(column), holder.into_any()) };
        array.readwrite().make_nonwriteable();
        Ok(array)
    }
}

/// Read-only views of a crowd's columns, in the order of rows.
#[pyclass(module = "wayfare", frozen)]
pub(crate) struct Columns {
    crowd: Py<Crowd>,
}

impl Columns {
    pub(crate) fn new(crowd: Py<Crowd>) -> Self {
        Self { crowd }
    }
}

impl Columns {
    fn vector<'py>(
        &self,
        py: Python<'py>,
        which: Which,
        axis: usize,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let mut crowd = self.crowd.try_borrow_mut(py)?;
        let Crowd { crowd, views, .. } = &mut *crowd;
        if axis == 2 && matches!(crowd, AnyCrowd::TwoD(_)) {
            return Err(PyAttributeError::new_err(
                "a crowd in the plane has no third axis\nallowed: x, y",
            ));
        }
        views.view(py, each!(crowd, crowd => which.column(crowd, axis)))
    }

    fn number<'py>(&self, py: Python<'py>, groups: bool) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let mut crowd = self.crowd.try_borrow_mut(py)?;
        let Crowd { crowd, views, .. } = &mut *crowd;
        let column =
            each!(crowd, crowd => if groups { crowd.group_column() } else { crowd.id_column() });
        views.view(py, column)
    }
}

/// The getters of the vectors' components.
macro_rules! components {
    ($($name:ident: $which:ident, $axis:literal;)*) => {
        #[pymethods]
        impl Columns {
            $(
                #[getter]
                fn $name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f32>>> {
                    self.vector(py, Which::$which, $axis)
                }
            )*

            #[getter]
            fn id<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
                self.number(py, false)
            }

            #[getter]
            fn group<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
                self.number(py, true)
            }
        }
    };
}

components! {
    x: Position, 0;
    y: Position, 1;
    z: Position, 2;
    vx: Velocity, 0;
    vy: Velocity, 1;
    vz: Velocity, 2;
    heading_x: Heading, 0;
    heading_y: Heading, 1;
    heading_z: Heading, 2;
}
