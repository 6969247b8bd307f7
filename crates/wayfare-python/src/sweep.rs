//! Sweeps: the same definition and table as `wayfare sweep`.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use wayfare_record::table::Format as TableFormat;
use wayfare_scene::{Format, Source};
use wayfare_study::{Journal as Finished, LiveTable, Sweep as Planned};

use crate::errors::{WayfareError, refused, scene_error};
use crate::scene::Scene;

/// The finished runs of a sweep, in a file or in memory only.
#[pyclass(module = "wayfare")]
pub(crate) struct Journal {
    journal: Finished,
    /// The table of the finished runs, while others go on.
    live: Option<LiveTable>,
}

#[pymethods]
impl Journal {
    /// Opens the journal at `path`, or begins it; `table` is the path of a table of the finished
    /// runs.
    #[new]
    #[pyo3(signature = (path=None, table=None))]
    fn new(path: Option<PathBuf>, table: Option<PathBuf>) -> PyResult<Self> {
        let journal = path.map_or_else(|| Ok(Finished::none()), |path| Finished::open(&path));
        Ok(Self { journal: journal.map_err(refused)?, live: table.map(LiveTable::new) })
    }
}

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

    /// The indices of the runs that the journal lacks.
    fn left(&self, journal: &Journal) -> Vec<usize> {
        self.sweep.left(&journal.journal)
    }

    /// The number of runs that the journal has.
    fn done(&self, journal: &Journal) -> usize {
        self.sweep.done(&journal.journal)
    }

    /// Adds a run that was run elsewhere to the journal.
    fn add(&self, journal: &mut Journal, line: &str) -> PyResult<()> {
        journal.journal.add_line(line).map_err(refused)?;
        let Some(live) = &mut journal.live else { return Ok(()) };
        live.refresh(&self.sweep, &journal.journal).map_err(refused)
    }

    /// Runs one run, and returns its line for a journal.
    fn run_line(&self, py: Python<'_>, index: usize) -> PyResult<String> {
        if index >= self.sweep.runs() {
            return Err(WayfareError::new_err(format!(
                "there is no run {index}\nallowed: a whole number from 0 to {}",
                self.sweep.runs().saturating_sub(1)
            )));
        }
        let raised = Mutex::new(None);
        let stop = || {
            let signal = Python::attach(|py| py.check_signals());
            let is_raised = signal.is_err();
            if let (Err(error), Ok(mut raised)) = (signal, raised.lock()) {
                raised.get_or_insert(error);
            }
            is_raised
        };
        let line = py.detach(|| self.sweep.run_line(index, stop)).map_err(refused)?;
        match (line, raised.into_inner()) {
            (Some(line), _) => Ok(line),
            (None, Ok(Some(error))) => Err(error),
            (None, _) => Err(WayfareError::new_err("the run was stopped")),
        }
    }

    /// Runs what the journal lacks.
    #[pyo3(signature = (journal, threads=None, progress=None))]
    fn run(
        &self,
        py: Python<'_>,
        journal: &mut Journal,
        threads: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let threads =
            threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let raised = Mutex::new(None);
        let interrupted = AtomicBool::new(false);
        let stop = || interrupted.load(Ordering::Relaxed);
        let Journal { journal, live } = journal;
        let mut tell = |now: wayfare_study::Progress, journal: &Finished| {
            let written = live.as_mut().map_or(Ok(()), |live| live.refresh(&self.sweep, journal));
            let told = Python::attach(|py| -> PyResult<()> {
                py.check_signals()?;
                written.map_err(refused)?;
                match &progress {
                    Some(call) => call.call1(py, (now.done, now.all)).map(|_| ()),
                    None => Ok(()),
                }
            });
            if let Err(error) = told {
                interrupted.store(true, Ordering::Relaxed);
                if let Ok(mut raised) = raised.lock() {
                    raised.get_or_insert(error);
                }
            }
        };
        let outcomes =
            py.detach(|| self.sweep.run(journal, threads, &stop, &mut tell)).map_err(refused)?;
        if let Ok(Some(error)) = raised.into_inner() {
            return Err(error);
        }
        outcomes.map(|_| ()).ok_or_else(|| WayfareError::new_err("the sweep was stopped"))
    }

    /// The table of the finished runs as Parquet, which is also written where the journal has a
    /// path for it.
    fn table<'py>(&self, py: Python<'py>, journal: &mut Journal) -> PyResult<Bound<'py, PyBytes>> {
        let Journal { journal, live } = journal;
        if let Some(live) = live {
            live.write(&self.sweep, journal).map_err(refused)?;
        }
        let table = self.sweep.finished(journal).write(TableFormat::Parquet, Vec::new(), &[]);
        Ok(PyBytes::new(py, &table.map_err(refused)?))
    }
}
