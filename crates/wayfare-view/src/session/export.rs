//! Files of wayfare-record: a tick as a picture, and all ticks since the start as an animation or
//! rows.
//!
//! Nothing is recorded while a scene is watched. The run follows from the scene and its log, so it
//! is run again, a tick at a time, in the time that frames leave.

use wayfare::spatial::space::Bounds;
use wayfare::{Crowd, Vector};
use wayfare_record::{Animation, Picture, Trails, Trajectory};
use wayfare_scene::Log;

/// Number of ticks recorded of a scene that is at tick 0.
const TICKS_AT_START: u64 = 300;
/// Largest number of ticks recorded.
const MOST_TICKS: u64 = 6_000;
/// Largest number of rows, which a page keeps in memory (about 60 bytes each).
const MOST_ROWS: u64 = 1_000_000;

/// The format of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recording {
    Gif,
    Csv,
}

impl Recording {
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Gif => "gif",
            Self::Csv => "csv",
        }
    }
}

/// A recording that is being made.
pub(crate) trait Export {
    /// Records one more tick; after the last one returns the whole file.
    ///
    /// # Errors
    /// What the encoder or the log refused.
    fn advance(&mut self) -> Result<Option<Vec<u8>>, String>;
    /// The recorded part, from 0 to 1.
    fn progress(&self) -> f64;
}

/// A crowd as PNG.
///
/// # Errors
/// Why it cannot be encoded.
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

/// A recording of the run of `crowd` with `log` until a tick, and a remark on what it leaves out.
///
/// # Errors
/// Why it cannot begin.
pub(crate) fn record<V: Vector>(
    recording: Recording,
    title: &str,
    bounds: Option<Bounds<V>>,
    crowd: Crowd<V>,
    log: Log<V>,
    until: u64,
) -> Result<(Box<dyn Export>, String), String> {
    let wanted = if until == 0 { TICKS_AT_START } else { until };
    let most = match recording {
        Recording::Csv => (MOST_ROWS / (crowd.len() as u64).max(1)).max(1),
        Recording::Gif => MOST_TICKS,
    };
    let ticks = wanted.min(most).min(MOST_TICKS);
    let remark = if ticks < wanted {
        format!("; of {wanted} ticks the first {ticks}: `wayfare run` writes all")
    } else {
        String::new()
    };
    let mut encoder = match recording {
        Recording::Gif => {
            Encoder::Gif(Box::new(Animation::new(Vec::new(), title, bounds, &crowd, ticks, 1)))
        }
        Recording::Csv => {
            Encoder::Csv(Trajectory::new(Vec::new(), &crowd).map_err(|e| e.to_string())?)
        }
    };
    encoder.record(&crowd)?;
    Ok((Box::new(Run { crowd, log, ticks, encoder: Some(encoder) }), remark))
}

enum Encoder<V: Vector> {
    Gif(Box<Animation<Vec<u8>, V>>),
    Csv(Trajectory<Vec<u8>>),
}

impl<V: Vector> Encoder<V> {
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
    /// `None` after the last tick.
    encoder: Option<Encoder<V>>,
}

impl<V: Vector> Export for Run<V> {
    fn advance(&mut self) -> Result<Option<Vec<u8>>, String> {
        let Some(encoder) = &mut self.encoder else {
            return Err("the file is complete already".to_string());
        };
        if self.crowd.tick() < self.ticks {
            self.log.apply(&mut self.crowd).map_err(|refused| refused.fault.to_string())?;
            self.crowd.step();
            encoder.record(&self.crowd)?;
            return Ok(None);
        }
        self.encoder.take().map(|encoder| encoder.finish(&self.crowd)).transpose()
    }

    fn progress(&self) -> f64 {
        self.crowd.tick() as f64 / self.ticks.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::crowd::Setup;
    use wayfare::glam::Vec2;

    #[test]
    fn a_recording_is_cut_at_the_largest_number_of_ticks_and_says_so() {
        let crowd = || Crowd::<Vec2>::new(Setup::default()).unwrap();
        let remark = |until| {
            let log = Log::default();
            record(Recording::Gif, "", None, crowd(), log, until).unwrap().1
        };
        assert!(remark(9_000).contains("of 9000 ticks the first 6000"), "{}", remark(9_000));
        assert_eq!(remark(0), "");
    }
}
