//! Shots and hits in a scene with `[fire]`, as commands, so that a log contains them.
//!
//! There is no state here. Bullets are agents of the crowd, and their paths in the last tick are
//! read from its positions before and after: hits follow from the crowd alone.

use wayfare::crowd::{AgentRef, Command, Setup};
use wayfare::random::Random;
use wayfare::spatial::space::{Edge, Space};
use wayfare::{AgentId, Crowd, GroupId, Vector};
use wayfare_scene::Fire;

/// Largest number of bullets; the oldest ones are removed first.
const MOST_BULLETS: usize = 200;
/// A standing shooter gets this part of its top speed towards the click, so that its heading is
/// visible.
const CREEP: f32 = 0.05;
/// The random stream for entry positions; behaviors use low stream numbers.
const STREAM: u32 = u32::MAX;

/// A crowd in a scene with `[fire]`.
pub(crate) struct Range<'a, V: Vector> {
    pub(crate) crowd: &'a Crowd<V>,
    pub(crate) setup: &'a Setup<V>,
    pub(crate) fire: Fire,
    /// Rows of the agents, sorted by id.
    pub(crate) rows_by_id: &'a [u32],
}

/// The path of a body in the last tick.
#[derive(Clone, Copy, Debug)]
struct Flight<V> {
    id: AgentId,
    from: V,
    offset: V,
    velocity: V,
    radius: f32,
}

impl<'a, V: Vector> Range<'a, V> {
    /// Turns every shooter to `at` (length) and fires a bullet in that direction.
    pub(crate) fn shots(&self, at: V) -> Vec<Command<V>> {
        let space = self.setup.space();
        let (group, speed) = (self.name(self.fire.bullets), self.top_speed(self.fire.bullets));
        let mut commands = Vec::new();
        for AgentRef { id, agent, .. } in
            self.members(self.fire.shooters).map(|(_, member)| member).take(MOST_BULLETS)
        {
            let direction = space.difference(agent.position, at).unit();
            if direction == V::ZERO {
                continue;
            }
            let turned = direction * agent.velocity.length().max(CREEP * agent.max_speed);
            commands.push(Command::Move { id, position: agent.position, velocity: Some(turned) });
            let muzzle = agent.position + direction * agent.radius;
            commands.push(Command::Add {
                group: group.clone(),
                position: muzzle,
                velocity: Some(direction * speed),
            });
        }
        let flying: Vec<AgentId> =
            self.members(self.fire.bullets).map(|(_, member)| member.id).collect();
        let room = MOST_BULLETS - commands.len() / 2;
        commands.extend(
            flying.iter().take(flying.len().saturating_sub(room)).map(|&id| Command::Remove(id)),
        );
        commands
    }

    /// The effects of the bullets' paths in the last tick: a target that was hit is removed and
    /// another one enters; a bullet that hit something or left the bounds is removed.
    pub(crate) fn hits(&self) -> Vec<Command<V>> {
        let bullets = self.flights(self.fire.bullets);
        if bullets.is_empty() {
            return Vec::new();
        }
        let space = self.setup.space();
        let (mut targets, mut commands) = (self.flights(self.fire.targets), Vec::new());
        for bullet in bullets {
            let length = bullet.offset.length();
            let wall = self
                .crowd
                .ray(bullet.from, bullet.offset, length)
                .obstacle
                .map(|(_, hit)| hit.distance / length);
            let hits = targets
                .iter()
                .enumerate()
                .filter_map(|(i, target)| Some((bullet.touches(target, &space)?, i)));
            let first = hits
                .filter(|(along, _)| *along <= wall.unwrap_or(1.0))
                .min_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((_, i)) = first {
                let target = targets.remove(i);
                commands.extend([Command::Remove(bullet.id), Command::Remove(target.id)]);
                commands.extend(self.replacement(target.id));
            } else if wall.is_some() || self.has_left(&bullet) {
                commands.push(Command::Remove(bullet.id));
            }
        }
        commands
    }

