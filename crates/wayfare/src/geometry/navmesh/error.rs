//! Why there is no mesh, or no route by it.

use core::fmt;

use glam::Vec2;

/// Why there is no [`NavMesh`](super::NavMesh).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum NavMeshError {
    /// The world has three dimensions.
    Space,
    /// The world is wrapped at its edges.
    Wrapped,
    /// The clearance is not above 0, or above 1e9.
    Clearance(f32),
    /// The tolerance is not above 0, or above 1e9.
    Tolerance(f32),
    /// The obstacle with this index has coordinates beyond 1e9 or that are no numbers.
    Obstacle(usize),
    /// The clearance is lost in the rounding of the coordinates of the obstacle with this index.
    Rounding(usize),
    /// The world's bounds have no inside, or coordinates beyond 1e9.
    Bounds,
    /// The target has a coordinate that is not finite.
    Target(Vec2),
    /// There is no target to choose.
    NoTarget,
    /// The length of an agent in a queue is not from 0 to 1e9.
    QueueLength(f32),
    /// Edges of the grown obstacles cross so closely that they cannot be told apart. Another
    /// clearance or tolerance moves them.
    Precision,
}

impl fmt::Display for NavMeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Space => f.write_str("the world has 3 dimensions; allowed: 2"),
            Self::Wrapped => {
                f.write_str("the edge of the bounds is \"wrap\"; allowed: \"open\" or \"wall\"")
            }
            Self::Clearance(x) => {
                write!(f, "`clearance` is {x}; allowed: a length above 0, up to 1e9")
            }
            Self::Tolerance(x) => {
                write!(f, "`tolerance` is {x}; allowed: a length above 0, up to 1e9")
            }
            Self::Obstacle(i) => {
                write!(f, "obstacle {i} reaches beyond 1e9; allowed: coordinates from -1e9 to 1e9")
            }
            Self::Rounding(i) => write!(
                f,
                "`clearance` is lost in the rounding of the coordinates of obstacle {i}; allowed: \
                 a `clearance` above a millionth of them"
            ),
            Self::Bounds => f.write_str(
                "the bounds have no inside; allowed: `max` above `min`, from -1e9 to 1e9",
            ),
            Self::Target(p) => write!(f, "the target is {p}; allowed: finite coordinates"),
            Self::NoTarget => f.write_str("there is no target to choose; allowed: at least one"),
            Self::QueueLength(x) => {
                write!(f, "`queue_length` is {x}; allowed: a length from 0 to 1e9")
            }
            Self::Precision => f.write_str(
                "grown obstacles cross too closely to be told apart; \
                 allowed: another `clearance` or `tolerance`",
            ),
        }
    }
}

impl core::error::Error for NavMeshError {}
