//! The texts of a view: edited by pages, or only read again when they have changed on the disk.

use super::stage::{Stage, saved_and_edited, show_refused};
use crate::args;
use crate::commands::diff::{changes, outline_of};
use crate::editing::{Comparison, Refused, Running, Start, Trial};
use crate::output;
use pleach_build::files::Overlay;
use pleach_view::View;
use std::path::PathBuf;

/// Texts of a view.
pub(super) struct TextsOfView(Option<Start>);

impl TextsOfView {
    /// Begins, and tells pages what can be edited.
    pub(super) fn new(wish: Option<Start>, view: &View) -> Self {
        let mut texts = Self(wish);
        match &mut texts.0 {
            Some(Start::ReadOnly(reason)) => output::say(&format!("the view is read-only: {reason}\n")),
            Some(Start::Editing(_)) | None => {}
        }
        texts.announce(view);
        texts
    }

    fn announce(&mut self, view: &View) {
        if let Some(wish) = &mut self.0 {
            wish.announce(view);
        }
    }

    /// Carries out the commands of editing, and looks at the disk.
    pub(super) fn turn(&mut self, stage: &mut Stage, view: &mut View, args: &args::View) {
        let requests = view.edit_requests();
        let has_changed = stage.touched.has_changed();
        let Some(Start::Editing(editing)) = &mut self.0 else {
            if has_changed && let Err(refused) = stage.follow(view, args, &Overlay::new()) {
                show_refused(view, &refused);
            }
            return;
        };
        for request in &requests {
            let before = (editing.state(), view.revision());
            let done = editing.perform(&request.json, &mut Shown { stage, view, args });
            if (editing.state(), view.revision()) != before {
                editing.announce(view);
            }
            match done {
                Ok(details) => view.respond(request, Ok(()), &details),
                Err(refused) => {
                    let details = editing.details(&refused);
                    view.respond(request, Err(refused.error), &details);
                }
            }
        }
        if has_changed {
            let before = (editing.state(), view.revision());
            editing.look(&mut Shown { stage, view, args });
            if (editing.state(), view.revision()) != before {
                editing.announce(view);
            }
        }
    }

    /// Reports the files with changes that were not saved.
    pub(super) fn tell_unsaved(&self) {
        if let Some(Start::Editing(editing)) = &self.0 {
            for path in editing.unsaved() {
                output::say(&format!("{path}: changes were not saved\n"));
            }
        }
    }
}

/// Crowd that is shown.
struct Shown<'a> {
    stage: &'a mut Stage,
    view: &'a mut View,
    args: &'a args::View,
}

impl Running for Shown<'_> {
    fn go_on(&mut self, texts: &Overlay) -> Result<Vec<(String, PathBuf)>, Refused> {
        self.stage.follow(self.view, self.args, texts)
    }

    fn show_trouble(&mut self, refused: &Refused) {
        show_refused(self.view, refused);
    }

    fn try_out(&mut self, saved: &Overlay, edited: &Overlay, percent: f64) -> Result<Trial, Refused> {
        self.stage.try_out(self.args, (saved, edited), percent)
    }

    fn compare(&mut self, saved: &Overlay, edited: &Overlay) -> Result<Comparison, Refused> {
        // Tells errors with their places, which the comparison does not know.
        saved_and_edited(self.args, saved, edited)?;
        let side = |texts| outline_of(&self.args.file, &self.args.compile, texts).map_err(Refused::new);
        let (count, picture) = changes(&side(saved)?, &side(edited)?);
        Ok(Comparison { count, picture })
    }
}
