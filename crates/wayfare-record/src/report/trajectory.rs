//! The report of a recorded trajectory.

use std::sync::Arc;

use wayfare::AgentId;
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::Vec2;
use wayfare::vector::Up;
use wayfare_scene::{Presentation, Units};

use super::motion::{Motion, Mover, Stamp};
use super::page::{Page, PictureFile};
use super::{Repeat, amount, moments_note, sample, significant, styles};
use crate::frame_data::{Environment, FrameData};
use crate::picture::color::Style;
use crate::picture::{Stage, View, grouped};
use crate::rows::read::{ReadError, ReadRows};
use crate::rows::{Frames, Header, Ring, rings};
use crate::trails::{AgentIdentity, MOST_POINTS, PositionSample};

/// The source of a trajectory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The name of the file.
    pub name: String,
    /// The options of the reader, such as the given frame rate; empty without any.
    pub read: String,
}

/// The page of a trajectory.
///
/// # Errors
/// The first malformed row, or the file ends before its end.
pub fn of_trajectory(
    reader: &mut dyn ReadRows,
    source: &Source,
    repeat: impl FnOnce(&[(String, String)]) -> Repeat,
) -> Result<String, ReadError> {
    let frames = Frames::read(reader)?;
    let header = reader.header().clone();
    let origin = reader.origin().to_vec();
    let about = Told { header: &header, origin: &origin };
    Ok(about.page(&frames, source, repeat(&header.about)).html())
}

/// The metadata of a file.
struct Told<'a> {
    header: &'a Header,
    origin: &'a [(String, String)],
}

