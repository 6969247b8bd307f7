//! The manager, with a type of its own and with `Agent`.

use super::*;
use crate::annotation::DebugDraw;
use crate::behavior::testing::{assert_near, neighbors_at};
use crate::behavior::{
    Alignment, AvoidAgents, AvoidObstacles, Cohesion, Flock, FollowLeader, FollowPath,
    FollowVehicle, Herd, LineSide, Prediction, QueueAlong, Roam, Separation, Settle, SocialForce,
    Steer, Wander, alignment, arrive, avoid_agents, avoid_obstacles, cohesion, contain, cross_line,
    evade, explore, flock, follow_flow, follow_leader, follow_path, follow_vehicle, follow_wall,
    forage, formation, herd, hide, interpose, match_velocity, offset_pursue, pursue, queue_along,
    roam, separation, settle, shadow, social_force,
};
use crate::context::{AgentView, SteerContext};
use crate::geometry::explored::Explored;
use crate::geometry::flow_field::FlowField;
use crate::geometry::obstacle::{Obstacle, Obstacles, Shape};
use crate::geometry::path::Path;
use crate::id::AgentId;
use crate::parameter::{Auto, Groups, PathId};
use crate::registry::Behavior;
use crate::solve::Queue;
use crate::spatial::neighbors::Neighbors;
use crate::spatial::space::Space;
use glam::{Vec2, Vec3, vec2, vec3};

mod invalid;
mod lists;
mod physics;

/// A user's type with field names of its own, which keeps no heading.
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
fn behaviors_are_added_and_an_update_moves_the_host_and_empties_the_sum() {
    let (mut boat, mut steering, mut memory) = (boat(), Steering::new(0), Memory::default());
    // seek (6, 8) - (0, 1), the same fled from, and (4, 0): the sum is (4, -2).
    steering.seek(&boat, vec2(4.0, 6.0)).flee(&boat, vec2(4.0, 6.0), 9.0).add(vec2(4.0, 0.0));
    assert_near(steering.sum(), vec2(4.0, -2.0));
    // v = (0, 1) + (4, -2) / 2 * 0.5 = (1, 0.5), and the host moves by half of it.
    steering.update(&mut boat, &mut memory, 0.5);
    assert_near(boat.velocity(), vec2(1.0, 0.5));
    assert_near(boat.position(), vec2(1.5, 2.25));
    assert_eq!(steering.sum(), Vec2::ZERO);
    steering.update(&mut boat, &mut memory, 1.0);
    assert_near(boat.position(), vec2(2.5, 2.75));
}

#[test]
fn a_reset_empties_the_sum_without_moving_the_host_or_ending_the_tick() {
    let mut steering = Steering::new(3);
    steering.add(vec2(6.0, 8.0));
    assert_near(steering.sum(), vec2(6.0, 8.0));
    steering.reset();
    assert_eq!(steering, Steering::new(3));
}

#[test]
fn a_queue_damps_the_velocity_that_the_step_starts_from() {
    let parameters = Queue::default().ahead(3.0).radius(2.5);
    let (mut steering, mut memory) = (Steering::new(0), Memory::default());
    let mut agent = Agent { mass: 2.0, ..Agent::new(Vec2::ZERO, 10.0).moving(vec2(0.0, 4.0)) };
    let neighbors = neighbors_at(&[(vec2(0.0, 2.0), Vec2::X, 0)]);
    steering.add(vec2(5.0, 0.0)).queue(&agent, &neighbors, &parameters, &memory, 1.0);
    // u = 0.3 * (0, 4), f = 0.2 * (5, 0) - u, v = u + f / 2.
    steering.update(&mut agent, &mut memory, 1.0);
    assert_near(agent.velocity, vec2(0.5, 0.6));
    // The next step starts from the velocity again.
    steering.update(&mut agent, &mut memory, 1.0);
    assert_near(agent.velocity, vec2(0.5, 0.6));
}

