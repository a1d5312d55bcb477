//! Probes: an input is tried in a process of its own, within limits, and its cost is counted.
//!
//! The process reads one line for each probe, `FORM AXIS,AXIS SIZE MOST`, and answers with one: the
//! bytes of the input, the bytes at the peak and in total, and microseconds of processor time,
//! which no verdict goes by. An input longer than `MOST` is answered with an empty line. If the
//! process ends instead, the probe was a bomb; the next one has another process.

use super::{Case, FORMS, Form};
use crate::callgrind::Counted;
use crate::counting::{Spent, spent};
use rustix::process::{Resource, Rlimit, Signal, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitCode, Stdio};

/// Arguments of the process: that of a process for probes, and that of one
/// whose instructions are counted.
const ARGUMENTS: [&str; 2] = ["--bombs", "--bombs-counted"];

/// Address space of the process. A counted process has none of its own: its probes have fit before.
const MEMORY: u64 = 1 << 30;
/// Seconds of processor time for a probe: a safety net beside the count of instructions.
const SECONDS: u64 = 15;
/// Seconds of processor time for all probes of a counted process.
const SECONDS_COUNTED: u64 = 1_800;

/// The cost of a probe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Bytes of the input.
    pub input: u64,
    /// Bytes allocated at the peak.
    pub peak: u64,
    /// Bytes of all allocations.
    pub total: u64,
    /// Instructions; 0 if they were not counted.
    pub instructions: u64,
    /// Microseconds of processor time. They only decide which probes are worth counting.
    pub effort: u64,
}

/// The answer to a probe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The probe came to an end.
    Cost(Cost),
    /// The input would be longer than allowed.
    TooLong,
    /// The process ended, in words.
    Ended(String),
}

/// Tries an input. Callgrind counts what this function does.
#[inline(never)]
fn bomb_probe(form: &dyn Form, input: &[u8]) {
    form.tried(input);
}

/// Answers probes if this process was started for that, with one of the
/// `ARGUMENTS`. Returns its exit code then.
#[must_use]
pub fn main() -> Option<ExitCode> {
    let argument = std::env::args().nth(1)?;
    let counted = ARGUMENTS.iter().position(|known| *known == argument)? == 1;
    Some(serve(counted).map_or(ExitCode::from(2), |()| ExitCode::SUCCESS))
}

/// Answers probes until there are no more.
fn serve(counted: bool) -> io::Result<()> {
    let limit = |current| Rlimit { current: Some(current), maximum: None };
    if counted {
        setrlimit(Resource::Cpu, limit(SECONDS_COUNTED))?;
    } else {
        setrlimit(Resource::As, limit(MEMORY))?;
    }
    for line in io::stdin().lock().lines() {
        if !counted {
            // To make an input costs what it costs: only the probe has a limit.
            setrlimit(Resource::Cpu, Rlimit { current: None, maximum: None })?;
        }
        let (case, n, most) =
            parsed(&line?).ok_or_else(|| io::Error::other("a probe is FORM AXES SIZE MOST"))?;
        let Some(input) = case.input(n, most) else {
            println!();
            continue;
        };
        let before = if counted { 0 } else { effort() };
        if !counted {
            setrlimit(Resource::Cpu, limit(before / 1_000_000 + 1 + SECONDS))?;
        }
        let ((), Spent { peak, total }) = spent(|| bomb_probe(case.form(), &input));
        let after = if counted { 0 } else { effort() };
        println!("{} {peak} {total} {}", input.len(), after - before);
    }
    Ok(())
}

/// Returns the processor time of this thread, which does all the work, in microseconds. The clock
/// of a process with a limit of processor time counts only whole ticks of the system, of 4 ms for
/// example. Callgrind has no such clock.
fn effort() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    (time.tv_sec * 1_000_000 + time.tv_nsec / 1_000).unsigned_abs()
}

/// Reads what a process is told to try: the case, its size, and the most bytes of its input.
#[must_use]
pub fn parsed(line: &str) -> Option<(Case, usize, usize)> {
    let mut words = line.split(' ');
    let form = words.next()?.parse().ok().filter(|form| *form < FORMS.len())?;
    let axes: Result<Vec<usize>, _> = words.next()?.split(',').map(str::parse).collect();
    let (n, most) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    Some((Case { form, axes: axes.ok()? }, n, most))
}

