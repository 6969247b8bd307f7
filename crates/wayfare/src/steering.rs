//! [`Steering`], the manager in the tutorials' manner ("Movement Manager", 2013), for agents of the
//! user's own types.

use crate::agent::{Agent, Host, Memory, Steerable, facing, heading_after};
use crate::annotation::DebugDraw;
use crate::behavior::{
    Alignment, AvoidObstacles, Cohesion, Flock, FollowLeader, FollowPath, Prediction, Roam,
    Separation, Steer, Wander, alignment, arrive, avoid_obstacles, cohesion, evade, flee, flock,
    follow_flow, follow_leader, follow_path, pursue, roam, seek, separation, wander,
};
use crate::context::{AgentView, SteerContext};
use crate::geometry::flow_field::FlowField;
use crate::geometry::obstacle::{Obstacle, Obstacles};
use crate::geometry::path::Path;
use crate::random::{Random, RngKey};
use crate::solve::{Queue, queue};
use crate::spatial::neighbors::Neighbors;
use crate::vector::Vector;

/// Collects forces: call behaviors one after another, then [`update`](Self::update), and it is
/// empty again.
///
/// It belongs to one agent. What the agent's behaviors remember is in the [`Memory`] beside it.
///
/// ```
/// use wayfare::{glam::{vec2, Vec2}, Agent, Memory, Steering};
/// let mut guard = Agent { mass: 20.0, ..Agent::new(vec2(0.0, 0.0), 3.0) };
/// let (mut steering, mut memory) = (Steering::new(), Memory::default());
/// for _ in 0..600 {
///     steering.arrive(&guard, vec2(100.0, 50.0), 250.0);
///     steering.update(&mut guard, &mut memory, 1.0);
/// }
/// assert!((guard.position - vec2(100.0, 50.0)).length() < 0.1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steering<V> {
    sum: V,
    start: Option<V>,
    /// The heading after the last update, for behaviors that are called without a memory.
    heading: Option<V>,
    seed: u64,
    tick: u64,
    /// The time that all updates have covered (time).
    time: f64,
    draws: u32,
}

impl<V: Vector> Steering<V> {
    /// No force yet; random behaviors draw from seed 0.
    pub fn new() -> Self {
        Self::default()
    }

    /// No force yet; random behaviors follow from `seed`. Give each agent another.
    pub fn seeded(seed: u64) -> Self {
        Self { seed, ..Self::default() }
    }

    /// The sum of the forces so far (length / time), not truncated.
    pub fn sum(&self) -> V {
        self.sum
    }

    /// Adds a force (length / time): that of a behavior of your own, or a weighted one.
    pub fn add(&mut self, force: V) -> &mut Self {
        self.sum = (self.sum + force).held();
        self
    }

    /// Adds [`seek`](crate::behavior::seek()).
    pub fn seek(&mut self, host: &impl Host<V>, target: V) -> &mut Self {
        self.add(seek(host, target))
    }

    /// Adds [`flee`](crate::behavior::flee()).
    pub fn flee(&mut self, host: &impl Host<V>, target: V, panic_radius: f32) -> &mut Self {
        self.add(flee(host, target, panic_radius))
    }

    /// Adds [`arrive`](crate::behavior::arrive()).
    pub fn arrive(&mut self, host: &impl Host<V>, target: V, slowing_radius: f32) -> &mut Self {
        self.add(arrive(host, target, slowing_radius))
    }

    /// Adds [`pursue`](crate::behavior::pursue()) of `quarry`, predicted by distance.
    pub fn pursue(&mut self, host: &impl Host<V>, quarry: &impl Host<V>) -> &mut Self {
        self.add(pursue(host, &seen(quarry), Prediction::ByDistance, f32::INFINITY))
    }

    /// Adds [`evade`](crate::behavior::evade()) of `threat` within `panic_radius` (length),
    /// predicted by distance.
    pub fn evade(
        &mut self,
        host: &impl Host<V>,
        threat: &impl Host<V>,
        panic_radius: f32,
    ) -> &mut Self {
        self.add(evade(host, &seen(threat), panic_radius, Prediction::ByDistance, f32::INFINITY))
    }

