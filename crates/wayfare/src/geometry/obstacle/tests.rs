use super::*;
use crate::behavior::testing::assert_near;
use crate::random::Random;
use core::f32::consts::{FRAC_PI_2, FRAC_PI_4, FRAC_PI_6};
use glam::{Vec3, vec2, vec3};

fn circle<V: Vector>(center: V, radius: f32) -> Obstacle<V> {
    Shape::Circle { center, radius }.into()
}

fn boxed<V: Vector>(center: V, half: V, angle: f32) -> Obstacle<V> {
    Shape::Box { center, half, angle }.into()
}

fn segment<V: Vector>(from: V, to: V, thickness: f32) -> Obstacle<V> {
    Shape::Segment { from, to, thickness }.into()
}

/// An L with its corner at the origin: 10 long, 4 wide.
fn concave<V: Vector>() -> Obstacle<V> {
    let points = [(0.0, 0.0), (10.0, 0.0), (10.0, 4.0), (4.0, 4.0), (4.0, 10.0), (0.0, 10.0)];
    Shape::Polygon { points: points.map(|(x, y)| vec2(x, y)).to_vec() }.into()
}

#[track_caller]
fn assert_distances<V: Vector>(obstacle: &Obstacle<V>, expected: &[(V, f32)]) {
    for &(p, distance) in expected {
        let found = obstacle.distance(p);
        assert!((found - distance).abs() < 1e-5, "{p:?}: {found}, expected {distance}");
        assert_eq!(obstacle.contains(p), distance <= 0.0);
    }
}

#[test]
fn distances_are_negative_inside() {
    assert_distances(
        &circle(vec2(3.0, 4.0), 2.0),
        &[(vec2(0.0, 0.0), 3.0), (vec2(3.0, 5.0), -1.0)],
    );
    assert_distances(
        &circle(vec3(1.0, 2.0, 2.0), 2.0),
        &[(Vec3::ZERO, 1.0), (vec3(1.0, 2.0, 2.0), -2.0)],
    );
    // To a corner, a face, and inside the nearest face.
    let flat = boxed(vec2(10.0, 0.0), vec2(4.0, 2.0), 0.0);
    assert_distances(
        &flat,
        &[(vec2(17.0, 6.0), 5.0), (vec2(4.0, -1.0), 2.0), (vec2(12.0, 1.0), -1.0)],
    );
    assert_distances(
        &boxed(Vec3::ZERO, vec3(1.0, 2.0, 3.0), 0.0),
        &[(vec3(2.0, -4.0, 5.0), 3.0), (vec3(0.0, 0.0, -2.5), -0.5)],
    );
    let wall = segment(vec2(0.0, 0.0), vec2(10.0, 0.0), 4.0);
    assert_distances(
        &wall,
        &[
            (vec2(5.0, 6.0), 4.0),
            (vec2(13.0, 4.0), 3.0),
            (vec2(-3.0, -4.0), 3.0),
            (vec2(5.0, 1.0), -1.0),
        ],
    );
    assert_distances(&segment(Vec3::Z, Vec3::Z, 2.0), &[(vec3(2.0, 2.0, 2.0), 2.0)]);
}

#[test]
fn a_box_is_turned_counter_clockwise() {
    assert_distances(
        &boxed(vec2(10.0, 0.0), vec2(4.0, 2.0), FRAC_PI_2),
        &[(vec2(10.0, 5.0), 1.0), (vec2(13.0, 0.0), 1.0)],
    );
    // A plate at 30 degrees: its own axis, and (5, -8.66) seen along -30 degrees.
    let (cos, sin) = (FRAC_PI_6.cos(), FRAC_PI_6.sin());
    let plate = boxed(vec3(0.0, 0.0, 7.0), vec3(8.0, 1.0, 1.0), FRAC_PI_6);
    assert_distances(
        &plate,
        &[
            (vec3(10.0 * cos, 10.0 * sin, 7.0), 2.0),
            (vec3(10.0 * cos, -10.0 * sin, 7.0), 7.660_254),
        ],
    );
    assert_near(plate.outward(vec3(7.9 * cos, 7.9 * sin, 7.0)), vec3(cos, sin, 0.0));
    assert_near(
        plate
            .cast_segment(vec3(20.0 * cos, 20.0 * sin, 7.0), vec3(0.0, 0.0, 7.0), 0.0)
            .unwrap()
            .normal,
        vec3(cos, sin, 0.0),
    );
    assert_eq!(
        boxed(vec2(1.0, 2.0), vec2(4.0, 2.0), 0.0).shape().extent(Up::Z),
        (vec2(-3.0, 0.0), vec2(5.0, 4.0))
    );
    let (low, high) = boxed(Vec2::ZERO, vec2(8.0, 1.0), FRAC_PI_6).shape().extent(Up::Z);
    assert_near(high, vec2(8.0 * cos + sin, 8.0 * sin + cos));
    assert_near(low, -high);
}

