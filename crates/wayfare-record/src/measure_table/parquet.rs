//! The table as Apache Parquet, without a thread of its own: it has few rows.

use std::io::{self, Write};
use std::mem;
use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::Named;
use crate::table::parquet::{Optional, column, failed, properties};

/// The number of rows of a row group.
const ROWS_OF_GROUP: usize = 1 << 16;

const SCHEMA: &str = "message measures {
    required binary measure (string);
    required int64 tick;
    required double time;
    required binary quantity (string);
    optional double value;
    required binary unit (string);
    optional binary group (string);
    optional int32 agent (integer(32, false));
}";

#[derive(Default)]
struct Rows {
    measure: Vec<ByteArray>,
    tick: Vec<i64>,
    time: Vec<f64>,
    quantity: Vec<ByteArray>,
    value: Optional<f64>,
    unit: Vec<ByteArray>,
    group: Optional<ByteArray>,
    agent: Optional<i32>,
}

pub(super) struct Table<W: Write + Send> {
    file: SerializedFileWriter<W>,
    rows: Rows,
}

impl<W: Write + Send> Table<W> {
    pub(super) fn begin(out: W) -> io::Result<Self> {
        let begin = || {
            let schema = Arc::new(parse_message_type(SCHEMA)?);
            SerializedFileWriter::new(out, schema, Arc::new(properties()?.build()))
        };
        Ok(Self { file: begin().map_err(failed)?, rows: Rows::default() })
    }

    pub(super) fn push(&mut self, named: &Named<'_>) -> io::Result<()> {
        let (row, rows) = (named.row, &mut self.rows);
        rows.measure.push(named.measure.into());
        rows.tick.push(row.tick as i64);
        rows.time.push(row.time);
        rows.quantity.push(row.quantity.name.into());
        rows.value.push(named.value());
        rows.unit.push(named.unit.into());
        rows.group.push(named.group.map(ByteArray::from));
        rows.agent.push(row.agent.map(|id| id as i32));
        if rows.tick.len() < ROWS_OF_GROUP {
            return Ok(());
        }
        let rows = mem::take(rows);
        rows.write(&mut self.file).map_err(failed)
    }

    pub(super) fn finish(mut self) -> io::Result<W> {
        if !self.rows.tick.is_empty() {
            self.rows.write(&mut self.file).map_err(failed)?;
        }
        let mut out = self.file.into_inner().map_err(failed)?;
        out.flush()?;
        Ok(out)
    }
}

impl Rows {
    fn write<W: Write + Send>(
        &self,
        file: &mut SerializedFileWriter<W>,
    ) -> Result<(), ParquetError> {
        let mut group = file.next_row_group()?;
        column::<_, ByteArrayType>(&mut group, &self.measure, None)?;
        column::<_, Int64Type>(&mut group, &self.tick, None)?;
        column::<_, DoubleType>(&mut group, &self.time, None)?;
        column::<_, ByteArrayType>(&mut group, &self.quantity, None)?;
        column::<_, DoubleType>(&mut group, &self.value.values, Some(&self.value.levels))?;
        column::<_, ByteArrayType>(&mut group, &self.unit, None)?;
        column::<_, ByteArrayType>(&mut group, &self.group.values, Some(&self.group.levels))?;
        column::<_, Int32Type>(&mut group, &self.agent.values, Some(&self.agent.levels))?;
        group.close()?;
        Ok(())
    }
}
