//! Any bytes as the text of a modular behavior tree.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| pleach_tests::random::trial::mbt_text(bytes));
