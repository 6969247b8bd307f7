//! Scenes, and runs of them.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use wayfare::Vector;
use wayfare::crowd::Setup;
use wayfare_measure::Measures;
use wayfare_record::measure_table::MeasureTable;
use wayfare_record::output::{Format as OutputFormat, RunEnd, RunInfo, RunOutputs};
use wayfare_record::report::{Repeat, Report};
use wayfare_record::table::Format as TableFormat;
use wayfare_scene::edit::Draft;
use wayfare_scene::{AnyScene, Files, Format, Scene as Decoded, Source, bundled, bundled_like};
use wayfare_study::Study;

use crate::crowd::raise_refused;
use crate::errors::{WayfareError, problems_as_dicts, refused, scene_error};
use crate::value::value;

/// A scene: its text, and the world and agents that it describes.
#[pyclass(module = "wayfare", frozen, from_py_object)]
#[derive(Clone)]
pub(crate) struct Scene {
    draft: Draft,
    format: Format,
    /// The folder of the files that it names.
    folder: Option<PathBuf>,
}

impl Scene {
    /// The world and the agents.
    pub(crate) fn decoded(&self) -> &AnyScene {
        self.draft.scene()
    }

    /// The text and the files of the scene, for a sweep.
    pub(crate) fn study(&self) -> Study {
        let files = self.draft.files().clone();
        Study { source: self.draft.source().clone(), format: self.format, files }
    }
}

#[pymethods]
impl Scene {
    /// A scene from its text, in TOML or JSON; `folder` is where files are that it names.
    #[staticmethod]
    fn of_text(
        py: Python<'_>,
        name: String,
        text: String,
        json: bool,
        folder: Option<PathBuf>,
    ) -> PyResult<Self> {
        let format = if json { Format::Json } else { Format::Toml };
        let beside = |folder: &PathBuf| Files::beside(&folder.join("scene"));
        let files = folder.as_ref().map_or_else(Files::none, beside);
        let source = Source { name, text };
        let draft = py.detach(|| Draft::beside(source.clone(), format, files));
        let draft = draft.map_err(|problems| scene_error(py, &source, &problems))?;
        Ok(Self { draft, format, folder })
    }

