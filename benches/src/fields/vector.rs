//! The trees written by hand for AVX-512, 64 agents at once: the ceiling.
//!
//! Agents stand in blocks of 64, field by field, and a truth is a bit of a word. A condition is
//! four comparisons that leave a bit for each agent; what begins and what ends are masks. All
//! agents of a block go through all conditions, so nothing jumps. A game would hardly be written
//! like this, and it shows what the processor can do.
//!
//! The one promise that the compiler cannot check is that the processor has the instructions: a
//! [`Processor`] is the proof.

use super::Tree;
use super::agents::{Written, digest};
use super::native::{COOLDOWN, act};
use super::shape::{DEEP_TICKS, FIELDS, level, pair};
use super::world::World;
use crate::system::{Counts, Named, Role, System};
use bytemuck::{Pod, Zeroable, cast, cast_mut, cast_ref};
use core::arch::x86_64::{
    __m512, __m512i, _CMP_GT_OQ, _CMP_LT_OQ, _mm512_and_si512, _mm512_cmp_ps_mask, _mm512_cmpeq_epi8_mask,
    _mm512_cmpeq_epi32_mask, _mm512_cmpgt_epi32_mask, _mm512_cmplt_epi32_mask, _mm512_cvtepu8_epi32,
    _mm512_mask_cmpeq_epi8_mask, _mm512_mask_mov_epi8, _mm512_mask_mov_epi32, _mm512_mask_set1_epi8,
    _mm512_mask_sub_epi8, _mm512_set1_epi8, _mm512_set1_epi32, _mm512_set1_ps, _mm512_setzero_si512,
    _mm512_sub_epi8,
};

/// Agents in a block.
const LANES: usize = 64;

/// Proof that this processor has the instructions.
#[derive(Clone, Copy, Debug)]
pub struct Processor(());

impl Processor {
    /// Asks the processor.
    #[must_use]
    pub fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        has.then_some(Self(()))
    }
}

/// Returns the tree as a system, if it has been written for vectors.
#[must_use]
pub fn system(tree: Tree, _: Processor, world: World, agents: usize) -> Option<Named> {
    let system: Box<dyn System> = match tree {
        Tree::Guard => Box::new(Vectors::new(world, agents, sweep_guard)),
        Tree::GuardR => Box::new(Vectors::new(world, agents, sweep_guard_r)),
        Tree::Wide => Box::new(Vectors::new(world, agents, sweep_wide)),
        Tree::WideF => return None,
        Tree::Deep => Box::new(Vectors::new(world, agents, sweep_deep)),
    };
    Some(Named { name: "vectors", role: Role::Ceiling, system })
}

/// Agents in blocks.
struct Vectors<B> {
    world: World,
    blocks: Vec<B>,
    agents: usize,
    now: i32,
    tick: Sweep<B>,
}

/// Function that ticks all agents of blocks. It may be called only if there is a [`Processor`].
type Sweep<B> = unsafe fn(&mut [B], agents: usize, now: i32) -> Counts;

/// 64 agents.
trait Block: Zeroable + Clone {
    fn set(&mut self, lane: usize, field: usize, value: u32);
    fn written(&self, lane: usize) -> Written;
}

impl<B: Block> Vectors<B> {
    fn new(world: World, agents: usize, tick: Sweep<B>) -> Self {
        Self { world, blocks: vec![B::zeroed(); agents.div_ceil(LANES)], agents, now: 0, tick }
    }
}

impl<B: Block> System for Vectors<B> {
    fn agents(&self) -> usize {
        self.agents
    }

    fn advance(&mut self, frame: u32) {
        self.now = frame as i32;
        for agent in 0..self.agents {
            let block = &mut self.blocks[agent / LANES];
            self.world.roll(agent, frame, |field, value| block.set(agent % LANES, field, value));
        }
    }

    fn tick(&mut self) -> Counts {
        #[expect(unsafe_code, reason = "features that have been looked up at run time")]
        // SAFETY: the processor has the features of all these functions, since `system`, which
        // alone makes such values, was given a proof.
        unsafe {
            (self.tick)(&mut self.blocks, self.agents, self.now)
        }
    }

    fn digest(&self) -> u64 {
        digest((0..self.agents).map(|agent| self.blocks[agent / LANES].written(agent % LANES)))
    }
}

/// A field of 64 agents.
type Column<T> = [T; LANES];

/// 64 guards.
#[derive(Clone, Copy, Zeroable)]
#[repr(C, align(64))]
struct Guards {
    health: Column<f32>,
    dist: Column<f32>,
    noise: Column<f32>,
    fatigue: Column<f32>,
    stamina: Column<f32>,
    ammo: Column<i32>,
    ready: Column<i32>,
    out: Column<i32>,
    leaf: Column<u8>,
    timer: Column<u8>,
    visible: u64,
    alert: u64,
}

