//! The expected state of each agent and of the world, kept in the simplest way.

use std::collections::BTreeMap;

use wayfare::crowd::{
    AgentChange, Command, Distribution, Group, Limit, Setting, Setup, Stat, range,
};
use wayfare::glam::Vec2;
use wayfare::{Crowd, GroupId, Order, PathId};

/// The expected state of an agent.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expected {
    group: usize,
    state: usize,
    order: Option<Order<Vec2>>,
    own: BTreeMap<&'static str, f32>,
    frozen: Option<Vec2>,
    stats: Vec<f32>,
}

/// The expected state of the whole crowd.
pub(super) struct Model {
    /// Groups and paths stay where they are when they are removed.
    setup: Setup<Vec2>,
    removed_groups: Vec<usize>,
    removed_paths: Vec<usize>,
    agents: BTreeMap<u32, Expected>,
    pub(super) next_id: u32,
    obstacles: Counted<()>,
    lines: Counted<String>,
    exits: Counted<()>,
    /// The group of each source.
    sources: Counted<usize>,
    fields: Vec<String>,
}

/// Items by their ids, which are counted.
#[derive(Default)]
struct Counted<T> {
    items: BTreeMap<u32, T>,
    next: u32,
}

impl<T> Counted<T> {
    fn add(&mut self, item: T) -> bool {
        self.items.insert(self.next, item);
        self.next += 1;
        true
    }

    fn remove(&mut self, id: u32) -> bool {
        self.items.remove(&id).is_some()
    }

    fn ids(&self) -> Vec<u32> {
        self.items.keys().copied().collect()
    }
}

impl Model {
    pub(super) fn new(setup: &Setup<Vec2>) -> Self {
        let mut model = Self {
            agents: BTreeMap::new(),
            next_id: 0,
            removed_groups: Vec::new(),
            removed_paths: Vec::new(),
            obstacles: Counted::default(),
            lines: Counted::default(),
            exits: Counted::default(),
            sources: Counted::default(),
            fields: Vec::new(),
            setup: setup.clone(),
        };
        setup.obstacles.iter().for_each(|_| _ = model.obstacles.add(()));
        for group in 0..2 {
            (0..setup.groups[group].count).for_each(|_| model.add(group));
        }
        model
    }

    fn add(&mut self, group: usize) {
        let of = &self.setup.groups[group];
        let stats = of.stats.iter().map(start).collect();
        let own = BTreeMap::new();
        let agent = Expected { group, state: of.start.0, order: None, own, frozen: None, stats };
        self.agents.insert(self.next_id, agent);
        self.next_id += 1;
    }

    /// The index of the group of this name.
    fn group(&self, name: &str) -> Option<usize> {
        let is = |i: &usize| self.setup.groups[*i].name == name && !self.removed_groups.contains(i);
        (0..self.setup.groups.len()).find(is)
    }

    /// The index of the path of this name.
    fn path(&self, name: &str) -> Option<usize> {
        let is = |i: &usize| self.setup.paths[*i].0 == name && !self.removed_paths.contains(i);
        (0..self.setup.paths.len()).find(is)
    }

    /// Changes the points of a path, where there is one; the change says whether it fits.
    fn change_points(&mut self, path: &str, change: impl FnOnce(&mut Vec<Vec2>) -> bool) -> bool {
        self.path(path).is_some_and(|path| {
            let path = &mut self.setup.paths[path].1;
            let mut points = path.points().to_vec();
            let fits = change(&mut points);
            *path = path.through(points);
            fits
        })
    }

    /// A limit of an agent: its own, otherwise that of its state, otherwise that of its group.
    fn limit(&self, agent: &Expected, limit: Limit) -> f32 {
        let group = &self.setup.groups[agent.group];
        let of_state = group.states[agent.state].limit(limit);
        let own = agent.own.get(limit.name()).copied();
        own.or(of_state).unwrap_or_else(|| group.bounds(limit).1)
    }

