use super::*;
use crate::session::scene::open;
use wayfare_scene::{Format, bundled};

fn scene(name: &str) -> Box<dyn Live> {
    open(name, bundled(name).unwrap().text, Format::Toml).unwrap()
}

fn names(plots: &Plots, quantity: Quantity) -> Vec<&str> {
    plots
        .series
        .iter()
        .filter(|series| series.quantity == quantity)
        .map(|series| series.name.as_str())
        .collect()
}

fn last(plots: &Plots, quantity: Quantity) -> (u64, f32) {
    *plots.series.iter().find(|series| series.quantity == quantity).unwrap().points.back().unwrap()
}

#[test]
fn the_distance_falls_to_nothing_as_somebody_arrives_and_so_does_the_speed() {
    let text = "[[group]]\nname = \"guest\"\nspawn = { points = [[0, 0]] }\nmax_speed = \
                2\n[[group.steer]]\narrive = { target = [100, 0], slowing_radius = 40 }\n";
    let (mut live, mut plots) = (open("guest", text, Format::Toml).unwrap(), Plots::default());
    plots.sample(live.as_mut(), None);
    assert_eq!(
        (last(&plots, Quantity::Distance), last(&plots, Quantity::Speed)),
        ((0, 100.0), (0, 0.0))
    );
    assert_eq!(names(&plots, Quantity::Forces), ["arrive"]);
    assert_eq!(last(&plots, Quantity::Forces).1, 2.0);
    for _ in 0..200 {
        live.step(None);
        plots.sample(live.as_mut(), None);
    }
    let (distance, speed) = (last(&plots, Quantity::Distance), last(&plots, Quantity::Speed));
    assert!(distance.0 == 200 && distance.1 < 2.0 && speed.1 < 0.2, "{distance:?} {speed:?}");
    let all: Vec<f32> = plots.series[1].points.iter().map(|(_, value)| *value).collect();
    assert!(all.len() == 201 && all.windows(2).all(|pair| pair[1] <= pair[0]), "{all:?}");
}

#[test]
fn the_distance_in_a_wrapped_world_is_that_of_the_shortest_way_and_of_a_quarry_that_to_where_it_is()
{
    let text = "[bounds]\nmin = [0, 0]\nmax = [100, 100]\nedge = \"wrap\"\n[[group]]\nname = \
                \"hunter\"\nspawn = { points = [[5, 50]] }\nmax_speed = \
                1\n[[group.steer]]\npursue = { quarry = \"prey\" }\n[[group]]\nname = \
                \"prey\"\nspawn = { points = [[95, 50]] }\nmax_speed = 1\nvelocity = [0, 1]\n";
    let (mut live, mut plots) = (open("hunt", text, Format::Toml).unwrap(), Plots::default());
    plots.sample(live.as_mut(), None);
    assert_eq!(
        (names(&plots, Quantity::Distance), last(&plots, Quantity::Distance).1),
        (vec!["pursue"], 10.0)
    );
    // A point that the scene names is not an image that a formula chose.
    let text = text.replace(
        "pursue = { quarry = \"prey\" }",
        "arrive = { target = [95, 50], slowing_radius = 3 }",
    );
    let (mut live, mut plots) = (open("cross", &text, Format::Toml).unwrap(), Plots::default());
    plots.sample(live.as_mut(), None);
    assert_eq!(
        (names(&plots, Quantity::Distance), last(&plots, Quantity::Distance).1),
        (vec!["arrive"], 10.0)
    );
}

#[test]
fn of_a_group_there_are_the_mean_and_the_ends_and_of_a_line_both_directions() {
    let mut live = scene("doorway-separation");
    let mut plots =
        Plots { group: Some(0), shown: [true, false, false, true, true], ..Plots::default() };
    for _ in 0..60 {
        live.step(None);
        plots.sample(live.as_mut(), None);
    }
    assert_eq!(names(&plots, Quantity::Speed), ["mean", "slowest", "fastest"]);
    let at = |i: usize| plots.series[i].points.back().unwrap().1;
    assert!(at(1) <= at(0) && at(0) <= at(2));
    assert_eq!(
        (names(&plots, Quantity::Overlaps), names(&plots, Quantity::Lines).len() % 2),
        (vec!["pairs of all"], 0)
    );
    assert!(!names(&plots, Quantity::Lines).is_empty());
    assert!(names(&plots, Quantity::Forces).is_empty(), "it was not asked for");
}

#[test]
fn what_is_kept_is_bounded_and_what_has_not_come_to_be_is_forgotten() {
    let (mut live, mut plots) = (scene("seek"), Plots::default());
    for _ in 0..LENGTH + 50 {
        live.step(None);
        plots.sample(live.as_mut(), None);
    }
    let ends = |plots: &Plots| {
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
    // Back in time nothing is lost, as it may come to be again.
    live.go_to(1_000);
    plots.sample(live.as_mut(), None);
    assert!(ends(&plots).iter().all(|end| end.1 == LENGTH as u64 + 50));
    live.forget_later();
    live.step(None);
    plots.sample(live.as_mut(), None);
    assert!(ends(&plots).iter().all(|end| end.1 == 1_001), "{:?}", ends(&plots));
}

#[test]
fn a_large_crowd_is_measured_at_fewer_ticks() {
    assert_eq!([1, 1_000, 1_001, 20_000].map(Plots::every), [1, 1, 2, 20]);
    let mut live = scene("flock-2000-2d");
    let mut plots = Plots::default();
    for _ in 0..5 {
        live.step(None);
        plots.sample(live.as_mut(), None);
    }
    assert_eq!(plots.series[0].points.iter().map(|(tick, _)| *tick).collect::<Vec<_>>(), [2, 4]);
}
