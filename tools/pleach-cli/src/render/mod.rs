//! Findings as output: for people, for programs, and for the live view.

pub(crate) mod human;
pub(crate) mod json;
pub(crate) mod junit;
pub(crate) mod sarif;
pub(crate) mod view;

pub(crate) use pleach_build::findings::{Finding, Findings};
