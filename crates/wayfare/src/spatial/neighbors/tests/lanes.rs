//! Filters in lanes against brute force: random neighbors, all angles of view, every instruction
//! set.

use super::*;
use crate::List;
use crate::agent::Memory;
use crate::annotation::DebugDraw;
use crate::behavior::testing::falloffs;
use crate::behavior::{
    Alignment, Cohesion, Falloff, Flock, Rule, RuleForce, Rules, Seek, Separation, alignment,
    cohesion, flock, separation,
};
use crate::context::SteerContext;
use crate::parameter::Auto;
use crate::solve::{Queue, queue};
use crate::spatial::space::{Bounds, Edge};

/// A crowd of three groups around a host that is one of the candidates, in a wrapped world or
/// without an edge; some neighbors are at the host's own point, at equal points, very near, at
/// exactly the angle of a view of 0 or 180 degrees, or so near that their squared distance is zero.
/// With `scattered` only those at such an angle are, and the others are anywhere.
fn crowd_around<V: Vector>(random: &mut Random, scattered: bool) -> (Neighbors<V>, Agent<V>) {
    let mut neighbors = Neighbors::none();
    let mut max_speed: f32 = 1.0;
    let count = random.bits() % 60;
    let at = if random.bits().is_multiple_of(2) {
        let corner = V::from_fn(|_| 15.0);
        let bounds = Bounds { min: -corner, max: corner, edge: Edge::Wrap };
        neighbors.clear(Space::new(Some(bounds)), 1.0);
        V::from_fn(|_| random.between(-14.0, 14.0))
    } else {
        V::ZERO
    };
    let heading = match random.bits() % 4 {
        0 => V::ZERO,
        1 => V::X,
        _ => V::random_unit(random),
    };
    let near = if !scattered && random.bits().is_multiple_of(8) { 0.005 } else { 12.0 };
    let mut last = V::ZERO;
    for id in 0..count as u32 {
        let any = V::from_fn(|_| random.between(-near, near));
        let kind = random.bits() % 14;
        let offset = match if scattered { kind % 3 + 3 } else { kind } {
            5 if scattered => any,
            0 => V::ZERO,
            1 => last,
            2 => any * 0.01,
            3 => heading * random.between(-8.0, 8.0),
            4 => V::from_fn(|axis| if axis == 1 { random.between(-8.0, 8.0) } else { 0.0 }),
            5 => any * random.between(0.0, 1.0).powi(9) * 1e-15,
            6 => any * 1e-25,
            7 => V::from_fn(|axis| if axis == 2 { 0.0 } else { last.axis(0) }),
            _ => any,
        };
        last = offset;
        let velocity = V::from_fn(|_| random.between(-5.0, 5.0));
        let group = GroupId((random.bits() % 3) as usize);
        let other = AgentId((id * 37) % 61 + 100);
        let offset = neighbors.space.wrapped(at + offset);
        neighbors.push(Neighbor {
            group,
            radius: 0.3,
            max_speed: 1.0,
            ..Neighbor::new(other, offset, velocity)
        });
        max_speed = max_speed.max(velocity.length());
    }
    let host = AgentId(7);
    neighbors.push(Neighbor::new(host, at, V::X));
    neighbors.set_host(host, at, 1, max_speed);
    let host = Agent { heading, velocity: heading, ..Agent::new(at, 1.0) };
    (neighbors, Agent { max_force: 4.0, radius: 0.5, ..host })
}

/// What the documentation of a filter says, one candidate after another.
fn brute_force<V: Vector>(
    neighbors: &Neighbors<V>,
    filter: NeighborFilter<'_>,
    heading: V,
) -> Vec<AgentId> {
    let cosine = libm::cosf((filter.field_of_view * 0.5).to_radians());
    let counts = |n: &Neighbor<V>| {
        let in_view = filter.field_of_view >= 360.0
            || n.distance_squared == 0.0
            || n.offset.dot(heading) >= cosine * n.distance_squared.sqrt();
        n.distance_squared <= filter.radius * filter.radius && in_view && filter.of.contain(n.group)
    };
    neighbors.iter().filter(counts).map(|n| n.id).collect()
}

/// A visitor of all neighbors.
struct All(Vec<AgentId>);

impl<V: Vector> PairVisitor<V> for All {
    fn test<L: Simd>(&self, _: &Pairs<L>) -> u32 {
        u32::MAX
    }
    fn visit(&mut self, neighbor: &Neighbor<V>) {
        self.0.push(neighbor.id);
    }
}

