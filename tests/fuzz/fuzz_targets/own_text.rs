//! Any bytes as a file of pleach's own language.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| pleach_tests::random::trial::own_text(bytes));
