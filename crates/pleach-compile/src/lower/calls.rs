//! Calls of the host, each written once.
//!
//! Trees say the same in many places: `action roam`, `isVisible(E_ENEMY)`. A call is a function and
//! its arguments, and where it is made the instruction knows. So an image is smaller by most of its
//! calls, and a game links fewer, for a look-up where trees are lowered. Floats are the same if
//! their bits are.
//!
//! ```text
//!   action moveTo( E_ENEMY )    site 0
//!   action roam                 site 1
//!   action moveTo( E_ENEMY )    site 0
//! ```

use super::Lowering;
use crate::ast::{Arg, Value};
use crate::ir::{Import, ImportKind, Module, Site};
use crate::text::Sym;
use core::hash::{BuildHasher, Hasher};
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};

/// The calls of a module.
#[derive(Debug, Default)]
pub(super) struct Known {
    imports: HashMap<(ImportKind, Sym), u32>,
    /// Lists of arguments, each once, by hash.
    lists: HashTable<List>,
    /// Sites by import and number of the list of arguments.
    sites: HashMap<(u32, u32), u32>,
    /// The arguments that were looked at last. All conditions of a rule have the same ones, one
    /// after the other.
    last: Option<Written>,
    hasher: DefaultHashBuilder,
}

/// List of arguments.
#[derive(Clone, Copy, Debug)]
struct List {
    hash: u64,
    /// Number of the list, from 1. The empty list is 0.
    number: u32,
    /// Range of [`Module::args`] that holds the arguments.
    args: (u32, u32),
}

/// List of arguments as written, which may be passed by several calls.
#[derive(Clone, Copy, Debug)]
struct Written {
    /// Range of [`crate::ast::File::args`].
    written: (u32, u32),
    /// Number of the list.
    number: u32,
    /// Range of [`Module::args`] that holds the arguments.
    args: (u32, u32),
}

impl Lowering<'_, '_> {
    /// Returns the call with arguments as written.
    pub(super) fn site(&mut self, kind: ImportKind, name: Sym, args: (u32, u32)) -> u32 {
        let import = self.import(kind, name);
        let variables = &self.variables;
        let value = |arg: &Arg| match arg.value {
            Value::Variable(variable) => variables[variable as usize].argument(),
            value => value,
        };
        let values = self.file.args(args).iter().map(value);
        let last = self.calls.last.filter(|last| last.written == args);
        let number =
            last.map_or_else(|| self.calls.list(&self.module.args, values.clone()), |last| last.number);
        let site = self.calls.site(&mut self.module, import, number, values, last.map(|last| last.args));
        if number > 0 {
            let passed = self.module.sites[site as usize].args;
            self.calls.last = Some(Written { written: args, number, args: passed });
        }
        site
    }

    /// Returns the call with one argument that is not written.
    pub(super) fn site_with(&mut self, kind: ImportKind, name: Sym, value: Value) -> u32 {
        let import = self.import(kind, name);
        let values = core::iter::once(value);
        let number = self.calls.list(&self.module.args, values.clone());
        self.calls.site(&mut self.module, import, number, values, None)
    }

    /// Returns the import of a function, which is written down if it is new.
    fn import(&mut self, kind: ImportKind, name: Sym) -> u32 {
        if let Some(import) = self.calls.imports.get(&(kind, name)) {
            return *import;
        }
        let arity = if self.optional { (0, u16::MAX) } else { self.arity(kind, name) };
        let import = self.module.imports.len() as u32;
        self.module.imports.push(Import { kind, name, arity, optional: self.optional });
        self.calls.imports.insert((kind, name), import);
        import
    }

    /// The arity a function was declared with; a word of the dialect that is no declared function
    /// takes any.
    fn arity(&self, kind: ImportKind, name: Sym) -> (u16, u16) {
        let manifest = self.session.manifest;
        let functions = match kind {
            ImportKind::Action => &manifest.actions,
            ImportKind::Query => &manifest.queries,
        };
        let name = self.session.names.bytes(name);
        let declared = functions.iter().find(|function| function.name.as_bytes() == name);
        declared.map_or((0, u16::MAX), |it| (it.min_args() as u16, it.max_args() as u16))
    }
}

/// Some values, which can be looked through more than once.
trait Values: ExactSizeIterator<Item = Value> + Clone {}

impl<I: ExactSizeIterator<Item = Value> + Clone> Values for I {}

