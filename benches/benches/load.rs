//! File to verified image; throughput in bytes.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pleach_benches::corpus::{self, Part};
use pleach_benches::trees::{self, BOT};
use pleach_benches::trusted::TempFile;
use pleach_compile::Compiler;

fn load(criterion: &mut Criterion) {
    let (manifest, mut compiler) = (trees::manifest(), Compiler::default());
    let bot = Part { library: trees::bot(), entries: vec![BOT.to_owned()] };
    let mut group = criterion.benchmark_group("load");
    for (name, part) in
        [("bot", bot)].into_iter().chain(corpus::corpus(1).into_iter().map(|part| ("corpus", part)))
    {
        let image = part.compile(&mut compiler, &manifest, true);
        let file = TempFile::new(name, &image).expect("there is room for temporary files");
        group.throughput(Throughput::Bytes(image.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| file.map().expect("the image is valid").blocks().len())
        });
    }
    group.finish();
}

criterion_group!(benches, load);
criterion_main!(benches);
