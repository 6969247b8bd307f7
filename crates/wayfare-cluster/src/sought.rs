//! Groups that agents seek at any distance.
//!
//! While a group is small, all ranks have copies of all members. Of a large one a rank gets only
//! those members that may be the nearest one of some agent of the rank: those whose distance to the
//! box around its agents is at most the largest distance of the second nearest member to any point
//! of the box (the nearest one may be the agent itself).

use wayfare::{Crowd, Vector};

use crate::domains::Region;
use crate::error::ClusterError;
use crate::exchange::Metered;
use crate::link::Link;
use crate::wire::{Message, Numbers};

/// Up to so many members all ranks have copies of all of them.
const FEW: u64 = 1_000;

/// Room for the rounding of distances.
const ROUNDING: f32 = 1.001;

/// Which members of sought groups the ranks need.
#[derive(Clone, Debug)]
pub(crate) struct Sought<V> {
    /// The box around the agents of each rank.
    boxes: Vec<Region<V>>,
    /// For each rank and each group, the distance from its box up to which it needs members
    /// (length).
    within: Vec<Vec<f32>>,
    size: Option<V>,
}

impl<V: Vector> Sought<V> {
    /// Asks all ranks; `any_distance` and `all_members` are those of the division, `size` is that
    /// of a wrapped world, and `rounding` that of distances across its edges (lengths).
    pub(crate) fn ask<L: Link>(
        crowd: &Crowd<V>,
        link: &mut Metered<L>,
        (any_distance, all_members): (&[bool], &[bool]),
        (size, rounding): (Option<V>, f32),
    ) -> Result<Self, ClusterError> {
        let groups = any_distance.len();
        let mut counts = vec![0_u64; groups];
        crowd.groups().for_each(|group| counts[group.0] += 1);
        let around = |axis, start: f32, join: fn(f32, f32) -> f32| {
            crowd.positions(axis).iter().copied().fold(start, join)
        };
        let mut message = Message::default();
        for axis in 0..V::DIMENSION {
            message.f32(around(axis, f32::INFINITY, f32::min));
            message.f32(around(axis, f32::NEG_INFINITY, f32::max));
        }
        counts.iter().for_each(|count| message.u64(*count));
        let (mut boxes, mut total) = (Vec::new(), vec![0; groups]);
        for bytes in link.all_gather(&message.0)? {
            let mut numbers = Numbers(&bytes);
            let mut ends = [[0.0; 2]; 3];
            ends.iter_mut()
                .take(V::DIMENSION)
                .for_each(|ends| *ends = [numbers.f32(), numbers.f32()]);
            let corner = |end: usize| V::from_fn(|axis| ends[axis][end]);
            boxes.push(Region { low: corner(0), high: corner(1) });
            total.iter_mut().for_each(|sum| *sum += numbers.u64());
        }
        let is_large: Vec<bool> = (0..groups)
            .map(|group| any_distance[group] && !all_members[group] && total[group] > FEW)
            .collect();
        let within = |group: usize| if any_distance[group] { f32::INFINITY } else { -1.0 };
        let all: Vec<f32> = (0..groups).map(within).collect();
        let mut sought = Self { within: vec![all; boxes.len()], boxes, size };
        if is_large.contains(&true) {
            sought.bound(crowd, link, &is_large, rounding)?;
        }
        Ok(sought)
    }

    /// Finds how far the nearest members of large groups may be.
    fn bound<L: Link>(
        &mut self,
        crowd: &Crowd<V>,
        link: &mut Metered<L>,
        is_large: &[bool],
        rounding: f32,
    ) -> Result<(), ClusterError> {
        let groups = is_large.len();
        // The two smallest of the largest distances, for each rank and group.
        let mut nearest = vec![[f32::INFINITY; 2]; self.boxes.len() * groups];
        let lower = |two: &mut [f32; 2], x: f32| {
            if x < two[0] {
                *two = [x, two[0]];
            } else if x < two[1] {
                two[1] = x;
            }
        };
        for row in 0..crowd.len() {
            let group = crowd.group_column()[row] as usize;
            if !is_large[group] {
                continue;
            }
            let p = V::from_fn(|axis| crowd.positions(axis)[row]);
            for (rank, around) in self.boxes.iter().enumerate() {
                lower(&mut nearest[rank * groups + group], around.farthest_point(p));
            }
        }
        let mut message = Message::default();
        nearest.iter().flatten().for_each(|x| message.f32(*x));
        nearest.fill([f32::INFINITY; 2]);
        for bytes in link.all_gather(&message.0)? {
            let mut numbers = Numbers(&bytes);
            for two in &mut nearest {
                lower(two, numbers.f32());
                lower(two, numbers.f32());
            }
        }
        for (rank, within) in self.within.iter_mut().enumerate() {
            for group in (0..groups).filter(|group| is_large[*group]) {
                within[group] = nearest[rank * groups + group][1] * ROUNDING + rounding;
            }
        }
        Ok(())
    }

    /// Whether `rank` needs a copy of the member of `group` at `p`.
    pub(crate) fn needs(&self, rank: usize, group: usize, p: V) -> bool {
        let within = self.within[rank][group];
        within == f32::INFINITY
            || (within >= 0.0 && self.boxes[rank].distance(p, self.size) <= within)
    }
}
