//! Paths in files, resolved by their text alone.

/// Returns the path of a file below the root of all files: folders and its name, separated by `/`.
///
/// If `path` begins with `/`, it is absolute. Otherwise it is relative to the folder of the file
/// `from`. Empty parts and `.` are ignored, and `..` leads up. Returns `None` if the path leads
/// above the root.
pub(super) fn resolve(from: &str, path: &str) -> Option<String> {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let start = if path.starts_with('/') { "" } else { folder };
    let mut parts: Vec<&str> = Vec::new();
    for part in start.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn paths_start_from_the_file_or_the_root() {
        let resolved = |from, path| resolve(from, path).unwrap_or_else(|| "above".into());
        assert_eq!(resolved("main.debt", "ai/sub.debt"), "ai/sub.debt");
        assert_eq!(resolved("ai/outer.debt", "sub.debt"), "ai/sub.debt");
        assert_eq!(resolved("ai/outer.debt", "/sub.debt"), "sub.debt");
        assert_eq!(resolved("ai/outer.debt", "../e2.debt"), "e2.debt");
        assert_eq!(resolved("ai/outer.debt", "././/b/../sub.debt"), "ai/sub.debt");
        assert_eq!(resolved("ai/outer.debt", "../../sub.debt"), "above");
        assert_eq!(resolved("ai/outer.debt", ""), "ai");
        assert_eq!(resolved("main.debt", " f.debt"), " f.debt");
    }
}
