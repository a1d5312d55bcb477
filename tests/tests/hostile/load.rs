//! Images from files are read and mapped as documented, even if a file is damaged or changes later.

use pleach::{Image, LoadError};
use pleach_image::verify::Rule;
use pleach_tests::inline;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

/// File that is removed at the end of the test.
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
        // A file that cannot be removed stays in the folder for temporary files.
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

/// Maps a file. Tests that change a mapped file do so in a separate process, see [`apart`].
fn map(path: &Path) -> Image<impl AsRef<[u8]> + use<>> {
    // SAFETY: no other code knows the file. It is not changed while it is mapped, except in tests
    // of that case.
    #[expect(unsafe_code, reason = "mapping is what is tested")]
    unsafe { Image::map(path) }.unwrap()
}

#[test]
fn mapped_and_loaded_are_the_same() {
    let file = File::new("mapped", &bytes());
    assert_eq!(map(&file.0).bytes(), Image::load(&file.0).unwrap().bytes());
}

/// Returns an image of several pages.
fn pages() -> Vec<u8> {
    let actions = "action say( \"a text that is as long as it needs to be\" ) ".repeat(12);
    let lists = format!("sequence {{ {actions} }} ").repeat(12);
    let image = inline::image(&[("guard", &format!("sequence {{ {lists} }}"))], &["guard"]);
    assert!(image.bytes().len() > 3 * 4096, "{}", image.bytes().len());
    image.bytes().to_vec()
}

/// Environment variable with the file of a separate process.
const FILE: &str = "PLEACH_FILE";
/// Exit code of a process that has made its observation. A process that ran no test has another
/// code.
const SEEN: i32 = 42;

/// Runs a test that is otherwise ignored in a separate process.
fn apart(test: &str, file: &Path) -> ExitStatus {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", test]).env(FILE, file);
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap()
}

/// Returns the file of this separate process.
fn given() -> Option<PathBuf> {
    std::env::var_os(FILE).map(PathBuf::from)
}

#[test]
#[ignore = "is started by `a_mapped_file_that_is_shortened_is_a_bus_error`, and killed"]
fn reads_behind_the_end_of_a_map() {
    let Some(path) = given() else { return };
    let image = map(&path);
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(100).unwrap();
    // The remaining page has zeros now. There is no page behind it.
    assert_eq!(image.bytes()[100..4096], [0; 4096 - 100]);
    std::hint::black_box(image.bytes()[2 * 4096]);
}

/// Shortening a mapped file kills the process at the next read, as `Image::map` says.
#[cfg(unix)]
#[test]
fn a_mapped_file_that_is_shortened_is_a_bus_error() {
    use std::os::unix::process::ExitStatusExt;
    let file = File::new("shortened", &pages());
    let status = apart("load::reads_behind_the_end_of_a_map", &file.0);
    assert_eq!(status.signal(), Some(7), "{status}");
}

#[test]
#[ignore = "is started by `a_mapped_file_that_is_written_to_is_another_image`"]
fn reads_what_is_written_to_a_map() {
    let Some(path) = given() else { return };
    let image = map(&path);
    let at = image.bytes().len() - 9;
    let before = image.bytes()[at];
    let mut file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start(at as u64)).unwrap();
    file.write_all(&[!before]).unwrap();
    assert_eq!(image.bytes()[at], !before, "what is written is seen, though it was never verified");
    std::process::exit(SEEN);
}

/// Writing to a mapped file changes verified bytes, as `Image::map` says.
#[test]
fn a_mapped_file_that_is_written_to_is_another_image() {
    let file = File::new("written", &pages());
    let status = apart("load::reads_what_is_written_to_a_map", &file.0);
    assert_eq!(status.code(), Some(SEEN), "{status}");
}

/// Renaming another file over a mapped file is safe: the old file stays as long as it is used.
#[test]
fn a_file_that_is_replaced_stays_what_it_was() {
    let (file, other) = (File::new("old", &pages()), File::new("new", &bytes()));
    let image = map(&file.0);
    std::fs::rename(&other.0, &file.0).unwrap();
    assert_eq!(image.bytes(), pages());
    assert_eq!(Image::load(&file.0).unwrap().bytes(), bytes());
}

#[test]
fn a_loaded_file_may_be_shortened_and_written_to() {
    let file = File::new("loaded", &pages());
    let image = Image::load(&file.0).unwrap();
    let mut open = std::fs::OpenOptions::new().write(true).open(&file.0).unwrap();
    open.write_all(&[0; 4096]).unwrap();
    open.set_len(100).unwrap();
    assert_eq!(image.bytes(), pages());
    drop(file);
    assert_eq!(image.entry("guard"), Some((0, 0)));
}

#[cfg(target_os = "linux")]
#[test]
fn sealed_memory_is_shared_and_cannot_change() {
    use pleach_image::sealed::seal;
    use std::io::ErrorKind::PermissionDenied;
    let mut file = seal(&pages()).unwrap();
    let image = Image::map_sealed(&file).unwrap();
    let denied =
        |result: std::io::Result<()>| assert_eq!(result.map_err(|it| it.kind()), Err(PermissionDenied));
    denied(file.write_all(&[0]));
    denied(file.set_len(100));
    denied(file.set_len(1 << 20));
    // Opening the file by another path gives no write access either.
    let path = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&file));
    let mut again = std::fs::OpenOptions::new().read(true).write(true).open(&path).unwrap();
    denied(again.write_all(&[0]));
    assert_eq!(image.bytes(), pages());
    assert_eq!(Image::map_sealed(&again).unwrap().bytes(), pages());
    drop((file, again));
    assert_eq!(image.entry("guard"), Some((0, 0)));
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_not_sealed_is_not_mapped() {
    let plain = File::new("plain", &pages());
    let file = std::fs::File::open(&plain.0).unwrap();
    assert!(matches!(Image::map_sealed(&file), Err(LoadError::Io(_))));
    let wrong = pleach_image::sealed::seal(&pages()[..4096]).unwrap();
    assert!(matches!(Image::map_sealed(&wrong), Err(LoadError::Image(_))));
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
