//! The bot on each system; throughput in agent-ticks.

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pleach_benches::crowd::Bots;
use pleach_benches::native::Native;
use pleach_benches::peer::Peer;
use pleach_benches::system::System;

type Make = fn(usize) -> Box<dyn System<false>>;

const SYSTEMS: [(&str, Make); 4] = [
    ("native", |agents| Box::new(Native::new(agents, false))),
    ("native-tuned", |agents| Box::new(Native::new(agents, true))),
    ("pleach-scalar", |agents| Box::new(Bots::new(agents))),
    ("bonsai-bt", |agents| Box::new(Peer::new(agents))),
];

fn tick(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tick");
    for agents in [1, 1000] {
        group.throughput(Throughput::Elements(agents as u64));
        for (name, make) in SYSTEMS {
            let mut system = make(agents);
            let mut frame = 0;
            // Advancing the world is set-up, not measured.
            group.bench_function(BenchmarkId::new(name, agents), |bencher| {
                let system = std::cell::RefCell::new(&mut system);
                bencher.iter_batched(
                    || {
                        system.borrow_mut().world().advance(frame);
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

criterion_group!(benches, tick);
criterion_main!(benches);
