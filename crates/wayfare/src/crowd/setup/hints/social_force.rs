//! Hints at `social_force`: a tick that is too long for its forces, and members without bodies.

use alloc::format;

use super::Hints;
use crate::behavior::SocialForcePreset;
use crate::combine::{Entry, List};
use crate::crowd::setup::Group;
use crate::crowd::setup::validate::KeyPath;
use crate::registry::Behavior;
use crate::vector::Vector;

impl Hints<'_> {
    /// Hints at each `social_force` in the lists of a group, which is stepped by `dt` (time).
    pub(super) fn social_forces<V: Vector>(
        &mut self,
        key_path: &KeyPath,
        group: &Group<V>,
        dt: f64,
    ) {
        self.social_forces_of(&key_path.key("steer"), &group.steer, group, dt as f32);
        for (i, state) in group.states.iter().enumerate() {
            let key_path = key_path.key("state").at(i).key("steer");
            self.social_forces_of(&key_path, &state.steer, group, dt as f32);
        }
    }

    fn social_forces_of<V: Vector>(
        &mut self,
        key_path: &KeyPath,
        list: &List<V>,
        group: &Group<V>,
        dt: f32,
    ) {
        for (i, slot) in list.slots.iter().enumerate() {
            let key_path = key_path.at(i);
            let parameters = match &slot.entry {
                Entry::List(inner) => {
                    self.social_forces_of(&key_path.key("all"), inner, group, dt);
                    continue;
                }
                Entry::Behavior(Behavior::SocialForce(parameters)) => parameters,
                Entry::Behavior(_) => continue,
            };
            let numbers = parameters.numbers();
            let has_bodies = group.radius.largest() > 0.0;
            if parameters.preset == SocialForcePreset::Helbing2000 && !has_bodies {
                self.add(
                    key_path.key("social_force"),
                    "`social_force` measures distances between bodies, but the members have none",
                    "a `radius` of the group above 0, or another `preset`",
                );
            }
            // A chain of bodies swings with ever larger amplitudes from `dt` = 1 / sqrt(stiffness)
            // on, one pair of bodies alone from 1.4 times as long a tick on.
            let body_force = if has_bodies { numbers.body_force } else { 0.0 };
            let stiffness = (body_force + numbers.strength / numbers.range)
                .max(body_force + numbers.wall_strength / numbers.wall_range);
            let longest = 1.0 / libm::sqrtf(stiffness);
            if dt > longest {
                self.add(
                    key_path.key("social_force"),
                    format!(
                        "a `dt` of {dt} is long for this `social_force`: agents that touch each \
                         other or a wall bounce off ever harder"
                    ),
                    format!("a `dt` of at most {longest}, or weaker forces"),
                );
            }
        }
    }
}