    /// What pickle makes the scene from.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let of_text = py.get_type::<Self>().getattr("of_text")?;
        let is_json = self.format == Format::Json;
        let (name, text) = (self.name().to_string(), self.text().to_string());
        Ok((of_text, (name, text, is_json, self.folder.clone())))
    }

    /// The bundled scene of this name.
    #[staticmethod]
    fn bundled(py: Python<'_>, name: &str) -> PyResult<Self> {
        let Some(scene) = bundled(name) else {
            let likely = bundled_like(name).join("` or `");
            let likely = if likely.is_empty() {
                String::new()
            } else {
                format!("; did you mean `{likely}`?")
            };
            return Err(WayfareError::new_err(format!(
                "there is no file and no bundled scene `{name}`{likely}"
            )));
        };
        let file = format!("{}/{}.toml", scene.folder, scene.name);
        Self::of_text(py, file, scene.text.to_string(), false, None)
    }

    /// The text.
    #[getter]
    fn text(&self) -> &str {
        self.draft.text()
    }

    /// The name: a file, or the folder and the name of a bundled scene.
    #[getter]
    fn name(&self) -> &str {
        &self.draft.source().name
    }

    /// The title.
    #[getter]
    fn title(&self) -> &str {
        self.draft.scene().title()
    }

    /// The number of dimensions: 2 or 3.
    #[getter]
    fn dimension(&self) -> usize {
        match self.draft.scene() {
            AnyScene::TwoD(_) => 2,
            AnyScene::ThreeD(_) => 3,
        }
    }

    /// The ticks that its duration has.
    #[getter]
    fn ticks(&self) -> u64 {
        match self.draft.scene() {
            AnyScene::TwoD(scene) => scene.ticks(),
            AnyScene::ThreeD(scene) => scene.ticks(),
        }
    }

    /// The simulated time of a tick.
    #[getter]
    fn dt(&self) -> f64 {
        match self.draft.scene() {
            AnyScene::TwoD(scene) => scene.setup.dt,
            AnyScene::ThreeD(scene) => scene.setup.dt,
        }
    }

    /// The seed.
    #[getter]
    fn seed(&self) -> u64 {
        match self.draft.scene() {
            AnyScene::TwoD(scene) => scene.setup.seed,
            AnyScene::ThreeD(scene) => scene.setup.seed,
        }
    }

    /// The scene with other values.
    fn with_(&self, changes: &Bound<'_, pyo3::types::PyDict>) -> PyResult<Self> {
        let mut draft = self.draft.clone();
        for (path, new) in changes.iter() {
            let name: String = path.extract()?;
            let refused = |error: wayfare::crowd::ValidationError| {
                WayfareError::new_err(format!(
                    "`{name}`: {}\nallowed: {}",
                    error.message, error.allowed
                ))
            };
            let path = draft.path(&name).map_err(refused)?;
            draft.set(&path, value(&new)?).map_err(refused)?;
        }
        Ok(Self { draft, ..self.clone() })
    }

    /// Hints about settings that work badly, as dictionaries.
    fn check<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let source = self.draft.source();
        let hints =
            py.detach(|| wayfare_scene::hints_beside(source, self.format, self.draft.files()));
        problems_as_dicts(py, source, &hints)
    }

    /// Runs the scene, and keeps every `every`-th tick; with `page`, also what notebooks show.
    #[pyo3(signature = (ticks=None, every=1, seed=None, threads=None, page=true, time=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn run(
        &self,
        py: Python<'_>,
        ticks: Option<u64>,
        every: u64,
        seed: Option<u64>,
        threads: Option<usize>,
        page: bool,
        time: Option<f64>,
    ) -> PyResult<RunData> {
        if ticks.is_some() && time.is_some() {
            return Err(WayfareError::new_err(
                "`time` stands beside `ticks`\nallowed: one of them",
            ));
        }
        if let Some(time) = time.filter(|time| !(0.0..=1e18).contains(time)) {
            let text = format!("`time` is {time}\nallowed: a time from 0 to 1e18");
            return Err(WayfareError::new_err(text));
        }
        if every == 0 {
            return Err(WayfareError::new_err("`every` is 0\nallowed: a whole number from 1"));
        }
        let settings = Settings { ticks, time, every, seed, threads, page };
        match self.draft.scene() {
            AnyScene::TwoD(scene) => self.run_of(py, scene, settings),
            AnyScene::ThreeD(scene) => self.run_of(py, scene, settings),
        }
    }

    fn __repr__(&self) -> String {
        format!("<wayfare.Scene {:?}>", self.draft.source().name)
    }
}

/// A function and its arguments, for pickle.
type Reduced<'py> = (Bound<'py, PyAny>, (String, String, bool, Option<PathBuf>));

struct Settings {
    ticks: Option<u64>,
    time: Option<f64>,
    every: u64,
    seed: Option<u64>,
    threads: Option<usize>,
    page: bool,
}

/// The crowd of a setup at tick 0.
pub(crate) fn crowd_of<V: Vector>(
    setup: &Setup<V>,
    seed: Option<u64>,
    threads: Option<usize>,
) -> Result<wayfare::Crowd<V>, String> {
    let mut setup = setup.clone();
    setup.seed = seed.unwrap_or(setup.seed);
    let mut crowd = wayfare::Crowd::new(setup).map_err(|error| error.to_string())?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.unwrap_or_else(cores);
    if !(1..=1024).contains(&threads) {
        return Err(format!("`threads` is {threads}\nallowed: a whole number from 1 to 1024"));
    }
    crowd.set_threads(threads).map_err(|error| error.to_string())?;
    Ok(crowd)
}

/// The ticks between two looks for a signal.
const TICKS_OF_PART: u64 = 16;