    /// Whether the crowd should accept `command`; then the model has changed.
    pub(super) fn apply(&mut self, command: &Command<Vec2>, crowd: &Crowd<Vec2>) -> bool {
        match command {
            Command::Add { group, .. } => {
                let group = self.group(group);
                group.is_some_and(|group| {
                    self.add(group);
                    true
                })
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
            Command::AddObstacle(_) => self.obstacles.add(()),
            Command::SetObstacle(id, _) => self.obstacles.items.contains_key(&id.0),
            Command::RemoveObstacle(id) => self.obstacles.remove(id.0),
            Command::AddPoint { path, point, position } => self.change_points(path, |points| {
                let fits = *point <= points.len();
                if fits {
                    points.insert(*point, *position);
                }
                fits
            }),
            Command::MovePoint { path, point, .. } => {
                self.change_points(path, |points| *point < points.len())
            }
            Command::RemovePoint { path, point } => self.change_points(path, |points| {
                let fits = *point < points.len() && points.len() > 1;
                if fits {
                    points.remove(*point);
                }
                fits
            }),
            Command::Set { key_path, value: Setting::Number(x) } => {
                let group = key_path["group[".len()..].split(']').next().unwrap().parse().unwrap();
                group < self.setup.groups.len()
                    && !self.removed_groups.contains(&group)
                    && self.set(group, *x)
            }
            Command::AddGroup(group) => {
                let is_free = self.group(&group.name).is_none();
                if is_free {
                    self.setup.groups.push(Group::clone(group));
                    let index = self.setup.groups.len() - 1;
                    (0..group.count).for_each(|_| self.add(index));
                }
                is_free
            }
            Command::RemoveGroup(name) => self.group(name).is_some_and(|group| {
                let is_filled = self.sources.items.values().any(|of| *of == group);
                if !is_filled {
                    self.removed_groups.push(group);
                    self.agents.retain(|_, agent| agent.group != group);
                }
                !is_filled
            }),
            Command::AddPath { name, path } => {
                let is_free = self.path(name).is_none();
                if is_free {
                    self.setup.paths.push((name.clone(), path.clone()));
                }
                is_free
            }
            Command::RemovePath(name) => self.path(name).is_some_and(|path| {
                self.removed_paths.push(path);
                for agent in self.agents.values_mut() {
                    agent.order = agent.order.filter(|o| *o != Order::Path(PathId(path)));
                }
                true
            }),
            Command::AddField { name, .. } => {
                let is_free = !self.fields.contains(name);
                self.fields.extend(is_free.then(|| name.clone()));
                is_free
            }
            Command::RemoveField(name) => {
                let before = self.fields.len();
                self.fields.retain(|field| field != name);
                self.fields.len() < before
            }
            Command::AddLine(line) => {
                !self.lines.items.values().any(|name| *name == line.name)
                    && self.lines.add(line.name.clone())
            }
            Command::RemoveLine(name) => {
                let before = self.lines.items.len();
                self.lines.items.retain(|_, line| line != name);
                self.lines.items.len() < before
            }
            Command::AddExit(_) => self.exits.add(()),
            Command::RemoveExit(id) => self.exits.remove(id.0),
            Command::AddSource(source) => {
                let GroupId(group) = source.group;
                group < self.setup.groups.len()
                    && !self.removed_groups.contains(&group)
                    && self.sources.add(group)
            }
            Command::RemoveSource(id) => self.sources.remove(id.0),
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
                    Some(Order::Path(path)) => match self.path(path) {
                        Some(path) => Some(Order::Path(PathId(path))),
                        None => return false,
                    },
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
                let Some(group) = self.group(name) else { return false };
                if group != agent.group {
                    let to = &self.setup.groups[group];
                    let own = agent.own.get("max_speed");
                    if own.is_some_and(|own| *own > to.largest_max_speed()) {
                        return false;
                    }
                    let health = agent.stats[of.stats.iter().position(is_health).unwrap()];
                    agent.stats = to.stats.iter().map(start).collect();
                    let s = to.stats.iter().position(is_health).unwrap();
                    agent.stats[s] = health.min(to.stats[s].max);
                    (agent.group, agent.state) = (group, to.start.0);
                }
            }
            AgentChange::Frozen(frozen) => {
                let position = crowd.get(id).unwrap().agent.position;
                agent.frozen = frozen.then_some(position);
            }
            // Refused in motion: a group without a turn rate faces along its heading.
            AgentChange::Facing(_) => {
                let agent = crowd.get(id).unwrap().agent;
                return of.turns() || agent.velocity.length() < agent.max_speed * 1e-6;
            }
            _ => {}
        }
        self.agents.insert(id, agent);
        true
    }

    /// Ends the orders to agents that are not there, and returns who loses its target so.
    pub(super) fn lose_targets(&mut self) -> Vec<(u32, u32)> {
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

    pub(super) fn check(&self, crowd: &Crowd<Vec2>, why: &str) {
        assert_eq!(crowd.len(), self.agents.len(), "{why}");
        let obstacles: Vec<u32> = crowd.obstacle_ids().map(|id| id.0).collect();
        let lines: Vec<u32> = crowd.lines().iter().map(|count| count.id.0).collect();
        let exits: Vec<u32> = crowd.exits().iter().map(|count| count.id.0).collect();
        let sources: Vec<u32> = crowd.sources().iter().map(|count| count.id.0).collect();
        assert_eq!(
            [obstacles, lines, exits, sources],
            [self.obstacles.ids(), self.lines.ids(), self.exits.ids(), self.sources.ids()],
            "{why}"
        );
        for (i, (_, path)) in self.setup.paths.iter().enumerate() {
            let count = if self.removed_paths.contains(&i) { 0 } else { path.points().len() };
            assert_eq!(crowd.paths()[i].points().len(), count, "path {i}, {why}");
        }
        for (id, expected) in &self.agents {
            let found = crowd.get(*id).unwrap();
            let has = (found.group.0, found.state.unwrap(), found.order, found.stats);
            let states = &self.setup.groups[expected.group].states;
            let state = states[expected.state].name.as_str();
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

/// The first value of a stat, the same for all agents.
fn start(stat: &Stat) -> f32 {
    stat.start.bounds(range::STAT).0
}
