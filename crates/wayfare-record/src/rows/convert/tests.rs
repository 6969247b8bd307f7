//! Conversions between all formats, of runs of ours and of files of other programs.

use std::fs::{self, OpenOptions};
use std::path::PathBuf;

use wayfare::Crowd;
use wayfare::crowd::{Group, Setup, Spawn, StartVelocity, State};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::{Vec2, vec2};
use wayfare::spatial::space::{Bounds, Edge};

use super::*;
use crate::output::{Format, RunEnd, RunInfo, RunOutputs};
use crate::rows::read::EXTENSIONS;
use crate::testing::FullDisk;

/// A temporary folder of one test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("wayfare-rows-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn setup() -> Setup<Vec2> {
    let mut stones = Group::new("stones, \"big\"", 0, Spawn::Points(vec![vec2(7.1, 2.0)]), 1.0);
    stones.radius = 0.3.into();
    stones.states = vec![State::new("rest")];
    let walkers = Group {
        velocity: StartVelocity::Same(vec2(0.7, 1.0 / 3.0)),
        ..Group::new("walkers", 0, Spawn::Points(vec![vec2(1.0, 0.1), vec2(2.0, 3.0)]), 2.0)
    };
    let bounds = Bounds { min: Vec2::ZERO, max: vec2(10.0, 8.0), edge: Edge::Open };
    Setup {
        dt: 0.1,
        bounds: Some(bounds),
        obstacles: vec![Shape::box_between(vec2(4.0, 6.0), vec2(5.0, 9.0))],
        groups: vec![stones, walkers],
        ..Setup::default()
    }
}

/// A run of so many ticks, of which every third is written, in each format.
fn run(ticks: u64) -> Vec<(&'static str, Vec<u8>)> {
    let mut info = RunInfo::new("walkers.toml", "Walkers", &setup(), ticks);
    info.every = 3;
    let mut crowd = Crowd::new(setup()).unwrap();
    let formats = EXTENSIONS.iter().map(|name| Format::from_extension(name).unwrap());
    let formats = formats.map(|format| (format, Vec::new()));
    let mut outputs = RunOutputs::begin(formats, &crowd, info).unwrap();
    for _ in 0..ticks {
        crowd.step();
        outputs.record(&crowd).unwrap();
    }
    let (files, _) = outputs.finish(&crowd, RunEnd::default()).unwrap();
    EXTENSIONS.iter().copied().zip(files).collect()
}

/// All rows, and the names of their groups and states.
fn rows(path: &Path) -> Result<Vec<(Row, String, Option<String>)>, ReadError> {
    let mut reader = open(path, ReadOptions::default())?;
    let mut rows = Vec::new();
    while let Some(row) = reader.next_row()? {
        let names = reader.names();
        let state = row.state.map(|state| names.state(state).to_string());
        let group = names.group(row.group).to_string();
        rows.push((Row { group: 0, state: None, ..row }, group, state));
    }
    Ok(rows)
}

#[test]
fn a_run_converted_from_any_format_to_any_other_is_the_run_written_in_that_format() {
    let folder = Folder::new("pairs");
    let files = run(9);
    let path = |name: &str, bytes: &[u8]| folder.file(name, bytes);
    let direct: Vec<_> = files
        .iter()
        .map(|(to, bytes)| (*to, rows(&path(&format!("direct.{to}"), bytes)).unwrap()))
        .collect();
    assert_eq!(direct[0].1.len(), 4 * 3);
    for (from, bytes) in &files {
        let source = path(&format!("from.{from}"), bytes);
        for (to, direct) in &direct {
            let done = convert(&source, ReadOptions::default(), to, Vec::new()).unwrap();
            let target = path(&format!("to.{to}"), &done.out);
            let mut expected = direct.clone();
            if *from == "txt" && *to != "txt" {
                // The text has positions alone; orientations follow from them.
                for (row, group, state) in &mut expected {
                    (row.velocity, row.radius, row.facing) = ([0.0; 3], 0.0, [0.0; 3]);
                    (*group, *state) = (String::new(), None);
                }
            }
            let mut found = rows(&target).unwrap();
            // A CSV of this run has no facings: they follow from velocities.
            let facing = |row: &mut (Row, String, Option<String>)| row.0.facing = [0.0; 3];
            if [*from, *to].iter().any(|format| ["csv", "txt"].contains(format)) {
                found.iter_mut().chain(&mut expected).for_each(facing);
            }
            assert_eq!(found, expected, "{from} to {to}");
        }
    }
}

