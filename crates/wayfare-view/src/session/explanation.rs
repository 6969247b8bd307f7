//! The forces on an agent and the geometry behind them, projected to the plane of the screen.

use wayfare::Vector;
use wayfare::annotation::{Explanation, Figure};
use wayfare::glam::Vec2;
use wayfare::vector::Up;

/// The forces on one agent at the next tick.
#[derive(Clone, Debug)]
pub(crate) struct ForceDiagram {
    /// Position of the agent (length).
    pub(crate) position: Vec2,
    /// Velocity of the agent (length / time).
    pub(crate) velocity: Vec2,
    /// Top speed of the agent (length / time): the unit of the arrows.
    pub(crate) max_speed: f32,
    /// Each behavior's name and own force.
    pub(crate) parts: Vec<(&'static str, Vec2)>,
    /// The combined force.
    pub(crate) force: Vec2,
    /// Annotated geometry, with the index of the part that it belongs to.
    pub(crate) figures: Vec<(usize, Figure<Vec2>)>,
}

impl ForceDiagram {
    pub(crate) fn new<V: Vector>(
        agent: &wayfare::Agent<V>,
        explained: &Explanation<V>,
        up: Up,
    ) -> Self {
        let seen = |v: V| up.ground(v);
        let contributions = &explained.contributions;
        let part_of = |slot: u32| {
            contributions.iter().position(|contribution| contribution.slot == slot).unwrap_or(0)
        };
        let figure = |figure: Figure<V>| match figure {
            Figure::Circle { center, radius } => Figure::Circle { center: seen(center), radius },
            Figure::Segment { from, to } => Figure::Segment { from: seen(from), to: seen(to) },
            Figure::Point(p) => Figure::Point(seen(p)),
        };
        let parts = contributions.iter().map(|part| (part.behavior, seen(part.force)));
        let figures = explained.annotations.iter().map(|a| (part_of(a.slot), figure(a.figure)));
        Self {
            position: seen(agent.position),
            velocity: seen(agent.velocity),
            max_speed: agent.max_speed,
            parts: parts.collect(),
            force: seen(explained.force),
            figures: figures.collect(),
        }
    }
}
