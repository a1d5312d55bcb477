//! App without a window, and trees from text.

use bevy_app::{App, TaskPoolPlugin, Update};
use bevy_asset::{AssetPlugin, Assets, Handle};
use bevy_ecs::prelude::*;
use pleach_bevy::pleach::Image;
use pleach_bevy::prelude::*;
use pleach_compile::{Request, compile, dialect, texts::Texts};

/// Returns the bytes of an image of a file with these trees.
pub(crate) fn bytes(source: &str) -> Vec<u8> {
    let dialect = dialect::by_name("pleach").expect("our own language");
    let (texts, manifest) = (Texts::of("test", "pleach", source), dialect.own_manifest());
    let done =
        compile(&texts, Request { dialect, manifest: &manifest, entries: &["test".into()], debug: true });
    done.image.unwrap_or_else(|| panic!("{:?}", done.diagnostics))
}

pub(crate) fn trees(source: &str) -> Trees {
    Trees::new(Image::copy(&bytes(source)).expect("a valid image"))
}

pub(crate) fn app() -> App {
    app_with(PleachPlugin::in_schedule(Update))
}

pub(crate) fn app_with(plugin: PleachPlugin) -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), AssetPlugin::default(), plugin));
    app
}

pub(crate) fn add(app: &mut App, source: &str) -> Handle<Trees> {
    app.world_mut().resource_mut::<Assets<Trees>>().add(trees(source))
}

/// Returns all messages of a kind that were written since the last call.
pub(crate) fn messages<M: Message>(app: &mut App) -> Vec<M> {
    app.world_mut().resource_mut::<Messages<M>>().drain().collect()
}
