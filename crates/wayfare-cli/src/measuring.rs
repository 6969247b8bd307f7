//! `wayfare run --measures`: the measures of a run, and the file of their table.

use std::path::{Path, PathBuf};

use wayfare::crowd::Setup;
use wayfare::{Crowd, Vector};
use wayfare_measure::{EndValue, Measure, Measures};
use wayfare_record::measure_table::{Format, MeasureTable};
use wayfare_record::{WholeFile, resolved_path};
use wayfare_scene::Units;

use crate::output::{Destination, OutputRequest, file_failed, write_failed};
use crate::{Failure, display, error};

/// The file of a table that was asked for.
#[derive(Debug)]
pub(crate) struct TableRequest {
    path: PathBuf,
    format: Format,
}

impl TableRequest {
    /// The request of `--measures path`; neither an input nor another output may be overwritten.
    pub(crate) fn new(
        path: &Path,
        inputs: &[&Path],
        outputs: &[OutputRequest],
    ) -> Result<Self, Failure> {
        let name = display(path);
        let Some(format) = Format::from_path(path) else {
            return Err(error(format!(
                "`--measures {name}`: its extension selects no format\nallowed: a file that ends \
                 in {}",
                Format::extensions()
            )));
        };
        let is_same = |other: &Path| resolved_path(other) == resolved_path(path);
        let other = inputs.iter().find(|input| is_same(input)).map(|_| "an input");
        let outputs = outputs.iter().filter_map(OutputRequest::path);
        let other = other.or(outputs.into_iter().any(is_same).then_some("another output"));
        if let Some(other) = other {
            return Err(error(format!(
                "`--measures {name}` is {other} of the run\nallowed: any other file"
            )));
        }
        Ok(Self { path: path.to_path_buf(), format })
    }
}

/// The help text of `--measures`.
pub(crate) fn help() -> String {
    format!(
        "A file for the scene's measures, a row per value, that ends in {}; the summary has their \
         values over the run",
        Format::extensions()
    )
}

/// The measures of a run while it goes on.
pub(crate) struct Measuring<'r, V: Vector> {
    measures: Measures<V>,
    request: Option<&'r TableRequest>,
    table: Option<MeasureTable<Destination>>,
}

impl<'r, V: Vector> Measuring<'r, V> {
    /// The measures of a scene, if a table or a summary shows them.
    pub(crate) fn new(
        measures: &[Measure<V>],
        setup: &Setup<V>,
        request: Option<&'r TableRequest>,
        in_summary: bool,
    ) -> Result<Self, Failure> {
        if let Some(request) = request.filter(|_| measures.is_empty()) {
            return Err(error(format!(
                "`--measures {}`: the scene measures nothing\nallowed: a scene with a [[measure]]",
                display(&request.path)
            )));
        }
        let shown = if request.is_some() || in_summary { measures } else { &[] };
        let measures = Measures::new(shown, setup).map_err(error)?;
        Ok(Self { measures, request, table: None })
    }

    /// Opens the file: a path that cannot be written is found before the run begins.
    pub(crate) fn open(&mut self, units: &Units) -> Result<(), Failure> {
        if let Some(request) = self.request {
            let file = WholeFile::create(&request.path).map_err(file_failed)?;
            let table = MeasureTable::begin(request.format, Destination::File(file), units);
            self.table = Some(table.map_err(write_failed)?);
        }
        Ok(())
    }

    /// Takes the state of the crowd, at the start and after each tick.
    pub(crate) fn record(&mut self, crowd: &Crowd<V>) -> Result<(), Failure> {
        self.measures.record(crowd);
        self.write(crowd)
    }

    fn write(&mut self, crowd: &Crowd<V>) -> Result<(), Failure> {
        match &mut self.table {
            Some(table) => table.write(&mut self.measures, crowd).map_err(write_failed),
            None => {
                self.measures.take_rows();
                Ok(())
            }
        }
    }

    /// The written file, which is not yet at its path, and the values of the whole run.
    pub(crate) fn finish(
        mut self,
        crowd: &Crowd<V>,
    ) -> Result<(Option<Destination>, Vec<EndValue>), Failure> {
        self.measures.finish(crowd);
        self.write(crowd)?;
        let file = self.table.map(MeasureTable::finish).transpose().map_err(write_failed)?;
        Ok((file, self.measures.ends().to_vec()))
    }
}
