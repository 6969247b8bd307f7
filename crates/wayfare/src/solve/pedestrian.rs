//! Pedestrian: walking in a dense crowd, by metres and seconds. Three published models in one:
//! the speed by the free way ahead of A. Tordeux, M. Chraibi and A. Seyfried ("Collision-free speed
//! model for pedestrian dynamics", Traffic and Granular Flow '15, 2016), the side-step that reads
//! where neighbors will be of Q. Xu, M. Chraibi and A. Seyfried ("Anticipation in a velocity-based
//! model for pedestrian dynamics", Transportation Research C 133, 2021), and the choice of the
//! direction with the larger progress of M. Moussaïd, D. Helbing and G. Theraulaz ("How simple
//! rules determine pedestrian behavior and crowd disasters", PNAS 108, 2011).
//!
//! Departures from them: only approach is anticipated, not retreat; pedestrians who meet head on
//! pass on one side; a neighbor that is behind by both directions of motion blocks no way; going
//! straight is preferred where it leads farther than the side-step; on request, people walk off
//! walls beside them. The parameters are fitted to
//! measured flows through doors (T. Kretz, A. Grünebohm and M. Schreckenberg, 2006) and to measured
//! speeds at given densities (U. Weidmann, 1993).

mod formula;
mod walls;

use formula::Course;

use arrayvec::ArrayVec;

use super::{CellHost, Solution, Solve};
use crate::agent::{Agent, Host};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::geometry::obstacle::Obstacles;
use crate::parameter::{Kind, Range, Unit, parameters, words};
use crate::spatial::neighbors::Neighbors;
use crate::spatial::space::Space;
use crate::vector::Vector;

words! {
    /// A set of values for the parameters of [`Pedestrian`] that are left out.
    pub enum PedestrianPreset {
        /// Fitted to experiments: test persons who want to get through.
        Experiment = "experiment",
        /// The flows that building regulations count with (1.33 people per metre and second in
        /// IMO MSC.1/Circ.1533): `time_gap` is 1.7, and `follow` 0.3.
        Regulation = "regulation",
    }
}

