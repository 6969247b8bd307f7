//! The order parameter of lanes in counterflow.

use std::sync::Arc;

use wayfare::geometry::obstacle::Shape;
use wayfare::parameter::{Kind, Range, Unit, parameters};
use wayfare::{GroupId, Vector};

use super::EVERY;
use crate::area::Area;
use crate::error::Fault;
use crate::frame::Frame;
use crate::measure::{MeasureKind, Record};
use crate::row::{Moment, Quantity, Sink, Statistics, quantities};
use crate::world::MeasuredWorld;

parameters! {
    /// How far two groups that walk in opposite directions are sorted into lanes: 0 for none, 1
    /// for lanes without any agent of the other group.
    ///
    /// An agent is in a lane, φ_i = 1, if its distance across the direction of walking is larger
    /// than l to every agent of the other group in the area, near or far along that direction;
    /// else φ_i = 0. The order parameter is the mean of φ_i over both groups. l is half of the mean
    /// spacing, 1 / (2 √ρ), with ρ the density of both groups in the area (M. Rex, H. Löwen, "Lane
    /// formation in oppositely charged colloids driven by an electric field", Phys. Rev. E 75,
    /// 051402, 2007; J. Dzubiella, G. P. Hoffmann, H. Löwen, Phys. Rev. E 65, 021402, 2002). A
    /// group alone in the area has the order 1.
    "lanes" = pub struct Lanes<V> {
        /// The group that walks in one direction.
        first: GroupId = required, Kind::Group;
        /// The group that walks in the other direction.
        second: GroupId = required, Kind::Group;
        /// The area that is looked at, such as a corridor: a circle or a box.
        area: Shape<V> = required, Kind::Area;
        /// The direction of walking, counter-clockwise from x.
        angle: f32 = 0.0, Kind::Number(Range::new(-360.0, 360.0, Unit::Degrees));
        /// The distance l; half of the mean spacing unless given.
        distance: Option<f32> = None, Kind::NumberOrOff(Range::from_zero(Unit::Length));
        /// A row at every so many ticks.
        every: f32 = 1.0, EVERY;
    }
}

quantities! {
    ORDER = "order", "", Tick, "The order parameter; no row without an agent in the area.";
    MEAN_ORDER = "mean_order", "", Run, "The mean of the order parameter over the ticks.";
    LAST_ORDER = "last_order", "", Run, "The order parameter of the last tick that has one.";
}

impl<V: Vector> MeasureKind<V> for Lanes<V> {
    const QUANTITIES: &'static [&'static Quantity] = QUANTITIES;

    fn begin(&self, world: &MeasuredWorld) -> Result<Box<dyn Record>, Fault> {
        if self.first == self.second {
            let message = "`second` is the group of `first`".to_string();
            return Err(("second", message, "another group".to_string()));
        }
        let angle = f64::from(self.angle).to_radians();
        Ok(Box::new(Running {
            groups: [self.first.0 as u32, self.second.0 as u32],
            area: Area::new(&self.area, world)?,
            across: [-libm::sin(angle), libm::cos(angle)],
            distance: self.distance.map(f64::from),
            every: self.every as u64,
            orders: Statistics::default(),
            last: None,
        }))
    }
}

struct Running {
    groups: [u32; 2],
    area: Area,
    /// The unit vector across the direction of walking.
    across: [f64; 2],
    distance: Option<f64>,
    every: u64,
    orders: Statistics,
    last: Option<(Moment, f64)>,
}

impl Record for Running {
    fn record(&mut self, frame: &Arc<Frame>, rows: &mut Sink<'_>) {
        if !frame.at.tick.is_multiple_of(self.every) {
            return;
        }
        // The coordinates across, of each group.
        let across = self.groups.map(|group| {
            let inside = frame
                .bodies
                .iter()
                .filter(|body| body.group == group && self.area.holds(body.flat(), &frame.world));
            let mut list: Vec<f64> = inside
                .map(|body| body.position[0] * self.across[0] + body.position[1] * self.across[1])
                .collect();
            list.sort_unstable_by(f64::total_cmp);
            list
        });
        let count = across[0].len() + across[1].len();
        if count == 0 {
            return;
        }
        let density = count as f64 / self.area.size();
        let distance = self.distance.unwrap_or(0.5 / density.sqrt());
        let in_lane = |x: &&f64, others: &[f64]| {
            let next = others.partition_point(|other| other < *x);
            let near = [next.checked_sub(1), Some(next)];
            let mut near = near.into_iter().flatten().filter_map(|i| others.get(i));
            near.all(|other| (*x - other).abs() > distance)
        };
        let first = across[0].iter().filter(|x| in_lane(x, &across[1])).count();
        let second = across[1].iter().filter(|x| in_lane(x, &across[0])).count();
        let order = (first + second) as f64 / count as f64;
        rows.put(frame.at, &ORDER, order);
        self.orders.add(order);
        self.last = Some((frame.at, order));
    }

    fn finish(&mut self, rows: &mut Sink<'_>) {
        if let (Some((at, order)), Some(mean)) = (self.last, self.orders.mean()) {
            rows.put(at, &MEAN_ORDER, mean);
            rows.put(at, &LAST_ORDER, order);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{frames, measured_in, values};
    use wayfare::crowd::Setup;
    use wayfare::glam::{Vec2, vec2};

    /// The order of agents at these y, the first two of one group, in a corridor of 4 by 4.
    fn order(lanes: Lanes<Vec2>, ys: [f64; 4]) -> f64 {
        let tracks: Vec<_> = (1..).zip(ys).map(|(x, y)| vec![Some([0.5 * x as f64, y])]).collect();
        let bodies = frames(&tracks, |i, mut body| {
            body.group = u32::from(i > 1);
            body
        });
        let rows = measured_in(MeasuredWorld::of(&Setup::<Vec2>::default()), lanes, &bodies);
        values(&rows, "order")[0].1
    }

    #[test]
    fn an_agent_is_in_a_lane_where_no_agent_of_the_other_group_is_near_across() {
        let area = Shape::box_between(vec2(0.0, 0.0), vec2(4.0, 4.0));
        let lanes = Lanes::new(GroupId(0), GroupId(1), area);
        // Four agents on 16: a mean spacing of 2, and l = 1.
        assert_eq!(order(lanes.clone(), [0.5, 1.0, 3.0, 3.5]), 1.0);
        assert_eq!(order(lanes.clone(), [0.5, 1.0, 2.0, 3.5]), 0.5);
        assert_eq!(order(lanes.clone(), [1.0, 3.0, 1.5, 2.5]), 0.0);
        let strict = Lanes { distance: Some(2.25), ..lanes.clone() };
        assert_eq!(order(strict, [0.5, 1.0, 3.0, 3.5]), 0.5);
        // Along y the coordinates across are 0.5, 1, 1.5 and 2: only the outer ones are apart.
        let turned = Lanes { angle: 90.0, distance: Some(0.9), ..lanes };
        assert_eq!(order(turned, [0.5, 1.0, 3.0, 3.5]), 0.5);
    }
}