impl Block for Guards {
    fn set(&mut self, lane: usize, field: usize, value: u32) {
        match field {
            0 => self.health[lane] = value as f32,
            1 => self.dist[lane] = value as f32,
            2 => self.noise[lane] = value as f32,
            3 => self.fatigue[lane] = value as f32,
            4 => self.stamina[lane] = value as f32,
            5 => self.ammo[lane] = value as i32,
            _ => self.visible = self.visible & !(1 << lane) | u64::from(value) << lane,
        }
    }

    fn written(&self, lane: usize) -> Written {
        Written { out: self.out[lane], alert: self.alert >> lane & 1 != 0 }
    }
}

/// 64 agents with eight fields.
#[derive(Clone, Copy, Zeroable)]
#[repr(C, align(64))]
struct Grids {
    floats: [Column<f32>; 4],
    ints: [Column<i32>; 4],
    out: Column<i32>,
    leaf: Column<u8>,
    timer: Column<u8>,
}

impl Block for Grids {
    fn set(&mut self, lane: usize, field: usize, value: u32) {
        if let Some(field) = field.checked_sub(4) {
            self.ints[field][lane] = value as i32;
        } else {
            self.floats[field][lane] = value as f32;
        }
    }

    fn written(&self, lane: usize) -> Written {
        Written { out: self.out[lane], alert: false }
    }
}

/// Returns the lanes of a block that have agents, if `left` agents are left from its first lane on.
fn present(left: usize) -> u64 {
    if left >= LANES { !0 } else { (1 << left) - 1 }
}

