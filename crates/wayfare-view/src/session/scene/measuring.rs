//! Measuring agents and groups of a running scene.

use wayfare::annotation::{Explanation, Figure};
use wayfare::crowd::AgentRef;
use wayfare::{AgentId, GroupId};
use wayfare_record::Overlaps;

use crate::session::dimension::Dimension;
use crate::session::measures::{Means, Measure, Quantity, Subject};
use crate::session::scene::RunningScene;
use crate::session::states::StatesNow;
use crate::session::traits::Measuring;

/// Number of members of a group that are explained, evenly by ids: each explanation costs a search
/// for neighbors.
const EXPLAINED: usize = 32;

/// The target of the first behavior that has one, read off the annotations of the formulas. A
/// `prediction` counts only for `pursue` and `evade`: that of `follow_path` is its own position.
fn target<V: Dimension>(explained: &Explanation<V>) -> Option<(&'static str, V)> {
    explained.annotations.iter().find_map(|note| match (note.behavior, note.label, note.figure) {
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

impl<V: Dimension> Measuring for RunningScene<V> {
    fn measure(&mut self, subject: Subject, wanted: &[Quantity]) -> Vec<Measure> {
        let mut found = Vec::new();
        if wanted.contains(&Quantity::Speed) {
            self.measure_speeds(subject, &mut found);
        }
        if wanted.contains(&Quantity::Distance) || wanted.contains(&Quantity::Forces) {
            let (mut distances, mut forces) = (Means::default(), Means::default());
            self.measure_forces(subject, &mut distances, &mut forces);
            found.extend(
                distances.measures(Quantity::Distance).filter(|m| wanted.contains(&m.quantity)),
            );
            found
                .extend(forces.measures(Quantity::Forces).filter(|m| wanted.contains(&m.quantity)));
        }
        let mut add =
            |quantity, name: String, value: f32| found.push(Measure { quantity, name, value });
        if wanted.contains(&Quantity::Overlaps)
            && let Some(overlaps) = Overlaps::of(&self.crowd, self.setup.bounds)
        {
            add(Quantity::Overlaps, "pairs of all".to_string(), overlaps.pairs as f32);
        }
        if wanted.contains(&Quantity::Lines) {
            for count in self.crowd.lines() {
                add(Quantity::Lines, format!("{} to the left", count.line.name), count.left as f32);
                add(
                    Quantity::Lines,
                    format!("{} to the right", count.line.name),
                    count.right as f32,
                );
            }
        }
        found
    }

    fn states(&self, subject: Subject) -> Option<StatesNow> {
        self.states_of(subject)
    }
}

impl<V: Dimension> RunningScene<V> {
    /// The members of a group by rising ids.
    pub(super) fn members(&self, group: GroupId) -> impl Iterator<Item = AgentRef<'_, V>> {
        self.rows_by_id
            .iter()
            .filter_map(|&row| self.crowd.agent_at_row(row))
            .filter(move |member| member.group == group)
    }

    fn measure_speeds(&self, subject: Subject, found: &mut Vec<Measure>) {
        let mut add = |name: &str, value| {
            found.push(Measure { quantity: Quantity::Speed, name: name.to_string(), value })
        };
        match subject {
            Subject::Agent(id) => {
                if let Some(member) = self.crowd.get(id) {
                    add("speed", member.agent.velocity.length());
                }
            }
            Subject::Group(group) => {
                let speeds = self.members(group).map(|member| member.agent.velocity.length());
                let (sum, least, most, count) = speeds
                    .fold((0.0, f32::INFINITY, 0.0_f32, 0), |(sum, least, most, count), v| {
                        (sum + v, v.min(least), v.max(most), count + 1)
                    });
                if count > 0 {
                    add("mean", sum / count as f32);
                    add("slowest", least);
                    add("fastest", most);
                }
            }
        }
    }

    /// The forces on an agent or on some members of a group, and the distances to their targets.
    fn measure_forces(&mut self, subject: Subject, distances: &mut Means, forces: &mut Means) {
        let ids: Vec<AgentId> = match subject {
            Subject::Agent(id) => vec![id],
            Subject::Group(group) => {
                let all: Vec<AgentId> = self.members(group).map(|member| member.id).collect();
                all.iter().step_by(all.len().div_ceil(EXPLAINED).max(1)).copied().collect()
            }
        };
        let space = self.setup.space();
        // An annotated target can be an image outside the bounds of a wrapped world: wrap twice.
        let offset = |from: V, to: V| space.difference(V::ZERO, space.difference(from, to));
        for &id in &ids {
            let Some(explained) = self.crowd.explain(id) else { continue };
            let at = self.crowd.get(id).map(|member| member.agent.position);
            if let (Some((behavior, target)), Some(at)) = (target(&explained), at) {
                distances.add(behavior, offset(at, target).length());
            }
            for (i, part) in explained.contributions.iter().enumerate() {
                // A second behavior with the same name gets a line of its own.
                let before = explained.contributions[..i]
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
            // An explanation can sort the agents again.
            self.crowd.rows_by_id(&mut self.rows_by_id);
        }
    }
}
