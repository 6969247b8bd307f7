//! What the members of a group draw by their ids: positions, limits, velocities and goals.

use super::crowd_setup::Setup;
use super::group::{Group, Spawn, StartVelocity, Stat};
use super::limit::{Limit, Limits};
use super::stream;
use crate::agent::Agent;
use crate::geometry::obstacle::Shape;
use crate::random::Random;
use crate::vector::{Up, Vector};

/// The start position (length) and the heading of a member.
#[derive(Clone, Copy)]
pub(crate) struct Place<V> {
    pub(crate) position: V,
    /// The direction in which it heads unless its group has one; zero for none.
    pub(crate) heading: V,
}

/// The first members of `group` with their ids, which count on from `first`; `places` has their
/// places where they do not follow from the ids.
pub(crate) fn members<'a, V: Vector>(
    setup: &'a Setup<V>,
    group: &'a Group<V>,
    first: u32,
    places: &'a [Place<V>],
) -> impl Iterator<Item = (u32, Agent<V>)> + 'a {
    let space = setup.space();
    let up = space.up();
    (0..group.count).map(move |k| {
        let id = first + k as u32;
        let (position, heading) = match places.get(k) {
            Some(place) => (place.position, Some(place.heading)),
            None => {
                let random = Random::new(setup.seed, id, 0, stream::POSITION);
                (spawn_position(&group.spawn, group.count, k, random, up), None)
            }
        };
        // Differences of positions rely on both being inside the bounds.
        let position = space.inside(position);
        (id, heading_for(setup.seed, id, group, (position, heading), up))
    })
}

/// A new member of `group` at `position`. Its limits and velocity depend on its id alone, not on
/// the tick at which it enters.
pub(crate) fn newcomer<V: Vector>(
    seed: u64,
    id: u32,
    group: &Group<V>,
    position: V,
    up: Up,
) -> Agent<V> {
    heading_for(seed, id, group, (position, None), up)
}

/// [`newcomer`], which heads along `heading` unless the group has a heading.
fn heading_for<V: Vector>(
    seed: u64,
    id: u32,
    group: &Group<V>,
    (position, heading): (V, Option<V>),
    up: Up,
) -> Agent<V> {
    let own = limits(seed, id, group, group.start.0);
    let agent = own.agent([position, V::ZERO, start_heading(group, heading)], None);
    let random = Random::new(seed, id, 0, stream::VELOCITY);
    agent.moving(velocity(group, agent.max_speed, random, up))
}

/// The unit direction of a member at rest.
fn start_heading<V: Vector>(group: &Group<V>, of_place: Option<V>) -> V {
    let heading = group.heading.or(of_place).unwrap_or(V::X);
    if heading == V::ZERO { V::X } else { heading.unit() }
}

/// The limits of agent `id` as a member of `group` in `state`.
pub(crate) fn limits<V: Vector>(seed: u64, id: u32, group: &Group<V>, state: usize) -> Limits {
    let random = |stream| Random::new(seed, id, 0, stream);
    let state = group.states.get(state);
    let draw = |limit: Limit, stream| {
        let of_state = state.and_then(|state| state.limit(limit));
        of_state.unwrap_or_else(|| group.limit(limit).draw(limit.range(), random(stream)))
    };
    Limits {
        mass: draw(Limit::Mass, stream::MASS),
        max_speed: draw(Limit::MaxSpeed, stream::MAX_SPEED),
        max_force: draw(Limit::MaxForce, stream::MAX_FORCE),
        radius: draw(Limit::Radius, stream::RADIUS),
    }
}

/// The position at which agent `id` enters from a source with this area (length).
pub(crate) fn inside<V: Vector>(seed: u64, id: u32, area: &Shape<V>, up: Up) -> V {
    area.random_point(&mut Random::new(seed, id, 0, stream::POSITION), up)
}

/// The same agent at a random position inside `area` at `tick`, with the start velocity of its
/// group, truncated to its max_speed.
pub(crate) fn respawned<V: Vector>(
    seed: u64,
    id: u32,
    tick: u64,
    group: &Group<V>,
    area: &Shape<V>,
    agent: &Agent<V>,
    up: Up,
) -> Agent<V> {
    let random = |stream| Random::new(seed, id, tick, stream);
    let fresh = Agent {
        position: area.random_point(&mut random(stream::POSITION), up),
        heading: start_heading(group, None),
        facing: start_heading(group, None),
        ..*agent
    };
    fresh.moving(
        velocity(group, agent.max_speed, random(stream::VELOCITY), up).truncate(agent.max_speed),
    )
}

fn velocity<V: Vector>(group: &Group<V>, max_speed: f32, mut random: Random, up: Up) -> V {
    match group.velocity {
        StartVelocity::Same(v) => v,
        StartVelocity::Random => up.from_z_up(V::random_unit(&mut random)) * max_speed,
    }
}

/// The goal of agent `id` of `group`, whose first member is `first` (length). It follows from the
/// id alone, so it is not stored.
pub(crate) fn goal<V: Vector>(
    seed: u64,
    id: u32,
    group: &Group<V>,
    first: u32,
    up: Up,
) -> Option<V> {
    // An empty list has no goal for any agent.
    let count = group.count.max(1);
    let goal = group
        .goal
        .as_ref()
        .filter(|goal| !matches!(goal, Spawn::Points(points) if points.is_empty()))?;
    Some(spawn_position(
        goal,
        count,
        // An agent that has changed its group may have a lower id than its first member.
        id.wrapping_sub(first) as usize % count,
        Random::new(seed, id, 0, stream::GOAL),
        up,
    ))
}

/// The `k`-th of `count` positions (length).
fn spawn_position<V: Vector>(
    spawn: &Spawn<V>,
    count: usize,
    k: usize,
    mut random: Random,
    up: Up,
) -> V {
    match spawn {
        Spawn::Inside(shape) | Spawn::Apart(shape) => shape.random_point(&mut random, up),
        // Only at the start, where `places` has the places.
        Spawn::Along(_) => V::ZERO,
        Spawn::Grid { origin, spacing, columns, rows } => {
            let (columns, rows) =
                (*columns as usize, if V::DIMENSION == 3 { *rows as usize } else { usize::MAX });
            let cell = [k % columns, (k / columns) % rows, k / columns / rows];
            // Rows fill the ground, layers lie above each other.
            *origin + up.swap_widths(V::from_fn(|i| cell[i] as f32 * spacing))
        }
        Spawn::Ring { center, radius, turn } => {
            let angle = f64::from(*turn) + core::f64::consts::TAU * k as f64 / count as f64;
            let out = [libm::cos(angle), libm::sin(angle), 0.0];
            *center + up.from_z_up(V::from_fn(|i| (out[i] * f64::from(*radius)) as f32))
        }
        Spawn::Points(points) => points[k],
    }
}

/// The first value of the stat with the index `s` of agent `id`.
pub(crate) fn start_of_stat(seed: u64, id: u32, s: usize, stat: &Stat) -> f32 {
    stat.start.draw(stat.range(), Random::new(seed, id, 0, stream::STATS.wrapping_sub(s as u32)))
}