    /// A target that replaces the removed one with this id: it enters at a random point of the
    /// bounds, towards the middle.
    fn replacement(&self, removed: AgentId) -> Option<Command<V>> {
        let bounds = self.setup.bounds?;
        let mut random = Random::new(self.setup.seed, removed.0, self.crowd.tick(), STREAM);
        // In space, too, it enters through one of the four sides seen from above.
        let (side, end) = (random.bits() as usize & 1, random.bits() as usize & 1);
        let within = V::from_fn(|i| random.between(bounds.min.axis(i), bounds.max.axis(i)));
        let sides: Vec<usize> =
            (0..V::DIMENSION).filter(|&i| !self.setup.up.is_height::<V>(i)).collect();
        let position = V::from_fn(|i| {
            if i == sides[side] { [bounds.min, bounds.max][end].axis(i) } else { within.axis(i) }
        });
        let inwards = ((bounds.min + bounds.max) * 0.5 - position).unit();
        let group = self.name(self.fire.targets);
        Some(Command::Add {
            group,
            position,
            velocity: Some(inwards * self.top_speed(self.fire.targets)),
        })
    }

    /// Whether a bullet is at or beyond the edge and moves outward, or was reflected. Otherwise it
    /// would fly on for ever, stop at a wall, or come in on the other side of a wrapped world.
    fn has_left(&self, bullet: &Flight<V>) -> bool {
        let (to, dt) = (bullet.from + bullet.offset, self.setup.dt as f32);
        self.setup.bounds.is_some_and(|bounds| {
            let beyond = |i: usize, x: f32, v: f32| {
                (x <= bounds.min.axis(i) && v <= 0.0) || (x >= bounds.max.axis(i) && v >= 0.0)
            };
            // A reflected bullet has another offset than its velocity gives, and without the
            // reflection it would be outside.
            let reflected = |i: usize| {
                let (from, step) = (bullet.from.axis(i), bullet.velocity.axis(i) * dt);
                bounds.edge == Edge::Bounce
                    && (bullet.offset.axis(i) - step).abs() > 0.01 * step.abs()
                    && beyond(i, from - step, -step)
            };
            (0..V::DIMENSION)
                .any(|i| beyond(i, to.axis(i), bullet.velocity.axis(i)) || reflected(i))
        })
    }

    /// The rows and members of a group, by rising ids.
    fn members(&self, group: GroupId) -> impl Iterator<Item = (u32, AgentRef<'a, V>)> {
        let crowd = self.crowd;
        self.rows_by_id
            .iter()
            .filter_map(move |&row| Some((row, crowd.agent_at_row(row)?)))
            .filter(move |(_, member)| member.group == group)
    }

    fn flights(&self, group: GroupId) -> Vec<Flight<V>> {
        let space = self.setup.space();
        let flight = |(row, AgentRef { id, agent, .. })| {
            let from = self.crowd.between(row, 0.0).unwrap_or(agent.position);
            Flight {
                id,
                from,
                offset: space.difference(from, agent.position),
                velocity: agent.velocity,
                radius: agent.radius,
            }
        };
        self.members(group).map(flight).collect()
    }

    fn name(&self, group: GroupId) -> String {
        self.setup.groups[group.0].name.clone()
    }

    /// Top speed of the fastest member (length / time); slower ones are cut to their own.
    fn top_speed(&self, group: GroupId) -> f32 {
        self.setup.groups[group.0].max_speed.bounds(wayfare::crowd::range::MAX_SPEED).1
    }
}

