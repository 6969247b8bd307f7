//! The classic density and the mean speed in an area.

use wayfare::geometry::obstacle::Shape;
use wayfare::parameter::{Groups, Kind, parameters};
use wayfare::{GroupId, Vector};

use super::{Diagram, EVERY, FRAME_STEP};
use crate::area::Area;
use crate::error::Fault;
use crate::measure::{MeasureKind, Record};
use crate::row::{Quantity, Sink, quantities};
use crate::window::{Centered, RecordCentered, Windowed};
use crate::world::MeasuredWorld;

parameters! {
    /// The number of agents in an area by its size, and their mean speed.
    ///
    /// With N agents inside the area A, the density is N / |A|, the speed the mean of theirs (0
    /// in an empty area), and the flow density times speed (PedPy, `compute_classic_density`,
    /// `compute_mean_speed_per_frame`). An agent on the edge is not inside. The rows of density,
    /// speed and flow at a tick are a sample of the fundamental diagram.
    "classic_density" = pub struct ClassicDensity<V> {
        /// The area: a circle or a box.
        area: Shape<V> = required, Kind::Area;
        /// The groups whose members count; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
        /// A row at every so many ticks.
        every: f32 = 1.0, EVERY;
        /// The ticks before and after a tick over which speeds are taken.
        frame_step: f32 = 1.0, FRAME_STEP;
    }
}

quantities! {
    COUNT = "count", "", Tick, "The number of agents inside.";
    DENSITY = "density", "1 / length^2", Tick, "The density.";
    SPEED = "speed", "length / time", Tick, "The mean speed of the agents inside; 0 without any.";
    FLOW = "flow", "1 / (length time)", Tick,
        "The flow through a unit of length: density times speed.";
    MEAN_DENSITY = "mean_density", "1 / length^2", Run, "The mean of the density over the ticks.";
    LARGEST_DENSITY = "largest_density", "1 / length^2", Run, "The largest density of a tick.";
    MEAN_SPEED = "mean_speed", "length / time", Run,
        "The mean of the speed over the ticks with agents.";
}

impl<V: Vector> MeasureKind<V> for ClassicDensity<V> {
    const QUANTITIES: &'static [&'static Quantity] = QUANTITIES;

    fn begin(&self, world: &MeasuredWorld) -> Result<Box<dyn Record>, Fault> {
        let recorder = Running {
            area: Area::new(&self.area, world)?,
            of: self.of.clone(),
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
    of: Groups,
    every: u64,
    diagram: Diagram,
}

impl RecordCentered for Running {
    fn record(&mut self, frame: &Centered, rows: &mut Sink<'_>) {
        let now = &frame.now;
        if !now.at.tick.is_multiple_of(self.every) {
            return;
        }
        let (mut count, mut speeds) = (0_u32, 0.0);
        for body in &now.bodies {
            let is_of = self.of.contain(GroupId(body.group as usize));
            if is_of && self.area.holds(body.flat(), &now.world) {
                count += 1;
                speeds += frame.speed(body);
            }
        }
        rows.put(now.at, &COUNT, f64::from(count));
        let speed = (count > 0).then(|| speeds / f64::from(count));
        self.diagram.sample(now.at, f64::from(count) / self.area.size(), speed, rows);
    }

    fn finish(&mut self, rows: &mut Sink<'_>) {
        self.diagram.finish(rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{measured, values};
    use wayfare::glam::vec2;

    #[test]
    fn density_speed_and_flow_are_those_of_the_agents_inside_and_zero_in_an_empty_area() {
        let area = Shape::box_between(vec2(0.0, 0.0), vec2(4.0, 1.0));
        let track = |xs: [f64; 4]| xs.map(|x| Some([x, 0.5])).to_vec();
        // The third agent is on the edge at tick 1: outside.
        let tracks = [
            track([-1.0, 1.0, 3.0, 5.0]),
            track([1.0, 2.0, 3.0, 6.0]),
            track([5.0, 4.0, 4.5, 5.0]),
        ];
        let rows = measured(ClassicDensity::new(area), 0.5, &tracks);
        assert_eq!(values(&rows, "count"), [(0, 1.0), (1, 2.0), (2, 2.0), (3, 0.0)]);
        assert_eq!(values(&rows, "density"), [(0, 0.25), (1, 0.5), (2, 0.5), (3, 0.0)]);
        // Tick 0: by 1 in 0.5. Tick 1: 4 and 2 in a time of 1. Tick 2: 4 and 4 in a time of 1.
        assert_eq!(values(&rows, "speed"), [(0, 2.0), (1, 3.0), (2, 4.0), (3, 0.0)]);
        assert_eq!(values(&rows, "flow"), [(0, 0.5), (1, 1.5), (2, 2.0), (3, 0.0)]);
        assert_eq!(values(&rows, "mean_density"), [(3, 0.3125)]);
        assert_eq!(values(&rows, "mean_speed"), [(3, 3.0)]);
    }
}
