//! Conversion of a case's trees to a module.

use pleach_compile::diagnostic::Severity;
use pleach_compile::dialect::Dialect;
use pleach_compile::internals::ast::{File, Role};
use pleach_compile::internals::ir::{Kind, Module, NodeIndex};
use pleach_compile::internals::lower::lower;
use pleach_compile::internals::session::Session;
pub(super) use pleach_compile::source::Library;
use pleach_compile::source::{Found, OriginKind, Sources};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Loaded tree at two stages: AST and module.
pub(super) struct Program {
    pub(super) file: File,
    pub(super) module: Module,
    sources: Sources,
}

impl Program {
    /// Loads the named trees. Fails with the first error.
    pub(super) fn build(library: &dyn Library, entries: &[String]) -> Result<Self, String> {
        let dialect: &dyn Dialect = &pleach_compile::internals::dialects::Unvanquished;
        let manifest = dialect.own_manifest();
        let mut session = Session::new(library, &manifest);
        let file = dialect.parse(&mut session, entries);
        sound(&session)?;
        let module = lower(&mut session, &file, dialect.vocabulary(), entries);
        sound(&session)?;
        Ok(Self { file, module, sources: session.sources })
    }

    /// Returns the entry for a tree of a behavior, as an index in [`Module::entries`].
    pub(super) fn entry(&self, tree: &str, role: Role) -> Option<usize> {
        let is_it = |entry: &u32| {
            let block = &self.module.blocks[*entry as usize];
            block.role == role && self.module.names.bytes(block.name) == tree.as_bytes()
        };
        self.module.entries.iter().position(is_it)
    }

    /// Returns the names of the nodes in cases: `tree` for a tree itself, `tree:k` for its k-th
    /// node in pre-order, `tree:ck` in its class tree. An include stands for the included tree, so
    /// it is not counted.
    pub(super) fn node_names(&self) -> Vec<String> {
        let mut names = Vec::with_capacity(self.module.nodes.len());
        for block in &self.module.blocks {
            let tree = self.module.names.text(block.name);
            let class = if block.role == Role::Class { "c" } else { "" };
            let mut count = 0;
            for node in block.root..self.module.nodes[block.root as usize].end {
                match self.module.nodes[node as usize].kind {
                    Kind::Tree | Kind::Call(_) => names.push(tree.to_string()),
                    _ => {
                        names.push(format!("{tree}:{class}{count}"));
                        count += 1;
                    }
                }
            }
        }
        names
    }

    /// Returns the line in which a node takes effect: the use of its macro, if a macro wrote it.
    pub(super) fn line(&self, node: NodeIndex) -> Option<u32> {
        let mut span = self.module.nodes[node as usize].span?;
        while let Some(origin) = self.sources.origin(span.origin)
            && origin.kind == OriginKind::Macro
        {
            span = origin.at;
        }
        Some(self.sources.place(span).line)
    }
}

fn sound(session: &Session<'_>) -> Result<(), String> {
    let mut errors = session.diagnostics.list().iter().filter(|it| it.severity == Severity::Error);
    errors.next().map_or(Ok(()), |error| Err(format!("{}: {}", error.code.id, error.message)))
}

/// Trees in the text of a case, by name. Each character stands for one byte.
pub(super) struct Inline<'c>(pub(super) &'c BTreeMap<String, String>);

impl Library for Inline<'_> {
    fn tree(&self, name: &str) -> Option<Found> {
        let text: Vec<u8> = self.0.get(name)?.chars().map(|byte| byte as u8).collect();
        Some(Found { name: format!("bots/{name}.bt"), text: text.into() })
    }

    fn include(&self, path: &str) -> Option<Found> {
        self.tree(tree_at(path)?)
    }
}

/// Trees in a folder.
pub(super) struct Corpus(pub(super) PathBuf);

impl Library for Corpus {
    fn tree(&self, name: &str) -> Option<Found> {
        let text = std::fs::read(tree_file(&self.0, name)).ok()?;
        Some(Found { name: format!("bots/{name}.bt"), text: text.into() })
    }

    fn include(&self, path: &str) -> Option<Found> {
        self.tree(tree_at(path)?)
    }
}

/// Returns the path of the tree of this name in a folder.
pub(super) fn tree_file(dir: &Path, name: &str) -> PathBuf {
    dir.join(format!("{name}.bt"))
}

/// Returns the name of the tree at a path. The game has no other files.
fn tree_at(path: &str) -> Option<&str> {
    path.strip_prefix("bots/")?.strip_suffix(".bt")
}

/// Converts bytes to the characters that stand for them in cases.
pub(super) fn characters(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}
