//! Any bytes as a file of Drag\[en\]gine rules.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| pleach_tests::random::trial::debt_text(bytes));
