//! What a behavior reads of the world around its host: the same view for the crowd, the manager and
//! a behavior of your own.

use core::fmt::Debug;

use crate::agent::Agent;
use crate::geometry::explored::Explored;
use crate::geometry::flow_field::FlowField;
use crate::geometry::obstacle::Obstacles;
use crate::geometry::path::Path;
use crate::parameter::{FieldId, PathId, Target};
use crate::random::{Random, RngKey};
use crate::spatial::neighbors::Neighbors;
use crate::spatial::space::Space;
use crate::vector::Vector;

/// Another agent, as a behavior sees it: a quarry, a threat, a leader.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentView<V> {
    /// Its id; `u32::MAX` for a point or the pointer.
    pub id: u32,
    /// Where it is, in a wrapped world the image nearest to the host (length).
    pub position: V,
    /// How it moves (length / time).
    pub velocity: V,
    /// The unit vector of its movement, kept while it hardly moves.
    pub heading: V,
    /// The unit vector it looks along.
    pub facing: V,
}

impl<V: Vector> AgentView<V> {
    /// Somebody at `position` who moves with `velocity` and faces that way, +x at rest.
    pub fn new(position: V, velocity: V) -> Self {
        let unit = velocity.unit();
        let heading = if unit == V::ZERO { V::X } else { unit };
        Self { id: u32::MAX, position, velocity, heading, facing: heading }
    }
}

/// Whoever knows where the members of groups are.
pub trait Agents<V: Vector>: Debug + Sync {
    /// The member of `group` nearest to `to`, at most `within` away (length), not `except`; the
    /// lowest id in a tie.
    ///
    /// Its position is the image nearest to `to`.
    fn nearest(&self, group: usize, to: V, within: f32, except: u32) -> Option<AgentView<V>>;
}

/// Groups without members: the surroundings of who is steered alone.
#[derive(Debug)]
struct Nobody;

impl<V: Vector> Agents<V> for Nobody {
    fn nearest(&self, _: usize, _: V, _: f32, _: u32) -> Option<AgentView<V>> {
        None
    }
}

/// What only some groups have to share: apart from the rest, which is copied for each agent at each
/// tick.
#[derive(Clone, Copy, Debug)]
pub struct Shared<'a, V: Vector> {
    /// The fields that [`FieldId`] counts.
    pub fields: &'a [FlowField<V>],
    /// The grids of the places that explore in the lists of the group, each with the stream of its
    /// place; see [`SteerContext::explored`].
    pub explored: &'a [(u32, Explored<V>)],
    /// Where the host last saw whom its group looks out for, as long as it remembers (length).
    pub last_seen: Option<V>,
    /// How many members the group has, where they keep a formation; otherwise 0.
    pub members: u32,
}

impl<V: Vector> Shared<'_, V> {
    /// Nothing at all: fill in what your behaviors read.
    pub fn nothing() -> Shared<'static, V> {
        Shared { fields: &[], explored: &[], last_seen: None, members: 0 }
    }
}

/// What one agent's behaviors read at one tick.
#[derive(Clone, Copy, Debug)]
pub struct SteerContext<'a, V: Vector> {
    /// Simulated time per tick (time).
    pub dt: f32,
    /// The time at which the tick begins (time).
    pub time: f64,
    /// The agent's id.
    pub id: u32,
    /// The tick, and what all randomness follows from.
    pub rng_key: RngKey,
    /// The slot of the behavior that is asked now: its stream of random numbers.
    pub stream: u32,
    /// Where the pointer is, if there is one (length).
    pub pointer: Option<V>,
    /// Where the host is bound for, if its group has goals (length).
    pub goal: Option<V>,
    /// The extent of the world.
    pub space: Space<V>,
    /// What stands in the way.
    pub obstacles: Obstacles<'a, V>,
    /// The paths that [`PathId`] counts.
    pub paths: &'a [Path<V>],
    /// The agents near the host, at least as far as its behaviors look.
    pub neighbors: &'a Neighbors<V>,
    /// Who knows the members of groups.
    pub agents: &'a dyn Agents<V>,
    /// What only some groups share, if the host's group does.
    pub shared: Option<&'a Shared<'a, V>>,
    /// The sum of the forces before this one in its list: weighted, not truncated. What `queue`
    /// brakes.
    pub sum: V,
    /// The velocity that the step starts from (length / time), where a solver replaced the host's
    /// own.
    pub start: Option<V>,
    /// Where the host is to look, where a behavior said so; see [`face`](Self::face).
    pub facing: Option<V>,
}

