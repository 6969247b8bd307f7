//! A built-in behavior reads what its description says that it needs, and nothing else: its result
//! does not depend on what the crowd withholds from it.

use super::Behavior;
use crate::agent::{Agent, Memory};
use crate::annotation::DebugDraw;
use crate::behavior::testing::{neighbors_at, some_values};
use crate::behavior::{HostMotion, Steer};
use crate::context::{AgentView, CurrentOrder, GroupQuery, QueueLength, Shared, SteerContext};
use crate::geometry::explored::Explored;
use crate::geometry::flow_field::FlowField;
use crate::geometry::obstacle::{Obstacle, Obstacles, Shape};
use crate::geometry::path::Path;
use crate::id::{AgentId, GroupId};
use crate::parameter::{Kind, Needs, Parameter, Target, Value};
use crate::route::{Aim, CurrentRoute, RouteState};
use crate::spatial::group_center::GroupCenter;
use crate::spatial::neighbors::{Neighbor, Neighbors};
use crate::spatial::space::Space;
use glam::{Vec2, vec2};

/// One member in every group, and a center where it is needed.
#[derive(Debug)]
struct Members {
    centers: bool,
}

impl GroupQuery<Vec2> for Members {
    fn nearest(&self, _: GroupId, to: Vec2, within: f32, _: AgentId) -> Option<AgentView<Vec2>> {
        let member = AgentView::new(vec2(9.0, 4.0), vec2(0.5, -0.5));
        ((member.position - to).length() <= within).then_some(member)
    }
    fn count(&self, group: GroupId, to: Vec2, within: f32, except: AgentId) -> usize {
        usize::from(self.nearest(group, to, within, except).is_some())
    }
    fn center(&self, _: GroupId) -> Option<GroupCenter<Vec2>> {
        let members = [(AgentId(7), vec2(9.0, 4.0)), (AgentId(8), vec2(30.0, 4.0))];
        GroupCenter::of(&Space::OPEN, members.into_iter()).filter(|_| self.centers)
    }
}

/// What a crowd gives to a behavior.
#[derive(Clone, Copy)]
struct Given {
    needs: Needs,
    neighbors: bool,
    order: bool,
}

/// The force and the start of the step in two ticks, and what stays: the facing and the memory.
type Results = ([(Vec2, Option<Vec2>); 2], Option<Vec2>, Memory<Vec2>);

fn results(behavior: &Behavior<Vec2>, host: &Agent<Vec2>, slot: bool, given: Given) -> Results {
    let has = |need| given.needs.has(need);
    let field = FlowField::of_vectors(vec2(-50.0, -50.0), 100.0, 1, None, vec![vec2(0.6, 0.8)]);
    let fields = if has(Needs::FIELDS) { vec![field.unwrap(); 4] } else { Vec::new() };
    let area = Shape::box_between(vec2(-20.0, -20.0), vec2(20.0, 20.0));
    let explored = [(0, Explored::new(&area, 10.0))];
    let queues = [QueueLength { standing: 4, members: 5 }; 4];
    let points = [vec2(5.0, -20.0), vec2(9.0, -30.0)];
    let aim = Some(Aim { point: points[0], is_target: false, left: 60.0 });
    let order = CurrentOrder::Point(vec2(-6.0, 7.0));
    let shared = Shared {
        fields: &fields,
        explored: if has(Needs::EXPLORED) { &explored } else { &[] },
        last_seen: None,
        members: if has(Needs::MEMBERS) { 9 } else { 0 },
        queues: if has(Needs::QUEUES) { &queues } else { &[] },
        order: if given.order { order } else { CurrentOrder::None(None) },
        route: has(Needs::ROUTE).then_some(CurrentRoute {
            state: RouteState::Known,
            aim,
            points: &points,
        }),
        choices: &[],
    };
    let mut neighbors = neighbors_at(&[]);
    for (id, offset) in [vec2(1.5, 0.1), vec2(-1.0, 1.0), vec2(0.3, -1.5)].into_iter().enumerate() {
        let (radius, max_speed) = if has(Needs::BODIES) { (0.5, 2.0) } else { (0.0, 0.0) };
        let neighbor = Neighbor::new(AgentId(id as u32 + 1), offset, vec2(-0.3, 0.1));
        neighbors.push(Neighbor { radius, max_speed, group: GroupId(2), ..neighbor });
    }
    let none = Neighbors::none();
    let path = Path::new(vec![vec2(-9.0, 0.0), vec2(0.5, 0.0), vec2(40.0, 8.0)], 3.0, false);
    let paths = vec![path; 4];
    let rocks = [Obstacle::from(Shape::circle(vec2(12.0, 1.0), 3.0))];
    let start = Memory { slot: slot.then_some(3), ..Memory::default() };
    let mut memory = start;
    let (mut facing, mut steps) = (None, [(Vec2::ZERO, None); 2]);
    for (tick, step) in steps.iter_mut().enumerate() {
        if !has(Needs::MEMORY) {
            memory = Memory::default();
        }
        let mut context = SteerContext {
            id: AgentId(0),
            group: has(Needs::PEERS).then_some(GroupId(0)),
            time: tick as f64,
            pointer: Some(vec2(20.0, -9.0)),
            goal: Some(vec2(-20.0, 9.0)),
            obstacles: Obstacles::from(&rocks[..]),
            paths: &paths,
            neighbors: if given.neighbors { &neighbors } else { &none },
            groups: &Members { centers: has(Needs::CENTERS) },
            shared: Some(&shared),
            sum: vec2(1.0, -0.3),
            ..SteerContext::empty(0.1)
        };
        let force = behavior.force(host, &mut memory, &mut context, DebugDraw::OFF);
        *step = (force, context.start);
        facing = context.facing.filter(|_| has(Needs::FACING));
    }
    let kept = if has(Needs::MEMORY) { memory } else { start };
    (steps, facing, kept)
}