#[test]
fn one_context_serves_several_ticks() {
    let parameters = Queue::default().ahead(3.0).radius(2.5);
    let neighbors = neighbors_at(&[(vec2(0.0, 2.0), Vec2::X, 0)]);
    let mut context = SteerContext { neighbors: &neighbors, ..SteerContext::empty(1.0) };
    let (mut steering, mut memory) = (Steering::new(0), Memory::default());
    let mut agent = Agent { mass: 2.0, ..Agent::new(Vec2::ZERO, 10.0).moving(vec2(0.0, 4.0)) };
    steering.add(vec2(5.0, 0.0)).steer(
        &agent,
        &Behavior::from(parameters.clone()),
        &mut memory,
        &mut context,
    );
    steering.update(&mut agent, &mut memory, 1.0);
    assert_near(agent.velocity, vec2(0.5, 0.6));
    // The damping of the last tick does not affect a behavior that damps nothing.
    steering.steer(
        &agent,
        &Wander::default().circle_distance(0.0).circle_radius(0.0).angle_change(0.0),
        &mut memory,
        &mut context,
    );
    steering.update(&mut agent, &mut memory, 1.0);
    assert_near(agent.velocity, vec2(0.5, 0.6));
    // Nor does such a behavior undo the damping of this tick.
    let queue = |steering: &mut Steering<Vec2>, agent: &Agent<Vec2>, memory: &Memory<Vec2>| {
        let ahead = neighbors_at(&[(agent.heading * 2.0, Vec2::X, 0)]);
        steering.queue(agent, &ahead, &Queue { brake: None, ..parameters.clone() }, memory, 1.0);
    };
    queue(&mut steering, &agent, &memory);
    steering.steer(
        &agent,
        &Wander::default().circle_distance(0.0).circle_radius(0.0).angle_change(0.0),
        &mut memory,
        &mut SteerContext::empty(1.0),
    );
    steering.update(&mut agent, &mut memory, 1.0);
    assert_near(agent.velocity, vec2(0.15, 0.18));
}

#[test]
fn a_host_that_stopped_keeps_its_heading_for_behaviors_without_a_memory() {
    let parameters =
        Separation { field_of_view: 180.0, ..Separation::default().radius(5.0).max_force(1.0) };
    let (mut boat, mut steering, mut memory) = (boat(), Steering::new(0), Memory::default());
    steering.update(&mut boat, &mut memory, 1.0);
    boat.speed = (0.0, 0.0);
    // It faces +y: a neighbor behind does not count, one ahead does.
    let (behind, ahead) = (
        neighbors_at(&[(vec2(0.5, -2.0), Vec2::X, 0)]),
        neighbors_at(&[(vec2(0.0, 2.0), Vec2::X, 0)]),
    );
    assert_eq!(steering.separation(&boat, &behind, &parameters).sum(), Vec2::ZERO);
    assert_near(steering.separation(&boat, &ahead, &parameters).sum(), vec2(0.0, -1.0));
}

#[test]
fn the_memory_keeps_the_heading_of_a_host_that_stops() {
    let (mut boat, mut steering, mut memory) = (boat(), Steering::new(0), Memory::default());
    steering.update(&mut boat, &mut memory, 1.0);
    boat.speed = (0.0, 0.0);
    let ahead = Wander::default().circle_distance(3.0).circle_radius(0.0).angle_change(1.0);
    steering.wander(&boat, &ahead, &mut memory, 1.0);
    assert_near(steering.sum(), vec2(0.0, 3.0));
    steering.update(&mut boat, &mut memory, 1.0);
    boat.speed = (-1.0, 0.0);
    steering.wander(&boat, &ahead, &mut memory, 1.0);
    assert_near(steering.sum(), vec2(-3.0, 0.0));
}

#[test]
fn a_leader_that_stopped_is_seen_with_its_last_heading() {
    let mut leader = boat();
    let (mut steering, mut memory) = (Steering::new(0), Memory::default());
    steering.update(&mut leader, &mut memory, 1.0);
    leader.speed = (0.0, 0.0);
    assert_eq!((leader.heading(), memory.agent_with_heading(&leader).heading), (Vec2::X, Vec2::Y));
    let following = FollowLeader::new(0).behind(2.0).sight_radius(0.0).slowing_radius(0.0);
    let host = Agent::new(leader.position() - vec2(0.0, 9.0), 10.0);
    steering.follow_leader(
        &host,
        &memory.agent_with_heading(&leader),
        &Neighbors::none(),
        &following,
    );
    assert_eq!(steering.sum().x, 0.0);
}

