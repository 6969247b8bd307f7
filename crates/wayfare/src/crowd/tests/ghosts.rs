//! Ghosts: a crowd that is cut in two, what ghosts are not part of, queries and refused input.

use super::*;
use crate::behavior::{AvoidAgents, Evade, Flee, Herd, OffsetPursue, Separation};

/// [`mixed`] with agents that avoid others, pursue at an offset, evade, and look for others.
fn reading_agents<V: Vector>(bounds: Option<Bounds<V>>) -> Setup<V> {
    let mut setup = mixed(bounds);
    let avoid = AvoidAgents { margin: 1.0, ..AvoidAgents::default().horizon(5.0).radius(15.0) };
    let walking = core::mem::take(&mut setup.groups[1].steer.slots);
    setup.groups[1].steer = List::new(Combine::Budget).with(avoid);
    setup.groups[1].steer.slots.extend(walking);
    let mut scouts = Group::new("scouts", 20, setup.groups[0].spawn.clone(), 3.0);
    scouts.sight = Some(Perception {
        within: 30.0,
        field_of_view: 200.0,
        memory: 3.0,
        ..Perception::new(Target::Group(GroupId(2)))
    });
    let beside = OffsetPursue { beside: 3.0, ..OffsetPursue::new(GroupId(1)) };
    let evade = Evade::new(GroupId(2));
    let leave = |to, when| vec![Transition { to: TransitionTarget::from(to), when }];
    let state = |name: &str, steer, leave| State { steer, leave, ..State::new(name) };
    scouts.states = vec![
        state("beside", List::default().with(beside), leave(1, Condition::Sees(true))),
        state("evade", List::default().with(evade), leave(0, Condition::Remembers(false))),
    ];
    setup.groups.push(scouts);
    setup
}

/// Neighbors and targets that are at most 20 away.
fn reading_near_agents<V: Vector>(bounds: Option<Bounds<V>>) -> Setup<V> {
    let area = Shape::box_between(V::ZERO, V::from_fn(|_| 100.0));
    let mut birds = Group::new("birds", 150, Spawn::Inside(area.clone()), 3.0);
    birds.velocity = StartVelocity::Random;
    birds.max_force = Distribution::Same(1.0);
    birds.steer = List::default().with(Flock::default().radius(20.0)).weighted(0.1, wander());
    let mut hawks = Group::new("hawks", 10, Spawn::Inside(area), 4.0);
    let apart = Separation::default().radius(15.0).max_force(2.0);
    let pursue = Pursue {
        quarry: GroupId(0),
        prediction: crate::behavior::Prediction::ByDistance,
        max_prediction: 9.0,
        within: 20.0,
    };
    hawks.steer = List::default().with(pursue).with(apart);
    Setup { dt: 0.5, seed: 7, bounds, groups: vec![birds, hawks], ..Setup::default() }
}

/// Dogs that herd a flock over the cut, sheep that flee from the dogs.
fn herding<V: Vector>(bounds: Option<Bounds<V>>) -> Setup<V> {
    let area = Shape::box_between(V::ZERO, V::from_fn(|_| 100.0));
    let mut sheep = Group::new("sheep", 60, Spawn::Inside(area.clone()), 2.0);
    sheep.velocity = StartVelocity::Random;
    let flee = Flee { panic_radius: 30.0, ..Flee::new(Target::Group(GroupId(1))) };
    sheep.steer = List::default().with(flee).weighted(0.3, wander());
    let mut dogs = Group::new("dogs", 4, Spawn::Inside(area), 4.0);
    dogs.steer = List::default().with(Herd::new(0, V::from_fn(|_| 10.0)).spacing(3.0));
    Setup { dt: 0.5, seed: 3, bounds, groups: vec![sheep, dogs], ..Setup::default() }
}

/// Whether the agent is in the first half: a plane cuts the world in the middle of the x axis.
fn is_in_first_half<V: Vector>(agent: &Agent<V>) -> bool {
    agent.position.axis(0) < 50.0
}

