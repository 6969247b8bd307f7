//! Real time into ticks of a fixed length, and places between two ticks for what is drawn.

use super::Crowd;
use crate::vector::Vector;

/// Steps a crowd as real time passes, in ticks of its own dt: what it does never depends on the
/// frame rate.
///
/// Time that makes no whole tick is kept for the next call (G. Fiedler, "Fix Your Timestep!",
/// 2004); frames between two ticks are drawn at [`Crowd::between`]. A clock is no part of the
/// crowd's state.
///
/// ```
/// use wayfare::{crowd::{Clock, Group, Setup, Spawn, StartVelocity}, glam::vec2, Crowd};
/// let mut walker = Group::new("walker", 1, Spawn::Points(vec![vec2(0.0, 0.0)]), 2.0);
/// walker.velocity = StartVelocity::Same(vec2(2.0, 0.0));
/// let mut crowd = Crowd::new(Setup { dt: 0.1, groups: vec![walker], ..Setup::default() })?;
/// let mut clock = Clock::new(1.0);
/// assert_eq!(clock.advance(&mut crowd, 0.25), 2); // two ticks, and half of the next
/// let x = crowd.between(0, clock.part(&crowd)).x;
/// assert!((x - 0.3).abs() < 1e-6); // half way from tick 1, at 0.2, to tick 2, at 0.4
/// # Ok::<(), wayfare::crowd::SetupError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Clock {
    /// Simulated time per second of real time: 1 where the crowd counts seconds, 60 where its dt
    /// is a frame of a classic demo. What is not above zero stands still.
    pub rate: f64,
    /// The most ticks of one call, 8 unless set: after a pause, or where a tick takes longer than
    /// it lasts, the time beyond is dropped.
    pub most: u32,
    /// Simulated time that has passed and made no tick yet (time).
    behind: f64,
}

impl Clock {
    /// A clock with `rate` units of simulated time to a second, and at most 8 ticks a call.
    pub fn new(rate: f64) -> Self {
        Self { rate, most: 8, behind: 0.0 }
    }

    /// How many ticks of `crowd` are due after another `seconds` of real time; who asks is to take
    /// them.
    pub fn due<V: Vector>(&mut self, crowd: &Crowd<V>, seconds: f64) -> u32 {
        let passed = seconds * self.rate;
        if passed.is_finite() && passed > 0.0 {
            self.behind += passed;
        }
        let dt = crowd.dt();
        let due = (self.behind / dt).floor();
        self.behind = (self.behind - due * dt).clamp(0.0, dt);
        due.min(f64::from(self.most)) as u32
    }

    /// Steps `crowd` by another `seconds` of real time; gives back how many ticks that were.
    pub fn advance<V: Vector>(&mut self, crowd: &mut Crowd<V>, seconds: f64) -> u32 {
        let due = self.due(crowd, seconds);
        (0..due).for_each(|_| crowd.step());
        due
    }

    /// How much of the next tick has passed, from 0 to 1.
    pub fn part<V: Vector>(&self, crowd: &Crowd<V>) -> f32 {
        (self.behind / crowd.dt()) as f32
    }
}

impl<V: Vector> Crowd<V> {
    /// Where the agent at a place that [`rows_by_id`](Self::rows_by_id) gave is drawn when `part` (0 to 1) of
    /// a tick has passed since the last one: on the way there from the tick before, one tick
    /// late (length).
    ///
    /// In a wrapped world that is the shortest way. Who has just come, respawned or was put
    /// elsewhere is there at once.
    pub fn between(&self, place: u32, part: f32) -> V {
        let i = place as usize;
        let now = self.now.position.get(i);
        let before = self.position_before(i);
        self.inside(before + self.space.difference(before, now) * part)
    }

    /// What a picture needs of the agent at a place that [`rows_by_id`](Self::rows_by_id) gave: where it is
    /// drawn, as [`between`](Self::between) says, which way it looks (a unit vector), its
    /// radius (length), and the index of its group. It reads less than [`at`](Self::at).
    pub fn drawn(&self, place: u32, part: f32) -> (V, V, f32, usize) {
        let i = place as usize;
        (
            self.between(place, part),
            self.now.facing.get(i).copied().unwrap_or_else(|| self.now.heading.get(i)),
            self.now.limits[i].radius,
            self.now.group[i] as usize,
        )
    }

