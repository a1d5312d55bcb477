//! A known name in the place of an unknown one: `near name`.

use super::{Place, Refusal, refused};
use crate::change::Replacement;
use crate::document::{Context, Document, Mention, Space};
use crate::project::Project;
use pleach_image::suggest::closest;

pub(super) fn replace(place: Place<'_>, at: u32) -> Result<Vec<Replacement>, Refusal> {
    let file = place.project.file(place.file);
    let mention = file.and_then(|file| file.mention_at(at));
    let Some(mention) = mention else { return refused("there is no name here") };
    match place.project.near_name(place.file, mention) {
        Some(name) => Ok(vec![Replacement::new(mention.range, name)]),
        None => refused(format!("no name is near to `{}`", mention.name)),
    }
}

impl Project {
    /// Returns the known name that is spelled most like an unknown name; `None` if the name is
    /// known or no other is near enough.
    #[must_use]
    pub fn near_name(&self, file: &str, mention: &Mention) -> Option<String> {
        let symbol = self.resolve(file, mention);
        if self.declaration(file, &symbol).is_some() {
            return None;
        }
        let is_qualifier = mention.context == Some(Context::Qualifier);
        let fits = |space: &Space| match space {
            Space::Value => is_qualifier || mention.space == Space::Value,
            Space::Member(_) => mention.space == Space::Value || *space == mention.space,
            space => *space == mention.space,
        };
        let document: &Document = self.file(file)?.document();
        let locals = document.locals_at(mention.range.0).map(|range| document.slice(range));
        let locals = locals.filter(|_| is_qualifier || mention.space == Space::Value);
        let known = self.declarations(file).filter(|(_, it)| fits(&it.space)).map(|(_, it)| &*it.name);
        closest(&mention.name, locals.chain(known)).map(str::to_owned)
    }
}
