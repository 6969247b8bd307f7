//! `.csv`: trajectories as text, with the columns of facings and states where groups have them.

use std::io::{self, Write};

use wayfare::{Crowd, Vector};

use super::{Format, Output, RowsOutput, RunData, RunInfo};
use crate::rows::write::csv::CsvRows;

pub(super) const FORMAT: Format = Format {
    extension: "csv",
    content: "trajectories: a row per agent and tick",
    source: RunData::Rows,
    planar: false,
};

pub(super) fn begin<W: Write + 'static, V: Vector>(
    out: W,
    crowd: &Crowd<V>,
    info: &RunInfo<V>,
) -> io::Result<impl Output<W, V> + use<W, V>> {
    let mut header = info.rows_header(crowd);
    header.columns.facing = crowd.has_facings();
    header.columns.state = crowd.has_states();
    Ok(RowsOutput::new(info.every, CsvRows::new(out, &header)))
}
