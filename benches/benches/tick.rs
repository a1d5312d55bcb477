//! Each tree on each system; throughput in agent-ticks.

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pleach_benches::lineup::Workload;
use pleach_benches::system::Named;
use std::cell::RefCell;

fn tick(criterion: &mut Criterion) {
    for workload in Workload::all() {
        let mut group = criterion.benchmark_group(format!("tick/{}", workload.name()));
        for agents in [1, 1000] {
            group.throughput(Throughput::Elements(agents as u64));
            for Named { name, system, .. } in workload.systems(agents, true) {
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
        group.finish();
    }
}

criterion_group!(benches, tick);
criterion_main!(benches);
