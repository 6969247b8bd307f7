//! The space of a crowd in the world of an app.

use bevy_math::{Quat, Vec2, Vec3};
use bevy_reflect::TypePath;
use wayfare::Vector;
use wayfare::vector::Up;

/// Which part of the world a crowd steers in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Plane {
    /// The plane of x and y, for 2D apps; z of a transform stays as it is.
    Xy,
    /// The ground of a 3D app, x and z; y of a transform stays as it is. The crowd's own plane has
    /// the axes x and -z, so that left is left as seen from above.
    Ground,
    /// All three axes, with y up.
    Space,
}

/// The vectors of a crowd: `Vec2` for [`Plane::Xy`] and [`Plane::Ground`], `Vec3` for
/// [`Plane::Space`].
#[diagnostic::on_unimplemented(
    note = "`Vec3` needs the feature `space` of the crate `bevy_wayfare`, which is on by default"
)]
pub trait Dimension: Vector + TypePath {
    /// The axis that points up in the crowd.
    const UP: Up;
    /// A vector of the world in the crowd.
    fn from_world(plane: Plane, vector: Vec3) -> Self;
    /// A vector of the crowd in the world; what the crowd does not have is taken from `rest`.
    fn to_world(self, plane: Plane, rest: Vec3) -> Vec3;
}

impl Dimension for Vec2 {
    const UP: Up = Up::Z;

    fn from_world(plane: Plane, vector: Vec3) -> Self {
        match plane {
            Plane::Ground => Vec2::new(vector.x, -vector.z),
            _ => vector.truncate(),
        }
    }

    fn to_world(self, plane: Plane, rest: Vec3) -> Vec3 {
        match plane {
            Plane::Ground => Vec3::new(self.x, rest.y, -self.y),
            _ => self.extend(rest.z),
        }
    }
}

#[cfg(feature = "space")]
impl Dimension for Vec3 {
    const UP: Up = Up::Y;

    fn from_world(_: Plane, vector: Vec3) -> Self {
        vector
    }

    fn to_world(self, _: Plane, _: Vec3) -> Vec3 {
        self
    }
}

impl Plane {
    /// The axis about which obstacles turn.
    pub(crate) fn up(self) -> Vec3 {
        match self {
            Plane::Xy => Vec3::Z,
            Plane::Ground | Plane::Space => Vec3::Y,
        }
    }

    /// The direction that a model with this rotation faces.
    pub(crate) fn forward(self, rotation: Quat) -> Vec3 {
        match self {
            Plane::Xy => rotation * Vec3::X,
            Plane::Ground | Plane::Space => rotation * Vec3::NEG_Z,
        }
    }

    /// The rotation with which a model faces along `heading`, a unit vector of the world: in the
    /// plane of x and y its +x, elsewhere its -z, as Bevy's `forward`.
    pub(crate) fn rotation(self, heading: Vec3) -> Quat {
        match self {
            Plane::Xy => Quat::from_rotation_arc_2d(Vec2::X, heading.truncate()),
            _ if heading.x == 0.0 && heading.z == 0.0 => Quat::IDENTITY,
            _ => {
                let level = Vec3::new(heading.x, 0.0, heading.z).normalize();
                let pitch = heading.y.clamp(-1.0, 1.0).asin();
                Quat::from_rotation_y((-level.x).atan2(-level.z)) * Quat::from_rotation_x(pitch)
            }
        }
    }
}