#[test]
fn roaming_moves_on_to_another_point_after_its_time() {
    let area = Shape::box_between(vec2(-50.0, -50.0), vec2(50.0, 50.0));
    let parameters = Roam { area, every: Auto::Fixed(2.5), slowing_radius: 0.0 };
    let boat = boat();
    let mut steering = Steering::new(4);
    let forces: Vec<Vec2> = (0..6)
        .map(|tick| {
            let force = steering.roam(&boat, &parameters).sum();
            assert_eq!(force, roam(&boat, &parameters, 4, AgentId::NONE.0, 0, f64::from(tick)));
            // The trait sees the same time.
            let mut context = SteerContext::empty(1.0);
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
fn each_method_adds_the_behavior_of_its_name() {
    let host = Agent {
        max_force: 3.0,
        ..Agent::new(vec3(1.0, 2.0, 3.0), 5.0).moving(vec3(1.0, 0.0, -1.0))
    };
    let other = Agent::new(vec3(5.0, 4.0, 3.0), 5.0).moving(vec3(0.0, 2.0, 0.0));
    let neighbors =
        neighbors_at(&[(vec3(2.0, 1.0, 0.0), Vec3::Y, 0), (vec3(0.0, -1.0, 3.0), Vec3::Z, 0)]);
    let (point, view, of) = (vec3(9.0, 9.0, 9.0), 360.0, Groups::All);
    let apart = Separation {
        radius: Auto::Fixed(9.0),
        max_force: Auto::Fixed(2.0),
        falloff: None,
        of: of.clone(),
        field_of_view: view,
    };
    let align = Alignment::default().radius(9.0).of(of.clone()).field_of_view(view);
    let cohere = Cohesion::default().radius(9.0).of(of).field_of_view(view);
    let flocking = Flock::default().radius(9.0);
    let following = FollowLeader::new(0).behind(1.0).sight_radius(9.0).slowing_radius(0.0);
    let path = Path::new(vec![point, -point], 1.0, false);
    let walking = FollowPath::new(PathId(0));
    let waiting = QueueAlong::new(PathId(0)).spacing(0.5);
    let (dog, sheep) =
        (Herd::new(0, point).spacing(1.0), [vec3(4.0, 4.0, 3.0), vec3(5.0, 5.0, 5.0)]);
    let driving = FollowVehicle::new(PathId(0));
    let wind = FlowField::of_vectors(Vec3::ZERO, 9.0, 1, None, vec![Vec3::Y]).unwrap();
    let ball = [Obstacle::from(Shape::Circle { center: vec3(2.0, 2.5, 2.0), radius: 2.0 })];
    let avoiding = AvoidObstacles::default().see_ahead(9.0).max_avoid_force(4.0);
    let (by_distance, always) = (Prediction::ByDistance, f32::INFINITY);
    let mut memory = Memory::default();
    let (walk, avoid) = (
        Wander::default().circle_distance(1.0).circle_radius(1.0).angle_change(1.0),
        AvoidAgents { margin: 3.0, ..AvoidAgents::default().horizon(9.0).radius(9.0) },
    );
    let social = SocialForce { range: Some(2.0), ..SocialForce::default() };
    let door = [vec3(9.0, 0.0, 0.0), vec3(9.0, 9.0, 0.0)];
    let region = Shape::Circle { center: Vec3::ZERO, radius: 4.0 };
    let explored = Explored::new(&Shape::box_between(Vec3::ZERO, point), 1.0);
    let mut random = RngKey::new(5, 0).random(AgentId::NONE.0, 0);
    let found = [
        Steering::new(0).arrive(&host, point, 40.0).sum(),
        Steering::new(0).pursue(&host, &other).sum(),
        Steering::new(0).evade(&host, &other, 9.0).sum(),
        Steering::new(0).avoid_obstacles(&host, &ball, &avoiding).sum(),
        Steering::new(0).follow_path(&host, &path, &walking, &mut memory).sum(),
        Steering::new(0).follow_flow(&host, &wind, Obstacles::NONE).sum(),
        Steering::new(0).separation(&host, &neighbors, &apart).sum(),
        Steering::new(0).alignment(&host, &neighbors, &align).sum(),
        Steering::new(0).cohesion(&host, &neighbors, &cohere).sum(),
        Steering::new(0).flock(&host, &neighbors, &flocking).sum(),
        Steering::new(0).follow_leader(&host, &other, &neighbors, &following).sum(),
        Steering::new(0).offset_pursue(&host, &other, 1.0, 2.0, 3.0).sum(),
        Steering::new(0).interpose(&host, &other, &host, 3.0).sum(),
        Steering::new(0).herd(&host, &sheep, point, &dog).sum(),
        Steering::new(0).hide(&host, &other, &ball, 1.0, 3.0).sum(),
        Steering::new(0).shadow(&host, &other, 3.0, 4.0).sum(),
        Steering::new(0).match_velocity(&host, Vec3::Y).sum(),
        Steering::new(0).settle(&host, point, &neighbors, &Settle::new(point).radius(9.0)).sum(),
        Steering::new(0).formation(&host, &other, (1.0, 2.0), 3.0).sum(),
        Steering::new(0).explore(&host, &explored).sum(),
        Steering::new(5).forage(&host, None, 1.0, &walk, &mut Memory::default(), 1.0).sum(),
        Steering::new(0).forage(&host, Some(point), 9.0, &walk, &mut memory, 1.0).sum(),
        Steering::new(0).avoid_agents(&host, &neighbors, &avoid).sum(),
        Steering::new(0).follow_vehicle(&host, &neighbors, &path, &driving, 0.5).sum(),
        Steering::new(0).queue_along(&host, &path, &waiting, None, 2).sum(),
        Steering::new(0).social_force(&host, &neighbors, Obstacles::from(&ball), &social).sum(),
        Steering::new(0).follow_wall(&host, &ball, 1.0, 2.0, 99.0).sum(),
        Steering::new(0).contain(&host, &region, 9.0).sum(),
        Steering::new(0).cross_line(&host, door, LineSide::Right, 0.5).sum(),
    ];
    let expected = [
        arrive(&host, point, 40.0),
        pursue(&host, &AgentView::of(&other), by_distance, always),
        evade(&host, &AgentView::of(&other), 9.0, by_distance, always),
        avoid_obstacles(&host, &ball, &avoiding),
        follow_path(&host, &path, &walking, &mut memory.path),
        follow_flow(&host, &wind, Obstacles::NONE, 0.0, 0.0),
        separation(&host, &neighbors, &apart),
        alignment(&host, &neighbors, &align),
        cohesion(&host, &neighbors, &cohere),
        flock(&host, &neighbors, &flocking),
        follow_leader(&host, &AgentView::of(&other), &neighbors, &following),
        offset_pursue(&host, &AgentView::of(&other), 1.0, 2.0, 3.0),
        interpose(&host, &AgentView::of(&other), &AgentView::of(&host), 3.0),
        herd(&host, &sheep, point, &dog),
        hide(&host, &AgentView::of(&other), Obstacles::from(&ball), 1.0, 3.0),
        shadow(&host, &AgentView::of(&other), 3.0, 4.0),
        match_velocity(&host, Vec3::Y),
        settle(&host, point, &neighbors, &Settle::new(point).radius(9.0)),
        formation(&host, &AgentView::of(&other), (1.0, 2.0), 3.0),
        explore(&host, &explored),
        forage(&host, None, 1.0, &walk, &mut None, &mut random, 1.0),
        forage(&host, Some(point), 9.0, &walk, &mut None, &mut random, 1.0),
        avoid_agents(&host, &neighbors, &avoid),
        follow_vehicle(&host, &neighbors, &path, &driving, 0.5),
        queue_along(&host, &path, &waiting, None, 2),
        social_force(&host, &neighbors, (Obstacles::from(&ball), &Space::OPEN), &social),
        follow_wall(&host, Obstacles::from(&ball), 1.0, 2.0, 99.0),
        contain(&host, &region, 9.0),
        cross_line(&host, door, LineSide::Right, 0.5),
    ];
    assert_eq!(found, expected);
    assert!(expected.iter().all(|force| *force != Vec3::ZERO), "{expected:?}");
    assert_eq!(Steering::new(0).evade(&host, &other, 4.0).sum(), Vec3::ZERO);
}

/// Drifts with a current that grows with each call, plus the forces before it.
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
fn a_users_behavior_works_beside_the_built_in_ones() {
    let (mut boat, mut steering, mut memory) = (boat(), Steering::new(0), Memory::default());
    let drift = Behavior::Own("drift", alloc::sync::Arc::new(Drift(vec2(2.0, 0.0))));
    let mut context = SteerContext::empty(1.0);
    // (3, 0), then (2, 0) + (3, 0) - (0, 1).
    steering.add(vec2(3.0, 0.0)).steer(&boat, &drift, &mut memory, &mut context);
    assert_near(steering.sum(), vec2(8.0, -1.0));
    steering.update(&mut boat, &mut memory, 1.0);
    assert_near(boat.velocity(), vec2(4.0, 0.5));
    // With its memory: (4, 0) + (0, 0) - (4, 0.5).
    steering.steer(&boat, &drift, &mut memory, &mut context);
    assert_near(steering.sum(), vec2(0.0, -0.5));
}

#[test]
fn different_seeds_ticks_and_calls_draw_different_numbers() {
    let wander = Wander::default().circle_distance(0.0).circle_radius(1.0).angle_change(1.0);
    let boat = boat();
    let first =
        |seed| Steering::new(seed).wander(&boat, &wander, &mut Memory::default(), 1.0).sum();
    assert_eq!(first(1), first(1));
    assert_ne!(first(1), first(2));
    let mut steering = Steering::new(1);
    let (once, twice) =
        (steering.wander(&boat, &wander, &mut Memory::default(), 1.0).sum(), first(1));
    assert_eq!(once, twice);
    assert_ne!(steering.wander(&boat, &wander, &mut Memory::default(), 1.0).sum() - once, once);
    steering.update(&mut boat.clone(), &mut Memory::default(), 1.0);
    assert_ne!(steering.wander(&boat, &wander, &mut Memory::default(), 1.0).sum(), once);
}
