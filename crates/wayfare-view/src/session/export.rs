//! What is shown, as files of wayfare-record: the moment as a picture, and all since the start, run
//! again, as an animation or rows.
//!
//! A scene and its log are the run, so nothing is kept while it is watched. It is run again a tick
//! at a time, in the room that frames leave.

use wayfare::spatial::space::Bounds;
use wayfare::{Crowd, Vector};
use wayfare_record::{Animation, Picture, Trails, Trajectory};
use wayfare_scene::Log;

/// Before anything has happened, so many ticks are written; and so many at most, in however long a
/// run.
const FIRST: u64 = 300;
const MOST_TICKS: u64 = 6_000;
/// The most rows that fit into the memory of a page (each of some sixty bytes).
const MOST_ROWS: u64 = 1_000_000;

/// What a run is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Gif,
    Csv,
}

impl Kind {
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Self::Gif => "gif",
            Self::Csv => "csv",
        }
    }
}

/// Something that is being written.
pub(crate) trait Film {
    /// A tick more; the whole file after the last one.
    fn go_on(&mut self) -> Result<Option<Vec<u8>>, String>;
    /// How much of it is done (0 to 1).
    fn part(&self) -> f64;
}

/// The moment as PNG.
pub(crate) fn picture<V: Vector>(
    title: &str,
    bounds: Option<Bounds<V>>,
    crowd: &Crowd<V>,
) -> Result<Vec<u8>, String> {
    let trails = Trails::new(crowd);
    Picture { title, bounds, crowd, trails: &trails, pointer: crowd.pointer() }
        .png()
        .map_err(|e| e.to_string())
}

/// The run of a crowd as it was at the start, with this log, until this tick; and what to say of it
/// besides.
pub(crate) fn film<V: Vector>(
    kind: Kind,
    title: &str,
    bounds: Option<Bounds<V>>,
    crowd: Crowd<V>,
    log: Log<V>,
    until: u64,
) -> Result<(Box<dyn Film>, String), String> {
    let wanted = if until == 0 { FIRST } else { until };
    let most = if kind == Kind::Csv {
        (MOST_ROWS / (crowd.len() as u64).max(1)).max(1)
    } else {
        MOST_TICKS
    };
    let ticks = wanted.min(most).min(MOST_TICKS);
    let said = if ticks < wanted {
        format!("; of {wanted} ticks the first {ticks}: `wayfare run` writes all")
    } else {
        String::new()
    };
    let mut reel = match kind {
        Kind::Gif => {
            Reel::Gif(Box::new(Animation::new(Vec::new(), title, bounds, &crowd, ticks, 1)))
        }
        Kind::Csv => Reel::Csv(Trajectory::new(Vec::new(), &crowd).map_err(|e| e.to_string())?),
    };
    reel.record(&crowd)?;
    Ok((Box::new(Run { crowd, log, ticks, reel: Some(reel) }), said))
}

enum Reel<V: Vector> {
    Gif(Box<Animation<Vec<u8>, V>>),
    Csv(Trajectory<Vec<u8>>),
}

impl<V: Vector> Reel<V> {
    fn record(&mut self, crowd: &Crowd<V>) -> Result<(), String> {
        match self {
            Self::Gif(animation) => animation.record(crowd),
            Self::Csv(rows) => rows.record(crowd),
        }
        .map_err(|e| e.to_string())
    }

    fn finish(self, crowd: &Crowd<V>) -> Result<Vec<u8>, String> {
        match self {
            Self::Gif(animation) => animation.finish(crowd),
            Self::Csv(rows) => rows.finish(),
        }
        .map_err(|e| e.to_string())
    }
}

struct Run<V: Vector> {
    crowd: Crowd<V>,
    log: Log<V>,
    ticks: u64,
    reel: Option<Reel<V>>,
}

impl<V: Vector> Film for Run<V> {
    fn go_on(&mut self) -> Result<Option<Vec<u8>>, String> {
        let Some(reel) = &mut self.reel else { return Err("it is written already".to_string()) };
        if self.crowd.tick() < self.ticks {
            // It was taken before.
            self.log.apply(&mut self.crowd).map_err(|refused| refused.fault.to_string())?;
            self.crowd.step();
            reel.record(&self.crowd)?;
            return Ok(None);
        }
        self.reel.take().map(|reel| reel.finish(&self.crowd)).transpose()
    }

    fn part(&self) -> f64 {
        self.crowd.tick() as f64 / self.ticks.max(1) as f64
    }
}
