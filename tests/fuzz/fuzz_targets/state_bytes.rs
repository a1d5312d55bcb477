//! Any bytes as the state of running agents: as they are, and with a right length and identity.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use pleach_tests::random::draws::Draws;
use pleach_tests::random::states;

fuzz_target!(|bytes: &[u8]| states::bytes(bytes));

// Every other change is one that knows where tables are; the others are to bytes.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if seed.is_multiple_of(2) || size < 2 {
        return fuzzer_mutate(data, size, max_size);
    }
    let changed = states::mutate(&data[1..size], &mut Draws::seeded(seed.into()));
    let length = changed.len().min(max_size - 1);
    data[1..=length].copy_from_slice(&changed[..length]);
    length + 1
});
