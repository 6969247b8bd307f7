//! What can be seen of an agent, or of a group on the mean, at one tick: the numbers that are
//! plotted.

use wayfare::annotation::{Explanation, Figure};
use wayfare::crowd::AgentRef;
use wayfare::spatial::space::Space;
use wayfare_record::Overlaps;

use super::{Dimension, Show};

/// Of a group so many members are asked what moves them, evenly by their ids: each of them costs a
/// look around.
const ASKED: usize = 32;

/// Whom a measure is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    Agent(u32),
    Group(usize),
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
    /// How fast it is (length / time); of a group the mean, the slowest and the fastest.
    Speed,
    /// How far it is from what the first of its behaviors that has a target goes for, or flees from
    /// (length).
    Distance,
    /// How long each behavior's own force is (length / time).
    Forces,
    /// How many pairs of bodies overlap, in the whole crowd.
    Overlaps,
    /// How often each line has been crossed, by each direction.
    Lines,
}

/// A number, and what it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measure {
    pub(crate) quantity: Quantity,
    pub(crate) name: String,
    pub(crate) value: f32,
}

/// Where the first behavior that has a target has it. Formulas say it in words of their own; where
/// `follow_path` predicts, that is its own way.
fn target<V: Dimension>(why: &Explanation<V>) -> Option<(&'static str, V)> {
    why.annotations.iter().find_map(|note| match (note.behavior, note.label, note.figure) {
        (_, "target", Figure::Point(p)) => Some((note.behavior, p)),
        (_, "slowing_radius" | "panic_radius", Figure::Circle { center, .. }) => {
            Some((note.behavior, center))
        }
        ("pursue" | "evade", "prediction", Figure::Segment { from, .. }) => {
            Some((note.behavior, from))
        }
        _ => None,
    })
}

/// Sums by their names, in the order in which they first came.
#[derive(Default)]
struct Means(Vec<(String, f32, u32)>);

impl Means {
    fn add(&mut self, name: &str, value: f32) {
        match self.0.iter_mut().find(|(known, ..)| known == name) {
            Some((_, sum, count)) => (*sum, *count) = (*sum + value, *count + 1),
            None => self.0.push((name.to_string(), value, 1)),
        }
    }

    fn measures(self, quantity: Quantity) -> impl Iterator<Item = Measure> {
        self.0.into_iter().map(move |(name, sum, count)| Measure {
            quantity,
            name,
            value: sum / count as f32,
        })
    }
}

impl<V: Dimension> Show<V> {
    pub(super) fn measures(&mut self, who: Who, wanted: &[Quantity]) -> Vec<Measure> {
        let mut found = Vec::new();
        if wanted.contains(&Quantity::Speed) {
            self.speeds(who, &mut found);
        }
        if wanted.contains(&Quantity::Distance) || wanted.contains(&Quantity::Forces) {
            let (mut distances, mut forces) = (Means::default(), Means::default());
            self.ask(who, &mut distances, &mut forces);
            found.extend(
                distances.measures(Quantity::Distance).filter(|m| wanted.contains(&m.quantity)),
            );
            found
                .extend(forces.measures(Quantity::Forces).filter(|m| wanted.contains(&m.quantity)));
        }
        let mut note =
            |quantity, name: String, value: f32| found.push(Measure { quantity, name, value });
        if wanted.contains(&Quantity::Overlaps)
            && let Some(overlaps) = Overlaps::of(&self.crowd, self.setup.bounds)
        {
            note(Quantity::Overlaps, "pairs of all".to_string(), overlaps.pairs as f32);
        }
        if wanted.contains(&Quantity::Lines) {
            for count in self.crowd.lines() {
                note(
                    Quantity::Lines,
                    format!("{} to the left", count.line.name),
                    count.left as f32,
                );
                note(
                    Quantity::Lines,
                    format!("{} to the right", count.line.name),
                    count.right as f32,
                );
            }
        }
        found
    }

    fn members(&self, group: usize) -> impl Iterator<Item = AgentRef<'_, V>> {
        self.order
            .iter()
            .map(|&place| self.crowd.agent_at_row(place))
            .filter(move |member| member.group == group)
    }

    fn speeds(&self, who: Who, found: &mut Vec<Measure>) {
        let mut note = |name: &str, value| {
            found.push(Measure { quantity: Quantity::Speed, name: name.to_string(), value })
        };
        match who {
            Who::Agent(id) => {
                if let Some(member) = self.crowd.get(id) {
                    note("speed", member.agent.velocity.length());
                }
            }
            Who::Group(group) => {
                let speeds = self.members(group).map(|member| member.agent.velocity.length());
                let (sum, least, most, count) = speeds
                    .fold((0.0, f32::INFINITY, 0.0_f32, 0), |(sum, least, most, count), v| {
                        (sum + v, v.min(least), v.max(most), count + 1)
                    });
                if count > 0 {
                    note("mean", sum / count as f32);
                    note("slowest", least);
                    note("fastest", most);
                }
            }
        }
    }

    /// What moves somebody, and how far they are from their targets.
    fn ask(&mut self, who: Who, distances: &mut Means, forces: &mut Means) {
        let ids: Vec<u32> = match who {
            Who::Agent(id) => vec![id],
            Who::Group(group) => {
                let all: Vec<u32> = self.members(group).map(|member| member.id).collect();
                all.iter().step_by(all.len().div_ceil(ASKED).max(1)).copied().collect()
            }
        };
        let space = Space::new(self.setup.bounds);
        // What a behavior goes by may be an image outside the bounds of a wrapped world: twice,
        // then.
        let way = |from: V, to: V| space.difference(V::ZERO, space.difference(from, to));
        for &id in &ids {
            let Some(why) = self.crowd.explain(id) else { continue };
            let at = self.crowd.get(id).map(|member| member.agent.position);
            if let (Some((behavior, target)), Some(at)) = (target(&why), at) {
                distances.add(behavior, way(at, target).length());
            }
            for (i, part) in why.contributions.iter().enumerate() {
                // The second of a name has a line of its own.
                let before = why.contributions[..i]
                    .iter()
                    .filter(|other| other.behavior == part.behavior)
                    .count();
                let name = if before == 0 {
                    part.behavior.to_string()
                } else {
                    format!("{} {}", part.behavior, before + 1)
                };
                forces.add(&name, part.force.length());
            }
        }
        if !ids.is_empty() {
            // It may have brought the agents into another order.
            self.crowd.rows_by_id(&mut self.order);
        }
    }
}
