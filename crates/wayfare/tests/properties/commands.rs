//! Random commands of every kind on a running crowd, against a model that stores what each agent
//! should have, and replayed with other threads through a snapshot to the same digest.

use std::collections::BTreeMap;

use wayfare::behavior::{AvoidObstacles, FollowPath, Seek, Separation, Wander};
use wayfare::crowd::{
    AgentChange, Command, Distribution, Event, Group, Limit, Setting, Setup, Spawn, Stat, State,
    StateLimits, Track,
};
use wayfare::geometry::obstacle::Shape;
use wayfare::geometry::path::Path;
use wayfare::glam::{Vec2, vec2};
use wayfare::parameter::{Parameters, Target};
use wayfare::random::Random;
use wayfare::{AgentId, Crowd, List, Order, PathId};

const TICKS: u64 = 200;
const PATHS: [&str; 2] = ["beat", "round"];
const STATES: [[&str; 2]; 2] = [["calm", "hurry"], ["rest", "run"]];

/// Two groups with states that nothing but a command changes, and stats without rates.
fn setup(agents: usize) -> Setup<Vec2> {
    let state = |name: &str, max_speed, radius| State {
        name: name.to_string(),
        limits: StateLimits { max_speed, radius, ..StateLimits::default() },
        rates: Vec::new(),
        steer: List::default(),
        leave: Vec::new(),
    };
    let side = (agents as f32).sqrt() * 8.0;
    let area = Shape::box_between(Vec2::ZERO, vec2(side, side));
    let mut red = Group::new("red", agents / 2, Spawn::Inside(area.clone()), 3.0);
    red.speed_cap = Some(6.0);
    red.mass = Distribution::Same(4.0);
    red.steer = List::default()
        .with(Seek { target: Target::Order, within: f32::INFINITY })
        .with(Separation { radius: 12.0, max_force: 1.0, ..Parameters::<Vec2>::defaults() })
        .with(AvoidObstacles {
            see_ahead: 9.0,
            max_avoid_force: 2.0,
            ..Parameters::<Vec2>::defaults()
        });
    red.states = vec![state("calm", None, None), state("hurry", Some(5.0), Some(2.0))];
    red.stats = vec![stat("health", 50.0, 100.0), stat("ammo", 3.0, 9.0)];
    let mut blue = Group::new("blue", agents / 2, Spawn::Inside(area), 2.0);
    blue.steer = List::default()
        .with(FollowPath { path: PathId::ORDER, ..Parameters::<Vec2>::defaults() })
        .with(Wander { circle_distance: 3.0, circle_radius: 2.0, angle_change: 0.7 });
    blue.states = vec![state("rest", Some(1.0), None), state("run", Some(4.0), None)];
    blue.start = 1;
    blue.stats = vec![stat("gold", 0.0, 5.0), stat("health", 20.0, 60.0)];
    let path = |points: &[Vec2]| Path::new(points.to_vec(), 4.0, false);
    Setup {
        seed: 7,
        pointer: Some(Track { points: vec![(0.0, Vec2::ZERO)] }),
        obstacles: vec![Shape::Circle { center: vec2(side, side), radius: 5.0 }],
        paths: vec![
            (PATHS[0].to_string(), path(&[vec2(0.0, 0.0), vec2(side, 0.0)])),
            (PATHS[1].to_string(), path(&[vec2(9.0, 9.0), vec2(9.0, side)])),
        ],
        groups: vec![red, blue],
        ..Setup::default()
    }
}

fn stat(name: &str, start: f32, max: f32) -> Stat {
    Stat { name: name.to_string(), start, min: 0.0, max }
}

/// What an agent should have.
#[derive(Clone, Debug, PartialEq)]
struct Expected {
    group: usize,
    state: usize,
    order: Option<Order<Vec2>>,
    own: BTreeMap<&'static str, f32>,
    frozen: Option<Vec2>,
    stats: Vec<f32>,
}

/// What the whole crowd should have.
struct Model {
    setup: Setup<Vec2>,
    agents: BTreeMap<u32, Expected>,
    next_id: u32,
    obstacles: usize,
    points: [usize; 2],
}

