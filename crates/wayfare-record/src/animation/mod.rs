//! Animations: a crowd as it moves, as a GIF that any browser plays.
//!
//! **Size.** Frames have about 640 x 480 pixels, from square to 16 : 9 as the world asks for. There
//! are at most [`MOST_FRAMES`], and fewer for a large crowd: 450,000 drawn agents in all, but never
//! fewer than [`LEAST_FRAMES`] frames. Only what changed is written. Groups of 60 members in all or
//! fewer draw a short trail behind them; more have none.
//!
//! **Pace.** A `dt` of up to 0.1 is taken for seconds, and the animation runs in real time, about
//! 25 frames a second. With any other `dt` 30 ticks take a second. Where there are too few frames
//! for that, each is shown for a tenth of a second and no longer: a long run is a time lapse. The
//! last tick is always shown, for two seconds; then it begins again.
//!
//! **Memory.** A frame is on its way out before the next one is drawn. In a world without bounds it
//! is known only at the end how far the picture has to reach: there frames wait as positions, four
//! million at the most, and if there are more the picture reaches as far as those do.

use std::collections::VecDeque;
use std::io::{self, Write};

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use wayfare::spatial::space::Bounds;
use wayfare::{Crowd, Vector};

use crate::moment::Moment;
use crate::picture::palette::{Palette, UNCHANGED};
use crate::picture::{Framing, View};
use crate::trails::{MOST_POINTS, Sample};

/// The most frames of an animation, but for the last tick.
pub const MOST_FRAMES: u64 = 300;
/// As many frames a crowd of any size has.
pub const LEAST_FRAMES: u64 = 60;
/// How many agents all frames together show, where that leaves enough frames.
const MOST_DRAWN: u64 = 450_000;
/// The ticks of a classic scene, whose `dt` is no time in seconds, that are shown in a second.
const CLASSIC: f64 = 30.0;
/// The longest `dt` that is taken for seconds.
const SECONDS: f64 = 0.1;
/// How many frames a second are enough.
const SMOOTH: f64 = 25.0;
/// The longest that a frame is shown, but for the last, and how long that is (hundredths of a
/// second).
const LONGEST: f64 = 10.0;
const LAST: u16 = 200;
/// Crowds of so many agents have trails, as long as so many frames.
const FEW: usize = 60;
const TRAIL: usize = 30;

/// How ticks become frames.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pace {
    /// How many ticks there are to a frame.
    stride: u64,
    /// How long a frame is shown (hundredths of a second).
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

/// An animation on its way out.
///
/// ```
/// # use wayfare::{crowd::{Group, Setup, Spawn}, glam::vec2, Crowd};
/// use wayfare_record::Animation;
/// # let group = Group::new("walkers", 1, Spawn::Points(vec![vec2(1.0, 0.25)]), 2.0);
/// # let mut crowd = Crowd::new(Setup { groups: vec![group], ..Setup::default() }).unwrap();
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
    pace: Pace,
    film: Film<W, V>,
    /// The last frames, for trails.
    trail: VecDeque<Sample<V>>,
    /// The latest moment that was taken.
    latest: Option<Moment<V>>,
}

/// Where the frames go.
enum Film<W: Write, V: Vector> {
    /// They wait until it is known how far they reach.
    Waiting(W, Vec<Moment<V>>),
    /// They are drawn and written.
    Rolling(Box<Rolling<W>>),
    /// An error has come between.
    Torn,
}

