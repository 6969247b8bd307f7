//! `.snapshot`: the state of the crowd, from which a run continues.

use std::io::{self, Write};

use wayfare::{Crowd, Vector};

use super::{FinishedRun, Format, Output, RunData, RunInfo, written};

pub(super) const FORMAT: Format = Format {
    extension: "snapshot",
    content: "the state to continue from",
    source: RunData::LastTick,
    planar: false,
};

struct Snapshot<W>(W);

pub(super) fn begin<W: Write + 'static, V: Vector>(
    out: W,
    _crowd: &Crowd<V>,
    _info: &RunInfo<V>,
) -> io::Result<impl Output<W, V> + use<W, V>> {
    Ok(Snapshot(out))
}

impl<W: Write, V: Vector> Output<W, V> for Snapshot<W> {
    fn finish(self: Box<Self>, run: &FinishedRun<'_, V>) -> io::Result<W> {
        written(self.0, &run.crowd.snapshot())
    }
}
