//! Crossing streams by social forces: the scene `social-force-crossing`.

use wayfare::Crowd;
use wayfare::glam::Vec2;

use super::{crowd, members, scene};

/// The separation of the crossing streams into stripes at right angles to the sum of their
/// velocities, from 0 to 1: strips of 0.7 m across the square of 20 m.
fn stripes(crowd: &Crowd<Vec2>) -> f32 {
    let mut strips = [[0.0_f32; 2]; 20];
    for (i, group) in ["to the right", "down"].into_iter().enumerate() {
        for person in members(crowd, group) {
            let across = (person.position.x + person.position.y).rem_euclid(20.0);
            strips[(across as usize).min(19)][i] += 1.0;
        }
    }
    let share = |[a, b]: &[f32; 2]| if a + b > 0.0 { (a - b).powi(2) / (a + b) } else { 0.0 };
    strips.iter().map(share).sum::<f32>() / crowd.len() as f32
}

#[test]
fn two_streams_that_cross_form_diagonal_stripes_and_keep_moving() {
    let ticks = scene("social-force-crossing").ticks();
    let mut crowd = crowd("social-force-crossing");
    assert!(stripes(&crowd) < 0.1, "the crowd is mixed at the start: {}", stripes(&crowd));
    (0..ticks).for_each(|_| crowd.step());
    assert!(stripes(&crowd) > 0.5, "{} at the end", stripes(&crowd));
    let speed = members(&crowd, "to the right").map(|p| p.velocity.x).sum::<f32>()
        + members(&crowd, "down").map(|p| p.velocity.y).sum::<f32>();
    assert!(speed / 240.0 > 0.95, "a mean speed of {} m/s", speed / 240.0);
}
