//! The running crowd of a view, and reloads of its trees.

use super::groot2::Groot2;
use super::trial::TrialStart;
use crate::args;
use crate::editing::{Refused, Trial};
use crate::failure::Failure;
use crate::input::{Opened, Subject};
use crate::library::is_stdin;
use crate::output::{self, counted};
use crate::render::view::findings;
use crate::texts::Texts;
use crate::touched::Touched;
use crate::tuning::{link, tuned_program};
use pleach::state::ReloadPolicy;
use pleach::{Agent, Crowd, EventTarget, Program};
use pleach_build::files::Overlay;
use pleach_sweep::{Happenings, ScriptedHost};
use pleach_view::{Finding, Scene, View};
use std::path::PathBuf;

/// Running crowd of a view.
pub(super) struct Stage {
    subject: Subject,
    host: ScriptedHost,
    happenings: Happenings,
    crowd: Crowd,
    agents: Vec<Agent>,
    pub(super) tick: u32,
    now: i64,
    groot2: Option<Groot2>,
    pub(super) touched: Touched,
}

impl Stage {
    /// Spawns the agents of a program. `opened` has a subject.
    pub(super) fn new(opened: Opened, args: &args::View) -> Result<Self, Failure> {
        let touched = Touched::new(watched(args, &opened.files));
        let Some(subject) = opened.subject else { return Err(Failure::new("the tree has errors")) };
        let host = ScriptedHost::new(&subject.image, args.seed);
        let program = link(&subject.image, &host, &args.tuning.values)?;
        let mut crowd = Crowd::new(&program).with_seed(args.seed);
        let mut agents = Vec::new();
        for _ in 0..args.agents {
            agents.push(crowd.spawn(&subject.entry).map_err(|why| Failure::new(why.to_string()))?);
        }
        let happenings = Happenings::new(&subject.image, &program);
        let serve = |address| Groot2::serve(address, &subject, &crowd);
        let groot2 = args.groot2.map(serve).transpose()?;
        Ok(Self { subject, host, happenings, crowd, agents, tick: 0, now: 0, groot2, touched })
    }

    /// Returns the lines that the command prints at its start.
    pub(super) fn headline(&self, view: &View, seed: u64) -> String {
        let Subject { name, entry, .. } = &self.subject;
        let agents = counted(self.agents.len(), "agent");
        let groot2 = self.groot2.as_ref().map_or_else(String::new, Groot2::headline);
        format!("{name}: {agents} of `{entry}`, seed {seed}\n{}\n{groot2}", view.address())
    }

    pub(super) fn scene(&self) -> Scene {
        let Subject { name, image, texts, .. } = &self.subject;
        Scene::new(name, image, self.crowd.program(), |file| texts.whole(file))
    }

    pub(super) fn tick(&mut self, view: &mut View) {
        self.tick = self.tick.saturating_add(1);
        self.now = self.host.begin(self.tick);
        for agent in self.agents.iter().filter(|_| self.happenings.are_any()) {
            let chance = self.host.chance(*agent);
            let event = self.happenings.happen(&mut self.crowd, *agent, self.now, &mut self.host, chance);
            if let Some(event) = event.and_then(|name| self.crowd.program().event(name)) {
                view.heard(event, EventTarget::Agent(*agent));
            }
        }
        let Self { subject, host, crowd, now, .. } = self;
        match &mut self.groot2 {
            Some(groot2) => groot2.tick(view, (subject, crowd), (*now, host)),
            None => _ = view.tick(crowd, *now, host),
        }
    }

    /// Carries out the commands of pages between ticks.
    pub(super) fn obey(&mut self, view: &mut View) {
        view.obey(&mut self.crowd, self.now, &mut self.host);
    }

    /// Reads the files again, with texts that take the place of those on the disk, and continues
    /// with the new trees. If they have errors, the crowd continues with the old trees.
    pub(super) fn follow(
        &mut self,
        view: &mut View,
        args: &args::View,
        texts: &Overlay,
    ) -> Result<Vec<(String, PathBuf)>, Refused> {
        let opened = opened(args, texts)?;
        self.touched.also(watched(args, &opened.files));
        let (subject, files) = compiled(opened)?;
        if subject.image.bytes() != self.subject.image.bytes() {
            self.go_on_with(subject, view, args).map_err(|why| Refused::new(why.to_string()))?;
        }
        view.trouble(&[], |_| None);
        Ok(files)
    }

