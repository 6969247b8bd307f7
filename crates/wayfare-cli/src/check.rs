//! `wayfare check`: reads scenes without running them.

use wayfare_scene::{Severity, hints};

use crate::load::{find, scene};
use crate::{Failure, in_color, say};

/// Checks all of `scenes`, and fails at the end if one of them cannot run.
pub(crate) fn check(scenes: &[String]) -> Result<(), Failure> {
    let mut wrong = Vec::new();
    for name in scenes {
        let checked = find(name).and_then(|loaded| scene(&loaded).map(|_| loaded));
        match checked {
            Ok(loaded) => {
                let found = hints(&loaded.source, loaded.format);
                say(&loaded.source.render(Severity::Hint, &found, in_color()))?;
                let hints = match found.len() {
                    0 => String::new(),
                    1 => ", with 1 hint".to_string(),
                    n => format!(", with {n} hints"),
                };
                say(&format!("{}: fine{hints}\n", loaded.source.name))?;
            }
            Err(Failure::Input(text)) => wrong.push(text.replace("; nothing was run", "")),
            Err(other) => return Err(other),
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Input(wrong.join("\n\n"))) }
}
