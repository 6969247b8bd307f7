//! `.gif`: an [`Animation`].

use std::io::{self, Write};

use wayfare::{Crowd, Vector};

use super::{FinishedRun, Format, Output, RunData, RunInfo};
use crate::Animation;

pub(super) const FORMAT: Format =
    Format { extension: "gif", content: "an animation", source: RunData::EveryTick, planar: false };

struct Gif<W: Write, V: Vector>(Animation<W, V>);

pub(super) fn begin<W: Write + 'static, V: Vector>(
    out: W,
    crowd: &Crowd<V>,
    info: &RunInfo<V>,
) -> io::Result<impl Output<W, V> + use<W, V>> {
    let animation = Animation::new(out, &info.title, info.bounds, crowd, info.ticks, info.every);
    Ok(Gif(animation.with_presentation(info.presentation.clone())))
}

impl<W: Write, V: Vector> Output<W, V> for Gif<W, V> {
    fn record(&mut self, crowd: &Crowd<V>) -> io::Result<()> {
        self.0.record(crowd)
    }

    fn finish(self: Box<Self>, run: &FinishedRun<'_, V>) -> io::Result<W> {
        self.0.finish(run.crowd)
    }
}
