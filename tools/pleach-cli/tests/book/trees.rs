//! Trees, commands and pictures of a page, compiled, run and compared.

use crate::page::{Block, Page};
use crate::{blessing, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Languages of blocks that are trees.
const TREES: &[&str] = &["pleach", "bt", "xml", "debt"];

/// Languages of blocks that are known, beside [`TREES`].
const OTHERS: &[&str] =
    &["text", "cpp", "console", "sh", "rust", "toml", "cmake", "lua", "lisp", "json", "python"];

/// Folder in which the commands of a page are run.
struct Scratch {
    folder: PathBuf,
    name: String,
    findings: Vec<String>,
}

/// Returns the errors of the trees, commands and pictures of a page.
pub(crate) fn findings(page: &Page) -> Vec<String> {
    let blocks = page.blocks();
    let mut scratch = Scratch::new(page);
    for block in &blocks {
        let language = block.language();
        if !TREES.contains(&language) && !OTHERS.contains(&language) {
            scratch.finding(&format!("a block of the unknown language `{language}`"));
        }
        if let Some(file) = block.file() {
            scratch.write(file, &block.text);
        }
        for original in block.words.iter().skip(2).filter(|word| word.contains('/')) {
            if fs::read_to_string(root().join(original)).ok().as_ref() != Some(&block.text) {
                scratch.finding(&format!("a block differs from {original}"));
            }
        }
    }
    let manifests: Vec<_> =
        blocks.iter().filter_map(Block::file).filter(|it| it.ends_with(".manifest")).collect();
    for block in blocks.iter().filter(|block| TREES.contains(&block.language())) {
        scratch.check(block, &manifests);
    }
    let mut text = page.text.clone();
    let mut moved = 0_isize;
    for block in blocks.iter().filter(|block| block.language() == "console") {
        let seen = scratch.run(block);
        if seen == block.text {
            continue;
        }
        if blessing() {
            let at = |byte: usize| byte.checked_add_signed(moved).expect("a byte of the page");
            text.replace_range(at(block.range.start)..at(block.range.end), &seen);
            moved += seen.len() as isize - block.text.len() as isize;
        } else {
            scratch.finding(&format!("a command prints\n{seen}\nand the page says\n{}", block.text));
        }
    }
    if blessing() && text != page.text {
        fs::write(&page.path, text).expect("the page is written");
    }
    for block in blocks.iter().filter(|block| block.language() == "cpp") {
        scratch.compile(block);
    }
    scratch.pictures(page);
    scratch.findings
}

impl Scratch {
    fn new(page: &Page) -> Self {
        let folder = if page.name == "README.md" {
            root()
        } else {
            let folder =
                Path::new(env!("CARGO_TARGET_TMPDIR")).join("book").join(page.name.replace('/', "-"));
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder).expect("a folder for the page");
            folder
        };
        Self { folder, name: page.name.clone(), findings: Vec::new() }
    }

    fn finding(&mut self, what: &str) {
        self.findings.push(format!("{}: {what}", self.name));
    }

    fn write(&mut self, file: &str, text: &str) {
        if self.name == "README.md" {
            return;
        }
        let path = self.folder.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, text).expect("a file of the page");
    }

    /// Runs the command `pleach`.
    fn pleach(&self, args: &[&str], input: &str) -> Output {
        use std::io::Write;
        let mut command = Command::new(env!("CARGO_BIN_EXE_pleach"));
        command.args(args).current_dir(&self.folder).env("NO_COLOR", "1");
        command.stdin(std::process::Stdio::piped());
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let mut child = command.spawn().expect("the command");
        // A command that does not read its input may have ended by now.
        let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
        child.wait_with_output().expect("an end")
    }

    /// Checks a tree. A tree that is wrong on purpose must have an error; other trees must be
    /// silent.
    fn check(&mut self, block: &Block, manifests: &[&str]) {
        let mut args = vec!["check"];
        let input = match block.file() {
            Some(file) if self.name != "README.md" => {
                args.push(file);
                ""
            }
            _ => {
                args.extend(["-", "--dialect", "pleach"]);
                block.text.as_str()
            }
        };
        manifests.iter().for_each(|manifest| args.extend(["--manifest", manifest]));
        let done = self.pleach(&args, input);
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        let is_good = if block.has("wrong") {
            done.status.code() == Some(1)
        } else {
            done.status.success() && !said.contains("warning")
        };
        if !is_good {
            self.finding(&format!("`pleach {}` says\n{said}\n{}", args.join(" "), block.text));
        }
    }

    /// Runs the commands of a block. Returns the block with their output.
    fn run(&mut self, block: &Block) -> String {
        let mut seen = String::new();
        for command in block.text.lines().filter_map(|line| line.strip_prefix("$ ")) {
            let (line, target) = command.split_once(" > ").map_or((command, None), |(a, b)| (a, Some(b)));
            let words = split(&line.replace("cargo run -q --profile try -- ", "pleach "));
            if words.first().is_none_or(|word| word != "pleach") {
                self.finding(&format!("`{command}` is no command of pleach"));
                continue;
            }
            let args: Vec<_> = words[1..].iter().map(String::as_str).collect();
            let done = self.pleach(&args, "");
            let expected = if block.has("fails") { 1 } else { 0 };
            let said = String::from_utf8_lossy(&done.stderr).into_owned();
            if done.status.code() != Some(expected) {
                self.finding(&format!("`{command}` exits with {:?}:\n{said}", done.status.code()));
            }
            let mut out = String::from_utf8_lossy(&done.stdout).into_owned();
            if let Some(file) = target {
                self.write(file, &out);
                out.clear();
            }
            seen += &format!("$ {command}\n{}", steady(&(out + &said)));
        }
        seen
    }

    /// Compiles a file of C++ against the headers of the C API.
    fn compile(&mut self, block: &Block) {
        let Some(file) = block.file() else {
            return self.finding("a block of C++ has no file name");
        };
        let headers = root().join("crates/pleach-capi/include");
        let mut command = Command::new("c++");
        command.args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I"]).arg(headers);
        let done =
            command.args(["-I", ".", file]).current_dir(&self.folder).output().expect("a C++ compiler");
        if !done.status.success() {
            self.finding(&format!("{file} does not compile:\n{}", String::from_utf8_lossy(&done.stderr)));
        }
    }

    /// Compares the pictures of the page's trees with what `pleach graph` draws.
    fn pictures(&mut self, page: &Page) {
        let files: Vec<_> =
            page.blocks().iter().filter_map(|block| block.file().map(str::to_owned)).collect();
        let links = page.links();
        for link in links.iter().filter(|link| link.contains("pictures/") && link.ends_with(".svg")) {
            let stem = Path::new(link).file_stem().expect("a name").to_string_lossy();
            let is_its = |file: &&String| Path::new(file).file_stem().is_some_and(|it| *it == *stem);
            let Some(file) = files.iter().find(is_its) else {
                self.finding(&format!("{link} is not called like a tree of the page"));
                continue;
            };
            let picture = self.pleach(&["graph", file], "").stdout;
            let path = page.path.parent().expect("a folder").join(link);
            if blessing() {
                fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
                fs::write(path, picture).expect("the picture is written");
            } else if fs::read(path).ok() != Some(picture) {
                self.finding(&format!("{link} is not what `pleach graph {file}` draws"));
            }
        }
    }
}

