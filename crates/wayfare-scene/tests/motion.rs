//! How the agents of scenes move, held against the table of docs/motion.md: a scene that begins to
//! jitter, to stand or to press fails here. `cargo xtask motion` writes the table.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use wayfare::{Crowd, Vector};
use wayfare_measure::{Measure, Measures, kind};
use wayfare_scene::{AnyScene, BUNDLED, Format, Scene, Source, read};

/// A column of the table: its head, the quantity of a measure over the run, and whether more of it
/// is better.
struct Column {
    head: &'static str,
    quantity: &'static str,
    more_is_better: bool,
}

/// The deepest overlap of solid bodies after their first tick, which no measure has apart.
const OVERLAP: &str = "overlap";

const COLUMNS: [Column; 7] = [
    Column { head: "standing", quantity: "mean_standing", more_is_better: false },
    Column { head: "straightness", quantity: "mean_straightness", more_is_better: true },
    Column { head: "turn", quantity: "mean_turning", more_is_better: false },
    Column { head: "backtracking", quantity: "backtracking", more_is_better: false },
    Column { head: "arrived", quantity: "arrived", more_is_better: true },
    Column { head: OVERLAP, quantity: "", more_is_better: false },
    Column { head: "unevenness", quantity: "mean_unevenness", more_is_better: false },
];

/// A value may get worse by this part of it, or by the digits that the table leaves out.
const TOLERANCE: f64 = 0.1;
const LEFT_OUT: f64 = 0.011;

/// The values of a scene, in the order of the columns.
type Values = [Option<f64>; COLUMNS.len()];

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/motion.md")
}

/// The bundled scenes but for the benchmarks, whose crowds are large, and the scenes beside this
/// file.
fn sources() -> Vec<Source> {
    let bundled = BUNDLED.iter().filter(|scene| scene.folder != "bench");
    let mut sources: Vec<Source> = bundled
        .map(|scene| Source { name: scene.name.to_string(), text: scene.text.to_string() })
        .collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/motion");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    sources.extend(files.iter().map(|file| Source {
        name: file.file_stem().unwrap().to_str().unwrap().to_string(),
        text: std::fs::read_to_string(file).unwrap(),
    }));
    sources
}

fn measured(source: &Source) -> Values {
    match read(source, Format::Toml).unwrap() {
        AnyScene::TwoD(scene) => values(scene, source),
        AnyScene::ThreeD(scene) => values(scene, source),
    }
}

fn values<V: Vector>(scene: Scene<V>, source: &Source) -> Values {
    let (ticks, dt) = (scene.ticks(), scene.setup.dt);
    // Only the values of the run are read; spacing is taken twice a second, or at ticks of 1.
    let rare = (0.5 / dt).max(1.0) as f32;
    let mut measures = vec![Measure::new("motion", kind::Motion::default().every(1e6))];
    // The spacing of others has no meaning that a number tells.
    if source.text.contains("flock = {") {
        let clusters = 1e-6;
        measures.push(Measure::new("flock", kind::Flock::new(clusters).every(rare.floor())));
    }
    let mut measures = Measures::new(&measures, &scene.setup).unwrap();
    let mut crowd = Crowd::new(scene.setup).unwrap();
    let mut overlap: Option<f32> = None;
    measures.record(&crowd);
    for _ in 0..ticks {
        crowd.step();
        if let Some(now) = crowd.deepest_overlap() {
            overlap = Some(overlap.map_or(now, |overlap| overlap.max(now)));
        }
        measures.record(&crowd);
        measures.take_rows();
    }
    measures.finish(&crowd);
    COLUMNS.map(|column| {
        if column.head == OVERLAP {
            return overlap.map(f64::from);
        }
        let end = measures.ends().iter().find(|end| end.quantity == column.quantity)?;
        let value = if end.quantity == "mean_turning" { end.value * dt } else { end.value };
        // Without an event of arrival no agent is on the way to a place.
        let is_shown = value > 0.0 || end.quantity != "arrived";
        (value.is_finite() && is_shown).then_some(value)
    })
}