#[test]
fn csv_survives_a_detour_by_parquet_or_sqlite_to_the_byte() {
    let folder = Folder::new("detour");
    let csv = &run(9)[0].1;
    let source = folder.file("a.csv", csv);
    for by in ["parquet", "sqlite"] {
        let there = convert(&source, ReadOptions::default(), by, Vec::new()).unwrap();
        let there = folder.file(&format!("b.{by}"), &there.out);
        let back = convert(&there, ReadOptions::default(), "csv", Vec::new()).unwrap();
        let text = String::from_utf8(back.out).unwrap();
        assert_eq!(text.as_bytes(), &csv[..], "{by}:\n{text}");
    }
}

#[test]
fn a_file_that_is_cut_at_any_byte_is_refused() {
    let folder = Folder::new("cut");
    for (extension, bytes) in run(6) {
        let path = folder.file(&format!("cut.{extension}"), &bytes);
        let whole = survey(open(&path, ReadOptions::default()).unwrap().as_mut()).unwrap();
        assert_eq!(whole.rows, 9, "{extension}");
        let file = OpenOptions::new().write(true).open(&path).unwrap();
        // A database has pages of 4096 bytes: other cuts are alike.
        let step = |cut: &usize| extension != "sqlite" || cut % 4_096 < 2 || cut.is_multiple_of(61);
        for cut in (0..bytes.len()).rev().filter(step) {
            file.set_len(cut as u64).unwrap();
            let read = convert(&path, ReadOptions::default(), "csv", FullDisk);
            assert!(matches!(read, Err(ConvertError::Read(_))), ".{extension} cut at {cut}");
        }
    }
}

#[test]
fn a_petrack_text_with_gaps_by_agents_and_in_centimetres_is_read_by_frames() {
    let folder = Folder::new("petrack");
    let text = "# description: made for this test\n# framerate: 16.00\n# id frame x/cm y/cm z/cm\n\
                \n1\t10\t100.5 200 176.2\n1 11 101.25 200 176\n1 14 103 200 176\n\
                2 10 -5e1 0 180 # a comment\n2 11 -49 0.125 180\n";
    let source = folder.file("a.txt", text);
    let done = convert(&source, ReadOptions::default(), "csv", Vec::new()).unwrap();
    assert_eq!((done.rows, done.left_out.as_slice()), (5, &[][..]));
    let expected = "tick,time,id,group,x,y\n10,0.625,1,,1.005,2\n10,0.625,2,,-0.5,0\n\
                    11,0.6875,1,,1.0125,2\n11,0.6875,2,,-0.49,0.00125\n14,0.875,1,\"\",1.03,2\n";
    assert_eq!(String::from_utf8(done.out).unwrap(), expected);
    // Its digits survive a detour by a CSV of ours and a Parquet.
    let there = folder.file("b.csv", expected);
    let there = convert(&there, ReadOptions::default(), "parquet", Vec::new()).unwrap();
    let there = folder.file("c.parquet", there.out);
    let back = convert(&there, ReadOptions::default(), "csv", Vec::new()).unwrap();
    assert_eq!(String::from_utf8(back.out).unwrap(), expected);
    let sqlite = convert(&source, ReadOptions::default(), "sqlite", Vec::new()).unwrap();
    let sqlite = folder.file("a.sqlite", sqlite.out);
    let facings: Vec<_> = rows(&sqlite).unwrap().iter().map(|(row, ..)| row.facing[0]).collect();
    assert_eq!(facings[..3], [1.0, 1.0, 1.0]);
}

