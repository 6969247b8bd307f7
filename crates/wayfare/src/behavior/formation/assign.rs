//! Assigns slots to agents with few crossing paths: the assignment with the smallest sum of squared
//! distances.
//!
//! With such an assignment, agents that move straight to their slots in the same time do not
//! collide (M. Turpin, N. Michael, V. Kumar, "CAPT: Concurrent assignment and planning of
//! trajectories for multiple robots", IJRR 2014). The assignment is computed by shortest augmenting
//! paths (H. W. Kuhn, "The Hungarian method", 1955; R. Jonker, A. Volgenant, 1987), in integers, so
//! that rounding does not affect the result.

use alloc::vec::Vec;

use crate::vector::Vector;

/// The largest problem that is solved exactly; larger ones are split in halves by position.
const MAX_EXACT: usize = 256;

/// For each position in `from`, the index of a position in `to` (lengths). Each index is used once,
/// and the sum of squared distances is the smallest.
///
/// The squares are compared as integers, the largest as 2^40. More than 256 positions are split in
/// halves along the longest extent of `to`, until each part has at most 256: the sum is then small,
/// but not always the smallest. If the lists differ in length the longer one is cut. Positions may
/// coincide.
///
/// ```
/// use wayfare::{behavior::assign, glam::vec2};
/// // The sum of squares is 1 + 1, and not 121 + 81.
/// let agents = [vec2(0.0, 0.0), vec2(10.0, 0.0)];
/// assert_eq!(assign(&agents, &[vec2(11.0, 0.0), vec2(1.0, 0.0)]), [1, 0]);
/// ```
///
/// A selection that lines up: each agent is ordered to a slot of its own.
///
/// ```
/// use wayfare::behavior::{assign, formation_slot};
/// use wayfare::prelude::*;
/// let squad = Group::new("squad", 6, Spawn::grid(vec2(0.0, 0.0), 2.0, 3), 2.0)
///     .steer(Arrive::new(Target::Order));
/// let mut crowd = Setup::new(0.1).group(squad).crowd()?;
/// let (ids, from): (Vec<AgentId>, Vec<Vec2>) =
///     crowd.members(GroupId(0)).iter().map(|unit| (unit.id, unit.agent.position)).unzip();
/// // A line stands one spacing behind its leader.
/// let slots: Vec<Vec2> = (0..6)
///     .map(|k| formation_slot(FormationShape::Line, k, 6, 1.5))
///     .map(|(ahead, beside)| vec2(21.5 + ahead, beside))
///     .collect();
/// for (id, slot) in ids.iter().zip(assign(&from, &slots)) {
///     crowd.order(&[*id], slots[slot as usize])?;
/// }
/// (0..400).for_each(|_| crowd.step());
/// assert!(crowd.agents().all(|(_, unit)| (unit.position.x - 20.0).abs() < 0.1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn assign<V: Vector>(from: &[V], to: &[V]) -> Vec<u32> {
    let count = from.len().min(to.len());
    let (mut agents, mut slots): (Vec<u32>, Vec<u32>) =
        ((0..count as u32).collect(), (0..count as u32).collect());
    let mut assigned_slots = vec![0; count];
    split(from, to, &mut agents, &mut slots, &mut assigned_slots);
    assigned_slots
}

