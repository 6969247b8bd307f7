//! `.svg`: a [`Picture`](crate::Picture) as shapes and texts.

use std::io::{self, Write};

use wayfare::{Crowd, Vector};

use super::{FinishedRun, Format, Output, RunData, RunInfo, written};

pub(super) const FORMAT: Format = Format {
    extension: "svg",
    content: "the same picture, sharp at any size, with texts that can be searched",
    source: RunData::Trails,
    planar: false,
};

struct Svg<W>(W);

pub(super) fn begin<W: Write + 'static, V: Vector>(
    out: W,
    _crowd: &Crowd<V>,
    _info: &RunInfo<V>,
) -> io::Result<impl Output<W, V> + use<W, V>> {
    Ok(Svg(out))
}

impl<W: Write, V: Vector> Output<W, V> for Svg<W> {
    fn finish(self: Box<Self>, run: &FinishedRun<'_, V>) -> io::Result<W> {
        written(self.0, run.picture().svg().as_bytes())
    }
}
