//! The length of the shortest route round the obstacles.

use std::sync::Arc;

use wayfare::geometry::navmesh::NavMesh;
use wayfare::geometry::obstacle::{Obstacle, Shape};
use wayfare::glam::{Vec2, vec2};
use wayfare::spatial::space::{Bounds, Edge, Space};

use crate::line::distance;
use crate::world::{Flat, MeasuredWorld};

/// The distance from the obstacles, as a part of their extent: nearly none.
const CLEARANCE: f32 = 1e-4;

/// Finds the lengths of shortest routes; the mesh is made at the first search, and again when the
/// obstacles have changed.
#[derive(Debug, Default)]
pub(crate) struct ShortestRoutes {
    made: Option<(Arc<MeasuredWorld>, Option<NavMesh>)>,
}

impl ShortestRoutes {
    /// The length of the shortest route of a point (length); that of the straight route where there
    /// is no route, and in a wrapped world or in space.
    pub(crate) fn length(&mut self, world: &Arc<MeasuredWorld>, from: Flat, to: Flat) -> f64 {
        let straight = distance(from, to);
        if !self.made.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, world)) {
            self.made = Some((world.clone(), mesh(world)));
        }
        let Some((_, Some(mesh))) = &self.made else { return straight };
        let point = |p: Flat| vec2(p[0] as f32, p[1] as f32);
        let route = mesh.route(point(from), point(to));
        // Ends inside the clearance are moved out of it.
        route.map_or(straight, |route| f64::from(route.length).max(straight))
    }
}

/// The mesh of the obstacles; `None` where none are in the way, or routes are not found.
fn mesh(world: &MeasuredWorld) -> Option<NavMesh> {
    if world.wraps || world.dimension != 2 || world.walls.is_empty() {
        return None;
    }
    let corner = |p: &Flat| vec2(p[0] as f32, p[1] as f32);
    let obstacles: Vec<Obstacle<Vec2>> = { world.walls.iter() }
        .map(|wall| Shape::Polygon { points: wall.iter().map(corner).collect() }.into())
        .collect();
    let corners = || world.walls.iter().flatten().map(corner);
    let (low, high) = (corners().reduce(Vec2::min)?, corners().reduce(Vec2::max)?);
    let clearance = CLEARANCE * (high - low).max_element();
    let bounds = world.bounds.filter(|_| world.walled).map(|(min, max)| Bounds {
        min: corner(&[min[0], min[1]]),
        max: corner(&[max[0], max[1]]),
        edge: Edge::Wall,
    });
    NavMesh::new(&obstacles, &Space::new(bounds), clearance, clearance).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::crowd::Setup;

    #[test]
    fn the_shortest_way_goes_round_the_nearer_end_of_a_wall() {
        let length = |obstacles| {
            let world =
                Arc::new(MeasuredWorld::of(&Setup::<Vec2> { obstacles, ..Setup::default() }));
            ShortestRoutes::default().length(&world, [0.0, 0.0], [3.0, 0.0])
        };
        assert_eq!(length(Vec::new()), 3.0);
        let wall = Shape::box_between(vec2(1.0, -1.0), vec2(2.0, 3.0));
        let round = 1.0 + 2.0 * 2.0_f64.sqrt();
        assert!((length(vec![wall]) - round).abs() < 2e-3);
        let (from, to) = (vec2(1.5, -2.0), vec2(1.5, 9.0));
        let thin = Shape::Segment { from, to, thickness: 0.0 };
        assert!((length(vec![thin]) - 5.0).abs() < 5e-3);
    }
}
