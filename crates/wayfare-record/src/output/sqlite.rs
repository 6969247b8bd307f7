//! `.sqlite`: trajectories of JuPedSim, version 2, which PedPy reads. Not on web pages, and in the
//! plane only.
//!
//! The walkable area of a frame is the bounds of the scene without its obstacles; without bounds,
//! the box around all positions and obstacles, grown by a hundredth of its larger side. Of several
//! parts that obstacles separate, those count in which agents are at the first or the last frame,
//! or in which a source is.

use std::io;

use wayfare::geometry::navmesh::{WalkablePolygon, walkable_area};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::Vec2;
use wayfare::{Crowd, Vector};

use super::{FinishedRun, Format, Output, RowsOutput, RunData, RunInfo};
use crate::destination::Destination;
use crate::rows::write::sqlite::{SqliteRows, room};
use crate::rows::write::wkt;

pub(super) const FORMAT: Format = Format {
    extension: "sqlite",
    content: "trajectories of JuPedSim (version 2), with the walkable area",
    source: RunData::Rows,
    planar: true,
};

struct Sqlite<W, V> {
    rows: RowsOutput<SqliteRows<W>>,
    bounds: Option<[Vec2; 2]>,
    /// The obstacles, each list from its tick on.
    obstacles: Vec<(u64, Vec<Shape<V>>)>,
    /// Points in the parts of the walkable area that count.
    used: Vec<Vec2>,
}

pub(super) fn begin<W: Destination, V: Vector>(
    out: W,
    crowd: &Crowd<V>,
    info: &RunInfo<V>,
) -> io::Result<impl Output<W, V> + use<W, V>> {
    if V::DIMENSION != 2 {
        return Err(io::Error::new(io::ErrorKind::Unsupported, FORMAT.refused_in_space()));
    }
    let rows = RowsOutput::new(info.every, SqliteRows::new(out, info.rows_header(crowd))?);
    let bounds = info.bounds.map(|bounds| [bounds.min.flat(), bounds.max.flat()]);
    let mut used: Vec<Vec2> = crowd.agents().map(|(_, agent)| agent.position.flat()).collect();
    used.extend(crowd.sources().iter().map(|count| {
        let (low, high) = count.source.area.extent(crowd.up());
        ((low + high) * 0.5).flat()
    }));
    Ok(Sqlite { rows, bounds, obstacles: Vec::new(), used })
}

impl<W: Destination, V: Vector> Sqlite<W, V> {
    /// The box of the world.
    fn bounds(&self) -> [[f64; 2]; 2] {
        let point = |p: Vec2| [f64::from(p.x), f64::from(p.y)];
        if let Some([low, high]) = self.bounds {
            return [point(low), point(high)];
        }
        let [mut low, mut high] = self.rows.writer().seen();
        let shapes = self.obstacles.iter().flat_map(|(_, shapes)| shapes);
        for (from, to) in shapes.map(|shape| shape.extent(wayfare::vector::Up::default())) {
            let (from, to) = (point(from.flat()), point(to.flat()));
            for axis in 0..2 {
                low[axis] = low[axis].min(from[axis]);
                high[axis] = high[axis].max(to[axis]);
            }
        }
        room([low, high])
    }

    /// The walkable area as WKT.
    fn area(&self, [low, high]: [[f64; 2]; 2], shapes: &[Shape<V>]) -> io::Result<String> {
        let point = |[x, y]: [f64; 2]| Vec2::new(x as f32, y as f32);
        let parts = walkable_area(point(low), point(high), shapes).map_err(|error| {
            io::Error::other(format!("the walkable area cannot be computed: {error}"))
        })?;
        let is_used = |part: &&WalkablePolygon| self.used.iter().any(|p| part.contains(*p));
        let used: Vec<WalkablePolygon> = parts.iter().filter(is_used).cloned().collect();
        Ok(wkt::of_polygons(if used.is_empty() { &parts } else { &used }))
    }
}

impl<W: Destination, V: Vector> Output<W, V> for Sqlite<W, V> {
    fn record(&mut self, crowd: &Crowd<V>) -> io::Result<()> {
        let now = crowd.obstacles();
        let is_same = |(_, shapes): &(u64, Vec<Shape<V>>)| {
            shapes.len() == now.len()
                && shapes.iter().zip(now).all(|(shape, obstacle)| shape == obstacle.shape())
        };
        if !self.obstacles.last().is_some_and(is_same) {
            let shapes = now.iter().map(|obstacle| obstacle.shape().clone()).collect();
            // Areas of several obstacles added in one tick that is not written count as one.
            self.obstacles.push((crowd.tick(), shapes));
        }
        Output::<W, V>::record(&mut self.rows, crowd)
    }

    fn finish(mut self: Box<Self>, run: &FinishedRun<'_, V>) -> io::Result<W> {
        self.used.extend(run.crowd.agents().map(|(_, agent)| agent.position.flat()));
        let bounds = self.bounds();
        let areas = self.obstacles.iter();
        let areas = areas.map(|(tick, shapes)| Ok((*tick, self.area(bounds, shapes)?)));
        let areas = areas.collect::<io::Result<Vec<_>>>()?;
        self.rows.writer_mut().set_areas(areas);
        Box::new(self.rows).finish(run)
    }
}
