//! [`Measure`]: a name and a kind with its parameters; the list of all kinds.

use std::sync::Arc;

use wayfare::Vector;
use wayfare::parameter::{Description, Parameter, Parameters, Value};

use crate::error::Fault;
use crate::frame::Frame;
use crate::kind;
use crate::row::{Quantity, Sink};
use crate::world::MeasuredWorld;

/// A measure of a scene: its name, and what is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure<V> {
    /// The name, unique among the measures of a run.
    pub name: String,
    /// The kind of measure, with its parameters.
    pub kind: Kinds<V>,
}

impl<V> Measure<V> {
    /// A measure of this name.
    pub fn new(name: &str, kind: impl Into<Kinds<V>>) -> Self {
        Self { name: name.to_string(), kind: kind.into() }
    }
}

/// A measure that runs: it sees every tick once.
pub(crate) trait Record: Send {
    /// Takes the next tick.
    fn record(&mut self, frame: &Arc<Frame>, rows: &mut Sink<'_>);
    /// Writes what was waiting for later ticks, and the values of the whole run.
    fn finish(&mut self, rows: &mut Sink<'_>);
}

/// A kind of measure, with its parameters.
pub(crate) trait MeasureKind<V: Vector>: Parameters<V> {
    /// The quantities that it gives.
    const QUANTITIES: &'static [&'static Quantity];
    /// Begins to measure.
    ///
    /// # Errors
    /// The key at fault.
    fn begin(&self, world: &MeasuredWorld) -> Result<Box<dyn Record>, Fault>;
}

/// Defines [`Kinds`] and the list of all kinds.
macro_rules! kinds {
    ($($file:ident: $name:ident $(<$v:ident>)?,)*) => {
        /// A kind of measure, with its parameters.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Kinds<V> {
            $(#[doc = concat!("See [`kind::", stringify!($name), "`].")]
            $name(kind::$name $(<$v>)?),)*
        }

        $(impl<V> From<kind::$name $(<$v>)?> for Kinds<V> {
            fn from(kind: kind::$name $(<$v>)?) -> Self {
                Kinds::$name(kind)
            }
        })*

        impl<V: Vector> Kinds<V> {
            /// The descriptions of all kinds, in the order of the docs.
            pub const LIST: &'static [Description] =
                &[$(Description::of::<V, kind::$name $(<$v>)?>()),*];

            /// The quantities of each kind of [`LIST`](Self::LIST).
            pub const QUANTITIES: &'static [&'static [&'static Quantity]] =
                &[$(<kind::$name $(<$v>)? as MeasureKind<V>>::QUANTITIES),*];

            /// The kind of this name with its defaults; required parameters have placeholders.
            pub fn from_name(name: &str) -> Option<Self> {
                $(if name == <kind::$name $(<$v>)? as Parameters<V>>::NAME {
                    let defaults = <kind::$name $(<$v>)? as Parameters<V>>::undecoded();
                    return Some(Kinds::$name(defaults));
                })*
                None
            }

            /// Its name in scenes.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Kinds::$name(_) => <kind::$name $(<$v>)? as Parameters<V>>::NAME,)*
                }
            }

            /// The descriptions of its parameters.
            pub fn parameters(&self) -> &'static [Parameter] {
                match self {
                    $(Kinds::$name(_) => <kind::$name $(<$v>)? as Parameters<V>>::PARAMETERS,)*
                }
            }

            /// Sets a parameter; `false` if there is none of that name and kind.
            pub fn set(&mut self, name: &str, value: Value<V>) -> bool {
                match self {
                    $(Kinds::$name(kind) => Parameters::<V>::set(kind, name, value),)*
                }
            }

            /// The value of a parameter; `None` if there is none, or it was left out.
            pub fn get(&self, name: &str) -> Option<Value<V>> {
                match self {
                    $(Kinds::$name(kind) => Parameters::<V>::get(kind, name),)*
                }
            }

            pub(crate) fn begin(&self, world: &MeasuredWorld) -> Result<Box<dyn Record>, Fault> {
                match self {
                    $(Kinds::$name(kind) => MeasureKind::<V>::begin(kind, world),)*
                }
            }
        }
    };
}

kinds! {
    flow: Flow<V>,
    classic_density: ClassicDensity<V>,
    voronoi_density: VoronoiDensity<V>,
    voronoi_line: VoronoiLine<V>,
    evacuation: Evacuation,
    travel: Travel,
    route: Route,
    contacts: Contacts,
    lanes: Lanes<V>,
    smoothness: Smoothness,
    motion: Motion,
    flock: Flock,
}
