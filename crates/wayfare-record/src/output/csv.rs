//! `.csv`: a [`Trajectory`].

use std::io::{self, Write};

use wayfare::{Crowd, Vector};

use super::{FinishedRun, Format, Output, RunData, RunInfo};
use crate::Trajectory;

pub(super) const FORMAT: Format = Format {
    extension: "csv",
    content: "trajectories: a row per agent and tick",
    source: RunData::Rows,
};

struct Csv<W: Write> {
    rows: Trajectory<W>,
    every: u64,
}

pub(super) fn begin<W: Write + 'static, V: Vector>(
    out: W,
    crowd: &Crowd<V>,
    info: &RunInfo<V>,
) -> io::Result<impl Output<W, V> + use<W, V>> {
    Ok(Csv { rows: Trajectory::new(out, crowd)?, every: info.every.max(1) })
}

impl<W: Write, V: Vector> Output<W, V> for Csv<W> {
    fn record(&mut self, crowd: &Crowd<V>) -> io::Result<()> {
        if crowd.tick().is_multiple_of(self.every) { self.rows.record(crowd) } else { Ok(()) }
    }

    fn finish(self: Box<Self>, _run: &FinishedRun<'_, V>) -> io::Result<W> {
        self.rows.finish()
    }
}