#[test]
fn a_database_of_jupedsim_of_any_version_is_read_in_the_order_of_frames_with_its_area() {
    let folder = Folder::new("jupedsim");
    for (version, columns, values) in [(2, ", ori_x REAL, ori_y REAL", ", 0, 1"), (3, "", "")] {
        let path = folder.0.join(format!("{version}.sqlite"));
        let connection = rusqlite::Connection::open(&path).unwrap();
        let tables = format!(
            "CREATE TABLE trajectory_data(frame INTEGER, id INTEGER, pos_x REAL, pos_y \
             REAL{columns});
             INSERT INTO trajectory_data VALUES(4, 1, 0.1, 2{values}), (3, 2, 5, 6{values}), (3, \
             1, 7, 8{values});
             CREATE TABLE metadata(key TEXT, value TEXT);
             INSERT INTO metadata VALUES('version', {version}), ('fps', 10.0);
             CREATE TABLE geometry(hash INTEGER, wkt TEXT);
             INSERT INTO geometry VALUES(-7, 'POLYGON ((0 0, 9 0, 9 9, 0 0))');
             CREATE TABLE frame_data(frame INTEGER, geometry_hash INTEGER);
             INSERT INTO frame_data VALUES(3, -7), (4, -7);"
        );
        connection.execute_batch(&tables).unwrap();
        drop(connection);
        let header = open(&path, ReadOptions::default()).unwrap().header().clone();
        assert_eq!(header.areas, [(3, "POLYGON ((0 0, 9 0, 9 9, 0 0))".to_string())]);
        let done = convert(&path, ReadOptions::default(), "csv", Vec::new()).unwrap();
        assert_eq!(done.left_out, ["the walkable area"]);
        let text = String::from_utf8(done.out).unwrap();
        let rows: Vec<&str> = text.lines().skip(1).collect();
        let end = values.replace(' ', "");
        let expected = [
            format!("3,0.30000000000000004,1,,7,8{end}"),
            format!("3,0.30000000000000004,2,,5,6{end}"),
            format!("4,0.4,1,\"\",0.1,2{end}"),
        ];
        assert_eq!(rows, expected);
    }
    let path = folder.0.join("9.sqlite");
    let connection = rusqlite::Connection::open(&path).unwrap();
    let tables = "CREATE TABLE metadata(key TEXT, value TEXT);
                  INSERT INTO metadata VALUES('version', 9);";
    connection.execute_batch(tables).unwrap();
    drop(connection);
    let Err(refused) = open(&path, ReadOptions::default()) else { panic!("version 9 is read") };
    let said = "table metadata: its version is 9; allowed: version 1, 2 or 3";
    assert_eq!(refused.to_string(), said);
}

/// The message for a file.
fn refused(folder: &Folder, name: &str, text: &str, options: ReadOptions) -> String {
    match convert(&folder.file(name, text), options, "parquet", Vec::new()) {
        Err(ConvertError::Read(error)) => error.to_string(),
        other => panic!("{name} {text:?}: {:?}", other.map(|done| done.rows)),
    }
}

#[test]
fn malformed_rows_are_refused_with_line_value_and_what_is_allowed() {
    let folder = Folder::new("malformed");
    let options = ReadOptions::default();
    let head = "tick,time,id,group,x,y\n";
    for (rows, message) in [
        ("0,0,0,a,1,2\n0,0,1,a,q,2\n", "line 3: `x` is `q`; allowed: a number from -1e18 to 1e18"),
        ("0,0,0,a,1,nan\n", "line 2: `y` is `nan`; allowed: a number from -1e18 to 1e18"),
        ("-1,0,0,a,1,2\n", "line 2: `tick` is `-1`; allowed: a whole number from 0"),
        ("0,0,0,a,1\n", "line 2: there are 5 fields; allowed: 6, as line 1 has"),
        ("0,0,0,\"a,1,2\n", "line 2: a quoted field does not end: the file was cut"),
    ] {
        let found = refused(&folder, "a.csv", &format!("{head}{rows}"), options);
        assert!(found.starts_with(message), "{found}");
    }
    for (text, message) in [
        ("", "the file does not tell its frame rate; allowed: --fps N"),
        ("# framerate: 0\n1 2 3 4 5\n", "the frame rate is 0; allowed: frames per second above 0"),
        ("# framerate: 9\n1 2 3\n", "line 2: there are 3 fields; allowed: id, frame, x, y and z"),
        (
            "# framerate: 9\n1 2 3 4 5\n1 3 3 4\n",
            "line 3: there are 4 fields; allowed: 5, as the first row has",
        ),
        ("# framerate: 9\n1 2 3 4 null\n", "line 2: z is `null`; allowed: a number from -1e18"),
        ("# framerate: 9\n1 2.5 3 4 5\n", "line 2: the frame is `2.5`; allowed: a whole number"),
        ("# framerate: 9\n1 2 3 4 5", "line 2: the last line has no line end: the file was cut"),
    ] {
        let found = refused(&folder, "a.txt", text, options);
        assert!(found.starts_with(message), "{found}");
    }
    let fps = ReadOptions { fps: Some(5.0), ..options };
    let found = refused(&folder, "a.txt", "# framerate: 9\n1 2 3 4 5\n", fps);
    assert_eq!(found, "--fps: the file has 9 frames per second; allowed: no --fps for this file");
    let found = refused(&folder, "a.sqlite", "no database", options);
    assert!(found.starts_with("the database cannot be read: it has 11 bytes"), "{found}");
    let found = refused(&folder, "a.parquet", "no table", options);
    assert!(found.starts_with("the table cannot be read: "), "{found}");
}

