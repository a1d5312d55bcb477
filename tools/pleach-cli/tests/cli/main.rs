//! The command as people meet it: run as a process, judged by exit code, output and files.

mod bindgen;
mod diagnostics;
mod explanations;
mod folder;
mod forest;
mod format;
mod images;
mod interrupts;
mod language;
mod library;
mod manifests;
mod outputs;
mod projects;
mod replay;
mod scenarios;
mod selection;
mod shell;
mod simulation;
mod view;
