//! [`Up`]: the axis of the world that points up.
//!
//! Formulas with an up (a turn to the left, the angle of a box) are written once, for a world with
//! z up. A world with y up is that world rotated by a quarter turn about x: the point (x, y, z) of
//! the world with z up is the point (x, z, -y) of the world with y up. Both are right-handed.

use core::fmt::Debug;

use glam::Vec2;

use super::Vector;

/// The axis that points up, in space. The plane has no up; there [`Up::Z`] is the only value.
///
/// The other two axes are the axes of the ground: x and y with z up, x and z with y up. Angles are
/// counter-clockwise as seen from above, from +x towards +y with z up, and towards -z with y up.
/// Left of a heading is up × heading.
///
/// ```
/// use wayfare::{glam::Vec3, vector::Up};
/// assert_eq!(Up::Z.left(Vec3::X), Vec3::Y);
/// assert_eq!(Up::Y.left(Vec3::X), -Vec3::Z);
/// assert_eq!(Up::Y.from_z_up(Vec3::new(1.0, 2.0, 3.0)), Vec3::new(1.0, 3.0, -2.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Up {
    /// z is up: the default.
    #[default]
    Z,
    /// y is up, as in Bevy, Unity and Godot.
    Y,
}

impl Up {
    /// The words of the scene format, in the order of the variants.
    pub const WORDS: &'static [&'static str] = &["z", "y"];

    /// Whether vectors of this type are rotated.
    #[inline(always)]
    fn rotates<V: Vector>(self) -> bool {
        V::DIMENSION == 3 && self == Self::Y
    }

    /// The vector in the world with z up that corresponds to `v` in this world.
    #[inline(always)]
    pub fn to_z_up<V: Vector>(self, v: V) -> V {
        if !self.rotates::<V>() {
            return v;
        }
        // A difference, so that zero does not become -0.
        V::from_fn(|i| match i {
            0 => v.axis(0),
            1 => 0.0 - v.axis(2),
            _ => v.axis(1),
        })
    }

    /// The vector in this world that corresponds to `v` in the world with z up.
    #[inline(always)]
    pub fn from_z_up<V: Vector>(self, v: V) -> V {
        if !self.rotates::<V>() {
            return v;
        }
        V::from_fn(|i| match i {
            0 => v.axis(0),
            1 => v.axis(2),
            _ => 0.0 - v.axis(1),
        })
    }

    /// The widths on the axes of the world with z up, from those on the axes of this world, or the
    /// reverse.
    #[inline(always)]
    pub(crate) fn swap_widths<V: Vector>(self, widths: V) -> V {
        if self.rotates::<V>() { V::from_fn(|i| widths.axis([0, 2, 1][i])) } else { widths }
    }

    /// The unit vector to the left of `heading`, horizontal; +x for a vertical heading.
    #[inline(always)]
    pub fn left<V: Vector>(self, heading: V) -> V {
        self.from_z_up(self.to_z_up(heading).unit_perp())
    }

    /// `v` turned counter-clockwise about the up axis by the angle whose cosine and sine are
    /// `turn`.
    #[inline(always)]
    pub fn turned<V: Vector>(self, v: V, turn: Vec2) -> V {
        self.from_z_up(self.to_z_up(v).turned(turn))
    }

    /// The sign of a counter-clockwise turn in coordinates of the ground: 1 where it leads from the
    /// first axis towards the second, -1 where it leads away from it, which is with y up.
    #[inline(always)]
    pub fn sense(self) -> f32 {
        if self == Self::Y { -1.0 } else { 1.0 }
    }

    /// The coordinates of `v` on the axes of the ground: (x, y) with z up and in the plane, (x, z)
    /// with y up.
    #[inline(always)]
    pub fn ground<V: Vector>(self, v: V) -> Vec2 {
        if self.rotates::<V>() { Vec2::new(v.axis(0), v.axis(2)) } else { v.flat() }
    }

    /// The vector with these coordinates on the axes of the ground and the height 0.
    #[inline(always)]
    pub fn from_ground<V: Vector>(self, ground: Vec2) -> V {
        self.at_height_of(ground, V::ZERO)
    }

    /// The vector with these coordinates on the axes of the ground and the height of `v`.
    #[inline(always)]
    pub fn at_height_of<V: Vector>(self, ground: Vec2, v: V) -> V {
        V::from_fn(|i| match self.ground_axis::<V>(i) {
            Some(k) => ground[k],
            None => v.axis(i),
        })
    }

    /// Whether axis `i` is the axis of heights: never in the plane.
    #[inline(always)]
    pub fn is_height<V: Vector>(self, i: usize) -> bool {
        self.ground_axis::<V>(i).is_none()
    }

    /// The index of axis `i` among the axes of the ground; `None` for the axis of heights.
    #[inline(always)]
    fn ground_axis<V: Vector>(self, i: usize) -> Option<usize> {
        match (self.rotates::<V>(), i) {
            (false, 2) | (true, 1) => None,
            (true, 2) => Some(1),
            _ => Some(i),
        }
    }

    /// The coordinate of `v` on the up axis; 0 in the plane.
    #[inline(always)]
    pub fn height<V: Vector>(self, v: V) -> f32 {
        if V::DIMENSION == 2 { 0.0 } else { v.axis(if self.rotates::<V>() { 1 } else { 2 }) }
    }
}

