//! Draggable objects: agents, points of paths, obstacles.

use wayfare::crowd::Command;
use wayfare::geometry::obstacle::{Obstacle, Shape};
use wayfare::glam::Vec2;
use wayfare::vector::Up;
use wayfare::{AgentId, Crowd, ObstacleId, Vector};

/// A draggable object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pick {
    Agent(AgentId),
    /// Index of a path, and index of a point in it.
    Point(usize, usize),
    Obstacle(ObstacleId),
}

impl Pick {
    /// The nearest agent or path point within `reach` (length) of a point of the world, or else an
    /// obstacle there.
    pub(crate) fn at<V: Vector>(crowd: &Crowd<V>, at: Vec2, reach: f32) -> Option<Self> {
        let up = crowd.up();
        let agents = crowd.agents().map(|(id, agent)| {
            (up.ground(agent.position).distance(at) - agent.radius, Self::Agent(id))
        });
        // A curve has been flattened into many points; dragging single ones makes no sense.
        let paths = crowd.paths().iter().enumerate().filter(|(_, path)| path.points().len() <= 40);
        let points = paths.flat_map(|(i, path)| {
            path.points()
                .iter()
                .enumerate()
                .map(move |(k, p)| (up.ground(*p).distance(at), Self::Point(i, k)))
        });
        let nearest = agents
            .chain(points)
            .filter(|(distance, _)| *distance <= reach)
            .min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map(|(_, pick)| pick).or_else(|| Self::obstacle(crowd, at, 0.5 * reach))
    }

    /// The obstacle at a point of the world or at most `reach` (length) away; the last of several.
    pub(crate) fn obstacle<V: Vector>(crowd: &Crowd<V>, at: Vec2, reach: f32) -> Option<Self> {
        let over = |obstacle: &Obstacle<V>| {
            let (low, high) = obstacle.shape().extent(crowd.up());
            // In space the view is from above: compare at the height of the shape itself.
            let p = crowd.up().at_height_of(at, (low + high) * 0.5);
            obstacle.distance(p) <= reach
        };
        let index = crowd.obstacles().iter().rposition(over)?;
        crowd.obstacle_ids().nth(index).map(Self::Obstacle)
    }
}

/// The grabbed object, and its state before the drag.
#[derive(Clone, Debug)]
pub(crate) enum Grabbed<V: Vector> {
    Agent { id: AgentId, position: V, velocity: V },
    Point { path: String, point: usize, position: V },
    Obstacle { id: ObstacleId, shape: Shape<V>, up: Up },
}

impl<V: Vector> Grabbed<V> {
    /// Records the state of the picked object; `None` if it no longer exists.
    pub(crate) fn new(crowd: &Crowd<V>, pick: Pick) -> Option<Self> {
        Some(match pick {
            Pick::Agent(id) => {
                let agent = crowd.get(id)?.agent;
                Self::Agent { id, position: agent.position, velocity: agent.velocity }
            }
            Pick::Point(path, point) => {
                let position = *crowd.paths().get(path)?.points().get(point)?;
                Self::Point { path: crowd.path_names().nth(path)?.to_string(), point, position }
            }
            Pick::Obstacle(id) => {
                let shape = crowd.obstacle(id)?.shape().clone();
                Self::Obstacle { id, shape, up: crowd.up() }
            }
        })
    }

    /// The command that moves it to `offset` from where it was grabbed.
    pub(crate) fn moved(&self, offset: V) -> Command<V> {
        match self {
            Self::Agent { id, position, .. } => {
                Command::Move { id: *id, position: *position + offset, velocity: None }
            }
            Self::Point { path, point, position } => Command::MovePoint {
                path: path.clone(),
                point: *point,
                position: *position + offset,
            },
            Self::Obstacle { id, shape, up } => {
                Command::SetObstacle(*id, shape.shifted(offset, *up))
            }
        }
    }

    /// The command that puts it back.
    pub(crate) fn restored(self) -> Command<V> {
        match self {
            Self::Agent { id, position, velocity } => {
                Command::Move { id, position, velocity: Some(velocity) }
            }
            Self::Point { path, point, position } => Command::MovePoint { path, point, position },
            Self::Obstacle { id, shape, .. } => Command::SetObstacle(id, shape),
        }
    }
}
