//! Parts of paths, with `/` between the folders.

/// Returns the folder of a path: empty, or with a `/` at its end.
#[must_use]
pub fn folder_of(path: &str) -> &str {
    path.rfind('/').map_or("", |end| &path[..=end])
}

/// Returns the part of a path behind its last dot; empty without one.
#[must_use]
pub fn extension_of(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}
