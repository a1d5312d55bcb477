//! Names that authors give to nodes, in debug information.

use super::file;
use pleach_compile::dialect::by_name;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use pleach_compile::{Request, compile};
use pleach_image::{Image, listing};

const OTHERS: &str = "<BehaviorTree ID='Rest'><AlwaysSuccess name='ok'/></BehaviorTree>\
    <TreeNodesModel><Action ID='Go'/></TreeNodesModel>";

fn image(node: &str, debug: bool) -> Image<Vec<u8>> {
    let (dialect, entries) = (by_name("btcpp").expect("a dialect"), ["main".to_owned()]);
    let request = Request { dialect, manifest: &Manifest::default(), entries: &entries, debug };
    let done = compile(&Texts::of("main", "xml", file(node, OTHERS)), request);
    Image::new(done.image.expect("no errors")).expect("it is valid")
}

#[test]
fn subtrees_and_leaves_keep_their_names() {
    let nodes = "<Sequence name='all'><SubTree ID='Rest'/><SubTree ID='Rest' name='bed'/>\
        <Go/><Go name='Go'/><Action ID='Go' name='to &quot;x&quot;'/></Sequence>";
    let image = image(nodes, true);
    let first = image.statuses().expect("nodes keep their statuses").node;
    let labels: Vec<_> = (first + 1..=image.meta().nodes as u16).map(u32::from).collect();
    let labels: Vec<_> = labels.into_iter().map(|node| listing::label(&image, node)).collect();
    assert_eq!(
        labels,
        [
            "Sequence all",
            "SubTree Rest",
            "AlwaysSuccess ok",
            "SubTree Rest \"bed\"",
            "AlwaysSuccess ok",
            "Action Go",
            "Action Go",
            "Action Go \"to \"x\"\"",
        ]
    );
    let named = |name: &str| listing::nodes_named(&image, name).map_err(|_| name.to_owned());
    let bed = u32::from(first) + 4;
    assert_eq!(named("bed"), Ok(vec![bed]));
    assert_eq!(named("SubTree Rest \"bed\""), Ok(vec![bed]));
    assert_eq!(image.debug_title(bed).as_deref(), Some("bed"));
    assert_eq!(image.debug_title(bed + 1), None);
}

#[test]
fn files_with_names_of_nodes_are_of_a_later_version() {
    let minor = |node: &str, debug: bool| image(node, debug).bytes()[14];
    assert_eq!(minor("<Go/>", true), 3);
    assert_eq!(minor("<Go name='x'/>", false), 3);
    assert_eq!(minor("<Go name='x'/>", true), 5);
}
