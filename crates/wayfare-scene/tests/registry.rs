//! A user's behavior that is registered by name, in a scene file and in the schema.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.
#![allow(unreachable_pub)] // The macro declares public structs.

use wayfare::annotation::DebugDraw;
use wayfare::behavior::Steer;
use wayfare::glam::{Vec2, vec2};
use wayfare::parameter::{Kind, Range, Unit, Value};
use wayfare::{Agent, Crowd, Memory, Registry, SteerContext, Vector, parameters};
use wayfare_scene::{AnyScene, Format, Source, read, read_with, schema_with};

parameters! {
    /// A constant force along x.
    "drift" = pub struct Drift {
        /// The length of the force.
        strength: f32 = 1.0, Kind::Number(Range::from_zero(Unit::Speed));
    }
}

impl<V: Vector> Steer<V> for Drift {
    fn force(
        &self,
        _: &Agent<V>,
        _: &mut Memory<V>,
        _: &mut SteerContext<'_, V>,
        _: DebugDraw<'_, V>,
    ) -> V {
        V::X * self.strength
    }
}

fn registry() -> Registry {
    let mut registry = Registry::default();
    registry.register::<Vec2, Drift>().unwrap();
    registry
}

fn scene(steer: &str) -> Source {
    let text = format!(
        "[[group]]\nname = \"boats\"\nspawn = {{ points = [[3, 4]] }}\nmax_speed = 9\n\
         steer = [{steer}]\n"
    );
    Source { name: "boats.toml".to_string(), text }
}

#[test]
fn a_scene_names_a_registered_behavior_as_it_names_a_built_in_one() {
    let source = scene("{ drift = { strength = 2 }, weight = 0.5 }");
    let Ok(AnyScene::TwoD(scene)) = read_with(&source, Format::Toml, &registry()) else {
        panic!("it is a scene in 2D");
    };
    let behavior = scene.setup.groups[0].steer.behaviors().next().unwrap();
    assert_eq!(behavior.name(), "drift");
    assert_eq!(behavior.get("strength"), Some(Value::Number(2.0)));
    let mut crowd = Crowd::new(scene.setup).unwrap();
    crowd.step();
    assert_eq!(crowd.get(0).unwrap().agent.velocity, vec2(1.0, 0.0));
}

#[test]
fn mistakes_in_a_registered_behavior_are_explained() {
    let explained = |steer: &str| {
        let problems = read_with(&scene(steer), Format::Toml, &registry()).unwrap_err();
        problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>().join("\n")
    };
    assert!(explained("{ drift = { strenght = 2 } }").contains("strenght"));
    assert!(explained("{ drift = { strength = -2 } }").contains("-2"));
    let unknown = read(&scene("{ drift = {} }"), Format::Toml).unwrap_err();
    assert!(unknown[0].message.contains("`drift` is not a behavior"), "{}", unknown[0].message);
}

#[test]
fn the_schema_of_a_registry_describes_its_behaviors() {
    let schema = schema_with(&registry());
    assert!(schema.contains("\"drift\"") && schema.contains("A constant force along x."));
    assert!(!wayfare_scene::schema().contains("\"drift\""));
}
