//! Rows as text of PeTrack and JuPedSim, which PedPy reads.
//!
//! Comments begin with `#`: the scene, `framerate` (frames per unit of time), and the columns. A
//! row has the id, the frame, and the position; z is 0 in the plane. Frames count the written ticks
//! from the tick 0 of the scene. The format knows metres and seconds only: its readers take the
//! lengths and times of the scene as such.
//!
//! The last line is the comment [`END`]: a file of ours without it was cut.

use std::io::{self, Write};

use super::{CHUNK, WriteRows};
use crate::number::{push_decimal, push_number};
use crate::rows::{Header, Names, Row};

/// The last line of a file.
pub(crate) const END: &str = "# end";

/// Writes text.
#[derive(Debug)]
pub(crate) struct TextRows<W> {
    out: W,
    every: u64,
    /// Rows that are not written yet.
    bytes: Vec<u8>,
}

impl<W: Write> TextRows<W> {
    /// Begins a text.
    ///
    /// # Errors
    /// The error of `out`.
    pub(crate) fn new(out: W, header: &Header) -> io::Result<Self> {
        let every = header.every.unwrap_or(1).max(1);
        let dt = header.dt.unwrap_or(1.0);
        let mut bytes = Vec::with_capacity(CHUNK + 512);
        // A name may have line ends, which would end the comment.
        let about = |key: &str| {
            let value = header.about.iter().find(|(known, _)| known == key);
            value.map(|(_, value)| value.replace(char::is_control, " "))
        };
        bytes.extend(b"# ");
        for key in ["scene", "seed"] {
            if let Some(value) = about(key) {
                write!(bytes, "{key}{} {value}, ", if key == "scene" { ":" } else { "" })?;
            }
        }
        let version = env!("CARGO_PKG_VERSION");
        write!(bytes, "wayfare {version}, dimension {}, dt ", header.dimension)?;
        push_number(&mut bytes, dt);
        write!(bytes, ", every {every}\n# framerate: ")?;
        push_number(&mut bytes, header.rate().unwrap_or(1.0));
        bytes.extend(b"\n# id frame x/m y/m z/m\n");
        let mut text = Self { out, every, bytes };
        text.write_buffer()?;
        Ok(text)
    }

    fn write_buffer(&mut self) -> io::Result<()> {
        self.out.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }
}

impl<W: Write> WriteRows<W> for TextRows<W> {
    fn row(&mut self, row: &Row, _: &Names) -> io::Result<()> {
        write!(self.bytes, "{} {}", row.id, row.tick / self.every)?;
        for x in row.position {
            self.bytes.push(b' ');
            push_decimal(&mut self.bytes, x);
        }
        self.bytes.push(b'\n');
        if self.bytes.len() >= CHUNK {
            self.write_buffer()?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, _: &Names, _: Option<String>) -> io::Result<W> {
        self.bytes.extend(END.bytes().chain([b'\n']));
        self.write_buffer()?;
        self.out.flush()?;
        Ok(self.out)
    }
}