#[test]
fn a_polygon_may_be_concave_and_wound_either_way() {
    let expected = [
        (vec2(7.0, 7.0), 3.0),
        (vec2(5.0, 6.0), 1.0),
        (vec2(2.0, 2.0), -2.0),
        (vec2(1.0, 9.0), -1.0),
        (vec2(3.5, 3.5), -core::f32::consts::FRAC_1_SQRT_2),
        (vec2(-3.0, -4.0), 5.0),
    ];
    let mut points = if let Shape::Polygon { points } = concave::<Vec2>().shape() {
        points.clone()
    } else {
        vec![]
    };
    assert_distances(&concave(), &expected);
    assert_distances(&concave(), &expected.map(|(p, distance)| (vec3(p.x, p.y, 99.0), distance)));
    points.reverse();
    let reversed: Obstacle<Vec2> = Shape::Polygon { points }.into();
    assert_distances(&reversed, &expected);
    for obstacle in [concave(), reversed] {
        assert_near(obstacle.outward(vec2(6.0, 1.0)), vec2(0.0, -1.0));
        assert_near(
            obstacle.outward(vec2(3.5, 3.5)),
            Vec2::splat(core::f32::consts::FRAC_1_SQRT_2),
        );
        assert_near(obstacle.outward(vec2(6.0, 5.0)), vec2(0.0, 1.0));
        // Exactly on an edge the direction is its normal.
        assert_near(obstacle.outward(vec2(0.0, 5.0)), vec2(-1.0, 0.0));
        assert_near(obstacle.outward(vec2(4.0, 7.0)), vec2(1.0, 0.0));
    }
}

#[test]
fn beside_a_corner_the_direction_outward_leads_away_from_it_also_if_the_corner_rounds_to_the_edge()
{
    // In f32, (-15.424519, -5.556813) plus the edge to this corner is not the corner.
    let corner = vec2(-0.000_109_195_71, -11.474_025);
    let points = vec![
        vec2(3.834_518_4, 2.379_341_1),
        vec2(-2.146_465_5, 9.626_909),
        vec2(-12.575_751, 8.245_741),
        vec2(-15.424_519, -5.556_813),
        corner,
    ];
    let obstacle: Obstacle<Vec2> = Shape::Polygon { points }.into();
    let p = vec2(0.044_462_588, -11.527_105);
    assert_near(obstacle.outward(p), Vector::unit(p - corner));
}

