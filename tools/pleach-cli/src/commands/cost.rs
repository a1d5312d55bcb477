//! `pleach cost`: what trees cost at most, and what they took in a recorded run.

use crate::Verdict;
use crate::args::{Cost, CostFormat};
use crate::cost::{Row, Table, flame, json, table};
use crate::failure::Failure;
use crate::input::Subject;
use crate::interrupt::{self, Patience};
use crate::library;
use crate::output;
use crate::places;
use crate::progress::Progress;
use crate::scenario::play::Puppet;
use pleach::record::{RecordingError, Replay};
use pleach::watch::Statistics;
use pleach::{Image, Program};
use pleach_image::{bounds, listing};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Prints what trees cost.
pub(crate) fn cost(args: &Cost) -> Result<Verdict, Failure> {
    let Some(subject) = Subject::open(&args.file, &args.compile)? else { return Ok(Verdict::Problems) };
    let statistics = match &args.recording {
        None => None,
        Some(path) => match counted(path, &subject.image)? {
            Ok(statistics) => Some(statistics),
            Err(error) => {
                output::say(&format!("error: {}: {error}\n", path.display()));
                return Ok(Verdict::Problems);
            }
        },
    };
    let table = rows(&subject, statistics.as_ref())?;
    output::print(&match args.format {
        CostFormat::Table => self::table(&table),
        CostFormat::Json => json(&table)?,
        CostFormat::Svg => flame(&table),
    })?;
    Ok(Verdict::Fine)
}

/// Counts the nodes of a recorded run.
fn counted(path: &Path, image: &Image) -> Result<Result<Statistics, RecordingError>, Failure> {
    let mut replay = match Replay::open(library::read_recording(path)?) {
        Ok(replay) => replay,
        Err(error) => return Ok(Err(error)),
    };
    if replay.image().behavior_key() != image.behavior_key() {
        let why = "it is of other trees; record a run of these with `pleach run --record`";
        return Err(Failure::file("use", path, why));
    }
    let mut counts = Statistics::new(replay.image());
    let _patience = Patience::new();
    let mut progress = Progress::new(replay.len());
    while !interrupt::came() {
        match replay.tick_watched(&mut counts) {
            Ok(true) => progress.at(replay.ticks()),
            Ok(false) => break,
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok(counts))
}

/// Returns the costs of a program and of its nodes.
fn rows(subject: &Subject, statistics: Option<&Statistics>) -> Result<Table, Failure> {
    let image = &subject.image;
    let host = Puppet::new(image);
    let program = Program::link(image, &host).map_err(|why| Failure::new(why.to_string()))?;
    let of_blocks = bounds::of(image);
    let trees = image.entries().iter().map(|entry| {
        let bound = of_blocks.get(entry.block as usize).copied().unwrap_or_default();
        (image.name(entry.name).to_owned(), bound)
    });
    let trees = trees.collect();
    let of_nodes = bounds::of_nodes(image);
    let counts: HashMap<_, _> = statistics.into_iter().flat_map(Statistics::nodes).collect();
    let handlers = image.debug_handlers().collect::<HashSet<_>>();
    let mut rows: Vec<Row> = Vec::new();
    // By id, the row of a node; of the node around it if the node only helps.
    let mut shown: Vec<Option<usize>> = vec![None];
    for (id, bound) in (1_u32..).zip(of_nodes) {
        let Some(debug) = image.debug_node(id) else { break };
        let parent = shown.get(debug.parent as usize).copied().flatten();
        if !image.debug_is_written(id) && parent.is_some() {
            shown.push(parent);
            continue;
        }
        shown.push(Some(rows.len()));
        let label = listing::label(image, id);
        let label =
            if handlers.contains(&id) { format!("on {}", image.debug_text(debug.subject)) } else { label };
        let count = counts.get(&id).copied();
        rows.push(Row { label, place: places::line(image, debug), parent, bound, count });
    }
    let agent_ticks = statistics.map(Statistics::agent_ticks);
    Ok(Table { name: subject.name.clone(), trees, rows, agent_ticks, bytes: program.bytes_per_agent() })
}
