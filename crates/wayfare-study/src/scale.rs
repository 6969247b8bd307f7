//! Scaling a scene to another number of agents at the same density, so that measurements for
//! different numbers can be compared.

use wayfare::Vector;
use wayfare::crowd::{Setup, Spawn};
use wayfare::geometry::obstacle::Shape;
use wayfare::spatial::space::{Bounds, Edge};

/// The number of agents that `setup` starts with.
pub fn agents<V: Vector>(setup: &Setup<V>) -> usize {
    setup.groups.iter().map(|group| group.count).sum()
}

/// `setup` with `count` agents in all, in the proportions of its groups, and with its world scaled
/// to the same density.
///
/// # Errors
/// The reason why the scene cannot be scaled, as the end of a sentence.
pub fn scaled<V: Vector>(mut setup: Setup<V>, count: usize) -> Result<Setup<V>, String> {
    let present = agents(&setup);
    if present == count {
        return Ok(setup);
    }
    let bounds = reason_against(&setup)
        .map_or_else(|| setup.bounds.ok_or("it has no bounds".to_string()), Err)?;
    let factor = (count as f64 / present as f64).powf(1.0 / V::DIMENSION as f64);
    let grown = |p: V| {
        V::from_fn(|i| {
            (f64::from(bounds.min.axis(i))
                + (f64::from(p.axis(i)) - f64::from(bounds.min.axis(i))) * factor)
                as f32
        })
    };
    let longer = |length: f32| (f64::from(length) * factor) as f32;
    setup.bounds = Some(Bounds { max: grown(bounds.max), ..bounds });
    let (mut before, mut given) = (0, 0);
    for group in &mut setup.groups {
        // Cumulative rounding: the counts of all groups add up to `count`.
        before += group.count;
        let until = (before as u128 * count as u128 / present as u128) as usize;
        group.count = until - given;
        given = until;
        match &mut group.spawn {
            Spawn::Inside(Shape::Circle { center, radius })
            | Spawn::Apart(Shape::Circle { center, radius }) => {
                (*center, *radius) = (grown(*center), longer(*radius))
            }
            Spawn::Inside(Shape::Box { center, half, .. })
            | Spawn::Apart(Shape::Box { center, half, .. }) => {
                (*center, *half) = (grown(*center), half.map(longer))
            }
            // Other spawns were refused above.
            _ => {}
        }
    }
    Ok(setup)
}

/// The reason why a scene cannot be scaled, if there is one.
fn reason_against<V: Vector>(setup: &Setup<V>) -> Option<String> {
    let reason = if setup.bounds.is_none_or(|bounds| bounds.edge != Edge::Wrap) {
        "its world is not wrapped".to_string()
    } else if !setup.obstacles.is_empty() {
        "it has obstacles".to_string()
    } else if !setup.paths.is_empty() {
        "it has paths".to_string()
    } else if !setup.fields.is_empty() {
        "it has fields".to_string()
    } else if setup.groups.iter().any(|group| group.goal.is_some()) {
        "it has goals".to_string()
    } else if agents(setup) == 0 {
        "it has no agents".to_string()
    } else {
        let fixed = setup.groups.iter().find_map(|group| match &group.spawn {
            Spawn::Points(_) => Some((group, "at points")),
            Spawn::Grid { .. } => Some((group, "in a grid")),
            Spawn::Ring { .. } => Some((group, "on a ring")),
            Spawn::Along(_) => Some((group, "along a path")),
            Spawn::Inside(Shape::Circle { .. } | Shape::Box { .. })
            | Spawn::Apart(Shape::Circle { .. } | Shape::Box { .. }) => None,
            Spawn::Inside(_) | Spawn::Apart(_) => {
                Some((group, "in a shape that is neither a box nor a circle"))
            }
            _ => Some((group, "at places that do not grow")),
        });
        let (group, how) = fixed?;
        format!("the group \"{}\" starts {how}", wayfare_scene::short(&group.name, 100))
    };
    Some(reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::crowd::Group;
    use wayfare::glam::{Vec2, Vec3, vec2};

    fn setup() -> Setup<Vec2> {
        let bounds = Bounds { min: vec2(10.0, 20.0), max: vec2(110.0, 70.0), edge: Edge::Wrap };
        let all = Spawn::Inside(Shape::box_between(bounds.min, bounds.max));
        let some = Spawn::Inside(Shape::Circle { center: vec2(20.0, 30.0), radius: 5.0 });
        Setup {
            bounds: Some(bounds),
            groups: vec![Group::new("a", 10, all, 1.0), Group::new("b", 20, some, 1.0)],
            ..Setup::default()
        }
    }

    #[test]
    fn four_times_the_agents_have_twice_the_width_and_the_height() {
        let scaled = scaled(setup(), 120).unwrap();
        let bounds = scaled.bounds.unwrap();
        assert_eq!((bounds.min, bounds.max), (vec2(10.0, 20.0), vec2(210.0, 120.0)));
        assert_eq!(
            scaled.groups[0].spawn,
            Spawn::Inside(Shape::box_between(bounds.min, bounds.max))
        );
        assert_eq!(
            scaled.groups[1].spawn,
            Spawn::Inside(Shape::Circle { center: vec2(30.0, 40.0), radius: 10.0 })
        );
        assert_eq!(scaled.groups.iter().map(|g| g.count).collect::<Vec<_>>(), [40, 80]);
    }

    #[test]
    fn the_groups_add_up_to_the_requested_number() {
        for count in 1..100 {
            assert_eq!(agents(&scaled(setup(), count).unwrap()), count);
        }
    }

    #[test]
    fn a_scene_that_cannot_be_scaled_has_a_reason_unless_its_number_stays() {
        type Change = fn(&mut Setup<Vec2>);
        let cases: [(Change, &str); 7] = [
            (|s| s.bounds = None, "its world is not wrapped"),
            (|s| s.bounds.as_mut().unwrap().edge = Edge::Wall, "its world is not wrapped"),
            (
                |s| s.obstacles.push(Shape::Circle { center: Vec2::ZERO, radius: 1.0 }),
                "it has obstacles",
            ),
            (
                |s| {
                    s.paths.push((
                        "p".to_string(),
                        wayfare::geometry::path::Path::new(vec![Vec2::ZERO], 1.0, false),
                    ))
                },
                "it has paths",
            ),
            (|s| s.groups.clear(), "it has no agents"),
            (
                |s| s.groups[1].spawn = Spawn::Points(vec![Vec2::ZERO; 20]),
                "the group \"b\" starts at points",
            ),
            (
                |s| {
                    s.groups[0].spawn =
                        Spawn::Grid { origin: Vec2::ZERO, spacing: 1.0, columns: 5, rows: 1 }
                },
                "the group \"a\" starts in a grid",
            ),
        ];
        for (change, expected) in cases {
            let mut setup = setup();
            change(&mut setup);
            assert_eq!(scaled(setup.clone(), 60).unwrap_err(), expected);
            assert!(scaled(setup.clone(), agents(&setup)).is_ok());
        }
    }

    #[test]
    fn a_3d_world_grows_by_the_cube_root() {
        let bounds = Bounds { min: Vec3::ZERO, max: Vec3::splat(10.0), edge: Edge::Wrap };
        let all = Spawn::Inside(Shape::box_between(bounds.min, bounds.max));
        let setup = Setup {
            bounds: Some(bounds),
            groups: vec![Group::new("a", 10, all, 1.0)],
            ..Setup::default()
        };
        assert_eq!(scaled(setup, 80).unwrap().bounds.unwrap().max, Vec3::splat(20.0));
    }
}