parameters! {
    /// Walk in a dense crowd: round neighbors ahead, along walls, and as fast as the free way ahead
    /// allows. The last of its list, whose other entries say where to go: w = v + the sum of the
    /// forces before it is the preferred velocity.
    ///
    /// It sets the velocity of the step: `mass`, `max_force` and `drag` have no effect, and with
    /// `think_every` it is evaluated at every tick all the same. Lengths are metres and times
    /// seconds; in other units, all parameters with a unit have to be given. It needs a `radius`
    /// of the group above 0 (0.1756 fits the experiments), and the plane. Lists combined by `sum`,
    /// `priority` or `context` can end in it.
    "pedestrian" needs(BODIES) is(AVOIDS KEEPS_APART) = pub struct Pedestrian {
        /// The set of values for `time_gap` and `follow`, where those are left out.
        preset: PedestrianPreset = (PedestrianPreset::Experiment),
            Kind::Word(PedestrianPreset::WORDS);
        /// The distance between centers up to which neighbors count.
        sight: f32 = 2.5, Kind::Number(Range::above_zero(Unit::Length));
        /// The strength of the side-step: the tangent of the turn that one neighbor at touching
        /// distance, straight ahead and at rest, would cause is 1.5 times this number.
        repulsion: f32 = 1.112, Kind::Number(Range::new(0.0, 1e3, Unit::None));
        /// The gap to a neighbor over which the side-step falls to 37 %.
        range: f32 = 0.317, Kind::Number(Range::above_zero(Unit::Length));
        /// How far ahead in time the side-step sees the approach of neighbors.
        anticipation: f32 = 0.0986, Kind::Number(Range::from_zero(Unit::Time));
        /// What is added to the offset of each neighbor to the left of the way: with a positive
        /// number pedestrians keep to the right of neighbors straight ahead, with a negative number
        /// to the left.
        side_bias: f32 = 0.0887, Kind::Number(Range::any(Unit::Length));
        /// What is added besides for a neighbor that walks in the opposite direction, times the
        /// cosine of the angle to that; nothing from a right angle on.
        passing_bias: f32 = 0.3, Kind::Number(Range::any(Unit::Length));
        /// The offset to the side, as a part of the sum of both radii, from which on a neighbor
        /// causes the full side-step.
        softness: f32 = 0.5, Kind::Number(Range::above_zero(Unit::None));
        /// The largest tangent of the turn by the side-step.
        max_turn: f32 = 2.0, Kind::Number(Range::new(0.0, 1e3, Unit::None));
        /// The width of the bodies as they block the way of others, as a part of their diameter.
        width: f32 = 0.946, Kind::Number(Range::new(0.0, 1e3, Unit::None));
        /// The distance kept to the body ahead at rest.
        standoff: f32 = 0.14, Kind::Number(Range::from_zero(Unit::Length));
        /// The time in which the free way ahead is walked. Left out: 1.066, with the preset
        /// `"regulation"` 1.7.
        time_gap: Option<f32> = None, Kind::Number(Range::above_zero(Unit::Time));
        /// The part of the speed that is taken from the neighbor ahead instead of the free way.
        /// Left out: 0.656, with the preset `"regulation"` 0.3.
        follow: Option<f32> = None, Kind::Number(Range::new(0.0, 1.0, Unit::None));
        /// The least speed towards a neighbor that walks in the opposite direction: pedestrians
        /// that meet slip past each other slowly.
        squeeze: f32 = 0.0925, Kind::Number(Range::from_zero(Unit::Speed));
        /// The least speed behind a neighbor: it solves jams.
        creep: f32 = 0.0482, Kind::Number(Range::from_zero(Unit::Speed));
        /// The time in which the velocity follows.
        tau: f32 = 0.1695, Kind::Number(Range::above_zero(Unit::Time));
        /// The distance between body and wall over which the motion towards the wall fades out.
        wall_buffer: f32 = 0.12, Kind::Number(Range::above_zero(Unit::Length));
        /// The distance between body and wall below which people who walk along a wall turn away
        /// from it; with 0 they do not. The flows of the validation are matched with 0.
        wall_distance: f32 = 0.0, Kind::Number(Range::from_zero(Unit::Length));
    }
}

impl Pedestrian {
    /// The parameters of this preset.
    pub fn from_preset(preset: PedestrianPreset) -> Self {
        Self { preset, ..Self::default() }
    }

    /// The `time_gap` that is used: its own, or that of the preset (time).
    pub fn used_time_gap(&self) -> f32 {
        self.time_gap.unwrap_or(match self.preset {
            PedestrianPreset::Experiment => 1.066,
            PedestrianPreset::Regulation => 1.7,
        })
    }

    /// The `follow` that is used: its own, or that of the preset.
    pub fn used_follow(&self) -> f32 {
        self.follow.unwrap_or(match self.preset {
            PedestrianPreset::Experiment => 0.656,
            PedestrianPreset::Regulation => 0.3,
        })
    }
}

/// Below this fraction of max_speed, the preferred speed of a host that stands.
const STANDS: f32 = 1e-3;
/// The fraction of max_speed by which going straight has to lead farther than the side-step.
const STRAIGHT: f32 = 0.02;

/// The largest number of hosts that decide together: a cell as wide as the sight has about as many
/// people in a dense crowd, and their courses fit in the first-level cache.
const TOGETHER: usize = 32;

