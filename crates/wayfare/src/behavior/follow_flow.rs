//! Follow a flow: move along a field of directions. Reynolds, GDC 1999, "Flow field following".

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::geometry::flow_field::FlowField;
use crate::geometry::obstacle::Obstacles;
use crate::parameter::{FieldId, Kind, Range, Unit, parameters};
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The force that moves along a flow field (length / time): with `w` the field's direction at `p +
/// v * lookahead`, the force is `w * max_speed - v`.
///
/// If the field has a goal and the path to it, of length `d`, is shorter than `slowing_radius`
/// (length), `w` is shortened to `d / slowing_radius`; in the goal it is zero, so that the host
/// stops. Zero force where the field has no direction. `obstacles` are those that the field was
/// built with. A host at rest gets `w * max_speed`.
pub fn follow_flow<V: Vector>(
    host: &impl Host<V>,
    field: &FlowField<V>,
    obstacles: Obstacles<'_, V>,
    lookahead: f32,
    slowing_radius: f32,
) -> V {
    led(&Space::default(), host, field, obstacles, lookahead, slowing_radius, DebugDraw::OFF)
}

fn led<V: Vector>(
    space: &Space<V>,
    host: &impl Host<V>,
    field: &FlowField<V>,
    obstacles: Obstacles<'_, V>,
    lookahead: f32,
    slowing_radius: f32,
    debug: DebugDraw<'_, V>,
) -> V {
    let ahead = host.position() + host.velocity() * lookahead;
    let at = space.inside(ahead);
    let Some(mut direction) = field.direction_in(space, at, obstacles) else { return V::ZERO };
    if slowing_radius > 0.0
        && let Some(distance) =
            field.distance_in(space, at).filter(|distance| *distance < slowing_radius)
    {
        direction *= distance / slowing_radius;
    }
    if lookahead > 0.0 {
        debug.segment("lookahead", || (host.position(), ahead));
    }
    // Two cells long, so that it is visible.
    debug.segment("field", || (ahead, ahead + direction * (2.0 * field.cell())));
    direction * host.max_speed() - host.velocity()
}

parameters! {
    /// Along a field of directions: w * max_speed - v, w the field's direction at p + v *
    /// lookahead.
    ///
    /// A field is a `[field.NAME]` of the scene: given vectors, or the shortest paths around the
    /// obstacles to a goal. In the goal the host stops.
    #[doc(alias = "flow field following")]
    #[doc(alias = "flow")]
    #[doc(alias = "flow field")]
    #[derive(Copy)]
    "follow_flow" needs(FIELDS) is(ROUTES FINDS_WAY) = pub struct FollowFlow {
        /// The field to follow.
        field: FieldId = required, Kind::Field;
        /// How far ahead in time the host's position is predicted.
        lookahead: f32 = 0.0, Kind::Number(Range::from_zero(Unit::Time));
        /// The length of the path to the field's goal at which slowing begins.
        slowing_radius: f32 = 0.0, Kind::Number(Range::from_zero(Unit::Length));
    }
}

