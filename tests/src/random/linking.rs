//! Programs with random sets of the engines' shortcuts. No set may change the results.

use super::draws::hash;
use pleach::{Host, Image, Program, Shortcuts};

/// Links an image with all shortcuts for even seeds, and with a random set of them for odd ones.
///
/// # Errors
/// With the functions that the host lacks, as text.
pub fn linked(image: &Image, host: &dyn Host, seed: u64) -> Result<Program, String> {
    let shortcuts =
        if seed.is_multiple_of(2) { Shortcuts::ALL } else { Shortcuts::of(hash([seed, 0x5c]) as u32) };
    Program::link_with(image, host, shortcuts).map_err(|error| error.to_string())
}
