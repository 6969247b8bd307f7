//! The world of a crowd: what is around its agents, and the groups that they belong to.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::compiled::CompiledGroup;
use super::events::tracker::EventTracker;
use super::routes::Routes;
use super::setup::validate::Meshes;
use super::setup::{Navigation, Setup, Spawn, Track};
use super::source::SourceCount;
use super::structure::Structure;
use crate::geometry::flow_field::FlowField;
use crate::geometry::obstacle::{Obstacle, Obstacles, bvh_of};
use crate::geometry::path::Path;
use crate::id::SourceId;
use crate::spatial::bvh::Bvh;
use crate::spatial::space::{Edge, Space};
use crate::vector::Vector;

/// What is around the agents, and their groups.
#[derive(Clone, Debug)]
pub(super) struct World<V: Vector> {
    pub(super) space: Space<V>,
    /// The track of the pointer.
    pub(super) track: Option<Track<V>>,
    /// The position of the pointer, if `set_pointer` has set one (length).
    pub(super) pointer: Option<V>,
    pub(super) obstacles: Vec<Obstacle<V>>,
    pub(super) obstacle_bvh: Bvh<V>,
    pub(super) paths: Vec<Path<V>>,
    pub(super) fields: Vec<FlowField<V>>,
    /// The routes of agents, if a list has `navigate`.
    pub(super) routes: Option<Box<Routes<V>>>,
    pub(super) groups: Vec<CompiledGroup<V>>,
    /// Detects arrivals, crossings of lines and exits; keeps the events of the last tick.
    pub(super) tracker: EventTracker<V>,
    pub(super) sources: Vec<SourceCount<V>>,
}

impl<V: Vector> World<V> {
    /// The world of a valid setup with these ids, moved out of it, with `groups` and the meshes
    /// that its validation has made.
    pub(super) fn take(
        setup: &mut Setup<V>,
        structure: &Structure,
        groups: Vec<CompiledGroup<V>>,
        meshes: Meshes<V>,
    ) -> Self {
        let space = setup.space();
        let mut tracker = EventTracker::new(setup, structure, &space);
        let sources = core::mem::take(&mut setup.sources)
            .into_iter()
            .zip(&structure.sources.ids)
            .map(|(source, &id)| SourceCount::new(SourceId(id), source))
            .collect();
        for group in &mut setup.groups {
            if let Spawn::Points(points) = &mut group.spawn {
                *points = Vec::new();
            }
        }
        let paths: Vec<_> = setup
            .paths
            .iter_mut()
            .map(|(_, path)| core::mem::replace(path, Path::new(Vec::new(), 0.0, false)))
            .collect();
        let obstacles: Vec<_> = core::mem::take(&mut setup.obstacles)
            .into_iter()
            .map(|shape| Obstacle::in_space(shape, &space))
            .collect();
        let obstacle_bvh = bvh_of(&obstacles);
        let all = Obstacles::indexed(&obstacles, &obstacle_bvh);
        let fields = setup
            .fields
            .iter()
            .map(|(_, plan)| FlowField::checked(plan, all, setup.bounds.as_ref(), setup.up))
            .collect();
        tracker.prepare(&groups, &paths);
        let mut world = Self {
            space,
            track: setup.pointer.clone(),
            pointer: None,
            obstacle_bvh,
            obstacles,
            paths,
            fields,
            routes: meshes.map(Routes::with).map(Box::new),
            groups,
            tracker,
            sources,
        };
        world.find_routes(&setup.navigation);
        world.exclude_unreachable_cells();
        world
    }

    /// The obstacles with their index.
    pub(super) fn indexed_obstacles(&self) -> Obstacles<'_, V> {
        Obstacles::indexed(&self.obstacles, &self.obstacle_bvh)
    }

    /// The position of the pointer at `time`: the point that [`set_pointer`] has set, otherwise
    /// that of its track (length).
    ///
    /// [`set_pointer`]: crate::Crowd::set_pointer
    pub(super) fn pointer_at(&self, time: f64) -> Option<V> {
        self.pointer.or_else(|| self.track.as_ref().map(|track| track.at(time)))
    }

    /// Makes or drops the routes of agents, after the groups have changed.
    pub(super) fn find_routes(&mut self, navigation: &Navigation) {
        if !self.groups.iter().any(|group| group.navigates) {
            self.routes = None;
        } else if self.routes.is_none() {
            self.routes = Routes::new(&self.obstacles, &self.space, navigation).map(Box::new);
        }
    }

    /// Updates the data derived from the obstacles: index, flow fields, explored grids. `changed`
    /// holds the bounding boxes of added and removed obstacles, and the old and new boxes of moved
    /// ones.
    pub(super) fn index_obstacles(&mut self, changed: &[(V, V)]) {
        self.obstacle_bvh = bvh_of(&self.obstacles);
        self.routes.iter_mut().for_each(|routes| routes.outdate());
        let obstacles = Obstacles::indexed(&self.obstacles, &self.obstacle_bvh);
        self.fields.iter_mut().for_each(|field| {
            field.repair(obstacles, changed);
        });
        self.exclude_unreachable_cells();
    }

    /// Excludes the cells that no agent can reach from what groups explore.
    pub(super) fn exclude_unreachable_cells(&mut self) {
        let Self { groups, space, obstacles, obstacle_bvh, .. } = self;
        let obstacles = Obstacles::indexed(obstacles, obstacle_bvh);
        for (_, explored) in groups.iter_mut().flat_map(|group| &mut group.explored) {
            let center = explored.center();
            explored.exclude(|middle| {
                is_out(space, center, middle) || obstacles.nearest(space, middle, 0.0).is_some()
            });
        }
    }
}

/// Whether a cell is outside a world with walls, or in a wrapped world is the same region as
/// another cell of its area, because the area is larger than the world.
fn is_out<V: Vector>(space: &Space<V>, center: V, middle: V) -> bool {
    let min = space.min();
    (0..V::DIMENSION).any(|i| match space.edge() {
        Edge::Open => false,
        Edge::Wall | Edge::Bounce => {
            !(min.axis(i)..=min.axis(i) + space.size().axis(i)).contains(&middle.axis(i))
        }
        Edge::Wrap => (middle - center).axis(i).abs() > 0.5 * space.size().axis(i),
    })
}