impl Known {
    /// Forgets all calls but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.imports.clear();
        self.lists.clear();
        self.sites.clear();
        self.last = None;
    }

    /// Returns the number of a list of arguments. A new list must be passed by a new site, which
    /// follows.
    fn list(&mut self, args: &[Value], values: impl Values) -> u32 {
        if values.len() == 0 {
            return 0;
        }
        let mut hasher = self.hasher.build_hasher();
        values.clone().for_each(|value| hasher.write_u64(bits(value)));
        let hash = hasher.finish();
        let known = |list: &List| {
            let known = &args[list.args.0 as usize..][..list.args.1 as usize];
            known.iter().map(|known| bits(*known)).eq(values.clone().map(bits))
        };
        if let Some(list) = self.lists.find(hash, known) {
            return list.number;
        }
        let number = self.lists.len() as u32 + 1;
        let list = List { hash, number, args: (args.len() as u32, values.len() as u32) };
        self.lists.insert_unique(hash, list, |list| list.hash);
        number
    }

    /// Returns the call with these arguments, which is written down if it is new. `shared` are the
    /// same values, if they are among the module's arguments already.
    fn site(
        &mut self,
        module: &mut Module,
        import: u32,
        list: u32,
        values: impl Values,
        shared: Option<(u32, u32)>,
    ) -> u32 {
        let Module { sites, args, .. } = module;
        *self.sites.entry((import, list)).or_insert_with(|| {
            let passed = shared.unwrap_or((args.len() as u32, values.len() as u32));
            if shared.is_none() {
                args.extend(values);
            }
            sites.push(Site { import, args: passed });
            sites.len() as u32 - 1
        })
    }
}

/// Returns all that a value is, as one number. Floats are the same if their bits are.
fn bits(value: Value) -> u64 {
    let (kind, bits) = match value {
        Value::Int(int) => (0, int as u32),
        Value::Float(float) => (1, float.to_bits()),
        Value::Text(text) => (2, text.0),
        Value::Variable(variable) => (3, variable),
        Value::Expression(expression) => (4, expression),
    };
    u64::from(bits) << 32 | kind
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::dragengine::Dragengine;
    use crate::dialect::pleach::Pleach;
    use crate::manifest::Manifest;
    use crate::session::Session;
    use crate::texts::Texts;

    /// A parameter is four values: its name, and its text, integer and float.
    #[test]
    fn conditions_of_a_rule_share_its_parameters() {
        for count in [10, 1000] {
            let parameters: String =
                (0..count).map(|n| format!("<parameter name='p{n}'>{n}</parameter>")).collect();
            let conditions: String = (0..count).map(|n| format!("<condition>c{n}</condition>")).collect();
            let text = format!(
                "<behaviorTree><action id='a' name='a'>{parameters}{conditions}{conditions}</action></behaviorTree>"
            );
            let (library, manifest) = (Texts::of("t", "debt", text), Manifest::default());
            let mut session = Session::new(&library, &manifest);
            let module = crate::internals::module(&mut session, &Dragengine, &["t".to_owned()]);
            let module = module.unwrap_or_else(|| panic!("{:?}", session.diagnostics));
            assert_eq!(module.sites.len(), count + 1);
            assert_eq!(module.args.len(), 4 * count);
        }
    }

    #[test]
    fn calls_that_are_the_same_are_one() {
        let text =
            "action go(to: int, at: float) action stop() query far(to: int): bool query deep(to: int): bool
            tree t { sequence {
                condition far(1)
                action stop
                action go(1, 0.0)
                action go(1, -0.0)
                condition deep(1)
                action go(2, 0.0)
                condition far(1)
                action go(1, 0.0)
                action stop
            } }";
        let (library, manifest) = (Texts::of("t", "pleach", text), Manifest::default());
        let mut session = Session::new(&library, &manifest);
        let module = crate::internals::module(&mut session, &Pleach, &["t".to_owned()]);
        let module = module.unwrap_or_else(|| panic!("{:?}", session.diagnostics));
        let call = |site: &Site| {
            let name = module.names.text(module.imports[site.import as usize].name);
            format!("{name} {:?}", &module.args[site.args.0 as usize..][..site.args.1 as usize])
        };
        let calls: Vec<_> = module.sites.iter().map(call).collect();
        let [one, two] = ["go [Int(1), Float(0.0)]", "go [Int(2), Float(0.0)]"];
        assert_eq!(calls, ["far [Int(1)]", "deep [Int(1)]", "stop []", one, "go [Int(1), Float(-0.0)]", two]);
        assert_eq!(module.args.len(), 8, "no argument is left behind");
    }
}
