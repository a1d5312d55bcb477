//! Writer of files. The counterpart of `verify::container`.

use super::rows::{Header, SectionRow};
use super::{ALIGN, ENDIAN_MARK, FIRST_DEBUG, HEADER_BYTES, MAGIC, MAJOR, MINOR, Parts, SECTION_ROW_BYTES};
use alloc::vec::Vec;

/// Returns the bytes of an image. Empty debug sections are left out; all other sections are
/// written.
#[must_use]
pub fn write(parts: &Parts) -> Vec<u8> {
    let sections: Vec<_> =
        parts.bytes().filter(|(kind, bytes)| (*kind as u32) < FIRST_DEBUG || !bytes.is_empty()).collect();
    let head = HEADER_BYTES + sections.len() * SECTION_ROW_BYTES;
    let body: usize = sections.iter().map(|(_, bytes)| bytes.len().next_multiple_of(ALIGN)).sum();
    let mut out = Vec::with_capacity(head + body);
    out.resize(head, 0);
    let mut table = Vec::with_capacity(sections.len());
    for (kind, bytes) in &sections {
        let (offset, length) = (out.len() as u64, bytes.len() as u64);
        table.push(SectionRow { kind: *kind as u32, reserved: 0, offset, length });
        out.extend_from_slice(bytes);
        out.resize(out.len().next_multiple_of(ALIGN), 0);
    }
    let rows: &[u8] = bytemuck::cast_slice(&table);
    out[HEADER_BYTES..HEADER_BYTES + rows.len()].copy_from_slice(rows);
    let header = Header {
        magic: MAGIC,
        endian: ENDIAN_MARK,
        major: MAJOR,
        minor: MINOR,
        sections: sections.len() as u32,
        ..Header::default()
    };
    out[..HEADER_BYTES].copy_from_slice(bytemuck::bytes_of(&header));
    seal(&mut out);
    out
}

/// Writes the length and the checksum of a file into its header. A tool that changes a file in
/// place calls this last. Does nothing if `file` is shorter than a header.
pub fn seal(file: &mut [u8]) {
    let Some(bytes) = file.get(..HEADER_BYTES) else { return };
    let header: Header = bytemuck::pod_read_unaligned(bytes);
    let mut header = Header { length: file.len() as u64, checksum: 0, ..header };
    file[..HEADER_BYTES].copy_from_slice(bytemuck::bytes_of(&header));
    header.checksum = crc32fast::hash(file);
    file[..HEADER_BYTES].copy_from_slice(bytemuck::bytes_of(&header));
}