    /// Where the agent at place `i` was a tick ago: where it is now, once the next tick is being
    /// written over that (length).
    pub(super) fn position_before(&self, i: usize) -> V {
        if self.has_previous { self.next.position.get(i) } else { self.now.position.get(i) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::{Exit, ExitAction, Group, Setup, Spawn, StartVelocity};
    use crate::geometry::obstacle::Shape;
    use crate::parameter::Groups;
    use crate::spatial::space::{Bounds, Edge};
    use glam::{Vec2, vec2};

    fn walkers(edge: Edge, exits: Vec<Exit<Vec2>>) -> Crowd<Vec2> {
        let bounds = Some(Bounds { min: Vec2::ZERO, max: vec2(100.0, 100.0), edge });
        let mut group =
            Group::new("a", 0, Spawn::Points(vec![vec2(98.0, 50.0), vec2(10.0, 50.0)]), 4.0);
        group.velocity = StartVelocity::Same(vec2(4.0, 0.0));
        Crowd::new(Setup { dt: 0.5, bounds, exits, groups: vec![group], ..Setup::default() })
            .unwrap()
    }

    fn drawn(crowd: &Crowd<Vec2>, id: u32, part: f32) -> Vec2 {
        crowd.between(crowd.row_of(id).unwrap() as u32, part)
    }

    #[test]
    fn however_time_is_cut_into_frames_the_same_ticks_are_taken() {
        let run = |frames: &[f64]| {
            let (mut crowd, mut clock) = (walkers(Edge::Open, vec![]), Clock::new(2.0));
            let ticks: u32 = frames.iter().map(|&seconds| clock.advance(&mut crowd, seconds)).sum();
            (ticks, clock.part(&crowd))
        };
        // Two units of time to a second, in ticks of 0.5.
        assert_eq!([run(&[1.0]), run(&[0.5, 0.5]), run(&[0.125; 8])], [(4, 0.0); 3]);
        assert_eq!(run(&[0.3125, 0.25]), (2, 0.25));
        // What makes no sense is no time.
        assert_eq!(run(&[f64::NAN, -9.0, f64::INFINITY, 0.0]), (0, 0.0));
    }

    #[test]
    fn after_a_pause_a_few_ticks_are_taken_and_the_rest_is_dropped() {
        let (mut crowd, mut clock) = (walkers(Edge::Open, vec![]), Clock::new(1.0));
        assert_eq!(clock.advance(&mut crowd, 3_600.25), 8);
        assert_eq!((clock.part(&crowd), clock.advance(&mut crowd, 0.25)), (0.5, 1));
        clock.most = 2;
        assert_eq!(clock.advance(&mut crowd, 5.0), 2);
    }

    #[test]
    fn between_two_ticks_everybody_is_on_its_way_and_across_the_edge_by_the_shortest() {
        let mut crowd = walkers(Edge::Wrap, vec![]);
        assert_eq!(drawn(&crowd, 0, 0.7), vec2(98.0, 50.0));
        crowd.step();
        assert_eq!(
            [0.0, 0.25, 0.75, 1.0].map(|part| drawn(&crowd, 0, part).x),
            [98.0, 98.5, 99.5, 0.0]
        );
        crowd.step();
        assert_eq!((drawn(&crowd, 0, 0.5).x, drawn(&crowd, 1, 0.5).x), (1.0, 13.0));
        // In any order in memory.
        crowd.permute(&[1, 0]);
        assert_eq!((drawn(&crowd, 0, 0.5).x, drawn(&crowd, 1, 0.5).x), (1.0, 13.0));
    }

    #[test]
    fn who_comes_or_is_put_elsewhere_does_not_glide() {
        let away = Shape::Circle { center: vec2(50.0, 90.0), radius: 0.0 };
        let exit = Exit {
            shape: Shape::Circle { center: vec2(14.0, 50.0), radius: 0.5 },
            groups: Groups::All,
            then: ExitAction::Respawn(away),
        };
        let mut crowd = walkers(Edge::Open, vec![exit]);
        crowd.step();
        crowd.put(0, vec2(20.0, 20.0), None).unwrap();
        let new = crowd.add(0, vec2(70.0, 70.0), None).unwrap();
        assert_eq!([0, new].map(|id| drawn(&crowd, id, 0.5)), [vec2(20.0, 20.0), vec2(70.0, 70.0)]);
        crowd.step();
        assert_eq!(
            [0, 1, new].map(|id| drawn(&crowd, id, 0.5)),
            [vec2(21.0, 20.0), vec2(50.0, 90.0), vec2(71.0, 70.0)]
        );
        // Taking somebody out leaves the others on their way.
        assert!(crowd.remove(0));
        assert_eq!([1, new].map(|id| drawn(&crowd, id, 0.5)), [vec2(50.0, 90.0), vec2(71.0, 70.0)]);
    }
}
