//! A body in contacts.

/// The body of an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::crowd) struct Body {
    pub(super) id: u32,
    /// The radius against walls (length); 0 for an agent without a body.
    pub(super) radius: f32,
    /// The radius against other bodies (length); 0 for one that opted out.
    pub(super) solid_radius: f32,
    /// The weight in contacts; infinity for a body that cannot be moved.
    pub(super) inertia: f32,
    /// Whether another owner moves it.
    pub(super) elsewhere: bool,
    /// Whether a contact leaves the velocity as it is.
    pub(super) keeps_velocity: bool,
}

impl Body {
    /// Whether contacts move it, here and not in another part.
    #[inline(always)]
    pub(super) fn is_moved(&self) -> bool {
        self.inertia < f32::INFINITY && !self.elsewhere
    }
}

/// A body that leaves a wall in this tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaving<V> {
    pub(super) row: usize,
    /// Its position before the tick, and its way (length).
    pub(super) from: V,
    pub(super) way: V,
}
