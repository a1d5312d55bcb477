//! The axes of manifests.

use super::text::{Axis, Files, Text};
use pleach_compile::manifest::Manifest;

/// Manifests.
pub(super) const MANIFEST: Text = Text {
    name: "manifest",
    skeleton: "manifest m\n{lines}",
    slots: &[("lines", "action a()\n")],
    axes: &[LINES],
    tried: read,
};

fn read(files: &Files<'_>) {
    let (manifest, problems) = Manifest::parse(files.main());
    assert!(manifest.action("a").is_none_or(|it| it.max_args() < usize::MAX) || problems.is_empty());
}

const LINES: &[Axis] = &[
    Axis("actions", &[("lines", "«action a{i}()\n»")]),
    Axis("queries", &[("lines", "«query q{i}() -> int\n»")]),
    Axis("symbols", &[("lines", "«symbol S{i} = {i}\n»")]),
    Axis("names of the manifest", &[("lines", "«manifest m{i}\n»")]),
    Axis("parameters", &[("lines", "action p(«x{i}: int, »y: int)\n")]),
    Axis("parameters of a name", &[("lines", "action o(«x: int, »y: int)\n")]),
    Axis("optional parameters", &[("lines", "action r(«x{i}: int?, »y: int = 1)\n")]),
    Axis("words", &[("lines", "action w(x: {«w{i} »last})\n")]),
    Axis("the same word", &[("lines", "action v(x: {«w »last})\n")]),
    Axis("traits", &[("lines", "action t() «hears »\n")]),
    Axis("bytes", &[("lines", "action d() data {n}\n")]),
    Axis("length of a name", &[("lines", "action «x»()\n")]),
    Axis("parameters of a long name", &[("lines", "action «x»(«x: int, »y: int)\n")]),
    Axis("length of a default", &[("lines", "action e(x: text = \"«x»\")\n")]),
    Axis("length of a documentation", &[("lines", "action c() # «x»\n")]),
    Axis("declarations that stand twice", &[("lines", "«action b()\n»")]),
    Axis("lines that are none", &[("lines", "«foo{i}\n»")]),
    Axis("length of a line that is none", &[("lines", "«foo »\n")]),
    Axis("empty lines", &[("lines", "«\n»")]),
];