/// Defines functions that are compiled for the features that [`Processor::detect`] asks for.
macro_rules! vectorised {
    ($($(#[$doc:meta])* fn $name:ident $([$($generics:tt)*])? ($($args:tt)*) $(-> $result:ty)? $body:block)*) => {
        $(
            $(#[$doc])*
            #[inline]
            #[target_feature(enable = "avx512f,avx512bw,bmi2,popcnt")]
            fn $name $(<$($generics)*>)? ($($args)*) $(-> $result)? $body
        )*
    };
}

vectorised! {
    fn sweep_guard(blocks: &mut [Guards], agents: usize, now: i32) -> Counts {
        sweep(blocks, agents, |block, present| guard::<false>(block, present, now))
    }

    fn sweep_guard_r(blocks: &mut [Guards], agents: usize, now: i32) -> Counts {
        sweep(blocks, agents, |block, present| guard::<true>(block, present, now))
    }

    fn sweep_wide(blocks: &mut [Grids], agents: usize, _: i32) -> Counts {
        sweep(blocks, agents, |block, present| wide(block, present))
    }

    fn sweep_deep(blocks: &mut [Grids], agents: usize, _: i32) -> Counts {
        sweep(blocks, agents, |block, present| deep(block, present))
    }

    fn sweep[B](blocks: &mut [B], agents: usize, tick: impl Fn(&mut B, u64) -> Counts) -> Counts {
        let mut counts = Counts::default();
        for (index, block) in blocks.iter_mut().enumerate() {
            counts += tick(block, present(agents - index * LANES));
        }
        counts
    }

    /// Returns a bit for each agent: what `holds` says of 16 at a time.
    fn bits[T: Pod, V: Pod](column: &Column<T>, holds: impl Fn(V) -> u16) -> u64 {
        let parts: &[[T; 16]; 4] = cast_ref(column);
        let [a, b, c, d] = parts.map(|part| u64::from(holds(cast(part))));
        a | b << 16 | c << 32 | d << 48
    }

    fn is_below(column: &Column<f32>, limit: f32) -> u64 {
        let limit = _mm512_set1_ps(limit);
        bits(column, |part: __m512| _mm512_cmp_ps_mask::<_CMP_LT_OQ>(part, limit))
    }

    fn is_above(column: &Column<f32>, limit: f32) -> u64 {
        let limit = _mm512_set1_ps(limit);
        bits(column, |part: __m512| _mm512_cmp_ps_mask::<_CMP_GT_OQ>(part, limit))
    }

    fn is_less(column: &Column<i32>, limit: i32) -> u64 {
        let limit = _mm512_set1_epi32(limit);
        bits(column, |part: __m512i| _mm512_cmplt_epi32_mask(part, limit))
    }

    fn is_more(column: &Column<i32>, limit: i32) -> u64 {
        let limit = _mm512_set1_epi32(limit);
        bits(column, |part: __m512i| _mm512_cmpgt_epi32_mask(part, limit))
    }

    fn is_equal(column: &Column<i32>, value: i32) -> u64 {
        let value = _mm512_set1_epi32(value);
        bits(column, |part: __m512i| _mm512_cmpeq_epi32_mask(part, value))
    }

    /// Returns the agents whose byte is this.
    fn are(bytes: __m512i, value: u8) -> u64 {
        _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(value as i8))
    }

    /// Returns bytes with `value` for some agents.
    fn put(bytes: __m512i, agents: u64, value: u8) -> __m512i {
        _mm512_mask_set1_epi8(bytes, agents, value as i8)
    }

    /// Writes the bytes of some agents into a column.
    fn store(column: &mut Column<i32>, agents: u64, bytes: __m512i) {
        let bytes: [[u8; 16]; 4] = cast(bytes);
        let parts: &mut [[i32; 16]; 4] = cast_mut(column);
        for (index, (part, bytes)) in parts.iter_mut().zip(bytes).enumerate() {
            let new = _mm512_cvtepu8_epi32(cast(bytes));
            *part = cast(_mm512_mask_mov_epi32(cast(*part), (agents >> (16 * index)) as u16, new));
        }
    }

    /// Counts down the timers of running agents. Returns the timers, and the agents whose timers
    /// end.
    fn count_down(timer: __m512i, running: u64) -> (__m512i, u64) {
        let timer = _mm512_mask_sub_epi8(timer, running, timer, _mm512_set1_epi8(1));
        (timer, _mm512_mask_cmpeq_epi8_mask(running, timer, _mm512_setzero_si512()))
    }

    /// `guard`, or with a reactive root `guard_r`.
    fn guard[const REACTIVE: bool](block: &mut Guards, present: u64, now: i32) -> Counts {
        let leaf: __m512i = cast(block.leaf);
        let begins = begins::<REACTIVE>(block, leaf, present, now);
        let begun = begins.iter().fold(0, |all, (agents, ..)| all | agents);
        let running = present & !are(leaf, 0) & !begun;
        let (mut timer, ended) = count_down(cast(block.timer), running);
        let of = |action| ended & are(leaf, action);
        let (fled, shot, searched, listened, patrolled) =
            (of(act::FLEE), of(act::SHOOT), of(act::SEARCH), of(act::LISTEN), of(act::PATROL));
        block.alert = (block.alert | fled | shot) & !listened;
        if shot != 0 {
            let ready = _mm512_set1_epi32(now + COOLDOWN);
            blend(&mut block.ready, shot, ready);
        }

        let mut out = leaf;
        let mut next = put(leaf, ended, 0);
        let [flee, shoot, search, patrol, heal, idle] = begins;
        let listen = (searched, act::LISTEN, 2);
        let look = (patrolled, act::LOOK, 2);
        for (agents, action, ticks) in [listen, look, flee, shoot, search, patrol, heal, idle] {
            out = put(out, agents, action);
            next = put(next, agents, if ticks == 1 { 0 } else { action });
            timer = put(timer, agents, ticks - 1);
        }
        block.leaf = cast(next);
        block.timer = cast(timer);
        store(&mut block.out, present, out);
        let running = (present & !are(next, 0)).count_ones();
        Counts { failure: 0, success: present.count_ones() - running, running }
    }

    /// Writes the same into a column for some agents.
    fn blend(column: &mut Column<i32>, agents: u64, value: __m512i) {
        let parts: &mut [[i32; 16]; 4] = cast_mut(column);
        for (index, part) in parts.iter_mut().enumerate() {
            *part = cast(_mm512_mask_mov_epi32(cast(*part), (agents >> (16 * index)) as u16, value));
        }
    }

    /// Returns, for each action, the guards that begin it and for how many ticks.
    fn begins[const REACTIVE: bool](block: &Guards, leaf: __m512i, present: u64, now: i32) -> [(u64, u8, u8); 6] {
        let seen = block.visible;
        let flees = is_below(&block.health, 30.0) & seen & is_above(&block.stamina, 10.0);
        let shoots = seen
            & is_below(&block.dist, 24.0)
            & !is_equal(&block.ammo, 0)
            & !is_more(&block.ready, now);
        let suspects =
            (is_above(&block.noise, 70.0) | block.alert) & !seen & !is_above(&block.fatigue, 90.0);
        let patrols = is_below(&block.fatigue, 80.0)
            & is_above(&block.stamina, 20.0)
            & !is_above(&block.noise, 95.0);
        let heals = is_below(&block.health, 95.0);

        let mut left = if REACTIVE { present } else { present & are(leaf, 0) };
        // Agents for which the condition holds. An agent that runs in this
        // branch continues without a test.
        let mut choose = |holds: u64, runs: u64| {
            let runs = if REACTIVE { runs } else { 0 };
            let chosen = left & holds & !runs;
            left &= !(holds | runs);
            chosen
        };
        [
            (choose(flees, are(leaf, act::FLEE)), act::FLEE, 5),
            (choose(shoots, are(leaf, act::SHOOT)), act::SHOOT, 2),
            (choose(suspects, are(leaf, act::SEARCH) | are(leaf, act::LISTEN)), act::SEARCH, 4),
            (choose(patrols, are(leaf, act::PATROL) | are(leaf, act::LOOK)), act::PATROL, 3),
            (choose(heals, are(leaf, act::HEAL)), act::HEAL, 3),
            (choose(!0, 0), act::IDLE, 1),
        ]
    }

    fn exceeds(block: &Grids, field: usize, limit: i32) -> u64 {
        let (floats, ints) = (&block.floats[field % 4], &block.ints[field % 4]);
        if field < 4 { is_above(floats, limit as f32) } else { is_more(ints, limit) }
    }

    fn falls_short(block: &Grids, field: usize, limit: i32) -> u64 {
        let (floats, ints) = (&block.floats[field % 4], &block.ints[field % 4]);
        if field < 4 { is_below(floats, limit as f32) } else { is_less(ints, limit) }
    }

    /// Removes from `left` the agents for which a condition of this row holds.
    fn wide_row[const ROW: usize](block: &Grids, left: &mut u64, leaf: &mut __m512i) {
        for field in 0..FIELDS {
            let pair = pair(ROW, field);
            let holds = exceeds(block, field, pair.limit);
            *leaf = put(*leaf, *left & holds, pair.action);
            *left &= !holds;
        }
    }

    /// `wide`.
    fn wide(block: &mut Grids, present: u64) -> Counts {
        let mut leaf: __m512i = cast(block.leaf);
        let running = present & !are(leaf, 0);
        let (mut timer, ended) = count_down(cast(block.timer), running);
        let mut left = present & !running;
        // Row by row, so that all limits and numbers are constants.
        wide_row::<0>(block, &mut left, &mut leaf);
        wide_row::<1>(block, &mut left, &mut leaf);
        wide_row::<2>(block, &mut left, &mut leaf);
        wide_row::<3>(block, &mut left, &mut leaf);
        wide_row::<4>(block, &mut left, &mut leaf);
        wide_row::<5>(block, &mut left, &mut leaf);
        wide_row::<6>(block, &mut left, &mut leaf);
        wide_row::<7>(block, &mut left, &mut leaf);
        let begun = present & !running & !left;
        // The action with number n runs for (n - 1) % 4 + 1 ticks.
        let ticks = _mm512_and_si512(_mm512_sub_epi8(leaf, _mm512_set1_epi8(1)), _mm512_set1_epi8(3));
        timer = _mm512_mask_mov_epi8(timer, begun, ticks);
        store(&mut block.out, running | begun, leaf);
        let ended = ended | begun & are(ticks, 0);
        block.leaf = cast(put(leaf, ended, 0));
        block.timer = cast(timer);
        Counts {
            failure: left.count_ones(),
            success: ended.count_ones(),
            running: ((running | begun) & !ended).count_ones(),
        }
    }

    /// Removes from `left` the agents that a level of this row stops.
    fn deep_row[const ROW: usize](block: &Grids, left: &mut u64, failed: &mut u64, succeeded: &mut u64) {
        for field in 0..FIELDS {
            let level = level(ROW, field);
            if level.sequence {
                let goes = falls_short(block, field, level.limit);
                *failed |= *left & !goes;
                *left &= goes;
            } else {
                let stops = *left & exceeds(block, field, level.limit);
                *succeeded |= stops;
                *left &= !stops;
            }
        }
    }

    /// `deep`.
    fn deep(block: &mut Grids, present: u64) -> Counts {
        let leaf: __m512i = cast(block.leaf);
        let running = present & !are(leaf, 0);
        let (timer, ended) = count_down(cast(block.timer), running);
        let (mut left, mut failed, mut succeeded) = (present & !running, 0, 0);
        if left != 0 {
            deep_row::<0>(block, &mut left, &mut failed, &mut succeeded);
            deep_row::<1>(block, &mut left, &mut failed, &mut succeeded);
            deep_row::<2>(block, &mut left, &mut failed, &mut succeeded);
            deep_row::<3>(block, &mut left, &mut failed, &mut succeeded);
        }
        block.leaf = cast(put(put(leaf, ended, 0), left, 1));
        block.timer = cast(put(timer, left, DEEP_TICKS - 1));
        blend(&mut block.out, running | left, _mm512_set1_epi32(1));
        Counts {
            failure: failed.count_ones(),
            success: (ended | succeeded).count_ones(),
            running: (running & !ended | left).count_ones(),
        }
    }
}
