//! `wayfare convert`, and runs that are killed while they write trajectories.

use super::support::*;

const KINDS: [&str; 4] = ["csv", "parquet", "sqlite", "txt"];

#[test]
fn a_trajectory_is_written_in_the_format_of_its_name_and_what_is_left_out_is_said() {
    let folder = folder_with_a_scene();
    let run = ["run", "guest.toml", "--ticks", "20", "--every", "5", "-q", "-o", "a.sqlite"];
    assert!(wayfare(folder.path(), &run).status.success());
    let done = wayfare(folder.path(), &["convert", "a.sqlite", "b.csv"]);
    let said = "wrote b.csv: 10 rows, without the walkable area\n";
    assert_eq!((out(&done).as_str(), err(&done).as_str()), (said, ""));
    let done = wayfare(folder.path(), &["convert", "b.csv", "c.txt"]);
    assert_eq!(out(&done), "wrote c.txt: 10 rows, without groups, velocities, radii, facings\n");
    let text = std::fs::read_to_string(folder.path().join("c.txt")).unwrap();
    assert!(text.contains("dt 1, every 5\n# framerate: 0.2\n") && text.ends_with("\n# end\n"));
    let quiet = wayfare(folder.path(), &["convert", "c.txt", "d.parquet", "--quiet"]);
    assert_eq!((quiet.status.code(), out(&quiet)), (Some(0), String::new()));
    assert_eq!(files(folder.path()).len(), 5, "{:?}", files(folder.path()));
}

#[test]
fn a_file_that_cannot_be_converted_is_named_and_nothing_is_written() {
    let folder = tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("cut.csv", "tick,time,id,group,x,y\n0,0,0,a,1,2\n");
    write("rateless.txt", "1 2 3 4 5\n");
    write("old.txt", "old");
    for (arguments, code, message) in [
        (
            &["cut.csv", "old.txt"][..],
            1,
            "error: cut.csv: after line 2: the mark of the end is missing",
        ),
        (&["rateless.txt", "new.csv"], 1, "error: rateless.txt: the file does not tell its frame"),
        (&["missing.csv", "new.txt"], 2, "error: missing.csv: "),
        (&["cut.csv", "./cut.csv"], 1, "error: `cut.csv` is both the input and the output"),
        (&["cut.csv", "new.png"], 1, "error: `new.png`: its extension names no format of"),
        (&["cut.csv", "no/new.txt"], 2, "error: cannot write no/new.txt: "),
    ] {
        let all = [&["convert"], arguments].concat();
        let failed = wayfare(folder.path(), &all);
        let said = err(&failed);
        assert_eq!(failed.status.code(), Some(code), "{said}");
        assert!(said.starts_with(message), "{said}");
        assert!(code == 2 || said.contains("\nallowed: "), "{said}");
    }
    assert_eq!(files(folder.path()), ["cut.csv", "old.txt", "rateless.txt"]);
    assert_eq!(std::fs::read_to_string(folder.path().join("old.txt")).unwrap(), "old");
    let done = wayfare(folder.path(), &["convert", "rateless.txt", "new.csv", "--fps", "4"]);
    assert_eq!(out(&done), "wrote new.csv: 1 row\n");
}

#[test]
fn a_table_of_a_codec_that_is_not_read_is_refused_by_its_name() {
    let folder = folder_with_a_scene();
    wayfare(folder.path(), &["run", "guest.toml", "--ticks", "9", "-q", "-o", "a.parquet"]);
    let table = std::fs::read(folder.path().join("a.parquet")).unwrap();
    // In the footer the name of a column stands before its codec, of which zstd is 12.
    let codec_of_tick = b"tick\x15\x0c\x16";
    let at = table.windows(7).rposition(|bytes| bytes == codec_of_tick).unwrap();
    for (codec, name) in [(4, "gzip"), (8, "brotli"), (10, "lz4"), (14, "lz4_raw")] {
        let mut other = table.clone();
        other[at + 5] = codec;
        std::fs::write(folder.path().join("b.parquet"), other).unwrap();
        let refused = wayfare(folder.path(), &["convert", "b.parquet", "c.csv"]);
        let expected = format!(
            "error: b.parquet: the table is compressed by {name}\nallowed: no compression, snappy \
             or zstd: write it again with one of them\n"
        );
        assert_eq!((refused.status.code(), err(&refused)), (Some(1), expected));
    }
    assert_eq!(files(folder.path()), ["a.parquet", "b.parquet", "guest.toml"]);
}

#[test]
fn a_damaged_table_is_told_by_its_name_whatever_bit_of_it_has_changed() {
    let folder = folder_with_a_scene();
    wayfare(folder.path(), &["run", "guest.toml", "--ticks", "9", "-q", "-o", "a.parquet"]);
    let table = std::fs::read(folder.path().join("a.parquet")).unwrap();
    let mut refused = 0;
    for bit in (0..table.len() * 8).step_by(37) {
        let mut damaged = table.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(folder.path().join("b.parquet"), damaged).unwrap();
        let done = wayfare(folder.path(), &["convert", "b.parquet", "c.parquet"]);
        // A changed digit is no damage that shows.
        if !done.status.success() {
            let said = err(&done);
            assert!(said.starts_with("error: b.parquet: "), "bit {bit}: {said}");
            assert!(said.contains("\nallowed: "), "bit {bit}: {said}");
            assert_eq!(done.status.code(), Some(1), "bit {bit}: {said}");
            refused += 1;
        }
    }
    assert!(refused > 50, "{refused} damaged tables were refused");
}

#[test]
fn a_trajectory_in_space_is_refused_as_sqlite_before_the_run_and_by_convert() {
    let folder = tempdir().unwrap();
    let run = |name: &str| wayfare(folder.path(), &["run", "flock-3d", "--ticks", "1", "-o", name]);
    let refused = run("a.sqlite");
    let said = "error: `-o a.sqlite`: a .sqlite has two dimensions, and the scene has three\n\
                allowed: a scene in the plane, or one of ";
    assert!(err(&refused).starts_with(said), "{}", err(&refused));
    assert!(run("a.txt").status.success());
    let refused = wayfare(folder.path(), &["convert", "a.txt", "a.sqlite"]);
    let said = "error: a.txt: a .sqlite has two dimensions, and the trajectory has three\n";
    assert!(err(&refused).starts_with(said), "{}", err(&refused));
    assert_eq!(files(folder.path()), ["a.txt"]);
}

/// Whatever the time of the kill: there is no file or a whole one.
#[cfg(unix)]
#[test]
fn a_run_killed_at_any_time_leaves_each_trajectory_whole_or_not_at_all() {
    for round in 0..12_u64 {
        let folder = folder_with_a_scene();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_wayfare"));
        command.args(["run", "guest.toml", "--ticks", "3000", "--quiet"]);
        command.args(KINDS.iter().flat_map(|kind| ["-o".to_string(), format!("out.{kind}")]));
        let mut child = command.current_dir(folder.path()).spawn().unwrap();
        // Spread over the start, the run and its end.
        std::thread::sleep(std::time::Duration::from_millis(round * round * 3));
        child.kill().unwrap();
        child.wait().unwrap();
        for kind in KINDS {
            let name = format!("out.{kind}");
            if folder.path().join(&name).exists() {
                let read = wayfare(folder.path(), &["convert", &name, "read.csv"]);
                assert!(out(&read).starts_with("wrote read.csv: 6002 rows"), "{}", err(&read));
            }
        }
    }
}