impl Model {
    fn new(setup: &Setup<Vec2>) -> Self {
        let mut model = Self {
            agents: BTreeMap::new(),
            next_id: 0,
            obstacles: setup.obstacles.len(),
            points: [0, 1].map(|path| setup.paths[path].1.points.len()),
            setup: setup.clone(),
        };
        for group in 0..2 {
            (0..setup.groups[group].count).for_each(|_| model.add(group));
        }
        model
    }

    fn add(&mut self, group: usize) {
        let of = &self.setup.groups[group];
        let stats = of.stats.iter().map(|stat| stat.start).collect();
        let own = BTreeMap::new();
        let agent = Expected { group, state: of.start, order: None, own, frozen: None, stats };
        self.agents.insert(self.next_id, agent);
        self.next_id += 1;
    }

    /// A limit of an agent: its own, otherwise that of its state, otherwise that of its group.
    fn limit(&self, agent: &Expected, limit: Limit) -> f32 {
        let group = &self.setup.groups[agent.group];
        let of_state = group.states[agent.state].limits.named()[limit as usize].1;
        let of_group = [group.mass, group.max_speed, group.max_force, group.radius];
        let own = agent.own.get(limit.name()).copied();
        own.or(of_state).unwrap_or_else(|| of_group[limit as usize].largest())
    }

    /// Whether the crowd should accept `command`; then the model has changed.
    fn apply(&mut self, command: &Command<Vec2>, crowd: &Crowd<Vec2>) -> bool {
        match command {
            Command::Add { group, .. } => {
                self.add(usize::from(group == "blue"));
                true
            }
            Command::Remove(id) => self.agents.remove(&id.0).is_some(),
            Command::Move { id, velocity, .. } => {
                let agent = self.agents.get_mut(&id.0);
                agent.is_some_and(|agent| match &mut agent.frozen {
                    Some(_) if velocity.is_some() => false,
                    Some(at) => {
                        let Command::Move { position, .. } = command else { return false };
                        *at = *position;
                        true
                    }
                    None => true,
                })
            }
            Command::AddObstacle(_) => {
                self.obstacles += 1;
                true
            }
            Command::SetObstacle(i, _) => *i < self.obstacles,
            Command::RemoveObstacle(i) => {
                let is_there = *i < self.obstacles;
                self.obstacles -= usize::from(is_there);
                is_there
            }
            Command::AddPoint { path, point, .. } => {
                let count = &mut self.points[usize::from(path == PATHS[1])];
                let fits = point <= count;
                *count += usize::from(fits);
                fits
            }
            Command::MovePoint { path, point, .. } => {
                *point < self.points[usize::from(path == PATHS[1])]
            }
            Command::RemovePoint { path, point } => {
                let count = &mut self.points[usize::from(path == PATHS[1])];
                let fits = point < count && *count > 1;
                *count -= usize::from(fits);
                fits
            }
            Command::Set { key_path, value: Setting::Number(x) } => {
                self.set(usize::from(key_path.contains("[1]")), *x)
            }
            Command::Agent { id, change } => self.change(id.0, change, crowd),
            _ => true,
        }
    }

    /// Sets the max_speed of a group.
    fn set(&mut self, group: usize, x: f32) -> bool {
        if self.setup.groups[group].speed_cap.is_some_and(|cap| x > cap) {
            return false;
        }
        self.setup.groups[group].max_speed = Distribution::Same(x);
        let largest = self.setup.groups[group].largest_max_speed();
        for agent in self.agents.values_mut().filter(|agent| agent.group == group) {
            agent.own.entry("max_speed").and_modify(|own| *own = own.min(largest));
        }
        true
    }