#[test]
fn rows_that_contradict_each_other_or_their_header_are_refused() {
    let folder = Folder::new("contradictions");
    let options = ReadOptions { unmarked: true, ..ReadOptions::default() };
    for (text, message) in [
        (
            "tick,time,id,x,x,y\n",
            "line 1: the column `x` is there twice; allowed: each column once",
        ),
        (
            "tick,time,id,x,y,radius\n0,0,0,1,2,-1\n",
            "line 2: the radius is -1; allowed: a length from 0",
        ),
        (
            "tick,time,id,x,y\n0,0,0,1,2\n0,0,1,1,2\n0,0,0,1,3\n",
            "line 4: agent 0 has a second row at tick 0; allowed: one row for an agent at a tick",
        ),
        (
            "tick,time,id,x,y\n5,5,0,1,2\n2,2,0,1,2\n4,4,0,1,2\n5,5,0,1,2\n",
            "line 5: agent 0 has a second row at tick 5; allowed: one row for an agent at a tick",
        ),
        (
            "tick,time,id,x,y,vx\n0,0,0,1,2,1\n",
            "line 1: there is `vx` and no column `vy`; allowed: all columns of a vector, or none",
        ),
        (
            "tick,time,id,x,y,radius/cm\n0,0,0,1,2,1\n",
            "line 1: the column `radius/cm` has a unit; allowed: `radius`, in the units of the",
        ),
        (
            "tick,time,id,x,y\n1,5,0,1,2\n2,4,0,1,2\n",
            "line 3: the time is 4 at tick 2, and 5 at tick 1 in the row before; allowed: times in",
        ),
        (
            "tick,time,id,x,y\n1,5,0,1,2\n1,4,1,1,2\n",
            "line 3: the time is 4 at tick 1, and 5 at tick 1 in the row before; allowed: times in",
        ),
    ] {
        let found = refused(&folder, "a.csv", text, options);
        assert!(found.starts_with(message), "{found}");
    }
    let marked = "tick,time,id,group,x,y\n0,0,0,\"a\",1,2\n1,1,0,\"a\",1,2\n";
    let found = refused(&folder, "a.csv", marked, ReadOptions::default());
    assert!(found.starts_with("line 3: a row follows the mark of the end"), "{found}");
    for (columns, message) in [
        ("x/in y/in z/in", "line 2: the unit of x is `in`; allowed: x and y in m, cm or mm"),
        ("x/cm y/cm z/m", "line 2: x is in `cm`, and z in `m`; allowed: x and y in m, cm or mm"),
        ("x/m z/m", "line 2: there is no column y; allowed: x and y in m, cm or mm"),
        ("y/m x/m", "line 2: the column y is not behind x; allowed: x and y in m, cm or mm"),
        ("x/cm y/m", "line 2: x is in `cm`, and y in `m`; allowed: x and y in m, cm or mm"),
    ] {
        let text = format!("# framerate: 9\n# id frame {columns}\n1 2 3 4 5\n");
        let found = refused(&folder, "a.txt", &text, options);
        assert_eq!(found, message);
    }
    for columns in ["x/mm y/mm z/mm", "x[mm] y[mm]", "\"x(mm)\" \"y(mm)\""] {
        let millimetres = format!("# framerate: 10\n# id frame {columns}\n1 0 1500 250 0\n");
        let source = folder.file("a.txt", &millimetres);
        let done = convert(&source, options, "csv", Vec::new()).unwrap();
        let text = String::from_utf8(done.out).unwrap();
        assert!(text.ends_with("\n0,0,1,\"\",1.5,0.25\n"), "{text}");
    }
    let files = run(3);
    let (_, ours) = files.iter().find(|(name, _)| *name == "txt").unwrap();
    let text = format!("{}1 9 3 4 5\n", String::from_utf8(ours.clone()).unwrap());
    let found = refused(&folder, "a.txt", &text, ReadOptions::default());
    assert!(found.contains(": a row follows the last line of the file; allowed: "), "{found}");
}

