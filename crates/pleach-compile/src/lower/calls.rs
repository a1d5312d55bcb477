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

use super::{Expr, ImportKind, Lowering, Sym, Value};
use crate::ast::NO_VARIABLE;
use crate::by_sym::BySym;
use crate::ir::{Import, Module, Site};
use core::hash::{BuildHasher, Hasher};
use hashbrown::{DefaultHashBuilder, HashTable};
use pleach_image::splitmix::GAMMA;

/// The calls of a module.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// Imports by kind and name.
    imports: [BySym<u32>; 2],
    /// Sites, each with the hash of its import and arguments.
    sites: HashTable<(u64, u32)>,
    /// The arguments that were looked at last. All conditions of a rule have the same ones, one
    /// after the other.
    last: Option<Written>,
    hasher: DefaultHashBuilder,
}

/// List of arguments as written, which may be passed by several calls.
#[derive(Clone, Copy, Debug)]
struct Written {
    /// Range of [`crate::ast::File::args`].
    written: (u32, u32),
    /// Hash of the arguments.
    hash: u64,
    /// Range of [`Module::args`] that holds the arguments.
    args: (u32, u32),
}

impl Lowering<'_, '_> {
    /// Returns the call with arguments as written.
    pub(super) fn site(&mut self, kind: ImportKind, name: Sym, args: (u32, u32)) -> u32 {
        let import = self.import(kind, name);
        let variables = &self.known.variables;
        let slot = |variable: u32| match variables.get(variable as usize) {
            Some(Expr::Slot(slot)) => (*slot).into(),
            _ => NO_VARIABLE,
        };
        let value = |arg: &Value| match *arg {
            Value::Variable(variable) => match variables[variable as usize] {
                Expr::Slot(slot) => Value::Variable(slot.into()),
                _ => Value::Int(0),
            },
            Value::Out(variable, given) => Value::Out(slot(variable), slot(given)),
            value => value,
        };
        let values = self.file.args(args).iter().map(value);
        let last = self.known.calls.last.filter(|last| last.written == args);
        let hash = last.map_or_else(|| self.known.calls.hash(values.clone()), |last| last.hash);
        let site = self.known.calls.site(&mut self.module, import, values, hash, last.map(|last| last.args));
        if args.1 > 0 {
            let passed = self.module.sites[site as usize].args;
            self.known.calls.last = Some(Written { written: args, hash, args: passed });
        }
        site
    }

    /// Returns the call of an action with one argument that is not written.
    pub(super) fn action_with(&mut self, name: Sym, value: Value) -> u32 {
        let import = self.import(ImportKind::Action, name);
        let values = core::iter::once(value);
        let hash = self.known.calls.hash(values.clone());
        self.known.calls.site(&mut self.module, import, values, hash, None)
    }

    /// Returns the import of a function that trees use.
    pub(super) fn known_import(&self, kind: ImportKind, name: Sym) -> Option<u32> {
        self.known.calls.imports[index(kind)].known(name)
    }

    /// Returns the import of a function, which is written down if it is new.
    #[inline(always)]
    fn import(&mut self, kind: ImportKind, name: Sym) -> u32 {
        if let Some(import) = self.known_import(kind, name) {
            return import;
        }
        let arity = if self.optional { (0, u16::MAX) } else { self.arity(kind, name) };
        let import = self.module.imports.len() as u32;
        self.module.imports.push(Import { kind, name, arity, optional: self.optional });
        self.known.calls.imports[index(kind)].set(name, import);
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
        declared.map_or((0, u16::MAX), |it| {
            (it.min_args() as u16, it.max_args().saturating_add(it.answer_args()).min(0xffff) as u16)
        })
    }
}

/// Returns the index of a kind of functions in [`Calls::imports`].
fn index(kind: ImportKind) -> usize {
    usize::from(kind == ImportKind::Query)
}

/// Some values, which can be looked through more than once.
trait Values: ExactSizeIterator<Item = Value> + Clone {}

impl<I: ExactSizeIterator<Item = Value> + Clone> Values for I {}

impl Calls {
    /// Forgets all calls but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.imports.iter_mut().for_each(BySym::clear);
        self.sites.clear();
        self.last = None;
    }

    /// Returns the hash of a list of arguments.
    fn hash(&self, values: impl Values) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        values.for_each(|value| hasher.write_u128(bits(value)));
        hasher.finish()
    }

    /// Returns the call with these arguments, which is written down if it is new. `hash` is that of
    /// the arguments. `shared` are the same values, if they are among the module's arguments
    /// already.
    #[inline(always)]
    fn site(
        &mut self,
        module: &mut Module,
        import: u32,
        values: impl Values,
        hash: u64,
        shared: Option<(u32, u32)>,
    ) -> u32 {
        let Module { sites, args, .. } = module;
        let hash = hash.wrapping_add(u64::from(import).wrapping_mul(GAMMA));
        let known = |(_, site): &(u64, u32)| {
            let Site { import: called, args: (first, count) } = sites[*site as usize];
            let passed = || args[first as usize..][..count as usize].iter().map(|value| bits(*value));
            called == import && (shared == Some((first, count)) || passed().eq(values.clone().map(bits)))
        };
        if let Some((_, site)) = self.sites.find(hash, known) {
            return *site;
        }
        let passed = shared.unwrap_or((args.len() as u32, values.len() as u32));
        if shared.is_none() {
            args.extend(values);
        }
        let site = sites.len() as u32;
        sites.push(Site { import, args: passed });
        self.sites.insert_unique(hash, (hash, site), |(hash, _)| *hash);
        site
    }
}

/// Returns all that a value is, as one number. Floats are the same if their bits are.
fn bits(value: Value) -> u128 {
    let (kind, bits) = match value {
        Value::Int(int) => (0, u64::from(int as u32)),
        Value::Float(float) => (1, float.to_bits().into()),
        Value::Text(text) => (2, text.0.into()),
        Value::Variable(variable) => (3, variable.into()),
        Value::Expression(expression) => (4, expression.into()),
        Value::Int64(wide) => (5, wide.bits()),
        Value::Double(wide) => (6, wide.bits()),
        Value::Nobody => (7, 0),
        Value::Out(slot, given) => (8, u64::from(slot) << 32 | u64::from(given)),
    };
    u128::from(bits) << 32 | kind
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
