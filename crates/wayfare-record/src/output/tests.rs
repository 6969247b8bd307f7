//! Every format of the list, written from one run.

use super::*;
use wayfare::crowd::{Group, Spawn, StartVelocity};
use wayfare::glam::{Vec2, vec2};

use crate::testing::FullDisk;

fn setup() -> Setup<Vec2> {
    let walkers = Group {
        velocity: StartVelocity::Same(vec2(1.0, 0.0)),
        ..Group::new("walkers", 2, Spawn::Points(vec![Vec2::ZERO, vec2(0.0, 9.0)]), 1.0)
    };
    Setup { groups: vec![walkers], ..Setup::default() }
}

/// A run of 10 ticks, of which every third is written, in every format of the list.
fn written_in_every_format() -> Vec<Vec<u8>> {
    let mut info = RunInfo::new("walkers.toml", "Walkers", &setup(), 10);
    info.every = 3;
    let mut crowd = Crowd::new(setup()).unwrap();
    let all = FORMATS.iter().map(|format| (format, Vec::new()));
    let mut outputs = RunOutputs::begin(all, &crowd, info).unwrap();
    for _ in 0..10 {
        crowd.step();
        outputs.record(&crowd).unwrap();
    }
    outputs.finish(&crowd, RunEnd::default()).unwrap().0
}

#[test]
fn each_format_of_the_list_writes_a_file_of_its_kind() {
    let files = written_in_every_format();
    assert_eq!(files.len(), FORMATS.len());
    for (format, bytes) in FORMATS.iter().zip(&files) {
        let begins: &[u8] = match format.extension {
            "csv" => b"tick,time,id,group,x,y,vx,vy,radius\n0,0,0,walkers,0,0,1,0,0\n",
            "txt" => b"# scene: walkers.toml, seed 0, wayfare ",
            "parquet" => b"PAR1",
            "sqlite" => b"SQLite format 3\0",
            "png" => b"\x89PNG",
            "svg" => b"<?xml",
            "gif" => b"GIF89a",
            "json" => b"{\n  \"scene\": \"walkers.toml\",",
            "snapshot" => &wayfare::crowd::SNAPSHOT_MAGIC,
            other => panic!("no beginning is known for .{other}"),
        };
        assert!(bytes.starts_with(begins), ".{}", format.extension);
    }
    let rows = String::from_utf8(files[0].clone()).unwrap();
    let ticks: Vec<&str> =
        rows.lines().skip(1).step_by(2).map(|row| row.split(',').next().unwrap()).collect();
    assert_eq!(ticks, ["0", "3", "6", "9"]);
    assert!(files == written_in_every_format());
}

#[test]
fn a_picture_shows_the_tick_that_is_asked_for_and_else_the_last_one_that_has_agents() {
    let shown = |picture_at: Option<u64>, last: u32| {
        let mut info = RunInfo::new("walkers.toml", "Walkers", &setup(), 10);
        info.picture_at = picture_at;
        let mut crowd = Crowd::new(setup()).unwrap();
        let svg = [(Format::from_extension("svg").unwrap(), Vec::new())];
        let mut outputs = RunOutputs::begin(svg, &crowd, info).unwrap();
        for tick in 0..10 {
            crowd.step();
            if tick == 6 {
                (0..last).for_each(|id| assert!(crowd.remove(id)));
            }
            outputs.record(&crowd).unwrap();
        }
        let files = outputs.finish(&crowd, RunEnd::default()).unwrap().0;
        let text = String::from_utf8(files[0].clone()).unwrap();
        let tick = text.split("tick ").nth(1).expect("the picture tells its tick");
        tick.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse::<u64>().unwrap()
    };
    assert_eq!([shown(None, 0), shown(None, 1)], [10, 10]);
    assert_eq!([shown(None, 2), shown(Some(6), 0), shown(Some(0), 2)], [4, 6, 0]);
}

#[test]
fn a_text_of_petrack_has_the_rate_of_the_written_ticks_and_a_row_for_each_agent() {
    let at = FORMATS.iter().position(|format| format.extension == "txt").unwrap();
    let text = String::from_utf8(written_in_every_format().swap_remove(at)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let rate = lines[1].strip_prefix("# framerate: ").unwrap().parse::<f64>();
    assert_eq!((rate, lines[2]), (Ok(1.0 / 3.0), "# id frame x/m y/m z/m"));
    assert_eq!(lines[3..7], ["0 0 0 0 0", "1 0 0 9 0", "0 1 3 0 0", "1 1 3 9 0"]);
    assert!(lines[0].ends_with(", dt 1, every 3"), "{}", lines[0]);
    assert_eq!((lines.len(), lines[11]), (3 + 8 + 1, "# end"));
}

#[test]
fn formats_are_found_by_extension_in_any_case_and_extensions_are_unique() {
    for format in FORMATS {
        let path = format!("folder.d/out.{}", format.extension.to_uppercase());
        assert_eq!(Format::from_path(Path::new(&path)), Some(format));
    }
    for unknown in ["out", "out.doc", "", ".csv", "csv"] {
        assert_eq!(Format::from_path(Path::new(unknown)), None, "{unknown}");
    }
    assert_eq!(
        Format::extensions(),
        ".csv, .parquet, .sqlite, .txt, .png, .svg, .gif, .json or .snapshot"
    );
    assert!(FORMATS.iter().filter(|format| format.streams()).count() == 5);
}

#[test]
fn a_destination_that_fails_is_reported_by_every_format() {
    for format in FORMATS {
        let mut crowd = Crowd::new(setup()).unwrap();
        let info = RunInfo::new("", "", &setup(), 1);
        let run = RunOutputs::begin([(format, FullDisk)], &crowd, info).and_then(|mut outputs| {
            crowd.step();
            outputs.record(&crowd)?;
            outputs.finish(&crowd, RunEnd::default()).map(|_| ())
        });
        assert_eq!(
            run.err().map(|error| error.kind()),
            Some(io::ErrorKind::StorageFull),
            ".{}",
            format.extension
        );
    }
}
