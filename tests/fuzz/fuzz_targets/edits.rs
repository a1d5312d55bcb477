//! Any bytes as a file of pleach's own language, which is edited.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| pleach_tests::random::edits::edited_text(bytes));
