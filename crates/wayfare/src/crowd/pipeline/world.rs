//! What the phases of a tick read: the old columns, and everything that stays as it is during it.

use crate::context::{AgentView, Agents, Shared, SteerContext};
use crate::crowd::Crowd;
use crate::crowd::compiled::CompiledGroup;
use crate::crowd::nearest_member;
use crate::crowd::population::columns::{Columns, RememberedPosition};
use crate::crowd::population::spawn;
use crate::crowd::setup::Group;
use crate::geometry::flow_field::FlowField;
use crate::geometry::obstacle::Obstacles;
use crate::random::RngKey;
use crate::simd::SimdDispatch;
use crate::spatial::grid::Grid;
use crate::vector::Vector;

/// The old generation: all that a step reads of other agents.
#[derive(Debug)]
pub(in crate::crowd) struct World<'a, V: Vector> {
    pub(in crate::crowd) now: &'a Columns<V>,
    pub(in crate::crowd) groups: &'a [CompiledGroup<V>],
    /// The groups as they were set up.
    pub(in crate::crowd) setup: &'a [Group<V>],
    /// The cells that the agents are sorted into; `None` where nobody looks for neighbors.
    pub(in crate::crowd) grid: Option<&'a Grid<V>>,
    pub(in crate::crowd) dt: f64,
    /// The units of speed and length in sums over neighbors.
    pub(in crate::crowd) speed: f32,
    pub(in crate::crowd) reach: f32,
    /// How far anybody can have moved since the agents were sorted into cells (length).
    pub(in crate::crowd) moved: f32,
    pub(in crate::crowd) fields: &'a [FlowField<V>],
    /// Whether some of the groups roll on wheels.
    pub(in crate::crowd) wheels: bool,
    /// What is computed with.
    pub(in crate::crowd) chosen: SimdDispatch,
    /// What is around everybody; who looks, and whom it sees, is filled in for each.
    pub(in crate::crowd) context: SteerContext<'a, V>,
}

impl<V: Vector> Agents<V> for World<'_, V> {
    fn nearest(&self, group: usize, to: V, within: f32, except: u32) -> Option<AgentView<V>> {
        let group = self.groups.get(group)?;
        debug_assert!(group.sought, "{} is looked for, and nobody said so", group.name);
        let i = nearest_member::nearest(&group.members, &self.context.space, to, within, except)?;
        Some(AgentView {
            id: self.now.id[i],
            position: self.context.space.image(to, self.now.position.get(i)),
            velocity: self.now.velocity.get(i),
            heading: self.now.heading.get(i),
            facing: self.now.agent(i).facing,
        })
    }
}

impl<V: Vector> World<'_, V> {
    /// Where agent `i` is bound for, if its group has goals.
    pub(in crate::crowd) fn goal(&self, i: usize) -> Option<V> {
        let group = self.now.group[i] as usize;
        spawn::goal(
            self.context.rng_key.seed(),
            self.now.id[i],
            &self.setup[group],
            self.groups[group].first,
        )
    }

    /// What the members of `group` share, of whom one has these marks.
    pub(in crate::crowd) fn shared<'s>(
        &'s self,
        group: &'s CompiledGroup<V>,
        marks: &[RememberedPosition<V>],
    ) -> Shared<'s, V> {
        let last_seen = group.last_seen(marks, self.context.rng_key.tick(), self.dt);
        Shared { fields: self.fields, explored: &group.explored, last_seen, members: group.count }
    }
}

impl<V: Vector> Crowd<V> {
    /// All that a step reads.
    pub(in crate::crowd) fn world(&self) -> World<'_, V> {
        let context = SteerContext {
            time: self.time(),
            rng_key: RngKey::new(self.seed, self.tick),
            pointer: self.pointer(),
            space: self.space,
            obstacles: Obstacles::indexed(&self.obstacles, &self.obstacle_tree),
            paths: &self.paths,
            ..SteerContext::empty(self.dt as f32)
        };
        World {
            now: &self.now,
            groups: &self.groups,
            setup: &self.setup.groups,
            grid: self.cell_width.is_some().then_some(&self.grid),
            dt: self.dt,
            speed: self.speed,
            reach: self.part.map_or_else(|| self.reach(), |part| part.reach),
            moved: self.moved,
            fields: &self.fields,
            wheels: self.groups.iter().any(|group| group.turning_radius.is_some()),
            chosen: self.chosen,
            context,
        }
    }
}