/// The behavior with each value of each parameter, the others as they are when all are required.
fn variations(name: &str, parameters: &[Parameter]) -> Vec<Behavior<Vec2>> {
    let mut base = Behavior::<Vec2>::from_name(name).unwrap();
    for parameter in parameters.iter().filter(|p| p.required) {
        let value = match parameter.kind {
            Kind::Number(range) | Kind::NumberOr(range, _) | Kind::Auto(range, _) => {
                Value::Number(5.0_f32.clamp(range.min, range.max))
            }
            Kind::Target => Value::Target(Target::Point(vec2(3.0, -4.0))),
            kind => some_values(kind).remove(0),
        };
        assert!(base.set(parameter.name, value));
    }
    let mut found = vec![base.clone()];
    for parameter in parameters {
        for value in some_values(parameter.kind) {
            let mut behavior = base.clone();
            behavior.set(parameter.name, value);
            found.push(behavior);
        }
    }
    found
}

#[test]
fn a_built_in_behavior_reads_what_it_says_that_it_needs_and_nothing_else() {
    let joined = |list: &[Needs]| list.iter().fold(Needs::NONE, |all, need| all.and(*need));
    let near_target = Agent { radius: 0.5, ..Agent::new(vec2(3.1, -4.0), 2.0) };
    let away = Agent { radius: 0.5, ..Agent::new(vec2(0.5, 0.2), 2.0).moving(vec2(1.0, 0.3)) };
    for description in Behavior::<Vec2>::LIST {
        let said = Needs::ALL.iter().copied().filter(|need| description.needs.has(*need));
        let said: Vec<Needs> = said.collect();
        let mut unread = said.clone();
        for behavior in variations(description.name, description.parameters) {
            assert_eq!(behavior.needs(), description.needs);
            let (neighbors, order) = (behavior.neighbor_radius().is_some(), behavior.names_order());
            for (host, slot) in [near_target, away].iter().flat_map(|h| [(h, false), (h, true)]) {
                let given = |needs| {
                    let given = Given { needs, neighbors, order };
                    format!("{:?}", results(&behavior, host, slot, given))
                };
                let all = Given { needs: joined(Needs::ALL), neighbors: true, order: true };
                let full = format!("{:?}", results(&behavior, host, slot, all));
                assert_eq!(given(joined(&said)), full, "{behavior:?} reads more");
                unread.retain(|need| {
                    let others = said.iter().copied().filter(|other| other != need);
                    given(joined(&others.collect::<Vec<_>>())) == full
                });
            }
        }
        assert!(unread.is_empty(), "{} does not read {unread:?}", description.name);
    }
}

#[test]
fn a_built_in_behavior_treats_the_motion_of_its_host_as_it_says() {
    let needs = Needs::ALL.iter().fold(Needs::NONE, |all, need| all.and(*need));
    let given = Given { needs, neighbors: true, order: true };
    let at = Agent { radius: 0.5, ..Agent::new(vec2(0.5, 0.2), 2.0) };
    let mut counted = [0; 3];
    for description in Behavior::<Vec2>::LIST {
        for behavior in variations(description.name, description.parameters) {
            let force = |velocity| results(&behavior, &at.moving(velocity), false, given).0[0].0;
            let at_rest = force(Vec2::ZERO);
            let motion = behavior.motion_of_host();
            counted[motion as usize] += 1;
            for velocity in [vec2(1.0, 0.3), vec2(-0.7, 1.1), vec2(0.0, -2.0)] {
                match motion {
                    HostMotion::Ignored => assert_eq!(force(velocity), at_rest, "{behavior:?}"),
                    HostMotion::Subtracted if at_rest != Vec2::ZERO => {
                        assert_eq!(force(velocity), at_rest - velocity, "{behavior:?}");
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(counted.iter().all(|count| *count > 2), "{counted:?}");
}