    /// Adds [`wander`](crate::behavior::wander()) with a tick of `dt` (time).
    pub fn wander(
        &mut self,
        host: &impl Host<V>,
        parameters: &Wander,
        memory: &mut Memory<V>,
        dt: f32,
    ) -> &mut Self {
        let mut random = Random::new(self.seed, 0, self.tick, self.draws);
        self.draws += 1;
        let host = self.facing(host, memory.heading);
        self.add(wander(&host, parameters, &mut memory.wander, &mut random, dt))
    }

    /// Adds [`roam`](crate::behavior::roam()): a new random point every so often, by the time that
    /// the updates have covered.
    pub fn roam(&mut self, host: &impl Host<V>, parameters: &Roam<V>) -> &mut Self {
        let force = roam(host, parameters, self.seed, 0, self.draws, self.time);
        self.draws += 1;
        self.add(force)
    }

    /// Adds [`avoid_obstacles`](crate::behavior::avoid_obstacles()).
    pub fn avoid_obstacles<'a>(
        &mut self,
        host: &impl Host<V>,
        obstacles: impl IntoIterator<Item = &'a Obstacle<V>>,
        parameters: &AvoidObstacles,
    ) -> &mut Self {
        self.add(avoid_obstacles(&self.facing(host, None), obstacles, parameters))
    }

    /// Adds [`follow_path`](crate::behavior::follow_path()).
    pub fn follow_path(
        &mut self,
        host: &impl Host<V>,
        path: &Path<V>,
        parameters: &FollowPath,
        memory: &mut Memory<V>,
    ) -> &mut Self {
        self.add(follow_path(host, path, parameters, &mut memory.path))
    }

    /// Adds [`follow_flow`](crate::behavior::follow_flow()), by the field's direction where the
    /// host is.
    pub fn follow_flow(
        &mut self,
        host: &impl Host<V>,
        field: &FlowField<V>,
        obstacles: Obstacles<'_, V>,
    ) -> &mut Self {
        self.add(follow_flow(host, field, obstacles, 0.0, 0.0))
    }

    /// Adds [`separation`](crate::behavior::separation()).
    pub fn separation(
        &mut self,
        host: &impl Host<V>,
        neighbors: &Neighbors<V>,
        parameters: &Separation,
    ) -> &mut Self {
        self.add(separation(&self.facing(host, None), neighbors, parameters))
    }

    /// Adds [`alignment`](crate::behavior::alignment()).
    pub fn alignment(
        &mut self,
        host: &impl Host<V>,
        neighbors: &Neighbors<V>,
        parameters: &Alignment,
    ) -> &mut Self {
        self.add(alignment(&self.facing(host, None), neighbors, parameters))
    }

    /// Adds [`cohesion`](crate::behavior::cohesion()).
    pub fn cohesion(
        &mut self,
        host: &impl Host<V>,
        neighbors: &Neighbors<V>,
        parameters: &Cohesion,
    ) -> &mut Self {
        self.add(cohesion(&self.facing(host, None), neighbors, parameters))
    }

    /// Adds [`flock`](crate::behavior::flock()).
    pub fn flock(
        &mut self,
        host: &impl Host<V>,
        neighbors: &Neighbors<V>,
        parameters: &Flock,
    ) -> &mut Self {
        self.add(flock(&self.facing(host, None), neighbors, parameters))
    }

    /// Adds [`follow_leader`](crate::behavior::follow_leader()).
    ///
    /// A leader whose type keeps no heading faces +x when it stops; [`Memory::facing`] of its
    /// memory gives it as it was.
    pub fn follow_leader(
        &mut self,
        host: &impl Host<V>,
        leader: &impl Host<V>,
        neighbors: &Neighbors<V>,
        parameters: &FollowLeader,
    ) -> &mut Self {
        self.add(follow_leader(&self.facing(host, None), &seen(leader), neighbors, parameters))
    }

    /// Adds [`queue`](crate::solve::queue()), which brakes the sum so far: call it last. `dt` is
    /// the tick (time).
    pub fn queue(
        &mut self,
        host: &impl Host<V>,
        neighbors: &Neighbors<V>,
        parameters: &Queue,
        memory: &Memory<V>,
        dt: f32,
    ) -> &mut Self {
        let queueing =
            queue(&self.facing(host, memory.heading), self.sum, neighbors, parameters, dt);
        self.start = Some(queueing.start);
        self.add(queueing.force)
    }

    /// Adds any behavior, built in or your own, in `context`, whose sum, time and randomness become
    /// those of this manager.
    pub fn steer(
        &mut self,
        host: &impl Host<V>,
        behavior: &impl Steer<V>,
        memory: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
    ) -> &mut Self {
        let host = self.facing(host, memory.heading);
        (context.sum, context.rng_key, context.time, context.stream) =
            (self.sum, RngKey::new(self.seed, self.tick), self.time, self.draws);
        self.draws += 1;
        context.start = self.start;
        let force = behavior.force(&host, memory, context, DebugDraw::OFF);
        self.start = context.start;
        self.add(force)
    }

    /// The forces so far, truncated to the host's max_force (length / time): what a physics engine
    /// applies in place of `update`.
    pub fn force(&self, host: &impl Host<V>) -> V {
        self.sum.truncate(host.max_force())
    }

    /// Moves `host` by one tick of `dt` (time), and is empty again.
    ///
    /// The step is semi-implicit Euler, as in the crowd; with dt = 1 it is the tutorials' per-frame
    /// update.
    pub fn update(&mut self, host: &mut impl Steerable<V>, memory: &mut Memory<V>, dt: f32) {
        let agent = self.facing(host, memory.heading);
        let (position, velocity) =
            agent.step(self.sum, self.start.unwrap_or(agent.velocity), 1.0, dt);
        self.heading = Some(heading_after(agent.heading, velocity, agent.max_speed));
        memory.heading = self.heading;
        host.set_motion(position, velocity);
        self.tick += 1;
        self.time += f64::from(dt);
        self.reset();
    }

    /// Forgets the forces without moving anyone.
    pub fn reset(&mut self) {
        self.sum = V::ZERO;
        self.start = None;
        self.draws = 0;
    }

    /// The host with the heading that was kept for it while it hardly moves.
    fn facing(&self, host: &impl Host<V>, remembered: Option<V>) -> Agent<V> {
        facing(host, remembered.or(self.heading))
    }
}

