//! Columns and cells of tables.

/// Type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Booleans.
    Bool,
    /// Integers of 64 bits.
    Integer,
    /// Floating-point numbers of 64 bits.
    Number,
    /// Texts.
    Text,
}

/// Column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name of the column.
    pub name: String,
    /// Type of all cells that are not null.
    pub kind: ColumnKind,
}

/// Cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// No value.
    Null,
    /// Boolean.
    Bool(bool),
    /// Integer.
    Integer(i64),
    /// Number.
    Number(f64),
    /// Text.
    Text(String),
}

/// Returns the error of a row, which is the last cell; `None` for a good row.
#[must_use]
pub fn row_error(row: &[Cell]) -> Option<&str> {
    match row.last() {
        Some(Cell::Text(error)) => Some(error),
        _ => None,
    }
}

impl Cell {
    /// Returns the text of the cell in a table of the form CSV.
    #[must_use]
    pub fn csv(&self) -> String {
        match self {
            Self::Null => String::new(),
            Self::Bool(flag) => flag.to_string(),
            Self::Integer(number) => number.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) => csv_text(text),
        }
    }
}

/// Returns a text as a field of CSV: in quotes if the text has a comma, a quote or a line end.
#[must_use]
pub fn csv_text(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_readers_would_split_them() {
        assert_eq!(Cell::Text("a,\"b\"".to_owned()).csv(), "\"a,\"\"b\"\"\"");
        assert_eq!(
            [Cell::Null, Cell::Bool(true), Cell::Number(0.5)].map(|cell| cell.csv()),
            ["", "true", "0.5"]
        );
    }
}
