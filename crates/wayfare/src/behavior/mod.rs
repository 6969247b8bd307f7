//! The behaviors, one file each, and the one list of them, [`Behavior`]: everything that enumerates
//! behaviors iterates it.
//!
//! Each behavior is a function of a host and of what it needs of the world, which returns a force
//! in velocity units (desired velocity minus velocity); a struct of its parameters, which describe
//! themselves; and an implementation of [`Steer`] that joins the two for the crowd and for lists. A
//! new behavior is one new file and one line in the list below.

use core::fmt::Debug;
use std::sync::Arc;

use crate::agent::{Agent, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::parameter::{Parameter, Parameters, Value};
use crate::vector::Vector;

mod alignment;
mod arrive;
mod avoid_agents;
mod avoid_obstacles;
mod cohesion;
mod contain;
mod evade;
mod explore;
mod face;
mod flee;
mod flock;
mod follow_flow;
mod follow_leader;
mod follow_path;
mod follow_wall;
mod forage;
mod formation;
mod hide;
mod interpose;
mod look_where_going;
mod match_heading;
mod match_velocity;
mod offset_pursue;
mod pursue;
mod queue;
mod roam;
mod seek;
mod separation;
mod settle;
mod shadow;
#[cfg(test)]
pub(crate) mod testing;
mod wander;

pub use alignment::{Alignment, alignment};
pub use arrive::{Arrive, SlowingRadius, arrive};
pub use avoid_agents::{AvoidAgents, avoid_agents};
pub use avoid_obstacles::{AvoidObstacles, Clearance, Probe, avoid_obstacles};
pub use cohesion::{Cohesion, cohesion};
pub use contain::{Contain, contain};
pub use evade::{Evade, evade};
pub use explore::{Explore, explore};
pub use face::{Face, face};
pub use flee::{Flee, flee};
pub use flock::{Flock, flock};
pub use follow_flow::{FollowFlow, follow_flow};
pub use follow_leader::{FollowLeader, follow_leader};
pub use follow_path::{AtEnd, FollowPath, Tracking, follow_path};
pub use follow_wall::{FollowWall, follow_wall};
pub use forage::{Forage, forage};
pub use formation::{Formation, FormationShape, assign, formation, formation_slot};
pub use hide::{Hide, hide};
pub use interpose::{Interpose, interpose};
pub use look_where_going::{LookWhereGoing, look_where_going};
pub use match_heading::{MatchHeading, match_heading};
pub use match_velocity::{MatchVelocity, match_velocity};
pub use offset_pursue::{OffsetPursue, offset_pursue};
pub use pursue::{Prediction, Pursue, pursue};
pub use queue::{DampWhen, Queue, Queueing, queue};
pub use roam::{Roam, roam, roam_target};
pub use seek::{Seek, seek};
pub use separation::{Falloff, Separation, separation};
pub use settle::{Settle, settle};
pub use shadow::{Shadow, shadow};
pub use wander::{Wander, wander};

/// What steers: the one trait of the built-in behaviors and of your own.
pub trait Steer<V: Vector>: Debug + Send + Sync {
    /// The force on `host` (length / time). The figures that the formula uses are reported to
    /// `debug`, which costs nothing while nothing is recorded.
    fn force(
        &self,
        host: &Agent<V>,
        memory: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V;

    /// How far it looks for neighbors (length); `None` where it reads none. The surroundings hold
    /// them at least that far.
    fn neighbor_radius(&self) -> Option<f32> {
        None
    }

    /// Whether it reads the radii of its neighbors' bodies, which are gathered only for those who
    /// do.
    fn reads_bodies(&self) -> bool {
        false
    }

    /// Whether it says where the host is to look, by [`SteerContext::face`]. Only then does the
    /// crowd keep that apart from the heading.
    fn faces(&self) -> bool {
        false
    }

    /// Whether it uses its [`Memory`]. One that does gets one of its own per agent.
    fn remembers(&self) -> bool {
        false
    }
}

/// A behavior's description: what a scene file, a schema, a panel and a docs page are made from.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// Its name in scenes, and of its function.
    pub name: &'static str,
    /// What it does, in Markdown.
    pub doc: &'static str,
    /// Its parameters in their order.
    pub parameters: &'static [Parameter],
}

macro_rules! behaviors {
    ($($variant:ident($type:ty),)*) => {
        /// Any behavior with its parameters.
        #[derive(Clone, Debug)]
        pub enum Behavior<V: Vector> {
            $(#[doc = concat!("See [`", stringify!($variant), "`].")] $variant($type),)*
            /// A behavior of your own, under the name that errors and snapshots call it by.
            Own(&'static str, Arc<dyn Steer<V>>),
        }

        impl<V: Vector> Behavior<V> {
            /// A behavior of your own, under the name that errors and snapshots call it by.
            pub fn own(name: &'static str, steer: impl Steer<V> + 'static) -> Self {
                Self::Own(name, Arc::new(steer))
            }

            /// The built-in behaviors: the one list.
            pub const LIST: &'static [Description] = &[$(Description {
                name: <$type as Parameters<V>>::NAME,
                doc: <$type as Parameters<V>>::DOC,
                parameters: <$type as Parameters<V>>::PARAMETERS,
            },)*];

            /// The built-in behavior `name` with its defaults; its required parameters are still to be set.
            pub fn from_name(name: &str) -> Option<Self> {
                $(if name == <$type as Parameters<V>>::NAME {
                    return Some(Self::$variant(Parameters::<V>::defaults()));
                })*
                None
            }

            /// Its name.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => <$type as Parameters<V>>::NAME,)*
                    Self::Own(name, _) => name,
                }
            }

            /// The description of its parameters; a behavior of your own has none.
            pub fn parameters(&self) -> &'static [Parameter] {
                match self {
                    $(Self::$variant(_) => <$type as Parameters<V>>::PARAMETERS,)*
                    Self::Own(..) => &[],
                }
            }

            /// Sets the parameter `name`; `false` where it has none of that name that takes such a value.
            pub fn set(&mut self, name: &str, value: Value<V>) -> bool {
                match self {
                    $(Self::$variant(b) => b.set(name, value),)*
                    Self::Own(..) => false,
                }
            }

            /// The value of the parameter `name`; `None` where it has none, or it was left out.
            pub fn get(&self, name: &str) -> Option<Value<V>> {
                match self {
                    $(Self::$variant(b) => b.get(name),)*
                    Self::Own(..) => None,
                }
            }
        }

        impl<V: Vector> Behavior<V> {
            /// Its force, with a memory that only those look for which remember.
            #[inline(always)]
            pub(crate) fn force_with<'m>(
                &self,
                host: &Agent<V>,
                memory: impl FnOnce(bool) -> &'m mut Memory<V>,
                context: &mut SteerContext<'_, V>,
                debug: DebugDraw<'_, V>,
            ) -> V {
                match self {
                    $(Self::$variant(b) => b.force(host, memory(Steer::<V>::remembers(b)), context, debug),)*
                    Self::Own(_, b) => b.force(host, memory(b.remembers()), context, debug),
                }
            }
        }

        impl<V: Vector> Steer<V> for Behavior<V> {
            fn force(
                &self,
                host: &Agent<V>,
                memory: &mut Memory<V>,
                context: &mut SteerContext<'_, V>,
                debug: DebugDraw<'_, V>,
            ) -> V {
                self.force_with(host, |_| memory, context, debug)
            }
            fn neighbor_radius(&self) -> Option<f32> {
                match self {
                    $(Self::$variant(b) => Steer::<V>::neighbor_radius(b),)*
                    Self::Own(_, b) => b.neighbor_radius(),
                }
            }
            fn reads_bodies(&self) -> bool {
                match self {
                    $(Self::$variant(b) => Steer::<V>::reads_bodies(b),)*
                    Self::Own(_, b) => b.reads_bodies(),
                }
            }
            fn faces(&self) -> bool {
                match self {
                    $(Self::$variant(b) => Steer::<V>::faces(b),)*
                    Self::Own(_, b) => b.faces(),
                }
            }
            fn remembers(&self) -> bool {
                match self {
                    $(Self::$variant(b) => Steer::<V>::remembers(b),)*
                    Self::Own(_, b) => b.remembers(),
                }
            }
        }

        $(impl<V: Vector> From<$type> for Behavior<V> {
            fn from(behavior: $type) -> Self {
                Self::$variant(behavior)
            }
        })*
    };
}

