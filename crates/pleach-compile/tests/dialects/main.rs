//! Front ends of all dialects, seen from outside: text goes in, trees and diagnostics come out.

mod bst;
mod btengine;
mod dragengine;
mod mbt;
mod pleach;
mod unvanquished;
mod xml;