/// Assigns one of `slots` to each of `agents`; both have the same length.
fn split<V: Vector>(
    from: &[V],
    to: &[V],
    agents: &mut [u32],
    slots: &mut [u32],
    assigned_slots: &mut [u32],
) {
    if agents.len() <= MAX_EXACT {
        let positions: Vec<V> = slots.iter().map(|&k| to[k as usize]).collect();
        let found = assign_exactly(
            &agents.iter().map(|&i| from[i as usize]).collect::<Vec<_>>(),
            &positions,
        );
        agents.iter().zip(found).for_each(|(&i, k)| assigned_slots[i as usize] = slots[k]);
        return;
    }
    let extent = |axis: usize| {
        let ends = |(low, high): (f32, f32), x: f32| (low.min(x), high.max(x));
        let (low, high) = slots
            .iter()
            .map(|&k| to[k as usize].axis(axis))
            .fold((f32::INFINITY, f32::NEG_INFINITY), ends);
        high - low
    };
    let longest = (1..V::DIMENSION)
        .fold(0, |best, axis| if extent(axis) > extent(best) { axis } else { best });
    let half = agents.len() / 2;
    for (list, points) in [(&mut *agents, from), (&mut *slots, to)] {
        list.sort_unstable_by(|&a, &b| {
            points[a as usize]
                .axis(longest)
                .total_cmp(&points[b as usize].axis(longest))
                .then(a.cmp(&b))
        });
    }
    let (agents, others) = agents.split_at_mut(half);
    let (slots, rest) = slots.split_at_mut(half);
    split(from, to, agents, slots, assigned_slots);
    split(from, to, others, rest, assigned_slots);
}

