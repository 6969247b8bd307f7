//! Contacts of bodies, and their overlaps.

use std::sync::Arc;

use wayfare::parameter::{Groups, Kind, parameters};
use wayfare::{GroupId, Vector};

use crate::error::Fault;
use crate::frame::{Body, Frame};
use crate::measure::{MeasureKind, Record};
use crate::row::{Moment, Quantity, Sink, Statistics, quantities};
use crate::tree::Tree;
use crate::world::MeasuredWorld;

parameters! {
    /// The pairs of bodies that touch, the contacts that have begun, and the deepest overlap.
    ///
    /// Two bodies touch where the distance d of their positions is at most the sum of their radii
    /// r + s, both above 0; a contact begins at a tick at which they touch and did not at the tick
    /// before (the event `Contact` of the library). Their overlap is r + s - d; the part is the
    /// overlap by the smaller radius.
    "contacts" = pub struct Contacts {
        /// The groups whose members count; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
    }
}

quantities! {
    TOUCHING = "touching", "", Tick, "The pairs that touch.";
    CONTACTS = "contacts", "", Change, "The contacts that have begun so far.";
    DEEPEST_OVERLAP = "deepest_overlap", "length", Tick, "The deepest overlap; 0 without any.";
    ALL_CONTACTS = "all_contacts", "", Run, "The contacts that have begun.";
    MEAN_TOUCHING = "mean_touching", "", Run, "The mean number of pairs that touch.";
    DEEPEST = "deepest_overlap_of_all", "length", Run, "The deepest overlap of the run.";
    DEEPEST_PART = "deepest_part", "", Run,
        "The deepest overlap of the run, as a part of the smaller radius.";
}

impl<V: Vector> MeasureKind<V> for Contacts {
    const QUANTITIES: &'static [&'static Quantity] = QUANTITIES;

    fn begin(&self, _world: &MeasuredWorld) -> Result<Box<dyn Record>, Fault> {
        Ok(Box::new(Running {
            of: self.of.clone(),
            touching: None,
            begun: 0,
            counts: Statistics::default(),
            deepest: 0.0,
            part: 0.0,
            last: Moment::default(),
        }))
    }
}

struct Running {
    of: Groups,
    /// The ids of the pairs that touched at the last tick, in their order.
    touching: Option<Vec<(u32, u32)>>,
    begun: u64,
    counts: Statistics,
    deepest: f64,
    part: f64,
    last: Moment,
}

impl Record for Running {
    fn record(&mut self, frame: &Arc<Frame>, rows: &mut Sink<'_>) {
        let is_of =
            |body: &&Body| body.radius > 0.0 && self.of.contain(GroupId(body.group as usize));
        let bodies: Vec<&Body> = frame.bodies.iter().filter(is_of).collect();
        let points: Vec<[f64; 3]> = bodies.iter().map(|body| body.position).collect();
        let largest = bodies.iter().map(|body| body.radius).fold(0.0, f64::max);
        let (mut touching, mut deepest) = (Vec::new(), 0.0_f64);
        for (i, j) in Tree::new(&points, &frame.world).pairs(2.0 * largest) {
            let (a, b) = (bodies[i], bodies[j]);
            let offset = frame.world.offset(a.position, b.position);
            let distance = offset.iter().map(|x| x * x).sum::<f64>().sqrt();
            let overlap = a.radius + b.radius - distance;
            if overlap >= 0.0 {
                touching.push((a.id, b.id));
                deepest = deepest.max(overlap);
                self.part = self.part.max(overlap / a.radius.min(b.radius));
            }
        }
        let before = self.begun;
        if let Some(earlier) = &self.touching {
            let is_new = |pair: &&(u32, u32)| earlier.binary_search(pair).is_err();
            self.begun += touching.iter().filter(is_new).count() as u64;
        }
        rows.put(frame.at, &TOUCHING, touching.len() as f64);
        rows.put(frame.at, &DEEPEST_OVERLAP, deepest);
        if self.begun > before || self.touching.is_none() {
            rows.put(frame.at, &CONTACTS, self.begun as f64);
        }
        self.counts.add(touching.len() as f64);
        self.deepest = self.deepest.max(deepest);
        self.touching = Some(touching);
        self.last = frame.at;
    }

    fn finish(&mut self, rows: &mut Sink<'_>) {
        rows.put(self.last, &CONTACTS, self.begun as f64);
        rows.put(self.last, &ALL_CONTACTS, self.begun as f64);
        if let Some(mean) = self.counts.mean() {
            rows.put(self.last, &MEAN_TOUCHING, mean);
        }
        rows.put(self.last, &DEEPEST, self.deepest);
        rows.put(self.last, &DEEPEST_PART, self.part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{measured, values};

    #[test]
    fn a_contact_begins_when_bodies_come_to_touch_and_overlaps_are_measured() {
        // Radii of 0.5: apart, touching exactly, overlapping by 0.25, apart, touching again.
        let passes = [2.0, 1.0, 0.75, 1.5, 1.0].map(|x| Some([x, 0.0])).to_vec();
        let rows = measured(Contacts::default(), 1.0, &[vec![Some([0.0, 0.0]); 5], passes]);
        let touching = [(0, 0.0), (1, 1.0), (2, 1.0), (3, 0.0), (4, 1.0)];
        assert_eq!(values(&rows, "touching"), touching);
        assert_eq!(values(&rows, "contacts"), [(0, 0.0), (1, 1.0), (4, 2.0), (4, 2.0)]);
        assert_eq!(values(&rows, "deepest_overlap_of_all"), [(4, 0.25)]);
        assert_eq!(values(&rows, "deepest_part"), [(4, 0.5)]);
        assert_eq!(values(&rows, "mean_touching"), [(4, 0.6)]);
    }
}
