use std::sync::atomic::{AtomicUsize, Ordering};

use wayfare_record::table::{Cell, Format as TableFormat};
use wayfare_scene::{Severity, Source};

use super::*;

/// Twelve people who walk through a door; the seed moves them.
const SCENE: &str = r#"
dt = 0.1
duration = 4
[line.door]
from = [6, -2]
to = [6, 2]
[template.walker]
steer = [
    { wander = { circle_distance = 1, circle_radius = 0.5, angle_change = 2 } },
    { seek = { target = [20, 0] } },
]
[[group]]
name = "people"
count = 12
spawn = { box = { min = [0, -1], max = [5, 1] } }
template = "walker"
max_speed = 2
[[measure]]
name = "door"
flow = { line = "door" }
[[measure]]
name = "ways"
travel = {}
"#;

const FILE: &str = r#"
scene = "walk.toml"
seeds = 3
[over]
"group.people.count" = [4, 12]
group.people.max_speed = { from = 1, to = 2, count = 3 }
"#;

fn source(name: &str, text: &str) -> Source {
    Source { name: name.to_string(), text: text.to_string() }
}

fn sweep(file: &str) -> Sweep {
    let study = Study::of(source("walk.toml", SCENE), Format::Toml);
    let file = source("sweep.toml", file);
    Sweep::new(&file, Format::Toml, &study)
        .unwrap_or_else(|problems| panic!("{}", file.render(Severity::Error, &problems, false)))
}

fn mistakes(file: &str) -> String {
    let study = Study::of(source("walk.toml", SCENE), Format::Toml);
    let file = source("sweep.toml", file);
    let problems = Sweep::new(&file, Format::Toml, &study).expect_err("the file is wrong");
    file.render(Severity::Error, &problems, false)
}

fn finish(sweep: &Sweep, journal: &mut Journal, threads: usize) -> Vec<Outcome> {
    sweep.run(journal, threads, &|| false, &mut |_, _| ()).unwrap().expect("nothing stops it")
}

fn csv(sweep: &Sweep, outcomes: &[Outcome]) -> String {
    let table = sweep.table(outcomes).write(TableFormat::Csv, Vec::new(), &[]).unwrap();
    String::from_utf8(table).unwrap()
}

/// The number of runs that a sweep with this journal still runs.
fn left(sweep: &Sweep, journal: &mut Journal) -> usize {
    let mut first = None;
    let stopped = sweep.run(journal, 1, &|| true, &mut |progress, _| {
        first.get_or_insert(progress.all - progress.done);
    });
    stopped.unwrap();
    first.unwrap()
}

#[test]
fn rows_are_in_the_order_of_the_file_for_any_number_of_threads() {
    let sweep = sweep(FILE);
    let one = csv(&sweep, &finish(&sweep, &mut Journal::none(), 1));
    for threads in [2, 5, 40] {
        assert_eq!(csv(&sweep, &finish(&sweep, &mut Journal::none(), threads)), one);
    }
    let rows: Vec<Vec<&str>> = one.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 19);
    assert_eq!(
        rows[0][..6],
        [
            "group.people.count",
            "group.people.max_speed",
            "seed",
            "ticks",
            "agents",
            "door.all_crossings"
        ]
    );
    assert_eq!(rows[1][..5], ["4", "1", "0", "40", "4"]);
    assert_eq!(rows[6][..5], ["4", "1.5", "2", "40", "4"]);
    assert_eq!(rows[18][..5], ["12", "2", "2", "40", "12"]);
    // Faster people cross the door; the digest tells the runs apart.
    let crossings = |row: usize| rows[row][5].parse::<f64>().unwrap();
    assert!(crossings(18) > crossings(12), "{one}");
    let digests: HashSet<&&str> = rows[1..].iter().map(|row| row.last().unwrap()).collect();
    assert_eq!(digests.len(), 18);
}

#[test]
fn a_row_is_the_run_of_the_scene_with_the_same_values() {
    let file = "scene = \"walk.toml\"\nseeds = [7]\n[over]\n\
                \"group.people.steer.wander.circle_radius\" = [0.25]\n";
    let sweep = sweep(file);
    let outcome = finish(&sweep, &mut Journal::none(), 1).remove(0);
    let text = SCENE.replace("circle_radius = 0.5", "circle_radius = 0.25");
    let scene = wayfare_scene::read(&source("walk.toml", &text), Format::Toml);
    let Ok(AnyScene::TwoD(scene)) = scene else { panic!("the scene is of the plane") };
    let settings = RunSettings { seed: Some(7), ..RunSettings::default() };
    let alone = run(&scene, settings, || false, |_| ()).unwrap().unwrap();
    assert_eq!((outcome.digest, outcome.values), (alone.digest, alone.values));
}

