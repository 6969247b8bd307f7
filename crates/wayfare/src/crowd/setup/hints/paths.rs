//! Hints at paths that their followers do not fit: too narrow, or too near to obstacles.

use alloc::format;
use alloc::vec::Vec;

use super::hint_list::Hints;
use super::world::{HintWorld, active, is_avoiding, point, short};
use crate::crowd::setup::allowed::KeyPath;
use crate::crowd::setup::group::Group;
use crate::geometry::path::Path;
use crate::id::PathId;
use crate::parameter::{Roles, Value};
use crate::registry::Behavior;
use crate::vector::Vector;

/// The follower with the largest body of those that a test concerns, and its radius (length).
type Largest<'a, V> = Option<(&'a Group<V>, f32)>;

/// The followers of a path.
#[derive(Clone, Copy)]
struct Followers<'a, V: Vector> {
    /// Of those with `follow_path`.
    on_foot: Largest<'a, V>,
    /// Of those whose bodies keep clear of walls.
    clear: Largest<'a, V>,
    /// Of those that do not steer round obstacles, although walls stop them.
    straight: Largest<'a, V>,
}

/// Keeps the group with its radius, if it counts and is larger.
fn keep<'a, V: Vector>(largest: &mut Largest<'a, V>, own: (&'a Group<V>, f32), counts: bool) {
    if counts && largest.is_none_or(|(_, other)| own.1 > other) {
        *largest = Some(own);
    }
}

/// The path that a behavior follows.
fn path_of<V: Vector>(behavior: &Behavior<V>) -> Option<PathId> {
    match behavior.get("path") {
        Some(Value::Path(path)) if behavior.roles().has(Roles::FINDS_WAY) => Some(path),
        _ => None,
    }
}

