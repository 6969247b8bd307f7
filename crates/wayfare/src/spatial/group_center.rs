//! The center of several agents, and the one farthest from it: the same bits in any order of the
//! agents.

use crate::id::AgentId;
use crate::spatial::space::Space;
use crate::vector::Vector;

/// Steps of fixed point per length: with the largest position, 1e18, the sum of 2^24 agents still
/// fits into 128 bits.
const FIXED_POINT_SCALE: f64 = (1_u64 << 40) as f64;

/// The center of several agents: the mean of their positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupCenter<V> {
    /// The mean of the positions (length); in a wrapped world inside the bounds.
    pub position: V,
    /// The number of agents.
    pub count: u32,
    /// The agent farthest from the center; the lowest id in a tie.
    pub farthest: AgentId,
    /// The position of the farthest agent (length).
    pub farthest_position: V,
    /// The distance of the farthest agent from the center (length).
    pub radius: f32,
}

impl<V: Vector> GroupCenter<V> {
    /// The center of agents with these ids and positions; `None` without agents.
    ///
    /// In a wrapped world each position counts at its image nearest to the agent with the lowest
    /// id: for agents that are spread over less than half of the world this is their center.
    pub fn of(
        space: &Space<V>,
        agents: impl Iterator<Item = (AgentId, V)> + Clone,
    ) -> Option<Self> {
        let (_, first) = agents.clone().min_by_key(|(id, _)| *id)?;
        let (mut sums, mut count) = ([0_i128; 3], 0);
        for (_, position) in agents.clone() {
            let image = space.image(first, position);
            for (axis, sum) in sums.iter_mut().enumerate().take(V::DIMENSION) {
                *sum += (f64::from(image.axis(axis)) * FIXED_POINT_SCALE) as i128;
            }
            count += 1;
        }
        let scale = FIXED_POINT_SCALE * f64::from(count);
        let mean = V::from_fn(|axis| (sums[axis] as f64 / scale) as f32);
        let position = space.inside(mean);
        let (mut farthest, mut farthest_position, mut largest) = (AgentId::NONE, position, -1.0);
        for (id, p) in agents {
            let squared = space.difference(position, p).length_squared();
            if squared > largest || (squared == largest && id < farthest) {
                (farthest, farthest_position, largest) = (id, p, squared);
            }
        }
        let radius = space.difference(position, farthest_position).length();
        Some(Self { position, count, farthest, farthest_position, radius })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::spatial::space::{Bounds, Edge};
    use glam::{Vec2, Vec3, vec2, vec3};

    fn agents<V: Vector>(points: &[V]) -> Vec<(AgentId, V)> {
        points.iter().enumerate().map(|(id, p)| (AgentId(id as u32), *p)).collect()
    }

    #[test]
    fn the_center_is_the_mean_and_a_tie_of_the_farthest_goes_to_the_lowest_id() {
        let four = [vec2(10.0, 0.0), vec2(0.0, 4.0), vec2(20.0, 0.0), vec2(10.0, 4.0)];
        let mut four = agents(&four);
        let center = GroupCenter::of(&Space::OPEN, four.iter().copied()).unwrap();
        assert_eq!((center.position, center.count), (vec2(10.0, 2.0), 4));
        // Both (0, 4) and (20, 0) are at the distance sqrt(104).
        assert_eq!((center.farthest, center.farthest_position), (AgentId(1), vec2(0.0, 4.0)));
        assert_eq!(center.radius, 104.0_f32.sqrt());
        four.reverse();
        assert_eq!(GroupCenter::of(&Space::OPEN, four.iter().copied()), Some(center));
        let high = agents(&[vec3(0.0, 0.0, 1.0), vec3(0.0, 0.0, 4.0)]);
        let center = GroupCenter::of(&Space::OPEN, high.into_iter()).unwrap();
        assert_eq!((center.position, center.radius), (vec3(0.0, 0.0, 2.5), 1.5));
        assert_eq!(GroupCenter::<Vec2>::of(&Space::OPEN, [].into_iter()), None);
    }

    #[test]
    fn the_order_of_the_agents_changes_no_bit() {
        let mut random = Random::new(3, 0, 0, 0);
        for scale in [1e-3, 1.0, 1e9, 1e18] {
            let mut all: Vec<_> = (0..50)
                .map(|id| (AgentId(id), Vec3::from_fn(|_| random.between(-1.0, 1.0)) * scale))
                .collect();
            let center = GroupCenter::of(&Space::OPEN, all.iter().copied());
            for turn in 1..50 {
                all.rotate_left(1);
                all.swap(0, turn);
                assert_eq!(GroupCenter::of(&Space::OPEN, all.iter().copied()), center);
            }
        }
    }

    #[test]
    fn in_a_wrapped_world_the_center_is_that_of_the_nearest_images() {
        let bounds = Bounds { min: Vec2::ZERO, max: vec2(100.0, 100.0), edge: Edge::Wrap };
        let space = Space::new(Some(bounds));
        for (points, x) in [([90.0, 96.0, 0.0], 95.333_336), ([4.0, 98.0, 99.0], 0.333_333_34)] {
            let all = agents(&points.map(|x| vec2(x, 50.0)));
            let center = GroupCenter::of(&space, all.into_iter()).unwrap();
            assert!((center.position - vec2(x, 50.0)).length() < 1e-4, "{center:?}");
            assert!(center.radius < 6.0, "{center:?}");
        }
    }
}
