//! A trajectory in memory, frame by frame.

use std::collections::HashMap;

use wayfare::glam::Vec2;

use super::read::{ReadError, ReadRows};
use super::{Header, Names};

/// An agent of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameRow {
    /// The id of the agent.
    pub id: u32,
    /// The index of the name of its group.
    pub group: u32,
    /// Its position (length): x and y.
    pub position: [f32; 2],
    /// Its facing (unit vector); zero if it is not known.
    pub facing: [f32; 2],
    /// The radius of its body (length); 0 if it is not known.
    pub radius: f32,
}

/// A trajectory in memory, seen from above.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    /// The names of groups and states.
    pub names: Names,
    /// The walkable area as WKT, each from a tick on.
    pub areas: Vec<(u64, String)>,
    /// The tick and the time of each frame, in their order.
    frames: Vec<(u64, f64)>,
    /// For each frame the index of its first row, and the number of all.
    starts: Vec<usize>,
    rows: Vec<FrameRow>,
}

impl Frames {
    /// Reads all rows.
    ///
    /// # Errors
    /// The first malformed row, or the file ends before its end.
    pub fn read(reader: &mut dyn ReadRows) -> Result<Self, ReadError> {
        let mut rows = Vec::new();
        while let Some(row) = reader.next_row()? {
            let two = |v: [f64; 3]| [v[0] as f32, v[1] as f32];
            rows.push((
                (row.tick, row.time),
                FrameRow {
                    id: row.id,
                    group: row.group,
                    position: two(row.position),
                    facing: two(row.facing),
                    radius: row.radius as f32,
                },
            ));
        }
        rows.sort_by_key(|((tick, _), row)| (*tick, row.id));
        let Header { areas, .. } = reader.header().clone();
        let mut frames = Self { names: reader.names().clone(), areas, ..Self::default() };
        for (moment, row) in rows {
            if frames.frames.last().is_none_or(|(tick, _)| *tick != moment.0) {
                frames.frames.push(moment);
                frames.starts.push(frames.rows.len());
            }
            frames.rows.push(row);
        }
        Ok(frames)
    }

    /// The number of frames with rows.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The tick and the time of a frame.
    pub fn moment(&self, frame: usize) -> Option<(u64, f64)> {
        self.frames.get(frame).copied()
    }

    /// The last frame that is not after `time`; the first one before all.
    pub fn at(&self, time: f64) -> usize {
        self.frames.partition_point(|(_, at)| *at <= time).saturating_sub(1)
    }

    /// The index in [`all_rows`](Self::all_rows) of the first row of a frame.
    pub fn first_row(&self, frame: usize) -> usize {
        self.starts.get(frame).copied().unwrap_or(self.rows.len())
    }

    /// The agents of a frame, in the order of ids.
    pub fn rows(&self, frame: usize) -> &[FrameRow] {
        &self.rows[self.first_row(frame)..self.first_row(frame.saturating_add(1))]
    }

    /// All agents of all frames.
    pub fn all_rows(&self) -> &[FrameRow] {
        &self.rows
    }

    /// The direction that each of [`all_rows`](Self::all_rows) faces (unit vectors): where it is
    /// not known, that of the agent's next displacement, or else of its last one, or else x.
    pub fn headings(&self) -> Vec<Vec2> {
        let mut headings: Vec<Vec2> = self.rows.iter().map(|row| Vec2::from(row.facing)).collect();
        if headings.iter().all(|heading| *heading != Vec2::ZERO) {
            return headings;
        }
        let mut latest: HashMap<u32, usize> = HashMap::new();
        for (i, row) in self.rows.iter().enumerate() {
            if headings[i] != Vec2::ZERO {
                continue;
            }
            headings[i] = Vec2::X;
            if let Some(before) = latest.insert(row.id, i) {
                let moved = Vec2::from(row.position) - Vec2::from(self.rows[before].position);
                headings[i] = moved.try_normalize().unwrap_or(headings[before]);
                headings[before] = headings[i];
            }
        }
        headings
    }
}

/// A ring of a polygon.
#[derive(Clone, Debug, PartialEq)]
pub struct Ring {
    /// Whether it is a hole of its polygon.
    pub is_hole: bool,
    /// Its corners, the first one again at the end (length).
    pub points: Vec<[f32; 2]>,
}

/// The rings of polygons in WKT; texts that are none give none.
pub fn rings(wkt: &str) -> Vec<Ring> {
    let mut rings = Vec::new();
    // An outer ring follows two brackets, a hole one.
    let mut opened = 0;
    for text in wkt.split_inclusive(['(', ')']) {
        let point = |point: &str| {
            let mut numbers = point.split_whitespace().map_while(|word| word.parse::<f32>().ok());
            Some([numbers.next()?, numbers.next()?])
        };
        let points: Vec<[f32; 2]> =
            text.trim_end_matches(['(', ')']).split(',').filter_map(point).collect();
        if points.len() > 2 {
            rings.push(Ring { is_hole: opened < 2, points });
        }
        opened = if text.ends_with('(') { opened + 1 } else { 0 };
    }
    rings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_are_read_from_wkt_and_holes_are_told_from_outlines() {
        let holed = rings("POLYGON ((0 0, 4 0, 4 3, 0 0), (1 1, 2 1, 2 1.5, 1 1))");
        let holes: Vec<bool> = holed.iter().map(|ring| ring.is_hole).collect();
        assert_eq!((holes, holed[1].points[2]), (vec![false, true], [2.0, 1.5]));
        let two = "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((5 5, 6 5, 6 6, 5 5), (5 5, 5 6, 6 6)))";
        let holes: Vec<bool> = rings(two).iter().map(|ring| ring.is_hole).collect();
        assert_eq!(holes, [false, false, true]);
        assert_eq!(rings("POINT (1 2)"), []);
    }
}
