//! User-defined behaviors with described parameters, found by name like built-in ones.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

use super::is_slot_key;
use super::list::Behavior;
use crate::agent::{Agent, Memory};
use crate::annotation::DebugDraw;
use crate::behavior::Steer;
use crate::context::SteerContext;
use crate::parameter::{Description, Needs, Parameters, Value};
use crate::vector::Vector;

/// A behavior from its name and its formula, for [`Behavior::from_fn`].
pub(super) struct Formula<F>(pub(super) &'static str, pub(super) F);

impl<F> fmt::Debug for Formula<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl<V: Vector, F> Steer<V> for Formula<F>
where
    F: Fn(&Agent<V>, &mut Memory<V>, &mut SteerContext<'_, V>) -> V + Send + Sync,
{
    fn force(
        &self,
        host: &Agent<V>,
        memory: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        _: DebugDraw<'_, V>,
    ) -> V {
        (self.1)(host, memory, context)
    }

    fn needs(&self) -> Needs {
        Needs::MEMORY
    }
}

/// A behavior whose parameters are described and can be set by name. Implemented for every type
/// made by [`parameters!`](crate::parameters) that implements [`Steer`].
pub trait DescribedSteer<V: Vector>: Steer<V> {
    /// The name, doc and parameters.
    fn description(&self) -> Description;
    /// Sets the parameter `name`; `false` if there is none, or the value is of another kind.
    fn set_value(&mut self, name: &str, value: Value<V>) -> bool;
    /// The value of the parameter `name`; `None` if there is none, or it was left out.
    fn value(&self, name: &str) -> Option<Value<V>>;
    /// What it needs, by its description and by [`Steer::needs`].
    fn all_needs(&self) -> Needs;
    /// A boxed copy.
    fn boxed(&self) -> Box<dyn DescribedSteer<V>>;
}

impl<V: Vector, B: Steer<V> + Parameters<V> + 'static> DescribedSteer<V> for B {
    fn description(&self) -> Description {
        Description::of::<V, B>()
    }
    fn set_value(&mut self, name: &str, value: Value<V>) -> bool {
        self.set(name, value)
    }
    fn value(&self, name: &str) -> Option<Value<V>> {
        self.get(name)
    }
    fn all_needs(&self) -> Needs {
        B::NEEDS.and(self.needs())
    }
    fn boxed(&self) -> Box<dyn DescribedSteer<V>> {
        Box::new(self.clone())
    }
}

impl<V: Vector> Clone for Box<dyn DescribedSteer<V>> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

/// The behaviors that scene files may name: all built-in behaviors and the registered ones. The
/// default holds the built-in behaviors only.
///
/// ```
/// use wayfare::glam::{Vec2, vec2};
/// use wayfare::parameter::{Kind, Range, Unit};
/// use wayfare::{Agent, Memory, SteerContext, annotation::DebugDraw, parameters};
/// use wayfare::{Registry, behavior::Steer};
///
/// parameters! {
///     /// A constant force to the right.
///     "drift" = pub struct Drift {
///         /// The length of the force.
///         strength: f32 = 1.0, Kind::Number(Range::from_zero(Unit::Speed));
///     }
/// }
///
/// impl Steer<Vec2> for Drift {
///     fn force(
///         &self,
///         _: &Agent<Vec2>,
///         _: &mut Memory<Vec2>,
///         _: &mut SteerContext<'_, Vec2>,
///         _: DebugDraw<'_, Vec2>,
///     ) -> Vec2 {
///         vec2(self.strength, 0.0)
///     }
/// }
///
/// let mut registry = Registry::default();
/// registry.register::<Vec2, Drift>()?;
/// let drift = registry.from_name::<Vec2>("drift").expect("it was registered");
/// assert_eq!(drift.parameters()[0].name, "strength");
/// assert!(registry.register::<Vec2, Drift>().is_err());
/// # Ok::<(), wayfare::registry::NameTaken>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Registry {
    registered: Vec<Registered>,
}

#[derive(Clone, Debug)]
struct Registered {
    description: Description,
    /// A `Behavior<V>` with all defaults.
    defaults: Arc<dyn Any + Send + Sync>,
}

/// The name of a registered behavior is already used by another behavior or by a key of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameTaken(pub &'static str);

