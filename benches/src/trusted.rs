//! Two promises that the compiler cannot check. (A third is that of `fields/vector.rs`; there is no
//! other unsafe code here.)
//!
//! One is that a file does not change while it is mapped. The other is that the processor has the
//! features that a clone of the hand-written version was compiled for: a yardstick must not be
//! handicapped, and a game is often built for the processors of its players, while this program is
//! built for the oldest. So that version exists twice, and the faster one counts. (The engines of
//! pleach run as built for the baseline.)

use pleach::{Image, LoadError};
use std::path::Path;

/// A file of the temporary folder that this process alone knows, removed when dropped.
#[derive(Debug)]
pub struct TempFile {
    path: std::path::PathBuf,
}

impl TempFile {
    /// Writes a file that no other process has.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(name: &str, bytes: &[u8]) -> std::io::Result<Self> {
        let path = std::env::temp_dir().join(format!("pleach-benches-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes)?;
        Ok(Self { path })
    }

    /// Maps and verifies the file, which must be an image.
    ///
    /// # Errors
    /// If it is none, or cannot be mapped.
    pub fn map(&self) -> Result<Image<impl AsRef<[u8]> + use<>>, LoadError> {
        let path: &Path = &self.path;
        #[expect(unsafe_code, reason = "the file is our own")]
        // SAFETY: `new` wrote the file under a name with the number of this process, and nothing
        // here writes it again; dropping `self` removes the name, not the content that is mapped.
        unsafe {
            Image::map(path)
        }
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        // A file left behind in the temporary folder does no harm.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Runs `work` compiled for AVX2, FMA and BMI2 if this processor has them, else as it is. Only what
/// is inlined into
/// `work` becomes part of the clone.
#[inline]
pub fn tuned<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") && is_x86_feature_detected!("bmi2")
    {
        #[expect(unsafe_code, reason = "features that have been looked up at run time")]
        // SAFETY: the processor has all three features, as the condition says.
        return unsafe { modern(work) };
    }
    work()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi2")]
fn modern<T>(work: impl FnOnce() -> T) -> T {
    work()
}
