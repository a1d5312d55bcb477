//! Modules of a crate and the paths between them, read from its sources.

use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

/// Path of a module or an item from the root of its crate.
pub(crate) type Path = Vec<String>;

/// Arrows between the modules of a folder, by the folder's path: importing module and imported
/// module.
pub(crate) type Arrows = BTreeMap<Path, BTreeSet<(String, String)>>;

/// Maximum number of imports that are followed from one to the next. Chains are short, and circles
/// end here.
const MOST_STEPS: usize = 16;

/// Module: its children, its imports, and all paths in it.
#[derive(Default)]
struct Module {
    children: BTreeSet<String>,
    /// Targets of imports by name.
    imports: BTreeMap<String, Path>,
    globs: Vec<Path>,
    paths: Vec<Path>,
}

/// All modules of a crate except those for tests.
#[derive(Default)]
pub(crate) struct Crate {
    modules: BTreeMap<Path, Module>,
}

impl Crate {
    /// Reads a crate from its root file. `source` returns the text of a file by its path from the
    /// folder `src`.
    pub(crate) fn read(root: &str, source: &dyn Fn(&str) -> Option<String>) -> Self {
        let mut read = Self::default();
        let text = source(root).unwrap_or_else(|| panic!("there is no {root}"));
        read.file(Vec::new(), &text, source);
        read
    }

    /// Reads a file, and the files of the modules that it declares.
    fn file(&mut self, module: Path, text: &str, source: &dyn Fn(&str) -> Option<String>) {
        let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{}: {error}", module.join("/")));
        self.items(module, &file.items, source);
    }

    fn items(&mut self, path: Path, items: &[Item], source: &dyn Fn(&str) -> Option<String>) {
        let mut module = Module::default();
        for item in items.iter().filter(|item| !is_for_tests(attributes(item))) {
            match item {
                Item::Mod(inner) => {
                    let name = inner.ident.to_string();
                    let child = [&path[..], std::slice::from_ref(&name)].concat();
                    module.children.insert(name);
                    match &inner.content {
                        Some((_, items)) => self.items(child, items, source),
                        None => {
                            let file = child.join("/");
                            let text =
                                source(&format!("{file}.rs")).or_else(|| source(&format!("{file}/mod.rs")));
                            self.file(child, &text.unwrap_or_else(|| panic!("there is no {file}")), source);
                        }
                    }
                }
                Item::Use(it) => module.import(Vec::new(), &it.tree),
                item => module.visit_item(item),
            }
        }
        self.modules.insert(path, module);
    }

    /// Returns the arrows of each folder, for imports in any form.
    pub(crate) fn arrows(&self) -> Arrows {
        let mut arrows = Arrows::new();
        for (from, module) in &self.modules {
            let named = module.paths.iter().chain(module.imports.values()).chain(&module.globs);
            for to in named.flat_map(|path| self.touched(from, path)) {
                let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
                if let (Some(one), Some(other)) = (from.get(common), to.get(common)) {
                    let folder = arrows.entry(from[..common].to_vec()).or_default();
                    folder.insert((one.clone(), other.clone()));
                }
            }
        }
        arrows
    }

    /// Returns the modules that a path leads to: each module on the way, and the one that has the
    /// item.
    fn touched(&self, from: &Path, path: &[String]) -> Vec<Path> {
        let mut touched = Vec::new();
        self.follow(from, path, 0, &mut touched);
        touched
    }

    /// Follows a path. Returns true if a module of this crate has the item.
    fn follow(&self, from: &Path, path: &[String], steps: usize, touched: &mut Vec<Path>) -> bool {
        let mut at = from.clone();
        let mut rest = path;
        while let [first, more @ ..] = rest {
            match &**first {
                "crate" => at.clear(),
                "self" => {}
                "super" => _ = at.pop(),
                name if self.modules[&at].children.contains(name) => at.push(name.to_owned()),
                name => {
                    // A plain name of another crate or of the language is not part of this crate.
                    let is_own = rest.len() < path.len() || steps > 0;
                    let found = self.import(&at, (name, more), steps, touched);
                    if is_own || found {
                        touched.push(at);
                    }
                    return is_own || found;
                }
            }
            rest = more;
        }
        touched.push(at);
        true
    }