behaviors! {
    Seek(Seek<V>),
    Flee(Flee<V>),
    Arrive(Arrive<V>),
    Settle(Settle<V>),
    Pursue(Pursue),
    Evade(Evade),
    OffsetPursue(OffsetPursue),
    Interpose(Interpose),
    Hide(Hide),
    Shadow(Shadow),
    MatchVelocity(MatchVelocity),
    Face(Face<V>),
    LookWhereGoing(LookWhereGoing),
    MatchHeading(MatchHeading),
    Wander(Wander),
    Roam(Roam<V>),
    Explore(Explore<V>),
    Forage(Forage<V>),
    AvoidObstacles(AvoidObstacles),
    AvoidAgents(AvoidAgents),
    FollowWall(FollowWall),
    Contain(Contain<V>),
    FollowPath(FollowPath),
    FollowFlow(FollowFlow),
    Separation(Separation),
    Alignment(Alignment),
    Cohesion(Cohesion),
    Flock(Flock),
    FollowLeader(FollowLeader),
    Formation(Formation<V>),
    Queue(Queue),
}

#[cfg(test)]
mod tests {
    use super::testing::some_values;
    use super::*;
    use glam::Vec2;

    #[test]
    fn every_parameter_of_every_behavior_keeps_the_value_it_is_set_to() {
        for description in Behavior::<Vec2>::LIST {
            let mut behavior = Behavior::<Vec2>::from_name(description.name).unwrap();
            assert_eq!(behavior.name(), description.name);
            for parameter in description.parameters {
                for value in some_values(parameter.kind) {
                    let place = format!("{}.{}", description.name, parameter.name);
                    assert_eq!(parameter.kind.check(&value), Ok(()), "{place}");
                    assert!(behavior.set(parameter.name, value.clone()), "{place}");
                    assert_eq!(behavior.get(parameter.name), Some(value), "{place}");
                }
                assert!(
                    !behavior.set(parameter.name, Value::Word("no such word")),
                    "{}",
                    parameter.name
                );
            }
            assert!(
                !behavior.set("no such parameter", Value::Number(1.0))
                    && behavior.get("no such parameter").is_none()
            );
            assert_eq!(behavior.parameters().len(), description.parameters.len());
        }
        assert!(Behavior::<Vec2>::from_name("no such behavior").is_none());
    }

    #[test]
    fn what_reads_neighbors_says_how_far_it_looks() {
        for description in Behavior::<Vec2>::LIST {
            let mut behavior = Behavior::<Vec2>::from_name(description.name).unwrap();
            behavior.set("radius", Value::Number(7.0));
            behavior.set("ahead", Value::Number(0.0));
            let radius = description.parameters.iter().any(|p| p.name == "radius").then_some(7.0);
            assert_eq!(behavior.neighbor_radius(), radius, "{}", description.name);
        }
    }
}
