//! The methods of [`Steering`] for the single behaviors.

use super::{Steering, checked_dt};
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::behavior::{
    Alignment, AvoidAgents, AvoidObstacles, Cohesion, Flock, FollowLeader, FollowPath,
    FollowVehicle, Herd, LineSide, Prediction, QueueAlong, Roam, Separation, Settle, SocialForce,
    Steer, Wander, alignment, arrive, avoid_agents, avoid_obstacles, cohesion, contain, cross_line,
    evade, explore, face, flee, flock, follow_flow, follow_leader, follow_path, follow_vehicle,
    follow_wall, forage, formation, herd, hide, interpose, look_where_going, match_heading,
    match_velocity, navigate, offset_pursue, pursue, queue_along, roam, seek, separation, settle,
    shadow, social_force, stop, wander,
};
use crate::context::{AgentView, SteerContext};
use crate::geometry::explored::Explored;
use crate::geometry::flow_field::FlowField;
use crate::geometry::obstacle::{Obstacle, Obstacles, Shape};
use crate::geometry::path::Path;
use crate::id::AgentId;
use crate::solve::{Orca, Pedestrian, Queue, Solution, orca, pedestrian, queue};
use crate::spatial::neighbors::Neighbors;
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The behaviors. Distances are lengths; `host` is the agent of this manager.
///
/// Their methods take z as up. For another axis call [`steer`](Self::steer) with a context whose
/// space has that axis.
impl<V: Vector> Steering<V> {
    /// Adds [`seek`](crate::behavior::seek()).
    pub fn seek(&mut self, host: &impl Host<V>, target: V) -> &mut Self {
        self.entry(|_| seek(host, target))
    }

    /// Adds [`flee`](crate::behavior::flee()).
    pub fn flee(&mut self, host: &impl Host<V>, target: V, panic_radius: f32) -> &mut Self {
        self.entry(|_| flee(host, target, panic_radius))
    }

    /// Adds [`arrive`](crate::behavior::arrive()).
    pub fn arrive(&mut self, host: &impl Host<V>, target: V, slowing_radius: f32) -> &mut Self {
        self.entry(|_| arrive(host, target, slowing_radius))
    }

    /// Adds [`pursue`](crate::behavior::pursue()) of `quarry`, predicted by distance.
    pub fn pursue(&mut self, host: &impl Host<V>, quarry: &impl Host<V>) -> &mut Self {
        self.entry(|_| pursue(host, &AgentView::of(quarry), Prediction::ByDistance, f32::INFINITY))
    }

    /// Adds [`evade`](crate::behavior::evade()) of `threat` within `panic_radius` (length),
    /// predicted by distance.
    pub fn evade(
        &mut self,
        host: &impl Host<V>,
        threat: &impl Host<V>,
        panic_radius: f32,
    ) -> &mut Self {
        self.entry(|_| {
            evade(host, &AgentView::of(threat), panic_radius, Prediction::ByDistance, f32::INFINITY)
        })
    }

    /// Adds [`stop`](crate::behavior::stop()).
    pub fn stop(&mut self, host: &impl Host<V>) -> &mut Self {
        self.entry(|_| stop(host))
    }

    /// Adds [`wander`](crate::behavior::wander()) with a tick of `dt` (time).
    pub fn wander(
        &mut self,
        host: &impl Host<V>,
        parameters: &Wander,
        memory: &mut Memory<V>,
        dt: f32,
    ) -> &mut Self {
        let (stream, dt) = (self.next_stream(), checked_dt(dt));
        self.entry(|s| {
            let host = s.agent_with_heading(host, memory.heading);
            let mut random = s.rng_key().random(AgentId::NONE.0, stream);
            wander(&host, parameters, &mut memory.wander, &mut random, dt)
        })
    }

    /// Adds [`roam`](crate::behavior::roam()): a new random point at regular intervals of the time
    /// that the updates have covered.
    pub fn roam(&mut self, host: &impl Host<V>, parameters: &Roam<V>) -> &mut Self {
        let stream = self.next_stream();
        self.entry(|s| roam(host, parameters, s.seed, AgentId::NONE.0, stream, s.time))
    }

