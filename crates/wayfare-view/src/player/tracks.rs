//! Recorded trajectories with one clock, without a screen.

use wayfare::glam::Vec2;
use wayfare_record::rows::{FrameRow, Frames, Ring, rings};

use crate::session::geometry::WorldRect;

/// A recorded trajectory.
pub(crate) struct Track {
    /// The name of its file.
    pub(crate) name: String,
    pub(crate) frames: Frames,
    /// For each frame the heading of each of its agents, in their order.
    headings: Vec<Vec2>,
    /// The rings of the walkable areas, each area from its tick on.
    areas: Vec<(u64, Vec<Vec<Vec2>>)>,
}

impl Track {
    pub(crate) fn new(name: String, frames: Frames) -> Self {
        let corners = |ring: Ring| ring.points.into_iter().map(Vec2::from).collect();
        let area = |wkt: &str| rings(wkt).into_iter().map(corners).collect();
        let areas = frames.areas.iter().map(|(tick, wkt)| (*tick, area(wkt))).collect();
        let headings = frames.headings();
        Self { name, frames, headings, areas }
    }

    /// The first and the last time; zeros without rows.
    fn times(&self) -> [f64; 2] {
        let last = self.frames.len().saturating_sub(1);
        [0, last].map(|frame| self.frames.moment(frame).map_or(0.0, |(_, time)| time))
    }

    /// The agents at `time`, and their headings; none before the first frame and after the last.
    pub(crate) fn at(&self, time: f64) -> impl Iterator<Item = (&FrameRow, Vec2)> + '_ {
        let frame = self.frames.at(time);
        let [first, last] = self.times();
        // A clock that adds up times may stop a little after the last.
        let is_on = (first..=last + 1e-9 * last.abs()).contains(&time);
        let rows = if is_on { self.frames.rows(frame) } else { &[] };
        let headings = &self.headings[self.frames.first_row(frame)..];
        rows.iter().zip(headings.iter().copied())
    }

    /// The rings of the walkable area at `time`.
    pub(crate) fn area(&self, time: f64) -> &[Vec<Vec2>] {
        let tick = self.frames.moment(self.frames.at(time)).map_or(0, |(tick, _)| tick);
        let known = self.areas.partition_point(|(from, _)| *from <= tick);
        self.areas.get(known.max(1) - 1).map_or(&[], |(_, rings)| rings)
    }
}

/// One or two trajectories, and the clock that both follow.
pub(crate) struct Tracks {
    /// The trajectory, and perhaps its ghost.
    pub(crate) tracks: Vec<Track>,
    /// The time that is shown (time).
    pub(crate) time: f64,
    pub(crate) playing: bool,
    /// Time that passes per second; 1 by default.
    pub(crate) speed: f64,
}

impl Tracks {
    pub(crate) fn new(tracks: Vec<Track>) -> Self {
        let mut tracks = Self { tracks, time: 0.0, playing: true, speed: 1.0 };
        tracks.time = tracks.times()[0];
        tracks
    }

    /// The first and the last time of all.
    pub(crate) fn times(&self) -> [f64; 2] {
        let all = self.tracks.iter().map(Track::times);
        let both = all.reduce(|[first, last], [a, b]| [first.min(a), last.max(b)]);
        both.unwrap_or([0.0; 2])
    }

    /// Lets `seconds` pass; the clock stops at the end.
    pub(crate) fn pass(&mut self, seconds: f64) {
        if self.playing {
            let [first, last] = self.times();
            self.time = (self.time + seconds * self.speed).clamp(first, last);
            self.playing = self.time < last;
        }
    }

    /// Plays or pauses; from the end it plays from the start.
    pub(crate) fn toggle(&mut self) {
        let [first, last] = self.times();
        self.playing = !self.playing;
        if self.playing && self.time >= last {
            self.time = first;
        }
    }