/// Walks in a dense crowd: the velocity of the step.
///
/// `sum` is the weighted sum of the preceding forces, not truncated (length / time): the preferred
/// velocity is `w = v + sum`, at most max_speed. The solution starts the step from the new velocity
/// and cancels the sum, so that neither mass nor max_force has an effect. The neighbors have to be
/// those within `sight`, with radii and top speeds; walls are the surfaces of the obstacles and, in
/// a space with walls, of its bounds.
///
/// With D the sum of both radii, x the offset to a neighbor, s its length and n = x / s, and e the
/// direction of w, which `wall_distance` turns away from walls beside it:
///
/// 1. Side-step: over the neighbors with `e.n >= 0`, the sum of
///    `-repulsion * exp(-ahead / range) * (3 - m) / 2 * clamp(y / (softness * D), -1, 1) * (e.n)^2`
///    turns e to its left by the angle of that tangent, at most `max_turn`. Here
///    `ahead = max(0, s - D - anticipation * closing speed)`, m is the cosine of the angle between
///    e and the neighbor's velocity, and y the neighbor's offset to the left after the time
///    `anticipation`, plus `side_bias` and `passing_bias * max(0, -m)`.
/// 2. Walls nearer than `wall_buffer` to the body take away the part of e towards them, the nearer
///    the more.
/// 3. Pace: the smallest over the neighbors ahead, whose strips of the width `width * D` block the
///    way, of `(1 - follow) * free way / time_gap + follow * v_j.e`, at least `squeeze` towards a
///    neighbor that walks in the opposite direction, and `creep`. A neighbor that is behind by the
///    directions of both does not count. Going straight is chosen where it leads farther by more
///    than 2 % of max_speed.
/// 4. The velocity approaches that direction and pace in the time `tau`.
///
/// Without neighbors and walls the velocity approaches w. With |w| below a thousandth of max_speed
/// the host stands. A neighbor at the same position counts as ahead in a direction that depends on
/// both ids alone, and does not slow the host down. In space, sides are those seen from above; a
/// crowd in space refuses this solver.
pub fn pedestrian<V: Vector>(
    host: &impl Host<V>,
    sum: V,
    neighbors: &Neighbors<V>,
    (obstacles, space): (Obstacles<'_, V>, &Space<V>),
    parameters: &Pedestrian,
    dt: f32,
) -> Solution<V> {
    let host = &Agent::of(host);
    let walls = (obstacles, space);
    pedestrian_annotated(host, sum, neighbors, walls, parameters, dt, DebugDraw::OFF)
}

/// [`pedestrian()`] with debug annotations.
fn pedestrian_annotated<V: Vector>(
    host: &Agent<V>,
    sum: V,
    neighbors: &Neighbors<V>,
    walls: (Obstacles<'_, V>, &Space<V>),
    parameters: &Pedestrian,
    dt: f32,
    debug: DebugDraw<'_, V>,
) -> Solution<V> {
    debug.segment("preferred", || (host.position, host.position + host.velocity + sum));
    let mut course = parameters.course(host, sum, walls);
    if let Some(course) = &mut course {
        course.side_step(host, neighbors, parameters);
        course.find_directions(host, walls, parameters);
        course.find_paces(host, neighbors, walls.1, parameters);
        debug.circle("sight", || (host.position, parameters.sight));
        let wanted = course.velocity(host, parameters);
        debug.segment("wanted", || (host.position, host.position + wanted));
    }
    let start = parameters.velocity_on(course.as_ref(), host, dt);
    Solution { force: -sum, start }
}

impl Pedestrian {
    /// The distance from the center of a body with this `radius` up to which walls count (lengths).
    #[inline(always)]
    fn reach_of_walls(&self, radius: f32) -> f32 {
        radius + self.wall_buffer.max(self.wall_distance)
    }

    /// The obstacles that may be walls for these hosts.
    #[inline(always)]
    fn walls_near<'a, V: Vector>(
        &self,
        hosts: &[CellHost<V>],
        (obstacles, space): (Obstacles<'a, V>, &Space<V>),
    ) -> Obstacles<'a, V> {
        let Some(CellHost { host: first, .. }) = hosts.first() else { return Obstacles::NONE };
        let (mut low, mut high) = (first.position, first.position);
        for CellHost { host, .. } in hosts {
            let reach = V::from_fn(|_| self.reach_of_walls(host.radius));
            (low, high) = (low.min(host.position - reach), high.max(host.position + reach));
        }
        obstacles.within(space, low, high)
    }

    /// Decides for at most [`TOGETHER`] hosts, each step of the formula for all of them before the
    /// next one: so the processor has independent work while it waits for roots and divisions.
    #[inline(always)]
    fn decide_together<V: Vector>(
        &self,
        hosts: &mut [CellHost<V>],
        neighbors: &mut Neighbors<V>,
        SteerContext { obstacles, space, dt, .. }: &SteerContext<'_, V>,
    ) {
        let walls = (self.walls_near(hosts, (*obstacles, space)), space);
        let mut courses = ArrayVec::<Option<Course<V>>, TOGETHER>::new();
        for CellHost { host, sum, .. } in hosts.iter() {
            courses.push(self.course(host, *sum, walls));
        }
        for (cell_host, course) in hosts.iter().zip(&mut courses) {
            let Some(course) = course else { continue };
            cell_host.select(neighbors);
            course.side_step(&cell_host.host, neighbors, self);
        }
        for (CellHost { host, .. }, course) in hosts.iter().zip(&mut courses) {
            let Some(course) = course else { continue };
            course.find_directions(host, walls, self);
        }
        for (cell_host, course) in hosts.iter().zip(&mut courses) {
            let Some(course) = course else { continue };
            cell_host.select(neighbors);
            course.find_paces(&cell_host.host, neighbors, space, self);
        }
        for (CellHost { host, start, .. }, course) in hosts.iter_mut().zip(&courses) {
            *start = self.velocity_on(course.as_ref(), host, *dt);
        }
    }

    /// The course from which `host` starts its decision; `None` for a host that stands. `sum` is
    /// that of [`pedestrian()`].
    #[inline(always)]
    fn course<V: Vector>(
        &self,
        host: &Agent<V>,
        sum: V,
        walls: (Obstacles<'_, V>, &Space<V>),
    ) -> Option<Course<V>> {
        let preferred = host.velocity + sum;
        let (top, speed) = (host.max_speed, preferred.length());
        if speed < STANDS * top {
            return None;
        }
        Some(Course::towards(host, preferred.unit(), speed.min(top), walls, self))
    }

    /// The velocity of `host` after a step towards the one that it wants (length / time).
    #[inline(always)]
    fn velocity_on<V: Vector>(&self, course: Option<&Course<V>>, host: &Agent<V>, dt: f32) -> V {
        let wanted = match course {
            Some(course) => course.velocity(host, self),
            None => V::ZERO,
        };
        let velocity = host.velocity;
        let share = dt / self.tau.max(dt);
        (velocity + (wanted - velocity) * share).clamped().truncate(host.max_speed)
    }
}

impl<V: Vector> Solve<V> for Pedestrian {
    fn solve(
        &self,
        host: &Agent<V>,
        sum: V,
        context: &SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> Solution<V> {
        let walls = (context.obstacles, &context.space);
        pedestrian_annotated(host, sum, context.neighbors, walls, self, context.dt, debug)
    }
    fn neighbor_radius(&self) -> Option<f32> {
        Some(self.sight)
    }
    fn decides_velocity(&self) -> bool {
        true
    }
    /// In space no crowd has this solver: the compiler leaves the code out.
    #[inline(always)]
    fn solves_cells(&self) -> bool {
        V::DIMENSION == 2
    }
    /// Inlined, as the caller is compiled for the widest instructions.
    #[inline(always)]
    fn solve_cell(
        &self,
        hosts: &mut [CellHost<V>],
        neighbors: &mut Neighbors<V>,
        context: &SteerContext<'_, V>,
    ) {
        if V::DIMENSION == 2 {
            for hosts in hosts.chunks_mut(TOGETHER) {
                self.decide_together(hosts, neighbors, context);
            }
        }
    }
}

#[cfg(test)]
mod tests;
