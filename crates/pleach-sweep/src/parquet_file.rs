//! Tables as files in the form Apache Parquet.

use crate::cell::{Cell, Column, ColumnKind};
use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{ChunkReader, FileReader};
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::record::Field;
use parquet::schema::types::Type;
use std::sync::Arc;

/// Data that a file has beside its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Footer {
    /// Run id of the sweep.
    pub(crate) run_id: String,
    /// Number of the shard.
    pub(crate) shard: u32,
    /// Number of rows.
    pub(crate) rows: u64,
}

const RUN: &str = "pleach.run";
const SHARD: &str = "pleach.shard";
const ROWS: &str = "pleach.rows";

/// Returns the bytes of a file.
pub(crate) fn encode(columns: &[Column], rows: &[Vec<Cell>], footer: &Footer) -> Result<Vec<u8>> {
    let metadata =
        [(RUN, footer.run_id.clone()), (SHARD, footer.shard.to_string()), (ROWS, footer.rows.to_string())];
    let metadata = metadata.map(|(key, value)| KeyValue::new(key.to_owned(), value)).to_vec();
    let properties = WriterProperties::builder()
        .set_created_by(format!("pleach {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(Some(metadata))
        .build();
    let fields = columns.iter().map(|column| Ok(Arc::new(schema(column)?))).collect::<Result<_>>()?;
    let schema = Type::group_type_builder("sweep").with_fields(fields).build()?;
    let mut file = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties))?;
    let mut group = file.next_row_group()?;
    for (index, column) in columns.iter().enumerate() {
        let cells = rows.iter().map(|row| &row[index]);
        match column.kind {
            ColumnKind::Bool => write::<BoolType>(&mut group, cells, |cell| match cell {
                Cell::Bool(flag) => Some(*flag),
                _ => None,
            }),
            ColumnKind::Integer => write::<Int64Type>(&mut group, cells, |cell| match cell {
                Cell::Integer(number) => Some(*number),
                _ => None,
            }),
            ColumnKind::Number => write::<DoubleType>(&mut group, cells, |cell| match cell {
                Cell::Number(number) => Some(*number),
                _ => None,
            }),
            ColumnKind::Text => write::<ByteArrayType>(&mut group, cells, |cell| match cell {
                Cell::Text(text) => Some(ByteArray::from(text.as_str())),
                _ => None,
            }),
        }?;
    }
    group.close()?;
    file.into_inner()
}

fn schema(column: &Column) -> Result<Type> {
    let (kind, logical) = match column.kind {
        ColumnKind::Bool => (PhysicalType::BOOLEAN, None),
        ColumnKind::Integer => (PhysicalType::INT64, None),
        ColumnKind::Number => (PhysicalType::DOUBLE, None),
        ColumnKind::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let builder = Type::primitive_type_builder(&column.name, kind);
    builder.with_repetition(Repetition::OPTIONAL).with_logical_type(logical).build()
}

/// Writes a column.
fn write<'c, T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    cells: impl Iterator<Item = &'c Cell>,
    value: impl Fn(&Cell) -> Option<T::T>,
) -> Result<()> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    for cell in cells {
        let value = value(cell);
        levels.push(i16::from(value.is_some()));
        values.extend(value);
    }
    let missing = || ParquetError::General("the group has too few columns".to_owned());
    let mut column = group.next_column()?.ok_or_else(missing)?;
    column.typed::<T>().write_batch(&values, Some(&levels), None)?;
    column.close()
}

/// Reads the footer of a file; `None` if the file has another one.
pub(crate) fn footer<R: ChunkReader + 'static>(file: R) -> Result<Option<Footer>> {
    let reader = SerializedFileReader::new(file)?;
    let metadata = reader.metadata().file_metadata();
    let value = |key: &str| {
        let pairs = metadata.key_value_metadata()?;
        pairs.iter().find(|pair| pair.key == key)?.value.clone()
    };
    let footer = || {
        let (shard, rows) = (value(SHARD)?.parse().ok()?, value(ROWS)?.parse().ok()?);
        let is_whole = u64::try_from(metadata.num_rows()) == Ok(rows);
        is_whole.then_some(Footer { run_id: value(RUN)?, shard, rows })
    };
    Ok(footer())
}

/// Returns the names of the columns and the number of rows of a file.
pub(crate) fn head<R: ChunkReader + 'static>(file: R) -> Result<(Vec<String>, u64)> {
    let reader = SerializedFileReader::new(file)?;
    let metadata = reader.metadata().file_metadata();
    let names = metadata.schema().get_fields().iter().map(|field| field.name().to_owned()).collect();
    Ok((names, metadata.num_rows().max(0) as u64))
}

/// Reads the rows of a file. Calls a function with each row.
pub(crate) fn rows<R: ChunkReader + 'static>(file: R, mut row: impl FnMut(Vec<Cell>)) -> Result<()> {
    let reader = SerializedFileReader::new(file)?;
    for fields in reader.get_row_iter(None)? {
        row(fields?.get_column_iter().map(|(_, field)| cell(field)).collect());
    }
    Ok(())
}

/// Returns the cell of a field; null for types that no table of a sweep has.
fn cell(field: &Field) -> Cell {
    match field {
        Field::Bool(flag) => Cell::Bool(*flag),
        Field::Byte(number) => Cell::Integer((*number).into()),
        Field::Short(number) => Cell::Integer((*number).into()),
        Field::Int(number) => Cell::Integer((*number).into()),
        Field::Long(number) => Cell::Integer(*number),
        Field::UByte(number) => Cell::Integer((*number).into()),
        Field::UShort(number) => Cell::Integer((*number).into()),
        Field::UInt(number) => Cell::Integer((*number).into()),
        Field::ULong(number) => i64::try_from(*number).map_or(Cell::Null, Cell::Integer),
        Field::Float(number) => Cell::Number((*number).into()),
        Field::Double(number) => Cell::Number(*number),
        Field::Str(text) => Cell::Text(text.clone()),
        _ => Cell::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_read_as_it_was_written() {
        use ColumnKind::{Bool, Integer, Number, Text};
        let columns = [("a", Bool), ("b", Integer), ("c", Number), ("d", Text)];
        let columns = columns.map(|(name, kind)| Column { name: name.to_owned(), kind });
        let full = vec![Cell::Bool(true), Cell::Integer(-3), Cell::Number(0.1), Cell::Text("x,y".to_owned())];
        let written = vec![full, vec![Cell::Null; 4]];
        let footer = Footer { run_id: "00ff".to_owned(), shard: 7, rows: 2 };
        let bytes = bytes::Bytes::from(encode(&columns, &written, &footer).expect("a file"));
        assert_eq!(self::footer(bytes.clone()).expect("a footer"), Some(footer));
        let mut read = Vec::new();
        rows(bytes, |row| read.push(row)).expect("rows");
        assert_eq!(read, written);
    }
}
