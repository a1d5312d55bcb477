//! Configuration: the level of each rule, from the section `[lint]` of a file `pleach.toml`.
//!
//! ```toml
//! [lint]
//! L010 = "off"
//! L051 = "warning"
//! L001 = "error"
//! ```
//!
//! Other sections are for others and are not looked at.

use crate::rule::{self, Level, Rule};
use std::path::{Path, PathBuf};

/// Name of the file with the configuration.
pub const FILE: &str = "pleach.toml";

/// Returns the file with the configuration for the trees of a folder: that of the folder, or of the
/// nearest folder above that has one.
#[must_use]
pub fn nearest(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().map(|folder| folder.join(FILE)).find(|path| path.is_file())
}

/// Levels of rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Levels that differ from those of the rules, by code.
    levels: Vec<(&'static str, Level)>,
}

/// Something wrong in a file with the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError {
    /// Line, from 1.
    pub line: u32,
    /// Description of the problem, with advice.
    pub message: String,
}

impl Settings {
    /// Reads the text of a file. Lines with problems have no effect.
    #[must_use]
    pub fn parse(text: &str) -> (Self, Vec<SettingsError>) {
        let (mut settings, mut problems, mut is_ours) = (Self::default(), Vec::new(), false);
        for (line, text) in (1..).zip(text.lines()) {
            let text = without_comment(text).trim();
            if text.starts_with('[') {
                is_ours = text.replace(' ', "") == "[lint]";
            } else if is_ours && !text.is_empty() {
                match entry(text) {
                    Ok((rule, level)) => settings.set(rule, level),
                    Err(message) => problems.push(SettingsError { line, message }),
                }
            }
        }
        (settings, problems)
    }

    /// Sets the level of a rule.
    pub fn set(&mut self, rule: &'static Rule, level: Level) {
        self.levels.retain(|(code, _)| *code != rule.code.id);
        self.levels.push((rule.code.id, level));
    }

    /// Returns the level of a rule.
    #[must_use]
    pub fn level(&self, rule: &Rule) -> Level {
        let own = self.levels.iter().find(|(code, _)| *code == rule.code.id);
        own.map_or(rule.level, |(_, level)| *level)
    }
}

/// Returns a line without the comment at its end. A `#` in quotes begins no comment.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (at, letter) in line.char_indices() {
        match (quote, letter) {
            (None, '#') => return &line[..at],
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), letter) if open == letter => quote = None,
            _ => {}
        }
    }
    line
}

/// Reads a line `CODE = "level"`.
fn entry(text: &str) -> Result<(&'static Rule, Level), String> {
    let wanted = "write a line such as L010 = \"off\"";
    let (code, level) = text.split_once('=').ok_or_else(|| format!("a level is missing: {wanted}"))?;
    let code = code.trim().trim_matches(['"', '\'']);
    let rule = rule::by_code(code)
        .ok_or_else(|| format!("there is no rule `{code}`: `pleach lint --rules` lists all rules"))?;
    let level = level.trim();
    let name = ['"', '\''].iter().find_map(|quote| level.strip_prefix(*quote)?.strip_suffix(*quote));
    let name = name.ok_or_else(|| format!("the level {level} is not in quotes: {wanted}"))?;
    let level = Level::named(name);
    Ok((rule, level.ok_or_else(|| format!("`{name}` is no level: use \"off\", \"warning\" or \"error\""))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_from_one_section() {
        let text =
            "title = 1\n[lint] # rules\nL010 = \"off\" # no matter\n'L001' = 'error'\n[other]\nL002 = 7\n";
        let (settings, problems) = Settings::parse(text);
        assert_eq!(problems, []);
        assert_eq!(settings.level(&rule::ONE_CHILD), Level::Off);
        assert_eq!(settings.level(&rule::NEVER_BEGINS), Level::Error);
        assert_eq!(settings.level(&rule::NEVER_ENDS), Level::Warning);
    }

    #[test]
    fn problems_have_their_lines() {
        let (settings, problems) =
            Settings::parse("[lint]\nL999 = \"off\"\nL001\nL001 = off\nL001 = \"loud\"\n");
        assert_eq!(settings, Settings::default());
        let lines: Vec<_> = problems.iter().map(|problem| problem.line).collect();
        assert_eq!(lines, [2, 3, 4, 5]);
        assert!(problems[0].message.contains("no rule `L999`"), "{problems:?}");
        assert!(problems[3].message.contains("`loud` is no level"), "{problems:?}");
    }
}
