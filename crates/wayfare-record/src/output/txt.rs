//! `.txt`: trajectories in the text format of PeTrack and JuPedSim, which PedPy reads.

use std::io::{self, Write};

use wayfare::{Crowd, Vector};

use super::{Format, Output, RowsOutput, RunData, RunInfo};
use crate::rows::write::txt::TextRows;

pub(super) const FORMAT: Format = Format {
    extension: "txt",
    content: "trajectories as text of PeTrack and JuPedSim: id, frame, x, y, z",
    source: RunData::Rows,
    planar: false,
};

pub(super) fn begin<W: Write + 'static, V: Vector>(
    out: W,
    crowd: &Crowd<V>,
    info: &RunInfo<V>,
) -> io::Result<impl Output<W, V> + use<W, V>> {
    Ok(RowsOutput::new(info.every, TextRows::new(out, &info.rows_header(crowd))?))
}
