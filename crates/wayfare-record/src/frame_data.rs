//! A copy of everything that a picture shows of a crowd at one tick, so that it can be drawn later.

use std::sync::Arc;

use wayfare::crowd::Line;
use wayfare::geometry::obstacle::Shape;
use wayfare::geometry::path::Path;
use wayfare::vector::Up;
use wayfare::{Crowd, Vector};
use wayfare_scene::{Presentation, Units};

use crate::field_arrows::ShownField;
use crate::picture::color::Style;
use crate::rows::FrameRow;
use crate::trails::PositionSample;

/// The parts of a picture besides agents, and the names of the groups.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Environment<V> {
    /// The axis that points up, along which pictures see.
    pub(crate) up: Up,
    pub(crate) groups: Vec<String>,
    /// The styles of the groups.
    pub(crate) styles: Vec<Style>,
    pub(crate) units: Units,
    pub(crate) obstacles: Vec<Shape<V>>,
    pub(crate) paths: Vec<Path<V>>,
    pub(crate) field: Option<ShownField<V>>,
    pub(crate) lines: Vec<Line<V>>,
    pub(crate) exits: Vec<Shape<V>>,
    pub(crate) sources: Vec<Shape<V>>,
}

impl<V: Vector> Environment<V> {
    pub(crate) fn of(crowd: &Crowd<V>, presentation: &Presentation) -> Self {
        let style = |group| presentation.color(group).map_or_else(|| Style::of(group), Style::own);
        Self {
            styles: (0..crowd.group_names().count()).map(style).collect(),
            units: presentation.units.clone(),
            up: crowd.up(),
            groups: crowd.group_names().map(str::to_string).collect(),
            obstacles: crowd.obstacles().iter().map(|obstacle| obstacle.shape().clone()).collect(),
            paths: crowd.paths().to_vec(),
            field: ShownField::of(crowd, None),
            lines: crowd.lines().iter().map(|count| count.line.clone()).collect(),
            exits: crowd.exits().iter().map(|count| count.exit.shape.clone()).collect(),
            sources: crowd.sources().iter().map(|count| count.source.area.clone()).collect(),
        }
    }
}

/// The state of a crowd at one tick, as pictures show it.
#[derive(Clone, Debug)]
pub(crate) struct FrameData<V> {
    /// The positions, in the order of ids.
    pub(crate) sample: PositionSample<V>,
    /// The directions that the agents face (unit vectors), in the same order.
    headings: Vec<V>,
    /// The radii (length), in the same order.
    radii: Vec<f32>,
    /// The position of the pointer (length).
    pub(crate) pointer: Option<V>,
    /// Shared between frames with the same environment.
    pub(crate) environment: Arc<Environment<V>>,
}

/// An agent of a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameAgent<V> {
    /// The index of its group.
    pub(crate) group: usize,
    pub(crate) position: V,
    pub(crate) heading: V,
    pub(crate) radius: f32,
}

impl<V: Vector> FrameData<V> {
    /// The present state of `crowd`. `before` is an earlier frame, and `latest` the newest sample
    /// of the same crowd: what is equal is shared.
    pub(crate) fn of(
        crowd: &Crowd<V>,
        presentation: &Presentation,
        before: Option<&FrameData<V>>,
        latest: Option<&PositionSample<V>>,
    ) -> Self {
        let mut order = Vec::new();
        crowd.rows_by_id(&mut order);
        let agents = || order.iter().filter_map(|&row| Some(crowd.agent_at_row(row)?.agent));
        let environment = Environment::of(crowd, presentation);
        Self {
            sample: PositionSample::of(crowd, latest),
            headings: agents().map(|agent| agent.facing).collect(),
            radii: agents().map(|agent| agent.radius).collect(),
            pointer: crowd.pointer(),
            environment: before
                .filter(|before| *before.environment == environment)
                .map_or_else(|| Arc::new(environment), |before| before.environment.clone()),
        }
    }

    /// The frame of `sample`, whose agents have these headings.
    pub(crate) fn of_rows(
        sample: PositionSample<V>,
        rows: &[FrameRow],
        headings: &[V],
        environment: Arc<Environment<V>>,
    ) -> Self {
        Self {
            headings: headings[..rows.len()].to_vec(),
            radii: rows.iter().map(|row| row.radius).collect(),
            sample,
            pointer: None,
            environment,
        }
    }

    /// The agents, in the order of ids.
    pub(crate) fn agents(&self) -> impl ExactSizeIterator<Item = FrameAgent<V>> + '_ {
        (0..self.len()).map(|i| self.at(i))
    }

    /// The agent with the index `i` in the order of ids.
    pub(crate) fn at(&self, i: usize) -> FrameAgent<V> {
        FrameAgent {
            group: self.sample.agents[i].group as usize,
            position: self.sample.positions[i],
            heading: self.headings[i],
            radius: self.radii[i],
        }
    }

    /// The number of agents.
    pub(crate) fn len(&self) -> usize {
        self.headings.len()
    }
}
