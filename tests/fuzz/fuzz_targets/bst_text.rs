//! Any bytes as the text of a behavior selection tree.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| pleach_tests::random::trial::bst_text(bytes));
