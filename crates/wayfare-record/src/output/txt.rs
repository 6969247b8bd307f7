//! `.txt`: trajectories in the text format of PeTrack and JuPedSim, which PedPy reads.
//!
//! Comments begin with `#`: the scene, `framerate` (frames per unit of time; those of the run's
//! ticks, or of each n-th), and the columns. A row has the id, the frame, and the position; z is 0
//! in the plane. Frames count the written ticks from the tick 0 of the scene. The format knows
//! metres and seconds only: its readers take the lengths and times of the scene as such.

use std::io::{self, Write};

use wayfare::{Crowd, Vector};

use super::{FinishedRun, Format, Output, RunData, RunInfo};
use crate::number::push_number;

pub(super) const FORMAT: Format = Format {
    extension: "txt",
    content: "trajectories as text of PeTrack and JuPedSim: id, frame, x, y, z",
    source: RunData::Rows,
};

/// The size of the buffer (bytes).
const CHUNK: usize = 1 << 16;

struct Text<W: Write> {
    out: W,
    every: u64,
    order: Vec<u32>,
    /// Rows that are not written yet.
    bytes: Vec<u8>,
}

pub(super) fn begin<W: Write + 'static, V: Vector>(
    out: W,
    crowd: &Crowd<V>,
    info: &RunInfo<V>,
) -> io::Result<impl Output<W, V> + use<W, V>> {
    let every = info.every.max(1);
    let mut bytes = Vec::with_capacity(CHUNK + 512);
    // The name may have line ends, which would end the comment.
    let scene = info.scene.replace(char::is_control, " ");
    writeln!(bytes, "# scene: {scene}, seed {}, wayfare {}", info.seed, env!("CARGO_PKG_VERSION"))?;
    bytes.extend(b"# framerate: ");
    push_number(&mut bytes, 1.0 / (crowd.dt() * every as f64));
    bytes.extend(b"\n# id frame x/m y/m z/m\n");
    let mut text = Text { out, every, order: Vec::new(), bytes };
    text.write_buffer()?;
    Ok(text)
}

impl<W: Write> Text<W> {
    fn write_buffer(&mut self) -> io::Result<()> {
        self.out.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }
}

impl<W: Write, V: Vector> Output<W, V> for Text<W> {
    fn record(&mut self, crowd: &Crowd<V>) -> io::Result<()> {
        if !crowd.tick().is_multiple_of(self.every) {
            return Ok(());
        }
        let frame = crowd.tick() / self.every;
        crowd.rows_by_id(&mut self.order);
        for i in 0..self.order.len() {
            let Some(agent_ref) = crowd.agent_at_row(self.order[i]) else { continue };
            write!(self.bytes, "{} {frame}", agent_ref.id)?;
            for axis in 0..3 {
                self.bytes.push(b' ');
                let x = if axis < V::DIMENSION { agent_ref.agent.position.axis(axis) } else { 0.0 };
                push_number(&mut self.bytes, x);
            }
            self.bytes.push(b'\n');
            if self.bytes.len() >= CHUNK {
                self.write_buffer()?;
            }
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, _run: &FinishedRun<'_, V>) -> io::Result<W> {
        self.write_buffer()?;
        self.out.flush()?;
        Ok(self.out)
    }
}