    /// Goes to the frame of the first trajectory so many frames away, and pauses.
    pub(crate) fn step(&mut self, by: isize) {
        self.playing = false;
        if let Some(track) = self.tracks.first() {
            let frame = track.frames.at(self.time).saturating_add_signed(by);
            let frame = frame.min(track.frames.len().saturating_sub(1));
            self.time = track.frames.moment(frame).map_or(self.time, |(_, time)| time);
        }
    }

    /// The area of the whole picture: all positions and walkable areas.
    pub(crate) fn world(&self) -> WorldRect {
        let mut world = WorldRect::EMPTY;
        for track in &self.tracks {
            let rows = track.frames.all_rows().iter();
            rows.for_each(|row| world.extend(Vec2::from(row.position)));
            let areas = track.areas.iter().flat_map(|(_, rings)| rings).flatten();
            areas.for_each(|p| world.extend(*p));
        }
        if world.has_area() {
            world.expanded(0.04 * world.size().max_element())
        } else {
            let center = if world.min.is_finite() { world.center() } else { Vec2::ZERO };
            WorldRect::between(center - Vec2::ONE, center + Vec2::ONE)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::glam::vec2;
    use wayfare_record::rows::Names;
    use wayfare_record::rows::read::{ReadOptions, open};

    /// The trajectory that a PeTrack text has.
    fn track(text: &str) -> Track {
        static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("track-{}-{number}.txt", std::process::id()));
        std::fs::write(&path, text).unwrap();
        let frames = Frames::read(open(&path, ReadOptions::default()).unwrap().as_mut());
        std::fs::remove_file(&path).unwrap();
        Track::new("track".to_string(), frames.unwrap())
    }

    fn walk() -> Track {
        track("# framerate: 2\n1 0 0 0 0\n1 1 0 3 0\n1 3 4 3 0\n7 1 9 9 0\n")
    }

    #[test]
    fn a_track_shows_the_last_frame_before_the_time_and_looks_where_its_agents_go() {
        let track = walk();
        let at = |time| {
            let agents = track.at(time);
            agents.map(|(row, heading)| (row.id, row.position, heading)).collect::<Vec<_>>()
        };
        assert_eq!(at(0.0), [(1, [0.0, 0.0], Vec2::Y)]);
        let both = [(1, [0.0, 3.0], Vec2::X), (7, [9.0, 9.0], Vec2::X)];
        assert_eq!((at(0.5), at(1.4)), (both.to_vec(), both.to_vec()));
        assert_eq!(at(1.5), [(1, [4.0, 3.0], Vec2::X)]);
        assert_eq!((at(-0.1), at(1.6)), (vec![], vec![]));
    }

    #[test]
    fn two_tracks_have_one_clock_which_stops_at_the_end_of_the_longer_one() {
        let mut tracks =
            Tracks::new(vec![walk(), track("# framerate: 1\n1 1 0 0 0\n1 4 2 -6 0\n")]);
        assert_eq!((tracks.times(), tracks.time), ([0.0, 4.0], 0.0));
        tracks.speed = 2.0;
        tracks.pass(0.75);
        assert_eq!((tracks.time, tracks.playing), (1.5, true));
        tracks.pass(9.0);
        assert_eq!((tracks.time, tracks.playing), (4.0, false));
        tracks.toggle();
        assert_eq!((tracks.time, tracks.playing), (0.0, true));
        tracks.step(2);
        assert_eq!((tracks.time, tracks.playing), (1.5, false));
        tracks.step(-1);
        assert_eq!(tracks.time, 0.5);
        assert!(tracks.world().size().abs_diff_eq(vec2(10.2, 16.2), 1e-4));
    }

    #[test]
    fn an_empty_track_has_a_world() {
        let empty = Tracks::new(vec![Track::new(String::new(), Frames::default())]);
        assert_eq!((empty.times(), empty.world().size()), ([0.0; 2], vec2(2.0, 2.0)));
        assert_eq!(empty.tracks[0].at(0.0).count(), 0);
        assert_eq!(empty.tracks[0].frames.names, Names::default());
    }
}