/// Returns the line by which a process is told what to try.
#[must_use]
pub fn line(case: &Case, n: usize, most: usize) -> String {
    let axes: Vec<_> = case.axes.iter().map(usize::to_string).collect();
    format!("{} {} {n} {most}\n", case.form, axes.join(","))
}

/// Starts processes for probes, one after the other.
#[derive(Debug)]
pub struct Prober {
    program: PathBuf,
    process: Option<Process>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    from: BufReader<ChildStdout>,
}

impl Drop for Prober {
    /// Closes the pipe to the process, by which it ends, and waits for that.
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            // How it ends makes no difference any more.
            drop(process.child.wait());
        }
    }
}

impl Prober {
    /// Returns a prober that starts this program with one of the `ARGUMENTS`.
    #[must_use]
    pub fn new(program: &Path) -> Self {
        Self { program: program.to_owned(), process: None }
    }

    /// Tries a case at sizes, in order, as long as its inputs have at most `most` bytes. Returns
    /// the answers. If the process ended in a probe, the last answer is [`Answer::Ended`], and
    /// larger sizes have no answers.
    ///
    /// All probes are handed over at once, because the process would
    /// wait for each of them otherwise.
    ///
    /// # Errors
    /// If the process cannot be started.
    pub fn costs(&mut self, case: &Case, sizes: &[usize], most: usize) -> io::Result<Vec<Answer>> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start()?,
        };
        let pipe = process.child.stdin.as_mut().ok_or_else(|| io::Error::other("the process has no pipe"))?;
        pipe.write_all(sizes.iter().map(|n| line(case, *n, most)).collect::<String>().as_bytes())?;
        let mut answers = Vec::new();
        for _ in sizes {
            let mut answer = String::new();
            process.from.read_line(&mut answer)?;
            if answer.is_empty() {
                answers.push(Answer::Ended(ended(process)?));
                return Ok(answers);
            }
            let numbers: Vec<u64> = answer.split_whitespace().filter_map(|word| word.parse().ok()).collect();
            answers.push(match numbers[..] {
                [input, peak, total, effort] => {
                    Answer::Cost(Cost { input, peak, total, instructions: 0, effort })
                }
                _ => Answer::TooLong,
            });
        }
        self.process = Some(process);
        Ok(answers)
    }

    fn start(&self) -> io::Result<Process> {
        let mut command = Command::new(&self.program);
        command.arg(ARGUMENTS[0]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let pipe = child.stdout.take().ok_or_else(|| io::Error::other("the process has no pipe"))?;
        Ok(Process { child, from: BufReader::new(pipe) })
    }
}

/// Returns the way in which a process ended, with the last line of its output.
fn ended(mut process: Process) -> io::Result<String> {
    use std::os::unix::process::ExitStatusExt;
    let status = process.child.wait()?;
    if status.signal() == Some(Signal::XCPU.as_raw()) {
        return Ok(format!("more than {SECONDS} s of processor time"));
    }
    let mut said = String::new();
    process.child.stderr.take().map(|mut pipe| pipe.read_to_string(&mut said)).transpose()?;
    let told = said.lines().find(|line| !line.is_empty() && !line.starts_with("thread")).unwrap_or_default();
    Ok(format!("the process ended by {status}: {told}"))
}

/// Counts the instructions of cases at sizes, in order; `None` if callgrind is not installed.
///
/// A probe that callgrind did not come to the end of has no count, and neither have those after it.
///
/// # Errors
/// If a file cannot be written or read.
pub fn instructions(program: &Path, probes: &[(&Case, usize)], most: usize) -> io::Result<Option<Vec<u64>>> {
    let lines: String = probes.iter().map(|(case, n)| line(case, *n, most)).collect();
    let counted = Counted {
        program,
        arguments: &[ARGUMENTS[1]],
        variables: &[],
        input: &lines,
        function: concat!(module_path!(), "::bomb_probe"),
        calls: probes.len(),
    };
    counted.instructions()
}
