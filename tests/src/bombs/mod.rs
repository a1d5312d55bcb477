//! Bombs: small inputs that cost much.
//!
//! Each form of input has axes: every list, name, nesting, reference and number that can grow.
//! [`FORMS`] declares them as rows of tables. An axis is grown alone and together with each other
//! one, ten times with each rung, and at each rung an input of size `n` is compared with that of
//! size `2n`. The cost may grow by a quarter more than the input does: twice the input, two and a
//! half times the cost. The last rung decides, because a limit of the form ends what grows faster.
//!
//! A cost is counted: bytes at the peak and in total by the [counting allocator](crate::counting),
//! and instructions by callgrind, if it is installed and the processor time makes it worth while.
//! Each probe runs in a [process](probe) with limits of memory and of processor time, so that a
//! bomb is a finding and not the end of the campaign.

mod binary;
mod command;
pub mod grow;
mod judge;
mod language;
mod lists;
pub mod probe;
mod text;
mod tried;
mod unvanquished;
mod written;
mod xml;

use text::Files;

pub use judge::{Growth, Ladder, climb, is_suspicious, judged, measured_again};

/// A form of input with its axes.
pub trait Form: Sync {
    /// Returns the name of the form.
    fn name(&self) -> &str;

    /// Returns the names of the axes.
    fn axes(&self) -> Vec<String>;

    /// Returns true if the input of this axis has a place for that of another axis.
    fn wraps(&self, _axis: usize) -> bool {
        false
    }

    /// Returns true if two axes can grow in one input.
    fn pairs(&self) -> bool {
        true
    }

    /// Returns the input with some axes grown to their sizes; `None` if it
    /// were longer than `most` bytes.
    fn input(&self, grown: &[(usize, usize)], most: usize) -> Option<Vec<u8>>;

    /// Does everything that the project does with such an input.
    fn tried(&self, input: &[u8]);
}

/// All forms.
pub const FORMS: &[&dyn Form] = &[
    &language::TREES,
    &language::EDITED,
    &unvanquished::TREES,
    &xml::MODULAR,
    &xml::SELECTION,
    &xml::FOREST,
    &xml::SCRIPTED,
    &xml::RULES,
    &lists::MANIFEST,
    &command::TESTS,
    &binary::WHOLE,
    &binary::LASTING,
    &binary::FOREST,
    &binary::DEBUG,
    &binary::IMAGE_WORDS,
    &written::STATE_WORDS,
    &written::RECORDING_WORDS,
    &written::STATES,
    &written::RECORDINGS,
    &written::CLAIMS,
];

/// Axes of a form that grow together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Index into [`FORMS`].
    pub form: usize,
    /// One or two indices into the axes of the form. The first has a place for
    /// the second, if one of them has.
    pub axes: Vec<usize>,
}

impl Case {
    /// Returns the form.
    #[must_use]
    pub fn form(&self) -> &'static dyn Form {
        FORMS[self.form]
    }

    /// Returns the input of a size.
    #[must_use]
    pub fn input(&self, n: usize, most: usize) -> Option<Vec<u8>> {
        let grown: Vec<_> = self.axes.iter().map(|axis| (*axis, n)).collect();
        self.form().input(&grown, most)
    }

    /// Returns the codes of what the compiler finds in the input of a size; `None` if it were
    /// longer than `most` bytes.
    #[must_use]
    pub fn codes(&self, n: usize, most: usize) -> Option<Vec<&'static str>> {
        let input = self.input(n, most)?;
        let done = tried::compilation(self.form().name(), &Files::of(&String::from_utf8_lossy(&input)));
        Some(done.diagnostics.list().iter().map(|it| it.code.id).collect())
    }

    /// Returns true if the cost of this axis alone once grew out of proportion in large inputs.
    #[must_use]
    pub fn is_large(&self) -> bool {
        let (form, names) = (self.form().name(), self.form().axes());
        matches!(self.axes[..], [axis] if LARGE.contains(&(form, names[axis].as_str())))
    }

    /// Returns true if the command `pleach` tries it, which must have been built.
    #[must_use]
    pub fn needs_command(&self) -> bool {
        self.form().name() == command::TESTS.name
    }

    /// Returns the name, such as `pleach: copies × operands`.
    #[must_use]
    pub fn name(&self) -> String {
        let names = self.form().axes();
        let axes: Vec<_> = self.axes.iter().map(|axis| names[*axis].as_str()).collect();
        format!("{}: {}", self.form().name(), axes.join(" × "))
    }
}

/// Returns each axis of each form alone.
#[must_use]
pub fn alone() -> Vec<Case> {
    let axes = |form: usize| (0..FORMS[form].axes().len()).map(move |axis| Case { form, axes: vec![axis] });
    (0..FORMS.len()).flat_map(axes).collect()
}

/// Pairs of axes by which attacks, or the long form, broke a promise. The short form of
/// the campaign grows them, too.
pub const ATTACKS: &[(&str, [&str; 2])] = &[
    ("pleach", ["copies", "operands"]),
    ("pleach", ["copies", "arguments"]),
    ("bst", ["blocks of the one before twice", "attributes of a leaf"]),
    ("bst", ["blocks of the one before twice", "texts of a node"]),
    ("bst", ["blocks of the one before twice", "operands"]),
    ("dragengine", ["files of the one before twice", "length of an id"]),
    ("unvanquished", ["includes of one file", "inverters in each other"]),
    ("unvanquished", ["macros of the one before twice", "children"]),
    ("image, lasting", ["parallels", "the same position"]),
    ("image, forest", ["attributes", "length of the text of attributes"]),
    ("image, debug", ["actions", "ends of each edge"]),
];

/// Axes whose cost grew out of proportion only in inputs that the short form does not reach with
/// others. It grows these further.
pub const LARGE: &[(&str, &str)] = &[
    ("unvanquished", "parameters"),
    ("bst", "signals"),
    ("btengine", "lists in each other"),
    ("dragengine", "parameters"),
];

/// Returns the pairs by which attacks broke a promise.
#[must_use]
pub fn attacks() -> Vec<Case> {
    let is_attack = |case: &Case| {
        let (form, names) = (case.form(), case.form().axes());
        let own = [case.axes[0], case.axes[1]].map(|axis| names[axis].as_str());
        ATTACKS.iter().any(|(name, axes)| *name == form.name() && *axes == own)
    };
    pairs().into_iter().filter(is_attack).collect()
}

/// Returns each pair of axes of each form, in both orders if both have a place for the other.
#[must_use]
pub fn pairs() -> Vec<Case> {
    let mut pairs = Vec::new();
    for (form, it) in FORMS.iter().enumerate().filter(|(_, it)| it.pairs()) {
        let count = it.axes().len();
        for one in 0..count {
            let others = (0..count).filter(|other| *other != one);
            let fits = |other: &usize| it.wraps(one) || (one < *other && !it.wraps(*other));
            pairs.extend(others.filter(fits).map(|other| Case { form, axes: vec![one, other] }));
        }
    }
    pairs
}