#[test]
fn the_direction_outward_leads_to_the_nearest_point_outside() {
    assert_near(circle(vec2(3.0, 4.0), 9.0).outward(vec2(0.0, 0.0)), vec2(-0.6, -0.8));
    assert_eq!(circle(Vec3::ONE, 9.0).outward(Vec3::ONE), Vec3::X);
    let flat = boxed(vec2(10.0, 0.0), vec2(4.0, 2.0), 0.0);
    assert_near(flat.outward(vec2(12.0, -1.0)), vec2(0.0, -1.0));
    assert_near(flat.outward(vec2(7.0, 0.5)), vec2(-1.0, 0.0));
    // At equal distances: the first axis, the positive side. Within the growth: away from the
    // nearest point.
    assert_eq!(boxed(Vec3::ZERO, Vec3::splat(4.0), 0.0).outward(Vec3::ZERO), Vec3::X);
    assert_near(flat.outward(vec2(17.0, 6.0)), vec2(0.6, 0.8));
    assert_near(
        boxed(Vec2::ZERO, vec2(4.0, 2.0), FRAC_PI_4).outward(vec2(-0.5, 0.5)),
        Vec2::new(-1.0, 1.0) * core::f32::consts::FRAC_1_SQRT_2,
    );
    let wall = segment(vec2(0.0, 0.0), vec2(10.0, 0.0), 4.0);
    assert_near(wall.outward(vec2(5.0, -1.0)), vec2(0.0, -1.0));
    assert_near(wall.outward(vec2(13.0, 4.0)), vec2(0.6, 0.8));
    assert_near(wall.outward(vec2(5.0, 0.0)), vec2(0.0, 1.0));
    assert_near(segment(Vec3::ZERO, vec3(0.0, 0.0, 5.0), 4.0).outward(Vec3::Z), Vec3::X);
}

/// The first hit of the probe from the origin to 20 along x: its distance and normal.
fn first_hit<V: Vector>(obstacle: &Obstacle<V>, growth: f32) -> Option<(f32, V)> {
    obstacle.cast_segment(V::ZERO, V::X * 20.0, growth).map(|m| (m.along * 20.0, m.normal))
}

#[track_caller]
fn assert_hit<V: Vector>(found: Option<(f32, V)>, along: f32, normal: V) {
    let (distance, found) = found.unwrap();
    assert!((distance - along).abs() < 1e-4, "at {distance}, expected {along}");
    assert_near(found, normal);
}

#[test]
fn a_probe_hits_the_first_surface_along_it() {
    assert_hit(first_hit(&circle(vec2(10.0, 3.0), 5.0), 0.0), 6.0, vec2(-0.8, -0.6));
    assert_hit(first_hit(&circle(vec3(10.0, 0.0, 3.0), 5.0), 0.0), 6.0, vec3(-0.8, 0.0, -0.6));
    assert_hit(first_hit(&boxed(vec2(15.0, 3.0), vec2(5.0, 4.0), 0.0), 0.0), 10.0, vec2(-1.0, 0.0));
    assert_hit(
        first_hit(&segment(vec2(10.0, -5.0), vec2(10.0, 5.0), 0.0), 0.0),
        10.0,
        vec2(-1.0, 0.0),
    );
    assert_hit(
        first_hit(&segment(vec2(10.0, 5.0), vec2(10.0, -5.0), 2.0), 0.0),
        9.0,
        vec2(-1.0, 0.0),
    );
    assert_hit(
        first_hit(&segment(vec2(10.0, 3.0), vec2(10.0, 9.0), 10.0), 0.0),
        6.0,
        vec2(-0.8, -0.6),
    );
    assert_hit(
        first_hit(&segment(vec3(10.0, 3.0, -9.0), vec3(10.0, 3.0, 9.0), 10.0), 0.0),
        6.0,
        vec3(-0.8, -0.6, 0.0),
    );
    // Beside it, behind it, beyond it, along it; in space nothing hits a line.
    assert_eq!(first_hit(&circle(vec2(10.0, 5.1), 5.0), 0.0), None);
    assert_eq!(first_hit(&circle(vec2(-10.0, 0.0), 5.0), 0.0), None);
    assert_eq!(first_hit(&boxed(vec2(25.0, 0.0), vec2(4.0, 4.0), 0.0), 0.0), None);
    assert_eq!(first_hit(&boxed(vec2(10.0, 5.0), vec2(4.0, 4.0), 0.0), 0.0), None);
    assert_eq!(first_hit(&segment(vec3(10.0, -5.0, 0.0), vec3(10.0, 5.0, 0.0), 0.0), 0.0), None);
    assert_eq!(circle(vec2(1.0, 0.0), 0.5).cast_segment(Vec2::ZERO, Vec2::ZERO, 0.1), None);
}

