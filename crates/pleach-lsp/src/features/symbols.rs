//! Search for things by their names, in all files.

use super::outline::kind;
use crate::snapshot::Snapshot;
use gen_lsp_types::{BaseSymbolInformation, WorkspaceSymbol, WorkspaceSymbolLocation, WorkspaceSymbolParams};
use pleach_edit::DeclarationKind;

/// Largest number of answers.
const MOST: usize = 1_000;

pub(crate) fn search(now: &Snapshot, params: &WorkspaceSymbolParams) -> Vec<WorkspaceSymbol> {
    let wanted = params.query.to_lowercase();
    let files = now.project.files().inspect(|_| now.pause());
    let all = files.flat_map(|(name, file)| file.declarations().iter().map(move |it| (name, it)));
    let own = all.filter(|(_, it)| !matches!(it.kind, DeclarationKind::Parameter));
    let matching = own.filter(|(_, it)| fits(&it.name.to_lowercase(), &wanted));
    let symbol = |(name, it): (&str, &pleach_edit::Declaration)| WorkspaceSymbol {
        location: WorkspaceSymbolLocation::Location(now.location(name, it.range)),
        data: None,
        base_symbol_information: BaseSymbolInformation {
            name: it.name.to_string(),
            kind: kind(it.kind),
            tags: None,
            container_name: it.owner().map(|owner| match owner {
                pleach_edit::Owner::Tree(name) | pleach_edit::Owner::Action(name) => name.to_string(),
                pleach_edit::Owner::Query(name) => name.to_string(),
            }),
        },
    };
    matching.take(MOST).map(symbol).collect()
}

/// Returns true if all letters of `wanted` are in a name, in their order.
fn fits(name: &str, wanted: &str) -> bool {
    let mut letters = name.chars();
    wanted.chars().all(|letter| letters.any(|it| it == letter))
}
