//! `wayfare report`: pages of runs and of trajectories.

use super::support::*;

fn page(folder: &std::path::Path, arguments: &[&str]) -> String {
    let output = wayfare(folder, &[&["report"], arguments].concat());
    assert!(output.status.success(), "{}", err(&output));
    let at = arguments.iter().position(|argument| *argument == "-o").unwrap();
    std::fs::read_to_string(folder.join(arguments[at + 1])).unwrap()
}

/// Fails with the part that is missing, not with the page.
fn has(page: &str, parts: &[&str]) {
    for part in parts {
        assert!(page.contains(part), "{part} is not in the page");
    }
}

#[test]
fn a_page_of_a_run_has_its_measures_and_its_digest_and_how_to_repeat_it() {
    let folder = tempdir().unwrap();
    let html = page(folder.path(), &["doorway-150", "-o", "a.html", "--ticks", "120", "-q"]);
    let run = ["run", "doorway-150", "--seed", "1", "--ticks", "120", "--quiet", "--digest"];
    let digest = out(&wayfare(folder.path(), &run));
    has(
        &html,
        &[
            "<h1>A hundred and fifty leave a hall through a doorway of 1 m</h1>",
            "<h3>before the door</h3>",
            "<h4>fundamental diagram</h4>",
            "<h4>crossings</h4>",
            "wayfare report doorway-150 --seed 1 --ticks 120 -o report.html",
            "wayfare run doorway-150 --seed 1 --ticks 120 --quiet --digest",
            &format!("<td>{}</td>", digest.trim()),
            "The animation has 121 moments, one for each tick (time 0.05 s)",
            "<summary>The scene</summary>",
        ],
    );
}

#[test]
fn a_page_has_the_same_bytes_for_any_number_of_threads_and_the_commands_that_it_names_repeat_it() {
    let folder = tempdir().unwrap();
    let first = ["two-rooms", "-o", "a.html", "--ticks", "400", "--threads", "1"];
    let first = page(folder.path(), &first);
    let second = ["two-rooms", "-o", "b.htm", "--seed", "1", "--ticks", "400", "--threads", "2"];
    assert!(first == page(folder.path(), &second));
    // The metres and seconds of the scene.
    has(&first, &["mean flow</td>", "1 / s</td>", "travel time (s)</text>"]);
    let other =
        page(folder.path(), &["two-rooms", "-o", "c.html", "--seed", "2", "--ticks", "400"]);
    assert!(first != other);
}

#[test]
fn a_page_of_a_trajectory_tells_what_the_file_tells() {
    let folder = folder_with_a_scene();
    let names = ["csv", "parquet", "sqlite", "txt"].map(|kind| format!("run.{kind}"));
    let mut run = vec!["run", "guest.toml", "--ticks", "20", "--seed", "9", "--digest", "-q"];
    run.extend(names.iter().flat_map(|name| ["-o", name]));
    let digest = out(&wayfare(folder.path(), &run));
    for name in &names {
        let html = page(folder.path(), &[name, "-o", "page.html"]);
        has(&html, &[&format!("wayfare report {name} -o report.html"), "2 agents, 21 frames"]);
        let tells = name.ends_with("parquet") || name.ends_with("sqlite");
        for part in [digest.trim(), "<td>9</td>", "wayfare run guest.toml --seed 9", "seek ="] {
            assert_eq!(html.contains(part), tells, "{part} in the page of {name}");
        }
    }
    let text = "1 0 0.5 1 0\n1 1 0.75 1 0\n";
    std::fs::write(folder.path().join("measured.txt"), text).unwrap();
    let html = page(folder.path(), &["measured.txt", "--fps", "16", "-o", "page.html"]);
    has(&html, &["<td>--fps 16</td>", "wayfare report measured.txt --fps 16 -o report.html"]);
}

#[test]
fn a_page_in_space_is_seen_from_above_and_one_without_agents_has_no_motion() {
    let folder = tempdir().unwrap();
    let html = page(folder.path(), &["flock-3d", "-o", "a.html", "--ticks", "1", "-q"]);
    has(&html, &["The world is seen from above.", "10,000 agents"]);
    std::fs::write(folder.path().join("none.csv"), "tick,time,id,\"group\",x,y\n").unwrap();
    let html = page(folder.path(), &["none.csv", "-o", "b.html"]);
    has(&html, &["0 agents, 0 frames", "The animation has 0 moments."]);
}

#[test]
fn a_page_that_cannot_be_written_is_refused_before_the_run() {
    let folder = folder_with_a_scene();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("run.csv", "tick,time,id,\"group\",x,y\n");
    write("cut.csv", "tick,time,id,group,x,y\n0,0,0,a,1,2\n");
    for (arguments, code, message) in [
        (&["guest.toml"][..], 1, "error: the following required arguments were not provided"),
        (&["guest.toml", "-o", "a.png"], 1, "error: `-o a.png`: a report is a page\nallowed: a f"),
        (&["guest.toml", "-o", "no/a.html"], 2, "error: cannot write no/a.html: "),
        (&["guest.toml", "-o", "a.html", "--fps", "3"], 1, "error: `--fps`: the source is a scene"),
        (&["run.csv", "-o", "a.html", "--seed", "3"], 1, "error: `--seed`: the source is a traj"),
        (&["cut.csv", "-o", "a.html"], 1, "error: cut.csv: after line 2: the mark of the end is"),
        (&["none.csv", "-o", "a.html"], 2, "error: none.csv: "),
        (&["nothing", "-o", "a.html"], 1, "error: there is no file and no bundled scene `nothing`"),
    ] {
        let failed = wayfare(folder.path(), &[&["report"], arguments].concat());
        let said = err(&failed);
        assert_eq!(failed.status.code(), Some(code), "{said}");
        assert!(said.starts_with(message), "{said}");
    }
    std::fs::rename(folder.path().join("guest.toml"), folder.path().join("guest.html")).unwrap();
    let failed = wayfare(folder.path(), &["report", "guest.html", "-o", "./guest.html"]);
    let said = err(&failed);
    assert!(said.starts_with("error: `-o ./guest.html` is the input guest.html\n"), "{said}");
    assert_eq!(files(folder.path()), ["cut.csv", "guest.html", "run.csv"]);
}

/// The example of docs/report.md.
#[test]
fn the_example_of_the_docs_runs_and_its_page_has_what_the_docs_say() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let docs = std::fs::read_to_string(root.join("docs/report.md")).unwrap();
    let block = |language: &str| {
        let start = docs.split(&format!("```{language}\n")).nth(1).unwrap();
        start.split("```").next().unwrap().to_string()
    };
    let folder = tempdir().unwrap();
    std::fs::write(folder.path().join("gate.toml"), block("toml")).unwrap();
    for line in block("sh").lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let done = wayfare(folder.path(), &words[1..]);
        assert!(words[0] == "wayfare" && done.status.success(), "{line}: {}", err(&done));
    }
    let html = std::fs::read_to_string(folder.path().join("gate.html")).unwrap();
    has(&html, &["<h3>gate</h3>", "<h4>travel time</h4>", "walkers", "time lost (s)"]);
    let html = std::fs::read_to_string(folder.path().join("walk.html")).unwrap();
    has(&html, &["A recorded trajectory", "walkers"]);
}