#[test]
fn a_probe_enters_the_hollow_of_a_concave_polygon() {
    let met = concave::<Vec2>().cast_segment(vec2(20.0, 7.0), vec2(0.0, 7.0), 0.0).unwrap();
    assert_hit(Some((met.along * 20.0, met.normal)), 16.0, vec2(1.0, 0.0));
    let met =
        concave::<Vec3>().cast_segment(vec3(7.0, 9.0, 0.0), vec3(7.0, -1.0, 5.0), 1.0).unwrap();
    assert_hit(Some((met.along * 10.0, met.normal)), 4.0, vec3(0.0, 1.0, 0.0));
    assert_eq!(concave::<Vec2>().cast_segment(vec2(9.0, 5.0), vec2(5.0, 9.0), 0.0), None);
    assert_eq!(concave::<Vec3>().cast_segment(vec3(5.0, 5.0, 0.0), vec3(5.0, 5.0, 9.0), 0.5), None);
}

#[test]
fn growing_a_shape_rounds_its_corners() {
    // Past the corner (10, 1) with 3, and in space past the edge (10, 1) and the corner (10, 1, 1).
    let (root7, root8) = (7.0_f32.sqrt(), 8.0_f32.sqrt());
    let corner = |half: f32| boxed(vec2(10.0 + half, 1.0 + half), vec2(half, half), 0.0);
    assert_hit(first_hit(&corner(5.0), 3.0), 10.0 - root8, vec2(-root8, -1.0) / 3.0);
    assert_hit(
        first_hit(&boxed(vec3(15.0, 6.0, 0.0), Vec3::splat(5.0), 0.0), 3.0),
        10.0 - root8,
        vec3(-root8, -1.0, 0.0) / 3.0,
    );
    assert_hit(
        first_hit(&boxed(vec3(15.0, 6.0, 6.0), Vec3::splat(5.0), 0.0), 3.0),
        10.0 - root7,
        vec3(-root7, -1.0, -1.0) / 3.0,
    );
    assert_eq!(first_hit(&corner(5.0), 0.99), None);
    // A face is only pushed out.
    assert_hit(first_hit(&boxed(vec2(15.0, 0.0), vec2(5.0, 4.0), 0.0), 3.0), 7.0, vec2(-1.0, 0.0));
    assert_hit(first_hit(&circle(vec2(10.0, 3.0), 2.0), 3.0), 6.0, vec2(-0.8, -0.6));
    assert_hit(
        first_hit(&segment(vec3(10.0, 3.0, 3.0), vec3(10.0, 3.0, 9.0), 0.0), 5.0),
        10.0 - root7,
        vec3(-root7, -3.0, -3.0) / 5.0,
    );
}

/// Random probes and random shapes: the distance of the hit from the shape is exactly `growth`, and
/// all points before it are farther away.
fn assert_first_hits<V: Vector>() {
    let mut met = 0;
    for id in 0..2_000 {
        let mut random = Random::new(17, id, 0, 0);
        let point = |random: &mut Random| V::from_fn(|_| random.between(-10.0, 10.0));
        let (a, b, size, angle) = (
            point(&mut random),
            point(&mut random),
            random.between(0.1, 6.0),
            random.between(-4.0, 4.0),
        );
        let obstacle: Obstacle<V> = match id % 4 {
            0 => circle(a, size),
            1 => boxed(a, b.map(|x| x.abs() * 0.5), angle),
            2 => segment(a, b, size),
            _ => concave(),
        };
        let growth = if id % 8 < 4 { 0.0 } else { random.between(0.1, 3.0) };
        let (p, far) = (point(&mut random), point(&mut random));
        if obstacle.distance(p) <= growth {
            continue;
        }
        let found = obstacle.cast_segment(p, far, growth);
        let end = found.map_or(1.0, |m| m.along);
        for k in 0..100 {
            let before = p + (far - p) * (end * k as f32 * 0.01);
            assert!(
                obstacle.distance(before) > growth - 1e-4,
                "{obstacle:?} {p:?} {far:?} {growth}"
            );
        }
        if let Some(m) = found {
            met += 1;
            let there = p + (far - p) * m.along;
            assert!(
                (obstacle.distance(there) - growth).abs() < 1e-4,
                "{obstacle:?} {p:?} {far:?} {growth}"
            );
            // A small step along the normal adds its length to the distance.
            assert!(
                (obstacle.distance(there + m.normal * 0.01) - growth - 0.01).abs() < 1e-3,
                "{obstacle:?} {p:?} {far:?} {growth}"
            );
        }
    }
    assert!(met > 300, "{met}");
}

