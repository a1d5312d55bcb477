//! Ticks in which a function of Python is called once for the agents of many chunks.
//!
//! The runtime finishes a chunk before it begins the next one. So that all chunks can ask at the
//! same moment, each part of the crowd is ticked by a coroutine. A coroutine is suspended when a
//! leaf needs Python. When all coroutines are suspended, those that ask the same question get their
//! answers by one call, and continue. The order of questions is that of nodes in the tree: a chunk
//! that is behind catches up, so that it asks its next question together with the others.
//!
//! Python runs only on the stack of the thread, never on that of a coroutine: interpreters measure
//! how much of their thread's stack is left.

#![expect(unsafe_code, reason = "a question is lent to another stack without its lifetime")]

use crate::asker::{Asker, act_alone, fault, query_alone};
use crate::batches::{Batches, are_alike};
use crate::host::{Leaf, LeafTable};
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use pleach::crowd::CrowdPart;
use pleach::host::LogKind;
use pleach::{Agent, Batch, Call, Crowd, Function, Halt, Host, Status, Tally};
use std::mem::{swap, transmute};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::NonNull;
use std::sync::Arc;
use std::thread;

/// Largest number of coroutines. It bounds the memory of a tick. With more chunks, each coroutine
/// ticks several, one after the other.
const MOST_PARTS: usize = 64;
/// Size of a stack in bytes. Only what is used takes memory.
const STACK_BYTES: usize = 1 << 20;

/// Stacks of coroutines, which a crowd keeps from tick to tick.
#[derive(Default)]
pub(crate) struct Stacks(Vec<DefaultStack>);

impl Stacks {
    /// Makes sure that there are so many stacks, or as many as there is memory for. Returns their
    /// number.
    fn reserve(&mut self, count: usize) -> usize {
        while self.0.len() < count {
            let Ok(stack) = DefaultStack::new(STACK_BYTES) else { break };
            self.0.push(stack);
        }
        count.min(self.0.len())
    }
}

/// Question of a suspended coroutine. The pointers are to places on its stack, or to what these
/// places borrow, and nothing else uses the places until the coroutine continues.
enum Question {
    Act(NonNull<Batch<'static>>, NonNull<[Status]>),
    Query(NonNull<Batch<'static>>, NonNull<[f64]>),
    /// Other work that needs the host of the crowd, for this coroutine alone.
    Work(NonNull<dyn FnMut(&mut Asker)>),
}

/// Answer to a question: it has been answered, or it has failed, which is the fault of its agents.
#[derive(Clone, Copy)]
enum Reply {
    Done,
    Failed,
}

/// Host of a part of the crowd. It suspends the coroutine for each call that needs Python.
struct PartHost<'y> {
    yielder: &'y Yielder<Reply, Question>,
    table: Arc<LeafTable>,
}

impl PartHost<'_> {
    fn ask(&self, question: Question) {
        match self.yielder.suspend(question) {
            Reply::Done => {}
            Reply::Failed => fault(),
        }
    }

    /// Does work with the host of the crowd, on the stack of the thread. Panics as the work does.
    fn work<R>(&self, work: impl FnOnce(&mut Asker) -> R) -> R {
        let (mut work, mut done) = (Some(work), None);
        let mut once = |asker: &mut Asker| {
            done = work.take().map(|work| catch_unwind(AssertUnwindSafe(|| work(asker))));
        };
        let once: NonNull<dyn FnMut(&mut Asker) + '_> = NonNull::from(&mut once);
        // SAFETY: only the lifetime changes. The closure lives until this function ends, and the
        // pointer is used only while the coroutine is suspended in the next line.
        self.ask(Question::Work(unsafe {
            transmute::<NonNull<dyn FnMut(&mut Asker) + '_>, NonNull<dyn FnMut(&mut Asker)>>(once)
        }));
        match done {
            Some(Ok(result)) => result,
            Some(Err(panic)) => resume_unwind(panic),
            None => fault(),
        }
    }

    /// Returns true if a function of Python for many agents answers.
    fn is_joined(&self, function: u32) -> bool {
        self.table.leaves.get(function as usize).is_some_and(|bound| matches!(bound.leaf, Leaf::Many(_)))
    }
}