impl Told<'_> {
    /// The value of a key; none if it is empty.
    fn get(&self, key: &str) -> Option<&str> {
        let all = self.header.about.iter().chain(self.origin);
        let mut found = all.filter(|(known, _)| known == key);
        found.next().map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    fn units(&self) -> Units {
        let name = |key| self.get(key).unwrap_or_default().to_string();
        Units { length: name("length_unit"), time: name("time_unit") }
    }

    fn page(&self, frames: &Frames, source: &Source, repeat: Repeat) -> Page {
        let presentation = Presentation { units: self.units(), ..Presentation::default() };
        let units = &presentation.units;
        let grounds = grounds(frames, units);
        let headings = frames.headings();
        let mut motion = Motion::default();
        for frame in 0..frames.len() {
            if motion.takes_next() || frame + 1 == frames.len() {
                let (tick, time) = frames.moment(frame).unwrap_or_default();
                let ground = ground_at(frames, tick);
                let rows = frames.rows(frame).iter().zip(&headings[frames.first_row(frame)..]);
                let movers = rows.map(|(row, heading)| Mover {
                    id: row.id,
                    group: row.group,
                    radius: row.radius,
                    at: row.position.into(),
                    heading: *heading,
                });
                motion.push(Stamp { tick, time, ground, pointer: None }, movers);
            }
        }
        let samples = samples(frames);
        let last = frames.len().saturating_sub(1);
        let frame = FrameData::of_rows(
            samples.last().cloned().unwrap_or_else(empty_sample),
            frames.rows(last),
            &headings[frames.first_row(last)..],
            grounds[ground_at(frames, frames.moment(last).map_or(0, |(tick, _)| tick))].clone(),
        );
        let title = self.get("title").or(self.get("scene")).unwrap_or(&source.name);
        let view = View { title, bounds: None, frame: &frame, samples: samples.iter().collect() };
        let stage = Stage::of(&view);
        let dt = self.header.dt.or_else(|| mean_dt(frames));
        let interval = motion.moments().windows(2).map(|two| two[1].at.time - two[0].at.time);
        let longest = interval.fold(0.0, f64::max).max(1e-9);
        let player = motion.encoded(&stage, jump(frames) / longest, dt.unwrap_or(1.0));
        let mut ids: Vec<u32> = frames.all_rows().iter().map(|row| row.id).collect();
        ids.sort_unstable();
        ids.dedup();
        let times = [0, last].map(|frame| frames.moment(frame).map_or(0.0, |(_, time)| time));
        let time = times.map(significant).join(" to ") + &units.after_time();
        Page {
            title: title.to_string(),
            lead: format!(
                "A recorded trajectory: {}, {}, time {time}",
                amount(ids.len(), "agent"),
                amount(frames.len(), "frame")
            ),
            warning: None,
            groups: styles(&frame.environment),
            player,
            grounds: grounds.iter().map(|ground| stage.svg(ground, None)).collect(),
            player_note: moments_note(&motion, dt, &presentation),
            time_unit: units.after_time(),
            sample: sample(&motion),
            picture: PictureFile::of(&view.whole_svg(), || view.whole_png()),
            picture_about: format!("{}: {}", view.name(), view.description()),
            sections: String::new(),
            facts: self.facts(frames, source, ids.len(), &time, units),
            repeat,
            scene_text: self.get("scene_text").unwrap_or_default().to_string(),
        }
    }

    fn facts(
        &self,
        frames: &Frames,
        source: &Source,
        agents: usize,
        time: &str,
        units: &Units,
    ) -> Vec<(&'static str, String)> {
        let count = |count: usize| grouped(&count.to_string());
        let told = |key| self.get(key).map(str::to_string);
        let facts = [
            ("file", Some(source.name.clone())),
            ("how it was read", Some(source.read.clone()).filter(|read| !read.is_empty())),
            ("agents", Some(count(agents))),
            ("frames", Some(count(frames.len()))),
            ("rows", Some(count(frames.all_rows().len()))),
            ("time", Some(time.to_string())),
            ("length of a tick", self.header.dt.map(|dt| format!("{dt}{}", units.after_time()))),
            ("ticks from frame to frame", self.header.every.map(|every| every.to_string())),
            ("scene", told("scene")),
            ("seed", told("seed")),
            ("written by", told("version").map(|version| format!("Wayfare {version}"))),
            ("digest of the end of the run", told("digest")),
            ("report by", Some(format!("Wayfare {}", env!("CARGO_PKG_VERSION")))),
        ];
        facts.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

/// The mean length of a tick.
fn mean_dt(frames: &Frames) -> Option<f64> {
    let first = frames.moment(0)?;
    let last = frames.moment(frames.len() - 1)?;
    let dt = (last.1 - first.1) / (last.0 - first.0).max(1) as f64;
    (dt > 0.0).then_some(dt)
}

/// A displacement from a frame to the next that is no way (length): half of the extent.
fn jump(frames: &Frames) -> f64 {
    let range = |axis: usize| {
        let values = || frames.all_rows().iter().map(|row| f64::from(row.position[axis]));
        values().fold(0.0, |high: f64, x| high.max(x)) - values().fold(0.0, f64::min)
    };
    0.5 * range(0).max(range(1))
}

/// The index of the walkable area at a tick.
fn ground_at(frames: &Frames, tick: u64) -> usize {
    frames.areas.partition_point(|(from, _)| *from <= tick).max(1) - 1
}

/// The world of a trajectory with each of its walkable areas.
fn grounds(frames: &Frames, units: &Units) -> Vec<Arc<Environment<Vec2>>> {
    let groups = &frames.names.groups;
    let groups = if groups.is_empty() { vec!["agents".to_string()] } else { groups.clone() };
    let groups: Vec<String> = groups
        .into_iter()
        .map(|name| if name.is_empty() { "agents".to_string() } else { name })
        .collect();
    let ground = |wkt: &str| {
        let walls = |ring: Ring| {
            if ring.is_hole {
                let points = ring.points.into_iter().map(Vec2::from).collect();
                return vec![Shape::Polygon { points }];
            }
            let wall = |ends: &[[f32; 2]]| Shape::Segment {
                from: ends[0].into(),
                to: ends[1].into(),
                thickness: 0.0,
            };
            ring.points.windows(2).map(wall).collect()
        };
        Arc::new(Environment {
            up: Up::default(),
            styles: (0..groups.len()).map(Style::of).collect(),
            groups: groups.clone(),
            units: units.clone(),
            obstacles: rings(wkt).into_iter().flat_map(walls).collect(),
            paths: Vec::new(),
            field: None,
            lines: Vec::new(),
            exits: Vec::new(),
            sources: Vec::new(),
        })
    };
    if frames.areas.is_empty() {
        return vec![ground("")];
    }
    frames.areas.iter().map(|(_, wkt)| ground(wkt)).collect()
}

fn empty_sample() -> PositionSample<Vec2> {
    PositionSample { tick: 0, time: 0.0, agents: Arc::from([]), positions: Vec::new() }
}

/// The positions of the trails: of all frames, or of evenly spread ones of a long file, and of the
/// last one.
fn samples(frames: &Frames) -> Vec<PositionSample<Vec2>> {
    let stride = frames.all_rows().len().div_ceil(MOST_POINTS).max(1);
    let last = frames.len().saturating_sub(1);
    let chosen: Vec<usize> =
        (0..frames.len()).filter(|frame| last.abs_diff(*frame).is_multiple_of(stride)).collect();
    let time = |frame: usize| frames.moment(frame).map_or(0.0, |(_, time)| time);
    let gaps = chosen.windows(2).map(|two| time(two[1]) - time(two[0]));
    let shortest = gaps.fold(f64::INFINITY, f64::min).max(1e-9);
    let max_speed = (jump(frames) / shortest).min(f64::from(f32::MAX)) as f32;
    let sample = |frame: usize| {
        let rows = frames.rows(frame);
        let agent = |row: &crate::rows::FrameRow| AgentIdentity {
            id: AgentId(row.id),
            group: row.group,
            max_speed,
        };
        let (tick, time) = frames.moment(frame).unwrap_or_default();
        PositionSample {
            tick,
            time,
            agents: rows.iter().map(agent).collect(),
            positions: rows.iter().map(|row| row.position.into()).collect(),
        }
    };
    chosen.into_iter().map(sample).collect()
}
