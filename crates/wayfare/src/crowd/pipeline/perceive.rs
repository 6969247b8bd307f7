//! The perceive phase: the positions that agents remember.
//!
//! Each agent updates its remembered positions at every tick, before its transitions are tested:
//! the first is, if the group has a perception, the position at which the agent last saw its
//! target; then follows one anchor position for each distance of a `stuck` condition.

use super::input::TickInput;
use crate::agent::Agent;
use crate::annotation::DebugDraw;
use crate::context::{Shared, SteerContext};
use crate::crowd::compiled::CompiledGroup;
use crate::crowd::nearest_member;
use crate::crowd::population::columns::RememberedPosition;
use crate::crowd::population::ghosts::columns_of;
use crate::id::AgentId;
use crate::parameter::Target;
use crate::vector::Vector;

impl<V: Vector> CompiledGroup<V> {
    /// The number of positions that each member remembers.
    pub(in crate::crowd) fn remembered_count(&self) -> usize {
        usize::from(self.perception.is_some()) + self.stuck.distances.len()
    }

    /// The position at which a member with these remembered positions last saw its target; `None`
    /// if at `tick` that is longer ago than the perception's memory.
    pub(in crate::crowd) fn last_seen(
        &self,
        remembered: &[RememberedPosition<V>],
        tick: u64,
        dt: f64,
    ) -> Option<V> {
        let ((perception, _), seen) = (self.perception.as_ref()?, remembered.first()?);
        (seen.tick != RememberedPosition::<V>::NEVER
            && (tick - seen.tick) as f64 * dt <= f64::from(perception.memory))
        .then_some(seen.position)
    }

    /// Whether a member with these remembered positions sees its target at `tick`.
    pub(in crate::crowd) fn sees(&self, remembered: &[RememberedPosition<V>], tick: u64) -> bool {
        self.perception.is_some() && remembered.first().is_some_and(|seen| seen.tick == tick)
    }

    /// The tick since which a member with these remembered positions has stayed `within` the
    /// distance (length) of one position.
    pub(in crate::crowd) fn stuck_since(
        &self,
        remembered: &[RememberedPosition<V>],
        within: f32,
    ) -> Option<u64> {
        let anchors = remembered.get(usize::from(self.perception.is_some())..)?;
        anchors.get(self.stuck.index(within)?).map(|anchor| anchor.tick)
    }
}

impl<V: Vector> TickInput<'_, V> {
    /// Updates the remembered positions of agent `i` for this tick.
    pub(in crate::crowd) fn perceive(
        &self,
        i: usize,
        group: &CompiledGroup<V>,
        host: &Agent<V>,
        remembered: &mut [RememberedPosition<V>],
    ) {
        let tick = self.context.rng_key.tick();
        let (seen, anchors) = remembered.split_at_mut(usize::from(group.perception.is_some()));
        if let (Some(seen), Some(position)) = (seen.first_mut(), self.seen(i, group, host)) {
            *seen = RememberedPosition { position, tick };
        }
        for (anchor, within) in anchors.iter_mut().zip(&group.stuck.distances) {
            if self.context.space.difference(anchor.position, host.position).length() > *within {
                *anchor = RememberedPosition { position: host.position, tick };
            }
        }
    }

    /// The position at which agent `i` sees the target of its group's perception (length).
    fn seen(&self, i: usize, group: &CompiledGroup<V>, host: &Agent<V>) -> Option<V> {
        let (perception, view_cone) = group.perception.as_ref()?;
        let (space, obstacles) = (&self.context.space, self.context.obstacles);
        let sees = |p: V| view_cone.see(space, host, space.image(host.position, p), obstacles);
        if let Target::Group(of) = perception.of {
            let position = |row: usize| {
                let (columns, j) = columns_of(self.now, self.ghosts, row);
                columns.position.get(j)
            };
            let members = &self.groups.get(of.0)?.members;
            return nearest_member::nearest_that(
                members,
                space,
                host.position,
                perception.within,
                AgentId(self.now.id[i]),
                |j| sees(position(j)),
            )
            .map(position);
        }
        let shared = Shared { order: self.current_order(i, group), ..Shared::nothing() };
        let context = SteerContext {
            goal: self.goal(i),
            shared: Some(&shared),
            groups: self,
            ..self.context
        };
        let position =
            context.target(host, &perception.of, perception.within).filter(|p| sees(*p))?;
        Some(space.inside(position))
    }

    /// Draws the perception of an agent whose remembered positions are those of this tick.
    pub(in crate::crowd) fn draw_perception(
        &self,
        group: &CompiledGroup<V>,
        host: &Agent<V>,
        remembered: &[RememberedPosition<V>],
        debug: DebugDraw<'_, V>,
    ) {
        let Some((perception, _)) = &group.perception else { return };
        debug.set_source(|| "sight", u32::MAX);
        if perception.within < f32::INFINITY {
            debug.circle("within", || (host.position, perception.within));
            if perception.field_of_view < 360.0 {
                let half = (perception.field_of_view * 0.5).to_radians();
                let up = self.context.space.up();
                for rotation in [half, -half].map(glam::Vec2::direction_unit) {
                    debug.segment("field_of_view", || {
                        (
                            host.position,
                            host.position + up.turned(host.facing, rotation) * perception.within,
                        )
                    });
                }
            }
        }
        let tick = self.context.rng_key.tick();
        if let Some(position) = group.last_seen(remembered, tick, self.dt) {
            let position = self.context.space.image(host.position, position);
            let what = if group.sees(remembered, tick) { "seen" } else { "last_seen" };
            debug.segment(what, || (host.position, position));
        }
    }
}
