//! The Voronoi density and speed in an area.

use wayfare::Vector;
use wayfare::geometry::obstacle::Shape;
use wayfare::parameter::{Kind, Range, Unit, parameters};

use super::{Diagram, EVERY, FRAME_STEP, QUAD_SEGMENTS};
use crate::area::Area;
use crate::error::Fault;
use crate::measure::{MeasureKind, Record};
use crate::row::{Quantity, Sink, quantities};
use crate::voronoi::{CutOff, area as size_of, cells};
use crate::window::{Centered, RecordCentered, Windowed};
use crate::world::MeasuredWorld;

parameters! {
    /// Density and speed in an area from the Voronoi cells of the agents: with less scatter than
    /// the classic density, as an agent counts in parts.
    ///
    /// The cell V_i of agent i is all that is nearer to it than to any other agent, inside the
    /// bounds and outside the obstacles, and of several parts the one that holds the agent. In the
    /// area A the density is the sum of |V_i ∩ A| / |V_i| by |A|, and the speed the sum of
    /// v_i |V_i ∩ A| by |A| (B. Steffen, A. Seyfried, Physica A 389, 2010, as PedPy has it:
    /// `compute_voronoi_density`, `compute_voronoi_speed`). The flow is density times speed. The
    /// rows of a tick are a sample of the fundamental diagram. Obstacles and areas that are circles
    /// have 64 corners here. Agents at one position share a cell.
    "voronoi_density" = pub struct VoronoiDensity<V> {
        /// The area: a circle or a box.
        area: Shape<V> = required, Kind::Area;
        /// The largest distance of a cell's points from the agent; off unless given. A scene
        /// without bounds needs it.
        cut_off: Option<f32> = None, Kind::NumberOrOff(Range::above_zero(Unit::Length));
        /// The segments of a quarter of the circle of `cut_off`, as PedPy's.
        quad_segments: f32 = 3.0, QUAD_SEGMENTS;
        /// A row at every so many ticks.
        every: f32 = 1.0, EVERY;
        /// The ticks before and after a tick over which speeds are taken.
        frame_step: f32 = 1.0, FRAME_STEP;
    }
}

quantities! {
    DENSITY = "density", "1 / length^2", Tick, "The density.";
    SPEED = "speed", "length / time", Tick, "The speed; 0 where no cell reaches into the area.";
    FLOW = "flow", "1 / (length time)", Tick,
        "The flow through a unit of length: density times speed.";
    MEAN_DENSITY = "mean_density", "1 / length^2", Run, "The mean of the density over the ticks.";
    LARGEST_DENSITY = "largest_density", "1 / length^2", Run, "The largest density of a tick.";
    MEAN_SPEED = "mean_speed", "length / time", Run,
        "The mean of the speed over the ticks with cells in the area.";
}

impl<V: Vector> MeasureKind<V> for VoronoiDensity<V> {
    const QUANTITIES: &'static [&'static Quantity] = QUANTITIES;

    fn begin(&self, world: &MeasuredWorld) -> Result<Box<dyn Record>, Fault> {
        let recorder = Running {
            area: Area::new(&self.area, world)?,
            cut_off: CutOff::new(self.cut_off, self.quad_segments, world)?,
            every: self.every as u64,
            diagram: Diagram::new(
                [&DENSITY, &SPEED, &FLOW],
                [&MEAN_DENSITY, &LARGEST_DENSITY, &MEAN_SPEED],
            ),
        };
        Ok(Box::new(Windowed::new(self.frame_step, recorder)))
    }
}

struct Running {
    area: Area,
    cut_off: Option<CutOff>,
    every: u64,
    diagram: Diagram,
}

impl RecordCentered for Running {
    fn record(&mut self, frame: &Centered, rows: &mut Sink<'_>) {
        let now = &frame.now;
        if !now.at.tick.is_multiple_of(self.every) {
            return;
        }
        let size = size_of(&self.area.corners);
        let (mut density, mut speed, mut is_empty) = (0.0, 0.0, true);
        let shifts = now.world.images(false);
        for (body, cell) in now.bodies.iter().zip(cells(now, self.cut_off)) {
            let Some(cell) = cell else { continue };
            let in_area = |shift: &[f64; 3]| {
                let area = self.area.corners.iter().map(|[x, y]| [x - shift[0], y - shift[1]]);
                cell.area_in(&area.collect::<Vec<_>>())
            };
            let part: f64 = shifts.iter().map(in_area).sum();
            if part > 0.0 {
                is_empty = false;
                density += part / cell.area;
                speed += frame.speed(body) * part;
            }
        }
        let speed = (!is_empty).then(|| speed / size);
        self.diagram.sample(now.at, density / size, speed, rows);
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

    /// A room of 4 by 2 with a wall from x = 3 to 4.
    fn room() -> MeasuredWorld {
        let bounds = Some(Bounds { min: vec2(0.0, 0.0), max: vec2(4.0, 2.0), edge: Edge::Wall });
        let obstacles = vec![Shape::box_between(vec2(3.0, -1.0), vec2(4.0, 3.0))];
        MeasuredWorld::of(&Setup::<Vec2> { bounds, obstacles, dt: 0.5, ..Setup::default() })
    }

    #[test]
    fn an_agent_counts_by_the_part_of_its_cell_in_the_area() {
        // The cells are cut at x = 1 (the middle) and x = 3 (the wall): 2 and 4.
        let tracks =
            [vec![Some([0.5, 1.0]), Some([0.5, 1.5])], vec![Some([1.5, 1.0]), Some([1.5, 1.5])]];
        let area = Shape::box_between(vec2(0.5, 0.0), vec2(2.0, 2.0));
        let bodies = frames(&tracks, |_, body| body);
        let rows = measured_in(room(), VoronoiDensity::new(area), &bodies);
        // 1 / 2 of the first and 2 / 4 of the second, in an area of 3; both with a speed of 1.
        let third = 1.0 / 3.0;
        let close = |name: &str, expected: f64| {
            let found = values(&rows, name);
            assert!(found.iter().all(|(_, x)| (x - expected).abs() < 1e-9), "{name}: {found:?}");
            found.len()
        };
        assert_eq!(close("density", third), 2);
        assert_eq!(close("speed", 1.0), 2);
        assert_eq!(close("flow", third), 2);
    }

    #[test]
    fn an_empty_world_has_the_density_zero_and_no_bounds_need_a_cut_off() {
        let area = Shape::box_between(vec2(0.5, 0.0), vec2(2.0, 2.0));
        let measure = VoronoiDensity::new(area);
        let rows = measured_in(room(), measure.clone(), &[Vec::new()]);
        assert_eq!(values(&rows, "density"), [(0, 0.0)]);
        assert_eq!(values(&rows, "speed"), [(0, 0.0)]);
        let open = MeasuredWorld::of(&Setup::<Vec2>::default());
        let fault = MeasureKind::<Vec2>::begin(&measure, &open).err().unwrap();
        assert_eq!(fault.0, "cut_off");
        // The cell is a square with the diagonal 2, all of it inside the area.
        let cut = VoronoiDensity { cut_off: Some(0.5), quad_segments: 1.0, ..measure };
        let bodies = frames(&[vec![Some([1.25, 1.0])]], |_, body| body);
        let rows = measured_in(open, cut, &bodies);
        assert_eq!(values(&rows, "density"), [(0, 1.0 / 3.0)]);
    }
}