#[test]
fn a_damaged_database_is_refused_with_its_table_column_and_value() {
    let folder = Folder::new("damaged");
    let files = run(3);
    let (_, bytes) = files.iter().find(|(name, _)| *name == "sqlite").unwrap();
    for (change, message) in [
        (
            "UPDATE geometry SET wkt = 'POLYGON ((0 0, 640'",
            "table geometry: wkt is `POLYGON ((0 0, 640`; allowed: a whole geometry in WKT",
        ),
        (
            "UPDATE metadata SET value = 'group,speed' WHERE key = 'wayfare.columns'",
            "table metadata: wayfare.columns names `speed`; allowed: group, velocity, radius,",
        ),
        (
            "DELETE FROM wayfare_names WHERE kind = 'group'",
            "trajectory_data, row 1: agent_group is 0; allowed: the number of one of the 0 names",
        ),
        (
            "UPDATE trajectory_data SET pos_x = 'abc' WHERE rowid = 2",
            "trajectory_data, row 2: pos_x is the text `abc`; allowed: a number from -1e18",
        ),
        (
            "DROP TABLE metadata",
            "the database cannot be read: there is no table `metadata`; allowed: a whole",
        ),
        (
            "UPDATE wayfare_rows SET agent_group = NULL WHERE row = 2",
            "trajectory_data, row 2: agent_group is missing; allowed: the number of a name",
        ),
        (
            "CREATE TABLE t AS SELECT * FROM trajectory_data; DROP TABLE trajectory_data; \
             ALTER TABLE t RENAME TO trajectory_data; \
             UPDATE trajectory_data SET frame = NULL WHERE rowid = 2",
            "trajectory_data, row 2: frame or id is missing; allowed: whole numbers from 0",
        ),
        (
            "UPDATE wayfare_rows SET radius = -1 WHERE row = 2",
            "trajectory_data, row 2: the radius is -1; allowed: a length from 0",
        ),
        (
            "UPDATE trajectory_data SET id = 'abc' WHERE rowid = 2",
            "trajectory_data, row 2: id is the text `abc`; allowed: a whole number from 0",
        ),
        (
            "UPDATE wayfare_names SET name = x'616263' WHERE kind = 'group'",
            "the database cannot be read: the column `name` has a value of type blob; allowed",
        ),
        (
            "UPDATE geometry SET wkt = x'616263'",
            "the database cannot be read: the column `wkt` has a value of type blob; allowed",
        ),
        (
            "ALTER TABLE trajectory_data RENAME COLUMN pos_x TO px",
            "the database cannot be read: there is no column `pos_x`; allowed: a whole trajectory",
        ),
    ] {
        let path = folder.file("a.sqlite", bytes);
        let connection = rusqlite::Connection::open(&path).unwrap();
        connection.execute_batch(change).unwrap();
        drop(connection);
        let found = match convert(&path, ReadOptions::default(), "csv", Vec::new()) {
            Err(ConvertError::Read(error)) => error.to_string(),
            other => panic!("{change}: {:?}", other.map(|done| done.rows)),
        };
        assert!(found.starts_with(message), "{change}: {found}");
    }
}

#[test]
fn no_message_about_a_damaged_table_names_the_library_that_reads_it() {
    let folder = Folder::new("damaged-table");
    let files = run(3);
    let (_, bytes) = files.iter().find(|(name, _)| *name == "parquet").unwrap();
    let mut refused = 0;
    for at in (0..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        let path = folder.file("a.parquet", &damaged);
        let Err(error) = convert(&path, ReadOptions::default(), "csv", Vec::new()) else {
            continue;
        };
        let ConvertError::Read(error) = error else { panic!("byte {at}: {error:?}") };
        let text = error.to_string();
        let words = text.strip_prefix("the table cannot be read: ").unwrap_or(&text);
        let is_ours = ["it ", "its ", "a text ", "row ", "there is ", "`", "the "]
            .iter()
            .any(|begin| words.starts_with(begin));
        let leaks = ["Error", "EOF", "len is", "Some(", "overflow"];
        let leaks = leaks.iter().any(|name| text.contains(name));
        assert!(is_ours && !leaks, "byte {at}: {text}");
        refused += 1;
    }
    assert!(refused > 50, "{refused}");
}

#[test]
fn a_csv_of_another_program_is_read_if_its_missing_mark_is_allowed() {
    let folder = Folder::new("unmarked");
    let text = "id,x,y,tick,time,speed\n3,1.5,2,7,0.7,9\n";
    let found = refused(&folder, "a.csv", text, ReadOptions::default());
    assert!(found.starts_with("after line 2: the mark of the end is missing"), "{found}");
    let unmarked = ReadOptions { unmarked: true, ..ReadOptions::default() };
    let source = folder.file("a.csv", text);
    let done = convert(&source, unmarked, "txt", Vec::new()).unwrap();
    let text = String::from_utf8(done.out).unwrap();
    assert!(text.ends_with("\n3 1 1.5 2 0\n# end\n"), "{text}");
}

#[test]
fn a_full_disk_is_reported_for_every_target() {
    let folder = Folder::new("full");
    let source = folder.file("a.csv", &run(3)[0].1);
    for to in EXTENSIONS {
        let failed = convert(&source, ReadOptions::default(), to, FullDisk);
        let kind = match failed {
            Err(ConvertError::Write(error)) => Some(error.kind()),
            _ => None,
        };
        assert_eq!(kind, Some(io::ErrorKind::StorageFull), "{to}");
    }
}
