//! The results of test runners: how many tests passed, and the names of those that failed.

/// The most lines of a failed stage's output that are shown.
const SHOWN: usize = 300;

/// Shows the end of the output of a failed stage.
pub(crate) fn show(stage: &str, output: &str) {
    let lines: Vec<&str> = output.lines().collect();
    let from = lines.len().saturating_sub(SHOWN);
    println!("xtask: the output of `{stage}` (all of it: target/stages/{stage}.log)");
    lines[from..].iter().for_each(|line| println!("{line}"));
}

/// The number of tests that passed, by the closing lines of cargo's, Python's and the pages' tests.
pub(crate) fn passed(output: &str) -> usize {
    output.lines().filter_map(passed_in).sum()
}

fn passed_in(line: &str) -> Option<usize> {
    let counts = line
        .strip_prefix("test result: ")
        .and_then(|rest| rest.split_once(". ").map(|(_, counts)| counts))
        .unwrap_or(line);
    let mut words = counts.split([' ', ',', ';']).filter(|word| !word.is_empty());
    words.by_ref().find_map(|word| word.parse().ok()).filter(|_| words.next() == Some("passed"))
}

/// The names of the tests that have failed.
pub(crate) fn names(output: &str) -> Vec<String> {
    let mut names = Vec::new();
    for line in output.lines() {
        // libtest: `test NAME ... FAILED`, or with `--quiet` a section for each.
        let quiet = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----"));
        let loud = line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED"));
        // pytest and the tests of the pages.
        let other =
            line.strip_prefix("FAILED ").map(|rest| rest.split(" - ").next().unwrap_or(rest));
        if let Some(name) = quiet.or(loud).or(other)
            && !names.iter().any(|found| found == name)
        {
            names.push(name.to_string());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passed_tests_of_all_runners_are_counted() {
        let output = [
            "test result: ok. 2 passed; 0 failed; 1 ignored; finished in 0.00s",
            "38 passed, 2 warnings in 12.3s",
            "11 passed, 0 failed",
            "5 files passed",
        ]
        .join("\n");
        assert_eq!(passed(&output), 2 + 38 + 11);
    }

    #[test]
    fn names_of_failed_tests_are_found() {
        let output = [
            "---- behavior::seek::tests::a_test stdout ----",
            "failures:\n    behavior::seek::tests::a_test",
            "test other ... FAILED",
            "FAILED tests/test_ray.py::test_two - assert 1 == 2",
            "FAILED the page opens",
        ]
        .join("\n");
        assert_eq!(
            names(&output),
            [
                "behavior::seek::tests::a_test",
                "other",
                "tests/test_ray.py::test_two",
                "the page opens"
            ]
        );
    }
}
