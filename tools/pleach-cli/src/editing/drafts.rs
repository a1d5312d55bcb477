//! Commands about texts that a page has not applied: they change nothing.

use super::files::MAX_TEXT;
use super::request::{Details, DraftText, Refused};
use super::{Done, Editing, Running};
use pleach_build::files::Overlay;
use pleach_lsp::Draft;

impl Editing {
    pub(super) fn completion(&self, file: usize, text: &str, line: u32, character: u32) -> Done {
        let items = self.draft(file, text)?.completion(line, character);
        Ok(Details { items: Some(items), ..Details::default() })
    }

    pub(super) fn hover(&self, file: usize, text: &str, line: u32, character: u32) -> Done {
        let hover = self.draft(file, text)?.hover(line, character);
        Ok(Details { hover: Some(hover), ..Details::default() })
    }

    pub(super) fn diagnostics(&self, file: usize, text: &str) -> Done {
        Ok(Details { items: Some(self.draft(file, text)?.diagnostics()), ..Details::default() })
    }

    pub(super) fn try_out(&self, drafts: Vec<DraftText>, percent: f64, running: &mut dyn Running) -> Done {
        if !(percent > 0.0 && percent <= 100.0) {
            return Err(Refused::new("the percentage of agents goes from above 0 to 100"));
        }
        let (saved, edited) = self.both(drafts)?;
        let trial = running.try_out(&saved, &edited, percent)?;
        Ok(Details { trial: Some(trial), ..Details::default() })
    }

    pub(super) fn compare(&self, drafts: Vec<DraftText>, running: &mut dyn Running) -> Done {
        let (saved, edited) = self.both(drafts)?;
        let comparison = running.compare(&saved, &edited)?;
        Ok(Details { comparison: Some(comparison), ..Details::default() })
    }

    /// Returns the file with a text that is not applied, for the features of the language server.
    fn draft(&self, file: usize, text: &str) -> Result<Draft, Refused> {
        is_small(text)?;
        Ok(Draft::new(&self.project, &self.known(file)?.name, text))
    }

    /// Returns the texts on the disk, and the edited texts with drafts.
    fn both(&self, drafts: Vec<DraftText>) -> Result<(Overlay, Overlay), Refused> {
        let mut edited = self.overlay(&self.project);
        for DraftText { file, text } in drafts {
            self.editable(file)?;
            is_small(&text)?;
            edited.insert(self.files[file].real.clone(), text.into());
        }
        let editable = self.files.iter().filter(|file| file.reason.is_none());
        let on_disk = editable.map(|file| {
            let text = file.newer.as_ref().unwrap_or(&file.disk);
            (file.real.clone(), text.as_str().into())
        });
        let saved: Overlay = on_disk.collect();
        if saved == edited {
            return Err(Refused::new("nothing differs from the saved texts"));
        }
        Ok((saved, edited))
    }
}

fn is_small(text: &str) -> Result<(), Refused> {
    if text.len() > MAX_TEXT {
        return Err(Refused::new(format!("a text has at most {} MiB", MAX_TEXT >> 20)));
    }
    Ok(())
}