fn seen<V: Vector>(host: &impl Host<V>) -> AgentView<V> {
    AgentView {
        id: u32::MAX,
        position: host.position(),
        velocity: host.velocity(),
        heading: host.heading(),
        facing: host.facing(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::Falloff;
    use crate::behavior::testing::{assert_near, company};
    use crate::parameter::{Groups, Parameters};
    use crate::registry::Behavior;
    use glam::{Vec2, Vec3, vec2, vec3};

    /// A user's own type, with its own names for things, that does not remember where it looked.
    #[derive(Clone, Debug, PartialEq)]
    struct Boat {
        at: (f32, f32),
        speed: (f32, f32),
        horsepower: f32,
    }

    impl Host<Vec2> for Boat {
        fn position(&self) -> Vec2 {
            vec2(self.at.0, self.at.1)
        }
        fn velocity(&self) -> Vec2 {
            vec2(self.speed.0, self.speed.1)
        }
        fn max_speed(&self) -> f32 {
            10.0
        }
        fn max_force(&self) -> f32 {
            self.horsepower
        }
        fn mass(&self) -> f32 {
            2.0
        }
    }

    impl Steerable<Vec2> for Boat {
        fn set_motion(&mut self, position: Vec2, velocity: Vec2) {
            (self.at, self.speed) = (position.into(), velocity.into());
        }
    }

    fn boat() -> Boat {
        Boat { at: (1.0, 2.0), speed: (0.0, 1.0), horsepower: f32::INFINITY }
    }

    #[test]
    fn behaviors_are_added_and_an_update_moves_and_empties() {
        let (mut boat, mut steering, mut memory) = (boat(), Steering::new(), Memory::default());
        // seek (6, 8) - (0, 1), the same fled from, and (4, 0): the sum is (4, -2).
        steering.seek(&boat, vec2(4.0, 6.0)).flee(&boat, vec2(4.0, 6.0), 9.0).add(vec2(4.0, 0.0));
        assert_near(steering.sum(), vec2(4.0, -2.0));
        // v = (0, 1) + (4, -2) / 2 * 0.5 = (1, 0.5), and half of it is walked.
        steering.update(&mut boat, &mut memory, 0.5);
        assert_near(boat.velocity(), vec2(1.0, 0.5));
        assert_near(boat.position(), vec2(1.5, 2.25));
        assert_eq!(steering.sum(), Vec2::ZERO);
        steering.update(&mut boat, &mut memory, 1.0);
        assert_near(boat.position(), vec2(2.5, 2.75));
    }

    #[test]
    fn the_force_is_truncated_and_a_reset_forgets_it_without_moving() {
        let (boat, mut steering) = (Boat { horsepower: 2.5, ..boat() }, Steering::new());
        steering.add(vec2(6.0, 8.0));
        assert_near(steering.force(&boat), vec2(1.5, 2.0));
        assert_near(steering.sum(), vec2(6.0, 8.0));
        steering.reset();
        assert_eq!((steering.force(&boat), steering), (Vec2::ZERO, Steering::new()));
    }

    #[test]
    fn a_queue_damps_the_velocity_that_the_step_starts_from() {
        let parameters =
            Queue { ahead: 3.0, radius: 2.5, ..<Queue as Parameters<Vec2>>::defaults() };
        let (mut steering, mut memory) = (Steering::new(), Memory::default());
        let mut agent = Agent { mass: 2.0, ..Agent::new(Vec2::ZERO, 10.0).moving(vec2(0.0, 4.0)) };
        let neighbors = company(&[(vec2(0.0, 2.0), Vec2::X, 0)]);
        steering.add(vec2(5.0, 0.0)).queue(&agent, &neighbors, &parameters, &memory, 1.0);
        // u = 0.3 * (0, 4), f = 0.2 * (5, 0) - u, v = u + f / 2.
        steering.update(&mut agent, &mut memory, 1.0);
        assert_near(agent.velocity, vec2(0.5, 0.6));
        // The next step starts from the velocity again.
        steering.update(&mut agent, &mut memory, 1.0);
        assert_near(agent.velocity, vec2(0.5, 0.6));
    }

    #[test]
    fn surroundings_may_serve_one_tick_after_another() {
        let parameters =
            Queue { ahead: 3.0, radius: 2.5, ..<Queue as Parameters<Vec2>>::defaults() };
        let neighbors = company(&[(vec2(0.0, 2.0), Vec2::X, 0)]);
        let mut context = SteerContext { neighbors: &neighbors, ..SteerContext::empty(1.0) };
        let (mut steering, mut memory) = (Steering::new(), Memory::default());
        let mut agent = Agent { mass: 2.0, ..Agent::new(Vec2::ZERO, 10.0).moving(vec2(0.0, 4.0)) };
        steering.add(vec2(5.0, 0.0)).steer(
            &agent,
            &Behavior::from(parameters.clone()),
            &mut memory,
            &mut context,
        );
        steering.update(&mut agent, &mut memory, 1.0);
        assert_near(agent.velocity, vec2(0.5, 0.6));
        // What was damped a tick ago does not count for a behavior that damps nothing.
        steering.steer(
            &agent,
            &Wander { circle_distance: 0.0, circle_radius: 0.0, angle_change: 0.0 },
            &mut memory,
            &mut context,
        );
        steering.update(&mut agent, &mut memory, 1.0);
        assert_near(agent.velocity, vec2(0.5, 0.6));
        // Nor does such a behavior undo the damping of this tick.
        let queue = |steering: &mut Steering<Vec2>, agent: &Agent<Vec2>, memory: &Memory<Vec2>| {
            let ahead = company(&[(agent.heading * 2.0, Vec2::X, 0)]);
            steering.queue(
                agent,
                &ahead,
                &Queue { brake: None, ..parameters.clone() },
                memory,
                1.0,
            );
        };
        queue(&mut steering, &agent, &memory);
        steering.steer(
            &agent,
            &Wander { circle_distance: 0.0, circle_radius: 0.0, angle_change: 0.0 },
            &mut memory,
            &mut SteerContext::empty(1.0),
        );
        steering.update(&mut agent, &mut memory, 1.0);
        assert_near(agent.velocity, vec2(0.15, 0.18));
    }

    #[test]
    fn a_host_that_stopped_still_faces_its_way_for_behaviors_without_a_memory() {
        let parameters = Separation {
            field_of_view: 180.0,
            radius: 5.0,
            max_force: 1.0,
            ..Separation::default()
        };
        let (mut boat, mut steering, mut memory) = (boat(), Steering::new(), Memory::default());
        steering.update(&mut boat, &mut memory, 1.0);
        boat.speed = (0.0, 0.0);
        // It faces +y: one behind it does not count, one ahead does.
        let (behind, ahead) =
            (company(&[(vec2(0.5, -2.0), Vec2::X, 0)]), company(&[(vec2(0.0, 2.0), Vec2::X, 0)]));
        assert_eq!(steering.separation(&boat, &behind, &parameters).sum(), Vec2::ZERO);
        assert_near(steering.separation(&boat, &ahead, &parameters).sum(), vec2(0.0, -1.0));
    }

    #[test]
    fn the_memory_keeps_the_heading_of_a_host_that_stops() {
        let (mut boat, mut steering, mut memory) = (boat(), Steering::new(), Memory::default());
        steering.update(&mut boat, &mut memory, 1.0);
        boat.speed = (0.0, 0.0);
        let ahead = Wander { circle_distance: 3.0, circle_radius: 0.0, angle_change: 1.0 };
        steering.wander(&boat, &ahead, &mut memory, 1.0);
        assert_near(steering.sum(), vec2(0.0, 3.0));
        steering.update(&mut boat, &mut memory, 1.0);
        boat.speed = (-1.0, 0.0);
        steering.wander(&boat, &ahead, &mut memory, 1.0);
        assert_near(steering.sum(), vec2(-3.0, 0.0));
    }

    #[test]
    fn a_leader_that_stopped_is_seen_as_it_last_faced() {
        let mut leader = boat();
        let (mut steering, mut memory) = (Steering::new(), Memory::default());
        steering.update(&mut leader, &mut memory, 1.0);
        leader.speed = (0.0, 0.0);
        assert_eq!((leader.heading(), memory.facing(&leader).heading), (Vec2::X, Vec2::Y));
        let following = FollowLeader {
            behind: 2.0,
            sight_radius: 0.0,
            ..<FollowLeader as Parameters<Vec2>>::defaults()
        };
        let host = Agent::new(leader.position() - vec2(0.0, 9.0), 10.0);
        steering.follow_leader(&host, &memory.facing(&leader), &Neighbors::none(), &following);
        assert_eq!(steering.sum().x, 0.0);
    }

    #[test]
    fn roaming_goes_on_to_another_point_when_its_time_is_over() {
        let area =
            crate::geometry::obstacle::Shape::box_between(vec2(-50.0, -50.0), vec2(50.0, 50.0));
        let parameters = Roam { area, every: 2.5, slowing_radius: 0.0 };
        let boat = boat();
        let mut steering = Steering::seeded(4);
        let forces: Vec<Vec2> = (0..6)
            .map(|tick| {
                let force = steering.roam(&boat, &parameters).sum();
                assert_eq!(force, roam(&boat, &parameters, 4, 0, 0, f64::from(tick)));
                // The trait knows the same time.
                let mut context = SteerContext { id: 0, ..SteerContext::empty(1.0) };
                steering.reset();
                assert_eq!(
                    steering.steer(&boat, &parameters, &mut Memory::default(), &mut context).sum(),
                    force
                );
                steering.update(&mut boat.clone(), &mut Memory::default(), 1.0);
                force
            })
            .collect();
        assert!(
            forces[0] == forces[2]
                && forces[2] != forces[3]
                && forces[3] == forces[4]
                && forces[4] != forces[5],
            "{forces:?}"
        );
    }

    #[test]
    fn numbers_that_are_none_from_types_and_behaviors_of_ones_own_move_nobody_out_of_the_world() {
        #[derive(Debug)]
        struct Broken;
        impl Steer<Vec2> for Broken {
            fn force(
                &self,
                _: &Agent<Vec2>,
                _: &mut Memory<Vec2>,
                _: &mut SteerContext<'_, Vec2>,
                _: DebugDraw<'_, Vec2>,
            ) -> Vec2 {
                vec2(f32::NAN, f32::INFINITY)
            }
        }
        let broken = Behavior::own("broken", Broken);
        let mut agent = Agent { mass: 0.0, max_speed: 0.0, ..Agent::new(Vec2::ZERO, 1.0) };
        let (mut steering, mut memory) = (Steering::new(), Memory::default());
        for _ in 0..3 {
            steering.seek(&agent, vec2(5.0, 0.0)).add(vec2(f32::NAN, 1.0)).steer(
                &agent,
                &broken,
                &mut memory,
                &mut SteerContext::empty(1.0),
            );
            steering.update(&mut agent, &mut memory, 1.0);
            assert!(
                agent.position.is_finite()
                    && agent.velocity.is_finite()
                    && agent.heading.is_finite(),
                "{agent:?}"
            );
        }
    }

    #[test]
    fn each_method_adds_the_behavior_of_its_name() {
        let host = Agent {
            max_force: 3.0,
            ..Agent::new(vec3(1.0, 2.0, 3.0), 5.0).moving(vec3(1.0, 0.0, -1.0))
        };
        let other = Agent::new(vec3(5.0, 4.0, 3.0), 5.0).moving(vec3(0.0, 2.0, 0.0));
        let near =
            company(&[(vec3(2.0, 1.0, 0.0), Vec3::Y, 0), (vec3(0.0, -1.0, 3.0), Vec3::Z, 0)]);
        let (point, view, of) = (vec3(9.0, 9.0, 9.0), 360.0, Groups::All);
        let apart = Separation {
            radius: 9.0,
            max_force: 2.0,
            falloff: Falloff::Fixed,
            of: of.clone(),
            field_of_view: view,
        };
        let align = Alignment { radius: 9.0, of: of.clone(), field_of_view: view };
        let cohere = Cohesion { radius: 9.0, of, field_of_view: view };
        let flocking = Flock { radius: 9.0, ..<Flock as Parameters<Vec3>>::defaults() };
        let mut following = <FollowLeader as Parameters<Vec3>>::defaults();
        (following.behind, following.sight_radius) = (1.0, 9.0);
        let path = Path::new(vec![point, -point], 1.0, false);
        let walking = <FollowPath as Parameters<Vec3>>::defaults();
        let wind = FlowField::of_vectors(Vec3::ZERO, 9.0, 1, None, vec![Vec3::Y]).unwrap();
        let ball = [Obstacle::from(crate::geometry::obstacle::Shape::Circle {
            center: vec3(2.0, 2.5, 2.0),
            radius: 2.0,
        })];
        let avoiding = AvoidObstacles {
            see_ahead: 9.0,
            max_avoid_force: 4.0,
            ..<AvoidObstacles as Parameters<Vec3>>::defaults()
        };
        let (by_distance, always) = (Prediction::ByDistance, f32::INFINITY);
        let mut memory = Memory::default();
        let found = [
            Steering::new().arrive(&host, point, 40.0).sum(),
            Steering::new().pursue(&host, &other).sum(),
            Steering::new().evade(&host, &other, 9.0).sum(),
            Steering::new().avoid_obstacles(&host, &ball, &avoiding).sum(),
            Steering::new().follow_path(&host, &path, &walking, &mut memory).sum(),
            Steering::new().follow_flow(&host, &wind, Obstacles::NONE).sum(),
            Steering::new().separation(&host, &near, &apart).sum(),
            Steering::new().alignment(&host, &near, &align).sum(),
            Steering::new().cohesion(&host, &near, &cohere).sum(),
            Steering::new().flock(&host, &near, &flocking).sum(),
            Steering::new().follow_leader(&host, &other, &near, &following).sum(),
        ];
        let expected = [
            arrive(&host, point, 40.0),
            pursue(&host, &seen(&other), by_distance, always),
            evade(&host, &seen(&other), 9.0, by_distance, always),
            avoid_obstacles(&host, &ball, &avoiding),
            follow_path(&host, &path, &walking, &mut memory.path),
            follow_flow(&host, &wind, Obstacles::NONE, 0.0, 0.0),
            separation(&host, &near, &apart),
            alignment(&host, &near, &align),
            cohesion(&host, &near, &cohere),
            flock(&host, &near, &flocking),
            follow_leader(&host, &seen(&other), &near, &following),
        ];
        assert_eq!(found, expected);
        assert!(expected.iter().all(|force| *force != Vec3::ZERO), "{expected:?}");
        assert_eq!(Steering::new().evade(&host, &other, 4.0).sum(), Vec3::ZERO);
    }

    /// Drifts with the current, and more so the more forces came before it.
    #[derive(Debug)]
    struct Drift(Vec2);

    impl Steer<Vec2> for Drift {
        fn force(
            &self,
            host: &Agent<Vec2>,
            memory: &mut Memory<Vec2>,
            context: &mut SteerContext<'_, Vec2>,
            _: DebugDraw<'_, Vec2>,
        ) -> Vec2 {
            memory.own[0] += 1.0;
            self.0 * memory.own[0] + context.sum - host.velocity
        }
    }

    #[test]
    fn a_behavior_of_ones_own_stands_beside_the_built_in_ones() {
        let (mut boat, mut steering, mut memory) = (boat(), Steering::new(), Memory::default());
        let drift = Behavior::Own("drift", std::sync::Arc::new(Drift(vec2(2.0, 0.0))));
        let mut context = SteerContext::empty(1.0);
        // (3, 0), then (2, 0) + (3, 0) - (0, 1).
        steering.add(vec2(3.0, 0.0)).steer(&boat, &drift, &mut memory, &mut context);
        assert_near(steering.sum(), vec2(8.0, -1.0));
        steering.update(&mut boat, &mut memory, 1.0);
        assert_near(boat.velocity(), vec2(4.0, 0.5));
        // It remembers: (4, 0) + (0, 0) - (4, 0.5).
        steering.steer(&boat, &drift, &mut memory, &mut context);
        assert_near(steering.sum(), vec2(0.0, -0.5));
    }

    #[test]
    fn wanderers_of_other_seeds_ticks_and_turns_draw_other_numbers() {
        let wander = Wander { circle_distance: 0.0, circle_radius: 1.0, angle_change: 1.0 };
        let boat = boat();
        let first =
            |seed| Steering::seeded(seed).wander(&boat, &wander, &mut Memory::default(), 1.0).sum();
        assert_eq!(first(1), first(1));
        assert_ne!(first(1), first(2));
        let mut steering = Steering::seeded(1);
        let (once, twice) =
            (steering.wander(&boat, &wander, &mut Memory::default(), 1.0).sum(), first(1));
        assert_eq!(once, twice);
        assert_ne!(steering.wander(&boat, &wander, &mut Memory::default(), 1.0).sum() - once, once);
        steering.update(&mut boat.clone(), &mut Memory::default(), 1.0);
        assert_ne!(steering.wander(&boat, &wander, &mut Memory::default(), 1.0).sum(), once);
    }
}
