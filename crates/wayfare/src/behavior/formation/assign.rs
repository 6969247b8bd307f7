//! Assigns slots to agents with few crossing paths: the assignment with the least sum of squared
//! distances.
//!
//! With such an assignment no two agents collide that move straight to their slots in the same time
//! (M. Turpin, N. Michael, V. Kumar, "CAPT: Concurrent assignment and planning of trajectories for
//! multiple robots", IJRR 2014). It is computed by shortest augmenting paths (H. W. Kuhn, "The
//! Hungarian method", 1955; R. Jonker, A. Volgenant, 1987), in integers, so that rounding cannot
//! decide.

use crate::vector::Vector;

/// Larger problems are halved first, by position.
const MOST_AT_ONCE: usize = 256;

/// For each of `from` the index of one of `to` (lengths), each used once, with the least sum of
/// squared distances.
///
/// The squares are compared as integers, the largest as 2^40. More than 256 positions are split in
/// halves along the longest extent of `to`, until 256 are left: the sum is then small, but not
/// always the least. Of lists of different length the longer one is cut. At distance zero the
/// square is zero.
///
/// ```
/// use wayfare::{behavior::assign, glam::vec2};
/// // The sum of squares is 1 + 1, and not 121 + 81.
/// let agents = [vec2(0.0, 0.0), vec2(10.0, 0.0)];
/// assert_eq!(assign(&agents, &[vec2(11.0, 0.0), vec2(1.0, 0.0)]), [1, 0]);
/// ```
pub fn assign<V: Vector>(from: &[V], to: &[V]) -> Vec<u32> {
    let count = from.len().min(to.len());
    let (mut agents, mut slots): (Vec<u32>, Vec<u32>) =
        ((0..count as u32).collect(), (0..count as u32).collect());
    let mut given = vec![0; count];
    split(from, to, &mut agents, &mut slots, &mut given);
    given
}

