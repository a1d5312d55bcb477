//! Manners: exit codes, pipes, help, completions.

use crate::folder::Folder;
use std::io::Read;

#[test]
fn bad_usage_exits_with_2() {
    let folder = Folder::new("usage");
    folder.file("a.bt", "action roam()\n").file("a.txt", "action roam()\n");
    for args in [
        &["check"][..],
        &["fly"],
        &["check", "a.bt", "--dialect", "klingon"],
        &["run", "a.bt", "--agents", "0"],
        &["run", "nowhere.bt"],
        &["check", "a.txt"],
        &["list", "."],
        &["check", "a.bt", "--manifest", "nowhere"],
    ] {
        let err = folder.pleach(args).exits(2).err;
        assert!(!err.is_empty() && !err.contains("no problems"), "{err}");
    }
}

#[test]
fn errors_in_trees_exit_with_1() {
    let folder = Folder::new("errors");
    folder.file("a.bt", "action nothing()\n");
    for command in ["list", "run", "trace"] {
        assert!(folder.pleach(&[command, "a.bt"]).exits(1).err.contains("a.bt:1:8"));
    }
}

/// A reader that goes away early, such as `head`, is no reason to complain.
#[test]
fn broken_pipes_are_silent() {
    let folder = Folder::new("pipe");
    folder.file("a.bt", "action roam()\n");
    let mut child = folder.command(&["trace", "a.bt", "--ticks", "4000000000"]).spawn().expect("the command");
    drop(child.stdin.take());
    let mut out = child.stdout.take().expect("piped");
    out.read_exact(&mut [0; 100]).expect("a beginning");
    drop(out);
    let done = child.wait_with_output().expect("an end");
    assert_eq!((done.status.code(), String::from_utf8_lossy(&done.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn every_command_has_help_with_an_example() {
    let folder = Folder::new("help");
    let names = [
        "check",
        "lint",
        "build",
        "convert",
        "fmt",
        "list",
        "diff",
        "cost",
        "run",
        "trace",
        "view",
        "completions",
    ];
    let main = folder.pleach(&["--help"]).exits(0).out;
    for name in names {
        assert!(main.contains(name));
        let help = folder.pleach(&[name, "--help"]).exits(0).out;
        assert!(help.contains(&format!("Example: pleach {name} ")), "{help}");
    }
}

#[test]
fn completions_know_the_commands() {
    let folder = Folder::new("completions");
    for shell in ["bash", "zsh", "fish"] {
        let script = folder.pleach(&["completions", shell]).exits(0).out;
        assert!(script.contains("pleach") && script.contains("trace"), "{shell}");
    }
}

/// Runs the command on a terminal, as `script` makes one. `None` if there is no `script`.
fn on_terminal(folder: &Folder, args: &str, variables: &[(&str, &str)]) -> Option<String> {
    let command = format!("{} {args}", env!("CARGO_BIN_EXE_pleach"));
    let mut script = std::process::Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).env_remove("NO_COLOR").current_dir(&folder.0);
    script.envs(variables.iter().copied());
    let out = script.stdin(std::process::Stdio::null()).output().ok()?;
    Some(String::from_utf8(out.stdout).expect("UTF-8"))
}

#[test]
fn results_have_colors_on_terminals_alone() {
    let folder = Folder::new("colors");
    folder.file("a.bt", "selector { condition team < 1 action roam() }\n");
    for (args, colors) in [
        ("trace a.bt --ticks=30", &["\x1b[32m", "\x1b[31m", "\x1b[94m", "\x1b[90m"][..]),
        ("list a.bt", &["\x1b[1m", "\x1b[90m"]),
        ("run a.bt --agents=9 --ticks=30", &["\x1b[1m", "\x1b[32m", "\x1b[31m", "\x1b[94m"]),
    ] {
        let Some(out) = on_terminal(&folder, args, &[]) else {
            return eprintln!("skipped: there is no script");
        };
        for color in colors {
            assert!(out.contains(color), "{args}: {color:?} in {out:?}");
        }
        assert!(
            !on_terminal(&folder, args, &[("NO_COLOR", "1")]).expect("as before").contains('\x1b'),
            "{args}"
        );
        let plain = folder.pleach(&args.split(' ').collect::<Vec<_>>()).exits(0).out;
        assert!(!plain.contains('\x1b'), "{args}");
    }
}

#[test]
fn codes_are_links_where_the_terminal_has_them() {
    let folder = Folder::new("links");
    folder.file("a.pleach", "tree main { action nothing }\n");
    let link = "\x1b]8;;file://";
    let Some(out) = on_terminal(&folder, "check a.pleach", &[("FORCE_HYPERLINK", "1")]) else {
        return eprintln!("skipped: there is no script");
    };
    assert!(out.contains(link) && out.contains("/spec/diagnostics/pleach.md#e0611"), "{out:?}");
    for without in [&[("FORCE_HYPERLINK", "0")][..], &[("FORCE_HYPERLINK", "1"), ("NO_COLOR", "1")]] {
        let out = on_terminal(&folder, "check a.pleach", without).expect("as before");
        assert!(out.contains("E0611") && !out.contains(link), "{without:?}: {out:?}");
    }
    let piped = folder.command(&["check", "a.pleach"]).env("FORCE_HYPERLINK", "1").output().expect("an end");
    assert!(!String::from_utf8_lossy(&piped.stderr).contains(link));
}