/// Returns the words of a command line. Single quotes keep words together.
fn split(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for letter in command.chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty())),
            _ => word.push(letter),
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

/// Returns an output with an ellipsis in place of the numbers that differ from run to run: a time
/// in seconds after `in`, and a number of agent-ticks.
fn steady(output: &str) -> String {
    let mut lines = String::new();
    for line in output.lines() {
        let mut words: Vec<_> = line.trim_end().split(' ').collect();
        for place in 1..words.len() {
            let is_time =
                words[place - 1] == "in" && words.get(place + 1).is_some_and(|it| it.starts_with('s'));
            let is_speed = words.get(place + 1) == Some(&"agent-ticks");
            if (is_time || is_speed) && words[place].starts_with(|first: char| first.is_ascii_digit()) {
                words[place] = "…";
            }
        }
        lines += &format!("{}\n", words.join(" "));
    }
    lines
}

#[test]
fn command_lines_are_cut_into_words() {
    assert_eq!(
        split("pleach replay a.rec --when 'ammo < 2'"),
        ["pleach", "replay", "a.rec", "--when", "ammo < 2"]
    );
}

#[test]
fn times_are_left_out() {
    let line = "  9 agents x 3 ticks in 0.02 s: 1,234 agent-ticks per millisecond, answers included\n";
    let steady_line = "  9 agents x 3 ticks in … s: … agent-ticks per millisecond, answers included\n";
    assert_eq!(steady(line), steady_line);
    assert_eq!(steady("to the end in 0.00 s, as it was"), "to the end in … s, as it was\n");
}
