//! Counts held against stored ones: a count that grows is a decision.

use std::path::Path;

use toml::de::{DeTable, DeValue};

/// A file of counts.
pub(crate) struct Baseline {
    /// Its path in the project.
    pub(crate) file: &'static str,
    /// The definition of the counts, for the first line of the file.
    pub(crate) what: &'static str,
    /// A count that is larger by more than this is wrong (percent).
    pub(crate) tolerance: f64,
    /// The command that writes the file.
    pub(crate) update: &'static str,
}

impl Baseline {
    /// Prints the counts beside the stored ones, and fails if one has grown; or with `update`
    /// stores them.
    pub(crate) fn hold(
        &self,
        root: &Path,
        counts: &[(String, u64)],
        update: bool,
    ) -> Result<(), String> {
        let path = root.join(self.file);
        let failed = |e: std::io::Error| format!("{}: {e}", path.display());
        if update {
            println!("{}", self.told(counts, counts).0);
            return std::fs::write(&path, self.written(counts)).map_err(failed);
        }
        let stored = std::fs::read_to_string(&path).map_err(failed)?;
        let stored = read(&stored).map_err(|e| format!("{}: {e}", path.display()))?;
        let (table, wrong) = self.told(counts, &stored);
        println!("{table}");
        if wrong.is_empty() {
            println!("xtask: no count is more than {} % above its baseline", self.tolerance);
            return Ok(());
        }
        Err(format!(
            "{}\nif that is meant, `{}` renews the baseline; say why in the commit",
            wrong.join("\n"),
            self.update
        ))
    }

    /// The table for a person, and what is wrong.
    fn told(&self, counts: &[(String, u64)], stored: &[(String, u64)]) -> (String, Vec<String>) {
        let mut table = format!("{:<44} {:>13} {:>13} {:>8}", "", "now", "baseline", "change");
        let mut wrong = Vec::new();
        for (name, now) in counts {
            let Some((_, before)) = stored.iter().find(|(other, _)| name == other) else {
                table.push_str(&format!("\n{name:<44} {now:>13} {:>13}", "-"));
                wrong.push(format!("`{name}` has no baseline"));
                continue;
            };
            let change = (*now as f64 / *before as f64 - 1.0) * 100.0;
            table.push_str(&format!("\n{name:<44} {now:>13} {before:>13} {change:>+6.1} %"));
            if change > self.tolerance {
                wrong.push(format!(
                    "`{name}` is {change:.1} % above its baseline; allowed: {} %",
                    self.tolerance
                ));
            }
        }
        for (name, _) in stored.iter().filter(|(name, _)| counts.iter().all(|(n, _)| n != name)) {
            wrong.push(format!("`{name}` has a baseline and was not counted"));
        }
        (table, wrong)
    }

    fn written(&self, counts: &[(String, u64)]) -> String {
        let lines: String =
            counts.iter().map(|(name, count)| format!("{name} = {count}\n")).collect();
        format!("# {}. Written by `{}`.\n{lines}", self.what, self.update)
    }
}

fn read(text: &str) -> Result<Vec<(String, u64)>, String> {
    let table = DeTable::parse(text).map_err(|e| e.to_string())?.into_inner();
    let count = |value: &DeValue<'_>| {
        value.as_integer().and_then(|n| u64::from_str_radix(n.as_str(), n.radix()).ok())
    };
    table
        .iter()
        .map(|(name, value)| {
            Ok((
                name.get_ref().to_string(),
                count(value.get_ref()).ok_or(format!("`{}` is no count", name.get_ref()))?,
            ))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASELINE: Baseline =
        Baseline { file: "", what: "Counts", tolerance: 3.0, update: "cargo xtask" };

    fn some() -> Vec<(String, u64)> {
        vec![("game_crowd".to_string(), 1_000), ("chase".to_string(), 200)]
    }

    #[test]
    fn a_baseline_is_read_as_it_was_written() {
        let mut read = read(&BASELINE.written(&some())).unwrap();
        read.sort_by_key(|(_, count)| core::cmp::Reverse(*count));
        assert_eq!(read, some());
    }

    #[test]
    fn more_than_the_tolerance_is_wrong_and_so_is_a_count_without_its_other_half() {
        let with = |chase: u64| {
            BASELINE
                .told(&[("game_crowd".to_string(), 1_000), ("chase".to_string(), chase)], &some())
        };
        assert!(with(205).1.is_empty() && with(20).1.is_empty());
        assert!(with(207).1[0].contains("`chase` is 3.5 % above"));
        let halves = [&some()[..1], &some()[..]];
        let wrong = |now: usize| BASELINE.told(halves[now], halves[1 - now]).1.join("");
        assert!(wrong(0).contains("`chase` has a baseline and was not counted"));
        assert!(wrong(1).contains("`chase` has no baseline"));
    }
}