    fn change(&mut self, id: u32, change: &AgentChange<Vec2>, crowd: &Crowd<Vec2>) -> bool {
        let Some(mut agent) = self.agents.get(&id).cloned() else { return false };
        let of = &self.setup.groups[agent.group];
        match change {
            AgentChange::Order(order) => {
                agent.order = match order {
                    Some(Order::Agent(other))
                        if other.0 == id || !self.agents.contains_key(&other.0) =>
                    {
                        return false;
                    }
                    Some(Order::Path(path)) => {
                        Some(Order::Path(PathId(usize::from(path == PATHS[1]))))
                    }
                    Some(Order::Agent(other)) => Some(Order::Agent(*other)),
                    Some(Order::Point(point)) => Some(Order::Point(*point)),
                    _ => None,
                };
            }
            AgentChange::Limit(limit, None) => {
                agent.own.remove(limit.name());
            }
            AgentChange::Limit(limit, Some(x)) => {
                if *limit == Limit::MaxSpeed && *x > of.largest_max_speed() {
                    return false;
                }
                agent.own.insert(limit.name(), *x);
            }
            AgentChange::State(name) => match of.states.iter().position(|s| s.name == *name) {
                Some(state) => agent.state = state,
                None => return false,
            },
            AgentChange::Stat(name, value) => {
                match of.stats.iter().position(|stat| stat.name == *name) {
                    Some(s) if *value <= of.stats[s].max => agent.stats[s] = *value,
                    _ => return false,
                }
            }
            AgentChange::Group(name) => {
                let group = usize::from(name == "blue");
                if group != agent.group {
                    let to = &self.setup.groups[group];
                    let own = agent.own.get("max_speed");
                    if own.is_some_and(|own| *own > to.largest_max_speed()) {
                        return false;
                    }
                    let health = agent.stats[of.stats.iter().position(is_health).unwrap()];
                    agent.stats = to.stats.iter().map(|stat| stat.start).collect();
                    let s = to.stats.iter().position(is_health).unwrap();
                    agent.stats[s] = health.min(to.stats[s].max);
                    (agent.group, agent.state) = (group, to.start);
                }
            }
            AgentChange::Frozen(frozen) => {
                let position = crowd.get(id).unwrap().agent.position;
                agent.frozen = frozen.then_some(position);
            }
            // Refused in motion: a group without a turn rate faces along its heading.
            AgentChange::Facing(_) => {
                let agent = crowd.get(id).unwrap().agent;
                return agent.velocity.length() < agent.max_speed * 1e-6;
            }
            _ => {}
        }
        self.agents.insert(id, agent);
        true
    }

    /// Ends the orders to agents that are not there, and returns who loses its target so.
    fn lose_targets(&mut self) -> Vec<(u32, u32)> {
        let there: Vec<u32> = self.agents.keys().copied().collect();
        let mut lost = Vec::new();
        for (id, agent) in &mut self.agents {
            if let Some(Order::Agent(target)) = agent.order
                && there.binary_search(&target.0).is_err()
            {
                lost.push((*id, target.0));
                agent.order = None;
            }
        }
        lost
    }

    fn check(&self, crowd: &Crowd<Vec2>, why: &str) {
        assert_eq!(crowd.len(), self.agents.len(), "{why}");
        assert_eq!(crowd.obstacles().len(), self.obstacles, "{why}");
        for (id, expected) in &self.agents {
            let found = crowd.get(*id).unwrap();
            let has = (found.group.0, found.state.unwrap(), found.order, found.stats);
            let state = STATES[expected.group][expected.state];
            let should = (expected.group, state, expected.order, &expected.stats[..]);
            assert_eq!(has, should, "agent {id}, {why}");
            let agent = found.agent;
            let limits = [agent.mass, agent.max_speed, agent.max_force, agent.radius];
            let should = Limit::ALL.map(|limit| self.limit(expected, limit));
            assert_eq!(limits, should, "agent {id}, {why}");
            assert!(agent.velocity.length() <= agent.max_speed * 1.000_01, "agent {id}, {why}");
            if let Some(position) = expected.frozen {
                let motion = (found.frozen, agent.position, agent.velocity);
                assert_eq!(motion, (true, position, Vec2::ZERO), "agent {id}, {why}");
            }
        }
    }
}

fn is_health(stat: &Stat) -> bool {
    stat.name == "health"
}