/// The ids of the agents for which `counts` holds.
fn ids_where<V: Vector>(crowd: &Crowd<V>, counts: impl Fn(&Agent<V>) -> bool) -> Vec<AgentId> {
    crowd.agents().filter(|(_, agent)| counts(agent)).map(|(id, _)| id).collect()
}

/// A crowd cut in two: each half owns the agents of one side.
fn halves<V: Vector>(setup: &Setup<V>) -> [Crowd<V>; 2] {
    [true, false].map(|first| {
        let mut half = Crowd::new(setup.clone()).unwrap();
        let others = ids_where(&half, |agent| is_in_first_half(agent) != first);
        half.extract(&others).unwrap();
        half
    })
}

/// Hands agents over that have crossed the cut; returns their number.
fn hand_over<V: Vector>(halves: &mut [Crowd<V>; 2]) -> usize {
    let mut count = 0;
    for (from, first) in [(0, true), (1, false)] {
        let leaving = ids_where(&halves[from], |agent| is_in_first_half(agent) != first);
        let bytes = halves[from].extract(&leaving).unwrap();
        count += halves[1 - from].insert(&bytes).unwrap().len();
    }
    count
}

/// Gives each half copies of the agents of the other one that are at most `margin` (length) from
/// the cut.
fn exchange_ghosts<V: Vector>(halves: &mut [Crowd<V>; 2], margin: f32) {
    let copies = [0, 1].map(|half| {
        let wraps = halves[half].world.space.wraps();
        let is_near = |agent: &Agent<V>| {
            let x = agent.position.axis(0);
            // In a wrapped world the halves touch at the edge, too.
            (x - 50.0).abs() <= margin || (wraps && (x <= margin || 100.0 - x <= margin))
        };
        halves[half].copy(&ids_where(&halves[half], is_near)).unwrap()
    });
    for (half, bytes) in halves.iter_mut().zip(copies.iter().rev()) {
        let ghosts = half.read_ghosts(bytes).unwrap();
        half.set_ghosts(&ghosts).unwrap();
    }
}

/// Steps a whole crowd and its halves, with ghosts within `margin` (length) of the cut or without
/// ghosts; whether all agents move with the same bits. It returns at the first difference.
fn halves_move_like_the_whole<V: Vector>(setup: &Setup<V>, margin: Option<f32>) -> bool {
    let mut whole = Crowd::new(setup.clone()).unwrap();
    let mut halves = halves(setup);
    let mut handed_over = 0;
    for _ in 0..60 {
        if let Some(margin) = margin {
            exchange_ghosts(&mut halves, margin);
        }
        whole.step();
        halves.iter_mut().for_each(Crowd::step);
        assert_eq!(halves[0].len() + halves[1].len(), whole.len());
        let owned = halves.iter().flat_map(Crowd::agents);
        if owned.into_iter().any(|(id, agent)| whole.get(id).unwrap().agent != agent) {
            return false;
        }
        handed_over += hand_over(&mut halves);
    }
    assert!(handed_over > 10, "only {handed_over} agents have crossed the cut");
    // PinnedBy the halves are the whole crowd, down to states, stats and memories.
    let [mut first, mut second] = halves;
    let rest = second.id_column().to_vec();
    first.insert(&second.extract(&rest).unwrap()).unwrap();
    assert_eq!(first.digest(), whole.digest());
    assert_eq!(first.copy(first.id_column()).unwrap(), whole.copy(whole.id_column()).unwrap());
    true
}

