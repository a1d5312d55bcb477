//! Any bytes as an image, as they are and with length and checksum put right.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use pleach_tests::random::draws::Draws;
use pleach_tests::random::mutate::mutate;
use pleach_tests::random::trial::{self, repaired};

fuzz_target!(|bytes: &[u8]| trial::image(bytes));

// One change in three is to rows, the others are to bytes. The result is sealed, so that it counts
// as an image when it is changed again.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let changed = if seed.is_multiple_of(3) {
        mutate(&data[..size], &mut Draws::seeded(seed.into()))
    } else {
        let size = fuzzer_mutate(data, size, max_size);
        repaired(&data[..size])
    };
    let size = changed.len().min(max_size);
    data[..size].copy_from_slice(&changed[..size]);
    size
});
