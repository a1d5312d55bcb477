//! Parts of the module that are the same for all programs.

/// First part of the trait.
pub(super) const TRAIT: &str = "
/// The actions and queries of the trees, as methods of the game. [`Functions`] makes a host of
/// the game.
pub trait Game {
    /// See [`::pleach::Host::halt`].
    fn on_halt(&mut self, _call: &mut ::pleach::Call<'_>, _reason: ::pleach::Halt) {}

    /// See [`::pleach::Host::log`].
    fn on_log(&mut self, _agent: ::pleach::Agent, _node: u32, _kind: ::pleach::host::LogKind, _text: &[u8]) {}

    /// See [`::pleach::Host::ran_away`].
    fn on_run_away(&mut self, _run: &::pleach::host::RunawayTick<'_>) {}

    /// See [`::pleach::Host::effect`].
    fn effect_of(&self, _kind: ::pleach::Function, _name: &str) -> ::pleach::host::Effect {
        ::pleach::host::Effect::Own
    }

    /// See [`::pleach::Host::column`].
    fn column_of(&self, _query: &str) -> Option<::pleach::values::Type> {
        None
    }

    /// See [`::pleach::Host::knows`].
    fn knows(&mut self, _kind: ::pleach::Function, _name: &str, _agent: ::pleach::Agent) -> bool {
        true
    }
";

/// First part of the host.
pub(super) const HOST: &str = "fn names_of(kind: ::pleach::Function) -> &'static [&'static str] {
    match kind {
        ::pleach::Function::Action => ACTIONS,
        ::pleach::Function::Query => QUERIES,
    }
}

extern crate alloc;

/// A game as a host.
#[derive(Clone, Debug, Default)]
pub struct Functions<G>(pub G);

impl<G: Game> ::pleach::Host for Functions<G> {
    fn resolve(&self, kind: ::pleach::Function, name: &str) -> Option<u32> {
        names_of(kind).binary_search(&name).ok().map(|number| number as u32)
    }

    fn names(&self, kind: ::pleach::Function) -> alloc::vec::Vec<alloc::string::String> {
        names_of(kind).iter().map(|&name| name.into()).collect()
    }

    fn effect(&self, kind: ::pleach::Function, function: u32) -> ::pleach::host::Effect {
        let name = names_of(kind).get(function as usize);
        name.map_or(::pleach::host::Effect::Own, |name| self.0.effect_of(kind, name))
    }

    fn column(&self, query: u32) -> Option<::pleach::values::Type> {
        self.0.column_of(QUERIES.get(query as usize)?)
    }

    fn knows(&mut self, kind: ::pleach::Function, number: u32, agent: ::pleach::Agent) -> bool {
        let name = names_of(kind).get(number as usize);
        name.is_some_and(|name| self.0.knows(kind, name, agent))
    }

    fn halt(&mut self, call: &mut ::pleach::Call<'_>, reason: ::pleach::Halt) {
        self.0.on_halt(call, reason);
    }

    fn log(&mut self, agent: ::pleach::Agent, node: u32, kind: ::pleach::host::LogKind, text: &[u8]) {
        self.0.on_log(agent, node, kind, text);
    }

    fn ran_away(&mut self, run: &::pleach::host::RunawayTick<'_>) {
        self.0.on_run_away(run);
    }
";
