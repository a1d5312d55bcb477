//! Texts that grow: a skeleton with slots, and axes that fill them by templates.

use super::Form;
use super::grow::grown;

/// A form of text.
pub(super) struct Text {
    pub(super) name: &'static str,
    /// The files: the first one, then others, each behind a line `=== NAME`. Slots stand in braces.
    pub(super) skeleton: &'static str,
    /// The slots and what fills them otherwise, in the order in which they are filled: what fills
    /// one may have later ones. The first one's also fills the place for another axis.
    pub(super) slots: &'static [(&'static str, &'static str)],
    pub(super) axes: &'static [&'static [Axis]],
    pub(super) tried: fn(&Files<'_>),
}

/// An axis: its name, and the slots that its templates fill.
pub(super) struct Axis(pub(super) &'static str, pub(super) &'static [(&'static str, &'static str)]);

/// The place for another axis.
const PLACE: &str = "{@}";

/// The files of an input, by name; the first one has none.
pub(super) struct Files<'a>(pub(super) Vec<(&'a str, &'a str)>);

impl<'a> Files<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let mut pieces = text.split("=== ");
        let main = ("", pieces.next().unwrap_or_default());
        let others = pieces.map(|piece| piece.split_once('\n').unwrap_or((piece, "")));
        Self([main].into_iter().chain(others).collect())
    }

    /// Returns the first file.
    pub(super) fn main(&self) -> &'a str {
        self.0[0].1
    }
}

impl Text {
    fn axis(&self, index: usize) -> &Axis {
        self.axes.iter().copied().flatten().nth(index).expect("the axis is there")
    }

    /// Returns the texts of the slots of an axis.
    fn fillings(&self, (axis, n): (usize, usize), most: usize) -> Option<Vec<(&'static str, String)>> {
        let templates = self.axis(axis).1.iter();
        templates.map(|(slot, template)| Some((*slot, grown(template, n, most)?))).collect()
    }

    /// Puts the text of the second axis into the place that the first one
    /// has, or behind the first one.
    fn joined(
        &self,
        inner: &mut Vec<(&'static str, String)>,
        outer: &mut [(&'static str, String)],
        most: usize,
    ) -> Option<()> {
        let body = self.slots[0].0;
        let places: usize = outer.iter().map(|(_, text)| text.matches(PLACE).count()).sum();
        let Some(at) = inner.iter().position(|(slot, _)| *slot == body).filter(|_| places > 0) else {
            return Some(());
        };
        let (_, text) = inner.swap_remove(at);
        if places * text.len() > most {
            return None;
        }
        outer.iter_mut().for_each(|(_, filling)| *filling = filling.replace(PLACE, &text));
        Some(())
    }
}

impl Form for Text {
    fn name(&self) -> &str {
        self.name
    }

    fn axes(&self) -> Vec<String> {
        self.axes.iter().copied().flatten().map(|axis| axis.0.to_owned()).collect()
    }

    fn wraps(&self, axis: usize) -> bool {
        self.axis(axis).1.iter().any(|(_, template)| template.contains(PLACE))
    }

    fn input(&self, axes: &[(usize, usize)], most: usize) -> Option<Vec<u8>> {
        let mut all: Vec<(&'static str, String)> = Vec::new();
        for axis in axes {
            let mut fillings = self.fillings(*axis, most)?;
            self.joined(&mut fillings, &mut all, most)?;
            all.extend(fillings);
        }
        let mut text = self.skeleton.to_owned();
        for (slot, otherwise) in self.slots {
            let own: String =
                all.iter().filter(|(name, _)| name == slot).map(|(_, text)| text.as_str()).collect();
            let filling = if own.is_empty() { *otherwise } else { &own };
            let place = format!("{{{slot}}}");
            if text.matches(&place).count() * filling.len() > most {
                return None;
            }
            text = text.replace(&place, filling).replace(PLACE, self.slots[0].1);
        }
        Some(text.into_bytes()).filter(|text| text.len() <= most)
    }

    fn tried(&self, input: &[u8]) {
        (self.tried)(&Files::of(&String::from_utf8_lossy(input)));
    }
}
