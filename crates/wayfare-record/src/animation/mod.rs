//! Animations: a moving crowd, as a GIF that any browser plays.
//!
//! **Size.** Frames have about 640 x 480 pixels, from square to 16 : 9 as the world requires. There
//! are at most [`MOST_FRAMES`], and fewer for a large crowd: 450,000 drawn agents in all, but at
//! least [`LEAST_FRAMES`] frames. Only changed pixels are written. Crowds of up to 60 agents have
//! short trails.
//!
//! **Pace.** A `dt` of up to 0.1 is taken as seconds, and the animation plays in real time, about
//! 25 frames per second. With any other `dt`, 30 ticks take a second. If there are too few frames
//! for that, each is shown for a tenth of a second: a long run is a time lapse. The last tick is
//! always shown, for two seconds; then the animation repeats.
//!
//! **Memory.** A frame is written before the next one is drawn. In a world without bounds the
//! visible area is known only at the end: there frames are kept as positions, at most four million,
//! and beyond that the visible area is that of the frames so far.

use std::collections::VecDeque;
use std::io::{self, Write};

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use wayfare::spatial::space::Bounds;
use wayfare::{Crowd, Vector};
use wayfare_scene::{Presentation, Rgb};

use crate::frame_data::FrameData;
use crate::picture::palette::{Palette, UNCHANGED};
use crate::picture::{Framing, View};
use crate::trails::{MOST_POINTS, PositionSample};

/// The most frames of an animation, without that of the last tick.
pub const MOST_FRAMES: u64 = 300;
/// The fewest frames that the size of the crowd reduces an animation to.
pub const LEAST_FRAMES: u64 = 60;
/// The most agents that all frames together show, if that leaves enough frames.
const MOST_DRAWN: u64 = 450_000;
/// The ticks per second of a classic scene, whose `dt` is not in seconds.
const CLASSIC: f64 = 30.0;
/// The longest `dt` that is taken as seconds.
const SECONDS: f64 = 0.1;
/// The frames per second of a smooth animation.
const SMOOTH: f64 = 25.0;
/// The longest duration of a frame, and the duration of the last one (hundredths of a second).
const LONGEST: f64 = 10.0;
const LAST: u16 = 200;
/// The most agents of a crowd with trails, and the length of the trails (frames).
const FEW: usize = 60;
const TRAIL: usize = 30;

/// The choice of ticks that become frames.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pace {
    /// The ticks from frame to frame.
    stride: u64,
    /// The duration of a frame (hundredths of a second).
    delay: f64,
}

impl Pace {
    fn new(dt: f64, ticks: u64, agents: usize, every: u64) -> Self {
        let rate = if dt <= SECONDS { 1.0 / dt } else { CLASSIC };
        let most = (MOST_DRAWN / (agents as u64).max(1)).clamp(LEAST_FRAMES, MOST_FRAMES);
        let smooth = (rate / SMOOTH).round().max(1.0) as u64;
        let stride = smooth.max(ticks.div_ceil(most)).div_ceil(every).saturating_mul(every);
        Self { stride, delay: (stride as f64 / rate * 100.0).clamp(2.0, LONGEST) }
    }
}

/// Writes an animation.
///
/// ```
/// # use wayfare::{crowd::{Group, Setup, Spawn}, glam::vec2, Crowd};
/// use wayfare_record::Animation;
/// # let group = Group::new("walkers", 1, Spawn::point(vec2(1.0, 0.25)), 2.0);
/// # let mut crowd = Setup::new(1.0).group(group).crowd().unwrap();
/// let mut animation = Animation::new(Vec::new(), "A walker", None, &crowd, 10, 1);
/// animation.record(&crowd)?; // the start, tick 0
/// for _ in 0..10 {
///     crowd.step();
///     animation.record(&crowd)?;
/// }
/// assert!(animation.finish(&crowd)?.starts_with(b"GIF89a"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Animation<W: Write, V: Vector> {
    title: String,
    bounds: Option<Bounds<V>>,
    presentation: Presentation,
    pace: Pace,
    frames: FrameSink<W, V>,
    /// The last frames, for trails.
    trail: VecDeque<PositionSample<V>>,
    /// The latest frame.
    latest: Option<FrameData<V>>,
}

