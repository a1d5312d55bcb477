//! Writer of files. The counterpart of `verify::container`.

use super::rows::{Header, SectionRow};
use super::{ALIGN, ENDIAN_MARK, FIRST_DEBUG, HEADER_BYTES, MAGIC, MAJOR, MINOR, Parts, SECTION_ROW_BYTES};
use crate::enums::{slot_kind, value_tag, wrapper_kind};
use crate::isa::{Op, StackOp};
use alloc::vec::Vec;

/// Returns the bytes of an image. Empty debug sections are left out; all other sections are
/// written.
#[must_use]
pub fn write(parts: &Parts) -> Vec<u8> {
    let sections = || parts.bytes().filter(|(kind, bytes)| (*kind as u32) < FIRST_DEBUG || !bytes.is_empty());
    let count = sections().count();
    let head = HEADER_BYTES + count * SECTION_ROW_BYTES;
    let body: usize = sections().map(|(_, bytes)| bytes.len().next_multiple_of(ALIGN)).sum();
    let mut out = Vec::with_capacity(head + body);
    out.resize(head, 0);
    for (index, (kind, bytes)) in sections().enumerate() {
        let (offset, length) = (out.len() as u64, bytes.len() as u64);
        let row = SectionRow { kind: kind as u32, reserved: 0, offset, length };
        out[HEADER_BYTES + index * SECTION_ROW_BYTES..][..SECTION_ROW_BYTES]
            .copy_from_slice(bytemuck::bytes_of(&row));
        out.extend_from_slice(bytes);
        out.resize(out.len().next_multiple_of(ALIGN), 0);
    }
    let header = Header {
        magic: MAGIC,
        endian: ENDIAN_MARK,
        major: MAJOR,
        minor: minor(parts),
        sections: count as u32,
        ..Header::default()
    };
    out[..HEADER_BYTES].copy_from_slice(bytemuck::bytes_of(&header));
    seal(&mut out);
    out
}

/// Returns the earliest minor version that has all that is in the parts.
fn minor(parts: &Parts) -> u16 {
    const OF_1: [u8; 2] = [StackOp::Between as u8, StackOp::Thousandths as u8];
    if !parts.debug_titles.is_empty() {
        return MINOR;
    }
    let copies = parts.condition_code.iter().any(|word| word.op == StackOp::Copy as u8);
    if copies || !parts.tunables.is_empty() {
        return 4;
    }
    if needs_3(parts) {
        return 3;
    }
    let timer = parts.code.iter().any(|word| word.op == Op::Timer as u8);
    let block = parts.wrappers.iter().any(|row| row.kind == wrapper_kind::BLOCK);
    let needs_1 = timer || block || parts.condition_code.iter().any(|word| OF_1.contains(&word.op));
    match (parts.enums.is_empty(), needs_1) {
        (false, _) => 2,
        (true, true) => 1,
        (true, false) => 0,
    }
}

/// Returns true if the parts have anything that only version 1.3 has: 64-bit numbers, entities,
/// texts, functions of numbers, and nodes that keep a status.
fn needs_3(parts: &Parts) -> bool {
    let slots = parts.slots.iter().map(|row| row.kind).chain(parts.shared.iter().map(|row| row.kind));
    slots.into_iter().any(|kind| slot_kind::is_wide(kind) || kind == slot_kind::TEXT)
        || parts.values.iter().any(|value| value.tag >= value_tag::INT64)
        || parts.condition_code.iter().any(|word| is_of_3(word.op))
        || parts.code.iter().any(|word| word.op >= Op::Perform as u8)
        || !parts.statuses.is_empty()
}

/// Returns true for the number of an operation that only version 1.3 has.
fn is_of_3(op: u8) -> bool {
    op >= StackOp::Long as u8 || (StackOp::Smooth as u8..=StackOp::Nip as u8).contains(&op)
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
