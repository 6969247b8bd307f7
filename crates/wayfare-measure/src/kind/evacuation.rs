//! Evacuation curves: how many are still inside.

use std::collections::BTreeMap;
use std::sync::Arc;

use wayfare::parameter::{Groups, Kind, parameters};
use wayfare::{GroupId, Vector};

use crate::error::Fault;
use crate::frame::Frame;
use crate::measure::{MeasureKind, Record};
use crate::row::{Moment, Quantity, Sink, quantities};
use crate::world::MeasuredWorld;

parameters! {
    /// The number of agents that are inside, and of those that have left, over time.
    ///
    /// An agent is inside while it is in the crowd, and has left at the first tick at which it is
    /// not, or at which it was respawned. The evacuation time of p percent is the time from the
    /// first tick until p percent of all agents that were ever inside have left (RiMEA guideline
    /// 4.1.1, evacuation time of all persons; ISO 20414 has the curve).
    "evacuation" = pub struct Evacuation {
        /// The groups whose members count; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
    }
}

quantities! {
    INSIDE = "inside", "", Change, "The number of agents inside; for each group as well.";
    LEFT = "left", "", Change, "The number of agents that have left; for each group as well.";
    TIME_50 = "time_of_50_percent", "time", Run, "The evacuation time of half of the agents.";
    TIME_95 = "time_of_95_percent", "time", Run, "The evacuation time of 95 percent.";
    TIME_100 = "time_of_100_percent", "time", Run, "The evacuation time of all; none if one stays.";
    ALL_LEFT = "all_left", "", Run, "The number of agents that have left.";
}

impl<V: Vector> MeasureKind<V> for Evacuation {
    const QUANTITIES: &'static [&'static Quantity] = QUANTITIES;

    fn begin(&self, _world: &MeasuredWorld) -> Result<Box<dyn Record>, Fault> {
        Ok(Box::new(Running {
            of: self.of.clone(),
            inside: Vec::new(),
            groups: BTreeMap::new(),
            left: Vec::new(),
            begin: None,
            last: Moment::default(),
        }))
    }
}

#[derive(Clone, Copy, Default, PartialEq)]
struct Count {
    inside: u64,
    left: u64,
}

struct Running {
    of: Groups,
    /// The ids, episodes and groups of the agents inside at the last tick, in the order of ids.
    inside: Vec<(u32, u32, u32)>,
    /// By group.
    groups: BTreeMap<u32, Count>,
    /// The times at which agents left, each with how many had left then.
    left: Vec<(f64, u64)>,
    begin: Option<f64>,
    last: Moment,
}

impl Running {
    fn total(&self) -> Count {
        self.groups.values().fold(Count::default(), |sum, count| Count {
            inside: sum.inside + count.inside,
            left: sum.left + count.left,
        })
    }

    fn put(&self, before: Option<&BTreeMap<u32, Count>>, rows: &mut Sink<'_>) {
        let total = self.total();
        rows.put(self.last, &INSIDE, total.inside as f64);
        rows.put(self.last, &LEFT, total.left as f64);
        for (group, count) in &self.groups {
            if before.is_none_or(|before| before.get(group) != Some(count)) {
                rows.of_group(self.last, &INSIDE, count.inside as f64, *group);
                rows.of_group(self.last, &LEFT, count.left as f64, *group);
            }
        }
    }
}

impl Record for Running {
    fn record(&mut self, frame: &Arc<Frame>, rows: &mut Sink<'_>) {
        self.last = frame.at;
        let before = self.groups.clone();
        let is_first = self.begin.is_none();
        self.begin.get_or_insert(frame.at.time);
        for (id, episode, group) in &self.inside {
            if frame.find(*id).is_none_or(|body| body.episode != *episode) {
                self.groups.entry(*group).or_default().left += 1;
            }
        }
        self.inside.clear();
        self.groups.values_mut().for_each(|count| count.inside = 0);
        for body in &frame.bodies {
            if self.of.contain(GroupId(body.group as usize)) {
                self.inside.push((body.id, body.episode, body.group));
                self.groups.entry(body.group).or_default().inside += 1;
            }
        }
        if is_first || self.groups != before {
            let left = self.total().left;
            if self.left.last().map_or(0, |(_, count)| *count) != left {
                self.left.push((frame.at.time, left));
            }
            self.put(Some(&before), rows);
        }
    }

    fn finish(&mut self, rows: &mut Sink<'_>) {
        let Some(begin) = self.begin else { return };
        self.put(None, rows);
        let Count { inside, left } = self.total();
        for (part, quantity) in [(0.5, &TIME_50), (0.95, &TIME_95), (1.0, &TIME_100)] {
            let needed = part * (inside + left) as f64;
            let reached = self.left.iter().find(|(_, count)| *count as f64 >= needed);
            if let Some((time, _)) = reached {
                rows.put(self.last, quantity, time - begin);
            }
        }
        rows.put(self.last, &ALL_LEFT, left as f64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{frames, measured_in, values};
    use wayfare::crowd::Setup;
    use wayfare::glam::Vec2;

    #[test]
    fn the_evacuation_times_are_those_at_which_parts_of_all_agents_have_left() {
        // Four agents of two groups: one leaves at tick 2, two at tick 3, and one stays.
        let stays = |ticks: usize| {
            (0..5).map(|tick| (tick < ticks).then_some([0.0, 0.0])).collect::<Vec<_>>()
        };
        let tracks = [stays(2), stays(3), stays(3), stays(5)];
        let bodies = frames(&tracks, |i, mut body| {
            body.group = u32::from(i > 1);
            body
        });
        let world = MeasuredWorld::of(&Setup::<Vec2> { dt: 0.5, ..Setup::default() });
        let rows = measured_in::<Vec2>(world, Evacuation::default(), &bodies);
        let of = |group| {
            let rows = rows.iter().filter(|row| row.group == group && row.quantity == &LEFT);
            rows.map(|row| (row.tick, row.value)).collect::<Vec<_>>()
        };
        assert_eq!(of(None), [(0, 0.0), (2, 1.0), (3, 3.0), (4, 3.0)]);
        assert_eq!(of(Some(1)), [(0, 0.0), (3, 1.0), (4, 1.0)]);
        assert_eq!(values(&rows, "time_of_50_percent"), [(4, 1.5)]);
        assert_eq!(values(&rows, "time_of_95_percent"), []);
        assert_eq!(values(&rows, "all_left"), [(4, 3.0)]);
    }
}