/// For each position in `from`, the index of a position in `to`, with the smallest sum of squares.
fn assign_exactly<V: Vector>(from: &[V], to: &[V]) -> Vec<usize> {
    let count = from.len();
    let square = |a: V, b: V| {
        (0..V::DIMENSION)
            .map(|i| f64::from(a.axis(i)) - f64::from(b.axis(i)))
            .fold(0.0, |sum, x| sum + x * x)
    };
    let longest = from.iter().flat_map(|a| to.iter().map(|b| square(*a, *b))).fold(0.0, f64::max);
    let scale = if longest > 0.0 { (1_u64 << 40) as f64 / longest } else { 0.0 };
    let costs: Vec<i64> =
        from.iter().flat_map(|a| to.iter().map(|b| (square(*a, *b) * scale) as i64)).collect();
    // Row and column 0 are the start of an augmenting path; `row[k]` is the row assigned to column
    // `k`.
    let (mut row_price, mut price, mut row) =
        (vec![0_i64; count + 1], vec![0_i64; count + 1], vec![0; count + 1]);
    let (mut before, mut distance, mut done) =
        (vec![0; count + 1], vec![0_i64; count + 1], vec![false; count + 1]);
    for i in 1..=count {
        distance.fill(i64::MAX);
        done.fill(false);
        row[0] = i;
        let mut at = 0;
        while row[at] != 0 {
            done[at] = true;
            let (i, mut step, mut next) = (row[at], i64::MAX, 0);
            let costs = &costs[(i - 1) * count..i * count];
            for k in (1..=count).filter(|&k| !done[k]) {
                let reduced = costs[k - 1] - row_price[i] - price[k];
                if reduced < distance[k] {
                    (distance[k], before[k]) = (reduced, at);
                }
                if distance[k] < step {
                    (step, next) = (distance[k], k);
                }
            }
            for k in 0..=count {
                if done[k] {
                    row_price[row[k]] += step;
                    price[k] -= step;
                } else {
                    distance[k] = distance[k].saturating_sub(step);
                }
            }
            at = next;
        }
        while at != 0 {
            row[at] = row[before[at]];
            at = before[at];
        }
    }
    let mut found = vec![0; count];
    (1..=count).for_each(|k| found[row[k] - 1] = k - 1);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use glam::{Vec2, Vec3, vec2};

    fn points<V: Vector>(random: &mut Random, count: usize) -> Vec<V> {
        (0..count).map(|_| V::from_fn(|_| random.between(0.0, 100.0))).collect()
    }

    fn sum<V: Vector>(from: &[V], to: &[V], assigned_slots: &[u32]) -> f64 {
        from.iter()
            .zip(assigned_slots)
            .map(|(a, &k)| f64::from((to[k as usize] - *a).length_squared()))
            .sum()
    }

    /// The smallest sum over all permutations.
    fn smallest_sum<V: Vector>(from: &[V], to: &[V], left: &mut Vec<u32>) -> f64 {
        let Some((first, rest)) = from.split_first() else { return 0.0 };
        let each = (0..left.len()).map(|k| {
            let slot = left.remove(k);
            let found = f64::from((to[slot as usize] - *first).length_squared())
                + smallest_sum(rest, to, left);
            left.insert(k, slot);
            found
        });
        each.collect::<Vec<_>>().into_iter().fold(f64::INFINITY, f64::min)
    }

    fn assert_smallest<V: Vector>() {
        let mut random = Random::new(3, 0, 0, 0);
        for count in (0..=7).chain([7; 40]) {
            let (from, to) = (points::<V>(&mut random, count), points(&mut random, count));
            let assigned_slots = assign(&from, &to);
            let smallest = smallest_sum(&from, &to, &mut (0..count as u32).collect());
            assert!(
                (sum(&from, &to, &assigned_slots) - if count == 0 { 0.0 } else { smallest }).abs()
                    < 1e-3,
                "{from:?} {to:?} {assigned_slots:?}"
            );
        }
    }

    fn permutation(assigned_slots: &[u32]) -> bool {
        let mut sorted = assigned_slots.to_vec();
        sorted.sort_unstable();
        sorted.iter().zip(0..).all(|(a, b)| *a == b)
    }

    #[test]
    fn the_sum_is_the_smallest_of_all_permutations_for_up_to_seven_agents() {
        assert_smallest::<Vec2>();
        assert_smallest::<Vec3>();
    }

    fn crossings(from: &[Vec2], to: &[Vec2], assigned_slots: impl Fn(usize) -> usize) -> usize {
        let side = |a: Vec2, b: Vec2, c: Vec2| (b - a).perp_dot(c - a);
        let cross = |(a, b): (Vec2, Vec2), (c, d): (Vec2, Vec2)| {
            side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
        };
        let segment = |i: usize| (from[i], to[assigned_slots(i)]);
        (0..from.len()).map(|i| (0..i).filter(|&k| cross(segment(i), segment(k))).count()).sum()
    }

    #[test]
    fn assigned_paths_cross_less_than_paths_by_id_and_agents_on_them_do_not_collide() {
        let mut random = Random::new(4, 0, 0, 0);
        let (mut assigned, mut in_order_of_id) = (0, 0);
        for _ in 0..50 {
            let (from, to) = (points::<Vec2>(&mut random, 20), points::<Vec2>(&mut random, 20));
            let assigned_slots = assign(&from, &to);
            let (by_assignment, by_id) = (
                crossings(&from, &to, |i| assigned_slots[i] as usize),
                crossings(&from, &to, |i| i),
            );
            assert!(by_assignment <= by_id, "{by_assignment} and by id {by_id}");
            (assigned, in_order_of_id) = (assigned + by_assignment, in_order_of_id + by_id);
            // The offset between two agents turns by less than a right angle on the move, so it is
            // never zero.
            let goal = |i: usize| to[assigned_slots[i] as usize];
            assert!(
                (0..20).all(|i| (0..i).all(|k| (from[i] - from[k]).dot(goal(i) - goal(k)) > -0.01))
            );
        }
        assert!(assigned * 20 < in_order_of_id, "{assigned} crossings, {in_order_of_id} by id");
    }

    #[test]
    fn large_problems_are_halved_and_each_slot_is_used_once() {
        let mut random = Random::new(5, 0, 0, 0);
        for count in [256, 257, 2_000] {
            let (from, to) =
                (points::<Vec2>(&mut random, count), points::<Vec2>(&mut random, count));
            let assigned_slots = assign(&from, &to);
            assert!(permutation(&assigned_slots));
            let in_order: Vec<u32> = (0..count as u32).collect();
            assert!(sum(&from, &to, &assigned_slots) * 4.0 < sum(&from, &to, &in_order));
        }
    }

    #[test]
    fn coincident_and_distant_points_and_lists_of_different_length_are_assigned() {
        assert!(permutation(&assign(&[Vec2::ONE; 9], &[Vec2::ONE; 9])));
        let far = [1e18, -1e18, 0.0, 1e-18].map(|x| vec2(x, -x));
        assert_eq!(assign(&far, &[far[2], far[0], far[3], far[1]])[..2], [1, 3]);
        assert_eq!(assign(&far, &far[..2]).len(), 2);
        assert!(assign::<Vec2>(&[], &[]).is_empty());
    }
}
