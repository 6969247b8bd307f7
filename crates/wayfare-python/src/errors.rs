//! Exceptions: `WayfareError`, and `SceneError` for mistakes in scenes and sweeps.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use wayfare_scene::{Problem, Severity, Source};

create_exception!(wayfare, WayfareError, PyValueError, "Something that Wayfare refuses.");
create_exception!(
    wayfare,
    SceneError,
    WayfareError,
    "A mistake in a scene or a sweep.\n\nThe text is the diagnostic of the command line, with what \
     is allowed.\n\nAttributes\n----------\nline, column : int\n    The position of the first \
     mistake, from 1.\nproblems : list of dict\n    All mistakes, each with ``line``, ``column``, \
     ``message``, ``allowed`` and ``help``.\nhints : list of str\n    What is allowed at each \
     mistake, and the help that there is."
);

/// The exception for something that is refused.
pub(crate) fn refused(error: impl std::fmt::Display) -> PyErr {
    WayfareError::new_err(error.to_string())
}

/// The problems in the order of the text.
fn in_order(problems: &[Problem]) -> Vec<&Problem> {
    let mut sorted: Vec<&Problem> = problems.iter().collect();
    sorted.sort_by_key(|problem| problem.span.start);
    sorted
}

/// The problems of a text as dictionaries.
pub(crate) fn problems_as_dicts<'py>(
    py: Python<'py>,
    source: &Source,
    problems: &[Problem],
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let dict = |problem: &Problem| {
        let (line, column) = source.line_and_column(problem.span.start);
        let dict = pyo3::types::PyDict::new(py);
        dict.set_item("line", line)?;
        dict.set_item("column", column)?;
        dict.set_item("message", &problem.message)?;
        dict.set_item("allowed", &problem.allowed)?;
        dict.set_item("help", &problem.help)?;
        Ok(dict.into_any())
    };
    in_order(problems).into_iter().map(dict).collect()
}

/// The exception for mistakes in a text.
pub(crate) fn scene_error(py: Python<'_>, source: &Source, problems: &[Problem]) -> PyErr {
    let text = source.render(Severity::Error, problems, false);
    let error = SceneError::new_err(text.trim_end().to_string());
    let set = || -> PyResult<()> {
        let dicts = problems_as_dicts(py, source, problems)?;
        let value = error.value(py);
        let first = problems.iter().map(|problem| problem.span.start).min().unwrap_or(0);
        let (line, column) = source.line_and_column(first);
        value.setattr("line", line)?;
        value.setattr("column", column)?;
        let hints = in_order(problems).into_iter().flat_map(|problem| {
            std::iter::once(format!("allowed: {}", problem.allowed))
                .chain(problem.help.as_ref().map(|help| format!("help: {help}")))
        });
        value.setattr("hints", hints.collect::<Vec<_>>())?;
        value.setattr("problems", dicts)
    };
    match set() {
        Ok(()) => error,
        Err(failed) => failed,
    }
}
