//! Files of settings: tables in the form CSV or Parquet, with a setting in each row.

use crate::cell::Cell;
use crate::parquet_file;
use crate::section::Value;
use bytes::Bytes;

/// Largest number of rows of a sweep.
pub(crate) const MOST_ROWS: u64 = 10_000_000;
/// Largest size of a file in bytes.
const MOST_BYTES: usize = 1 << 28;
/// Limits of a file.
const MOST: Limits = Limits { rows: MOST_ROWS, values: 100_000_000 };

/// Largest numbers of rows and of values.
struct Limits {
    rows: u64,
    values: u64,
}

impl Limits {
    /// Refuses a table with more rows or values.
    fn check(&self, rows: u64, columns: usize) -> Result<(), String> {
        if rows <= self.rows && rows.saturating_mul(columns as u64) <= self.values {
            return Ok(());
        }
        let Self { rows: most_rows, values } = self;
        Err(format!(
            "there are {rows} settings or more with {columns} values: at most {most_rows} settings and {values} values \
             are allowed"
        ))
    }
}

/// Names of the columns, and the values of each setting in their order.
pub(crate) type SettingTable = (Vec<String>, Vec<Vec<Value>>);

/// Reads a table. Files of the form Parquet tell by their first bytes.
pub(crate) fn read(bytes: &[u8]) -> Result<SettingTable, String> {
    if bytes.len() > MOST_BYTES {
        return Err(format!("the file has more than {MOST_BYTES} bytes"));
    }
    let (names, rows) = if bytes.starts_with(b"PAR1") { parquet(bytes)? } else { csv(bytes, &MOST)? };
    let mut sorted: Vec<&str> = names.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("two columns have the name `{}`", pair[0]));
    }
    if rows.is_empty() { Err("the file has no settings".to_owned()) } else { Ok((names, rows)) }
}

fn csv(bytes: &[u8], most: &Limits) -> Result<SettingTable, String> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(bytes);
    let names = reader.headers().map_err(|why| why.to_string())?.iter().map(str::to_owned);
    let names: Vec<String> = names.collect();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|why| why.to_string())?;
        most.check(rows.len() as u64 + 1, names.len())?;
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

fn parquet(bytes: &[u8]) -> Result<SettingTable, String> {
    let bytes = Bytes::copy_from_slice(bytes);
    let (names, count) = parquet_file::head(bytes.clone()).map_err(|why| why.to_string())?;
    MOST.check(count, names.len())?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_refused_while_it_is_read() {
        let most = Limits { rows: 3, values: 4 };
        assert!(csv(b"a\n1\n2\n3\n", &most).is_ok() && csv(b"a,b\n1,2\n3,4\n", &most).is_ok());
        // What stands behind the limit is not read, so its error is not told.
        for text in ["a\n1\n2\n3\n4\n5,6\n", "a,b\n1,2\n3,4\n5,6\n7\n"] {
            let error = csv(text.as_bytes(), &most).expect_err("too many");
            assert!(error.contains("at most 3 settings and 4 values are allowed"), "{error}");
        }
    }
}