    /// Follows the import of a module with this name, if there is one.
    fn import(
        &self,
        at: &Path,
        (name, rest): (&str, &[String]),
        steps: usize,
        touched: &mut Vec<Path>,
    ) -> bool {
        if steps == MOST_STEPS {
            return false;
        }
        let module = &self.modules[at];
        if let Some(path) = module.imports.get(name) {
            // An import of a crate by its own name stands for that crate.
            return path.first().is_none_or(|first| first != name)
                && self.follow(at, &[path, rest].concat(), steps + 1, touched);
        }
        let is_own = |path: &&Path| matches!(&*path[0], "crate" | "self" | "super");
        let globs: Vec<_> = module.globs.iter().filter(is_own).collect();
        globs.into_iter().any(|glob| {
            let path = [&glob[..], &[name.to_owned()], rest].concat();
            self.follow(at, &path, steps + 1, touched)
        })
    }
}

impl Module {
    /// Records an import with all its names.
    fn import(&mut self, mut path: Path, tree: &UseTree) {
        let mut add = |path: Path, name: String| _ = self.imports.insert(name, path);
        match tree {
            UseTree::Path(it) => {
                path.push(it.ident.to_string());
                self.import(path, &it.tree);
            }
            UseTree::Name(it) if it.ident == "self" => {
                let name = path.last().cloned().unwrap_or_default();
                add(path, name);
            }
            UseTree::Name(it) => {
                path.push(it.ident.to_string());
                add(path, it.ident.to_string());
            }
            UseTree::Rename(it) => {
                if it.ident != "self" {
                    path.push(it.ident.to_string());
                }
                // Each `_` is an import of its own.
                let nameless = format!("_{}", path.join("::"));
                add(path, if it.rename == "_" { nameless } else { it.rename.to_string() });
            }
            UseTree::Glob(_) => self.globs.push(path),
            UseTree::Group(it) => it.items.iter().for_each(|tree| self.import(path.clone(), tree)),
        }
    }

    /// Records the paths among the tokens of a macro, whose meaning is unknown.
    fn tokens(&mut self, tokens: proc_macro2::TokenStream) {
        let mut path = Path::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                proc_macro2::TokenTree::Punct(it) if it.as_char() == ':' => colons += 1,
                proc_macro2::TokenTree::Ident(it) => {
                    if colons != 2 {
                        self.paths.extend(Some(std::mem::take(&mut path)).filter(|path| !path.is_empty()));
                    }
                    path.push(it.to_string());
                    colons = 0;
                }
                token => {
                    self.paths.extend(Some(std::mem::take(&mut path)).filter(|path| !path.is_empty()));
                    colons = 0;
                    if let proc_macro2::TokenTree::Group(it) = token {
                        self.tokens(it.stream());
                    }
                }
            }
        }
        self.paths.extend(Some(path).filter(|path| !path.is_empty()));
    }
}

impl<'ast> Visit<'ast> for Module {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.paths.push(path.segments.iter().map(|it| it.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_item_use(&mut self, it: &'ast syn::ItemUse) {
        self.import(Vec::new(), &it.tree);
    }

    fn visit_macro(&mut self, it: &'ast syn::Macro) {
        self.tokens(it.tokens.clone());
        visit::visit_macro(self, it);
    }

    /// Attributes contain no imported names.
    fn visit_attribute(&mut self, _: &'ast Attribute) {}
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Mod(it) => &it.attrs,
        Item::Use(it) => &it.attrs,
        Item::Fn(it) => &it.attrs,
        Item::Impl(it) => &it.attrs,
        Item::Struct(it) => &it.attrs,
        _ => &[],
    }
}

/// Returns true for an item that exists only in tests: `cfg(test)`, `cfg(all(test, ...))`,
/// `cfg(doctest)`.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().filter(|it| it.path().is_ident("cfg")).any(|it| {
        let condition = quote(it);
        condition == "test" || condition == "doctest" || condition.starts_with("all(test")
    })
}

/// Returns the condition of a `cfg`, without spaces.
fn quote(attribute: &Attribute) -> String {
    let tokens = attribute.meta.require_list().map(|list| list.tokens.to_string());
    tokens.unwrap_or_default().replace(' ', "")
}
