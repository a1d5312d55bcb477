//! The first phase: from bytes to sections. The counterpart of [`crate::format::write`].
//!
//! No byte is read before it is known to exist. After this phase every section is inside the file,
//! aligned and made of whole rows. The content of the rows is checked by later phases.

use super::Rule;
use crate::error::ImageError;
use crate::format::{
    ALIGN, ENDIAN_MARK, HEADER_BYTES, Header, MAGIC, MAJOR, MINOR, Ranges, SECTION_ROW_BYTES, SectionKind,
    SectionRow,
};

/// Finds the sections of a file. The bytes must be aligned to 8.
pub(super) fn parse(data: &[u8]) -> Result<Ranges, ImageError> {
    let address = data.as_ptr().addr();
    if !address.is_multiple_of(ALIGN) {
        return Err(ImageError::header(Rule::Aligned, 0, address as u64));
    }
    let header = header(data)?;
    let table = table(data, &header)?;
    let mut ranges = Ranges::default();
    let mut end = HEADER_BYTES + table.len() * SECTION_ROW_BYTES;
    let mut last = 0;
    for (index, row) in table.iter().enumerate() {
        let at = HEADER_BYTES + index * SECTION_ROW_BYTES;
        let wrong = |rule| ImageError::header(rule, at, u64::from(row.kind));
        let kind = SectionKind::from_number(row.kind).ok_or_else(|| wrong(Rule::SectionKind))?;
        Rule::SectionKind.must(row.kind > last && row.reserved == 0).map_err(wrong)?;
        last = row.kind;
        let range = section(data, row, end)
            .ok_or_else(|| ImageError::header(Rule::SectionPlace, at + 8, row.offset).expected(end as u64))?;
        let wrong = |rule| ImageError::section(rule, kind, range.start, range.len() as u64);
        Rule::SectionRows.must(range.len().is_multiple_of(kind.row_bytes())).map_err(wrong)?;
        end = range.end.next_multiple_of(ALIGN);
        let zero = data[range.end..end].iter().all(|byte| *byte == 0);
        Rule::Padding.must(zero).map_err(|rule| ImageError::section(rule, kind, range.end, 1))?;
        ranges.set(kind, range);
    }
    let wrong = |rule| ImageError::header(rule, end, data.len() as u64).expected(end as u64);
    Rule::Trailing.must(end == data.len()).map_err(wrong)?;
    Ok(ranges)
}

fn header(data: &[u8]) -> Result<Header, ImageError> {
    let wrong = |at, found| move |rule| ImageError::header(rule, at, found);
    let bytes = data.get(..HEADER_BYTES);
    let bytes = bytes.ok_or_else(|| wrong(data.len(), data.len() as u64)(Rule::TooShort))?;
    let header: Header = bytemuck::pod_read_unaligned(bytes);
    let version = u64::from(header.major) << 16 | u64::from(header.minor);
    let strange = header.major != MAJOR || header.minor > MINOR;
    let length = data.len() as u64;
    let shorter = |rule| wrong(24, header.length)(rule).expected(length);
    let reserved = header.optional_features == 0 && header.reserved == [0; 3];
    Rule::Magic.must(header.magic == MAGIC).map_err(wrong(0, u64::from_le_bytes(header.magic)))?;
    Rule::ByteOrder.must(header.endian == ENDIAN_MARK).map_err(wrong(8, header.endian.into()))?;
    Rule::Version.must(!strange).map_err(wrong(12, version))?;
    Rule::Feature.must(header.required_features == 0).map_err(wrong(16, header.required_features.into()))?;
    Rule::Length.must(header.length == length).map_err(shorter)?;
    Rule::Reserved.must(reserved).map_err(wrong(20, 1))?;
    Ok(header)
}

/// Checks the checksum. It tells damage from a wrongly made file; safety does not depend on it.
pub(super) fn checksum(data: &[u8]) -> Result<(), ImageError> {
    let header: Header = bytemuck::pod_read_unaligned(&data[..HEADER_BYTES]);
    let zeroed = Header { checksum: 0, ..header };
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(bytemuck::bytes_of(&zeroed));
    for window in data[HEADER_BYTES..].chunks(WINDOW) {
        fetch(window);
        hasher.update(window);
    }
    let found = hasher.finalize();
    let damaged = |rule| ImageError::header(rule, 36, found.into()).expected(header.checksum.into());
    Rule::Checksum.must(found == header.checksum).map_err(damaged)
}

/// Number of bytes that are fetched together. They must still be in the processor's cache when the
/// checksum reads them.
const WINDOW: usize = 128 * 1024;
/// Size of a cache line in bytes.
const LINE: usize = 64;

/// Brings bytes into the cache. The checksum is so fast that it would wait for memory. A processor
/// prefetches within a page, but not beyond its end. So the pages of four parts are walked side by
/// side.
fn fetch(window: &[u8]) {
    let part = |index: usize| window[index * (window.len() / 4)..].iter().step_by(LINE);
    let lines = part(0).zip(part(1)).zip(part(2)).zip(part(3));
    // Without a use of the result, the compiler would remove the reads.
    core::hint::black_box(lines.fold(0, |all, (((a, b), c), d)| all ^ a ^ b ^ c ^ d));
}

fn table<'a>(data: &'a [u8], header: &Header) -> Result<&'a [SectionRow], ImageError> {
    let too_many = || ImageError::header(Rule::SectionCount, 32, u64::from(header.sections));
    let count = header.sections as usize;
    if count > SectionKind::ALL.len() {
        return Err(too_many());
    }
    let bytes = data.get(HEADER_BYTES..HEADER_BYTES + count * SECTION_ROW_BYTES).ok_or_else(too_many)?;
    bytemuck::try_cast_slice(bytes)
        .map_err(|_| ImageError::header(Rule::Aligned, 0, data.as_ptr() as u64 % 8))
}

/// Returns the range of a section if it starts right after the section before it and ends inside
/// the file.
fn section(data: &[u8], row: &SectionRow, start: usize) -> Option<core::ops::Range<usize>> {
    let end = row.offset.checked_add(row.length)?;
    let padded = end.checked_next_multiple_of(ALIGN as u64)?;
    let fits = row.offset == start as u64 && padded <= data.len() as u64;
    fits.then_some(start..end as usize)
}
