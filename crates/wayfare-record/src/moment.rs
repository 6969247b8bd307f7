//! A crowd as it stands at one moment, with all that a picture shows of it: taken out, so that it
//! can be drawn later.

use std::sync::Arc;

use wayfare::crowd::Line;
use wayfare::geometry::obstacle::Shape;
use wayfare::geometry::path::Path;
use wayfare::{Crowd, Vector};

use crate::strokes::strokes;
use crate::trails::Sample;

/// What agents move among, and what the groups are called.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Land<V> {
    pub(crate) groups: Vec<String>,
    pub(crate) obstacles: Vec<Shape<V>>,
    pub(crate) paths: Vec<Path<V>>,
    /// Of each field some places (length), and what leads on from there.
    pub(crate) fields: Vec<Vec<(V, V)>>,
    pub(crate) lines: Vec<Line<V>>,
    pub(crate) exits: Vec<Shape<V>>,
    pub(crate) sources: Vec<Shape<V>>,
}

impl<V: Vector> Land<V> {
    fn of(crowd: &Crowd<V>) -> Self {
        Self {
            groups: crowd.group_names().map(str::to_string).collect(),
            obstacles: crowd.obstacles().iter().map(|obstacle| obstacle.shape().clone()).collect(),
            paths: crowd.paths().to_vec(),
            fields: crowd
                .fields()
                .iter()
                .map(|field| strokes(field, crowd.obstacles().into()))
                .collect(),
            lines: crowd.lines().iter().map(|count| count.line.clone()).collect(),
            exits: crowd.exits().iter().map(|count| count.exit.shape.clone()).collect(),
            sources: crowd.sources().iter().map(|count| count.source.area.clone()).collect(),
        }
    }
}

/// A crowd as it stands at one moment.
#[derive(Clone, Debug)]
pub(crate) struct Moment<V> {
    /// Who is where, in the order of ids.
    pub(crate) sample: Sample<V>,
    /// The ways they face, in the same order.
    headings: Vec<V>,
    /// Their bodies' radii (length), in the same order.
    radii: Vec<f32>,
    /// Where the pointer is (length).
    pub(crate) pointer: Option<V>,
    /// Shared between moments with the same.
    pub(crate) land: Arc<Land<V>>,
}

/// An agent as it is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing<V> {
    /// The index of its group.
    pub(crate) group: usize,
    pub(crate) position: V,
    pub(crate) heading: V,
    pub(crate) radius: f32,
}

impl<V: Vector> Moment<V> {
    /// `before` is an earlier moment, and `latest` the newest sample of the same crowd.
    pub(crate) fn of(
        crowd: &Crowd<V>,
        before: Option<&Moment<V>>,
        latest: Option<&Sample<V>>,
    ) -> Self {
        let mut order = Vec::new();
        crowd.rows_by_id(&mut order);
        let agents = || order.iter().map(|&place| crowd.at(place).agent);
        let land = Land::of(crowd);
        Self {
            sample: Sample::of(crowd, latest),
            headings: agents().map(|agent| agent.facing).collect(),
            radii: agents().map(|agent| agent.radius).collect(),
            pointer: crowd.pointer(),
            land: before
                .filter(|before| *before.land == land)
                .map_or_else(|| Arc::new(land), |before| before.land.clone()),
        }
    }

    /// The agents, in the order of ids.
    pub(crate) fn agents(&self) -> impl ExactSizeIterator<Item = Standing<V>> + '_ {
        (0..self.len()).map(|i| self.at(i))
    }

    /// The agent at `i` in the order of ids.
    pub(crate) fn at(&self, i: usize) -> Standing<V> {
        Standing {
            group: self.sample.who[i].group as usize,
            position: self.sample.positions[i],
            heading: self.headings[i],
            radius: self.radii[i],
        }
    }

    /// How many agents there are.
    pub(crate) fn len(&self) -> usize {
        self.headings.len()
    }
}