impl Scene {
    fn run_of<V: Vector>(
        &self,
        py: Python<'_>,
        scene: &Decoded<V>,
        settings: Settings,
    ) -> PyResult<RunData> {
        let io = |error: std::io::Error| WayfareError::new_err(error.to_string());
        let mut crowd = py
            .detach(|| crowd_of(&scene.setup, settings.seed, settings.threads))
            .map_err(refused)?;
        let ticks = settings.ticks.or_else(|| settings.time.map(|time| scene.ticks_to(time)));
        let ticks = ticks.unwrap_or_else(|| scene.ticks());
        let mut setup = scene.setup.clone();
        setup.seed = settings.seed.unwrap_or(setup.seed);
        let mut info = RunInfo::new(self.name(), &scene.title, &setup, ticks);
        info.every = settings.every;
        info.presentation = scene.presentation.clone();
        info.scene_text = self.text().to_string();
        let mut measures = Measures::new(&scene.measures, &setup).map_err(refused)?;
        let table = (!measures.is_empty()).then(|| {
            MeasureTable::begin(TableFormat::Parquet, Vec::new(), &scene.presentation.units)
        });
        let mut table = table.transpose().map_err(io)?;
        let open = ["parquet", "json", "svg"].into_iter().filter_map(OutputFormat::from_extension);
        let open: Vec<_> = open.map(|format| (format, Vec::<u8>::new())).collect();
        let began = std::time::Instant::now();
        let mut report = settings.page.then(|| Report::begin(&crowd, &info, measures.names()));
        let mut outputs = RunOutputs::begin(open, &crowd, info).map_err(io)?;
        measures.record(&crowd);
        let mut write = |measures: &mut Measures<V>, report: &mut Option<Report<V>>, crowd: &_| {
            if let Some(report) = report {
                report.measured(measures.rows());
            }
            match &mut table {
                Some(table) => table.write(measures, crowd),
                None => Ok(()),
            }
        };
        write(&mut measures, &mut report, &crowd).map_err(io)?;
        while crowd.tick() < ticks {
            // Ctrl-C is heeded between two parts.
            py.check_signals()?;
            let part = || -> std::io::Result<()> {
                for _ in 0..TICKS_OF_PART.min(ticks - crowd.tick()) {
                    crowd.step();
                    outputs.record(&crowd)?;
                    if let Some(report) = &mut report {
                        report.record(&crowd);
                    }
                    measures.record(&crowd);
                    write(&mut measures, &mut report, &crowd)?;
                }
                Ok(())
            };
            py.detach(part).map_err(io)?;
            raise_refused(&crowd, false)?;
        }
        measures.finish(&crowd);
        write(&mut measures, &mut report, &crowd).map_err(io)?;
        let measured = table.map(MeasureTable::finish);
        let seconds = began.elapsed().as_secs_f64();
        let end = RunEnd {
            seconds,
            step_seconds: seconds,
            commands_left: 0,
            interrupted: false,
            files: Vec::new(),
            measures: measures.ends().to_vec(),
        };
        let (written, ended) = outputs.finish(&crowd, end).map_err(io)?;
        let page = report.map(|report| report.finish(&ended, Repeat::default()));
        let [parquet, summary, picture] = <[Vec<u8>; 3]>::try_from(written)
            .map_err(|_| WayfareError::new_err("an output is missing"))?;
        let measures = measured.transpose().map_err(io)?;
        Ok(RunData { parquet, summary, picture, measures, page, digest: crowd.digest() })
    }
}

/// What a run gives, as the bytes of files.
#[pyclass(module = "wayfare", frozen)]
pub(crate) struct RunData {
    parquet: Vec<u8>,
    summary: Vec<u8>,
    picture: Vec<u8>,
    measures: Option<Vec<u8>>,
    page: Option<String>,
    #[pyo3(get)]
    digest: u64,
}

#[pymethods]
impl RunData {
    /// The trajectories as Parquet.
    fn parquet<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.parquet)
    }

    /// The summary as JSON.
    fn summary(&self) -> String {
        String::from_utf8_lossy(&self.summary).into_owned()
    }

    /// The picture of the end, with trails, as SVG.
    fn picture(&self) -> String {
        String::from_utf8_lossy(&self.picture).into_owned()
    }

    /// The values of the measures as Parquet, if the scene measures anything.
    fn measures<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.measures.as_ref().map(|bytes| PyBytes::new(py, bytes))
    }

    /// The report of the run as HTML, if it was asked for.
    fn page(&self) -> Option<&str> {
        self.page.as_deref()
    }
}
