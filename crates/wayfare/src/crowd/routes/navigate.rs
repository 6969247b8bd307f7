//! The `navigate` of a list, compiled.

#[cfg(feature = "navigation")]
use crate::behavior::Navigate;
use crate::combine::List;
use crate::crowd::setup::Group;
#[cfg(feature = "navigation")]
use crate::geometry::navmesh::Choice;
#[cfg(feature = "navigation")]
use crate::parameter::Target;
use crate::registry::Behavior;
use crate::vector::Vector;

/// The `navigate` of a state's list.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::crowd) struct CompiledNavigate {
    /// The index of the members' memory that holds the target.
    pub(in crate::crowd) memory: usize,
    /// The distance that routes keep from obstacles (length).
    clearance: f32,
    /// The choice among several targets.
    #[cfg(feature = "navigation")]
    pub(super) choice: Option<Choice>,
}

/// The `navigate` of a list of `group`; `dt` is the time of a tick.
#[cfg_attr(not(feature = "navigation"), expect(unused_variables, reason = "only choices read it"))]
pub(in crate::crowd) fn compiled_navigate<V: Vector>(
    list: &List<V>,
    group: &Group<V>,
    dt: f64,
) -> Option<CompiledNavigate> {
    list.remembering().into_iter().find_map(|(memory, behavior)| match behavior {
        Behavior::Navigate(navigate) => Some(CompiledNavigate {
            memory,
            clearance: navigate.clearance_for(group.largest_radius()),
            #[cfg(feature = "navigation")]
            choice: choice(navigate, group, dt),
        }),
        _ => None,
    })
}

/// The choice among the targets of members; `None` for a single target.
#[cfg(feature = "navigation")]
fn choice<V: Vector>(navigate: &Navigate<V>, group: &Group<V>, dt: f64) -> Option<Choice> {
    let Target::Point(target) = navigate.target else { return None };
    if navigate.alternatives.is_empty() {
        return None;
    }
    let ticks = f64::from(navigate.rechoose) / dt;
    Some(Choice {
        targets: [target].iter().chain(&navigate.alternatives).map(|p| p.flat()).collect(),
        queue_length: navigate.queue_length_for(group.largest_radius()),
        rechoose: ticks.is_finite().then(|| libm::ceil(ticks) as u64),
    })
}

#[cfg(feature = "navigation")]
impl CompiledNavigate {
    /// The clearance for a body of this radius (lengths): that of the group, and in steps of a
    /// quarter more for a larger body, so that the number of meshes is bounded.
    pub(super) fn clearance_of(&self, radius: f32) -> f32 {
        let mut clearance = self.clearance;
        while clearance < radius {
            clearance *= 1.25;
        }
        clearance
    }
}
