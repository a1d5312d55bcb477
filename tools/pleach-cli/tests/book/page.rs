//! A page of Markdown, cut into the pieces that tests look at.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Page with its text.
pub(crate) struct Page {
    /// Path from the root of the repository.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// Fenced block of code.
pub(crate) struct Block {
    /// Words of the info string: the language, the name of a file, and more.
    pub(crate) words: Vec<String>,
    pub(crate) text: String,
    /// Bytes of the page that hold the text.
    pub(crate) range: Range<usize>,
}

impl Block {
    pub(crate) fn language(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    /// Returns the name of the file that the block stands for.
    pub(crate) fn file(&self) -> Option<&str> {
        self.words.get(1).map(String::as_str).filter(|word| word.contains('.'))
    }

    pub(crate) fn has(&self, word: &str) -> bool {
        self.words.iter().any(|it| it == word)
    }
}

impl Page {
    pub(crate) fn read(path: &Path, root: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        let name = path.strip_prefix(root).expect("a page of the repository").display().to_string();
        Self { name, path: path.to_owned(), text }
    }

    fn events(&self) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
        Parser::new_ext(&self.text, Options::ENABLE_TABLES).into_offset_iter()
    }

    /// Returns the blocks of code.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut open: Option<Block> = None;
        for (event, range) in self.events() {
            match event {
                Event::Start(Tag::CodeBlock(kind)) => {
                    let info = if let CodeBlockKind::Fenced(info) = kind { info } else { "".into() };
                    let words = info.split([' ', ',']).filter(|word| !word.is_empty());
                    let words = words.map(str::to_owned).collect();
                    open = Some(Block { words, text: String::new(), range: range.end..range.end });
                }
                Event::Text(piece) => {
                    if let Some(block) = &mut open {
                        let start = if block.text.is_empty() { range.start } else { block.range.start };
                        block.range = start..range.end;
                        block.text.push_str(&piece);
                    }
                }
                Event::End(TagEnd::CodeBlock) => blocks.extend(open.take()),
                _ => {}
            }
        }
        blocks
    }

    /// Returns the destinations of links and images.
    pub(crate) fn links(&self) -> Vec<String> {
        let destination = |(event, _): (Event<'_>, _)| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                Some(dest_url.to_string())
            }
            _ => None,
        };
        self.events().filter_map(destination).collect()
    }

    /// Returns the names by which links reach the headings.
    pub(crate) fn anchors(&self) -> Vec<String> {
        let mut anchors: Vec<String> = Vec::new();
        let mut open: Option<String> = None;
        for (event, _) in self.events() {
            match event {
                Event::Start(Tag::Heading { .. }) => open = Some(String::new()),
                Event::Text(piece) | Event::Code(piece) => {
                    open.iter_mut().for_each(|heading| heading.push_str(&piece));
                }
                Event::End(TagEnd::Heading(_)) => anchors.extend(open.take().map(|text| anchor(&text))),
                _ => {}
            }
        }
        anchors
    }
}

/// Returns the name by which links reach a heading.
fn anchor(heading: &str) -> String {
    let letters = heading.trim().chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    letters.collect::<String>().to_lowercase().replace(' ', "-")
}
