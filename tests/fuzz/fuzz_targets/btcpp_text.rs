//! Any bytes as the text of a tree of BehaviorTree.CPP.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| pleach_tests::random::trial::btcpp_text(bytes));