/// The destination of the frames.
enum FrameSink<W: Write, V: Vector> {
    /// Frames are kept until the visible area is known.
    Buffered(W, Vec<FrameData<V>>),
    /// Frames are drawn and written.
    Encoding(Box<FrameEncoder<W>>),
    /// An error occurred.
    Failed,
}

impl<W: Write, V: Vector> Animation<W, V> {
    /// An animation of `crowd`, without a frame, of a run for `ticks` from the present tick on.
    /// Its frames are at ticks that `every` divides. Call [`record`](Self::record) at every tick.
    pub fn new(
        out: W,
        title: &str,
        bounds: Option<Bounds<V>>,
        crowd: &Crowd<V>,
        ticks: u64,
        every: u64,
    ) -> Self {
        let pace = Pace::new(crowd.dt(), ticks, crowd.len(), every.max(1));
        Self {
            title: title.to_string(),
            bounds,
            presentation: Presentation::default(),
            pace,
            frames: FrameSink::Buffered(out, Vec::new()),
            trail: VecDeque::new(),
            latest: None,
        }
    }

    /// The same animation in the colors and units of a scene.
    pub fn with_presentation(self, presentation: Presentation) -> Self {
        Self { presentation, ..self }
    }

    /// Adds a frame of the crowd's present state, if its tick is one of those of frames.
    ///
    /// # Errors
    /// The error of the output, which is then incomplete.
    pub fn record(&mut self, crowd: &Crowd<V>) -> io::Result<()> {
        if crowd.tick().is_multiple_of(self.pace.stride) { self.add_frame(crowd) } else { Ok(()) }
    }

    /// Adds the last frame if it is missing, writes the rest, and returns the output.
    ///
    /// # Errors
    /// The error of the output.
    pub fn finish(mut self, crowd: &Crowd<V>) -> io::Result<W> {
        if self.latest.as_ref().is_none_or(|latest| latest.sample.tick != crowd.tick()) {
            self.add_frame(crowd)?;
        }
        self.start_encoding()?;
        match self.frames {
            FrameSink::Encoding(encoder) => encoder.finish(),
            FrameSink::Buffered(..) | FrameSink::Failed => {
                Err(io::Error::other("the animation failed before"))
            }
        }
    }

    fn add_frame(&mut self, crowd: &Crowd<V>) -> io::Result<()> {
        let latest = self.latest.as_ref();
        let frame =
            FrameData::of(crowd, &self.presentation, latest, latest.map(|latest| &latest.sample));
        self.latest = Some(frame.clone());
        if let FrameSink::Buffered(_, frames) = &mut self.frames {
            frames.push(frame);
            let points = frames.len() * crowd.len();
            return if self.bounds.is_some() || points > MOST_POINTS {
                self.start_encoding()
            } else {
                Ok(())
            };
        }
        self.draw(frame)
    }

    /// Draws the buffered frames; from then on frames are written at once.
    fn start_encoding(&mut self) -> io::Result<()> {
        if matches!(self.frames, FrameSink::Encoding(_)) {
            return Ok(());
        }
        let FrameSink::Buffered(out, frames) =
            std::mem::replace(&mut self.frames, FrameSink::Failed)
        else {
            return Ok(());
        };
        let Some(last) = frames.last() else { return Ok(()) };
        let samples = frames.iter().map(|frame| &frame.sample).collect();
        let view = View { title: &self.title, bounds: self.bounds, frame: last, samples };
        let colors: Vec<Rgb> = self.presentation.colors.iter().copied().flatten().collect();
        let framing = view.framing(frames.iter().filter_map(|frame| frame.pointer));
        self.frames = FrameSink::Encoding(Box::new(FrameEncoder::new(
            out,
            framing,
            self.pace.delay,
            &colors,
        )?));
        frames.into_iter().try_for_each(|frame| self.draw(frame))
    }

