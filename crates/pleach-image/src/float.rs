//! Bits of floats, with one bit pattern for all NaNs.
//!
//! IEEE 754 leaves the bits of a NaN result to the processor, and compilers may exchange operands.
//! So wherever bits are stored, compared or handed out, one pattern stands for all NaNs: the quiet
//! NaN without sign and payload.

/// Bits of the canonical 32-bit NaN.
pub const NAN32: u32 = 0x7fc0_0000;
/// Bits of the canonical 64-bit NaN.
pub const NAN64: u64 = 0x7ff8_0000_0000_0000;

/// Returns the bits of a float. Every NaN gives [`NAN32`].
#[must_use]
#[inline]
pub fn bits32(float: f32) -> u32 {
    if float.is_nan() { NAN32 } else { float.to_bits() }
}

/// Returns the bits of a double. Every NaN gives [`NAN64`].
#[must_use]
#[inline]
pub fn bits64(double: f64) -> u64 {
    if double.is_nan() { NAN64 } else { double.to_bits() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_nan_has_the_same_bits_and_no_other_number_changes() {
        for bits in [0x7f80_0001, 0x7fc0_0000, 0x7fff_ffff, 0xff80_0001, 0xffc0_0000, u32::MAX] {
            assert_eq!(bits32(f32::from_bits(bits)), NAN32, "{bits:x}");
        }
        for bits in [0, 1 << 31, 1, 0x7f80_0000, 0xff80_0000, 0x3f80_0000] {
            assert_eq!(bits32(f32::from_bits(bits)), bits);
        }
        for bits in [0x7ff0_0000_0000_0001, 0xfff8_0000_0000_0000, u64::MAX] {
            assert_eq!(bits64(f64::from_bits(bits)), NAN64, "{bits:x}");
        }
        for number in [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, 0.1, f64::MIN_POSITIVE / 2.0] {
            assert_eq!(bits64(number), number.to_bits());
        }
    }
}