impl<V: Vector> Steer<V> for FollowFlow {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let Some(field) = context.field(self.field) else { return V::ZERO };
        led(
            &context.space,
            host,
            field,
            context.obstacles,
            self.lookahead,
            self.slowing_radius,
            debug,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::{assert_near, force_alone};
    use crate::context::Shared;
    use crate::geometry::obstacle::{Obstacle, Shape};
    use crate::spatial::space::{Bounds, Edge};
    use glam::{Vec2, Vec3, vec2, vec3};

    fn follow<V: Vector>(host: &Agent<V>, field: &FlowField<V>) -> V {
        follow_flow(host, field, Obstacles::NONE, 0.0, 0.0)
    }

    #[test]
    fn the_force_is_the_vector_interpolated_between_cell_centers_times_max_speed() {
        // Cell centers at 5 and 15 on both axes.
        let vectors = vec![vec2(1.0, 0.0), vec2(0.0, 0.5), vec2(3.0, 4.0), vec2(0.0, 0.0)];
        let field = FlowField::of_vectors(Vec2::ZERO, 10.0, 2, None, vectors).unwrap();
        let at = |x, y| follow(&Agent::new(vec2(x, y), 2.0).moving(vec2(0.5, 0.5)), &field);
        assert_near(at(5.0, 5.0), vec2(1.5, -0.5));
        assert_near(at(15.0, 5.0), vec2(-0.5, 0.5));
        // Longer vectors are truncated to length 1.
        assert_near(at(5.0, 15.0), vec2(0.7, 1.1));
        // Between two centers, and between all four: (1 + 0.6) / 4 and (0.5 + 0.8) / 4.
        assert_near(at(10.0, 5.0), vec2(0.5, 0.0));
        assert_near(at(10.0, 10.0), vec2(0.3, 0.15));
        // Beyond the outer cell centers the nearest vector counts; with a zero vector the host
        // stops; outside of the field there is no force.
        assert_near(at(0.0, 0.0), vec2(1.5, -0.5));
        assert_near(at(20.0, 20.0), vec2(-0.5, -0.5));
        assert_eq!([at(-0.01, 5.0), at(5.0, 20.01), at(1e18, -1e18)], [Vec2::ZERO; 3]);
    }

    #[test]
    fn in_3d_vectors_are_given_layer_by_layer() {
        let vectors = vec![Vec3::X, Vec3::Y, Vec3::Z, Vec3::ZERO];
        let field = FlowField::of_vectors(vec3(1.0, 1.0, 1.0), 2.0, 1, Some(2), vectors).unwrap();
        let at = |y, z| follow(&Agent::new(vec3(2.0, y, z), 3.0), &field);
        assert_near(at(2.0, 2.0), Vec3::X * 3.0);
        assert_near(at(4.0, 2.0), Vec3::Y * 3.0);
        assert_near(at(2.0, 4.0), Vec3::Z * 3.0);
        assert_near(at(3.0, 3.0), Vec3::ONE * 0.75);
    }

    #[test]
    fn the_predicted_position_counts_and_in_a_wrapped_world_its_image() {
        let field =
            FlowField::of_vectors(Vec2::ZERO, 10.0, 2, None, vec![vec2(1.0, 0.0), vec2(0.0, 1.0)])
                .unwrap();
        let host = Agent::new(vec2(5.0, 5.0), 2.0).moving(vec2(1.0, 0.0));
        assert_near(follow_flow(&host, &field, Obstacles::NONE, 10.0, 0.0), vec2(-1.0, 2.0));
        // After 20 units of time the host is at 25, whose image is 5.
        assert_eq!(follow_flow(&host, &field, Obstacles::NONE, 20.0, 0.0), Vec2::ZERO);
        let space =
            Space::new(Some(Bounds { min: Vec2::ZERO, max: vec2(20.0, 10.0), edge: Edge::Wrap }));
        let shared = Shared { fields: core::slice::from_ref(&field), ..Shared::nothing() };
        let context =
            &mut SteerContext { space, shared: Some(&shared), ..SteerContext::empty(1.0) };
        let rule = FollowFlow { lookahead: 20.0, ..FollowFlow::new(FieldId(0)) };
        assert_near(
            rule.force(&host, &mut Memory::default(), context, DebugDraw::OFF),
            vec2(1.0, 0.0),
        );
    }

    #[test]
    fn a_host_slows_down_towards_the_goal_and_stops_in_it() {
        let goal = Shape::Circle { center: vec2(50.0, 50.0), radius: 10.0 };
        let field =
            FlowField::toward(&[goal], Obstacles::NONE, Vec2::ZERO, vec2(100.0, 100.0), 1.0, 0.0)
                .unwrap();
        let at = |x: f32| {
            follow_flow(
                &Agent::new(vec2(x, 50.0), 2.0).moving(vec2(0.0, 1.0)),
                &field,
                Obstacles::NONE,
                0.0,
                20.0,
            )
        };
        assert_near(at(10.0), vec2(2.0, -1.0));
        // At 10 from the goal the speed is halved. The distances are exact up to part of a cell.
        assert!((at(30.0) - vec2(1.0, -1.0)).length() < 0.02, "{}", at(30.0));
        assert_near(at(50.0), vec2(0.0, -1.0));
        assert_near(at(45.0), vec2(0.0, -1.0));
        // Without a slowing radius the host also stops.
        assert_near(follow(&Agent::new(vec2(50.0, 50.0), 2.0), &field), Vec2::ZERO);
        assert_near(follow(&Agent::new(vec2(39.0, 50.0), 2.0), &field), vec2(2.0, 0.0));
        // Outside of the field the host returns to the field.
        assert_near(follow(&Agent::new(vec2(120.0, 30.0), 2.0), &field), vec2(-2.0, 0.0));
    }

    #[test]
    fn close_to_a_wall_the_field_leads_away_on_the_same_side_and_without_a_path_there_is_no_force()
    {
        // A thin wall that reaches the lower edge of the field; the path to the goal leads around
        // its upper end.
        let wall = [Obstacle::from(Shape::Segment {
            from: vec2(50.0, -10.0),
            to: vec2(50.0, 80.0),
            thickness: 0.2,
        })];
        let goal = [Shape::Circle { center: vec2(90.0, 10.0), radius: 5.0 }];
        let field = FlowField::toward(
            &goal,
            Obstacles::from(&wall),
            Vec2::ZERO,
            vec2(100.0, 100.0),
            2.0,
            3.0,
        )
        .unwrap();
        let at = |x, y| {
            follow_flow(&Agent::new(vec2(x, y), 1.0), &field, Obstacles::from(&wall), 0.0, 0.0)
        };
        assert_near(at(49.8, 20.0), vec2(-1.0, 0.0));
        assert_near(at(50.2, 20.0), vec2(1.0, 0.0));
        // At the clearance from the wall the host moves along the wall: up on one side, to the goal
        // on the other.
        assert!(
            at(46.9, 20.0).y > 0.95 && at(53.1, 20.0).x > 0.9,
            "{} {}",
            at(46.9, 20.0),
            at(53.1, 20.0)
        );
        // A closed box around the host: no path leads out.
        let cage: Vec<_> = [
            (0.0, 0.0, 20.0, 0.0),
            (20.0, 0.0, 20.0, 20.0),
            (20.0, 20.0, 0.0, 20.0),
            (0.0, 20.0, 0.0, 0.0),
        ]
        .map(|(a, b, c, d)| {
            Obstacle::from(Shape::Segment { from: vec2(a, b), to: vec2(c, d), thickness: 0.0 })
        })
        .into();
        let field = FlowField::toward(
            &goal,
            Obstacles::from(&cage),
            vec2(-5.0, -5.0),
            vec2(100.0, 100.0),
            1.0,
            0.0,
        )
        .unwrap();
        assert_eq!(
            follow_flow(
                &Agent::new(vec2(10.0, 10.0), 1.0),
                &field,
                Obstacles::from(&cage),
                0.0,
                0.0
            ),
            Vec2::ZERO
        );
        assert_ne!(
            follow_flow(
                &Agent::new(vec2(25.0, 10.0), 1.0),
                &field,
                Obstacles::from(&cage),
                0.0,
                0.0
            ),
            Vec2::ZERO
        );
    }

    #[test]
    fn without_a_field_there_is_no_force() {
        assert_eq!(
            force_alone(&FollowFlow::new(FieldId(0)), &Agent::new(Vec2::ZERO, 1.0).moving(Vec2::X)),
            Vec2::ZERO
        );
    }
}
