//! Random commands to a running scene.

use wayfare::crowd::{AgentChange, Command, Exit, Limit, Line, Setting, Setup};
use wayfare::geometry::obstacle::Shape;
use wayfare::geometry::path::Path;
use wayfare::random::Random;
use wayfare::{AgentId, Crowd, ExitId, ObstacleId, Order, SourceId, Vector};
use wayfare_scene::edit::Control;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

pub(super) struct Commands<'a, V: Vector> {
    setup: &'a Setup<V>,
    key_paths: Vec<String>,
    random: Random,
}

impl<'a, V: Vector> Commands<'a, V> {
    pub(super) fn new(setup: &'a Setup<V>, controls: &[Control], number: u32) -> Self {
        let key_paths = controls.iter().map(|control| control.key_path.to_string()).collect();
        Self { setup, key_paths, random: Random::new(6, number, 0, 0) }
    }

    fn below(&mut self, n: usize) -> usize {
        self.random.bits() as usize % n.max(1)
    }

    fn number(&mut self) -> f32 {
        match self.below(12) {
            0 => 0.0,
            1 => 1e9,
            2 => -1.0,
            _ => self.below(800) as f32 / 40.0,
        }
    }

    fn point(&mut self) -> V {
        V::from_fn(|_| self.below(1600) as f32 / 40.0 - 20.0)
    }

    fn name(&mut self) -> String {
        NAMES[self.below(NAMES.len())].to_string()
    }

    fn shape(&mut self) -> Shape<V> {
        let (center, to) = (self.point(), self.point());
        match self.below(3) {
            0 => Shape::Circle { center, radius: self.number() },
            1 => Shape::box_between(center.min(to), center.max(to)),
            _ => Shape::Segment { from: center, to, thickness: 0.0 },
        }
    }

    fn setting(&mut self) -> Setting<V> {
        match self.below(8) {
            0 => Setting::Flag(self.below(2) == 0),
            1 => Setting::Text(self.name()),
            2 => Setting::Text("auto".to_string()),
            3 => Setting::Point(self.point()),
            4 => Setting::Texts(vec![self.name()]),
            _ => Setting::Number(self.number()),
        }
    }

    fn change(&mut self, ids: usize) -> AgentChange<V> {
        match self.below(10) {
            0 => AgentChange::Order(None),
            1 => AgentChange::Order(Some(Order::Path(self.name()))),
            2 => AgentChange::Order(Some(Order::Agent(AgentId(self.below(ids) as u32)))),
            3 => AgentChange::Order(Some(Order::Point(self.point()))),
            4 => AgentChange::Limit(Limit::ALL[self.below(4)], Some(self.number())),
            5 => AgentChange::State(self.name()),
            6 => AgentChange::Stat(self.name(), self.number()),
            7 => AgentChange::Group(self.name()),
            8 => AgentChange::Facing(self.point()),
            _ => AgentChange::Frozen(self.below(2) == 0),
        }
    }

    /// A command of any kind, which may be refused.
    pub(super) fn next(&mut self, crowd: &Crowd<V>) -> Command<V> {
        let ids = crowd.len() + 2;
        let (id, item) = (AgentId(self.below(ids) as u32), self.below(4));
        let obstacle = ObstacleId(item as u32);
        let (name, path) = (self.name(), self.name());
        let (position, to) = (self.point(), self.point());
        let velocity = (self.below(2) == 0).then_some(to);
        match self.below(26) {
            0 => Command::Pointer(Some(position)),
            1 => Command::Add { group: name, position, velocity },
            2 => Command::Remove(id),
            3 => Command::Move { id, position, velocity },
            4..8 => Command::Agent { id, change: self.change(ids) },
            8 => Command::Members { group: name, change: self.change(ids) },
            9 => Command::AddObstacle(self.shape()),
            10 => Command::SetObstacle(obstacle, self.shape()),
            11 => Command::RemoveObstacle(obstacle),
            12 => Command::AddPoint { path, point: item, position },
            13 => Command::MovePoint { path, point: item, position },
            14 => Command::RemovePoint { path, point: item },
            15 => {
                let Some(group) = self.setup.groups.first() else { return Command::Remove(id) };
                Command::AddGroup(Box::new(wayfare::crowd::Group { name, ..group.clone() }))
            }
            16 => Command::RemoveGroup(name),
            17 => {
                let path = Path::new(vec![position, to], self.number(), self.below(2) == 0);
                Command::AddPath { name, path }
            }
            18 => match self.below(4) {
                0 => Command::RemovePath(name),
                1 => Command::RemoveField(name),
                2 => Command::RemoveExit(ExitId(item as u32)),
                _ => Command::RemoveSource(SourceId(item as u32)),
            },
            19 => Command::AddLine(Line::new(name, position, to)),
            20 => Command::RemoveLine(name),
            21 => Command::AddExit(Exit::new(self.shape())),
            22 => match self.setup.sources.first() {
                Some(source) => Command::AddSource(source.clone()),
                None => Command::RemoveSource(SourceId(item as u32)),
            },
            _ => {
                let index = self.below(self.key_paths.len());
                let key_path = self.key_paths.get(index).cloned().unwrap_or_default();
                Command::Set { key_path, value: self.setting() }
            }
        }
    }
}
