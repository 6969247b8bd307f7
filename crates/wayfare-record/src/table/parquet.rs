//! Tables as Apache Parquet, without a thread of its own: they have few rows.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type as SchemaType;

use super::{Cell, Column, Table};

/// The properties of all tables.
pub(crate) fn properties() -> Result<WriterPropertiesBuilder, ParquetError> {
    Ok(WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_created_by(format!("wayfare version {}", env!("CARGO_PKG_VERSION"))))
}

/// A column whose values may be null.
pub(crate) struct Optional<T> {
    pub(crate) values: Vec<T>,
    pub(crate) levels: Vec<i16>,
}

impl<T> Default for Optional<T> {
    fn default() -> Self {
        Self { values: Vec::new(), levels: Vec::new() }
    }
}

impl<T> Optional<T> {
    pub(crate) fn push(&mut self, value: Option<T>) {
        self.levels.push(i16::from(value.is_some()));
        self.values.extend(value);
    }
}

/// Writes the next column of a row group.
pub(crate) fn column<W: Write + Send, T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let lacks = || ParquetError::General("a column is missing in the schema".to_string());
    let mut column = group.next_column()?.ok_or_else(lacks)?;
    column.typed::<T>().write_batch(values, levels, None)?;
    column.close()
}

/// The error of the destination, if it is one.
pub(crate) fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}

/// The type that holds all cells of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ColumnType {
    Integer { signed: bool },
    Number,
    Flag,
    Text,
}

impl ColumnType {
    fn of(column: &Column) -> Self {
        let cells = || column.cells.iter().filter(|cell| !cell.is_empty());
        let all = |is: fn(&Cell) -> bool| cells().all(is);
        let is_integer = |cell: &Cell| matches!(cell, Cell::Integer(_));
        if cells().next().is_none() {
            ColumnType::Number
        } else if all(|cell| matches!(cell, Cell::Integer(x) if i64::try_from(*x).is_ok())) {
            ColumnType::Integer { signed: true }
        } else if all(|cell| matches!(cell, Cell::Integer(x) if u64::try_from(*x).is_ok())) {
            ColumnType::Integer { signed: false }
        } else if cells().all(|cell| is_integer(cell) || matches!(cell, Cell::Number(_))) {
            ColumnType::Number
        } else if all(|cell| matches!(cell, Cell::Flag(_))) {
            ColumnType::Flag
        } else {
            ColumnType::Text
        }
    }

    fn schema(self, name: &str) -> Result<SchemaType, ParquetError> {
        let (physical, logical) = match self {
            ColumnType::Integer { signed } => {
                let logical = LogicalType::integer(64, signed);
                (Type::INT64, (!signed).then_some(logical))
            }
            ColumnType::Number => (Type::DOUBLE, None),
            ColumnType::Flag => (Type::BOOLEAN, None),
            ColumnType::Text => (Type::BYTE_ARRAY, Some(LogicalType::String)),
        };
        SchemaType::primitive_type_builder(name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical)
            .build()
    }
}

/// Writes a table in one row group.
pub(super) fn write<W: Write + Send>(
    table: &Table,
    out: W,
    facts: &[(&str, String)],
) -> io::Result<W> {
    let mut out = write_file(table, out, facts).map_err(failed)?;
    out.flush()?;
    Ok(out)
}

fn write_file<W: Write + Send>(
    table: &Table,
    out: W,
    facts: &[(&str, String)],
) -> Result<W, ParquetError> {
    let kinds: Vec<ColumnType> = table.columns.iter().map(ColumnType::of).collect();
    let fields = table.columns.iter().zip(&kinds).map(|(column, kind)| kind.schema(&column.name));
    let fields = fields.map(|field| field.map(Arc::new)).collect::<Result<Vec<_>, _>>()?;
    let schema = Arc::new(SchemaType::group_type_builder("table").with_fields(fields).build()?);
    let fact = |(name, text): &(&str, String)| KeyValue::new((*name).to_string(), text.clone());
    let properties = properties()?.set_key_value_metadata(Some(facts.iter().map(fact).collect()));
    let mut file = SerializedFileWriter::new(out, schema, Arc::new(properties.build()))?;
    if table.rows() > 0 {
        let mut group = file.next_row_group()?;
        for (cells, kind) in table.columns.iter().map(|column| &column.cells).zip(kinds) {
            match kind {
                ColumnType::Integer { .. } => {
                    optional::<_, Int64Type>(&mut group, cells, |cell| {
                        // An unsigned number keeps its bits.
                        if let Cell::Integer(x) = cell { Some(*x as i64) } else { None }
                    })?
                }
                ColumnType::Number => {
                    optional::<_, DoubleType>(&mut group, cells, |cell| match cell {
                        Cell::Integer(x) => Some(*x as f64),
                        Cell::Number(x) => Some(*x),
                        _ => None,
                    })?
                }
                ColumnType::Flag => optional::<_, BoolType>(&mut group, cells, |cell| {
                    if let Cell::Flag(x) = cell { Some(*x) } else { None }
                })?,
                ColumnType::Text => optional::<_, ByteArrayType>(&mut group, cells, |cell| {
                    Some(ByteArray::from(cell.text().as_str()))
                })?,
            }
        }
        group.close()?;
    }
    file.into_inner()
}

/// Writes the cells that have a value.
fn optional<W: Write + Send, T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    cells: &[Cell],
    value: impl Fn(&Cell) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let mut all = Optional::default();
    cells.iter().for_each(|cell| all.push(value(cell).filter(|_| !cell.is_empty())));
    column::<_, T>(group, &all.values, Some(&all.levels))
}