impl Hints<'_> {
    pub(super) fn paths<V: Vector>(&mut self, world: &HintWorld<V>) {
        let none = Followers { on_foot: None, clear: None, straight: None };
        let mut all = alloc::vec![none; world.setup.paths.len()];
        for group in &world.setup.groups {
            let radius = group.largest_radius();
            let behaviors = active(group);
            let is_clear = world.keeps_bodies_clear(group);
            let is_straight = world.setup.bodies.solid && !behaviors.iter().any(|b| is_avoiding(b));
            for behavior in behaviors {
                let followers = path_of(behavior).and_then(|path| all.get_mut(path.0));
                let Some(followers) = followers else { continue };
                keep(
                    &mut followers.on_foot,
                    (group, radius),
                    matches!(behavior, Behavior::FollowPath(_)),
                );
                keep(&mut followers.clear, (group, radius), is_clear);
                keep(&mut followers.straight, (group, radius), is_straight);
            }
        }
        for ((name, path), followers) in world.setup.paths.iter().zip(all) {
            let key_path = KeyPath::default().key("path").key(name);
            if let Some((group, radius)) = followers.on_foot.filter(|(_, r)| *r > path.radius) {
                let message = format!(
                    "a radius of {} is less than that of a body of \"{}\", {}: the body is wider \
                     than the path",
                    short(path.radius),
                    group.name,
                    short(radius)
                );
                self.add(key_path.key("radius"), message, format!("{radius} or more"));
            }
            let points = key_path.key("points");
            let is_near = followers.clear.is_some_and(|(group, radius)| {
                self.blocked_points(world, &points, path, group, radius)
            });
            let is_near = is_near
                || followers.straight.is_some_and(|(group, radius)| {
                    self.blocked_pieces(world, &points, path, group, radius)
                });
            if let Some((group, radius)) = followers.clear
                && !is_near
            {
                self.door_of_path(world, &points, path, group, radius);
            }
        }
    }

    /// Points of the path that a body with this radius does not reach, as it would overlap an
    /// obstacle. Whether there are any.
    fn blocked_points<V: Vector>(
        &mut self,
        world: &HintWorld<V>,
        key_path: &KeyPath,
        path: &Path<V>,
        group: &Group<V>,
        radius: f32,
    ) -> bool {
        let nearest = |p: &V| {
            // Held at the surface, a body is this much away from the point at least.
            let (i, _, distance) = world.obstacles().nearest(&world.space, *p, radius)?;
            (radius - distance > path.radius * 1.001).then_some((*p, i, distance))
        };
        let found: Vec<_> = path.points().iter().filter_map(nearest).collect();
        let Some((p, i, distance)) = found.first() else { return false };
        let place = if *distance < 0.0 {
            format!("in obstacle[{i}]")
        } else {
            format!("{} from obstacle[{i}]", short(*distance))
        };
        let message = format!(
            "the path has {} that a body of \"{}\" does not reach, such as {}, {place}: its radius \
             is {}",
            if found.len() == 1 { "a point".into() } else { format!("{} points", found.len()) },
            group.name,
            point(*p),
            short(radius)
        );
        let better = format!("points at least {radius} from obstacles, or a larger path radius");
        self.add(key_path.clone(), message, better);
        true
    }

    /// The piece of the path that is nearest to an obstacle, if it is nearer than the radius of
    /// members that do not steer round obstacles. Whether there is one.
    fn blocked_pieces<V: Vector>(
        &mut self,
        world: &HintWorld<V>,
        key_path: &KeyPath,
        path: &Path<V>,
        group: &Group<V>,
        radius: f32,
    ) -> bool {
        let mut nearest: Option<(f32, usize, V, V)> = None;
        for (a, b) in path.pieces() {
            let (low, high) = (a.min(b).map(|x| x - radius), a.max(b).map(|x| x + radius));
            world.obstacles().near_in_order(&world.space, low, high, |i, obstacle| {
                // The image of the piece that is nearest to the obstacle.
                let from = world.space.image(obstacle.middle(), a);
                let to = from + (b - a);
                let touches = obstacle.distance(from) < radius * 0.999
                    || obstacle.cast_segment(from, to, radius * 0.999).is_some();
                if !touches {
                    return;
                }
                let distance = obstacle.distance(nearest_place(from, to, |p| obstacle.distance(p)));
                if nearest.is_none_or(|(least, ..)| distance < least) {
                    nearest = Some((distance, i, a, b));
                }
            });
        }
        let Some((distance, i, a, b)) = nearest else { return false };
        let place = if distance <= 0.0 {
            format!("leads through obstacle[{i}]")
        } else {
            format!("is {} from obstacle[{i}]", short(distance))
        };
        let message = format!(
            "the path {place} between {} and {}, the radius of \"{}\" is {}, and its members do \
             not steer round obstacles",
            point(a),
            point(b),
            group.name,
            short(radius)
        );
        let better = format!("a path at least {radius} from obstacles, or `avoid_obstacles`");
        self.add(key_path.clone(), message, better);
        true
    }
}

/// The place on the segment from `a` to `b` with the least distance: exact for convex shapes.
pub(super) fn nearest_place<V: Vector>(a: V, b: V, distance: impl Fn(V) -> f32) -> V {
    const SAMPLES: usize = 16;
    let at = |t: f32| a + (b - a) * t;
    let of = |t: f32| distance(at(t));
    let first = (of(0.0), 0);
    let (_, best) = (1..=SAMPLES)
        .map(|k| (of(k as f32 / SAMPLES as f32), k))
        .fold(first, |best, next| if next.0 < best.0 { next } else { best });
    let (mut low, mut high) = (
        best.saturating_sub(1) as f32 / SAMPLES as f32,
        (best + 1).min(SAMPLES) as f32 / SAMPLES as f32,
    );
    for _ in 0..24 {
        let third = (high - low) / 3.0;
        if of(low + third) <= of(high - third) { high -= third } else { low += third }
    }
    at((low + high) * 0.5)
}
