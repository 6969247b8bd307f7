//! `.parquet`: trajectories as a table of Apache Parquet (<https://parquet.apache.org>), which
//! DuckDB, pandas, polars and R read. Not on web pages.
//!
//! The columns are those of the CSV, always with facing (`fx`, `fy`, `fz`) and state, which is null
//! for agents without one. The metadata of the file has what is known of the run (`wayfare.scene`,
//! `wayfare.seed`, …) and `wayfare.digest`, the hash of the state at its end.

use std::io::{self, Write};

use wayfare::{Crowd, Vector};

use super::{Format, Output, RowsOutput, RunData, RunInfo};
use crate::rows::write::parquet::ParquetRows;

pub(super) const FORMAT: Format = Format {
    extension: "parquet",
    content: "trajectories as a table of Apache Parquet",
    source: RunData::Rows,
    planar: false,
};

pub(super) fn begin<W: Write + Send + 'static, V: Vector>(
    out: W,
    crowd: &Crowd<V>,
    info: &RunInfo<V>,
) -> io::Result<impl Output<W, V> + use<W, V>> {
    Ok(RowsOutput::new(info.every, ParquetRows::new(out, info.rows_header(crowd))?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{RunEnd, RunOutputs};
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    use wayfare::crowd::{Group, Setup, Spawn, StartVelocity, State};
    use wayfare::glam::{Vec2, Vec3, vec2, vec3};

    /// The file of a run of so many ticks, of which each `every`-th is written, and its digest.
    fn file<V: Vector>(setup: &Setup<V>, ticks: u64, every: u64) -> (Vec<u8>, String) {
        let mut info = RunInfo::new("birds.toml", "Birds", setup, ticks);
        (info.every, info.scene_text) = (every, "seed = 1".to_string());
        let mut crowd = Crowd::new(setup.clone()).unwrap();
        let mut outputs = RunOutputs::begin([(&FORMAT, Vec::new())], &crowd, info).unwrap();
        for _ in 0..ticks {
            crowd.step();
            outputs.record(&crowd).unwrap();
        }
        let (files, _) = outputs.finish(&crowd, RunEnd::default()).unwrap();
        (files.into_iter().next().unwrap(), format!("{:016x}", crowd.digest()))
    }

    fn read(file: Vec<u8>) -> SerializedFileReader<bytes::Bytes> {
        SerializedFileReader::new(bytes::Bytes::from(file)).unwrap()
    }

    fn group<V: Vector>(points: Vec<V>, velocity: V) -> Group<V> {
        Group {
            velocity: StartVelocity::Same(velocity),
            ..Group::new("birds", 0, Spawn::Points(points), 9.0)
        }
    }

    fn stones_and_birds() -> Setup<Vec2> {
        let state = State::new("rest");
        let mut stones = group(vec![vec2(0.1, 2.0)], Vec2::ZERO);
        (stones.name, stones.states) = ("stones, \"big\"".to_string(), vec![state]);
        stones.radius = 0.5.into();
        let birds = group(vec![vec2(1.0, 0.0)], vec2(0.0, 3.0));
        Setup { dt: 0.5, groups: vec![stones, birds], ..Setup::default() }
    }

    #[test]
    fn a_table_has_the_values_of_the_run_and_null_for_no_state() {
        let reader = read(file(&stones_and_birds(), 2, 2).0);
        let rows: Vec<Vec<Field>> = reader
            .get_row_iter(None)
            .unwrap()
            .map(|row| row.unwrap().into_columns().into_iter().map(|(_, field)| field).collect())
            .collect();
        let row = |tick, id, group: &str, numbers: [f32; 7], state: Option<&str>| {
            let start = [
                Field::Long(tick),
                Field::Double(tick as f64 * 0.5),
                Field::UInt(id),
                Field::Str(group.to_string()),
            ];
            let state = state.map_or(Field::Null, |state| Field::Str(state.to_string()));
            start.into_iter().chain(numbers.map(Field::Float)).chain([state]).collect::<Vec<_>>()
        };
        let stone = [0.1, 2.0, 0.0, 0.0, 0.5, 1.0, 0.0];
        let bird = |y| [1.0, y, 0.0, 3.0, 0.0, 0.0, 1.0];
        let expected = [
            row(0, 0, "stones, \"big\"", stone, Some("rest")),
            row(0, 1, "birds", bird(0.0), None),
            row(2, 0, "stones, \"big\"", stone, Some("rest")),
            row(2, 1, "birds", bird(3.0), None),
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn the_metadata_tells_how_to_repeat_the_run() {
        let (bytes, digest) = file(&stones_and_birds(), 2, 1);
        let reader = read(bytes);
        let pairs = reader.metadata().file_metadata().key_value_metadata().unwrap();
        let value = |key: &str| {
            let key = format!("wayfare.{key}");
            pairs.iter().find(|pair| pair.key == key).unwrap().value.clone().unwrap()
        };
        let keys = ["version", "scene", "title", "scene_text", "seed", "dt", "every", "digest"];
        let expected = [
            env!("CARGO_PKG_VERSION"),
            "birds.toml",
            "Birds",
            "seed = 1",
            "0",
            "0.5",
            "1",
            &digest,
        ];
        assert_eq!(keys.map(value), expected);
    }

    #[test]
    fn row_groups_have_whole_ticks_and_enough_rows() {
        let points = (0..30_000).map(|i| vec3(i as f32, 0.0, 0.0)).collect();
        let setup = Setup { groups: vec![group(points, Vec3::X)], ..Setup::default() };
        let reader = read(file(&setup, 7, 1).0);
        let groups = reader.metadata().row_groups();
        let rows: Vec<i64> = groups.iter().map(|group| group.num_rows()).collect();
        assert_eq!(rows, [90_000, 90_000, 60_000]);
        // A reader that looks for a tick skips the other groups.
        let ticks = groups.iter().map(|group| {
            let statistics = group.column(0).statistics().unwrap();
            (statistics.min_bytes_opt().unwrap()[0], statistics.max_bytes_opt().unwrap()[0])
        });
        assert_eq!(ticks.collect::<Vec<_>>(), [(0, 2), (3, 5), (6, 7)]);
    }

    #[test]
    fn a_file_without_its_end_is_refused_by_readers() {
        let (bytes, _) = file(&stones_and_birds(), 2, 1);
        for end in [0, 3, 4, 100, bytes.len() - 1] {
            let cut = bytes::Bytes::from(bytes[..end].to_vec());
            assert!(SerializedFileReader::new(cut).is_err(), "{end}");
        }
    }
}
