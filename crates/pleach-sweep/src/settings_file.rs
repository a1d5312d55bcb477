//! Files of settings: tables in the form CSV or Parquet, with a setting in each row.

use crate::cell::Cell;
use crate::parquet_file;
use crate::section::Value;
use bytes::Bytes;

/// Largest number of rows of a sweep.
pub(crate) const MOST_ROWS: u64 = 10_000_000;
/// Largest size of a file in bytes.
const MOST_BYTES: usize = 1 << 28;
/// Largest number of values of a file.
const MOST_VALUES: u64 = 100_000_000;

/// Names of the columns, and the values of each setting in their order.
pub(crate) type SettingTable = (Vec<String>, Vec<Vec<Value>>);

/// Reads a table. Files of the form Parquet tell by their first bytes.
pub(crate) fn read(bytes: Vec<u8>) -> Result<SettingTable, String> {
    if bytes.len() > MOST_BYTES {
        return Err(format!("the file has more than {MOST_BYTES} bytes"));
    }
    let (names, rows) = if bytes.starts_with(b"PAR1") { parquet(bytes)? } else { csv(&bytes)? };
    let mut sorted: Vec<&str> = names.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("two columns have the name `{}`", pair[0]));
    }
    if rows.is_empty() { Err("the file has no settings".to_owned()) } else { Ok((names, rows)) }
}

fn csv(bytes: &[u8]) -> Result<SettingTable, String> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(bytes);
    let names = reader.headers().map_err(|why| why.to_string())?.iter().map(str::to_owned).collect();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|why| why.to_string())?;
        let line = record.position().map_or(0, csv::Position::line);
        let value = |field| value_of(field).ok_or_else(|| format!("line {line} has a field without a value"));
        rows.push(record.iter().map(value).collect::<Result<_, _>>()?);
    }
    Ok((names, rows))
}

/// Returns the value of a field. A text that is neither a boolean nor a number is the name of a
/// member.
fn value_of(field: &str) -> Option<Value> {
    let truth = || field.parse().ok().map(Value::Bool);
    let integer = || field.parse().ok().map(Value::Integer);
    let number = || field.parse().ok().filter(|number: &f64| number.is_finite()).map(Value::Number);
    let name = || (!field.is_empty()).then(|| Value::Name(field.to_owned()));
    truth().or_else(integer).or_else(number).or_else(name)
}

fn parquet(bytes: Vec<u8>) -> Result<SettingTable, String> {
    let bytes = Bytes::from(bytes);
    let (names, count) = parquet_file::head(bytes.clone()).map_err(|why| why.to_string())?;
    if count > MOST_ROWS || count.saturating_mul(names.len() as u64) > MOST_VALUES {
        return Err(format!(
            "there are {count} settings with {} values: at most {MOST_ROWS} settings and {MOST_VALUES} values are allowed",
            names.len()
        ));
    }
    let (mut rows, mut missing) = (Vec::new(), None);
    let read = parquet_file::rows(bytes, |cells| {
        let values: Option<Vec<Value>> = cells.into_iter().map(of_cell).collect();
        match values {
            Some(values) => rows.push(values),
            None => missing = missing.or(Some(rows.len() + 1)),
        }
    });
    read.map_err(|why| why.to_string())?;
    match missing {
        Some(row) => {
            Err(format!("row {row} has a cell without a value, or of a type that settings do not have"))
        }
        None => Ok((names, rows)),
    }
}

fn of_cell(cell: Cell) -> Option<Value> {
    match cell {
        Cell::Null => None,
        Cell::Bool(flag) => Some(Value::Bool(flag)),
        Cell::Integer(number) => Some(Value::Integer(number)),
        Cell::Number(number) => Some(Value::Number(number)).filter(|_| number.is_finite()),
        Cell::Text(text) => Some(Value::Name(text)),
    }
}
