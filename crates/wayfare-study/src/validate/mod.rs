//! Validation: scenes whose outcome has been measured or is prescribed, run with several seeds, in
//! a table of what was expected and what was reached.
//!
//! The [suite](Suite) is data: which scenes are run, with which changes, what is measured in them,
//! and what is expected, with its source. The bundled one is in `scenes/validation/`. A test that
//! misses its expectation is a miss in the table; one that is known to miss says why in the suite.
//!
//! ```
//! use wayfare_study::validate::{Options, Suite, Verdict, validate};
//! let suite = Suite::bundled();
//! let options = Options { seeds: 2, only: Some("RiMEA 1:".to_string()), threads: Some(1) };
//! let report = validate(&suite, &options, |_done, _of| {})?;
//! let walk = &report.rows[0];
//! assert_eq!((walk.verdict, walk.unit.as_str()), (Verdict::Pass, "s"));
//! assert!((walk.mean() - 30.2).abs() < 0.1, "{walk:?}");
//! # Ok::<(), wayfare_study::validate::SuiteError>(())
//! ```

mod change;
mod page;
mod plot;
mod reduce;
mod report;
mod run;
mod suite;
mod table;
mod watch;

pub use page::{PageFile, page};
pub use report::{Options, Report, Row, Verdict, validate};
pub use suite::{Suite, SuiteError};