fn assert_a_cut_changes_no_bit<V: Vector>(edge: Edge) {
    let far = reading_agents::<V>(box_of(edge));
    assert!(halves_move_like_the_whole(&far, Some(f32::INFINITY)), "{edge:?}");
    let herding = herding::<V>(box_of(edge));
    assert!(halves_move_like_the_whole(&herding, Some(f32::INFINITY)), "{edge:?}");
    assert!(!halves_move_like_the_whole(&herding, None), "{edge:?}");
    // The same without bounds around the crowd, whose extent then differs between the parts.
    let near = reading_near_agents::<V>(box_of(edge));
    assert!(halves_move_like_the_whole(&near, Some(20.5)), "{edge:?}");
    // Without ghosts the halves do not see one another.
    assert!(!halves_move_like_the_whole(&far, None), "{edge:?}");
    assert!(!halves_move_like_the_whole(&near, None), "{edge:?}");
}

#[test]
fn a_crowd_cut_in_two_moves_with_the_same_bits() {
    for edge in [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce] {
        assert_a_cut_changes_no_bit::<Vec2>(edge);
        assert_a_cut_changes_no_bit::<Vec3>(edge);
    }
}

/// A half crowd after some ticks, with all agents of the other half as ghosts, and the whole crowd.
fn half_and_whole<V: Vector>(edge: Edge) -> (Crowd<V>, Crowd<V>) {
    let mut setup = reading_agents::<V>(box_of(edge));
    setup.groups[0].radius = Distribution::Same(1.5);
    let (mut whole, mut halves) = (Crowd::new(setup.clone()).unwrap(), halves(&setup));
    for _ in 0..5 {
        exchange_ghosts(&mut halves, f32::INFINITY);
        halves.iter_mut().for_each(Crowd::step);
        whole.step();
    }
    exchange_ghosts(&mut halves, f32::INFINITY);
    let [half, _] = halves;
    (half, whole)
}

fn assert_queries_find_ghosts<V: Vector>(edge: Edge) {
    let (half, whole) = half_and_whole::<V>(edge);
    let is_owned = |id: AgentId| half.get(id).is_some();
    let mut random = Random::new(3, 0, 0, 0);
    let mut ghosts = 0;
    for _ in 0..100 {
        let point = V::from_fn(|_| random.between(0.0, 100.0));
        let group = Some(random.bits() as usize % 6).filter(|group| *group < 5).map(GroupId);
        let (found, expected) = (half.nearest(point, group), whole.nearest(point, group));
        let (found, expected) = (found.unwrap(), expected.unwrap());
        assert_eq!((found.id, found.group), (expected.id, expected.group), "{edge:?} {point:?}");
        assert_eq!((found.agent, found.owned), (expected.agent, is_owned(found.id)));
        ghosts += usize::from(!found.owned);
        let ids = |crowd: &Crowd<V>| -> Vec<_> {
            crowd.within(point, 25.0, group).iter().map(|agent| agent.id).collect()
        };
        assert_eq!(ids(&half), ids(&whole), "{edge:?} {point:?}");
        let direction = V::random_unit(&mut random);
        let hit = |crowd: &Crowd<V>| {
            crowd.ray(point, direction, 90.0).agent.map(|(agent, hit)| (agent.id, hit))
        };
        assert_eq!(hit(&half), hit(&whole), "{edge:?} {point:?} {direction:?}");
    }
    assert!(ghosts > 10);
}

#[test]
fn queries_find_ghosts_as_they_find_agents() {
    for edge in [Edge::Open, Edge::Wrap] {
        assert_queries_find_ghosts::<Vec2>(edge);
        assert_queries_find_ghosts::<Vec3>(edge);
    }
}

