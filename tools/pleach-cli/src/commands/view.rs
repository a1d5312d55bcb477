//! `pleach view`: a crowd or a recorded run in a browser.

mod groot2;
mod stage;
mod texts;
mod trial;

use crate::Verdict;
use crate::args;
use crate::editing::{self, Start};
use crate::failure::Failure;
use crate::input::{self, Opened, sources};
use crate::interrupt::{self, Patience};
use crate::library;
use crate::output::{self, counted, grouped};
use crate::render::human;
use crate::texts::Texts;
use crate::write::{Kind, Output};
use pleach::record::Replay;
use pleach_build::files::Overlay;
use pleach_view::{Excerpt, Options, Scene, View};
use stage::{Stage, trouble};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use texts::TextsOfView;

/// Longest time to wait for a page before files are looked at.
const WAIT: Duration = Duration::from_millis(50);
/// Number of agents that can be selected in an export if none are named.
const EXPORTED: u32 = 10;

/// Shows a crowd or a recording.
pub(crate) fn view(args: &args::View) -> Result<Verdict, Failure> {
    if input::is(Kind::Recording, &args.file)? {
        if args.groot2.is_some() {
            let why = "Groot2 is shown agents that are ticked; name a tree, or write a log of the recording with \
                       `pleach replay --btlog`";
            return Err(Failure::file("view", &args.file, why));
        }
        return recorded(args);
    }
    if args.export.is_some() {
        let why = "it is not a recording; make one with `pleach run --record`";
        return Err(Failure::file("export", &args.file, why));
    }
    let texts = if args.edit { editing::start(&args.file) } else { Overlay::new() };
    let opened = Opened::with(&args.file, &args.compile, &texts)?;
    if !opened.findings.list().is_empty() {
        human::show(&opened.findings);
    }
    let Some(subject) = &opened.subject else { return Ok(Verdict::Problems) };
    let wish = args.edit.then(|| Start::new(args, &subject.image, &opened, &texts)).transpose()?;
    let mut stage = Stage::new(opened, args)?;
    let _patience = Patience::new();
    let can_edit = matches!(wish, Some(Start::Editing(_)));
    let mut view =
        serve(args, stage.scene(), Options { history: true, editing: can_edit, ..Options::default() })?;
    output::print(&stage.headline(&view, args.seed))?;
    show(args, &view);
    let mut texts = TextsOfView::new(wish, &view);
    let is_over = end_of_editor(args);
    while !interrupt::came() && !is_over.load(Ordering::Relaxed) {
        if view.due() {
            stage.tick(&mut view);
        } else {
            stage.obey(&mut view);
        }
        texts.turn(&mut stage, &mut view, args);
        view.wait(WAIT);
    }
    texts.tell_unsaved();
    output::say(&format!("stopped after {}\n", counted(stage.tick as usize, "tick")));
    Ok(Verdict::Fine)
}

/// Returns a flag that is true once standard input has ended, if an editor shows the page: the
/// editor holds the input open.
fn end_of_editor(args: &args::View) -> Arc<AtomicBool> {
    let has_ended = Arc::new(AtomicBool::new(false));
    if args.framed {
        let flag = has_ended.clone();
        std::thread::spawn(move || {
            // An input that cannot be read has ended, too.
            drop(std::io::copy(&mut std::io::stdin(), &mut std::io::sink()));
            flag.store(true, Ordering::Relaxed);
        });
    }
    has_ended
}

fn serve(args: &args::View, scene: Scene, options: Options) -> Result<View, Failure> {
    let options = Options { clock: Some(args.rate.into()), framed: args.framed, ..options };
    View::serve((args.address, args.port), scene, options)
        .map_err(|why| Failure::new(format!("cannot listen at {} port {}: {why}", args.address, args.port)))
}

/// Opens the page in a browser if the user wants that. If there is no browser, the view continues,
/// because the address has been printed.
fn show(args: &args::View, view: &View) {
    if args.open && open::that_detached(view.address()).is_err() {
        output::say("cannot open a browser; open the address yourself\n");
    }
}

/// Shows a recording, or exports it.
fn recorded(args: &args::View) -> Result<Verdict, Failure> {
    let bytes = library::read_recording(&args.file)?;
    let mut replay = match Replay::open(bytes) {
        Ok(replay) => replay,
        Err(error) => {
            output::say(&format!("error: {}: {error}\n", args.file.display()));
            return Ok(Verdict::Problems);
        }
    };
    let texts = Texts::find_in(sources(replay.image(), &args.file, &args.compile)?);
    let (name, program) = (args.file.display().to_string(), replay.crowd().program().clone());
    let scene = Scene::new(name, replay.image(), &program, |file| texts.whole(file));
    if let Some(path) = &args.export {
        return export(args, path, &scene, &mut replay);
    }
    let _patience = Patience::new();
    let mut view = serve(args, scene, Options { recording: true, ..Options::default() })?;
    view.pause();
    output::print(&format!(
        "{}: {}\n{}\n",
        args.file.display(),
        counted(replay.len() as usize, "tick"),
        view.address()
    ))?;
    show(args, &view);
    let is_over = end_of_editor(args);
    while !interrupt::came() && !is_over.load(Ordering::Relaxed) {
        if let Err(error) = view.replay(&mut replay) {
            trouble(&mut view, &error);
        }
        view.wait(WAIT);
    }
    Ok(Verdict::Fine)
}

fn export(args: &args::View, path: &Path, scene: &Scene, replay: &mut Replay) -> Result<Verdict, Failure> {
    let agents = if args.picked.is_empty() { (0..EXPORTED).collect() } else { args.picked.clone() };
    let excerpt = Excerpt { agents, from: args.from, ticks: args.ticks };
    let page = pleach_view::export(scene, replay, &excerpt)
        .map_err(|why| Failure::file("export", &args.file, why))?;
    let output = Output { path, kind: Kind::Page, force: args.overwrite.force };
    output.write([&args.file], page.as_bytes())?;
    output::print(&format!("{}: {} bytes\n", path.display(), grouped(page.len() as u64)))?;
    Ok(Verdict::Fine)
}