impl Host for PartHost<'_> {
    fn resolve(&self, function: Function, name: &str) -> Option<u32> {
        self.table.number(function, name)
    }

    fn knows(&mut self, function: Function, number: u32, agent: Agent) -> bool {
        self.table.knows.is_none() || self.work(|asker| asker.knows(function, number, agent))
    }

    fn act(&mut self, call: &mut Call<'_>) -> Status {
        act_alone(self, call)
    }

    fn query(&mut self, call: &mut Call<'_>) -> f64 {
        query_alone(self, call)
    }

    fn halt(&mut self, call: &mut Call<'_>, reason: Halt) {
        let bound = self.table.leaves.get(call.function as usize);
        if bound.is_some_and(|leaf| leaf.halted.is_some()) {
            self.work(|asker| asker.halt(call, reason));
        }
    }

    fn log(&mut self, agent: Agent, node: u32, kind: LogKind, text: &[u8]) {
        if self.table.log.is_some() {
            self.work(|asker| asker.log(agent, node, kind, text));
        }
    }

    fn act_all(&mut self, batch: &mut Batch<'_>, out: &mut [Status]) {
        match self.is_joined(batch.function) {
            true => self.ask(Question::Act(NonNull::from(batch).cast(), NonNull::from(out))),
            false => self.work(|asker| asker.act_all(batch, out)),
        }
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        match self.is_joined(batch.function) {
            true => self.ask(Question::Query(NonNull::from(batch).cast(), NonNull::from(out))),
            false => self.work(|asker| asker.query_all(batch, out)),
        }
    }
}

impl Question {
    /// Returns the call that a function for many agents answers; `None` for other work.
    fn batch(&self) -> Option<&Batch<'static>> {
        match self {
            // SAFETY: the coroutine is suspended as long as its question exists, so the batch is
            // there, and nothing else uses the batch.
            Self::Act(batch, _) | Self::Query(batch, _) => Some(unsafe { batch.as_ref() }),
            Self::Work(_) => None,
        }
    }

    /// Returns what decides which question is answered first: the place in the tree. Queries have
    /// no place there, and come first.
    fn order(&self) -> (u32, u32) {
        self.batch().map_or((0, 0), |batch| (batch.node, batch.function))
    }

    /// Returns the call as [`Self::batch`] does, to read the arguments of its agents.
    fn batch_mut(&mut self) -> Option<&mut Batch<'static>> {
        match self {
            // SAFETY: as in `batch`. The question is the only pointer to the batch.
            Self::Act(batch, _) | Self::Query(batch, _) => Some(unsafe { batch.as_mut() }),
            Self::Work(_) => None,
        }
    }

    /// Returns true if one call answers both questions.
    fn is_like(&mut self, other: &mut Self) -> bool {
        matches!(self, Self::Act(..)) == matches!(other, Self::Act(..))
            && self.batch_mut().zip(other.batch_mut()).is_some_and(|(one, other)| are_alike(one, other))
    }
}

/// Part of a crowd in its coroutine.
type PartTick = Coroutine<Reply, Question, thread::Result<Tally>>;

/// Tick of a crowd in parts.
struct Parts {
    ticks: Vec<PartTick>,
    /// Questions with the numbers of their parts.
    waiting: Vec<(usize, Question)>,
    tally: Tally,
    /// First panic of the runtime.
    panic: Option<Box<dyn std::any::Any + Send>>,
}

/// Ticks all agents at a time, as [`Crowd::tick`] does.
pub(crate) fn tick(crowd: &mut Crowd, now: i64, asker: &mut Asker, stacks: &mut Stacks) -> Tally {
    // One part needs no stack.
    let chunks = crowd.columns().chunks().min(MOST_PARTS);
    let count = if chunks < 2 { chunks } else { stacks.reserve(chunks) };
    if count < 2 {
        return crowd.tick(now, asker);
    }
    let parts = crowd.parts(count).zip(stacks.0.drain(..count));
    let ticks = parts.map(|(part, stack)| coroutine(part, now, asker.table.clone(), stack)).collect();
    let mut parts = Parts { ticks, waiting: Vec::new(), tally: Tally::default(), panic: None };
    parts.run(asker);
    let Parts { ticks, tally, panic, .. } = parts;
    stacks.0.extend(ticks.into_iter().map(Coroutine::into_stack));
    if let Some(panic) = panic {
        resume_unwind(panic);
    }
    crowd.end_tick(now, asker);
    tally
}

