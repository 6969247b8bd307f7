//! Sweeps: the same definition and table as `wayfare sweep`.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use wayfare_record::table::Format as TableFormat;
use wayfare_scene::{Format, Source};
use wayfare_study::{Journal, Sweep as Planned};

use crate::errors::{WayfareError, refused, scene_error};
use crate::scene::Scene;

/// A planned sweep of a scene.
#[pyclass(module = "wayfare", frozen)]
pub(crate) struct Sweep {
    sweep: Planned,
}

#[pymethods]
impl Sweep {
    /// The sweep that the JSON text of a sweep file describes.
    #[new]
    fn new(py: Python<'_>, scene: &Scene, text: String) -> PyResult<Self> {
        let source = Source { name: "sweep".to_string(), text };
        let study = scene.study();
        let sweep = py.detach(|| Planned::new(&source, Format::Json, &study));
        let sweep = sweep.map_err(|problems| scene_error(py, &source, &problems))?;
        Ok(Self { sweep })
    }

    fn __len__(&self) -> usize {
        self.sweep.runs()
    }

    /// Runs what the journal lacks, and returns the table as Parquet.
    #[pyo3(signature = (threads=None, journal=None, progress=None))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        threads: Option<usize>,
        journal: Option<PathBuf>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let threads =
            threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let mut journal = match journal {
            Some(path) => Journal::open(&path).map_err(refused)?,
            None => Journal::none(),
        };
        let raised = std::sync::Mutex::new(None);
        let interrupted = std::sync::atomic::AtomicBool::new(false);
        let stop = || interrupted.load(std::sync::atomic::Ordering::Relaxed);
        let mut tell = |now: wayfare_study::Progress| {
            let told = Python::attach(|py| -> PyResult<()> {
                py.check_signals()?;
                match &progress {
                    Some(call) => call.call1(py, (now.done, now.all)).map(|_| ()),
                    None => Ok(()),
                }
            });
            if let Err(error) = told {
                interrupted.store(true, std::sync::atomic::Ordering::Relaxed);
                if let Ok(mut raised) = raised.lock() {
                    raised.get_or_insert(error);
                }
            }
        };
        let outcomes = py
            .detach(|| self.sweep.run(&mut journal, threads, &stop, &mut tell))
            .map_err(refused)?;
        if let Ok(Some(error)) = raised.into_inner() {
            return Err(error);
        }
        let outcomes = outcomes.ok_or_else(|| WayfareError::new_err("the sweep was stopped"))?;
        let table = self.sweep.table(&outcomes).write(TableFormat::Parquet, Vec::new(), &[]);
        Ok(PyBytes::new(py, &table.map_err(refused)?))
    }
}
