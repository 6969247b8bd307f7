//! `.png`: a [`Picture`](crate::Picture) as pixels.

use std::io::{self, Write};

use wayfare::{Crowd, Vector};

use super::{FinishedRun, Format, Output, RunData, RunInfo, encoding, written};

pub(super) const FORMAT: Format = Format {
    extension: "png",
    content: "a picture of the last tick or of `--at`, with the trails that led there",
    source: RunData::Trails,
    planar: false,
};

struct Png<W>(W);

pub(super) fn begin<W: Write + 'static, V: Vector>(
    out: W,
    _crowd: &Crowd<V>,
    _info: &RunInfo<V>,
) -> io::Result<impl Output<W, V> + use<W, V>> {
    Ok(Png(out))
}

impl<W: Write, V: Vector> Output<W, V> for Png<W> {
    fn finish(self: Box<Self>, run: &FinishedRun<'_, V>) -> io::Result<W> {
        written(self.0, &run.picture().png().map_err(encoding)?)
    }
}
