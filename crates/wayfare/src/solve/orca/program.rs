//! The linear program: the velocity nearest to the preferred one in a disc and in half planes, by
//! adding one half plane after the other (M. de Berg et al., "Computational Geometry", 2008,
//! chapter 4). Where there is none, the velocity with the least violation, which is a program of
//! the same kind in one more dimension.

use glam::DVec2;

use super::HalfPlanes;
#[cfg(not(feature = "std"))]
use crate::platform::Float;

/// Below this sine of the angle between them, two lines are parallel.
const PARALLEL: f64 = 1e-9;
/// A velocity beyond a line by this fraction of the top speed is on it: rounding.
const ON_LINE: f64 = 1e-12;

/// A half plane of velocities (length / time): those on the left of a line, and on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfPlane {
    /// A point of the line.
    pub(super) point: DVec2,
    /// The unit vector along the line.
    pub(super) direction: DVec2,
}

impl HalfPlane {
    /// The half plane from the line through `point` onwards in the direction of the unit vector
    /// `normal`.
    pub(super) fn beyond(point: DVec2, normal: DVec2) -> Self {
        Self { point, direction: DVec2::new(normal.y, -normal.x) }
    }

    /// The distance of `velocity` to the half plane (length / time); negative inside.
    #[inline(always)]
    pub(super) fn excess(&self, velocity: DVec2) -> f64 {
        self.direction.perp_dot(self.point - velocity)
    }
}

/// `v` with the length 1; `None` if it has no direction.
#[inline(always)]
pub(super) fn unit(v: DVec2) -> Option<DVec2> {
    let length = v.length_squared().sqrt();
    (length > 1e-30).then(|| v / length)
}

/// The objective of a search for a velocity (length / time).
#[derive(Clone, Copy)]
enum Aim {
    /// The velocity nearest to this one.
    Nearest(DVec2),
    /// The velocity farthest in the direction of this unit vector.
    Farthest(DVec2),
}

/// Half planes, and the disc of velocities up to the top speed.
#[derive(Clone, Copy)]
pub(super) struct Program<'a> {
    pub(super) planes: &'a [HalfPlane],
    /// The number of half planes that are never violated: the first ones. All contain the velocity
    /// zero.
    pub(super) hard: usize,
    /// The top speed (length / time).
    pub(super) top: f64,
}

impl Program<'_> {
    /// The velocity nearest to `preferred` in the disc and in all half planes; if there is none,
    /// the one in the hard half planes with the smallest of the largest violations of the others.
    pub(super) fn nearest_velocity(&self, preferred: DVec2) -> DVec2 {
        let slower = self.top / preferred.length_squared().sqrt().max(self.top);
        match self.solve(Aim::Nearest(preferred), preferred * slower) {
            Ok(velocity) => velocity,
            Err((failed, velocity)) => self.least_violation(failed, velocity),
        }
    }

    /// The velocity for `aim`, which is `start` without half planes. An error has the index of the
    /// first half plane that leaves no velocity, and the velocity for those before it.
    fn solve(&self, aim: Aim, start: DVec2) -> Result<DVec2, (usize, DVec2)> {
        let mut velocity = start;
        for (k, plane) in self.planes.iter().enumerate() {
            if plane.excess(velocity) > ON_LINE * self.top {
                velocity = self.on_line(k, aim).ok_or((k, velocity))?;
            }
        }
        Ok(velocity)
    }

    /// The velocity for `aim` on the line of the half plane `k`, in the disc and in the half planes
    /// before it.
    #[inline]
    fn on_line(&self, k: usize, aim: Aim) -> Option<DVec2> {
        let HalfPlane { point, direction } = self.planes[k];
        // The line is point + t * direction; `low` and `high` bound t.
        let middle = -point.dot(direction);
        let square = middle * middle + self.top * self.top - point.length_squared();
        if square < 0.0 {
            return None;
        }
        let half = square.sqrt();
        let (mut low, mut high) = (middle - half, middle + half);
        for other in &self.planes[..k] {
            let sine = direction.perp_dot(other.direction);
            let excess = other.excess(point);
            if sine.abs() <= PARALLEL {
                if excess > PARALLEL * self.top {
                    return None;
                }
                continue;
            }
            let crossing = -excess / sine;
            if sine > 0.0 {
                high = high.min(crossing);
            } else {
                low = low.max(crossing);
            }
            if low > high {
                return None;
            }
        }
        let t = match aim {
            Aim::Nearest(wanted) => direction.dot(wanted - point).max(low).min(high),
            Aim::Farthest(towards) if towards.dot(direction) > 0.0 => high,
            Aim::Farthest(_) => low,
        };
        Some(point + direction * t)
    }

    /// The velocity in the hard half planes that violates the others the least, where the half
    /// plane `failed` is the first without a common velocity with those before it, for which
    /// `velocity` is the best.
    #[inline(never)]
    fn least_violation(&self, failed: usize, velocity: DVec2) -> DVec2 {
        let mut velocity = velocity;
        let mut violation = 0.0;
        let mut lifted = HalfPlanes::new();
        for k in failed.max(self.hard)..self.planes.len() {
            let plane = self.planes[k];
            if plane.excess(velocity) <= violation {
                continue;
            }
            // Among the velocities where this half plane is violated the most, the violation is
            // least as far as possible in its normal direction.
            lifted.clear();
            lifted.extend(self.planes[..self.hard].iter().copied());
            lifted.extend(
                self.planes[self.hard..k].iter().filter_map(|other| less_violated(&plane, other)),
            );
            let program = Program { planes: &lifted, hard: self.hard, top: self.top };
            let inwards = plane.direction.perp();
            // By construction there is a velocity; rounding alone makes an error.
            if let Ok(found) = program.solve(Aim::Farthest(inwards), inwards * self.top) {
                velocity = found;
            }
            violation = plane.excess(velocity);
        }
        velocity
    }
}

/// The velocities at which `other` is violated at most as much as `plane`; `None` for all.
fn less_violated(plane: &HalfPlane, other: &HalfPlane) -> Option<HalfPlane> {
    let sine = plane.direction.perp_dot(other.direction);
    let point = if sine.abs() <= PARALLEL {
        if plane.direction.dot(other.direction) > 0.0 {
            return None;
        }
        (plane.point + other.point) * 0.5
    } else {
        plane.point - plane.direction * (other.excess(plane.point) / sine)
    };
    Some(HalfPlane { point, direction: unit(other.direction - plane.direction)? })
}
