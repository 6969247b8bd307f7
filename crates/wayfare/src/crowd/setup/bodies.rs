//! Whether the bodies of a world are solid.

/// Whether bodies push one another apart, and how.
///
/// Solid bodies touch and do not pass through one another, through obstacles or through bounds with
/// a wall: after each step, overlapping bodies move apart (Jacobi iterations in the manner of
/// position based dynamics; M. Müller et al., 2007), and out of walls. An agent with radius 0 has
/// no body.
///
/// ```
/// use wayfare::behavior::Arrive;
/// use wayfare::crowd::{Bodies, Distribution, Group, Setup, Spawn};
/// use wayfare::{Crowd, List, glam::vec2};
/// let hall = Spawn::Grid { origin: vec2(0.0, 0.0), spacing: 2.0, columns: 5, rows: 1 };
/// let mut guests = Group::new("guests", 20, hall, 1.3);
/// guests.radius = Distribution::Same(0.5);
/// guests.steer = List::default().with(Arrive::new(vec2(4.0, 4.0)));
/// let bodies = Bodies { solid: true, ..Bodies::default() };
/// let mut crowd =
///     Crowd::new(Setup { dt: 0.1, bodies, groups: vec![guests], ..Setup::default() })?;
/// (0..200).for_each(|_| crowd.step());
/// // All press towards one point, and hardly overlap.
/// assert!(crowd.deepest_overlap().unwrap() < 0.05);
/// # Ok::<(), wayfare::crowd::SetupError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Bodies {
    /// Whether bodies are solid; a group can opt out by [`Group::solid`](super::Group::solid).
    pub solid: bool,
    /// The number of iterations in each tick, from 1 to 32. Where overlaps above 2 % of a radius
    /// remain, there are up to 32.
    pub iterations: u32,
    /// The factor of each correction, above 0 and at most 2: above 1 stacks of bodies separate in
    /// fewer iterations.
    pub relaxation: f32,
}

impl Default for Bodies {
    /// Bodies that are not solid; 6 iterations and a relaxation of 1.5 once they are.
    fn default() -> Self {
        Self { solid: false, iterations: 6, relaxation: 1.5 }
    }
}