#[test]
fn values_of_one_table_change_together() {
    let sweep = sweep(
        "scene = \"walk.toml\"\n[[over]]\n\"line.door.from\" = [[6, -2], [6, -3]]\n\
         \"line.door.to\" = [[6, 2], [6, 3]]\n[[over]]\n\"seed\" = [1, 2]\n",
    );
    let table = csv(&sweep, &finish(&sweep, &mut Journal::none(), 2));
    let rows: Vec<&str> = table.lines().collect();
    assert!(rows[0].starts_with("line.door.from,line.door.to,seed,ticks,agents,"), "{table}");
    assert!(rows[1].starts_with("\"[6, -2]\",\"[6, 2]\",1,40,12,"), "{table}");
    assert!(rows[4].starts_with("\"[6, -3]\",\"[6, 3]\",2,40,12,"), "{table}");
}

#[test]
fn only_the_measures_that_the_file_names_are_in_the_table() {
    let header = |measures: &str| {
        let sweep = sweep(&format!("scene = \"walk.toml\"\nticks = 2\nmeasures = {measures}"));
        let table = csv(&sweep, &finish(&sweep, &mut Journal::none(), 1));
        table.lines().next().unwrap().to_string()
    };
    assert_eq!(header("[\"door.all_crossings\"]"), "seed,ticks,agents,door.all_crossings,digest");
    // A quantity that no run has is an empty column.
    assert!(header("[\"door\"]").contains(",door.mean_flow,"));
    assert!(!header("[\"door\"]").contains("ways"));
    assert!(header("[]").contains(",ways."));
}

#[test]
fn a_sweep_that_is_begun_again_runs_only_what_its_journal_lacks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv.runs");
    let sweep = sweep(FILE);
    let whole = csv(&sweep, &finish(&sweep, &mut Journal::none(), 2));
    let done = AtomicUsize::new(0);
    let mut journal = Journal::open(&path).unwrap();
    let stops = || done.load(Ordering::Relaxed) >= 7;
    let stopped = sweep.run(&mut journal, 1, &stops, &mut |progress, _| {
        done.store(progress.done, Ordering::Relaxed);
    });
    stopped.unwrap();
    let done = journal.len();
    assert!(done >= 7, "{done}");
    drop(journal);
    let mut journal = Journal::open(&path).unwrap();
    assert_eq!((journal.len(), left(&sweep, &mut journal)), (done, 18 - done));
    assert_eq!(csv(&sweep, &finish(&sweep, &mut journal, 2)), whole);
    drop(journal);

    // A sweep with more seeds and values finds the same runs; one of another scene none.
    let mut journal = Journal::open(&path).unwrap();
    assert_eq!((journal.len(), left(&sweep, &mut journal)), (18, 0));
    let more = FILE.replace("seeds = 3", "seeds = 4").replace("[4, 12]", "[2, 4, 12]");
    let more = self::sweep(&more);
    assert_eq!(left(&more, &mut journal), 36 - 18);
    let study = Study::of(source("walk.toml", &SCENE.replace("= 2 }", "= 3 }")), Format::Toml);
    let other = Sweep::new(&source("sweep.toml", FILE), Format::Toml, &study).unwrap();
    assert_eq!(left(&other, &mut journal), 18);
    let study = Study::of(
        source("walk.toml", &SCENE.replace("\"door\" }", "\"door\", interval = 2 }")),
        Format::Toml,
    );
    let measured = Sweep::new(&source("sweep.toml", FILE), Format::Toml, &study).unwrap();
    assert_eq!(left(&measured, &mut journal), 18);
}

#[test]
fn runs_of_other_processes_give_the_table_of_the_same_sweep() {
    let here = sweep(FILE);
    let expected = finish(&here, &mut Journal::none(), 1);
    let elsewhere = sweep(FILE);
    let mut journal = Journal::none();
    let left = here.left(&journal);
    assert_eq!((left.len(), here.done(&journal), here.outcomes(&journal)), (here.runs(), 0, None));
    for &index in left.iter().rev() {
        let line = elsewhere.run_line(index, || false).unwrap().unwrap();
        journal.add_line(&line).unwrap();
    }
    assert!(here.left(&journal).is_empty());
    let outcomes = here.outcomes(&journal).unwrap();
    let digests = |outcomes: &[Outcome]| outcomes.iter().map(|o| o.digest).collect::<Vec<_>>();
    assert_eq!(digests(&outcomes), digests(&expected));
    assert_eq!(outcomes[0].values, expected[0].values);
    assert!(journal.add_line("{}").unwrap_err().to_string().contains("no finished run"));
    assert_eq!(here.run_line(0, || true).unwrap(), None);
}

