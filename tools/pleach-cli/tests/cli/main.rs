//! The command as people meet it: run as a process, judged by exit code, output and files.

mod bindgen;
mod costs;
mod diagnostics;
mod differences;
mod editing;
mod editing_limits;
mod editor;
mod explanations;
mod folder;
mod forest;
mod format;
mod images;
mod interrupts;
mod language;
mod library;
mod lint;
mod manifests;
mod outputs;
mod projects;
mod replay;
mod scenarios;
mod selection;
mod served;
mod shell;
mod simulation;
mod view;