impl<'a, V: Vector> SteerContext<'a, V> {
    /// An empty context with one tick of `dt` (time): fill in what your behaviors read.
    ///
    /// ```
    /// use wayfare::{glam::vec2, SteerContext};
    /// let context = SteerContext { pointer: Some(vec2(3.0, 4.0)), ..SteerContext::empty(1.0) };
    /// assert_eq!(context.pointer, Some(vec2(3.0, 4.0)));
    /// ```
    pub fn empty(dt: f32) -> SteerContext<'static, V> {
        SteerContext {
            dt,
            time: 0.0,
            id: u32::MAX,
            rng_key: RngKey::new(0, 0),
            stream: 0,
            pointer: None,
            goal: None,
            space: Space::default(),
            obstacles: Obstacles::NONE,
            paths: &[],
            neighbors: Neighbors::none_static(),
            agents: &Nobody,
            shared: None,
            sum: V::ZERO,
            start: None,
            facing: None,
        }
    }

    /// Random numbers that belong to this agent, tick and behavior.
    #[inline(always)]
    pub fn random(&self) -> Random {
        self.rng_key.random(self.id, self.stream)
    }

    /// Where `target` is for `host`, if it is at most `within` away (length).
    #[inline(always)]
    pub fn target(&self, host: &Agent<V>, target: &Target<V>, within: f32) -> Option<V> {
        let point = match *target {
            Target::Point(p) => p,
            Target::Pointer => self.pointer?,
            Target::Goal => self.goal?,
            Target::LastSeen => self.last_seen()?,
            Target::Group(group) => {
                return self.member(host, group, within).map(|seen| seen.position);
            }
        };
        let point = self.space.image(host.position, point);
        (within == f32::INFINITY || (point - host.position).length() <= within).then_some(point)
    }

    /// The member of `group` nearest to `host`, itself excluded, if it is at most `within` away
    /// (length).
    pub fn member(&self, host: &Agent<V>, group: usize, within: f32) -> Option<AgentView<V>> {
        self.agents.nearest(group, host.position, within, self.id)
    }

    /// The path `id`, if there is such a one and it has points.
    pub fn path(&self, id: PathId) -> Option<&'a Path<V>> {
        self.paths.get(id.0).filter(|path| !path.points.is_empty())
    }

    /// The field `id`, if there is such a one.
    #[inline(always)]
    pub fn field(&self, id: FieldId) -> Option<&'a FlowField<V>> {
        self.shared?.fields.get(id.0)
    }

    /// Where the host's group has been, for the behavior that is asked now; `None` where nobody
    /// notes it.
    pub fn explored(&self) -> Option<&'a Explored<V>> {
        self.shared?
            .explored
            .iter()
            .find(|(stream, _)| *stream == self.stream)
            .map(|(_, explored)| explored)
    }

    /// Where the host last saw whom its group looks out for, as long as it remembers (length).
    pub fn last_seen(&self) -> Option<V> {
        self.shared?.last_seen
    }

    /// How many members the host's group has, where they keep a formation; otherwise 0.
    pub fn members(&self) -> u32 {
        self.shared.map_or(0, |shared| shared.members)
    }

    /// Lets the host turn towards `direction`, of any length; of several that are said the last
    /// counts, and zero is none.
    pub fn face(&mut self, direction: V) {
        if direction.unit() != V::ZERO {
            self.facing = Some(direction);
        }
    }

    /// The velocity that the step starts from.
    pub fn start_of(&self, host: &Agent<V>) -> V {
        self.start.unwrap_or(host.velocity)
    }
}