#[test]
fn ghosts_are_no_part_of_the_state_and_stay_until_they_are_cleared() {
    let (mut half, _) = half_and_whole::<Vec2>(Edge::Wall);
    let ghosts: Vec<_> = half.ghosts().collect();
    let state = |crowd: &Crowd<Vec2>| (crowd.digest(), crowd.snapshot(), crowd.len());
    let with = state(&half);
    assert!(ghosts.len() > 20 && half.ghost_count() == ghosts.len());
    assert_eq!((half.ids().len(), half.positions(0).len()), (half.len(), half.len()));
    assert!(ghosts.iter().all(|ghost| half.get(ghost.id).is_none()));
    half.step();
    assert!(half.ghosts().eq(ghosts.iter().copied()), "a step changed a ghost");
    assert!(half.events().iter().all(|event| half.get(event.id()).is_some()));

    // Without ghosts the crowd goes on as if there had been none, with the same bits.
    half.restore(&with.1).unwrap();
    assert_eq!(half.ghost_count(), 0, "a restore clears ghosts");
    assert!(state(&half) == with, "ghosts changed the state");
    (0..5).for_each(|_| half.step());
    let without = state(&half);
    half.restore(&with.1).unwrap();
    half.set_ghosts(&ghosts).unwrap();
    half.clear_ghosts();
    assert_eq!(half.nearest(vec2(99.0, 50.0), None).map(|agent| agent.owned), Some(true));
    (0..5).for_each(|_| half.step());
    assert!(state(&half) == without, "cleared ghosts were read");
}

#[test]
fn a_tick_in_parts_begins_again_where_ghosts_change() {
    let setup = reading_agents::<Vec2>(None);
    let ([mut at_once, mut in_parts], ghosts) = {
        let [first, second] = halves(&setup);
        let copies = second.copy(second.id_column()).unwrap();
        let ghosts = first.read_ghosts(&copies).unwrap();
        let [again, _] = halves(&setup);
        ([first, again], ghosts)
    };
    at_once.set_ghosts(&ghosts).unwrap();
    at_once.step();
    assert!(!in_parts.step_budgeted(20));
    in_parts.set_ghosts(&ghosts).unwrap();
    while !in_parts.step_budgeted(20) {}
    assert_eq!(in_parts.digest(), at_once.digest());
}

#[test]
fn an_agent_and_a_ghost_never_have_the_same_id() {
    let mut crowd = crowd(vec![group("a", &[vec2(0.0, 0.0), vec2(5.0, 0.0)])]);
    let agent = Agent::new(vec2(9.0, 0.0), 5.0);
    let ghost = |id| Ghost { id: AgentId(id), group: GroupId(0), agent };
    let taken = crowd.copy(&[1]).unwrap();
    assert!(crowd.remove(1));
    crowd.set_ghosts(&[ghost(1), ghost(2), ghost(3), ghost(90)]).unwrap();
    // New agents get the ids between those of ghosts.
    assert_eq!(crowd.add(0, vec2(1.0, 1.0), None).unwrap(), AgentId(4));
    // An agent that moves here replaces its ghost.
    assert_eq!(crowd.insert(&taken).unwrap(), [AgentId(1)]);
    let mut left: Vec<_> = crowd.ghosts().map(|ghost| ghost.id).collect();
    left.sort_unstable();
    assert_eq!(left, [2, 3, 90].map(AgentId));
    assert_eq!(crowd.nearest(vec2(5.0, 0.0), None).map(|agent| agent.owned), Some(true));
    crowd.step();
    assert!(
        left.iter().all(|id| crowd.population.ghosts.contain(id.0) && crowd.get(*id).is_none())
    );
}

#[test]
fn an_agent_of_a_source_is_found_by_its_id_and_gets_no_id_of_a_ghost() {
    let source = Source::new(
        Shape::box_between(vec2(0.0, 0.0), vec2(2.0, 9.0)),
        GroupId(0),
        Arrivals::rate(1.0),
    )
    .most(9);
    let groups = vec![group("a", &[vec2(0.0, 0.0)])];
    let mut crowd =
        Crowd::new(Setup { groups, sources: vec![source], ..Setup::default() }).unwrap();
    assert!(crowd.get(0).is_some() && crowd.get(1).is_none());
    let agent = Agent::new(vec2(9.0, 0.0), 5.0);
    crowd.set_ghosts(&[Ghost { id: AgentId(1), group: GroupId(0), agent }]).unwrap();
    crowd.step();
    assert_eq!(crowd.id_column(), [0, 2]);
    assert_eq!(crowd.get(2).map(|agent| agent.id), Some(AgentId(2)));
}

