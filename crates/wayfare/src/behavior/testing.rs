//! Shared by tests: equality up to rounding, and neighbors for a host.

use crate::agent::{Agent, Memory};
use crate::annotation::DebugDraw;
use crate::behavior::{Falloff, Seek, Steer};
use crate::combine::{Combine, List};
use crate::context::{AgentView, GroupQuery, SteerContext};
use crate::crowd::{Arrivals, Condition, ExitAction, Spawn, Transition};
use crate::geometry::obstacle::Shape;
use crate::id::{AgentId, GroupId};
use crate::parameter::{
    Field, FieldId, Groups, Kind, Parameter, PathId, StatId, StateId, Target, Unit, Value,
};
use crate::random::Distribution;
use crate::spatial::group_center::GroupCenter;
use crate::spatial::neighbors::{Neighbor, Neighbors};
use crate::spatial::space::Space;
use crate::vector::Vector;
use glam::{Vec2, vec2};

/// Fails unless the two differ by less than 1e-5 of the longer one (of 1 if both are shorter).
#[track_caller]
pub(crate) fn assert_near<V: Vector>(found: V, expected: V) {
    let scale = found.length().max(expected.length()).max(1.0);
    assert!((found - expected).length() < 1e-5 * scale, "found {found:?}, expected {expected:?}");
}

/// The neighbors at these offsets from the host, with these velocities and groups; their ids are
/// their indices in the list.
pub(crate) fn neighbors_at<V: Vector>(others: &[(V, V, usize)]) -> Neighbors<V> {
    let mut neighbors = Neighbors::none();
    for (id, &(offset, velocity, group)) in others.iter().enumerate() {
        neighbors.push(Neighbor {
            group: GroupId(group),
            ..Neighbor::new(AgentId(id as u32), offset, velocity)
        });
    }
    neighbors
}

/// The neighbors at these offsets from the host, with these velocities and bodies of these radii;
/// their ids are their indices in the list.
pub(crate) fn bodies<V: Vector>(others: &[(V, V, f32)]) -> Neighbors<V> {
    let mut neighbors = Neighbors::none();
    for (id, &(offset, velocity, radius)) in others.iter().enumerate() {
        neighbors.push(Neighbor { radius, ..Neighbor::new(AgentId(id as u32), offset, velocity) });
    }
    neighbors
}

/// A group query with one agent, the only member of group 0.
#[derive(Debug)]
pub(crate) struct Other<V>(pub(crate) AgentView<V>);

impl<V: Vector> GroupQuery<V> for Other<V> {
    fn nearest(&self, group: GroupId, to: V, within: f32, _: AgentId) -> Option<AgentView<V>> {
        (group.0 == 0 && (self.0.position - to).length() <= within).then_some(self.0)
    }
    fn count(&self, group: GroupId, to: V, within: f32, except: AgentId) -> usize {
        usize::from(self.nearest(group, to, within, except).is_some())
    }
    fn center(&self, group: GroupId) -> Option<GroupCenter<V>> {
        let members = (group.0 == 0).then_some((self.0.id, self.0.position));
        GroupCenter::of(&Space::OPEN, members.into_iter())
    }
}

/// The force of a behavior with `other` as the only member of group 0, and nothing else around.
pub(crate) fn force_with<V: Vector>(
    behavior: &impl Steer<V>,
    host: &Agent<V>,
    other: AgentView<V>,
) -> V {
    let other = Other(other);
    behavior.force(
        host,
        &mut Memory::default(),
        &mut SteerContext { groups: &other, ..SteerContext::empty(1.0) },
        DebugDraw::OFF,
    )
}

/// The force of a behavior in an empty context.
pub(crate) fn force_alone<V: Vector>(behavior: &impl Steer<V>, host: &Agent<V>) -> V {
    behavior.force(host, &mut Memory::default(), &mut SteerContext::empty(1.0), DebugDraw::OFF)
}

