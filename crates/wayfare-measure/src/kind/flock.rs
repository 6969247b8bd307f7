//! Statistics of flocks: polarisation, milling, nearest neighbors, clusters.

use std::sync::Arc;

use wayfare::parameter::{Groups, Kind, Range, Unit, parameters};
use wayfare::{GroupId, Vector};

use super::EVERY;
use crate::error::Fault;
use crate::frame::{Body, Frame};
use crate::measure::{MeasureKind, Record};
use crate::row::{Moment, Quantity, Sink, Statistics, quantities};
use crate::tree::Tree;
use crate::world::MeasuredWorld;

parameters! {
    /// The order of a flock: polarisation, milling, the distance to the nearest neighbor, and
    /// clusters.
    ///
    /// With u_i the direction of motion of agent i and N the agents that move: the polarisation is
    /// |Σ u_i| / N, 1 for a common direction (T. Vicsek and others, Phys. Rev. Lett. 75, 1226,
    /// 1995). Milling is |Σ c_i × u_i| / N with c_i the direction from the center of the agents to
    /// agent i, 1 for a vortex (I. D. Couzin and others, "Collective memory and spatial sorting in
    /// animal groups", J. Theor. Biol. 218, 2002, group angular momentum). A cluster holds all
    /// agents that are joined by a chain of steps of at most `reach`. The unevenness is the
    /// standard deviation of the distances to the nearest neighbor by their mean: 0 of a lattice,
    /// 0.52 of agents that are strewn at random in the plane, 0.36 in space. In a wrapped world
    /// the center is that of the images nearest to the agent with the lowest id.
    "flock" = pub struct Flock {
        /// The largest distance of agents that are in one cluster.
        reach: f32 = required, Kind::Number(Range::above_zero(Unit::Length));
        /// The groups whose members count; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
        /// A row at every so many ticks.
        every: f32 = 1.0, EVERY;
    }
}

quantities! {
    POLARISATION = "polarisation", "", Tick, "The polarisation, from 0 to 1.";
    MILLING = "milling", "", Tick, "The milling, from 0 to 1.";
    NEAREST = "nearest_neighbor", "length", Tick, "The mean distance to the nearest neighbor.";
    UNEVENNESS = "unevenness", "", Tick, "The unevenness of the distances to the nearest neighbor.";
    CLUSTERS = "clusters", "", Tick, "The number of clusters.";
    LARGEST_CLUSTER = "largest_cluster", "", Tick, "The part of the agents in the largest cluster.";
    MEAN_POLARISATION = "mean_polarisation", "", Run, "The mean polarisation over the ticks.";
    MEAN_MILLING = "mean_milling", "", Run, "The mean milling over the ticks.";
    MEAN_NEAREST = "mean_nearest_neighbor", "length", Run,
        "The mean distance to the nearest neighbor over the ticks.";
    MEAN_UNEVENNESS = "mean_unevenness", "", Run, "The mean unevenness over the ticks.";
    MEAN_CLUSTERS = "mean_clusters", "", Run, "The mean number of clusters over the ticks.";
    MEAN_LARGEST = "mean_largest_cluster", "", Run,
        "The mean part of the agents in the largest cluster over the ticks.";
}

impl<V: Vector> MeasureKind<V> for Flock {
    const QUANTITIES: &'static [&'static Quantity] = QUANTITIES;

    fn begin(&self, _world: &MeasuredWorld) -> Result<Box<dyn Record>, Fault> {
        Ok(Box::new(Running {
            reach: self.reach.into(),
            of: self.of.clone(),
            every: self.every as u64,
            means: [Statistics::default(); 6],
            last: Moment::default(),
        }))
    }
}

struct Running {
    reach: f64,
    of: Groups,
    every: u64,
    /// In the order of the quantities.
    means: [Statistics; 6],
    last: Moment,
}

/// The direction of a vector; zero without one.
fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = length(v);
    if length > 0.0 { v.map(|x| x / length) } else { v }
}

