//! Hash that tells sweeps apart.

use pleach_image::splitmix::mix;

/// Returns the hash of some texts, in 32 digits.
pub(crate) fn digest(texts: &[&[u8]]) -> String {
    let half = |seed: u64| {
        let mut hash = mix(seed);
        for text in texts {
            hash = mix(hash ^ text.len() as u64);
            for bytes in text.chunks(8) {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                hash = mix(hash.rotate_left(1) ^ u64::from_le_bytes(word));
            }
        }
        hash
    };
    format!("{:016x}{:016x}", half(1), half(2))
}
