//! The pace of time: which ticks are due in a frame, and how many of them fit into it.

use wayfare::glam::Vec2;

use crate::session::comparison::Comparison;
use crate::session::traits::Session;

/// Smallest and largest time that ticks may take in a frame (seconds). In between it is half of the
/// last frame's time. A tick that does not end in its frame goes on in the next one; further due
/// ticks are dropped, and the rate shows it.
const BUDGET: [f64; 2] = [0.012, 0.04];
/// Number of agents per thread that move between two looks at the clock.
const AGENTS_PER_PART: usize = 1_024;
/// Time over which the rate is measured (seconds).
const RATE_INTERVAL: f64 = 0.5;

/// The range of the speed: a factor to the usual pace.
pub(crate) const SPEED_RANGE: [f64; 2] = [0.1, 16.0];
/// The speeds that the keys go through.
const SPEEDS: [f64; 8] = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0];

/// Whether and how fast time passes.
#[derive(Clone, Debug)]
pub(crate) struct Playback {
    pub(crate) playing: bool,
    /// Factor to the usual pace.
    pub(crate) speed: f64,
    /// The tick at which it pauses.
    pub(crate) until: Option<u64>,
    /// Number of due ticks.
    due: u32,
    pub(crate) rate: Rate,
}

/// Ticks per second.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rate {
    since: f64,
    ticks: u32,
    /// The measured rate; 0 before the first measurement.
    pub(crate) measured: f64,
    /// The rate that the speed asks for.
    pub(crate) wanted: f64,
}

impl Default for Playback {
    fn default() -> Self {
        Self { playing: true, speed: 1.0, until: None, due: 0, rate: Rate::default() }
    }
}

impl Playback {
    /// Plays a newly opened scene.
    pub(crate) fn start(&mut self) {
        self.playing = true;
        (self.due, self.rate) = (0, Rate::default());
    }

    /// Drops due ticks, as the scene is at another tick now.
    pub(crate) fn drop_due_ticks(&mut self) {
        self.due = 0;
    }

    pub(crate) fn pause(&mut self) {
        (self.playing, self.due) = (false, 0);
    }

    /// Whether a tick has begun that did not fit into its frame.
    pub(crate) fn is_behind(&self) -> bool {
        self.due > 0
    }

    /// Goes to the next higher or lower of the usual speeds.
    pub(crate) fn change_speed(&mut self, by: isize) {
        let now =
            SPEEDS.iter().position(|&speed| speed >= self.speed - 1e-6).unwrap_or(SPEEDS.len() - 1)
                as isize;
        self.speed = SPEEDS[(now + by).clamp(0, SPEEDS.len() as isize - 1) as usize];
    }

    /// Runs the ticks that are due after another `seconds`, as far as they fit into a frame by
    /// `clock` (seconds), and calls `after_tick` after each.
    pub(crate) fn advance(
        &mut self,
        seconds: f64,
        clock: impl Fn() -> f64,
        first: &mut dyn Session,
        comparison: &mut Comparison,
        pointer: Option<Vec2>,
        mut after_tick: impl FnMut(&mut dyn Session, &Comparison),
    ) {
        if !self.playing {
            comparison.catch_up(first);
            return;
        }
        let pace = usual_pace(first.dt()) * self.speed;
        self.rate.wanted = pace / first.dt();
        self.due = self.due.saturating_add(first.due_ticks(seconds * pace));
        comparison.pass_time(seconds * pace);
        let (began, budget) = (clock(), (0.5 * seconds).clamp(BUDGET[0], BUDGET[1]));
        let before_end = |until: Option<u64>, tick: u64| until.is_none_or(|until| tick < until);
        while self.due > 0 && before_end(self.until, comparison.tick(first)) {
            if comparison.step_budgeted(first, pointer, AGENTS_PER_PART) {
                self.due -= 1;
                self.rate.ticks += 1;
                after_tick(first, comparison);
            }
            if clock() - began > budget {
                self.due = self.due.min(1);
                break;
            }
        }
        if !before_end(self.until, comparison.tick(first)) {
            self.playing = false;
        }
        let since = began - self.rate.since;
        if since >= RATE_INTERVAL {
            let measured = f64::from(self.rate.ticks) / since;
            self.rate = Rate { since: began, ticks: 0, measured, ..self.rate };
        }
    }
}

