//! Each tree on each system; throughput in agent-ticks.

use criterion::measurement::WallTime;
use criterion::{
    BatchSize, BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use pleach_benches::lineup::Workload;
use pleach_benches::reacting::Reacting;
use pleach_benches::select;
use pleach_benches::system::Named;
use std::cell::RefCell;

fn tick(criterion: &mut Criterion) {
    for workload in Workload::all() {
        let mut group = criterion.benchmark_group(format!("tick/{}", workload.name()));
        for agents in [1, 1000] {
            group.throughput(Throughput::Elements(agents as u64));
            measure(&mut group, agents, workload.systems(agents, true));
        }
        group.finish();
    }
}

/// Measures signals to few of many agents, and the selections that follow.
fn selections(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group(format!("select/{}", select::SOLDIER));
    group.throughput(Throughput::Elements(select::AGENTS as u64));
    measure(&mut group, select::AGENTS, select::systems(select::AGENTS, select::FEW));
    group.finish();
}

/// Changes of variables, and an event, for agents of modular trees.
fn reactions(criterion: &mut Criterion) {
    for what in Reacting::ALL {
        let mut group = criterion.benchmark_group(format!("react/{}", what.name()));
        group.throughput(Throughput::Elements(select::AGENTS as u64));
        measure(&mut group, select::AGENTS, what.systems(select::AGENTS));
        group.finish();
    }
}

/// Measures the frames of systems.
fn measure(group: &mut BenchmarkGroup<'_, WallTime>, agents: usize, systems: Vec<Named>) {
    for Named { name, system, .. } in systems {
        let system = RefCell::new(system);
        let mut frame = 0;
        // Advancing the world is set-up, not measured.
        group.bench_function(BenchmarkId::new(name, agents), |bencher| {
            bencher.iter_batched(
                || {
                    system.borrow_mut().advance(frame);
                    frame += 1;
                },
                |()| system.borrow_mut().tick(),
                BatchSize::PerIteration,
            );
        });
    }
}

criterion_group!(benches, tick, selections, reactions);
criterion_main!(benches);