/// A command of any kind, which may be refused.
fn any_command(random: &mut Random, next_id: u32) -> Command<Vec2> {
    let mut below = |n: u32| random.bits() as u32 % n;
    let id = AgentId(below(next_id + 1));
    let mut point = || vec2(below(640) as f32 / 8.0, below(640) as f32 / 8.0);
    let position = point();
    let shape = Shape::Circle { center: point(), radius: 3.0 };
    let group = ["red", "blue"][below(2) as usize].to_string();
    let path = PATHS[below(2) as usize].to_string();
    let index = below(4) as usize;
    let velocity = (below(2) == 0).then(|| vec2(1.5, 0.5));
    let number = 0.5 + below(64) as f32 / 8.0;
    let agent = |change| Command::Agent { id, change };
    match below(24) {
        0 => Command::Pointer(Some(position)),
        1 => Command::Add { group, position, velocity },
        2 => Command::Remove(id),
        3 => Command::Move { id, position, velocity },
        4 => Command::AddObstacle(shape),
        5 => Command::SetObstacle(index, shape),
        6 => Command::RemoveObstacle(index),
        7 => Command::AddPoint { path, point: index, position },
        8 => Command::MovePoint { path, point: index, position },
        9 => Command::RemovePoint { path, point: index },
        10 => Command::Set {
            key_path: format!("group[{}].max_speed", below(2)),
            value: Setting::Number(number),
        },
        11 => agent(AgentChange::Order(None)),
        12 => agent(AgentChange::Order(Some(Order::Path(path)))),
        13 | 14 => agent(AgentChange::Order(Some(Order::Agent(AgentId(below(next_id)))))),
        15 | 16 => agent(AgentChange::Order(Some(Order::Point(position)))),
        17 => agent(AgentChange::Limit(
            Limit::ALL[below(4) as usize],
            (below(3) > 0).then_some(number),
        )),
        18 => {
            let state = STATES[below(2) as usize][below(2) as usize];
            agent(AgentChange::State(state.to_string()))
        }
        19 => {
            let stat = ["health", "ammo", "gold"][below(3) as usize].to_string();
            agent(AgentChange::Stat(stat, number * 9.0))
        }
        20 => agent(AgentChange::Group(group)),
        21 => agent(AgentChange::Facing(vec2(0.0, 1.0))),
        kind => agent(AgentChange::Frozen(kind == 22)),
    }
}

/// Runs random commands on a crowd of `agents`, checked against the model, then replays them.
fn run(sequence: u32, agents: usize) {
    let setup = setup(agents);
    let mut crowd = Crowd::new(setup.clone()).unwrap();
    let mut model = Model::new(&setup);
    let mut random = Random::new(11, sequence, 0, 0);
    let mut log: Vec<(u64, Command<Vec2>)> = Vec::new();
    for tick in 0..TICKS {
        while random.bits().is_multiple_of(2) {
            let command = any_command(&mut random, model.next_id);
            let accepts = model.apply(&command, &crowd);
            let why = format!("sequence {sequence}, tick {tick}: {command:?}");
            let before = (sequence.is_multiple_of(50) && !accepts).then(|| crowd.snapshot());
            let result = crowd.apply(&command);
            assert_eq!(result.is_ok(), accepts, "{why}: {result:?}");
            assert!(before.is_none_or(|before| before == crowd.snapshot()), "{why}");
            if accepts {
                log.push((tick, command));
                if agents < 100 {
                    model.check(&crowd, &why);
                }
            }
        }
        let lost = model.lose_targets();
        crowd.step();
        let found = crowd.events().iter().filter_map(|event| match event {
            Event::TargetLost { id, target } => Some((id.0, target.0)),
            _ => None,
        });
        assert_eq!(found.collect::<Vec<_>>(), lost, "sequence {sequence}, tick {tick}");
        model.check(&crowd, &format!("sequence {sequence}, after tick {tick}"));
    }
    let mut again = Crowd::new(setup.clone()).unwrap();
    #[cfg(feature = "parallel")]
    again.set_threads(3).unwrap();
    let mut commands = log.iter().peekable();
    for tick in 0..TICKS {
        if tick == TICKS / 2 {
            let snapshot = again.snapshot();
            again = Crowd::new(setup.clone()).unwrap();
            again.restore(&snapshot).unwrap();
        }
        while let Some((_, command)) = commands.next_if(|(at, _)| *at == tick) {
            again.apply(command).unwrap();
        }
        again.step();
    }
    assert_eq!(again.digest(), crowd.digest(), "sequence {sequence}");
    assert_eq!(again.snapshot(), crowd.snapshot(), "sequence {sequence}");
}

#[test]
fn a_thousand_runs_of_random_commands_do_what_a_naive_model_says_and_replay() {
    (0..1_000).for_each(|sequence| run(sequence, 10));
}

#[test]
fn random_commands_on_a_crowd_that_threads_share_replay_to_the_same_digest() {
    (1_000..1_006).for_each(|sequence| run(sequence, 700));
}
