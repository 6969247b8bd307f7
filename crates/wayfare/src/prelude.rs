//! The names that most programs need, in one line: `use wayfare::prelude::*;`.
//!
//! A crowd, as a whole program:
//!
//! ```
//! use wayfare::prelude::*;
//! fn main() -> Result<(), SetupError> {
//!     let sheep = Group::new("sheep", 40, Spawn::inside(Shape::circle(Vec2::ZERO, 9.0)), 2.0)
//!         .steer(Arrive::new(vec2(40.0, 0.0)))
//!         .weighted(2.0, Separation::default().radius(1.5).max_force(1.0));
//!     let mut crowd = Setup::new(0.1).group(sheep).crowd()?;
//!     for _ in 0..400 {
//!         crowd.step();
//!     }
//!     # assert!(crowd.agents().all(|(_, sheep)| sheep.position.x > 25.0));
//!     Ok(())
//! }
//! ```
//!
//! A type of your own:
//!
//! ```
//! use wayfare::prelude::*;
//! struct Guard(Vec2, Vec2);
//! steerable!(guard: Guard as Vec2 { position: guard.0, velocity: guard.1, max_speed: 3.0 });
//! fn main() {
//!     let mut guard = Guard(Vec2::ZERO, Vec2::ZERO);
//!     let (mut steering, mut memory) = (Steering::new(0), Memory::default());
//!     for _ in 0..900 {
//!         steering.arrive(&guard, vec2(9.0, 3.0), 4.0).update(&mut guard, &mut memory, 0.02);
//!     }
//!     # assert!(guard.0.distance(vec2(9.0, 3.0)) < 0.2);
//! }
//! ```

pub use crate::annotation::DebugDraw;
pub use crate::behavior::{
    AtEnd, Choose, Clearance, Falloff, FormationShape, LineSide, PathStart, Prediction, Probe,
    RuleForce, Steer, Tracking,
};
pub use crate::crowd::{
    AgentChange, AgentRef, Arrivals, Bodies, Clock, Command, Condition, Distribution, Event, Exit,
    ExitAction, Group, Limit, Line, Pose, Rhythm, Setup, SetupError, Source, Spawn, StartVelocity,
    Stat, State, TimedCommand,
};
pub use crate::geometry::flow_field::FieldPlan;
pub use crate::geometry::obstacle::{Obstacle, Shape};
pub use crate::geometry::path::Path;
#[cfg(feature = "plane")]
pub use crate::glam::{Vec2, vec2};
#[cfg(feature = "space")]
pub use crate::glam::{Vec3, vec3};
pub use crate::parameter::Target;
pub use crate::spatial::space::{Bounds, Edge};
pub use crate::vector::Up;
pub use crate::{
    Agent, AgentId, Behavior, Combine, Crowd, ExitId, FieldId, GroupId, Host, LineId, List, Log,
    Memory, ObstacleId, Order, PathId, SourceId, StateId, SteerContext, Steerable, Steering,
    Vector, WithoutOrder, steerable,
};

macro_rules! exports {
    (
        behaviors { $($behavior:ident($type:ty) $name:ident $method:tt)* }
        solvers { $($solver:ident $solver_name:ident $solver_method:tt)* }
    ) => {
        pub use crate::behavior::{$($behavior),*};
        pub use crate::solve::{$($solver),*};
    };
}

behaviors!(exports);