/// Returns the tick of a part as a coroutine. The caller must run it to its end before the borrow
/// of the part ends.
fn coroutine(part: CrowdPart<'_>, now: i64, table: Arc<LeafTable>, stack: DefaultStack) -> PartTick {
    // SAFETY: only the lifetime changes. `tick` alone makes coroutines, and it does not use the
    // crowd before all of them have ended, which drops their parts.
    let mut part = unsafe { transmute::<CrowdPart<'_>, CrowdPart<'static>>(part) };
    Coroutine::with_stack(stack, move |yielder, _| {
        let mut host = PartHost { yielder, table };
        catch_unwind(AssertUnwindSafe(|| part.tick(now, &mut host)))
    })
}

impl Parts {
    /// Runs all parts to their ends.
    fn run(&mut self, asker: &mut Asker) {
        let mut ready: Vec<_> = (0..self.ticks.len()).collect();
        let mut reply = Reply::Done;
        while !ready.is_empty() {
            for part in ready {
                self.go_on(part, reply, asker);
            }
            (ready, reply) = self.answer(asker);
        }
    }

    /// Continues a part until it has a question for many agents, or ends.
    fn go_on(&mut self, part: usize, mut reply: Reply, asker: &mut Asker) {
        loop {
            match self.ticks[part].resume(reply) {
                CoroutineResult::Yield(Question::Work(mut work)) => {
                    // SAFETY: the coroutine that made the closure is suspended until the next
                    // round, and its question is the only pointer to the closure.
                    unsafe { work.as_mut()(asker) };
                    reply = Reply::Done;
                }
                CoroutineResult::Yield(question) => return self.waiting.push((part, question)),
                CoroutineResult::Return(Ok(tally)) => {
                    self.tally += tally;
                    return;
                }
                CoroutineResult::Return(Err(panic)) => {
                    self.panic.get_or_insert(panic);
                    return;
                }
            }
        }
    }

    /// Answers the first question and all that are like it. Returns the parts that continue, and
    /// their reply. There are none if no part waits.
    fn answer(&mut self, asker: &mut Asker) -> (Vec<usize>, Reply) {
        let first =
            (0..self.waiting.len()).min_by_key(|at| (self.waiting[*at].1.order(), self.waiting[*at].0));
        let Some(first) = first else { return (Vec::new(), Reply::Done) };
        self.waiting.swap(0, first);
        let (mut group, mut others) = (Vec::new(), Vec::new());
        for (part, mut question) in self.waiting.drain(..) {
            let first: Option<&mut (usize, Question)> = group.first_mut();
            let is_like = first.is_none_or(|(_, first)| first.is_like(&mut question));
            if is_like { &mut group } else { &mut others }.push((part, question));
        }
        swap(&mut self.waiting, &mut others);
        group.sort_unstable_by_key(|(part, _)| *part);
        let (parts, questions): (Vec<_>, Vec<_>) = group.into_iter().unzip();
        // A panic must not leave suspended coroutines behind.
        let reply = catch_unwind(AssertUnwindSafe(|| ask(asker, questions))).unwrap_or_else(|panic| {
            self.panic.get_or_insert(panic);
            Reply::Failed
        });
        (parts, reply)
    }
}

/// Answers questions that are alike by one call.
fn ask(asker: &mut Asker, questions: Vec<Question>) -> Reply {
    let (mut batches, mut statuses, mut answers) = (Vec::new(), Vec::new(), Vec::new());
    for question in questions {
        // SAFETY: the coroutines of all questions are suspended until this function has ended, each
        // question is of another coroutine, and questions are the only pointers to these places.
        unsafe {
            match question {
                Question::Act(mut batch, mut out) => {
                    batches.push(batch.as_mut().reborrow());
                    statuses.push(out.as_mut());
                }
                Question::Query(mut batch, mut out) => {
                    batches.push(batch.as_mut().reborrow());
                    answers.push(out.as_mut());
                }
                Question::Work(_) => {}
            }
        }
    }
    let mut batches = batches.into_iter();
    let Some(first) = batches.next() else { return Reply::Failed };
    let batches = Batches::new(first, batches);
    let bound = asker.table.leaves.get(batches.first().function as usize);
    let Some(Leaf::Many(callback)) = bound.map(|bound| bound.leaf.clone()) else { return Reply::Failed };
    let done = match answers.is_empty() {
        true => asker.act_many(batches, &callback, &mut statuses),
        false => asker.query_many(batches, &callback, &mut answers),
    };
    if done.is_ok() { Reply::Done } else { Reply::Failed }
}
