//! `wayfare bench`.

use super::support::*;

#[test]
fn bench_prints_a_line_of_json_per_case_and_has_the_digests_of_run() {
    let folder = tempdir().unwrap();
    let output = wayfare(
        folder.path(),
        &["bench", "game-crowd", "among-obstacles", "--ticks", "4", "--repeats", "2", "--json"],
    );
    assert_eq!((output.status.code(), err(&output)), (Some(0), String::new()));
    let text = out(&output);
    assert_eq!(text.lines().count(), 2);
    for (line, scene) in text.lines().zip(["game-crowd", "among-obstacles"]) {
        let keys: Vec<&str> = line
            .trim_matches(['{', '}'])
            .split(',')
            .map(|pair| pair.split(':').next().unwrap().trim_matches('"'))
            .collect();
        let contract = [
            "scene",
            "agents",
            "threads",
            "ticks",
            "mean_neighbors",
            "agent_steps_per_second",
            "ns_per_neighbor",
            "bytes_per_agent",
            "digest",
        ];
        assert_eq!(keys[..9], contract, "{line}");
        assert_eq!(keys[9..], ["repeats", "slowest", "fastest"], "{line}");
        let run = wayfare(folder.path(), &["run", scene, "--ticks", "4", "--quiet", "--digest"]);
        assert!(
            line.contains(&format!("\"scene\":\"{scene}\""))
                && line.contains(&format!("\"digest\":\"{}\"", out(&run).trim())),
            "{line}"
        );
    }
    assert!(
        text.contains("\"agents\":2000,\"threads\":1,\"ticks\":4,\"mean_neighbors\":0.000,")
            && text.contains("\"ns_per_neighbor\":null"),
        "{text}"
    );
}

#[test]
fn bench_scales_scenes_at_their_density_and_prints_a_row_for_each_count() {
    let folder = tempdir().unwrap();
    let output = wayfare(
        folder.path(),
        &["bench", "flock-2d", "--agents", "1000,4000", "--ticks", "3", "--repeats", "1"],
    );
    let text = out(&output);
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows.len(), 3, "{text}{}", err(&output));
    assert_eq!((rows[1][1], rows[2][1]), ("1,000", "4,000"));
    for row in &rows[1..] {
        // A tenth of a bird in a unit of area, in a circle of radius 10.
        let neighbors: f64 = row[4].parse().unwrap();
        assert!((neighbors - 31.4).abs() < 1.5, "{text}");
    }
    // Without a scene, those of the folder `bench` that can be scaled.
    let output =
        wayfare(folder.path(), &["bench", "--agents", "60", "--ticks", "3", "--repeats", "1"]);
    let scenes: Vec<String> = out(&output)
        .lines()
        .skip(1)
        .map(|line| line.split_whitespace().next().unwrap().to_string())
        .collect();
    assert_eq!(scenes, ["flock-3d", "flock-2d", "opensteer-boids", "chase", "separate"]);
}

#[test]
fn scenes_that_bench_cannot_scale_end_with_1_and_the_reason() {
    let folder = folder_with_a_scene();
    for (arguments, expected) in [
        (
            &["bench", "guest.toml", "--agents", "10"][..],
            "`guest.toml` cannot be scaled to 10 agents: its world is not \
             wrapped\nallowed: its own 2, or",
        ),
        (&["bench", "among-obstacles", "--agents", "10"], "it has obstacles"),
        (&["bench", "flock-2d", "--agents", "0"], "allowed: whole numbers from 1 to 100000000"),
        (
            &["bench", "flock-2d", "--threads", "0"],
            "invalid value '0' for '--threads <N>': allowed: a whole number from 1 to 1024",
        ),
        (&["bench", "flock-2d", "--ticks", "2"], "allowed: a whole number from 3"),
        (&["bench", "flock-2d", "--ticks", "9", "--time", "2"], "cannot be used with"),
        (&["bench", "flok-2d"], "did you mean `flock-2d`?"),
    ] {
        let output = wayfare(folder.path(), arguments);
        assert_eq!((output.status.code(), out(&output)), (Some(1), String::new()), "{arguments:?}");
        assert!(err(&output).contains(expected), "{arguments:?}: {}", err(&output));
    }
}