/// The forces of the behaviors that sum over neighbors or search among them.
fn forces<V: Vector>(
    host: &Agent<V>,
    neighbors: &Neighbors<V>,
    of: &Groups,
    [radius, field_of_view]: [f32; 2],
) -> Vec<[f32; 3]> {
    let of = || of.clone();
    let mut forces = Vec::new();
    for falloff in falloffs() {
        let apart = Separation {
            radius: Auto::Fixed(radius),
            max_force: Auto::Fixed(2.0),
            falloff: Some(falloff),
            of: of(),
            field_of_view,
        };
        forces.push(separation(host, neighbors, &apart));
    }
    for force in [RuleForce::Steering, RuleForce::Direction] {
        let align = Alignment { radius: Auto::Fixed(radius), of: of(), field_of_view, force };
        let cohere = Cohesion { radius: Auto::Fixed(radius), of: of(), field_of_view, force };
        forces.push(alignment(host, neighbors, &align));
        forces.push(cohesion(host, neighbors, &cohere));
    }
    for separation_radius in [None, Some(radius / 4.0)] {
        let of = of();
        let rules =
            Flock { separation_radius, of, field_of_view, ..Flock::default().radius(radius) };
        forces.push(flock(host, neighbors, &rules));
    }
    forces
        .iter()
        .map(|force| core::array::from_fn(|i| if i < V::DIMENSION { force.axis(i) } else { 0.0 }))
        .collect()
}

fn assert_lanes_are_brute_force<V: Vector>(seed: u64) {
    let mut random = Random::new(seed, 0, 0, 0);
    let mut counted = [0; 2];
    for case in 0..1_500 {
        let (mut neighbors, host) = crowd_around::<V>(&mut random, false);
        let radius = [10.0, 3.0, random.between(0.0, 14.0)][case % 3];
        let any = random.between(0.0, 360.0);
        let field_of_view = [0.0, 90.0, 180.0, 270.0, 359.999, 360.0, any, any][case % 8];
        let groups: Vec<usize> = match random.bits() % 4 {
            0 => vec![1],
            1 => vec![0, 2],
            _ => vec![0, 1, 2],
        };
        let of = if groups.len() == 3 { Groups::All } else { Groups::only(groups.clone()) };
        // A mask of groups cannot hold the last one: its sums are added one by one.
        let one_by_one = Groups::only(groups.iter().copied().chain([40]));
        let filter = NeighborFilter { radius, of: &of, field_of_view };
        let expected = brute_force(&neighbors, filter, host.heading);
        let heading = host.heading;
        assert_eq!(
            neighbors.within(filter, heading).map(|n| n.id).collect::<Vec<_>>(),
            expected,
            "case {case}"
        );
        counted[0] += expected.len();
        counted[1] += neighbors.iter().count() - expected.len();
        let each = forces(&host, &neighbors, &one_by_one, [radius, field_of_view]);
        for dispatch in SimdLevel::ALL.into_iter().filter_map(SimdDispatch::new) {
            neighbors.set_dispatch(dispatch);
            let mut found = All(Vec::new());
            neighbors.visit(filter, heading, &mut found);
            assert_eq!(found.0, expected, "case {case}, {dispatch:?}");
            let found = forces(&host, &neighbors, &of, [radius, field_of_view]);
            assert_eq!(found, each, "case {case}, {dispatch:?}: {filter:?}");
        }
    }
    assert!(counted.iter().all(|count| *count > 9_000), "{counted:?}");
}

#[test]
fn lanes_select_what_brute_force_selects_and_every_behavior_sums_the_same_bits() {
    assert_lanes_are_brute_force::<Vec2>(11);
    assert_lanes_are_brute_force::<Vec3>(12);
}

fn assert_one_pass_gives_what_behaviors_give_apart<V: Vector>(seed: u64) {
    let mut random = Random::new(seed, 0, 0, 0);
    let mut passes = [0; 2];
    for case in 0..4_000 {
        let (mut neighbors, host) = crowd_around::<V>(&mut random, case % 4 > 0);
        if case % 17 == 0 {
            // Neighbors much faster than the host's group.
            neighbors.set_unit_of_speed(0.01);
        }
        let all = Groups::only((0..random.bits() as usize % 3).chain([2]));
        let mut radius = || match random.bits() % 12 {
            0 => 0.0,
            1 => 1e9,
            _ => random.between(5.0, 14.0),
        };
        let [near, far, farther]: [f32; 3] = core::array::from_fn(|_| radius());
        let mut view =
            || [0.0, 180.0, 360.0, 270.0, random.between(0.0, 360.0)][random.bits() as usize % 5];
        let views: [f32; 3] = core::array::from_fn(|_| view());
        let of = || if case % 3 == 0 { all.clone() } else { Groups::All };
        let falloff = falloffs()[(random.bits() >> 16) as usize % 6];
        let force = if case % 3 == 1 { RuleForce::Direction } else { RuleForce::Steering };
        let apart = Separation::default()
            .radius(near)
            .max_force(2.0)
            .falloff(falloff)
            .of(of())
            .field_of_view(views[0]);
        let align = Alignment::default().radius(far).of(of()).field_of_view(views[1]).force(force);
        let cohere =
            Cohesion::default().radius(farther).of(of()).field_of_view(views[2]).force(force);
        let has = [case % 5 != 0, case % 7 != 0, case % 11 != 0];
        let mut rules = Rules::NONE;
        let each = [Rule::Separation(&apart), Rule::Alignment(&align), Rule::Cohesion(&cohere)];
        for (k, rule) in each.into_iter().enumerate().filter(|(k, _)| has[*k]) {
            assert_eq!(rules.take(rule), Some(k));
        }
        for (k, dispatch) in SimdLevel::ALL.into_iter().filter_map(SimdDispatch::new).enumerate() {
            neighbors.set_dispatch(dispatch);
            let alone = [
                if has[0] { separation(&host, &neighbors, &apart) } else { V::ZERO },
                if has[1] { alignment(&host, &neighbors, &align) } else { V::ZERO },
                if has[2] { cohesion(&host, &neighbors, &cohere) } else { V::ZERO },
            ];
            let together = rules.pass().and_then(|pass| pass.forces(&host, &neighbors));
            let together = together
                .map(|forces| core::array::from_fn(|k| if has[k] { forces[k] } else { V::ZERO }));
            // Once, however many instruction sets this machine has.
            passes[usize::from(together.is_some())] += usize::from(k == 0);
            assert_eq!(together.unwrap_or(alone), alone, "case {case}, {dispatch:?}: {rules:?}");
        }
    }
    assert!(passes.iter().all(|count| *count > 400), "{passes:?}");
}