impl fmt::Display for NameTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` already names a behavior or a key of a slot", self.0)
    }
}

impl core::error::Error for NameTaken {}

impl Registry {
    /// Adds the behavior `B` in the dimension of `V`, under its [`Parameters::NAME`].
    ///
    /// # Errors
    /// If the name is taken in this dimension.
    pub fn register<V: Vector, B>(&mut self) -> Result<(), NameTaken>
    where
        B: Steer<V> + Parameters<V> + 'static,
    {
        let description = Description::of::<V, B>();
        let name = description.name;
        if is_slot_key(name) || self.from_name::<V>(name).is_some() {
            return Err(NameTaken(name));
        }
        let defaults = Arc::new(Behavior::<V>::described(B::undecoded()));
        self.registered.push(Registered { description, defaults });
        Ok(())
    }

    /// The descriptions of all behaviors in the dimension of `V`: the built-in ones, then the
    /// registered ones in order of registration.
    pub fn descriptions<V: Vector>(&self) -> impl Iterator<Item = &Description> {
        let registered = self.registered.iter().filter(|r| r.defaults.is::<Behavior<V>>());
        Behavior::<V>::LIST.iter().chain(registered.map(|r| &r.description))
    }

    /// The behavior `name` with its defaults; see [`Behavior::from_name`].
    pub fn from_name<V: Vector>(&self, name: &str) -> Option<Behavior<V>> {
        Behavior::from_name(name).or_else(|| {
            self.registered
                .iter()
                .filter(|r| r.description.name == name)
                .find_map(|r| r.defaults.downcast_ref().cloned())
        })
    }
}

#[cfg(test)]
#[allow(unreachable_pub)] // The macro declares public structs.
mod tests {
    use super::*;
    use crate::agent::{Agent, Memory};
    use crate::annotation::DebugDraw;
    use crate::combine::List;
    use crate::context::SteerContext;
    use crate::crowd::{Crowd, Group, Setup, Spawn};
    use crate::geometry::flow_field::FieldPlan;
    use crate::geometry::obstacle::Shape;
    use crate::id::GroupId;
    use crate::parameter::{FieldId, Kind, Range, Unit, parameters};
    use glam::{Vec2, Vec3};

    parameters! {
        /// Moves ahead at a fraction of the full speed.
        "cruise" = pub struct Cruise {
            /// The share of max_speed.
            share: f32 = 0.5, Kind::Number(Range::new(0.0, 1.0, Unit::None));
        }
    }

    impl<V: Vector> Steer<V> for Cruise {
        fn force(
            &self,
            host: &Agent<V>,
            _: &mut Memory<V>,
            _: &mut SteerContext<'_, V>,
            _: DebugDraw<'_, V>,
        ) -> V {
            host.heading * (host.max_speed * self.share) - host.velocity
        }
    }

    parameters! {
        /// A behavior with the name of a built-in one.
        "queue" = pub struct Queue {
            /// Not read.
            unused: f32 = 0.5, Kind::Number(Range::new(0.0, 1.0, Unit::None));
        }
    }

    impl<V: Vector> Steer<V> for Queue {
        fn force(
            &self,
            _: &Agent<V>,
            _: &mut Memory<V>,
            _: &mut SteerContext<'_, V>,
            _: DebugDraw<'_, V>,
        ) -> V {
            V::ZERO
        }
    }

    #[test]
    fn a_registered_behavior_is_found_by_name_and_its_parameters_can_be_set() {
        let mut registry = Registry::default();
        registry.register::<Vec2, Cruise>().unwrap();
        let mut cruise = registry.from_name::<Vec2>("cruise").unwrap();
        let prototype = cruise.clone();
        assert!(cruise.set("share", Value::Number(0.25)));
        assert!(!cruise.set("shares", Value::Number(0.25)) && !cruise.set("share", Value::Off));
        assert_eq!(cruise.get("share"), Some(Value::Number(0.25)));
        assert_eq!(prototype.get("share"), Some(Value::Number(0.5)));
        assert_eq!((cruise.name(), cruise.parameters().len()), ("cruise", 1));
        let host = Agent::new(Vec2::ZERO, 8.0);
        let force = crate::behavior::testing::force_alone(&cruise, &host);
        assert_eq!(force, Vec2::new(2.0, 0.0));
        assert_eq!(registry.descriptions::<Vec2>().last().map(|d| d.name), Some("cruise"));
    }

    parameters! {
        /// Along x, if there are a flow field and a member of the second group.
        "reader" = pub struct Reader {
            /// Not read.
            unused: f32 = 0.5, Kind::Number(Range::new(0.0, 1.0, Unit::None));
        }
    }

    impl<V: Vector> Steer<V> for Reader {
        fn force(
            &self,
            host: &Agent<V>,
            _: &mut Memory<V>,
            context: &mut SteerContext<'_, V>,
            _: DebugDraw<'_, V>,
        ) -> V {
            let found = context.field(FieldId(0)).is_some()
                && context.member(host, GroupId(1), f32::INFINITY).is_some();
            if found { V::X } else { V::ZERO }
        }
    }

    #[test]
    fn a_behavior_with_described_parameters_reads_fields_and_members_of_any_group() {
        let point = |x| Spawn::Points(vec![Vec2::new(x, 0.0)]);
        let mut readers = Group::new("readers", 1, point(0.0), 2.0);
        readers.steer = List::default().with(Behavior::described(Reader { unused: 0.5 }));
        let corners = (Vec2::ZERO, Vec2::splat(9.0));
        let goals = vec![Shape::Circle { center: Vec2::ONE, radius: 1.0 }];
        let plan = FieldPlan::Toward { goals, cell: 3.0, clearance: 0.0, area: Some(corners) };
        let mut crowd = Crowd::new(Setup {
            groups: vec![readers, Group::new("others", 1, point(5.0), 2.0)],
            fields: vec![("field".to_string(), plan)],
            ..Setup::default()
        })
        .unwrap();
        crowd.step();
        assert_eq!(crowd.get(0).unwrap().agent.velocity, Vec2::X);
    }

    #[test]
    fn a_name_is_registered_once_per_dimension_and_never_that_of_a_built_in_behavior() {
        let mut registry = Registry::default();
        assert_eq!(registry.register::<Vec2, Cruise>(), Ok(()));
        assert!(registry.from_name::<Vec3>("cruise").is_none());
        assert_eq!(registry.register::<Vec3, Cruise>(), Ok(()));
        assert_eq!(registry.register::<Vec3, Cruise>(), Err(NameTaken("cruise")));
        assert_eq!(registry.register::<Vec2, Queue>(), Err(NameTaken("queue")));
        assert_eq!(registry.descriptions::<Vec2>().count(), Behavior::<Vec2>::LIST.len() + 1);
    }
}