    /// Adds [`avoid_obstacles`](crate::behavior::avoid_obstacles()).
    pub fn avoid_obstacles<'a>(
        &mut self,
        host: &impl Host<V>,
        obstacles: impl IntoIterator<Item = &'a Obstacle<V>>,
        parameters: &AvoidObstacles,
    ) -> &mut Self {
        self.entry(|s| avoid_obstacles(&s.agent_with_heading(host, None), obstacles, parameters))
    }

    /// Adds [`follow_path`](crate::behavior::follow_path()) of `path`; the id in `parameters`, such
    /// as `PathId(0)`, is not read.
    pub fn follow_path(
        &mut self,
        host: &impl Host<V>,
        path: &Path<V>,
        parameters: &FollowPath,
        memory: &mut Memory<V>,
    ) -> &mut Self {
        self.entry(|_| follow_path(host, path, parameters, &mut memory.path))
    }

    /// Adds [`follow_flow`](crate::behavior::follow_flow()), by the field's direction at the host's
    /// position.
    pub fn follow_flow<'a>(
        &mut self,
        host: &impl Host<V>,
        field: &FlowField<V>,
        obstacles: impl Into<Obstacles<'a, V>>,
    ) -> &mut Self {
        self.entry(|_| follow_flow(host, field, obstacles.into(), 0.0, 0.0))
    }

    /// Adds [`separation`](crate::behavior::separation()).
    pub fn separation(
        &mut self,
        host: &impl Host<V>,
        neighbors: &Neighbors<V>,
        parameters: &Separation,
    ) -> &mut Self {
        self.entry(|s| separation(&s.agent_with_heading(host, None), neighbors, parameters))
    }

    /// Adds [`alignment`](crate::behavior::alignment()).
    pub fn alignment(
        &mut self,
        host: &impl Host<V>,
        neighbors: &Neighbors<V>,
        parameters: &Alignment,
    ) -> &mut Self {
        self.entry(|s| alignment(&s.agent_with_heading(host, None), neighbors, parameters))
    }

    /// Adds [`cohesion`](crate::behavior::cohesion()).
    pub fn cohesion(
        &mut self,
        host: &impl Host<V>,
        neighbors: &Neighbors<V>,
        parameters: &Cohesion,
    ) -> &mut Self {
        self.entry(|s| cohesion(&s.agent_with_heading(host, None), neighbors, parameters))
    }

    /// Adds [`flock`](crate::behavior::flock()).
    pub fn flock(
        &mut self,
        host: &impl Host<V>,
        neighbors: &Neighbors<V>,
        parameters: &Flock,
    ) -> &mut Self {
        self.entry(|s| flock(&s.agent_with_heading(host, None), neighbors, parameters))
    }

    /// Adds [`follow_leader`](crate::behavior::follow_leader()).
    ///
    /// A leader whose type stores no heading faces +x at rest; pass the result of
    /// [`Memory::agent_with_heading`] to keep the leader's last heading.
    pub fn follow_leader(
        &mut self,
        host: &impl Host<V>,
        leader: &impl Host<V>,
        neighbors: &Neighbors<V>,
        parameters: &FollowLeader,
    ) -> &mut Self {
        self.entry(|s| {
            let host = s.agent_with_heading(host, None);
            follow_leader(&host, &AgentView::of(leader), neighbors, parameters)
        })
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
        let dt = checked_dt(dt);
        self.solved(host, memory, |host, sum| queue(host, sum, neighbors, parameters, dt))
    }

    /// Walks as [`pedestrian`](crate::solve::pedestrian()) does, among these obstacles: the sum so
    /// far says where to go, and the next velocity is decided, whatever the mass and max_force of
    /// the host are. Call it last, and not inside [`weighted`](Self::weighted) or
    /// [`priority`](Self::priority). `dt` is the tick (time).
    pub fn pedestrian(
        &mut self,
        host: &impl Host<V>,
        neighbors: &Neighbors<V>,
        obstacles: Obstacles<'_, V>,
        parameters: &Pedestrian,
        memory: &Memory<V>,
        dt: f32,
    ) -> &mut Self {
        let dt = checked_dt(dt);
        self.solved(host, memory, |host, sum| {
            pedestrian(host, sum, neighbors, (obstacles, &Space::OPEN), parameters, dt)
        })
    }

    /// Avoids collisions as [`orca`](crate::solve::orca()) does, also with these obstacles: the sum
    /// so far says where to go, and the next velocity is decided, whatever the mass and max_force
    /// of the host are. Call it last, and not inside [`weighted`](Self::weighted) or
    /// [`priority`](Self::priority). `dt` is the tick (time).
    pub fn orca(
        &mut self,
        host: &impl Host<V>,
        neighbors: &Neighbors<V>,
        obstacles: Obstacles<'_, V>,
        parameters: &Orca,
        memory: &Memory<V>,
        dt: f32,
    ) -> &mut Self {
        let dt = checked_dt(dt);
        self.solved(host, memory, |host, sum| {
            orca(host, sum, neighbors, (obstacles, &Space::OPEN), parameters, dt)
        })
    }

    /// Adds the solution of a solver for the sum so far.
    fn solved(
        &mut self,
        host: &impl Host<V>,
        memory: &Memory<V>,
        solve: impl FnOnce(&Agent<V>, V) -> Solution<V>,
    ) -> &mut Self {
        self.entry(|s| {
            let host = s.agent_with_heading(host, memory.heading);
            let solution = solve(&host, s.sum);
            s.start = Some(solution.start);
            solution.force
        })
    }

    /// Adds any behavior, built-in or user-defined, in `context`, whose sum, time and random
    /// numbers become those of this manager.
    pub fn steer(
        &mut self,
        host: &impl Host<V>,
        behavior: &impl Steer<V>,
        memory: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
    ) -> &mut Self {
        let stream = self.next_stream();
        context.dt = checked_dt(context.dt);
        self.entry(|s| {
            let host = s.agent_with_heading(host, memory.heading);
            (context.sum, context.rng_key, context.time, context.stream) =
                (s.sum, s.rng_key(), s.time, stream);
            (context.start, context.facing) = (s.start, s.next_facing);
            let force = behavior.force(&host, memory, context, DebugDraw::OFF);
            (s.start, s.next_facing) = (context.start, context.facing);
            force
        })
    }

    /// Adds [`navigate`](crate::behavior::navigate()) to the next `point` of a way of which the
    /// length `left` is left (lengths), such as an [`Aim`](crate::route::Aim).
    pub fn navigate(
        &mut self,
        host: &impl Host<V>,
        point: V,
        left: f32,
        slowing_radius: f32,
    ) -> &mut Self {
        self.entry(|_| navigate(host, point, left, slowing_radius))
    }

    /// Adds [`offset_pursue`](crate::behavior::offset_pursue()) of a slot `ahead` and `beside` of
    /// `quarry`.
    pub fn offset_pursue(
        &mut self,
        host: &impl Host<V>,
        quarry: &impl Host<V>,
        ahead: f32,
        beside: f32,
        slowing_radius: f32,
    ) -> &mut Self {
        self.entry(|_| offset_pursue(host, &AgentView::of(quarry), ahead, beside, slowing_radius))
    }

    /// Adds [`interpose`](crate::behavior::interpose()) between `a` and `b`.
    pub fn interpose(
        &mut self,
        host: &impl Host<V>,
        a: &impl Host<V>,
        b: &impl Host<V>,
        slowing_radius: f32,
    ) -> &mut Self {
        self.entry(|_| interpose(host, &AgentView::of(a), &AgentView::of(b), slowing_radius))
    }

    /// Adds [`herd`](crate::behavior::herd()) of a flock at these positions to `target`; the flock
    /// and the target in `parameters` are not read.
    pub fn herd(
        &mut self,
        host: &impl Host<V>,
        flock: &[V],
        target: V,
        parameters: &Herd<V>,
    ) -> &mut Self {
        self.entry(|_| herd(host, flock, target, parameters))
    }

    /// Adds [`hide`](crate::behavior::hide()) from `threat`, `margin` behind an obstacle.
    pub fn hide<'a>(
        &mut self,
        host: &impl Host<V>,
        threat: &impl Host<V>,
        obstacles: impl Into<Obstacles<'a, V>>,
        margin: f32,
        slowing_radius: f32,
    ) -> &mut Self {
        self.entry(|_| hide(host, &AgentView::of(threat), obstacles.into(), margin, slowing_radius))
    }

    /// Adds [`shadow`](crate::behavior::shadow()) of `quarry` up to `distance`.
    pub fn shadow(
        &mut self,
        host: &impl Host<V>,
        quarry: &impl Host<V>,
        distance: f32,
        slowing_radius: f32,
    ) -> &mut Self {
        self.entry(|_| shadow(host, &AgentView::of(quarry), distance, slowing_radius))
    }

    /// Adds [`match_velocity`](crate::behavior::match_velocity()) with `velocity` (length / time).
    pub fn match_velocity(&mut self, host: &impl Host<V>, velocity: V) -> &mut Self {
        self.entry(|_| match_velocity(host, velocity))
    }

    /// Adds [`settle`](crate::behavior::settle()) at `target`.
    pub fn settle(
        &mut self,
        host: &impl Host<V>,
        target: V,
        neighbors: &Neighbors<V>,
        parameters: &Settle<V>,
    ) -> &mut Self {
        self.entry(|_| settle(host, target, neighbors, parameters))
    }

    /// Adds [`formation`](crate::behavior::formation()): the slot `(ahead, beside)` of `leader`,
    /// such as one of [`formation_slot`](crate::behavior::formation_slot).
    pub fn formation(
        &mut self,
        host: &impl Host<V>,
        leader: &impl Host<V>,
        slot: (f32, f32),
        slowing_radius: f32,
    ) -> &mut Self {
        self.entry(|_| formation(host, &AgentView::of(leader), slot, slowing_radius))
    }

    /// Adds [`explore`](crate::behavior::explore()) of the cells that `explored` has not been told
    /// of; tell it the host's position at each tick by [`Explored::visit`].
    pub fn explore(&mut self, host: &impl Host<V>, explored: &Explored<V>) -> &mut Self {
        self.entry(|_| explore(host, explored))
    }

    /// Adds [`forage`](crate::behavior::forage()) for the target `in_sight`, with a tick of `dt`
    /// (time).
    pub fn forage(
        &mut self,
        host: &impl Host<V>,
        in_sight: Option<V>,
        slowing_radius: f32,
        parameters: &Wander,
        memory: &mut Memory<V>,
        dt: f32,
    ) -> &mut Self {
        let (stream, dt) = (self.next_stream(), checked_dt(dt));
        self.entry(|s| {
            let host = s.agent_with_heading(host, memory.heading);
            let mut random = s.rng_key().random(AgentId::NONE.0, stream);
            let direction = &mut memory.wander;
            forage(&host, in_sight, slowing_radius, parameters, direction, &mut random, dt)
        })
    }

    /// Adds [`follow_vehicle`](crate::behavior::follow_vehicle()) along `path` with a tick of `dt`
    /// (time); the id in `parameters`, such as `PathId(0)`, is not read.
    pub fn follow_vehicle(
        &mut self,
        host: &impl Host<V>,
        neighbors: &Neighbors<V>,
        path: &Path<V>,
        parameters: &FollowVehicle,
        dt: f32,
    ) -> &mut Self {
        let dt = checked_dt(dt);
        self.entry(|_| follow_vehicle(host, neighbors, path, parameters, dt))
    }

    /// Adds [`queue_along`](crate::behavior::queue_along()) `path`: the host has the place `place`,
    /// or walks to that behind the `standing` others; the id in `parameters`, such as `PathId(0)`,
    /// is not read.
    pub fn queue_along(
        &mut self,
        host: &impl Host<V>,
        path: &Path<V>,
        parameters: &QueueAlong,
        place: Option<u32>,
        standing: u32,
    ) -> &mut Self {
        self.entry(|_| queue_along(host, path, parameters, place, standing))
    }

    /// Adds [`avoid_agents`](crate::behavior::avoid_agents()).
    pub fn avoid_agents(
        &mut self,
        host: &impl Host<V>,
        neighbors: &Neighbors<V>,
        parameters: &AvoidAgents,
    ) -> &mut Self {
        self.entry(|s| avoid_agents(&s.agent_with_heading(host, None), neighbors, parameters))
    }

    /// Adds [`social_force`](crate::behavior::social_force()) of `neighbors` and of the surfaces of
    /// these obstacles.
    pub fn social_force(
        &mut self,
        host: &impl Host<V>,
        neighbors: &Neighbors<V>,
        obstacles: Obstacles<'_, V>,
        parameters: &SocialForce,
    ) -> &mut Self {
        self.entry(|s| {
            let host = s.agent_with_heading(host, None);
            social_force(&host, neighbors, (obstacles, &Space::OPEN), parameters)
        })
    }

    /// Adds [`follow_wall`](crate::behavior::follow_wall()) at `distance` from the walls at most
    /// `within` away; `lookahead` is a time.
    pub fn follow_wall<'a>(
        &mut self,
        host: &impl Host<V>,
        obstacles: impl Into<Obstacles<'a, V>>,
        distance: f32,
        lookahead: f32,
        within: f32,
    ) -> &mut Self {
        self.entry(|s| {
            let host = s.agent_with_heading(host, None);
            follow_wall(&host, obstacles.into(), distance, lookahead, within)
        })
    }

    /// Adds [`cross_line`](crate::behavior::cross_line()) over the line between two points to the
    /// side `to`, at least `margin` (length) and the radius of the body from its ends.
    pub fn cross_line(
        &mut self,
        host: &impl Host<V>,
        line: [V; 2],
        to: LineSide,
        margin: f32,
    ) -> &mut Self {
        self.entry(|_| cross_line(host, line, to, margin))
    }

    /// Adds [`contain`](crate::behavior::contain()) in `region`; `lookahead` is a time.
    pub fn contain(&mut self, host: &impl Host<V>, region: &Shape<V>, lookahead: f32) -> &mut Self {
        self.entry(|_| contain(host, region, lookahead))
    }

    /// Makes the host look at `target`; see [`facing`](Self::facing()).
    #[doc(alias = "look_at")]
    pub fn face(&mut self, host: &impl Host<V>, target: V) -> &mut Self {
        self.look(|_| face(host, target))
    }

    /// Makes the host look along its velocity from `least_speed` (length / time) on, and keep its
    /// facing below; see [`facing`](Self::facing()).
    pub fn look_where_going(&mut self, host: &impl Host<V>, least_speed: f32) -> &mut Self {
        self.look(|s| {
            let direction = look_where_going(host, least_speed);
            let facing = || s.agent_with_heading(host, None).facing;
            if direction == V::ZERO { facing() } else { direction }
        })
    }

    /// Makes the host look in the direction in which `quarry` looks; see
    /// [`facing`](Self::facing()).
    pub fn match_heading(&mut self, quarry: &impl Host<V>) -> &mut Self {
        self.look(|_| match_heading(&AgentView::of(quarry)))
    }

    fn look(&mut self, direction: impl FnOnce(&Self) -> V) -> &mut Self {
        self.entry(|s| {
            let direction = direction(s);
            if direction.unit() != V::ZERO {
                s.next_facing = Some(direction);
            }
            V::ZERO
        })
    }
}
