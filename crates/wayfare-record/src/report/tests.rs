//! Reports as their readers see them.

use data_encoding::BASE64;
use serde_json::{Map, Value};
use wayfare::crowd::{Group, Setup, Spawn, StartVelocity};
use wayfare::glam::{Vec2, vec2};
use wayfare::{Crowd, Vector};
use wayfare_measure::kind::Evacuation;
use wayfare_measure::{Measure, Measures};

use super::*;
use crate::output::{RunEnd, RunOutputs};

fn group<V: Vector>(name: &str, points: Vec<V>, velocity: V, radius: f32) -> Group<V> {
    let velocity = StartVelocity::Same(velocity);
    Group { velocity, radius: radius.into(), ..Group::new(name, 0, Spawn::Points(points), 9.0) }
}

fn setup(names: [&str; 2]) -> Setup<Vec2> {
    let walkers = vec![vec2(1.0, 2.0), vec2(3.0, 9.5)];
    let groups = vec![
        group(names[0], walkers, vec2(1.5, -0.25), 0.4),
        group(names[1], vec![vec2(-7.0, 4.0)], vec2(0.0, 0.5), 0.0),
    ];
    Setup { groups, dt: 0.5, ..Setup::default() }
}

/// The position of an agent at a moment.
type Seen = (u64, u32, Vec2);

/// A run in which an agent leaves and another one enters: its page by `take`, and where its agents
/// were.
fn run<T>(
    setup: Setup<Vec2>,
    title: &str,
    take: impl FnOnce(Report<Vec2>, &Summary<'_, Vec2>) -> T,
) -> (T, Vec<Seen>) {
    let measure = Measure::new(title, Evacuation { of: wayfare::parameter::Groups::All });
    let mut measures = Measures::new(&[measure], &setup).unwrap();
    let info = RunInfo::new("walk.toml", title, &setup, 12);
    let mut crowd = Crowd::new(setup).unwrap();
    let mut report = Report::begin(&crowd, &info, measures.names());
    let mut outputs = RunOutputs::<Vec<u8>, _>::begin([], &crowd, info).unwrap();
    measures.record(&crowd);
    let mut seen = Vec::new();
    let mut see = |crowd: &Crowd<Vec2>| {
        seen.extend(crowd.agents().map(|(id, agent)| (crowd.tick(), id.0, agent.position)));
    };
    see(&crowd);
    for tick in 0..12 {
        if tick == 4 {
            assert!(crowd.remove(0));
        }
        if tick == 7 {
            crowd.add(1, vec2(5.0, 5.0), None).unwrap();
        }
        crowd.step();
        see(&crowd);
        report.record(&crowd);
        measures.record(&crowd);
        report.measured(measures.rows());
        outputs.record(&crowd).unwrap();
        measures.take_rows();
    }
    measures.finish(&crowd);
    report.measured(measures.rows());
    let end = RunEnd { measures: measures.ends().to_vec(), ..RunEnd::default() };
    let (_, summary) = outputs.finish(&crowd, end).unwrap();
    let taken = take(report, &summary);
    (taken, seen)
}

/// The data of the player as its script reads them: tick, id and position on the sheet (pixels).
fn decoded(data: &Map<String, Value>) -> Vec<(u64, u32, [f64; 2])> {
    let bytes = |key: &str| BASE64.decode(data[key].as_str().unwrap().as_bytes()).unwrap();
    let numbers = |key: &str| -> Vec<u32> {
        let bytes = bytes(key);
        bytes.chunks(4).map(|four| u32::from_le_bytes(four.try_into().unwrap())).collect()
    };
    let places: Vec<u16> =
        bytes("places").chunks(2).map(|two| u16::from_le_bytes(two.try_into().unwrap())).collect();
    let (ids, mut entered, mut left) =
        (numbers("ids"), numbers("entered").into_iter(), numbers("left").into_iter());
    let [low, step] = ["low", "step"].map(|key| data[key].as_f64().unwrap());
    let (mut members, mut place, mut seen) = (Vec::new(), 0, Vec::new());
    for (i, change) in data["changes"].as_array().unwrap().iter().enumerate() {
        let [enter, leave] = [0, 1].map(|k| change[k].as_u64().unwrap() as usize);
        let gone: Vec<u32> = left.by_ref().take(leave).collect();
        members.retain(|number| !gone.contains(number));
        members.extend(entered.by_ref().take(enter));
        members.sort_unstable();
        for number in &members {
            let at = [0, 1].map(|axis| low + step * f64::from(places[place + axis]));
            seen.push((data["ticks"][i].as_u64().unwrap(), ids[*number as usize], at));
            place += 2;
        }
    }
    assert_eq!(place, places.len());
    assert_eq!(bytes("headings").len(), places.len());
    seen
}

#[test]
fn the_player_has_every_agent_of_every_moment_where_it_was() {
    let ((stage, player), expected) = run(setup(["a", "b"]), "Walk", |report, summary| {
        let trails = report.trails.clone();
        let run =
            FinishedRun { crowd: summary.crowd, shown: summary.crowd, trails: &trails, summary };
        run.picture().with_view(|view| {
            let page = report.page(view, summary, Repeat::default());
            (Stage::of(view), page.player)
        })
    });
    let step = player["step"].as_f64().unwrap();
    let mut found = decoded(&player);
    found.sort_by_key(|(tick, id, _)| (*tick, *id));
    let mut expected = expected;
    expected.sort_by_key(|(tick, id, _)| (*tick, *id));
    assert_eq!(found.len(), expected.len());
    for ((tick, id, at), (expected_tick, expected_id, position)) in found.iter().zip(&expected) {
        assert_eq!((tick, id), (expected_tick, expected_id));
        let away = [0, 1].map(|axis| (at[axis] - stage.at(*position)[axis]).abs());
        assert!(away.iter().all(|away| *away <= 0.51 * step), "{id} at {tick}: {away:?}");
    }
    assert!(step < 0.05, "a step of {step} pixels would be seen");
}

/// Elements without an end.
const VOID: [&str; 6] = ["meta", "img", "input", "br", "path", "link"];

/// The names of all elements of a page, which must be nested.
fn elements(html: &str) -> Vec<String> {
    let (mut open, mut all): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let mut rest = html.strip_prefix("<!doctype html>").unwrap();
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let end = rest.find('>').unwrap();
        let tag = &rest[..end];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "{tag}");
            continue;
        }
        let name = tag.split_whitespace().next().unwrap().trim_end_matches('/').to_string();
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        all.push(name.clone());
        if name == "script" || name == "style" {
            rest = &rest[rest.find(&format!("</{name}>")).unwrap()..];
        }
        if !VOID.contains(&name.as_str()) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    all
}

