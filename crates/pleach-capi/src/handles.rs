//! Handles: numbers for objects of the library, and the one table in which they are looked up.
//!
//! This table is the library's only memory between calls that no handle leads to. It is necessary:
//! an arbitrary wrong number can only be told from a valid one by looking it up. The upper half of
//! a handle is the generation of its row, the lower half is the row. A row whose generations are
//! used up is never reused.

use crate::status::{E_CAPACITY, E_HANDLE, E_STALE, Error};
use core::any::Any;
use std::sync::{Arc, PoisonError, RwLock};

type Object = Arc<dyn Any + Send + Sync>;

struct Row {
    /// Generation, from 1, so that no handle is 0.
    generation: u32,
    object: Option<Object>,
}

struct Table {
    rows: Vec<Row>,
    free: Vec<u32>,
}

/// Consistent between any two uses, so a panic leaves it usable.
static TABLE: RwLock<Table> = RwLock::new(Table { rows: Vec::new(), free: Vec::new() });

/// Adds an object and returns its handle.
pub(crate) fn add<T: Any + Send + Sync>(object: T) -> Result<u64, Error> {
    let mut table = TABLE.write().unwrap_or_else(PoisonError::into_inner);
    let index = match table.free.pop() {
        Some(index) => index,
        None => {
            let index = u32::try_from(table.rows.len()).map_err(|_| E_CAPACITY)?;
            table.rows.push(Row { generation: 1, object: None });
            index
        }
    };
    let row = table.rows.get_mut(index as usize).ok_or(E_CAPACITY)?;
    row.object = Some(Arc::new(object));
    Ok(u64::from(row.generation) << 32 | u64::from(index))
}

/// Returns the object of a handle. The object lives until the caller drops it, even if the handle
/// is freed meanwhile.
pub(crate) fn get<T: Any + Send + Sync>(handle: u64) -> Result<Arc<T>, Error> {
    let table = TABLE.read().unwrap_or_else(PoisonError::into_inner);
    let row = table.rows.get(handle as u32 as usize).ok_or(E_HANDLE)?;
    let object = find(row, handle)?.clone();
    drop(table);
    object.downcast().map_err(|_| E_HANDLE.into())
}

/// Frees a handle.
pub(crate) fn free(handle: u64) -> Result<(), Error> {
    let mut table = TABLE.write().unwrap_or_else(PoisonError::into_inner);
    let index = handle as u32;
    let row = table.rows.get_mut(index as usize).ok_or(E_HANDLE)?;
    find(row, handle)?;
    let object = row.object.take();
    if let Some(generation) = row.generation.checked_add(1) {
        row.generation = generation;
        table.free.push(index);
    }
    // Dropping the object may take long. Other threads need not wait for it.
    drop(table);
    drop(object);
    Ok(())
}

fn find(row: &Row, handle: u64) -> Result<&Object, Error> {
    let generation = (handle >> 32) as u32;
    match &row.object {
        Some(object) if row.generation == generation => Ok(object),
        // The handle was valid earlier.
        _ if (1..=row.generation).contains(&generation) => Err(E_STALE.into()),
        _ => Err(E_HANDLE.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status<T>(result: Result<T, Error>) -> i32 {
        result.map_or_else(|error| error.status, |_| 0)
    }

    #[test]
    fn handles_are_told_apart() {
        let first = add(7_u32).expect("there is room");
        assert_eq!(get::<u32>(first).map(|number| *number).ok(), Some(7));
        assert_eq!(status(get::<u64>(first)), E_HANDLE, "another kind");
        assert_eq!(status(get::<u32>(0)), E_HANDLE);
        assert_eq!(status(get::<u32>(first + (1 << 32))), E_HANDLE, "never given out");
        assert_eq!(status(get::<u32>(u64::MAX)), E_HANDLE);
        assert_eq!(status(free(first)), 0);
        assert_eq!(status(get::<u32>(first)), E_STALE);
        assert_eq!(status(free(first)), E_STALE, "twice");
    }

    #[test]
    fn an_object_outlives_its_handle_while_it_is_used() {
        let handle = add(String::from("here")).expect("there is room");
        let held = get::<String>(handle).expect("it is there");
        assert_eq!(status(free(handle)), 0);
        assert_eq!(*held, "here");
    }
}
