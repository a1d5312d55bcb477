//! Any bytes as a forest file or tree file of Bt Engine.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| pleach_tests::random::trial::forest_text(bytes));