/// Allowed values of a parameter, not all equal to its default.
pub(crate) fn some_values(kind: Kind) -> Vec<Value<Vec2>> {
    match kind {
        Kind::Number(range) if range.unit == Unit::Count => {
            vec![Value::Number(range.min), Value::Number(range.max)]
        }
        Kind::Number(range) => {
            vec![Value::Number(range.min), Value::Number(range.max), Value::Number(0.5)]
        }
        Kind::NumberOr(range, words) => [
            &[Value::Number(range.max)][..],
            &words.iter().map(|w| Value::Word(w)).collect::<Vec<_>>(),
        ]
        .concat(),
        Kind::Auto(range, _) => vec![Value::Number(range.max), Value::Word("auto")],
        Kind::NumberOrOff(range) => vec![Value::Number(range.max), Value::Off],
        Kind::Word(words) => words.iter().map(|w| Value::Word(w)).collect(),
        Kind::Target => {
            let point = Target::Point(vec2(3.0, -4.0));
            let targets = [point, Target::Pointer, Target::Order, Target::Group(GroupId(2))];
            targets.map(Value::Target).to_vec()
        }
        Kind::Points | Kind::Line => vec![Value::Points(vec![vec2(3.0, -4.0), vec2(1.0, 2.0)])],
        Kind::Group => vec![Value::Group(GroupId(2))],
        Kind::Quarry => [GroupId(2), GroupId::ORDER].map(Value::Group).to_vec(),
        Kind::Groups => vec![Value::Groups(Groups::only([1, 2])), Value::Groups(Groups::All)],
        Kind::Path => [PathId(3), PathId::ORDER].map(Value::Path).to_vec(),
        Kind::Field => vec![Value::Field(FieldId(3))],
        Kind::Area => vec![Value::Area(Shape::Circle { center: vec2(1.0, 2.0), radius: 3.0 })],
        Kind::Double(range) => {
            vec![Value::Double(range.min.into()), Value::Double(range.max.into())]
        }
        Kind::Distribution(range) => {
            vec![Value::Distribution(Distribution::Uniform(range.min, range.max))]
        }
        Kind::Flag => vec![Value::Flag(true), Value::Flag(false)],
        Kind::Stat => vec![Value::Stat(StatId(4)), Value::Text("s".into())],
        Kind::State => vec![Value::State(StateId(4))],
        Kind::Schedule => vec![Value::Schedule(vec![(1.5, 2), (7.0, 3)])],
        Kind::Condition | Kind::Conditions => Vec::new(),
        Kind::Text => vec![Value::Text("a".into())],
        Kind::Integer(least, most) => vec![Value::Integer(least), Value::Integer(most)],
        Kind::Point | Kind::Direction => vec![Value::Point(vec2(3.0, -4.0))],
        Kind::Velocity => vec![Value::Point(vec2(3.0, -4.0)), Value::Word("random")],
        Kind::StatLimit => vec![Value::Number(0.5), Value::Number(f32::NEG_INFINITY)],
        Kind::Times(range) => vec![
            Value::Numbers(vec![range.min, range.max]),
            Value::Distribution(Distribution::Uniform(range.min, range.max)),
        ],
        Kind::TargetOr(words) => {
            [some_values(Kind::Target), words.iter().map(|word| Value::Word(word)).collect()]
                .concat()
        }
        Kind::Positions(_) => vec![Spawn::ring(vec2(3.0, -4.0), 2.0).write().unwrap()],
        Kind::Behaviors => {
            vec![List::new(Combine::Dither).with(Seek::new(vec2(3.0, -4.0))).write().unwrap()]
        }
        Kind::Tables(parameters) => {
            let one = |p: &Parameter| Some((p.name, some_values(p.kind).pop()?));
            vec![Value::Tables(vec![parameters.iter().filter_map(one).collect()])]
        }
        Kind::OwnState => vec![Value::State(StateId(4))],
        Kind::Rates => vec![Value::Rates(vec![(2.into(), -1.5), ("s".into(), 1.0)])],
        Kind::Transitions => {
            let transition = Transition { to: 1.into(), when: Condition::HasOrder(true) };
            vec![vec![transition].write().unwrap()]
        }
        Kind::Shape(_) => some_values(Kind::Area),
        Kind::Arrivals => vec![Arrivals::Schedule(vec![(1.5, 2), (7.0, 3)]).write().unwrap()],
        Kind::ExitAction => vec![ExitAction::Remove.write().unwrap()],
        Kind::Destinations => vec![Value::Destinations(vec![(vec2(3.0, -4.0), 0.5)])],
        Kind::Nested(parameters) => {
            vec![Value::Nested(
                parameters.iter().map(|p| (p.name, some_values(p.kind).remove(0))).collect(),
            )]
        }
    }
}

/// Every falloff of the separation.
pub(crate) fn falloffs() -> Vec<Falloff> {
    let read = |word: &&'static str| Field::<Vec2>::read(Value::Word(word)).unwrap();
    Falloff::WORDS.iter().map(read).collect()
}
