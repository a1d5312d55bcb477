//! Sweeps as programs use them: plans with errors, settings, metrics, files and failures.

mod files;
mod metrics;
mod plans;
mod settings;
mod tables;

use pleach::Image;
use pleach_compile::manifest::Manifest;
use pleach_compile::texts::Texts;
use pleach_compile::{Request, compile, dialect};
use pleach_sweep::{Cell, Plan, PlanError, Sweep};

/// Tree with variables of all types.
const GUARD: &str = "
action walk()
action shoot()
action rest()
query visible(): bool
query distance(): float

enum Mood { calm, angry }

var ammo: int8 = 6
var total: int64
var health: float = 100
var alert: bool
var mood: Mood = calm
var name: text
world var alarm: bool
world var strength: int = 3
tune const RANGE = 2.0 in 0.1..20.0
tune agent const PAUSE = 2 in 1..9

tree guard
{
	selector
	{
		if visible && distance > 2.0 && ammo > PAUSE - 2 && RANGE > 0.0
		{
			sequence { action shoot  set ammo -= 1  set strength += 1 }
		}
		action walk
		action rest
	}
}

tree patrol
{
	selector { action walk action shoot action rest }
}
";

/// Compiles a tree.
fn image() -> Image {
    let dialect = dialect::by_name("pleach").expect("the dialect");
    let (manifest, entries) = (Manifest::default(), vec!["guard".to_owned()]);
    let request = Request { dialect, manifest: &manifest, entries: &entries, debug: true };
    let done = compile(&Texts::of("guard", "pleach", GUARD), request);
    Image::copy(&done.image.unwrap_or_else(|| panic!("{:#?}", done.diagnostics))).expect("a valid image")
}

/// Returns the sweep of a plan.
fn planned(text: &str) -> Result<Sweep, PlanError> {
    Plan::parse(text).and_then(|plan| Sweep::new(plan, text, &image(), ""))
}

/// Returns the sweep of a plan about the guard.
fn sweep(text: &str) -> Sweep {
    planned(&format!("program = \"guard.pleach\"\n{text}")).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs all shards of a sweep.
fn rows(sweep: &Sweep) -> Vec<Vec<Cell>> {
    let make = |setting: &_| sweep.scripted(setting);
    let shard = |shard| sweep.shard(shard, &make, &|| false).expect("nobody stops it");
    (0..sweep.plan().shards()).flat_map(shard).collect()
}

/// Returns a cell by the name of its column.
fn cell<'r>(sweep: &Sweep, row: &'r [Cell], name: &str) -> &'r Cell {
    let column = sweep.columns().iter().position(|column| column.name == name);
    &row[column.unwrap_or_else(|| panic!("no column {name} in {:?}", sweep.columns()))]
}
