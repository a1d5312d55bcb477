//! Any bytes as a recording, and as the block of one with length and hash put right.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pleach_tests::random::recordings;

fuzz_target!(|bytes: &[u8]| recordings::bytes(bytes));