/// Simulated time per second of real time at speed 1: scenes in seconds run in real time, scenes in
/// frames at sixty ticks a second.
fn usual_pace(dt: f64) -> f64 {
    if dt >= 0.25 { 60.0 * dt } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::open::open;
    use std::cell::Cell;
    use wayfare_scene::{Format, bundled};

    fn scene(name: &str) -> Box<dyn Session> {
        open(name, bundled(name).unwrap().text, Format::Toml).unwrap()
    }

    fn advance(
        playback: &mut Playback,
        first: &mut dyn Session,
        comparison: &mut Comparison,
        seconds: f64,
        clock: impl Fn() -> f64,
    ) {
        playback.advance(seconds, clock, first, comparison, None, |_, _| ());
    }

    #[test]
    fn a_scene_in_frames_runs_at_sixty_ticks_a_second_and_one_in_seconds_in_real_time() {
        let run = |name: &str| {
            let (mut scene, mut playback) = (scene(name), Playback::default());
            for _ in 0..30 {
                let alone = &mut Comparison::default();
                advance(&mut playback, scene.as_mut(), alone, 1.0 / 60.0, || 0.0);
            }
            (scene.tick(), scene.time())
        };
        assert!((29..=30).contains(&run("seek").0));
        assert!((0.45..=0.51).contains(&run("game-crowd").1));
    }

    #[test]
    fn a_tick_too_slow_for_its_frame_is_spread_over_frames_and_the_rate_shows_it() {
        let (mut spread, mut whole) = (scene("flock-2000-2d"), scene("flock-2000-2d"));
        let mut playback = Playback::default();
        // Each look at the clock comes 50 ms after the one before: one part per frame.
        let (now, mut idle) = (Cell::new(0.0), 0);
        for _ in 0..100 {
            let before = spread.tick();
            let alone = &mut Comparison::default();
            advance(&mut playback, spread.as_mut(), alone, 0.1, || {
                now.set(now.get() + 0.05);
                now.get()
            });
            idle += u32::from(spread.tick() == before);
        }
        (0..spread.tick()).for_each(|_| whole.step(None));
        assert_eq!(spread.digest(), whole.digest());
        assert!(spread.tick() > 40 && idle > 0, "{} ticks, {idle} idle frames", spread.tick());
        let rate = playback.rate;
        assert!(rate.measured > 1.0 && rate.measured < 0.9 * rate.wanted, "{rate:?}");
    }

    #[test]
    fn it_pauses_at_the_requested_tick() {
        let mut scene = scene("seek");
        let mut playback = Playback { until: Some(12), ..Playback::default() };
        for _ in 0..60 {
            let alone = &mut Comparison::default();
            advance(&mut playback, scene.as_mut(), alone, 1.0 / 60.0, || 0.0);
        }
        assert!(scene.tick() == 12 && !playback.playing);
    }

    #[test]
    fn compared_scenes_stay_in_step_however_ticks_are_cut_into_frames() {
        let (mut first, mut comparison) = (scene("flock-2000-2d"), Comparison::default());
        comparison.start("flock-2000-2d".to_string(), scene("flock-2000-2d"));
        let (now, mut apart) = (Cell::new(0.0), 0);
        let mut playback = Playback::default();
        for i in 0..40_u8 {
            let pointer = Some(Vec2::new(f32::from(i), 0.0));
            let clock = || {
                now.set(now.get() + 0.05);
                now.get()
            };
            playback.advance(0.1, clock, first.as_mut(), &mut comparison, pointer, |_, _| ());
            let second = comparison.second().unwrap().session.tick();
            assert!(first.tick() - second <= 1);
            apart += u32::from(first.tick() != second);
        }
        assert!(apart > 0, "some frames end between the two");
        playback.pause();
        advance(&mut playback, first.as_mut(), &mut comparison, 0.1, || 0.0);
        let states = |first: &dyn Session, comparison: &Comparison| {
            let second = &comparison.second().unwrap().session;
            [(first.tick(), first.digest()), (second.tick(), second.digest())]
        };
        let [a, b] = states(first.as_ref(), &comparison);
        assert!(a == b && a.0 > 2, "{a:?} {b:?}");
        comparison.step(first.as_mut(), None);
        let [next, other] = states(first.as_ref(), &comparison);
        assert!(next == other && next.0 == a.0 + 1);
    }
}
