//! `pleach view`: a crowd or a recorded run in a browser.

use crate::Verdict;
use crate::args;
use crate::failure::Failure;
use crate::happenings::Happenings;
use crate::input::{self, Opened, Subject, sources};
use crate::interrupt::{self, Patience};
use crate::library::{self, is_stdin};
use crate::output::{self, counted, grouped};
use crate::render::human;
use crate::render::view::findings;
use crate::script::Script;
use crate::texts::Texts;
use crate::touched::Touched;
use crate::write::{Kind, Output};
use pleach::record::Replay;
use pleach::state::ReloadPolicy;
use pleach::{Agent, Crowd, EventTarget, Program};
use pleach_view::{Excerpt, Finding, Options, Scene, View};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Longest time to wait for a page before files are looked at.
const WAIT: Duration = Duration::from_millis(50);
/// Number of agents that can be selected in an export if none are named.
const EXPORTED: u32 = 10;

/// Shows a crowd or a recording.
pub(crate) fn view(args: &args::View) -> Result<Verdict, Failure> {
    if input::is(Kind::Recording, &args.file)? {
        return recorded(args);
    }
    if args.export.is_some() {
        let why = "it is not a recording; make one with `pleach run --record`";
        return Err(Failure::file("export", &args.file, why));
    }
    let opened = Opened::new(&args.file, &args.compile)?;
    if !opened.findings.list().is_empty() {
        human::show(&opened.findings);
    }
    let touched = watched(args, &opened.files);
    let Some(subject) = opened.subject else { return Ok(Verdict::Problems) };
    let mut stage = Stage::new(subject, args, touched)?;
    let _patience = Patience::new();
    let mut view = serve(args, stage.scene(), false)?;
    output::print(&format!(
        "{}: {} of `{}`, seed {}\n{}\n",
        stage.subject.name,
        counted(args.agents as usize, "agent"),
        stage.subject.entry,
        args.seed,
        view.address()
    ))?;
    show(args, &view);
    let is_over = end_of_editor(args);
    while !interrupt::came() && !is_over.load(Ordering::Relaxed) {
        if view.due() {
            stage.tick(&mut view);
        } else {
            view.obey(&mut stage.crowd, stage.now, &mut stage.host);
        }
        if stage.touched.has_changed() {
            stage.reload(&mut view, args);
        }
        view.wait(WAIT);
    }
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

fn serve(args: &args::View, scene: Scene, recording: bool) -> Result<View, Failure> {
    let clock = Some(args.rate.into());
    let options = Options { clock, recording, history: !recording, framed: args.framed };
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

/// Returns the files that are watched for changes: the files that were read, and those that the
/// user named. Standard input cannot be read again.
fn watched(args: &args::View, files: &[(String, PathBuf)]) -> Touched {
    if is_stdin(&args.file) {
        return Touched::new([]);
    }
    let named = std::iter::once(&args.file).chain(&args.compile.manifests);
    Touched::new(named.chain(files.iter().map(|(_, path)| path)).cloned())
}

/// Running crowd of a view.
struct Stage {
    subject: Subject,
    host: Script,
    happenings: Happenings,
    crowd: Crowd,
    agents: Vec<Agent>,
    tick: u32,
    now: i64,
    touched: Touched,
}

impl Stage {
    fn new(subject: Subject, args: &args::View, touched: Touched) -> Result<Self, Failure> {
        let host = Script::new(&subject.image, args.seed);
        let program = Program::link(&subject.image, &host).map_err(|why| Failure::new(why.to_string()))?;
        let mut crowd = Crowd::new(&program).with_seed(args.seed);
        let mut agents = Vec::new();
        for _ in 0..args.agents {
            agents.push(crowd.spawn(&subject.entry).map_err(|why| Failure::new(why.to_string()))?);
        }
        let happenings = Happenings::new(&subject.image, &program);
        Ok(Self { subject, host, happenings, crowd, agents, tick: 0, now: 0, touched })
    }

    fn scene(&self) -> Scene {
        let Subject { name, image, texts, .. } = &self.subject;
        Scene::new(name, image, self.crowd.program(), |file| texts.whole(file))
    }

    fn tick(&mut self, view: &mut View) {
        self.tick = self.tick.saturating_add(1);
        self.now = self.host.begin(self.tick);
        for agent in self.agents.iter().filter(|_| self.happenings.are_any()) {
            let chance = self.host.chance(*agent);
            let event = self.happenings.happen(&mut self.crowd, *agent, self.now, &mut self.host, chance);
            if let Some(event) = event.and_then(|name| self.crowd.program().event(name)) {
                view.heard(event, EventTarget::Agent(*agent));
            }
        }
        view.tick(&mut self.crowd, self.now, &mut self.host);
    }

    /// Reloads the files. If they have errors, the crowd continues with the old trees.
    fn reload(&mut self, view: &mut View, args: &args::View) {
        let opened = match Opened::new(&args.file, &args.compile) {
            Ok(opened) => opened,
            Err(failure) => return trouble(view, &failure),
        };
        self.touched = watched(args, &opened.files);
        let Some(subject) = opened.subject else {
            let texts = opened.sources.as_ref().map(Texts::of);
            let text = |name: &str| texts.as_ref()?.whole(name).and_then(|text| String::from_utf8(text).ok());
            return view.trouble(&findings(&opened.findings, &opened.files), text);
        };
        if subject.image.bytes() == self.subject.image.bytes() {
            return view.trouble(&[], |_| None);
        }
        if let Err(failure) = self.go_on_with(subject, view, args.seed) {
            trouble(view, &failure);
        }
    }

    fn go_on_with(&mut self, subject: Subject, view: &mut View, seed: u64) -> Result<(), Failure> {
        let host = Script::new(&subject.image, seed);
        let program = Program::link(&subject.image, &host).map_err(|why| Failure::new(why.to_string()))?;
        let reloaded = self.crowd.reload(&program, ReloadPolicy::Places, self.now, &mut self.host);
        let report = reloaded.map_err(|why| Failure::new(why.to_string()))?;
        self.happenings = Happenings::new(&subject.image, &program);
        (self.subject, self.host) = (subject, host);
        output::say(&format!("{}: {report}\n", self.subject.name));
        view.reloaded(self.scene(), &report, &self.crowd);
        Ok(())
    }
}

/// Reports an error that has no place in a file.
fn trouble(view: &mut View, why: &impl ToString) {
    let finding = Finding { severity: "error".to_owned(), message: why.to_string(), ..Finding::default() };
    view.trouble(&[finding], |_| None);
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
    let mut view = serve(args, scene, true)?;
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
