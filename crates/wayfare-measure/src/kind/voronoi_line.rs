//! Density, speed and flow on a line from Voronoi cells.

use std::collections::HashMap;
use wayfare::Vector;
use wayfare::parameter::{Kind, Range, Unit, parameters};

use super::{Diagram, EVERY, FRAME_STEP, QUAD_SEGMENTS};
use crate::error::Fault;
use crate::line::Line;
use crate::measure::{MeasureKind, Record};
use crate::row::{Quantity, Sink, quantities};
use crate::voronoi::{CutOff, cells};
use crate::window::{Centered, RecordCentered, Windowed};
use crate::world::MeasuredWorld;

parameters! {
    /// Density, speed and flow on a line from the Voronoi cells that it passes through.
    ///
    /// With A_i the size of the cell of agent i (see `voronoi_density`), w the length of the line
    /// and w_i the length of its part in the cell: the density is the sum of w_i / (A_i w), the
    /// flow through a unit of length the sum of |v_i| w_i / (A_i w), and the speed the sum of
    /// |v_i| w_i / w, where v_i is the velocity across the line. The sign of an agent is that of
    /// its velocity across the line at the tick at which its cell first touches the line; a step
    /// back counts below zero. These are the samples of the fundamental diagram by lines, after B.
    /// Steffen, A. Seyfried, Physica A 389, 2010, as PedPy has it: `compute_line_density`,
    /// `compute_line_speed`, `compute_line_flow`, `compute_species`.
    "voronoi_line" = pub struct VoronoiLine<V> {
        /// The line.
        line: Vec<V> = required, Kind::Line;
        /// The largest distance of a cell's points from the agent; off unless given. A scene
        /// without bounds needs it.
        cut_off: Option<f32> = None, Kind::NumberOrOff(Range::above_zero(Unit::Length));
        /// The segments of a quarter of the circle of `cut_off`, as PedPy's.
        quad_segments: f32 = 3.0, QUAD_SEGMENTS;
        /// A row at every so many ticks; cells are found at every tick, for the signs.
        every: f32 = 1.0, EVERY;
        /// The ticks before and after a tick over which speeds are taken.
        frame_step: f32 = 1.0, FRAME_STEP;
    }
}

quantities! {
    DENSITY = "density", "1 / length^2", Tick, "The density.";
    SPEED = "speed", "length / time", Tick, "The speed across the line.";
    FLOW = "flow", "1 / (length time)", Tick, "The flow through a unit of length.";
    MEAN_DENSITY = "mean_density", "1 / length^2", Run, "The mean of the density over the ticks.";
    LARGEST_DENSITY = "largest_density", "1 / length^2", Run, "The largest density of a tick.";
    MEAN_SPEED = "mean_speed", "length / time", Run,
        "The mean of the speed over the ticks with cells on the line.";
}

impl<V: Vector> MeasureKind<V> for VoronoiLine<V> {
    const QUANTITIES: &'static [&'static Quantity] = QUANTITIES;

    fn begin(&self, world: &MeasuredWorld) -> Result<Box<dyn Record>, Fault> {
        let recorder = Running {
            line: Line::new(&self.line, world)?,
            cut_off: CutOff::new(self.cut_off, self.quad_segments, world)?,
            every: self.every as u64,
            signs: HashMap::new(),
            diagram: Diagram::new(
                [&DENSITY, &SPEED, &FLOW],
                [&MEAN_DENSITY, &LARGEST_DENSITY, &MEAN_SPEED],
            ),
        };
        Ok(Box::new(Windowed::new(self.frame_step, recorder)))
    }
}

struct Running {
    line: Line,
    cut_off: Option<CutOff>,
    every: u64,
    /// The signs of the agents whose cells have touched the line, by id and episode.
    signs: HashMap<(u32, u32), f64>,
    diagram: Diagram,
}

impl RecordCentered for Running {
    fn record(&mut self, frame: &Centered, rows: &mut Sink<'_>) {
        let now = &frame.now;
        let (normal, length) = (self.line.normal(), self.line.length());
        let (mut density, mut speed, mut flow) = (0.0, 0.0, 0.0);
        let mut is_empty = true;
        let shifts = now.world.images(false);
        for (body, cell) in now.bodies.iter().zip(cells(now, self.cut_off)) {
            let Some(cell) = cell else { continue };
            let on_line = |shift: &[f64; 3]| {
                let at = |[x, y]: [f64; 2]| [x - shift[0], y - shift[1]];
                cell.length_on(&Line { from: at(self.line.from), to: at(self.line.to) })
            };
            let part = shifts.iter().map(on_line).sum::<f64>() / length;
            if part == 0.0 {
                continue;
            }
            let [x, y, _] = frame.velocity(body);
            let across = x * normal[0] + y * normal[1];
            let sign = if across == 0.0 { 0.0 } else { across.signum() };
            let sign = *self.signs.entry((body.id, body.episode)).or_insert(sign);
            if sign != 0.0 {
                is_empty = false;
                density += part / cell.area;
                speed += sign * across * part;
                flow += sign * across * part / cell.area;
            }
        }
        if now.at.tick.is_multiple_of(self.every) {
            let speed = (!is_empty).then_some(speed);
            self.diagram.put(now.at, [density, speed.unwrap_or(0.0), flow], speed, rows);
        }
    }

    fn finish(&mut self, rows: &mut Sink<'_>) {
        self.diagram.finish(rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{frames, measured_in, values};
    use wayfare::crowd::Setup;
    use wayfare::glam::{Vec2, vec2};
    use wayfare::spatial::space::{Bounds, Edge};

    #[test]
    fn agents_of_both_directions_add_to_the_flow_and_a_step_back_takes_from_it() {
        let bounds = Some(Bounds { min: vec2(0.0, 0.0), max: vec2(4.0, 2.0), edge: Edge::Wall });
        let world = MeasuredWorld::of(&Setup::<Vec2> { bounds, dt: 0.5, ..Setup::default() });
        // Mirror images of each other: each cell has half of the room and half of the line. Both
        // step back at tick 2.
        let track = |xs: [f64; 3], y| xs.map(|x| Some([x, y])).to_vec();
        let tracks = [track([1.0, 1.5, 1.0], 0.5), track([3.0, 2.5, 3.0], 1.5)];
        let line = VoronoiLine::new(vec![vec2(2.0, 0.0), vec2(2.0, 2.0)]);
        let rows = measured_in(world, line, &frames(&tracks, |_, body| body));
        assert_eq!(values(&rows, "density"), [(0, 0.25), (1, 0.25), (2, 0.25)]);
        // Speeds of 1, 0 and -1 of each, in the direction of its first one.
        assert_eq!(values(&rows, "speed"), [(0, 1.0), (1, 0.0), (2, -1.0)]);
        assert_eq!(values(&rows, "flow"), [(0, 0.25), (1, 0.0), (2, -0.25)]);
    }
}
