//! Events of scenes: the commands of logs, each at a time.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use wayfare::glam::Vec2;
use wayfare::{Crowd, Log};
use wayfare_scene::{
    AnyScene, Format, Scene, Severity, Source, log_text, problem_of_event, read, read_log,
};

fn source(text: &str) -> Source {
    Source { name: "scene".to_string(), text: text.to_string() }
}

fn scene(text: &str, format: Format) -> Scene<Vec2> {
    match read(&source(text), format) {
        Ok(AnyScene::TwoD(scene)) => scene,
        Ok(AnyScene::ThreeD(_)) => panic!("the scene is of the plane"),
        Err(problems) => panic!("{}", source(text).render(Severity::Error, &problems, false)),
    }
}

fn page(name: &str) -> String {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    std::fs::read_to_string(docs.join(name)).unwrap()
}

/// The first block of this language that contains `part`.
fn block(page: &str, language: &str, part: &str) -> String {
    let fence = format!("```{language}\n");
    let blocks = page.split(&fence).skip(1);
    let mut blocks = blocks.map(|rest| rest.split("\n```").next().unwrap().to_string());
    blocks.find(|block| block.contains(part)).unwrap()
}

#[test]
fn every_line_of_a_log_is_an_event_with_the_same_run() {
    let (world, scenes) = (page("world.md"), page("scenes.md"));
    let base = block(&scenes, "json", "\"spawn\"");
    let path = r#""path": { "beat": { "points": [[100, 100], [300, 60]], "radius": 30 } }"#;
    assert!(world.contains("[path.beat]"));
    let base = format!("{}, {path} }}", base.trim_end().strip_suffix('}').unwrap());
    let log = block(&page("running.md"), "jsonl", "add_group");
    // Not in the order of times, and each a tick later than `at`.
    let events = log.lines().skip(1).map(|line| {
        let (tick, rest) = line.strip_prefix("{\"tick\": ").unwrap().split_once(',').unwrap();
        format!("{{\"at\": {},{rest}", tick.parse::<f64>().unwrap() - 0.5)
    });
    let events: Vec<String> = events.collect();
    let text = format!(
        "{}, \"event\": [{}] }}",
        base.trim_end().strip_suffix('}').unwrap(),
        events.join(",\n")
    );
    let (with_events, without) = (scene(&text, Format::Json), scene(&base, Format::Json));
    assert_eq!(with_events.setup.commands.len(), log.lines().count() - 1);

    let mut crowd = Crowd::new(with_events.setup).unwrap();
    let mut logged = Crowd::new(without.setup).unwrap();
    let mut log = read_log::<Vec2>(&source(&log), 1.0).unwrap();
    for tick in 0..200 {
        log.apply(&mut logged).unwrap();
        logged.step();
        crowd.step();
        assert_eq!(crowd.digest(), logged.digest(), "tick {tick}");
    }
    assert_eq!((crowd.refused_command(), log.remaining()), (None, 0));
}

#[test]
fn events_in_toml_have_a_word_for_null_and_tables_for_what_logs_encode() {
    let text = "dt = 0.5\n[pointer]\ntrack = [[0, 5, 5]]\n\
                [[event]]\nat = 1\npointer = \"none\"\n\
                [[event]]\nat = 2\nagent = 0\nmax_speed = \"none\"\n\
                [[event]]\nat = 3\nadd_line = { name = \"gate\", from = [1, 0.1], to = [2, 3] }\n\
                [[event]]\nat = 4\nremove_line = \"gate\"\n\
                [[group]]\nname = \"a\"\nspawn = { points = [[0, 0]] }\nmax_speed = 1\n";
    let commands = scene(text, Format::Toml).setup.commands;
    let log = commands.into_iter().map(|timed| (timed.at as u64, timed.command));
    assert_eq!(
        log_text(&Log::of(log)),
        "{\"format\": 1}\n{\"tick\": 1, \"pointer\": null}\n\
         {\"tick\": 2, \"agent\": 0, \"max_speed\": null}\n\
         {\"tick\": 3, \"add_line\": {\"name\":\"gate\",\"from\":[1.0,0.1],\"to\":[2.0,3.0]}}\n\
         {\"tick\": 4, \"remove_line\": \"gate\"}\n"
    );
}

#[test]
fn an_event_that_the_run_refuses_is_shown_at_its_place_with_its_tick() {
    let text = "dt = 0.5\n[[event]]\nat = 1\nremove = 0\n[[event]]\nat = 2\nremove = 0\n\
                [[group]]\nname = \"a\"\nspawn = { points = [[0, 0]] }\nmax_speed = 1\n";
    let mut crowd = Crowd::new(scene(text, Format::Toml).setup).unwrap();
    (0..9).for_each(|_| crowd.step());
    let problem = problem_of_event(crowd.refused_command().unwrap(), &source(text), Format::Toml);
    let shown = source(text).render(Severity::Error, &[problem], false);
    let expected = "error: at tick 4 there is no agent 0\n --> scene:7:10";
    assert!(shown.starts_with(expected), "{shown}");
}

#[test]
fn a_time_in_a_log_is_the_first_tick_that_starts_then_or_later() {
    let text = "{\"time\": 0.3, \"remove\": 0}\n{\"time\": 0.31, \"remove\": 1}\n\
                {\"tick\": 4, \"remove\": 2}\n";
    let log = read_log::<Vec2>(&source(text), 0.1).unwrap();
    assert_eq!(log.commands().map(|(tick, _)| tick).collect::<Vec<_>>(), [3, 4, 4]);
    let early = text.replace("0.31", "0.2");
    let problems = read_log::<Vec2>(&source(&early), 0.1).unwrap_err();
    assert_eq!(problems[0].message, "`time` is the number 0.2");
    assert!(problems[0].allowed.starts_with("a time from 0.3"), "{}", problems[0].allowed);
}