    fn draw(&mut self, frame: FrameData<V>) -> io::Result<()> {
        let FrameSink::Encoding(encoder) = &mut self.frames else {
            return Err(io::Error::other("the animation failed before"));
        };
        // A single sample draws no trails.
        let samples = if frame.len() > FEW || self.trail.is_empty() {
            vec![&frame.sample]
        } else {
            self.trail.iter().collect()
        };
        let view = View { title: &self.title, bounds: self.bounds, frame: &frame, samples };
        encoder.add(&view)?;
        if frame.len() <= FEW {
            if self.trail.len() == TRAIL {
                self.trail.pop_front();
            }
            self.trail.push_back(frame.sample);
        } else {
            self.trail.clear();
        }
        Ok(())
    }
}

/// Encodes frames.
struct FrameEncoder<W: Write> {
    encoder: Encoder<W>,
    palette: Palette,
    framing: Framing,
    delay: f64,
    /// The part of the delay that rounding left over (hundredths of a second).
    rest: f64,
    /// The color indices of the previous frame; empty before the first.
    previous: Vec<u8>,
    /// The newest frame: its duration is known only with the next.
    pending: Option<Frame<'static>>,
}

impl<W: Write> FrameEncoder<W> {
    /// `colors` are those that the scene gives to groups.
    fn new(out: W, framing: Framing, delay: f64, colors: &[Rgb]) -> io::Result<Self> {
        let palette = Palette::new(colors);
        let (width, height) = framing.size();
        let mut encoder = Encoder::new(out, width as u16, height as u16, &palette.bytes())
            .map_err(encoder_failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(encoder_failed)?;
        Ok(Self {
            encoder,
            palette,
            framing,
            delay,
            rest: 0.0,
            previous: Vec::new(),
            pending: None,
        })
    }

    fn add<V: Vector>(&mut self, view: &View<'_, V>) -> io::Result<()> {
        let pixels = self.palette.indices(&view.draw_frame(&self.framing));
        if let Some(mut pending) = self.pending.take() {
            self.rest += self.delay;
            pending.delay = self.rest.round() as u16;
            self.rest -= f64::from(pending.delay);
            self.encoder.write_lzw_pre_encoded_frame(&pending).map_err(encoder_failed)?;
        }
        self.pending = Some(changes(&self.previous, &pixels, self.framing.size().0 as usize));
        self.previous = pixels;
        Ok(())
    }

    fn finish(mut self) -> io::Result<W> {
        if let Some(mut pending) = self.pending.take() {
            pending.delay = LAST;
            self.encoder.write_lzw_pre_encoded_frame(&pending).map_err(encoder_failed)?;
        }
        let mut out = self.encoder.into_inner().map_err(encoder_failed)?;
        out.flush()?;
        Ok(out)
    }
}

fn encoder_failed(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// The changed rectangle of a frame, compressed: with unchanged pixels transparent or not,
/// whichever is shorter.
fn changes(before: &[u8], now: &[u8], width: usize) -> Frame<'static> {
    let differs = |i: usize| before.get(i) != Some(&now[i]);
    let height = now.len() / width;
    let row_differs = |y: &usize| (y * width..(y + 1) * width).any(differs);
    let (top, bottom) =
        ((0..height).find(row_differs).unwrap_or(0), (0..height).rfind(row_differs).unwrap_or(0));
    let column_differs = |x: &usize| (top..=bottom).any(|y| differs(y * width + x));
    let (left, right) = (
        (0..width).find(column_differs).unwrap_or(0),
        (0..width).rfind(column_differs).unwrap_or(0),
    );
    let pixels = || (top..=bottom).flat_map(|y| (left..=right).map(move |x| y * width + x));
    let frame = |buffer: Vec<u8>| {
        let [top, left, width, height] =
            [top, left, right + 1 - left, bottom + 1 - top].map(|size| size as u16);
        let mut frame = Frame {
            top,
            left,
            width,
            height,
            transparent: Some(UNCHANGED),
            buffer: buffer.into(),
            ..Frame::default()
        };
        frame.dispose = DisposalMethod::Keep;
        frame.make_lzw_pre_encoded();
        frame
    };
    let whole = frame(pixels().map(|i| now[i]).collect());
    if before.is_empty() {
        return whole;
    }
    let sparse = frame(pixels().map(|i| if differs(i) { now[i] } else { UNCHANGED }).collect());
    if sparse.buffer.len() < whole.buffer.len() { sparse } else { whole }
}

#[cfg(test)]
mod tests;
