//! Text to image, with all diagnostics and with debug information; throughput in nodes.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pleach::Image;
use pleach_benches::corpus::{self, Part};
use pleach_benches::trees::{self, BOT};
use pleach_compile::Compiler;

fn compile(criterion: &mut Criterion) {
    let (manifest, mut compiler) = (trees::manifest(), Compiler::default());
    let bot = Part { library: trees::bot(), entries: vec![BOT.to_owned()] };
    let mut group = criterion.benchmark_group("compile");
    for (name, part) in
        [("bot", bot)].into_iter().chain(corpus::corpus(1).into_iter().map(|part| ("corpus", part)))
    {
        let image = Image::copy(&part.compile(&mut compiler, &manifest, true))
            .expect("the compiler makes valid images");
        group.throughput(Throughput::Elements(image.meta().nodes.into()));
        group.bench_function(name, |bencher| bencher.iter(|| part.compile(&mut compiler, &manifest, true)));
    }
    group.finish();
}

criterion_group!(benches, compile);
criterion_main!(benches);
