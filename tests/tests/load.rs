//! Images from files: read, mapped, damaged, changed afterwards.

use pleach::{Image, LoadError};
use pleach_image::verify::Rule;
use pleach_tests::inline;
use std::path::PathBuf;

/// A file that is gone when the test is.
struct File(PathBuf);

impl File {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("pleach-{}-{name}.plc", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        Self(path)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // If it cannot be removed, the next cleaning of the folder for temporary files will.
        _ = std::fs::remove_file(&self.0);
    }
}

fn bytes() -> Vec<u8> {
    inline::image(&[("guard", "selector { action fight() action roam() }")], &["guard"]).bytes().to_vec()
}

#[test]
fn a_file_that_changes_after_loading_has_no_effect() {
    let file = File::new("changes", &bytes());
    let image = Image::load(&file.0).unwrap();
    std::fs::write(&file.0, b"something else").unwrap();
    assert_eq!(image.bytes(), bytes());
    assert_eq!(image.entry("guard"), Some((0, 0)));
}

#[test]
fn mapped_and_loaded_are_the_same() {
    let file = File::new("mapped", &bytes());
    // SAFETY: nobody else knows the file, and it is not changed while it is mapped.
    #[expect(unsafe_code, reason = "mapping is what is tested")]
    let mapped = unsafe { Image::map(&file.0) }.unwrap();
    assert_eq!(mapped.bytes(), Image::load(&file.0).unwrap().bytes());
}

#[test]
fn an_image_may_lie_anywhere() {
    let mut shifted = vec![0];
    shifted.extend(bytes());
    assert_eq!(Image::copy(&shifted[1..]).unwrap().bytes(), bytes());
    let aligned = Image::copy(&bytes()).unwrap();
    assert_eq!(Image::new(aligned.bytes()).unwrap().code(), aligned.code());
    let misaligned = (0..8).find_map(|skip| {
        let mut bytes = vec![0; skip];
        bytes.extend(self::bytes());
        Image::new(bytes.get(skip..)?).err()
    });
    assert_eq!(misaligned.map(|error| error.rule), Some(Rule::Aligned));
}

#[test]
fn what_is_no_image_says_why() {
    let nowhere = Image::load(std::env::temp_dir().join("pleach-there-is-no-such-file"));
    assert!(matches!(nowhere, Err(LoadError::Io(_))));
    let text =
        File::new("text", b"selector { action roam() } // long enough to be taken for a header, surely");
    let Err(LoadError::Image(error)) = Image::load(&text.0) else { panic!("text is no image") };
    assert_eq!((error.rule, error.offset), (Rule::Magic, 0));
    assert!(error.to_string().starts_with("V0102: this is not a pleach image"), "{error}");
    let short = File::new("short", &bytes()[..bytes().len() - 8]);
    let Err(LoadError::Image(error)) = Image::load(&short.0) else { panic!("the end is missing") };
    assert_eq!((error.rule, error.expected), (Rule::Length, Some(bytes().len() as u64 - 8)));
}
