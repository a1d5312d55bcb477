//! Texts of an image, which are shared.

use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;
use core::ops::Range;

/// Text of an image. Copies share its bytes.
#[derive(Clone)]
pub struct SharedText {
    strings: Arc<[u8]>,
    place: Range<usize>,
}

impl SharedText {
    /// Returns the text at this place; an empty text if the place is outside of the strings.
    pub(crate) fn new(strings: &Arc<[u8]>, place: Range<usize>) -> Self {
        let place = if strings.get(place.clone()).is_some() { place } else { 0..0 };
        Self { strings: strings.clone(), place }
    }

    /// Returns the bytes of the text.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.strings.get(self.place.clone()).unwrap_or_default()
    }
}

impl PartialEq for SharedText {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for SharedText {}

impl PartialEq<str> for SharedText {
    fn eq(&self, other: &str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

/// Writes bytes that are not UTF-8 as U+FFFD.
impl fmt::Display for SharedText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        String::from_utf8_lossy(self.as_bytes()).fmt(out)
    }
}

impl fmt::Debug for SharedText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        String::from_utf8_lossy(self.as_bytes()).fmt(out)
    }
}
