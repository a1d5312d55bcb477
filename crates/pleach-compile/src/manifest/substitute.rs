//! Substitutes of nodes, for tests, in dialects whose hosts can replace nodes.

/// Rule by which nodes are replaced before a tree is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Substitution {
    /// Name of the node, name of its type, or pattern of its path, in which `*` stands for any
    /// letters and `?` for one.
    pub filter: String,
    /// Node that takes the place.
    pub by: Substitute,
}

/// Node that takes the place of another node, with all that is inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Substitute {
    /// Node of a type without children, by its name.
    Node(String),
    /// Test node.
    Test(TestNode),
}

/// Node that ends with a status after a time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestNode {
    /// Status, if no script computes it.
    pub status: TestStatus,
    /// Milliseconds until the node ends; 0 for at once.
    pub delay: u32,
    /// Script whose value is the status: its name or its number. Empty for none.
    pub status_script: String,
    /// Script that is run if the node succeeds. Empty for none.
    pub success_script: String,
    /// Script that is run if the node fails. Empty for none.
    pub failure_script: String,
    /// Script that is run last, with any status. Empty for none.
    pub post_script: String,
}

/// Status of a test node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TestStatus {
    /// The node runs.
    Running,
    /// The node succeeds.
    #[default]
    Success,
    /// The node fails.
    Failure,
    /// The node is skipped.
    Skipped,
}

impl TestStatus {
    /// All statuses, with their names and their numbers in scripts.
    pub const ALL: [(&str, u8, Self); 4] = [
        ("RUNNING", 1, Self::Running),
        ("SUCCESS", 2, Self::Success),
        ("FAILURE", 3, Self::Failure),
        ("SKIPPED", 4, Self::Skipped),
    ];

    /// Returns the status with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(it, ..)| *it == name).map(|(_, _, status)| *status)
    }
}

impl TestNode {
    /// Returns the number of bytes of all scripts.
    pub(crate) fn script_bytes(&self) -> usize {
        let scripts = [&self.status_script, &self.success_script, &self.failure_script, &self.post_script];
        scripts.iter().map(|script| script.len()).sum()
    }
}

impl Substitution {
    /// Returns true if a node is replaced, by its name, its type and its path.
    #[must_use]
    pub fn fits(&self, name: &str, kind: &str, path: &str) -> bool {
        self.filter == name || self.filter == kind || matches(&self.filter, path)
    }
}

/// Returns true if a text has the form of a pattern. The time is the product of their lengths.
fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut at, mut next) = (0, 0);
    // The last `*`, and the byte up to which it reaches.
    let mut star: Option<(usize, usize)> = None;
    while next < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, next));
                at += 1;
            }
            Some(letter) if *letter == b'?' || *letter == text[next] => {
                (at, next) = (at + 1, next + 1);
            }
            _ => {
                let Some((begin, reach)) = &mut star else { return false };
                *reach += 1;
                (at, next) = (*begin + 1, *reach);
            }
        }
    }
    pattern[at..].iter().all(|letter| *letter == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_stand_for_paths() {
        let cases = [
            ("sub/*", "sub/walk", true),
            ("*/walk", "a/b/walk", true),
            ("*walk*", "walk", true),
            ("s?b", "sub", true),
            ("s?b", "sb", false),
            ("a*b*c", "a-b-b-d", false),
            ("", "a", false),
            ("**", "", true),
            ("walk", "sub/walk", false),
        ];
        for (pattern, text, is) in cases {
            assert_eq!(matches(pattern, text), is, "{pattern} {text}");
        }
        assert!(!matches(&"*a".repeat(500), &"a".repeat(499)));
    }
}
