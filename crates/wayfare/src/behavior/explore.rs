//! Explore: towards the least recently visited part of an area. Reynolds, GDC 1999, names the
//! behavior at "Wander" ("to exhaustively cover a region of space"); the grid is our addition.

use super::{Steer, seek};
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::geometry::explored::Explored;
use crate::geometry::obstacle::Shape;
use crate::parameter::{Auto, Kind, Range, SMALLEST, Unit, parameters};
use crate::spatial::space::Space;
use crate::vector::{Up, Vector};

/// The force that seeks the least recently visited cell (length / time), the nearest in a tie:
/// `seek` of its center.
///
/// Zero if there is no cell; exactly on the center of the cell the force is `-v`. Visits are
/// recorded by [`Explored::visit`], once per tick.
pub fn explore<V: Vector>(host: &impl Host<V>, explored: &Explored<V>) -> V {
    explore_in(&Space::default(), host, explored, DebugDraw::OFF)
}

fn explore_in<V: Vector>(
    space: &Space<V>,
    host: &impl Host<V>,
    explored: &Explored<V>,
    debug: DebugDraw<'_, V>,
) -> V {
    let p = host.position();
    let Some(target) = explored.target(space, p) else { return V::ZERO };
    debug.point("cell", || target);
    debug.segment("offset", || (p, target));
    seek(host, target)
}

parameters! {
    /// Towards the least recently visited part of an area: unit(center - p) * max_speed - v, for
    /// the center of the cell that was least recently visited by any member of the group, the
    /// nearest in a tie.
    ///
    /// The group keeps one grid with the time of the last visit to each cell. Cells whose centers
    /// are inside an obstacle, or outside of a world with walls, are left out.
    "explore" needs(EXPLORED) is(ROUTES FINDS_WAY) = pub struct Explore<V> {
        /// The area to explore.
        area: Shape<V> = required, Kind::Area;
        /// The largest width of a cell: about the distance that an agent sees. The area may have
        /// 1,000,000 cells. `"auto"` takes a sixteenth of the longest side of the area.
        cell: Auto = (Auto::Auto), Kind::NumberOr(Range::above_zero(Unit::Length), &["auto"]);
    }
}

impl<V: Vector> Explore<V> {
    /// The largest width of a cell (length).
    pub fn cell_width(&self) -> f32 {
        match self.cell {
            Auto::Fixed(width) => width,
            Auto::Auto => {
                let side = match &self.area {
                    // Not by the extent: far from the origin it is rounded, and may be zero.
                    Shape::Circle { radius, .. } => 2.0 * radius,
                    Shape::Box { half, .. } => {
                        2.0 * (0..V::DIMENSION).map(|axis| half.axis(axis)).fold(0.0, f32::max)
                    }
                    other => {
                        let (low, high) = other.extent(Up::Z);
                        (0..V::DIMENSION).map(|i| high.axis(i) - low.axis(i)).fold(0.0, f32::max)
                    }
                };
                (side / 16.0).max(SMALLEST)
            }
        }
    }
}

impl<V: Vector> Steer<V> for Explore<V> {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        context
            .explored()
            .map_or(V::ZERO, |explored| explore_in(&context.space, host, explored, debug))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::{assert_near, force_alone};
    use crate::context::Shared;
    use glam::{Vec2, vec2, vec3};

    #[test]
    fn the_host_seeks_the_center_of_the_least_recently_visited_cell() {
        let mut explored =
            Explored::new(&Shape::box_between(vec2(0.0, 0.0), vec2(20.0, 10.0)), 10.0);
        let host = Agent::new(vec2(2.0, 1.0), 5.0).moving(vec2(1.0, 1.0));
        // The offset is (3, 4), its length 5; after a visit to that cell the offset is (13, 4).
        assert_near(explore(&host, &explored), vec2(2.0, 3.0));
        explored.visit(&Space::OPEN, host.position, 0);
        assert_near(
            explore(&host, &explored),
            vec2(13.0, 4.0) * (5.0 / 185.0_f32.sqrt()) - vec2(1.0, 1.0),
        );
        explored.visit(&Space::OPEN, vec2(15.0, 5.0), 1);
        assert_near(explore(&host, &explored), vec2(2.0, 3.0));
        // On the center the host only brakes.
        assert_eq!(
            explore(&Agent { position: vec2(5.0, 5.0), ..host }, &explored),
            vec2(-1.0, -1.0)
        );
        let room =
            Explored::new(&Shape::box_between(vec3(0.0, 0.0, 0.0), vec3(10.0, 10.0, 10.0)), 10.0);
        assert_near(explore(&Agent::new(vec3(3.0, 9.0, 9.0), 6.0), &room), vec3(2.0, -4.0, -4.0));
    }

    #[test]
    fn without_a_grid_and_without_cells_there_is_no_force() {
        let host = Agent::new(vec2(2.0, 1.0), 5.0).moving(vec2(1.0, 1.0));
        let area = Shape::box_between(vec2(0.0, 0.0), vec2(20.0, 10.0));
        assert_eq!(
            force_alone(&Explore { area: area.clone(), cell: Auto::Fixed(10.0) }, &host),
            Vec2::ZERO
        );
        let mut none = Explored::new(&area, 10.0);
        none.exclude(|_| true);
        assert_eq!(explore(&host, &none), Vec2::ZERO);
        // The grid is found by the behavior's slot in the list.
        let grids = [(3, Explored::new(&area, 10.0)), (7, none)];
        let force = |stream| {
            let shared = Shared { explored: &grids, ..Shared::nothing() };
            let mut context =
                SteerContext { shared: Some(&shared), stream, ..SteerContext::empty(1.0) };
            Explore { area: area.clone(), cell: Auto::Fixed(10.0) }.force(
                &host,
                &mut Memory::default(),
                &mut context,
                DebugDraw::OFF,
            )
        };
        assert_near(force(3), vec2(2.0, 3.0));
        assert_eq!([force(7), force(1)], [Vec2::ZERO; 2]);
    }
}