impl<V: Vector> Flight<V> {
    /// The part of the tick (0 to 1) at which it was nearest to `other`, if the bodies touched
    /// then.
    /// The relative path is used, so that fast bodies cannot jump over one another.
    fn touches(&self, other: &Self, space: &Space<V>) -> Option<f32> {
        let start = space.difference(other.from, self.from);
        let path = self.offset - other.offset;
        let along =
            (-start.dot(path) / path.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        ((start + path * along).length() <= self.radius + other.radius).then_some(along)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::crowd::Distribution;
    use wayfare::crowd::{Group, Spawn, StartVelocity};
    use wayfare::geometry::obstacle::Shape;
    use wayfare::glam::{Vec2, vec2};
    use wayfare::spatial::space::Bounds;

    const FIRE: Fire = Fire { shooters: GroupId(0), bullets: GroupId(1), targets: GroupId(2) };

    /// A world of 400 by 200 with shooters and targets at these points, and this bullet speed.
    fn setup(edge: Edge, shooters: &[Vec2], targets: &[Vec2], speed: f32) -> Setup<Vec2> {
        let group = |name: &str, points: &[Vec2], speed: f32, radius: f32| {
            let mut group = Group::new(name, 0, Spawn::Points(points.to_vec()), speed);
            group.radius = Distribution::Same(radius);
            group
        };
        let groups = vec![
            group("shooters", shooters, 2.0, 5.0),
            group("bullets", &[], speed, 1.0),
            group("targets", targets, 1.0, 3.0),
        ];
        Setup {
            seed: 7,
            bounds: Some(Bounds { min: Vec2::ZERO, max: vec2(400.0, 200.0), edge }),
            groups,
            ..Setup::default()
        }
    }

    fn act(
        crowd: &mut Crowd<Vec2>,
        setup: &Setup<Vec2>,
        commands: impl Fn(&Range<Vec2>) -> Vec<Command<Vec2>>,
    ) -> Vec<Command<Vec2>> {
        let mut rows = Vec::new();
        crowd.rows_by_id(&mut rows);
        let commands = commands(&Range { crowd, setup, fire: FIRE, rows_by_id: &rows });
        commands.iter().for_each(|command| _ = crowd.apply(command).unwrap());
        commands
    }

    /// Fires at `at` and steps `ticks` ticks; returns all commands that the bullets caused.
    fn after_a_shot(
        setup: &Setup<Vec2>,
        at: Vec2,
        ticks: usize,
    ) -> (Crowd<Vec2>, Vec<Command<Vec2>>) {
        let (mut crowd, mut done) = (Crowd::new(setup.clone()).unwrap(), Vec::new());
        act(&mut crowd, setup, |range| range.shots(at));
        for _ in 0..ticks {
            done.extend(act(&mut crowd, setup, |range| range.hits()));
            crowd.step();
        }
        done.extend(act(&mut crowd, setup, |range| range.hits()));
        (crowd, done)
    }

    #[test]
    fn every_shooter_turns_to_the_click_and_a_bullet_leaves_its_muzzle() {
        let mut setup = setup(Edge::Open, &[vec2(100.0, 100.0), vec2(100.0, 20.0)], &[], 9.0);
        setup.groups[0].velocity = StartVelocity::Same(vec2(0.0, 1.5));
        let mut crowd = Crowd::new(setup.clone()).unwrap();
        act(&mut crowd, &setup, |range| range.shots(vec2(300.0, 100.0)));
        let agent = |id| crowd.get(id).unwrap().agent;
        assert_eq!(
            (agent(0).position, agent(0).velocity, agent(0).heading),
            (vec2(100.0, 100.0), vec2(1.5, 0.0), Vec2::X)
        );
        assert_eq!(
            (agent(2).position, agent(2).velocity, crowd.get(2).unwrap().group),
            (vec2(105.0, 100.0), vec2(9.0, 0.0), FIRE.bullets)
        );
        let (direction, flight) = ((vec2(300.0, 100.0) - vec2(100.0, 20.0)).normalize(), agent(3));
        assert!(
            (agent(1).heading - direction).length() < 1e-6
                && (flight.velocity.normalize() - direction).length() < 1e-6
        );
        assert!((flight.position - vec2(100.0, 20.0) - direction * 5.0).length() < 1e-4);
        // A standing shooter turns too and creeps; one on the clicked point does nothing.
        setup.groups[0].velocity = StartVelocity::Same(Vec2::ZERO);
        let mut crowd = Crowd::new(setup.clone()).unwrap();
        act(&mut crowd, &setup, |range| range.shots(vec2(100.0, 20.0)));
        assert_eq!(
            (
                crowd.len(),
                crowd.get(0).unwrap().agent.velocity,
                crowd.get(1).unwrap().agent.velocity
            ),
            (3, vec2(0.0, -0.1), Vec2::ZERO)
        );
    }

    #[test]
    fn a_fast_bullet_hits_the_target_on_its_path_and_a_new_target_enters_at_the_bounds() {
        let setup = setup(
            Edge::Open,
            &[vec2(20.0, 100.0)],
            &[vec2(150.0, 100.0), vec2(90.0, 103.0), vec2(90.0, 105.0)],
            110.0,
        );
        // It flies from x = 25 to 135 in the first tick; the target at x = 90 is within the sum of
        // the radii of its path.
        let (crowd, done) = after_a_shot(&setup, vec2(300.0, 100.0), 1);
        assert_eq!(done[..2], [Command::Remove(AgentId(4)), Command::Remove(AgentId(2))]);
        let Command::Add { group, position, velocity } = &done[2] else { panic!("{done:?}") };
        assert!(done.len() == 3 && group == "targets" && crowd.len() == 4, "{done:?}");
        assert!(
            position.x == 0.0 || position.x == 400.0 || position.y == 0.0 || position.y == 200.0,
            "{position}"
        );
        let (velocity, inwards) = (velocity.unwrap(), vec2(200.0, 100.0) - *position);
        assert!(
            (velocity.length() - 1.0).abs() < 1e-5 && velocity.dot(inwards) > 0.0,
            "{velocity}"
        );
        // Without that target, the next one is hit a tick later.
        let setup = self::setup(
            Edge::Open,
            &[vec2(20.0, 100.0)],
            &[vec2(150.0, 100.0), vec2(90.0, 105.0)],
            110.0,
        );
        assert!(after_a_shot(&setup, vec2(300.0, 100.0), 1).1.is_empty());
        assert_eq!(
            after_a_shot(&setup, vec2(300.0, 100.0), 2).1[..2],
            [Command::Remove(AgentId(3)), Command::Remove(AgentId(1))]
        );
    }

    #[test]
    fn two_bullets_hit_two_targets_and_a_target_that_crosses_the_path_is_hit() {
        let mut setup = setup(
            Edge::Open,
            &[vec2(20.0, 90.0), vec2(20.0, 110.0)],
            &[vec2(60.0, 98.0), vec2(60.0, 102.0)],
            20.0,
        );
        let (_, done) = after_a_shot(&setup, vec2(100.0, 100.0), 3);
        let removed: Vec<_> =
            done.iter().filter(|command| matches!(command, Command::Remove(_))).collect();
        assert_eq!(
            removed,
            [
                &Command::Remove(AgentId(4)),
                &Command::Remove(AgentId(2)),
                &Command::Remove(AgentId(5)),
                &Command::Remove(AgentId(3))
            ],
            "{done:?}"
        );
        // Bullet and target swap sides within the tick: they are apart at its start and its end.
        setup = self::setup(Edge::Open, &[vec2(20.0, 100.0)], &[vec2(50.0, 100.0)], 20.0);
        (setup.groups[2].velocity, setup.groups[2].max_speed) =
            (StartVelocity::Same(vec2(-30.0, 0.0)), Distribution::Same(30.0));
        assert_eq!(
            after_a_shot(&setup, vec2(300.0, 100.0), 1).1[..2],
            [Command::Remove(AgentId(2)), Command::Remove(AgentId(1))]
        );
    }

    #[test]
    fn a_bullet_is_removed_at_the_bounds_of_every_edge_kind_and_at_obstacles() {
        for edge in [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce] {
            let mut setup = setup(edge, &[vec2(300.0, 100.0)], &[vec2(100.0, 100.0)], 30.0);
            assert!(
                after_a_shot(&setup, vec2(390.0, 100.0), 3).1.is_empty(),
                "{edge:?}: it is at 395"
            );
            assert_eq!(
                after_a_shot(&setup, vec2(390.0, 100.0), 4).1,
                [Command::Remove(AgentId(2))],
                "{edge:?}"
            );
            // A wall thinner than one tick's path, in front of the target.
            setup.obstacles = vec![Shape::box_between(vec2(215.0, 90.0), vec2(216.0, 110.0))];
            assert_eq!(
                after_a_shot(&setup, vec2(200.0, 100.0), 3).1,
                [Command::Remove(AgentId(2))],
                "{edge:?}"
            );
        }
        // A shooter outside an open world fires into it.
        let setup = setup(Edge::Open, &[vec2(-20.0, 100.0)], &[vec2(40.0, 100.0)], 30.0);
        assert_eq!(
            after_a_shot(&setup, vec2(40.0, 100.0), 2).1[..2],
            [Command::Remove(AgentId(2)), Command::Remove(AgentId(1))]
        );
    }

    #[test]
    fn the_oldest_bullets_are_removed_beyond_the_largest_number() {
        let setup = setup(
            Edge::Open,
            &[vec2(100.0, 100.0), vec2(100.0, 120.0), vec2(100.0, 140.0)],
            &[],
            9.0,
        );
        let mut crowd = Crowd::new(setup.clone()).unwrap();
        (0..100).for_each(|_| _ = act(&mut crowd, &setup, |range| range.shots(vec2(300.0, 100.0))));
        assert_eq!(
            (crowd.len(), crowd.get(302).is_some(), crowd.get(102).is_some()),
            (3 + MOST_BULLETS, true, false)
        );
        let many: Vec<Vec2> = (0..MOST_BULLETS + 50).map(|i| vec2(i as f32, 10.0)).collect();
        let setup = self::setup(Edge::Open, &many, &[], 9.0);
        let mut crowd = Crowd::new(setup.clone()).unwrap();
        (0..2).for_each(|_| _ = act(&mut crowd, &setup, |range| range.shots(vec2(300.0, 100.0))));
        assert_eq!(crowd.len(), many.len() + MOST_BULLETS);
    }
}