impl<W: Write, V: Vector> Animation<W, V> {
    /// An animation of `crowd`, which is to go on for `ticks` from here, with no frame yet.
    ///
    /// Its frames are ticks that `every` divides; every tick is to be shown to
    /// [`record`](Self::record).
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
            pace,
            film: Film::Waiting(out, Vec::new()),
            trail: VecDeque::new(),
            latest: None,
        }
    }

    /// Takes the crowd's present state, if it is time for a frame.
    ///
    /// # Errors
    /// What the output says; what is in it then is no whole animation.
    pub fn record(&mut self, crowd: &Crowd<V>) -> io::Result<()> {
        if crowd.tick().is_multiple_of(self.pace.stride) { self.take(crowd) } else { Ok(()) }
    }

    /// Takes the crowd's state as the last frame, if it is not there yet, hands on what is left,
    /// and gives the output back.
    ///
    /// # Errors
    /// What the output says.
    pub fn finish(mut self, crowd: &Crowd<V>) -> io::Result<W> {
        if self.latest.as_ref().is_none_or(|latest| latest.sample.tick != crowd.tick()) {
            self.take(crowd)?;
        }
        self.step_wheeled()?;
        match self.film {
            Film::Rolling(rolling) => rolling.finish(),
            Film::Waiting(..) | Film::Torn => Err(io::Error::other("the animation was given up")),
        }
    }

    fn take(&mut self, crowd: &Crowd<V>) -> io::Result<()> {
        let latest = self.latest.as_ref();
        let moment = Moment::of(crowd, latest, latest.map(|latest| &latest.sample));
        self.latest = Some(moment.clone());
        if let Film::Waiting(_, moments) = &mut self.film {
            moments.push(moment);
            let points = moments.len() * crowd.len();
            return if self.bounds.is_some() || points > MOST_POINTS {
                self.step_wheeled()
            } else {
                Ok(())
            };
        }
        self.draw(moment)
    }

    /// Draws what waits; from then on nothing does.
    fn step_wheeled(&mut self) -> io::Result<()> {
        if matches!(self.film, Film::Rolling(_)) {
            return Ok(());
        }
        let Film::Waiting(out, moments) = std::mem::replace(&mut self.film, Film::Torn) else {
            return Ok(());
        };
        let Some(last) = moments.last() else { return Ok(()) };
        let samples = moments.iter().map(|moment| &moment.sample).collect();
        let view = View { title: &self.title, bounds: self.bounds, moment: last, samples };
        let framing = view.framing(moments.iter().filter_map(|moment| moment.pointer));
        self.film = Film::Rolling(Box::new(Rolling::new(out, framing, self.pace.delay)?));
        moments.into_iter().try_for_each(|moment| self.draw(moment))
    }

    fn draw(&mut self, moment: Moment<V>) -> io::Result<()> {
        let Film::Rolling(rolling) = &mut self.film else {
            return Err(io::Error::other("the animation was given up"));
        };
        // A sample of one moment: nobody has come from anywhere.
        let samples = if moment.len() > FEW || self.trail.is_empty() {
            vec![&moment.sample]
        } else {
            self.trail.iter().collect()
        };
        let view = View { title: &self.title, bounds: self.bounds, moment: &moment, samples };
        rolling.add(&view)?;
        if moment.len() <= FEW {
            if self.trail.len() == TRAIL {
                self.trail.pop_front();
            }
            self.trail.push_back(moment.sample);
        } else {
            self.trail.clear();
        }
        Ok(())
    }
}

/// Frames on their way out.
struct Rolling<W: Write> {
    encoder: Encoder<W>,
    palette: Palette,
    framing: Framing,
    delay: f64,
    /// What is not shown yet of the time that is due (hundredths of a second).
    rest: f64,
    /// The frame before as indices; empty before the first.
    before: Vec<u8>,
    /// The newest frame: how long it is shown is known with the next.
    pending: Option<Frame<'static>>,
}

impl<W: Write> Rolling<W> {
    fn new(out: W, framing: Framing, delay: f64) -> io::Result<Self> {
        let palette = Palette::new();
        let (width, height) = framing.size();
        let mut encoder =
            Encoder::new(out, width as u16, height as u16, &palette.bytes()).map_err(outside)?;
        encoder.set_repeat(Repeat::Infinite).map_err(outside)?;
        Ok(Self { encoder, palette, framing, delay, rest: 0.0, before: Vec::new(), pending: None })
    }

    fn add<V: Vector>(&mut self, view: &View<'_, V>) -> io::Result<()> {
        let pixels = self.palette.indices(&view.frame(&self.framing));
        if let Some(mut pending) = self.pending.take() {
            self.rest += self.delay;
            pending.delay = self.rest.round() as u16;
            self.rest -= f64::from(pending.delay);
            self.encoder.write_lzw_pre_encoded_frame(&pending).map_err(outside)?;
        }
        self.pending = Some(changes(&self.before, &pixels, self.framing.size().0 as usize));
        self.before = pixels;
        Ok(())
    }

    fn finish(mut self) -> io::Result<W> {
        if let Some(mut pending) = self.pending.take() {
            pending.delay = LAST;
            self.encoder.write_lzw_pre_encoded_frame(&pending).map_err(outside)?;
        }
        let mut out = self.encoder.into_inner().map_err(outside)?;
        out.flush()?;
        Ok(out)
    }
}

fn outside(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// The part of a frame that is not as before, compressed: with what did not change left out or not,
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
    let places = || (top..=bottom).flat_map(|y| (left..=right).map(move |x| y * width + x));
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
    let whole = frame(places().map(|i| now[i]).collect());
    if before.is_empty() {
        return whole;
    }
    let sparse = frame(places().map(|i| if differs(i) { now[i] } else { UNCHANGED }).collect());
    if sparse.buffer.len() < whole.buffer.len() { sparse } else { whole }
}

#[cfg(test)]
mod tests;