/// Assigns each agent of `agents` one of `slots`, which has the same length.
fn split<V: Vector>(
    from: &[V],
    to: &[V],
    agents: &mut [u32],
    slots: &mut [u32],
    given: &mut [u32],
) {
    if agents.len() <= MOST_AT_ONCE {
        let positions: Vec<V> = slots.iter().map(|&k| to[k as usize]).collect();
        let found =
            least(&agents.iter().map(|&i| from[i as usize]).collect::<Vec<_>>(), &positions);
        agents.iter().zip(found).for_each(|(&i, k)| given[i as usize] = slots[k]);
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
    split(from, to, agents, slots, given);
    split(from, to, others, rest, given);
}

/// For each of `from` the index of one of `to`, with the least sum of squares.
fn least<V: Vector>(from: &[V], to: &[V]) -> Vec<usize> {
    let count = from.len();
    let square = |a: V, b: V| {
        (0..V::DIMENSION)
            .map(|i| f64::from(a.axis(i)) - f64::from(b.axis(i)))
            .fold(0.0, |sum, x| sum + x * x)
    };
    let most = from.iter().flat_map(|a| to.iter().map(|b| square(*a, *b))).fold(0.0, f64::max);
    let scale = if most > 0.0 { (1_u64 << 40) as f64 / most } else { 0.0 };
    let costs: Vec<i64> =
        from.iter().flat_map(|a| to.iter().map(|b| (square(*a, *b) * scale) as i64)).collect();
    // Row and column 0 are the start of a path; `row` is the row assigned to each column.
    let (mut row_price, mut price, mut row) =
        (vec![0_i64; count + 1], vec![0_i64; count + 1], vec![0; count + 1]);
    let (mut before, mut reach, mut done) =
        (vec![0; count + 1], vec![0_i64; count + 1], vec![false; count + 1]);
    for i in 1..=count {
        reach.fill(i64::MAX);
        done.fill(false);
        row[0] = i;
        let mut at = 0;
        while row[at] != 0 {
            done[at] = true;
            let (i, mut step, mut next) = (row[at], i64::MAX, 0);
            let costs = &costs[(i - 1) * count..i * count];
            for k in (1..=count).filter(|&k| !done[k]) {
                let reduced = costs[k - 1] - row_price[i] - price[k];
                if reduced < reach[k] {
                    (reach[k], before[k]) = (reduced, at);
                }
                if reach[k] < step {
                    (step, next) = (reach[k], k);
                }
            }
            for k in 0..=count {
                if done[k] {
                    row_price[row[k]] += step;
                    price[k] -= step;
                } else {
                    reach[k] = reach[k].saturating_sub(step);
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

    fn sum<V: Vector>(from: &[V], to: &[V], given: &[u32]) -> f64 {
        from.iter()
            .zip(given)
            .map(|(a, &k)| f64::from((to[k as usize] - *a).length_squared()))
            .sum()
    }

    /// The least sum over all permutations.
    fn tried<V: Vector>(from: &[V], to: &[V], left: &mut Vec<u32>) -> f64 {
        let Some((first, rest)) = from.split_first() else { return 0.0 };
        let each = (0..left.len()).map(|k| {
            let slot = left.remove(k);
            let found =
                f64::from((to[slot as usize] - *first).length_squared()) + tried(rest, to, left);
            left.insert(k, slot);
            found
        });
        each.collect::<Vec<_>>().into_iter().fold(f64::INFINITY, f64::min)
    }

    fn assert_least<V: Vector>() {
        let mut random = Random::new(3, 0, 0, 0);
        for count in (0..=7).chain([7; 40]) {
            let (from, to) = (points::<V>(&mut random, count), points(&mut random, count));
            let given = assign(&from, &to);
            let least = tried(&from, &to, &mut (0..count as u32).collect());
            assert!(
                (sum(&from, &to, &given) - if count == 0 { 0.0 } else { least }).abs() < 1e-3,
                "{from:?} {to:?} {given:?}"
            );
        }
    }

    fn permutation(given: &[u32]) -> bool {
        let mut sorted = given.to_vec();
        sorted.sort_unstable();
        sorted.iter().zip(0..).all(|(a, b)| *a == b)
    }

    #[test]
    fn the_sum_is_the_least_of_all_permutations_of_up_to_seven() {
        assert_least::<Vec2>();
        assert_least::<Vec3>();
    }

    fn crossings(from: &[Vec2], to: &[Vec2], given: impl Fn(usize) -> usize) -> usize {
        let side = |a: Vec2, b: Vec2, c: Vec2| (b - a).perp_dot(c - a);
        let cross = |(a, b): (Vec2, Vec2), (c, d): (Vec2, Vec2)| {
            side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
        };
        let segment = |i: usize| (from[i], to[given(i)]);
        (0..from.len()).map(|i| (0..i).filter(|&k| cross(segment(i), segment(k))).count()).sum()
    }

    #[test]
    fn assigned_paths_cross_less_than_paths_by_id_and_agents_on_them_do_not_collide() {
        let mut random = Random::new(4, 0, 0, 0);
        let (mut assigned, mut rows_by_id) = (0, 0);
        for _ in 0..50 {
            let (from, to) = (points::<Vec2>(&mut random, 20), points::<Vec2>(&mut random, 20));
            let given = assign(&from, &to);
            let (here, there) =
                (crossings(&from, &to, |i| given[i] as usize), crossings(&from, &to, |i| i));
            assert!(here <= there, "{here} and by id {there}");
            (assigned, rows_by_id) = (assigned + here, rows_by_id + there);
            // In the same time their difference turns by less than a right angle, so it is never
            // zero.
            let goal = |i: usize| to[given[i] as usize];
            assert!(
                (0..20).all(|i| (0..i).all(|k| (from[i] - from[k]).dot(goal(i) - goal(k)) > -0.01))
            );
        }
        assert!(assigned * 20 < rows_by_id, "{assigned} crossings, and {rows_by_id} by id");
    }

    #[test]
    fn large_problems_are_halved_and_each_slot_is_used_once() {
        let mut random = Random::new(5, 0, 0, 0);
        for count in [256, 257, 2_000] {
            let (from, to) =
                (points::<Vec2>(&mut random, count), points::<Vec2>(&mut random, count));
            let given = assign(&from, &to);
            assert!(permutation(&given));
            let in_order: Vec<u32> = (0..count as u32).collect();
            assert!(sum(&from, &to, &given) * 4.0 < sum(&from, &to, &in_order));
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
