//! Orca: optimal reciprocal collision avoidance of J. van den Berg, S. J. Guy, M. Lin and D.
//! Manocha ("Reciprocal n-body collision avoidance", Robotics Research, 2011), with the names of
//! parameters and the treatment of obstacles of the library RVO2.
//!
//! Each neighbor and each edge of an obstacle leaves a half plane of velocities that cause no
//! collision within a time horizon; the velocity nearest to the preferred one in all of them is
//! taken. Departures from RVO2: a body with a radius is an exact disc among obstacles, too; walls
//! of the bounds are obstacles without ends; the share of the avoidance that a host takes and a
//! margin can be set; the arithmetic has double precision.

mod neighbor;
mod obstacle;
mod program;

use arrayvec::ArrayVec;
use glam::DVec2;

use super::{Solution, Solve};
use crate::agent::{Agent, Host};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::geometry::obstacle::Obstacles;
use crate::parameter::{Kind, Range, Unit, parameters};
use crate::spatial::neighbors::{NEAREST, Neighbors};
use crate::spatial::space::Space;
use crate::vector::Vector;
use obstacle::MAX_EDGES;
use program::{HalfPlane, Program};

parameters! {
    /// Avoid collisions with agents that do the same: the velocity nearest to the preferred one
    /// that causes no collision within the time horizons, where each of two agents takes half of
    /// the avoidance. The last of its list, whose other entries say where to go: w = v + the sum
    /// of the forces before it is the preferred velocity.
    ///
    /// It sets the velocity of the step: `mass`, `max_force` and `drag` have no effect, and with
    /// `think_every` it is evaluated at every tick all the same. It needs a `radius` of the group
    /// above 0, and the plane. Lists combined by `sum`, `priority` or `context` can end in it. The
    /// names and defaults are those of the library RVO2 and of its example "Blocks", whose agents
    /// have a radius and a max_speed of 2.
    "orca" needs(BODIES) is(AVOIDS KEEPS_APART) = pub struct Orca {
        /// The distance between centers up to which neighbors count.
        neighbor_dist: f32 = 15.0, Kind::Number(Range::above_zero(Unit::Length));
        /// The number of neighbors that count: the nearest ones.
        max_neighbors: f32 = 10.0, Kind::Number(Range::new(0.0, NEAREST as f32, Unit::Count));
        /// The time in which the velocity causes no collision with neighbors. With a longer time
        /// agents turn aside earlier, and have fewer velocities to choose from.
        time_horizon: f32 = 5.0, Kind::Number(Range::above_zero(Unit::Time));
        /// The time in which the velocity causes no collision with obstacles: a host approaches
        /// a wall at the distance between body and wall divided by this time.
        time_horizon_obst: f32 = 5.0, Kind::Number(Range::above_zero(Unit::Time));
        /// The distance that is kept between bodies.
        margin: f32 = 0.0, Kind::Number(Range::from_zero(Unit::Length));
        /// The part of each avoidance of a neighbor that the host takes: a half among agents that
        /// all avoid each other, 1 among agents that do not avoid the host.
        share: f32 = 0.5, Kind::Number(Range::new(0.0, 1.0, Unit::None));
    }
}

/// The largest number of half planes: neighbors, edges, and walls of the bounds.
const MAX_PLANES: usize = NEAREST + MAX_EDGES + 4;

/// Half planes of velocities.
type HalfPlanes = ArrayVec<HalfPlane, MAX_PLANES>;

/// Avoids collisions with agents that do the same: the velocity of the step.
///
/// `sum` is the weighted sum of the preceding forces, not truncated (length / time): the preferred
/// velocity is `w = v + sum`, at most max_speed. The solution starts the step from the new velocity
/// and cancels the sum, so that neither mass nor max_force has an effect. The neighbors have to be
/// those within `neighbor_dist`, with radii; `dt` is the tick (time), in which bodies that overlap
/// part.
///
/// 1. The velocity obstacle of a neighbor at the offset x, with the sum R of both radii and
///    `margin`, and the time T = `time_horizon`, are the relative velocities that lead to a
///    distance below R within T: the cone of the disc (x, R), cut off by the disc (x / T, R / T).
///    With u from the relative velocity to the nearest point of its boundary, and n the outward
///    normal there, velocities w with `(w - (v + share * u)).n >= 0` are allowed. Bodies that
///    overlap take the disc of one tick.
/// 2. The velocity obstacle of an edge of an obstacle, grown by the body, with the time
///    `time_horizon_obst`: its tangent at the point nearest to v bounds the allowed velocities. A
///    body that touches an obstacle may not move closer. Each edge counts whose outer side the host
///    sees, at most the 64 nearest ones.
/// 3. The velocity of at most max_speed in all half planes that is nearest to the preferred one; if
///    there is none, the one that violates the half planes of neighbors the least, and none of the
///    obstacles'.
///
/// Neighbors count nearest first, ties by id. In space, the velocities on the ground are solved as
/// in the plane, and heights are ignored; a crowd in space refuses this solver.
pub fn orca<V: Vector>(
    host: &impl Host<V>,
    sum: V,
    neighbors: &Neighbors<V>,
    (obstacles, space): (Obstacles<'_, V>, &Space<V>),
    parameters: &Orca,
    dt: f32,
) -> Solution<V> {
    let host = &Agent::of(host);
    let walls = (obstacles, space);
    orca_annotated(host, sum, neighbors, walls, parameters, dt, DebugDraw::OFF)
}

/// [`orca()`] with debug annotations.
fn orca_annotated<V: Vector>(
    host: &Agent<V>,
    sum: V,
    neighbors: &Neighbors<V>,
    (obstacles, space): (Obstacles<'_, V>, &Space<V>),
    parameters: &Orca,
    dt: f32,
    debug: DebugDraw<'_, V>,
) -> Solution<V> {
    let up = space.up();
    let (preferred, top) = ((host.velocity + sum).truncate(host.max_speed), host.max_speed);
    let mut planes = HalfPlanes::new();
    let horizon = f64::from(parameters.time_horizon_obst);
    obstacle::add_planes(host, obstacles, space, horizon, &mut planes);
    let obstacle_planes = planes.len();
    neighbor::add_planes(host, neighbors, up, parameters, dt, &mut planes);

    let program = Program { planes: &planes, hard: obstacle_planes, top: f64::from(top) };
    let solved = program.nearest_velocity(up.ground(preferred).as_dvec2());
    let start = up.at_height_of(solved.as_vec2(), preferred).clamped().truncate(top);

    let at = |velocity: DVec2| host.position + up.from_ground::<V>(velocity.as_vec2());
    debug.segment("preferred", || (host.position, host.position + preferred));
    debug.segment("velocity", || (host.position, host.position + start));
    for (k, plane) in planes.iter().enumerate() {
        let name = if k < obstacle_planes { "obstacle bound" } else { "neighbor bound" };
        let [from, to] = [-1.0, 1.0].map(|along| plane.point + plane.direction * along);
        debug.segment(name, || (at(from), at(to)));
    }
    Solution { force: -sum, start }
}

impl<V: Vector> Solve<V> for Orca {
    fn solve(
        &self,
        host: &Agent<V>,
        sum: V,
        context: &SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> Solution<V> {
        let walls = (context.obstacles, &context.space);
        orca_annotated(host, sum, context.neighbors, walls, self, context.dt, debug)
    }
    fn neighbor_radius(&self) -> Option<f32> {
        Some(self.neighbor_dist)
    }
    fn decides_velocity(&self) -> bool {
        true
    }
    fn plans_contacts(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests;
