//! `wayfare check`: reads scenes without running them.

use std::ffi::OsString;

use wayfare_scene::{Severity, counted, hints_beside};

use crate::notice::with_notice;
use crate::scene_source::{find, scene};
use crate::{Failure, print, use_color};

/// Checks all of `scenes`; fails at the end if any of them cannot run.
pub(crate) fn check(scenes: &[OsString]) -> Result<(), Failure> {
    let (mut failures, mut system_failed) = (Vec::new(), false);
    for name in scenes {
        let checked = find(name).and_then(|loaded| {
            with_notice(false, &loaded.source.name, || {
                scene(&loaded)?;
                Ok(hints_beside(&loaded.source, loaded.format, &loaded.files()))
            })
            .map(|found| (loaded, found))
        });
        match checked {
            Ok((loaded, found)) => {
                print(&loaded.source.render(
                    Severity::Hint,
                    &found,
                    use_color(&std::io::stdout()),
                ))?;
                let hints = if found.is_empty() {
                    String::new()
                } else {
                    format!(", with {}", counted(found.len(), "hint"))
                };
                print(&format!("{}: fine{hints}\n", loaded.source.name))?;
            }
            Err(Failure::Input(text)) => failures.push(text),
            Err(Failure::System(text)) => {
                failures.push(text);
                system_failed = true;
            }
            Err(other) => return Err(other),
        }
    }
    let text = failures.join("\n\n");
    match (failures.is_empty(), system_failed) {
        (true, _) => Ok(()),
        (false, true) => Err(Failure::System(text)),
        (false, false) => Err(Failure::Input(text)),
    }
}
