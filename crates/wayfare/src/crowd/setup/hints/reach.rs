//! Hints at flow fields and routes that lead none of their followers to a goal.

use alloc::format;
#[cfg(feature = "navigation")]
use alloc::vec::Vec;

use super::hint_list::Hints;
use super::world::{HintWorld, MEMBERS, active, short};
use crate::crowd::setup::allowed::KeyPath;
use crate::crowd::setup::draws;
use crate::crowd::setup::group::Spawn;
use crate::geometry::flow_field::{FieldPlan, FlowField};
#[cfg(feature = "navigation")]
use crate::parameter::Target;
use crate::registry::Behavior;
use crate::vector::Vector;

/// The largest map that is made for a hint (bytes): a tenth of a second.
const MOST_BYTES: u64 = 1 << 22;

impl Hints<'_> {
    /// Groups of which no member starts where a route leads to the target of a `navigate`.
    #[cfg(feature = "navigation")]
    pub(super) fn routes_to_nowhere<V: Vector>(&mut self, world: &HintWorld<V>) {
        use crate::geometry::navmesh::{NavMesh, TOLERANCE, mesh_bytes};
        let (setup, obstacles, mut first) = (world.setup, world.obstacles(), 0_u32);
        for (i, group) in setup.groups.iter().enumerate() {
            let before = first;
            first = first.wrapping_add(group.count as u32);
            for behavior in active(group) {
                let Behavior::Navigate(navigate) = behavior else { continue };
                let clearance = navigate.clearance_for(group.largest_radius());
                // A command may open a door, and places along a path and apart do not follow from
                // the ids alone.
                if !(setup.commands.is_empty() && navigate.alternatives.is_empty())
                    || matches!(group.spawn, Spawn::Along(_) | Spawn::Apart(_))
                    || mesh_bytes(&setup.obstacles, clearance) > MOST_BYTES / 2
                {
                    continue;
                }
                let Target::Point(target) = navigate.target else { continue };
                let members = draws::members(setup, group, before, &[]).take(MEMBERS);
                let starts: Vec<_> = members.map(|(_, member)| member.position.flat()).collect();
                let (obstacles, tolerance) = (obstacles.iter().as_slice(), TOLERANCE * clearance);
                let mesh = NavMesh::new(obstacles, &world.space, clearance, tolerance);
                let Some(mesh) = mesh.ok().filter(|_| !starts.is_empty()) else { continue };
                let routes = mesh.routes_from_each(&starts, target.flat());
                if routes.iter().all(Option::is_none) {
                    let message = format!(
                        "no route with a clearance of {} leads from where \"{}\" start to the \
                         target of their `navigate`",
                        short(clearance),
                        group.name
                    );
                    let better =
                        "a smaller `clearance`, a wider gap, or a target that they can reach";
                    self.add(KeyPath::default().key("group").at(i).key("steer"), message, better);
                }
            }
        }
    }

    /// Groups of which no member starts where a path leads to the goal of a field that it follows.
    pub(super) fn fields_to_nowhere<V: Vector>(&mut self, world: &HintWorld<V>) {
        let (setup, bounds) = (world.setup, world.setup.bounds.as_ref());
        for (f, (name, plan)) in setup.fields.iter().enumerate() {
            let FieldPlan::Toward { clearance, .. } = plan else { continue };
            // A goal without a free cell has a hint of its own.
            let obstacles = world.obstacles().iter().as_slice();
            if plan.bytes(bounds) > MOST_BYTES
                || !plan.has_free_goal(obstacles, bounds, world.space.up())
            {
                continue;
            }
            let mut field = None;
            let mut first = 0_u32;
            for group in &setup.groups {
                let before = first;
                first = first.wrapping_add(group.count as u32);
                let follows = |b: &&Behavior<V>| match b {
                    Behavior::FollowFlow(follow) => follow.field.0 == f,
                    _ => false,
                };
                // Places along a path and apart do not follow from the ids alone.
                if !active(group).iter().any(follows)
                    || matches!(group.spawn, Spawn::Along(_) | Spawn::Apart(_))
                {
                    continue;
                }
                let field = field.get_or_insert_with(|| {
                    FlowField::checked(plan, world.obstacles(), bounds, world.space.up())
                });
                let mut members =
                    draws::members(setup, group, before, &[]).take(MEMBERS).peekable();
                let reaches = |p: V| field.distance_in(&world.space, p).is_some();
                if members.peek().is_some() && !members.any(|(_, m)| reaches(m.position)) {
                    let message = format!(
                        "no path with a clearance of {} leads from where \"{}\" start to the goal \
                         of the field \"{name}\"",
                        short(*clearance),
                        group.name
                    );
                    let at = KeyPath::default().key("field").key(name).key("goal");
                    let better =
                        "a smaller `clearance`, a wider gap, or a goal that they can reach";
                    self.add(at, message, better);
                }
            }
        }
    }
}
