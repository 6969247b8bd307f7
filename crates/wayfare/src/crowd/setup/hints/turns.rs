//! Hints at members on wheels whose turning circle is too wide for a path.
//!
//! Members without wheels need no hint: a seek brakes a vehicle that would circle its target, so
//! that max_speed, mass and max_force bound no circle; turn_rate turns the facing alone.

use alloc::collections::BTreeSet;
use alloc::format;

use super::hint_list::Hints;
use super::world::{active, point, short};
use crate::behavior::{FollowPath, Tracking};
use crate::crowd::setup::allowed::KeyPath;
use crate::crowd::setup::crowd_setup::Setup;
use crate::crowd::setup::group::Group;
use crate::geometry::path::Path;
use crate::registry::Behavior;
use crate::vector::Vector;

impl Hints<'_> {
    /// Paths with corners that are too tight for the turning circle of a follower.
    pub(super) fn turns<V: Vector>(&mut self, setup: &Setup<V>) {
        for (i, group) in setup.groups.iter().enumerate() {
            let Some(circle) = group.turning_radius else { continue };
            let key_path = KeyPath::default().key("group").at(i).key("turning_radius");
            let mut seen = BTreeSet::new();
            for behavior in active(group) {
                let Behavior::FollowPath(follow) = behavior else { continue };
                let Some((name, path)) = setup.paths.get(follow.path.0) else { continue };
                if seen.insert((follow.path.0, follow.tracking as usize)) {
                    self.turn(&key_path, group, circle, follow, (name, path));
                }
            }
        }
    }

    fn turn<V: Vector>(
        &mut self,
        key_path: &KeyPath,
        group: &Group<V>,
        circle: f32,
        follow: &FollowPath,
        (name, path): (&str, &Path<V>),
    ) {
        let corner = corners(path).find_map(|[before, corner, after]| {
            let (is_tight, effect) = match follow.tracking {
                Tracking::Nodes => {
                    let misses = is_inside_circle([before, corner, after], circle, path.radius);
                    (misses, "it circles the next node and does not reach it")
                }
                Tracking::Corridor => {
                    let cut = cut_of([before, corner, after], circle);
                    (cut > path.radius * 1.001, "it leaves the corridor there")
                }
            };
            is_tight.then_some((corner, effect))
        });
        if let Some((corner, effect)) = corner {
            let message = format!(
                "a turning circle with a radius of {} is wide for the path \"{name}\" with a \
                 radius of {}: at its corner {} \"{}\" cannot turn in time, {effect}",
                short(circle),
                short(path.radius),
                point(corner),
                group.name
            );
            let better = "a smaller `turning_radius`, a path with wider bends, or a wider path";
            self.add(key_path.clone(), message, better);
        }
    }
}

/// The corners of a path, each with the point before it and the point after it. Points at the same
/// place are one.
fn corners<V: Vector>(path: &Path<V>) -> impl Iterator<Item = [V; 3]> + '_ {
    let n = path.points().len();
    let corners = if path.is_closed() && n > 2 { 0..n } else { 1..n.saturating_sub(1).max(1) };
    corners
        .map(move |i| {
            [path.points()[(i + n - 1) % n], path.points()[i], path.points()[(i + 1) % n]]
        })
        .filter(|[a, b, c]| a != b && b != c)
}

/// The distance by which a vehicle that turns on this circle cuts the corner, from the corner to
/// the arc that touches both of its legs (length): R (1 / cos(a / 2) - 1) for a turn by the angle
/// a; infinite for a turn back.
fn cut_of<V: Vector>([before, corner, after]: [V; 3], circle: f32) -> f32 {
    let cos = (corner - before).unit().dot((after - corner).unit()).clamp(-1.0, 1.0);
    let half = libm::sqrtf((1.0 + cos) * 0.5);
    if half > 0.0 { circle * (1.0 / half - 1.0) } else { f32::INFINITY }
}

/// Whether the node after the corner is inside the turning circle of a vehicle that comes straight
/// to the corner, and farther from the circle than the radius of the path: the vehicle circles it.
fn is_inside_circle<V: Vector>([before, corner, after]: [V; 3], circle: f32, radius: f32) -> bool {
    let (heading, next) = ((corner - before).unit(), after - corner);
    let ahead = next.dot(heading);
    let aside = (next - heading * ahead).length();
    let center = [ahead, aside - circle];
    libm::hypotf(center[0], center[1]) < (circle - radius) * 0.999
}
