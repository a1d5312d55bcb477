//! The command as people meet it: run as a process, judged by exit code, output and files.

mod diagnostics;
mod folder;
mod images;
mod library;
mod shell;
mod simulation;
