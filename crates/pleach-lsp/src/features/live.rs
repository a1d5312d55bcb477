//! Notes behind nodes: counts of a running crowd.

use crate::counts::{Count, LiveCrowd, LiveFile};
use pleach_image::figures::{counted, grouped};
use std::iter::zip;

/// File of the running trees that is a file of the editor. Both have the same lines at their start
/// and at their end. Lines in between have changed since the trees were compiled.
pub(super) struct LiveNodes<'l> {
    crowd: &'l LiveCrowd,
    file: &'l LiveFile,
    /// Number of equal lines at the start, and at the end.
    same: (usize, usize),
    /// Number of lines in the editor, and in the running trees.
    all: (usize, usize),
}

impl<'l> LiveNodes<'l> {
    /// Finds the file of the running trees for a file of the editor. If most lines differ, the file
    /// is another one that has the same name.
    pub(super) fn find(crowd: &'l LiveCrowd, path: &str, text: &str) -> Option<Self> {
        let files = crowd.files.iter().filter(|file| file.has_path(path));
        let compared = files.map(|file| Self::compare(crowd, file, text));
        let likely = compared.filter(|it| (it.same.0 + it.same.1) * 2 >= it.all.1);
        likely.max_by_key(|it| it.same.0 + it.same.1)
    }

    fn compare(crowd: &'l LiveCrowd, file: &'l LiveFile, text: &str) -> Self {
        let (own, live): (Vec<&str>, Vec<&str>) = (text.lines().collect(), file.text.lines().collect());
        let front = zip(&own, &live).take_while(|(one, other)| one == other).count();
        let rest = zip(own[front..].iter().rev(), live[front..].iter().rev());
        let back = rest.take_while(|(one, other)| one == other).count();
        Self { crowd, file, same: (front, back), all: (own.len(), live.len()) }
    }

    /// Returns the line of the running trees that is a line of the editor, both from 1.
    fn line(&self, line: u32) -> Option<u32> {
        let index = (line as usize).checked_sub(1)?;
        let ((front, back), (own, live)) = (self.same, self.all);
        if index < front {
            return Some(line);
        }
        let from_end = own.checked_sub(index).filter(|it| *it <= back)?;
        Some((live - from_end + 1) as u32)
    }

    /// Returns the note behind the node at a line and a column of the editor, with its tooltip.
    pub(super) fn note(&self, (line, column): (u32, u32)) -> Option<(String, String)> {
        let place = (self.line(line)?, column);
        let count = self.file.counts.get(&place);
        let status = self.file.statuses.get(&place).zip(self.crowd.agent);
        let status = status.map(|(status, agent)| format!("agent {agent}: {status}"));
        let label: Vec<String> = count.map(label).into_iter().chain(status).collect();
        let tooltip = count.map(|count| tooltip(count, self.crowd.every)).unwrap_or_default();
        (!label.is_empty()).then(|| (label.join(", "), tooltip))
    }
}

/// Returns a count in two words at most.
fn label(count: &Count) -> String {
    match *count {
        Count { running, .. } if running > 0 => format!("{} running", grouped(running)),
        Count { entries: 0, .. } => "never".to_owned(),
        Count { entries, .. } => counted(entries as usize, "time"),
    }
}

/// Returns a count in sentences.
fn tooltip(count: &Count, every: u32) -> String {
    let [entries, successes, failures, running] =
        [count.entries, count.successes, count.failures, count.running].map(grouped);
    let sample = if every > 1 {
        format!(" Only agents whose index is divisible by {every} are counted.")
    } else {
        String::new()
    };
    format!(
        "Entries: {entries}. Successes: {successes}. Failures: {failures}. Running now: {running} agents.{sample}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn crowd(text: &str) -> LiveCrowd {
        let count = Count { entries: 1234, running: 7, ..Count::default() };
        let counts = HashMap::from([((1, 1), count), ((4, 1), Count::default())]);
        let statuses = HashMap::from([((4, 1), "success")]);
        let mut file = LiveFile::new("a.pleach", text);
        (file.counts, file.statuses) = (counts, statuses);
        LiveCrowd { files: vec![file], every: 1, agent: Some(3) }
    }

    #[test]
    fn notes_move_with_their_lines_and_are_gone_where_lines_have_changed() {
        let crowd = crowd("a\nb\nc\nd\n");
        let notes = |text: &str| -> Vec<Option<String>> {
            let found = LiveNodes::find(&crowd, "/x/a.pleach", text);
            let lines = 1..=text.lines().count() as u32;
            lines.map(|line| Some(found.as_ref()?.note((line, 1))?.0)).collect()
        };
        let (first, last) = (Some("7 running".to_owned()), Some("never, agent 3: success".to_owned()));
        assert_eq!(notes("a\nb\nc\nd\n"), [first.clone(), None, None, last.clone()]);
        assert_eq!(notes("a\nb\nx\ny\nz\nd\n"), [first.clone(), None, None, None, None, last.clone()]);
        assert_eq!(notes("a\nd\n"), [first.clone(), last]);
        assert_eq!(notes("a\nb\nc\ne\n"), [first, None, None, None]);
        assert_eq!(notes("q\nr\ns\nd\n"), [None, None, None, None]);
        assert!(LiveNodes::find(&crowd, "/x/ba.pleach", "a\nb\nc\nd\n").is_none());
    }

    #[test]
    fn counts_are_told_in_words() {
        let counts = [(1, 0), (1_234_567, 0), (5, 1_000), (0, 0)];
        let labels = counts.map(|(entries, running)| label(&Count { entries, running, ..Count::default() }));
        assert_eq!(labels, ["1 time", "1,234,567 times", "1,000 running", "never"]);
        let count = Count { entries: 9, successes: 4, failures: 3, running: 2 };
        let text = "Entries: 9. Successes: 4. Failures: 3. Running now: 2 agents.";
        assert_eq!(tooltip(&count, 1), text);
        let sample = format!("{text} Only agents whose index is divisible by 5 are counted.");
        assert_eq!(tooltip(&count, 5), sample);
    }
}
