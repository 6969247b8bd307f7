//! The kinds of measures, one file each: definition, source, parameters, quantities, tests.
//!
//! **A new kind** is a file here with `parameters!`, its [`Quantity`](crate::Quantity) list, a type
//! that records ticks, and tests by hand; its name below and in the list of `measure.rs`. The
//! schema, the editor, the decoder and docs/measures.md then know it.

use wayfare::parameter::{Kind, Range, Unit};

/// The ticks on each side of a tick over which speeds are taken.
const FRAME_STEP: Kind = Kind::Number(Range::new(1.0, 1000.0, Unit::Count));

/// The ticks from one row to the next.
const EVERY: Kind = Kind::Number(Range::new(1.0, 1e6, Unit::Count));

/// The segments of a quarter of a circle.
const QUAD_SEGMENTS: Kind = Kind::Number(Range::new(1.0, 64.0, Unit::Count));

mod classic_density;
mod contacts;
mod diagram;
mod evacuation;
mod flock;
mod flow;
mod lanes;
mod motion;
mod route;
mod smoothness;
mod travel;
mod voronoi_density;
mod voronoi_line;

pub use classic_density::ClassicDensity;
pub use contacts::Contacts;
use diagram::Diagram;
pub use evacuation::Evacuation;
pub use flock::Flock;
pub use flow::{Flow, FlowCount, FlowDirection};
pub use lanes::Lanes;
pub use motion::Motion;
pub use route::Route;
pub use smoothness::Smoothness;
pub use travel::{IdealRoute, JourneyEnd, Travel};
pub use voronoi_density::VoronoiDensity;
pub use voronoi_line::VoronoiLine;