#[test]
fn invalid_ghosts_are_refused_with_place_value_and_range_and_change_nothing() {
    let mut crowd = crowd(vec![group("a", &[vec2(0.0, 0.0)])]);
    let agent = Agent::new(vec2(9.0, 0.0), 5.0).moving(vec2(5.0, 0.0));
    let valid = Ghost { id: AgentId(7), group: GroupId(0), agent };
    let far = Agent { position: vec2(1e12, 0.0), ..agent };
    crowd.set_ghosts(&[valid, Ghost { id: AgentId(8), group: GroupId(0), agent: far }]).unwrap();
    let before: Vec<_> = crowd.ghosts().collect();
    let nan = vec2(f32::NAN, 0.0);
    let with = |agent| Ghost { agent, ..valid };
    let cases = [
        (
            Ghost { id: AgentId(0), ..valid },
            "id: the id 0 is that of an agent of this crowd; allowed: an",
        ),
        (
            Ghost { id: AgentId(5), ..valid },
            "id: the id 5 is that of ghost 0, too; allowed: each id once",
        ),
        (Ghost { id: AgentId::NONE, ..valid }, "id: the id is 4294967295; allowed: an id below it"),
        (
            Ghost { group: GroupId(1), ..valid },
            "group: there is no group 1; allowed: a group's index below 1",
        ),
        (with(Agent { position: nan, ..agent }), "position: a coordinate of `position` is NaN"),
        (with(Agent { velocity: nan, ..agent }), "velocity: a coordinate of `velocity` is NaN"),
        (
            with(Agent { velocity: vec2(6.0, 0.0), ..agent }),
            "velocity: the speed is 6; allowed: up to the top speed of the groups, 5",
        ),
        (with(Agent { heading: nan, ..agent }), "heading: `heading` is NaN long; allowed: 1"),
        (with(Agent { facing: vec2(2.0, 0.0), ..agent }), "facing: `facing` is 2 long; allowed: 1"),
        (with(Agent { radius: -1.0, ..agent }), "radius: `radius` is -1; allowed: a length from 0"),
        (with(Agent { mass: f32::NAN, ..agent }), "mass: `mass` is NaN; allowed: a time above 0"),
        (with(Agent { max_speed: 0.0, ..agent }), "max_speed: `max_speed` is 0; allowed: a speed"),
        (with(Agent { max_force: -1.0, ..agent }), "max_force: `max_force` is -1; allowed: a sp"),
    ];
    for (ghost, expected) in cases {
        let error =
            crowd.set_ghosts(&[Ghost { id: AgentId(5), ..valid }, ghost]).unwrap_err().to_string();
        assert!(error.starts_with(&format!("ghosts[1].{expected}")), "{error}");
        assert!(crowd.ghosts().eq(before.iter().copied()));
    }
    let bytes = crowd.copy(&[0]).unwrap();
    for end in 0..bytes.len() {
        assert!(crowd.read_ghosts(&bytes[..end]).is_err());
    }
    assert!(crowd.copy(&[7]).unwrap_err().to_string().contains("there is no agent 7"));
}

#[test]
fn a_ghost_of_a_wrapped_world_may_be_given_anywhere() {
    let setup = Setup {
        groups: vec![group("a", &[vec2(5.0, 5.0)])],
        bounds: box_of(Edge::Wrap),
        ..Setup::default()
    };
    let mut crowd = Crowd::new(setup).unwrap();
    let agent = Agent::new(vec2(330.0, -40.0), 5.0);
    crowd.set_ghosts(&[Ghost { id: AgentId(9), group: GroupId(0), agent }]).unwrap();
    assert_eq!(crowd.ghosts().next().unwrap().agent.position, vec2(30.0, 60.0));
}
