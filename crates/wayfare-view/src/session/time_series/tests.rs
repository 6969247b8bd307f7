use super::*;
use crate::session::open::open;
use wayfare::{AgentId, GroupId};
use wayfare_scene::{Format, bundled};

fn scene(name: &str) -> Box<dyn Session> {
    open(name, bundled(name).unwrap().text, Format::Toml).unwrap()
}

/// Samples the quantities of agent 0 that are shown by default.
fn sample(plots: &mut TimeSeries, session: &mut dyn Session) {
    let wanted = [Quantity::Speed, Quantity::Distance, Quantity::Forces];
    plots.sample(session, Some(Subject::Agent(AgentId(0))), &wanted);
}

fn names(plots: &TimeSeries, quantity: Quantity) -> Vec<&str> {
    plots
        .series
        .iter()
        .filter(|series| series.quantity == quantity)
        .map(|series| series.name.as_str())
        .collect()
}

fn last(plots: &TimeSeries, quantity: Quantity) -> (u64, f32) {
    *plots.series.iter().find(|series| series.quantity == quantity).unwrap().points.back().unwrap()
}

#[test]
fn distance_and_speed_of_an_arriving_agent_fall_to_zero() {
    let text = "[[group]]\nname = \"guest\"\nspawn = { points = [[0, 0]] }\nmax_speed = \
                2\n[[group.steer]]\narrive = { target = [100, 0], slowing_radius = 40 }\n";
    let (mut session, mut plots) =
        (open("guest", text, Format::Toml).unwrap(), TimeSeries::default());
    sample(&mut plots, session.as_mut());
    assert_eq!(
        (last(&plots, Quantity::Distance), last(&plots, Quantity::Speed)),
        ((0, 100.0), (0, 0.0))
    );
    assert_eq!(names(&plots, Quantity::Forces), ["arrive"]);
    assert_eq!(last(&plots, Quantity::Forces).1, 2.0);
    for _ in 0..200 {
        session.step(None);
        sample(&mut plots, session.as_mut());
    }
    let (distance, speed) = (last(&plots, Quantity::Distance), last(&plots, Quantity::Speed));
    assert!(distance.0 == 200 && distance.1 < 2.0 && speed.1 < 0.2, "{distance:?} {speed:?}");
    let all: Vec<f32> = plots.series[1].points.iter().map(|(_, value)| *value).collect();
    assert!(all.len() == 201 && all.windows(2).all(|pair| pair[1] <= pair[0]), "{all:?}");
}

#[test]
fn a_distance_is_the_shortest_one_in_a_wrapped_world_and_to_a_quarry_the_present_one() {
    let text = "[bounds]\nmin = [0, 0]\nmax = [100, 100]\nedge = \"wrap\"\n[[group]]\nname = \
                \"hunter\"\nspawn = { points = [[5, 50]] }\nmax_speed = \
                1\n[[group.steer]]\npursue = { quarry = \"prey\" }\n[[group]]\nname = \
                \"prey\"\nspawn = { points = [[95, 50]] }\nmax_speed = 1\nvelocity = [0, 1]\n";
    let (mut session, mut plots) =
        (open("hunt", text, Format::Toml).unwrap(), TimeSeries::default());
    sample(&mut plots, session.as_mut());
    assert_eq!(
        (names(&plots, Quantity::Distance), last(&plots, Quantity::Distance).1),
        (vec!["pursue"], 10.0)
    );
    // A target point of the scene is not moved to its nearest image by the formula.
    let text = text.replace(
        "pursue = { quarry = \"prey\" }",
        "arrive = { target = [95, 50], slowing_radius = 3 }",
    );
    let (mut session, mut plots) =
        (open("cross", &text, Format::Toml).unwrap(), TimeSeries::default());
    sample(&mut plots, session.as_mut());
    assert_eq!(
        (names(&plots, Quantity::Distance), last(&plots, Quantity::Distance).1),
        (vec!["arrive"], 10.0)
    );
}

#[test]
fn a_group_has_mean_and_extremes_and_a_line_both_directions() {
    let mut session = scene("doorway-separation");
    let mut plots = TimeSeries::default();
    let wanted = [Quantity::Speed, Quantity::Overlaps, Quantity::Lines];
    for _ in 0..60 {
        session.step(None);
        plots.sample(session.as_mut(), Some(Subject::Group(GroupId(0))), &wanted);
    }
    assert_eq!(names(&plots, Quantity::Speed), ["mean", "slowest", "fastest"]);
    let at = |i: usize| plots.series[i].points.back().unwrap().1;
    assert!(at(1) <= at(0) && at(0) <= at(2));
    assert_eq!(
        (names(&plots, Quantity::Overlaps), names(&plots, Quantity::Lines).len() % 2),
        (vec!["pairs of all"], 0)
    );
    assert!(!names(&plots, Quantity::Lines).is_empty());
    assert!(names(&plots, Quantity::Forces).is_empty(), "not wanted");
}

#[test]
fn the_number_of_samples_is_bounded_and_discarded_ticks_lose_theirs() {
    let (mut session, mut plots) = (scene("seek"), TimeSeries::default());
    for _ in 0..LENGTH + 50 {
        session.step(None);
        sample(&mut plots, session.as_mut());
    }
    let ends = |plots: &TimeSeries| {
        plots
            .series
            .iter()
            .map(|series| (series.points.len(), series.points.back().unwrap().0))
            .collect::<Vec<_>>()
    };
    assert!(
        ends(&plots).iter().all(|end| *end == (LENGTH, LENGTH as u64 + 50)),
        "{:?}",
        ends(&plots)
    );
    // Back in time the samples of later ticks stay, as those ticks are still known.
    session.go_to(1_000);
    sample(&mut plots, session.as_mut());
    assert!(ends(&plots).iter().all(|end| end.1 == LENGTH as u64 + 50));
    session.discard_later();
    session.step(None);
    sample(&mut plots, session.as_mut());
    assert!(ends(&plots).iter().all(|end| end.1 == 1_001), "{:?}", ends(&plots));
}

#[test]
fn a_large_crowd_is_measured_at_fewer_ticks() {
    assert_eq!([1, 1_000, 1_001, 20_000].map(sample_interval), [1, 1, 2, 20]);
    let mut session = scene("flock-2000-2d");
    let mut plots = TimeSeries::default();
    for _ in 0..5 {
        session.step(None);
        sample(&mut plots, session.as_mut());
    }
    assert_eq!(plots.series[0].points.iter().map(|(tick, _)| *tick).collect::<Vec<_>>(), [2, 4]);
}