    /// Runs copies of some agents with the saved trees and with the edited ones. The crowd stays as
    /// it is.
    pub(super) fn try_out(
        &mut self,
        args: &args::View,
        (saved, edited): (&Overlay, &Overlay),
        percent: f64,
    ) -> Result<Trial, Refused> {
        let [saved, edited] = saved_and_edited(args, saved, edited)?;
        let start = TrialStart::new(&mut self.crowd, percent, self.tick, self.now);
        start.run(&saved, &edited, args).map_err(|why| Refused::new(why.to_string()))
    }

    fn go_on_with(&mut self, subject: Subject, view: &mut View, args: &args::View) -> Result<(), Failure> {
        let host = ScriptedHost::new(&subject.image, args.seed);
        let program = Program::link(&subject.image, &host).map_err(|why| Failure::new(why.to_string()))?;
        let program = tuned_program(program, &args.tuning.values);
        let reloaded = self.crowd.reload(&program, ReloadPolicy::Places, self.now, &mut self.host);
        let report = reloaded.map_err(|why| Failure::new(why.to_string()))?;
        self.happenings = Happenings::new(&subject.image, &program);
        (self.subject, self.host) = (subject, host);
        output::say(&format!("{}: {report}\n", self.subject.name));
        self.groot2.iter_mut().for_each(Groot2::reloaded);
        view.reloaded(self.scene(), &report, &self.crowd);
        Ok(())
    }
}

/// Compiles the saved texts and the edited ones.
pub(super) fn saved_and_edited(
    args: &args::View,
    saved: &Overlay,
    edited: &Overlay,
) -> Result<[Subject; 2], Refused> {
    let subject = |texts| Ok(compiled(opened(args, texts)?)?.0);
    let saved = subject(saved).map_err(|why: Refused| Refused::of_saved(&why.error))?;
    Ok([saved, subject(edited)?])
}

/// Reads the files, with texts that take the place of those on the disk.
fn opened(args: &args::View, texts: &Overlay) -> Result<Opened, Refused> {
    Opened::with(&args.file, &args.compile, texts).map_err(|why| Refused::new(why.to_string()))
}

/// Returns the program that was opened, and its files, or its errors.
pub(super) fn compiled(opened: Opened) -> Result<(Subject, Vec<(String, PathBuf)>), Refused> {
    if let Some(subject) = opened.subject {
        return Ok((subject, opened.files));
    }
    let findings = findings(&opened.findings, &opened.files);
    let count = findings.iter().filter(|finding| finding.severity == "error").count();
    let first = findings.iter().find(|finding| finding.severity == "error");
    let error = first.map_or("the trees have errors", |finding| &finding.message);
    let more = if count > 1 { format!(" (and {} more)", counted(count - 1, "error")) } else { String::new() };
    Err(Refused { error: format!("{error}{more}"), findings, sources: opened.sources })
}

/// Returns the files that are watched for changes: the files that were read, and those that the
/// user named. Standard input cannot be read again.
fn watched(args: &args::View, files: &[(String, PathBuf)]) -> Vec<PathBuf> {
    if is_stdin(&args.file) {
        return Vec::new();
    }
    let named = std::iter::once(&args.file).chain(&args.compile.manifests).chain(&args.compile.substitutes);
    named.chain(files.iter().map(|(_, path)| path)).cloned().collect()
}

/// Reports why the crowd does not run the present texts.
pub(super) fn show_refused(view: &mut View, refused: &Refused) {
    if refused.findings.is_empty() {
        return trouble(view, &refused.error);
    }
    let texts = refused.sources.as_ref().map(Texts::of);
    let text = |name: &str| texts.as_ref()?.whole(name).and_then(|text| String::from_utf8(text).ok());
    view.trouble(&refused.findings, text);
}

/// Reports an error that has no place in a file.
pub(super) fn trouble(view: &mut View, why: &impl ToString) {
    let finding = Finding { severity: "error".to_owned(), message: why.to_string(), ..Finding::default() };
    view.trouble(&[finding], |_| None);
}
