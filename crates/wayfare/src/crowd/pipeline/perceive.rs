//! What agents keep in mind of places: where they last saw somebody, and what they have not got
//! away from.
//!
//! Each agent has a row of marks, which it renews at every tick before it looks for a transition:
//! first, if its group looks out for somebody, where that was seen; then one for each distance
//! within which somebody counts as stuck.

use super::World;
use crate::agent::Agent;
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::crowd::compiled::{CompiledGroup, CompiledState};
use crate::crowd::nearest_member;
use crate::crowd::population::columns::RememberedPosition;
use crate::crowd::setup::Condition;
use crate::parameter::Target;
use crate::vector::Vector;

/// The distances of the conditions on being stuck, each once: what is within the same distance is
/// within it for every condition.
pub(in crate::crowd) fn stuck<V: Vector>(plans: &[CompiledState<V>]) -> Vec<f32> {
    let mut found = Vec::new();
    plans.iter().flat_map(|plan| &plan.leave).for_each(|transition| {
        transition.when.visit(&mut |condition| {
            if let Condition::Stuck(within, _) = condition
                && !found.contains(within)
            {
                found.push(*within);
            }
        });
    });
    found
}

impl<V: Vector> CompiledGroup<V> {
    /// How many marks its members have.
    pub(in crate::crowd) fn marks(&self) -> usize {
        usize::from(self.sight.is_some()) + self.stuck.len()
    }

    /// Where a member with these marks last saw whom its group looks out for, if it remembers at
    /// `tick`.
    pub(in crate::crowd) fn last_seen(
        &self,
        marks: &[RememberedPosition<V>],
        tick: u64,
        dt: f64,
    ) -> Option<V> {
        let ((sight, _), mark) = (self.sight.as_ref()?, marks.first()?);
        (mark.tick != RememberedPosition::<V>::NEVER
            && (tick - mark.tick) as f64 * dt <= f64::from(sight.memory))
        .then_some(mark.place)
    }

    /// Whether a member with these marks sees whom its group looks out for, at `tick`.
    pub(in crate::crowd) fn sees(&self, marks: &[RememberedPosition<V>], tick: u64) -> bool {
        self.sight.is_some() && marks.first().is_some_and(|mark| mark.tick == tick)
    }

    /// The tick since which a member with these marks has been within so much of one place.
    pub(in crate::crowd) fn stuck_since(
        &self,
        marks: &[RememberedPosition<V>],
        within: f32,
    ) -> Option<u64> {
        let at = self.stuck.iter().position(|known| *known == within)?;
        marks.get(usize::from(self.sight.is_some()) + at).map(|mark| mark.tick)
    }
}

impl<V: Vector> World<'_, V> {
    /// Renews the marks of agent `i` for this tick.
    pub(in crate::crowd) fn mark(
        &self,
        i: usize,
        group: &CompiledGroup<V>,
        host: &Agent<V>,
        marks: &mut [RememberedPosition<V>],
    ) {
        let tick = self.context.rng_key.tick();
        let (seen, stuck) = marks.split_at_mut(usize::from(group.sight.is_some()));
        if let (Some(mark), Some(place)) = (seen.first_mut(), self.seen(i, group, host)) {
            *mark = RememberedPosition { place, tick };
        }
        for (mark, within) in stuck.iter_mut().zip(&group.stuck) {
            if self.context.space.difference(mark.place, host.position).length() > *within {
                *mark = RememberedPosition { place: host.position, tick };
            }
        }
    }

    /// Where agent `i` sees whom its group looks out for.
    fn seen(&self, i: usize, group: &CompiledGroup<V>, host: &Agent<V>) -> Option<V> {
        let (sight, eyes) = group.sight.as_ref()?;
        let (space, obstacles) = (&self.context.space, self.context.obstacles);
        let sees = |p: V| eyes.see(space, host, space.image(host.position, p), obstacles);
        if let Target::Group(of) = sight.of {
            let position = |j: usize| self.now.position.get(j);
            let members = &self.groups.get(of)?.members;
            return nearest_member::nearest_that(
                members,
                space,
                host.position,
                sight.within,
                self.now.id[i],
                |j| sees(position(j)),
            )
            .map(position);
        }
        let context = SteerContext { goal: self.goal(i), ..self.context };
        let place = context.target(host, &sight.of, sight.within).filter(|p| sees(*p))?;
        Some(if space.wraps() { space.wrapped(place) } else { place })
    }

    /// Says what agent `i`, whose marks are those of this tick, has seen.
    pub(in crate::crowd) fn tell_sight(
        &self,
        group: &CompiledGroup<V>,
        host: &Agent<V>,
        marks: &[RememberedPosition<V>],
        debug: DebugDraw<'_, V>,
    ) {
        let Some((sight, _)) = &group.sight else { return };
        debug.set_source("sight", u32::MAX);
        if sight.within < f32::INFINITY {
            debug.circle("within", || (host.position, sight.within));
            if sight.field_of_view < 360.0 {
                let half = (sight.field_of_view * 0.5).to_radians();
                for turn in [half, -half].map(glam::Vec2::direction_unit) {
                    debug.segment("field_of_view", || {
                        (host.position, host.position + host.facing.turned(turn) * sight.within)
                    });
                }
            }
        }
        let tick = self.context.rng_key.tick();
        if let Some(place) = group.last_seen(marks, tick, self.dt) {
            let place = self.context.space.image(host.position, place);
            let what = if group.sees(marks, tick) { "seen" } else { "last_seen" };
            debug.segment(what, || (host.position, place));
        }
    }
}