/// An [`Up`] as a structure over `V` stores it: no byte in the plane.
pub trait StoredUp:
    Copy + Debug + Default + PartialEq + Send + Sync + From<Up> + Into<Up> + 'static
{
}

impl StoredUp for Up {}

/// The [`StoredUp`] of the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoUp;

impl StoredUp for NoUp {}

impl From<Up> for NoUp {
    fn from(_: Up) -> Self {
        Self
    }
}

impl From<NoUp> for Up {
    #[inline(always)]
    fn from(_: NoUp) -> Self {
        Up::Z
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Vec3, vec2, vec3};

    #[test]
    fn the_rotation_to_y_up_keeps_handedness_and_its_inverse_undoes_it() {
        let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| Up::Y.from_z_up(axis));
        assert_eq!([x, y, z], [Vec3::X, -Vec3::Z, Vec3::Y]);
        assert_eq!(x.cross(y), z);
        let v = vec3(1.5, -2.0, 7.0);
        assert_eq!(Up::Y.to_z_up(Up::Y.from_z_up(v)), v);
        assert_eq!([Up::Z.to_z_up(v), Up::Z.from_z_up(v)], [v; 2]);
        assert_eq!(Up::Y.swap_widths(vec3(1.0, 2.0, 3.0)), vec3(1.0, 3.0, 2.0));
        // Zero keeps its sign.
        assert!(Up::Y.from_z_up(Vec3::ZERO).z.is_sign_positive());
    }

    #[test]
    fn left_is_up_times_heading_and_a_turn_is_counter_clockwise_seen_from_above() {
        for (up, axis) in [(Up::Z, Vec3::Z), (Up::Y, Vec3::Y)] {
            for heading in [vec3(3.0, 1.0, 2.0), vec3(-1.0, 0.5, -2.0)] {
                assert!((up.left(heading) - axis.cross(heading).normalize()).length() < 1e-6);
            }
            assert_eq!(up.left(axis), Vec3::X);
            let quarter = vec2(0.0, 1.0);
            assert_eq!(up.turned(Vec3::X, quarter), axis.cross(Vec3::X));
            assert_eq!(up.turned(axis * 3.0, quarter), axis * 3.0);
        }
    }

    #[test]
    fn the_ground_has_the_two_axes_other_than_up_and_the_plane_has_no_height() {
        let v = vec3(1.0, 2.0, 3.0);
        assert_eq!([Up::Z.ground(v), Up::Y.ground(v)], [vec2(1.0, 2.0), vec2(1.0, 3.0)]);
        assert_eq!([Up::Z.height(v), Up::Y.height(v)], [3.0, 2.0]);
        assert_eq!(Up::Y.at_height_of(vec2(7.0, 8.0), v), vec3(7.0, 2.0, 8.0));
        assert_eq!(Up::Z.from_ground::<Vec3>(vec2(7.0, 8.0)), vec3(7.0, 8.0, 0.0));
        let flat = vec2(4.0, 5.0);
        assert_eq!([Up::Y.ground(flat), Up::Y.to_z_up(flat), Up::Y.from_z_up(flat)], [flat; 3]);
        assert_eq!((Up::Y.height(flat), Up::Y.left(Vec2::X)), (0.0, Vec2::Y));
        assert!((0..2).all(|i| !Up::Y.is_height::<Vec2>(i)));
    }
}
