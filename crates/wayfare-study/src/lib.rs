//! Studies of scenes: a run to its end without outputs, sweeps over values and seeds, and
//! validation.
//!
//! - [`run`] steps a scene and gives its measures over the run and its digest.
//! - [`Sweep`] runs a scene with many values and seeds on all cores; a [`Journal`] keeps finished
//!   runs, so that an interrupted sweep goes on where it was.
//! - [`validate`] compares runs with measured crowds: scenes, and what is expected of them.
//! - [`scale`] gives a scene another number of agents at the same density.
//! - [`Stepper`] steps a crowd with its command log, and stops on request within a long tick.
//!
//! ```
//! use wayfare_scene::{Format, Source};
//! use wayfare_study::{Journal, Study, Sweep};
//! let scene = r#"
//! duration = 2
//! [[group]]
//! name = "guest"
//! spawn = { points = [[0, 0]] }
//! max_speed = 3
//! "#;
//! let sweep = r#"
//! scene = "guest.toml"
//! seeds = 2
//! [over]
//! "group.guest.max_speed" = [1, 2]
//! "#;
//! let source = |name: &str, text: &str| Source { name: name.into(), text: text.into() };
//! let study = Study::of(source("guest.toml", scene), Format::Toml);
//! let sweep = Sweep::new(&source("sweep.toml", sweep), Format::Toml, &study).expect("it fits");
//! let outcomes = sweep.run(&mut Journal::none(), 1, &|| false, &mut |_, _| ())?;
//! assert_eq!(sweep.table(&outcomes.expect("nothing stops it")).rows(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod outcome;
pub mod scale;
pub mod stepper;
pub mod sweep;
pub mod validate;

pub use outcome::{Outcome, RunSettings, Value, run};
pub use stepper::Stepper;
pub use sweep::{Journal, JournalError, LiveTable, Progress, Study, Sweep};