fn length(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Polarisation and milling; `None` if no agent moves.
fn order(bodies: &[&Body], world: &MeasuredWorld) -> [Option<f64>; 2] {
    let moving: Vec<&&Body> = bodies.iter().filter(|body| length(body.velocity) > 0.0).collect();
    let (Some(first), true) = (bodies.first(), !moving.is_empty()) else { return [None; 2] };
    let offset = |body: &Body| world.offset(first.position, body.position);
    let mut center = [0.0; 3];
    for body in bodies {
        let offset = offset(body);
        (0..3).for_each(|i| center[i] += offset[i] / bodies.len() as f64);
    }
    let (mut direction, mut momentum) = ([0.0; 3], [0.0; 3]);
    for body in &moving {
        let u = unit(body.velocity);
        let offset = offset(body);
        let c = unit([0, 1, 2].map(|i| offset[i] - center[i]));
        let cross =
            [c[1] * u[2] - c[2] * u[1], c[2] * u[0] - c[0] * u[2], c[0] * u[1] - c[1] * u[0]];
        (0..3).for_each(|i| {
            direction[i] += u[i];
            momentum[i] += cross[i];
        });
    }
    [direction, momentum].map(|sum| Some(length(sum) / moving.len() as f64))
}

/// The sizes of the clusters that pairs join.
fn clusters(count: usize, pairs: &[(usize, usize)]) -> Vec<usize> {
    let mut parent: Vec<usize> = (0..count).collect();
    fn root(parent: &mut [usize], mut i: usize) -> usize {
        while parent[i] != i {
            parent[i] = parent[parent[i]];
            i = parent[i];
        }
        i
    }
    for &(i, j) in pairs {
        let (a, b) = (root(&mut parent, i), root(&mut parent, j));
        parent[a.max(b)] = a.min(b);
    }
    let mut sizes = vec![0; count];
    (0..count).for_each(|i| sizes[root(&mut parent, i)] += 1);
    sizes.retain(|size| *size > 0);
    sizes
}

impl Record for Running {
    fn record(&mut self, frame: &Arc<Frame>, rows: &mut Sink<'_>) {
        if !frame.at.tick.is_multiple_of(self.every) {
            return;
        }
        let is_of = |body: &&Body| self.of.contain(GroupId(body.group as usize));
        let bodies: Vec<&Body> = frame.bodies.iter().filter(is_of).collect();
        let points: Vec<[f64; 3]> = bodies.iter().map(|body| body.position).collect();
        let tree = Tree::new(&points, &frame.world);
        let mut nearest = Statistics::default();
        (0..points.len()).filter_map(|i| tree.nearest(i)).for_each(|d| nearest.add(d));
        let sizes = clusters(points.len(), &tree.pairs(self.reach));
        let largest = sizes.iter().max().map(|size| *size as f64 / points.len() as f64);
        let [polarisation, milling] = order(&bodies, &frame.world);
        let clusters = Some(sizes.len() as f64);
        let spacing = [nearest.mean(), nearest.variation()];
        let values = [polarisation, milling, spacing[0], spacing[1], clusters, largest];
        let quantities =
            [&POLARISATION, &MILLING, &NEAREST, &UNEVENNESS, &CLUSTERS, &LARGEST_CLUSTER];
        for ((value, quantity), mean) in values.into_iter().zip(quantities).zip(&mut self.means) {
            if let Some(value) = value {
                rows.put(frame.at, quantity, value);
                mean.add(value);
            }
        }
        self.last = frame.at;
    }

    fn finish(&mut self, rows: &mut Sink<'_>) {
        let quantities = [
            &MEAN_POLARISATION,
            &MEAN_MILLING,
            &MEAN_NEAREST,
            &MEAN_UNEVENNESS,
            &MEAN_CLUSTERS,
            &MEAN_LARGEST,
        ];
        for (quantity, mean) in quantities.into_iter().zip(self.means) {
            if let Some(mean) = mean.mean() {
                rows.put(self.last, quantity, mean);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{frames, measured_in, values};
    use wayfare::crowd::Setup;
    use wayfare::glam::Vec2;

    /// The rows of four agents on a square of the side 2, with these velocities.
    fn square(velocities: [[f64; 2]; 4]) -> Vec<crate::Row> {
        let corners = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        let tracks = corners.map(|corner| vec![Some(corner)]);
        let bodies = frames(&tracks, |i, mut body| {
            body.velocity = [velocities[i][0], velocities[i][1], 0.0];
            body
        });
        measured_in::<Vec2>(MeasuredWorld::of(&Setup::<Vec2>::default()), Flock::new(2.0), &bodies)
    }

    fn close(rows: &[crate::Row], quantity: &str, expected: f64) {
        let found = values(rows, quantity);
        assert!((found[0].1 - expected).abs() < 1e-12, "{quantity}: {found:?}");
    }

    #[test]
    fn a_common_direction_is_polarised_and_a_vortex_mills() {
        let common = square([[0.5, 0.0]; 4]);
        close(&common, "polarisation", 1.0);
        close(&common, "milling", 0.0);
        // Each along the edge to the next corner: at 45 degrees to the direction from the center.
        let vortex = square([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]);
        close(&vortex, "polarisation", 0.0);
        close(&vortex, "milling", 0.5_f64.sqrt());
        assert_eq!(values(&square([[0.0, 0.0]; 4]), "polarisation"), []);
    }

    #[test]
    fn agents_within_reach_of_one_another_are_a_cluster() {
        // A chain of three, and one alone.
        let tracks = [0.0, 2.0, 4.0, 7.0].map(|x| vec![Some([x, 0.0])]);
        let world = MeasuredWorld::of(&Setup::<Vec2>::default());
        let bodies = frames(&tracks, |_, body| body);
        let rows = measured_in::<Vec2>(world, Flock::new(2.0), &bodies);
        assert_eq!(values(&rows, "clusters"), [(0, 2.0)]);
        assert_eq!(values(&rows, "largest_cluster"), [(0, 0.75)]);
        assert_eq!(values(&rows, "nearest_neighbor"), [(0, (2.0 + 2.0 + 2.0 + 3.0) / 4.0)]);
        // A deviation of the root of 3 / 16, by a mean of 9 / 4.
        close(&rows, "unevenness", 3.0_f64.sqrt() / 9.0);
    }
}
