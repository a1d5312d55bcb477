//! Commands of the book that only a checkout or a game can run.

use crate::page::Page;
use std::collections::BTreeSet;

/// Line of an `sh` block, and the place where the command is run.
const COMMANDS: &[(&str, &str)] = &[
    ("cargo test --workspace", ".ci/run"),
    ("cargo install --profile try --path tools/pleach-cli", "by hand; .ci/run builds the same command"),
    ("pleach new ../arena && cd ../arena && cargo run", ".ci/run"),
    ("pleach new arena && cd arena && cargo run", ".ci/run"),
    ("pleach new arena --lang cpp && cd arena", ".ci/run"),
    ("cmake -S . -B build && cmake --build build && build/arena build/guard.plc", ".ci/run"),
    ("pleach new arena --lang bevy && cd arena && cargo run", ".ci/run"),
    ("pip install ./python", ".ci/run"),
    ("cargo run -q --release -p pleach-benches --bin ratios", "by hand, when figures are measured"),
];

/// Returns commands that nothing runs, and rows of the table that no page has.
pub(crate) fn findings(pages: &[Page]) -> Vec<String> {
    let mut unused: BTreeSet<_> = COMMANDS.iter().map(|(command, _)| *command).collect();
    let mut findings = Vec::new();
    for page in pages {
        let blocks = page.blocks().into_iter().filter(|block| block.language() == "sh");
        for line in blocks.flat_map(|block| block.text.lines().map(str::to_owned).collect::<Vec<_>>()) {
            unused.remove(line.as_str());
            if !COMMANDS.iter().any(|(command, _)| *command == line) {
                findings.push(format!("{}: nothing runs `{line}`", page.name));
            }
        }
    }
    findings.extend(unused.iter().map(|command| format!("no page has the command `{command}`")));
    findings
}
