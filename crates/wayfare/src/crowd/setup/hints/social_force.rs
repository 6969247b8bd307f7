//! Hints at `social_force`: a tick that is too long for its forces, and members without bodies.

use alloc::format;

use super::hint_list::Hints;
use super::lists::ListContext;
use crate::behavior::{SocialForce, SocialForcePreset};
use crate::crowd::setup::allowed::KeyPath;

impl Hints<'_> {
    /// Hints at a `social_force` of a list.
    pub(super) fn social_force(
        &mut self,
        context: &ListContext,
        key_path: &KeyPath,
        parameters: &SocialForce,
    ) {
        let numbers = parameters.numbers();
        if parameters.preset == SocialForcePreset::Helbing2000 && !context.has_bodies {
            self.add(
                key_path.clone(),
                "`social_force` measures distances between bodies, but the members have none",
                "a `radius` of the group above 0, or another `preset`",
            );
        }
        // A chain of bodies swings with ever larger amplitudes from `dt` = 1 / sqrt(stiffness)
        // on, one pair of bodies alone from 1.4 times as long a tick on.
        let body_force = if context.has_bodies { numbers.body_force } else { 0.0 };
        let stiffness = (body_force + numbers.strength / numbers.range)
            .max(body_force + numbers.wall_strength / numbers.wall_range);
        let longest = 1.0 / libm::sqrtf(stiffness);
        if context.dt > longest {
            self.add(
                key_path.clone(),
                format!(
                    "a `dt` of {} is long for this `social_force`: agents that touch each \
                         other or a wall bounce off ever harder",
                    context.dt
                ),
                format!("a `dt` of at most {longest}, or weaker forces"),
            );
        }
    }
}
