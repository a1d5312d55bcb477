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
use crate::batches::{Batches, have_alike_arguments};
use crate::host::{Leaf, LeafTable};
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use pleach::crowd::CrowdPart;
use pleach::host::LogKind;
use pleach::{Agent, Batch, Call, Crowd, Function, Halt, Host, Status, Tally};
use std::mem::transmute;
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

/// Work for the thread, for which a coroutine is suspended. The pointers are to places on its
/// stack, or to what these places borrow, and nothing else uses the places until the coroutine
/// continues.
enum Need {
    Answer(Question),
    /// Other work that needs the host of the crowd, for this coroutine alone.
    Work(NonNull<dyn FnMut(&mut Asker)>),
}

/// Question for a function for many agents.
struct Question {
    /// Place in the code, then node and function. Questions are answered in this order.
    order: u128,
    batch: NonNull<Batch<'static>>,
    out: Out,
}

/// Places for the answers of a call.
#[derive(Clone, Copy)]
enum Out {
    Statuses(NonNull<[Status]>),
    Numbers(NonNull<[f64]>),
}

/// Answer to a question: it has been answered, or it has failed, which is the fault of its agents.
#[derive(Clone, Copy)]
enum Reply {
    Done,
    Failed,
}

/// Host of a part of the crowd. It suspends the coroutine for each call that needs Python.
struct PartHost<'y> {
    yielder: &'y Yielder<Reply, Need>,
    table: Arc<LeafTable>,
}

impl PartHost<'_> {
    fn need(&self, need: Need) {
        match self.yielder.suspend(need) {
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
        self.need(Need::Work(unsafe {
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
            true => self.need(Need::Answer(Question::of(batch, Out::Statuses(NonNull::from(out))))),
            false => self.work(|asker| asker.act_all(batch, out)),
        }
    }

    fn query_all(&mut self, batch: &mut Batch<'_>, out: &mut [f64]) {
        match self.is_joined(batch.function) {
            true => self.need(Need::Answer(Question::of(batch, Out::Numbers(NonNull::from(out))))),
            false => self.work(|asker| asker.query_all(batch, out)),
        }
    }
}

impl Question {
    fn of(batch: &mut Batch<'_>, out: Out) -> Self {
        let [place, node, function] = [batch.place, batch.node, batch.function].map(u128::from);
        let order = place << 64 | node << 32 | function;
        Self { order, batch: NonNull::from(batch).cast(), out }
    }

    /// Returns true if one call answers both questions, which have the same order.
    fn is_like(&mut self, other: &mut Self) -> bool {
        // SAFETY: the coroutines are suspended as long as their questions exist, so the calls are
        // there, and the questions are the only pointers to them.
        let (one, another) = unsafe { (self.batch.as_mut(), other.batch.as_mut()) };
        have_alike_arguments(one, another)
    }
}

/// Part of a crowd in its coroutine.
type PartTick = Coroutine<Reply, Need, thread::Result<Tally>>;

/// Tick of a crowd in parts.
struct Parts {
    ticks: Vec<PartTick>,
    /// By part, the question that it waits with.
    waiting: Vec<Option<Question>>,
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
    let waiting = (0..count).map(|_| None).collect();
    let mut parts = Parts { ticks, waiting, tally: Tally::default(), panic: None };
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
        for part in 0..self.ticks.len() {
            self.go_on(part, Reply::Done, asker);
        }
        let mut group = Vec::with_capacity(self.ticks.len());
        while self.group(&mut group) {
            let reply = self.answer(&group, asker);
            for (part, _) in group.drain(..) {
                self.go_on(part, reply, asker);
            }
        }
    }

    /// Continues a part until it has a question for many agents, or ends.
    fn go_on(&mut self, part: usize, mut reply: Reply, asker: &mut Asker) {
        loop {
            match self.ticks[part].resume(reply) {
                CoroutineResult::Yield(Need::Work(mut work)) => {
                    // SAFETY: the coroutine that made the closure is suspended until the next
                    // round, and this is the only pointer to the closure.
                    unsafe { work.as_mut()(asker) };
                    reply = Reply::Done;
                }
                CoroutineResult::Yield(Need::Answer(question)) => return self.waiting[part] = Some(question),
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

    /// Moves the first question and all that are like it into an empty group, in the order of
    /// parts. Returns false if no part waits.
    fn group(&mut self, group: &mut Vec<(usize, Question)>) -> bool {
        let Some(order) = self.waiting.iter().flatten().map(|question| question.order).min() else {
            return false;
        };
        for (part, place) in self.waiting.iter_mut().enumerate() {
            let is_next = |question: &mut Question| {
                let first: Option<&mut (usize, Question)> = group.first_mut();
                question.order == order && first.is_none_or(|(_, first)| first.is_like(question))
            };
            if let Some(question) = place.take_if(is_next) {
                group.push((part, question));
            }
        }
        true
    }

    /// Answers a group of questions by one call.
    fn answer(&mut self, group: &[(usize, Question)], asker: &mut Asker) -> Reply {
        // A panic must not leave suspended coroutines behind.
        catch_unwind(AssertUnwindSafe(|| ask(asker, group))).unwrap_or_else(|panic| {
            self.panic.get_or_insert(panic);
            Reply::Failed
        })
    }
}

/// Answers questions that are alike by one call.
fn ask(asker: &mut Asker, group: &[(usize, Question)]) -> Reply {
    let mut batches = Vec::with_capacity(group.len());
    let (mut statuses, mut answers) = (Vec::new(), Vec::new());
    for (_, Question { batch, out, .. }) in group {
        // SAFETY: the coroutines of all questions are suspended until this function has ended, each
        // question is of another coroutine, and questions are the only pointers to these places.
        unsafe {
            batches.push(batch.cast().as_mut());
            match *out {
                Out::Statuses(mut out) => statuses.push(out.as_mut()),
                Out::Numbers(mut out) => answers.push(out.as_mut()),
            }
        }
    }
    let batches = Batches::new(batches);
    let bound = asker.table.leaves.get(batches.first().function as usize);
    let Some(Leaf::Many(callback)) = bound.map(|bound| bound.leaf.clone()) else { return Reply::Failed };
    let done = match answers.is_empty() {
        true => asker.act_many(batches, &callback, &mut statuses),
        false => asker.query_many(batches, &callback, &mut answers),
    };
    if done.is_ok() { Reply::Done } else { Reply::Failed }
}