#[test]
fn one_pass_gives_the_forces_that_behaviors_have_apart() {
    assert_one_pass_gives_what_behaviors_give_apart::<Vec2>(17);
    assert_one_pass_gives_what_behaviors_give_apart::<Vec3>(18);
}

#[test]
fn a_running_list_has_the_force_of_its_behaviors_in_their_order() {
    let mut random = Random::new(19, 0, 0, 0);
    let mut rules: [fn(List<Vec2>) -> List<Vec2>; 6] = [
        |list| {
            list.weighted(
                0.3,
                Separation::default().radius(9.0).max_force(2.0).falloff(Falloff::Inverse),
            )
        },
        |list| list.weighted(-1.7, Alignment::default().radius(11.0).field_of_view(200.0)),
        |list| list.weighted(0.9, Cohesion::default().radius(12.0)),
        |list| list.weighted(1.1, Seek::new(vec2(70.0, 0.1))),
        |list| list.weighted(2.3, Alignment::default().radius(5.0)),
        |list| list.nested(0.7, List::default().with(Cohesion::default().radius(3.0))),
    ];
    for case in 0..2_000 {
        let (neighbors, host) = crowd_around::<Vec2>(&mut random, case % 4 > 0);
        (0..6).for_each(|i| rules.swap(i, random.bits() as usize % 6));
        let count = random.bits() as usize % 7;
        let mut list = rules[..count].iter().fold(List::default(), |list, add| add(list));
        if count > 2 {
            list.slots[2].off = case % 5 == 0;
        }
        let context = || SteerContext { neighbors: &neighbors, ..SteerContext::empty(1.0) };
        let force = list.force(&host, &mut [], &mut context(), DebugDraw::OFF);
        let list = list.switched_on();
        let running = list.running(&host, &mut [], &mut Memory::default(), &mut context());
        assert_eq!(running, force, "case {case}: {list:?}");
    }
}

/// The agent ahead of a host in a queue, by every neighbor in any order.
#[test]
fn the_agent_ahead_is_the_nearest_to_the_probe_point_in_view() {
    let mut random = Random::new(13, 0, 0, 0);
    let mut found = 0;
    for case in 0..1_000 {
        let (neighbors, host) = crowd_around::<Vec2>(&mut random, false);
        let field_of_view = [60.0, 180.0, 360.0][case % 3];
        let parameters =
            Queue { field_of_view, brake: Some(1.0), ..Queue::default().ahead(2.0).radius(3.0) };
        let filter = NeighborFilter { radius: f32::INFINITY, of: &Groups::All, field_of_view };
        let probe = host.heading * 2.0;
        let near = |n: &Neighbor<Vec2>| (n.offset - probe).length_squared();
        let first = neighbors
            .within(filter, host.heading)
            .filter(|n| near(n) <= 9.0)
            .min_by(|a, b| near(a).total_cmp(&near(b)).then(a.id.cmp(&b.id)));
        let force = queue(&host, Vec2::X, &neighbors, &parameters, 0.1);
        assert_eq!(force.force == Vec2::ZERO && force.start == host.velocity, first.is_none());
        if let Some(ahead) = first {
            found += 1;
            let is_damped = ahead.distance_squared <= 9.0;
            let factor = if is_damped { libm::powf(0.3, 0.1) } else { 1.0 };
            assert_eq!(force.start, host.velocity * factor, "case {case}");
        }
    }
    assert!(found > 200, "{found}");
}

#[test]
fn a_close_neighbor_counts_also_where_the_groups_leave_the_host_out() {
    let mut neighbors = Neighbors::<Vec2>::none();
    neighbors.push(Neighbor::new(AgentId(0), Vec2::ZERO, Vec2::X));
    let close = Neighbor::new(AgentId(1), vec2(1e-3, 0.0), Vec2::X);
    neighbors.push(Neighbor { group: GroupId(1), ..close });
    neighbors.set_host(AgentId(0), Vec2::ZERO, 1, 1.0);
    let apart = Separation::default().radius(10.0).max_force(2.0).of(Groups::only([1]));
    let push = separation(&Agent::new(Vec2::ZERO, 1.0), &neighbors, &apart);
    assert_eq!(push, vec2(-2.0, 0.0));
}