#[test]
fn names_that_are_markup_stay_text_and_the_page_is_nested() {
    let names = ["</script><script>alert(1)</script>", "\"><img src=x onerror=alert(2)>"];
    let title = "</title><b>\"&'";
    let page = |names: [&str; 2], title: &str| {
        let repeat = Repeat { commands: vec![title.to_string()], note: title.to_string() };
        run(setup(names), title, |report, summary| report.finish(summary, repeat)).0
    };
    let (plain, hostile) = (page(["a", "b"], "walk"), page(names, title));
    assert_eq!(elements(&hostile), elements(&plain));
    assert!(hostile.contains("<h1>&lt;/title&gt;&lt;b&gt;&quot;&amp;'</h1>"));
    assert!(hostile.contains("{\"name\":\"\\u003c/script>"));
}

#[test]
fn a_page_has_its_parts_and_refers_to_nothing_outside() {
    let (html, _) =
        run(setup(["a", "b"]), "Walk", |report, summary| report.finish(summary, Repeat::default()));
    for part in [
        "<h1>Walk</h1>",
        "<canvas id=\"canvas\"",
        "src=\"data:image/svg+xml;base64,",
        "<h4>inside</h4>",
        "aria-label=\"Walk: inside over time, from 1 to 3, 3 last\"",
        "<th scope=\"row\">digest of the end</th>",
        "default-src 'none'",
    ] {
        assert!(html.contains(part), "{part} is not in the page");
    }
    // Namespaces of pictures are names, no addresses that are fetched.
    let outside = html.replace("http://www.w3.org/2000/svg", "");
    assert!(!outside.contains("://"));
}

#[test]
fn of_a_world_that_changes_often_some_grounds_stand_for_others() {
    assert_eq!(chosen(1), (vec![0], vec![0]));
    assert_eq!(chosen(3), (vec![0, 1, 2], vec![0, 1, 2]));
    let (shown, places) = chosen(150);
    assert_eq!((shown.len(), places.len()), (MOST_GROUNDS, 150));
    // Each ground is shown as the last shown one that is not later.
    for (ground, place) in places.iter().enumerate() {
        assert!(shown[*place] <= ground, "{ground}");
        assert!(shown.get(place + 1).is_none_or(|next| *next > ground), "{ground}");
    }
}

#[test]
fn numbers_have_four_significant_digits() {
    let texts = [0.0, 0.012_345_6, 1.234_56, 150.0, 12_345.678, -0.5, 1e-9].map(significant);
    assert_eq!(texts, ["0", "0.01235", "1.235", "150", "12,346", "-0.5", "1e-9"]);
}