#[test]
fn a_hit_is_on_the_grown_surface_and_nothing_is_hit_before_it() {
    assert_first_hits::<Vec2>();
    assert_first_hits::<Vec3>();
}

#[test]
fn a_shape_with_y_up_answers_like_the_shape_with_z_up_rotated() {
    const CENTER: Vec3 = vec3(3.0, -2.0, 1.0);
    const HALF: Vec3 = vec3(4.0, 1.5, 2.5);
    const CORNERS: [Vec2; 4] = [vec2(-5.0, -4.0), vec2(6.0, -3.0), vec2(2.0, 0.0), vec2(1.0, 7.0)];
    let prism = |up: Up| Shape::Polygon {
        points: CORNERS.map(|p| up.ground(up.from_z_up(p.extend(0.0)))).to_vec(),
    };
    let boxed = |up: Up| Shape::Box {
        center: up.from_z_up(CENTER),
        half: up.swap_widths(HALF),
        angle: 0.7,
    };
    let segment = |up: Up| Shape::Segment {
        from: up.from_z_up(CENTER),
        to: up.from_z_up(HALF * 3.0),
        thickness: 1.0,
    };
    let shapes: [fn(Up) -> Shape<Vec3>; 3] = [prism, boxed, segment];
    for shape in shapes {
        let [z, y] = [Up::Z, Up::Y].map(|up| Obstacle::with_up(shape(up), up));
        let turned = |v: Vec3| Up::Y.from_z_up(v);
        let mut random = Random::new(11, 0, 0, 0);
        for _ in 0..500 {
            let [p, q] = [(); 2].map(|()| Vec3::from_fn(|_| random.between(-9.0, 9.0)));
            let near = |a: f32, b: f32| (a - b).abs() < 1e-4;
            assert!(near(z.distance(p), y.distance(turned(p))), "{z:?} {p}");
            assert!((turned(z.outward(p)) - y.outward(turned(p))).length() < 1e-3, "{z:?} {p}");
            for growth in [0.0, 1.2] {
                if z.distance(p) <= growth {
                    continue;
                }
                let hits =
                    (z.cast_segment(p, q, growth), y.cast_segment(turned(p), turned(q), growth));
                match hits {
                    (Some(a), Some(b)) => {
                        assert!(near(a.along, b.along), "{z:?} {p} {q}");
                        assert!((turned(a.normal) - b.normal).length() < 1e-2, "{z:?} {p} {q}");
                    }
                    (None, None) => {}
                    // Rounding decides where the probe only touches.
                    (Some(hit), None) | (None, Some(hit)) => {
                        assert!(hit.normal.dot((q - p).normalize()).abs() < 1e-2);
                    }
                }
            }
            let (low, high) = y.aabb();
            assert!(
                y.distance(turned(p)) > 0.0 || (low.cmple(turned(p)) & high.cmpge(turned(p))).all()
            );
        }
        // On the line of a wall both sides are equally near.
        let on = (CENTER + HALF * 3.0) * 0.5;
        assert!((turned(z.outward(on)) - y.outward(turned(on))).length() < 1e-3, "{z:?}");
        let shifted = z.shape().shifted(HALF, Up::Z);
        assert_eq!(
            Obstacle::with_up(y.shape().shifted(turned(HALF), Up::Y), Up::Y).distance(turned(q0())),
            Obstacle::with_up(shifted, Up::Z).distance(q0()),
        );
    }
}

fn q0() -> Vec3 {
    vec3(20.0, 30.0, -8.0)
}
