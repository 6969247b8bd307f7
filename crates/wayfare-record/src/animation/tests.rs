//! The content of animations, read back by a decoder.

use super::*;
use gif::{ColorOutput, DecodeOptions};
use wayfare::crowd::{Group, Setup, Spawn, StartVelocity};
use wayfare::glam::{Vec2, vec2};
use wayfare::spatial::space::Edge;

use crate::picture::color;
use crate::testing::FullDisk;

fn crowd(agents: usize, dt: f64) -> Crowd<Vec2> {
    let spawn = Spawn::Grid { origin: vec2(20.0, 20.0), spacing: 2.0, columns: 40, rows: 1 };
    let group = Group {
        velocity: StartVelocity::Same(vec2(2.0, 0.0)),
        ..Group::new("walkers", agents, spawn, 2.0)
    };
    Crowd::new(Setup { groups: vec![group], dt, ..Setup::default() }).unwrap()
}

const BOUNDS: Option<Bounds<Vec2>> =
    Some(Bounds { min: Vec2::ZERO, max: vec2(400.0, 300.0), edge: Edge::Open });

fn film(mut crowd: Crowd<Vec2>, bounds: Option<Bounds<Vec2>>, ticks: u64, every: u64) -> Vec<u8> {
    let mut animation = Animation::new(Vec::new(), "A film", bounds, &crowd, ticks, every);
    animation.record(&crowd).unwrap();
    for _ in 0..ticks {
        crowd.step();
        animation.record(&crowd).unwrap();
    }
    animation.finish(&crowd).unwrap()
}

/// The frames as a player shows them: the delay and the colors of each.
fn played(bytes: &[u8]) -> (usize, Vec<(u16, Vec<color::Rgb>)>) {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).unwrap();
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let mut sheet = vec![[0; 3]; width * height];
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (i, pixel) in frame.buffer.chunks_exact(4).enumerate() {
            let (x, y) = (
                i % usize::from(frame.width) + usize::from(frame.left),
                i / usize::from(frame.width) + usize::from(frame.top),
            );
            if pixel[3] > 0 {
                sheet[y * width + x] = [pixel[0], pixel[1], pixel[2]];
            }
        }
        frames.push((frame.delay, sheet.clone()));
    }
    (width, frames)
}

#[test]
fn a_dt_in_seconds_plays_in_real_time_and_others_at_thirty_ticks_per_second() {
    let pace = |dt, ticks, agents, every| {
        let Pace { stride, delay } = Pace::new(dt, ticks, agents, every);
        (stride, (delay * 100.0).round() / 100.0)
    };
    assert_eq!(pace(1.0, 100, 40, 1), (1, 3.33));
    assert_eq!(pace(1.0 / 60.0, 600, 40, 1), (2, 3.33));
    assert_eq!(pace(0.1, 100, 40, 1), (1, 10.0));
    assert_eq!(pace(0.001, 1000, 40, 1), (40, 4.0));
    // Ticks that `every` divides.
    assert_eq!(pace(1.0 / 60.0, 600, 40, 5), (5, 8.33));
    // Too long to be shown in real time.
    assert_eq!(pace(1.0, 18_000, 40, 1), (60, 10.0));
    assert_eq!(
        (pace(1.0, 600, 2_000, 1).0, pace(1.0, 600, 100_000, 1).0, pace(1.0, 0, 0, 1).0),
        (3, 10, 1)
    );
}

#[test]
fn a_player_shows_each_frame_as_it_was_drawn_in_the_colors_of_the_palette() {
    let mut crowd = crowd(5, 1.0);
    let bytes = film(self::crowd(5, 1.0), BOUNDS, 40, 4);
    let (_, frames) = played(&bytes);
    assert_eq!(frames.len(), 11);
    let framing = {
        let frame = FrameData::of(&crowd, &Presentation::default(), None, None);
        View { title: "A film", bounds: BOUNDS, frame: &frame, samples: Vec::new() }
            .framing(std::iter::empty())
    };
    let (mut palette, mut trail): (_, Vec<PositionSample<Vec2>>) = (Palette::new(&[]), Vec::new());
    for (i, (delay, shown)) in frames.iter().enumerate() {
        let frame = FrameData::of(&crowd, &Presentation::default(), None, trail.last());
        let view = View {
            title: "A film",
            bounds: BOUNDS,
            frame: &frame,
            samples: trail.iter().collect(),
        };
        let indices = palette.indices(&view.draw_frame(&framing));
        let colors = palette.bytes();
        let drawn: Vec<color::Rgb> =
            indices.iter().map(|&i| [0, 1, 2].map(|c| colors[usize::from(i) * 3 + c])).collect();
        assert!(*shown == drawn, "frame {i}");
        assert_eq!(*delay, if i == 10 { 200 } else { 10 });
        trail.push(frame.sample);
        (0..4).for_each(|_| crowd.step());
    }
}

#[test]
fn without_bounds_the_whole_run_is_visible_in_every_frame() {
    let bytes = film(crowd(70, 1.0), None, 90, 30);
    let (width, frames) = played(&bytes);
    assert_eq!(frames.len(), 4);
    // The mean column of the pixels in the color of the group, above the legend.
    let middle = |frame: &[color::Rgb]| {
        let blue = color::GROUPS[0];
        let rows = frame.len() / width;
        let columns: Vec<usize> = (0..frame.len())
            .filter(|&i| frame[i] == blue && i / width < rows - 40)
            .map(|i| i % width)
            .collect();
        columns.iter().sum::<usize>() / columns.len().max(1)
    };
    let columns: Vec<usize> = frames.iter().map(|(_, frame)| middle(frame)).collect();
    assert!(columns.windows(2).all(|pair| pair[1] > pair[0] + 80), "{columns:?}");
}

#[test]
fn the_last_tick_is_the_last_frame_once_and_a_run_of_no_ticks_has_one() {
    for (ticks, frames) in [(0, 1), (3, 2), (4, 2), (5, 3)] {
        assert_eq!(played(&film(crowd(5, 1.0), BOUNDS, ticks, 4)).1.len(), frames, "{ticks} ticks");
    }
}

#[test]
fn the_same_run_is_the_same_bytes_and_a_full_disk_is_reported() {
    assert!(film(crowd(100, 1.0), BOUNDS, 5, 1) == film(crowd(100, 1.0), BOUNDS, 5, 1));
    let crowd = crowd(5, 1.0);
    let mut animation = Animation::new(FullDisk, "", BOUNDS, &crowd, 5, 1);
    let error = animation.record(&crowd).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    assert!(animation.finish(&crowd).is_err());
}
