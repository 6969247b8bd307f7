//! `.json`: a [`Summary`](crate::Summary) for programs.

use std::io::{self, Write};

use wayfare::{Crowd, Vector};

use super::{FinishedRun, Format, Output, RunData, RunInfo, written};

pub(super) const FORMAT: Format = Format {
    extension: "json",
    content: "a summary for programs",
    source: RunData::Summary,
    planar: false,
};

struct Json<W>(W);

pub(super) fn begin<W: Write + 'static, V: Vector>(
    out: W,
    _crowd: &Crowd<V>,
    _info: &RunInfo<V>,
) -> io::Result<impl Output<W, V> + use<W, V>> {
    Ok(Json(out))
}

impl<W: Write, V: Vector> Output<W, V> for Json<W> {
    fn finish(self: Box<Self>, run: &FinishedRun<'_, V>) -> io::Result<W> {
        written(self.0, run.summary.json().as_bytes())
    }
}