#[test]
fn the_table_of_a_running_sweep_has_the_finished_runs_in_the_order_of_the_rows() {
    let sweep = sweep(FILE);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.parquet");
    let mut live = LiveTable::new(path.clone());
    let mut rows = Vec::new();
    let outcomes = sweep.run(&mut Journal::none(), 1, &|| false, &mut |progress, journal| {
        live.write(&sweep, journal).unwrap();
        assert!(std::fs::read(&path).unwrap().starts_with(b"PAR1"));
        rows.push((sweep.finished(journal).rows(), progress.done));
    });
    assert_eq!(rows, (0..=18).map(|done| (done, done)).collect::<Vec<_>>());
    let mut journal = Journal::none();
    for index in [17, 2] {
        journal.add_line(&sweep.run_line(index, || false).unwrap().unwrap()).unwrap();
    }
    let table = sweep.finished(&journal);
    let digests: Vec<&Cell> = table.columns.iter().rev().nth(1).unwrap().cells.iter().collect();
    let outcomes = outcomes.unwrap().unwrap();
    let expected =
        [2, 17].map(|index: usize| Cell::Text(format!("{:016x}", outcomes[index].digest)));
    assert_eq!(digests, expected.iter().collect::<Vec<_>>());
}

#[test]
fn a_journal_that_a_kill_cut_at_any_byte_keeps_its_whole_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv.runs");
    let sweep = sweep("scene = \"walk.toml\"\nseeds = 3\nticks = 5\n");
    let whole = csv(&sweep, &finish(&sweep, &mut Journal::open(&path).unwrap(), 1));
    let bytes = std::fs::read(&path).unwrap();
    for cut in 0..=bytes.len() {
        std::fs::write(&path, &bytes[..cut]).unwrap();
        let mut journal = Journal::open(&path).unwrap();
        let lines = bytes[..cut].iter().filter(|byte| **byte == b'\n').count();
        assert_eq!(journal.len(), lines.saturating_sub(1));
        if cut % 40 == 0 {
            assert_eq!(csv(&sweep, &finish(&sweep, &mut journal, 1)), whole);
            drop(journal);
            assert_eq!(Journal::open(&path).unwrap().len(), 3);
        }
    }
}

#[test]
fn a_file_that_is_no_journal_is_refused_and_unchanged_and_an_open_one_is_locked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv.runs");
    let refused = |text: &str| {
        std::fs::write(&path, text).unwrap();
        let error = Journal::open(&path).unwrap_err().to_string();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        error
    };
    assert!(refused("notes").contains(".runs:1: this is no finished run"));
    assert!(refused("a\nb\n").contains(".runs:1: "));
    let head = "{\"journal\":\"wayfare sweep\",\"version\":1}\n";
    assert!(refused(&format!("{head}{{\"run\":\"x\"}}\n")).contains(".runs:2: "));
    std::fs::remove_file(&path).unwrap();
    let open = Journal::open(&path).unwrap();
    assert!(matches!(Journal::open(&path), Err(JournalError::Locked(_))));
    open.delete().unwrap();
    assert!(!path.exists());
}

#[test]
fn mistakes_are_told_at_their_place_in_the_sweep_file() {
    let text = mistakes(
        "scene = \"walk.toml\"\nmeasures = [\"dor\", \"door.flo\"]\n[over]\n\
         \"group.peopl.count\" = [1]\n\"group.people.steer.wandr.jitter\" = [1]\n\
         \"seed\" = [1]\n\"group[0].count\" = [1]\n\"group.people.count\" = [2]\n",
    );
    for part in [
        "the scene measures nothing with the name \"dor\"\n --> sweep.toml:2:13",
        "allowed: \"door.all_crossings\", ",
        "`group` has no `peopl`; did you mean `people`?\n --> sweep.toml:4:1",
        "`group[0].steer` has no `wandr`; did you mean `wander`?\n --> sweep.toml:5:1",
        "`group.people.count` is varied twice\n --> sweep.toml:8:1",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let text = mistakes(
        "scene = \"walk.toml\"\nseeds = 2\n[over]\n\"group.people.max_speed\" = [1, -1]\n\
         \"group.people.count\" = [1, 2.5, \"many\"]\n\"seed\" = [1, 2]\n",
    );
    assert!(text.contains("the sweep varies `seed`, and has `seeds`"), "{text}");
    let text = mistakes(
        "scene = \"walk.toml\"\n[over]\n\"group.people.max_speed\" = [1, -1]\n\
         \"group.people.count\" = [1, 2.5]\n",
    );
    assert!(text.contains("`group.people.max_speed` = -1: "), "{text}");
    assert!(text.contains("`group.people.count` = 2.5: "), "{text}");
    let text = mistakes(
        "scene = \"walk.toml\"\nseeds = 0\nticks = 1.5\n[[over]]\n\"seed\" = [1, 2]\n\"dt\" = [1]\n\
         [[over]]\ngroup.people.count = 3\n",
    );
    for part in [
        "`seeds` is the number 0",
        "`ticks` is the number 1.5",
        "`dt` has 1 values, and `seed` beside it has 2",
        "`group.people.count` is the number 3",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let many = "scene = \"walk.toml\"\nseeds = 1000000\n[over]\n\"dt\" = [1, 2]\n";
    assert!(mistakes(many).contains("the sweep has 2000000 runs"), "{}", mistakes(many));
}
