//! The same rows in all formats.

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use wayfare::Crowd;
use wayfare::crowd::{Group, Setup, Spawn, StartVelocity};
use wayfare::glam::vec2;
use wayfare_measure::kind::Flow;
use wayfare_measure::{Measure, Measures};
use wayfare_scene::Units;

use super::{COLUMNS, Format, MeasureTable};

/// Two walkers that cross a line in the ticks 1 and 2, of a group whose name needs quotes.
fn table(format: Format) -> Vec<u8> {
    let points = vec![vec2(0.5, 0.5), vec2(-0.5, 0.5)];
    let mut group = Group::new("a, \"b\"", 2, Spawn::Points(points), 1.0);
    group.velocity = StartVelocity::Same(vec2(1.0, 0.0));
    let setup = Setup { groups: vec![group], ..Setup::default() };
    let door = Measure::new("door", Flow::new(vec![vec2(1.0, 0.0), vec2(1.0, 1.0)]));
    let mut measures = Measures::new(&[door], &setup).unwrap();
    let mut crowd = Crowd::new(setup).unwrap();
    let units = Units { time: "s".to_string(), ..Units::default() };
    let mut table = MeasureTable::begin(format, Vec::new(), &units).unwrap();
    for tick in 0..3 {
        if tick > 0 {
            crowd.step();
        }
        measures.record(&crowd);
        table.write(&mut measures, &crowd).unwrap();
    }
    measures.finish(&crowd);
    table.write(&mut measures, &crowd).unwrap();
    table.finish().unwrap()
}

#[test]
fn a_table_of_measures_has_a_row_per_value_in_csv() {
    let text = String::from_utf8(table(Format::Csv)).unwrap();
    let expected = "measure,tick,time,quantity,value,unit,group,agent
door,0,0,crossings,0,,,
door,1,1,crossing_speed,1,length / s,\"a, \"\"b\"\"\",0
door,1,1,crossings,1,,,
door,2,2,time_gap,1,s,\"a, \"\"b\"\"\",1
door,2,2,crossing_speed,1,length / s,\"a, \"\"b\"\"\",1
door,2,2,crossings,2,,,
door,2,2,all_crossings,2,,,
door,2,2,mean_flow,1,1 / s,,
door,2,2,specific_flow,1,1 / (length s),,
door,2,2,mean_crossing_speed,1,length / s,,
";
    assert_eq!(text, expected);
}

#[test]
fn the_tables_in_json_and_parquet_have_the_rows_of_the_csv() {
    let text = String::from_utf8(table(Format::Csv)).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&table(Format::Json)).unwrap();
    let reader = SerializedFileReader::new(bytes::Bytes::from(table(Format::Parquet))).unwrap();
    let rows = reader.get_row_iter(None).unwrap().map(|row| row.unwrap().into_columns());
    let rows: Vec<Vec<(String, Field)>> = rows.collect();
    let json = json.as_array().unwrap();
    assert_eq!((json.len(), rows.len()), (text.lines().count() - 1, json.len()));
    for ((line, object), row) in text.lines().skip(1).zip(json).zip(&rows) {
        let of_json: Vec<String> = COLUMNS
            .map(|key| match &object[key] {
                serde_json::Value::String(text) if text.contains(',') => {
                    format!("\"{}\"", text.replace('"', "\"\""))
                }
                serde_json::Value::String(text) => text.clone(),
                serde_json::Value::Null => String::new(),
                number => number.to_string().trim_end_matches(".0").to_string(),
            })
            .to_vec();
        assert_eq!(of_json.join(","), line);
        let names: Vec<&str> = row.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, COLUMNS);
        let is_null = |i: usize| matches!(row[i].1, Field::Null);
        assert_eq!(
            [4, 6, 7].map(is_null),
            ["value", "group", "agent"].map(|k| object[k].is_null())
        );
        let Field::Double(value) = row[4].1 else { panic!("{row:?}") };
        assert_eq!(Some(value), object["value"].as_f64());
        let Field::Str(quantity) = &row[3].1 else { panic!("{row:?}") };
        assert_eq!(Some(quantity.as_str()), object["quantity"].as_str());
    }
}