/// The values of all sources, several at a time.
fn measured_all(sources: &[Source]) -> Vec<Values> {
    let found = Mutex::new(vec![[None; COLUMNS.len()]; sources.len()]);
    let next = Mutex::new(0..sources.len());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some(i) = next.lock().unwrap().next() else { break };
                    let values = measured(&sources[i]);
                    found.lock().unwrap()[i] = values;
                }
            });
        }
    });
    found.into_inner().unwrap()
}

/// The row of a scene, as it is in the page.
fn row(name: &str, values: &Values) -> String {
    let mut row = format!("| `{name}` |");
    for (column, value) in COLUMNS.iter().zip(values) {
        let digits = if column.quantity == "mean_turning" { 1 } else { 2 };
        match value {
            Some(value) => write!(row, " {value:.digits$} |").unwrap(),
            None => row.push_str("  |"),
        }
    }
    row
}

/// The start of the table in the page, which ends with it.
const TABLE: &str = "| scene | standing |";

/// The name and the values of a row of the table; `None` for other lines.
fn pinned(line: &str) -> Option<(&str, Values)> {
    let mut cells = line.strip_prefix("| `")?.split(" |");
    let name = cells.next()?.strip_suffix('`')?;
    Some((name, COLUMNS.map(|_| cells.next()?.trim().parse().ok())))
}

/// The columns in which `now` is worse than the page says.
fn worse(page: &Values, now: &Values) -> Vec<String> {
    let mut worse = Vec::new();
    for (i, column) in COLUMNS.iter().enumerate() {
        let (Some(was), Some(is)) = (page[i], now[i]) else {
            if page[i].is_some() != now[i].is_some() {
                worse.push(format!("{}: {:?}, the page says {:?}", column.head, now[i], page[i]));
            }
            continue;
        };
        let left_out = if column.quantity == "mean_turning" { 0.1 } else { LEFT_OUT };
        let loss = if column.more_is_better { was - is } else { is - was };
        if loss > left_out + TOLERANCE * was {
            worse.push(format!("{} {is:.3}, the page says {was}", column.head));
        }
    }
    worse
}

#[test]
fn no_scene_moves_worse_than_the_page_says() {
    let sources = sources();
    let values = measured_all(&sources);
    let path = page();
    let text = std::fs::read_to_string(&path).unwrap();
    if std::env::var_os("UPDATE_MOTION").is_some() {
        let at = text.find(TABLE).unwrap();
        let mut page: Vec<String> = text[..at].lines().map(str::to_string).collect();
        page.extend(text[at..].lines().take(2).map(str::to_string));
        page.extend(sources.iter().zip(&values).map(|(source, values)| row(&source.name, values)));
        std::fs::write(path, page.join("\n") + "\n").unwrap();
        return;
    }
    let page: Vec<_> =
        text.lines().skip_while(|line| !line.starts_with(TABLE)).filter_map(pinned).collect();
    let names: Vec<&str> = page.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, sources.iter().map(|source| &source.name[..]).collect::<Vec<_>>());
    let mut problems = Vec::new();
    for ((name, was), is) in page.iter().zip(&values) {
        problems.extend(worse(was, is).into_iter().map(|problem| format!("{name}: {problem}")));
    }
    assert!(
        problems.is_empty(),
        "{}\nlook at these scenes; `cargo xtask motion` writes the table of docs/motion.md if that \
         is meant, and the CHANGELOG says why",
        problems.join("\n")
    );
}

#[test]
fn a_value_that_gets_worse_by_more_than_a_tenth_is_told_and_a_better_one_is_not() {
    let (name, page) = pinned("| `a` | 0.50 | 0.90 | 2.0 |  |  | 0.20 |  |").unwrap();
    assert_eq!((name, page[3]), ("a", None));
    let with = |i: usize, value: f64| {
        let mut now = page;
        now[i] = Some(value);
        worse(&page, &now).len()
    };
    assert_eq!([with(0, 0.55), with(0, 0.57), with(0, 0.1)], [0, 1, 0]);
    assert_eq!([with(1, 0.85), with(1, 0.7), with(1, 1.0)], [0, 1, 0]);
    // A column without a value gets one: a scene in which bodies begin to overlap.
    assert_eq!([with(2, 9.0), with(6, 0.4)], [1, 1]);
}
