//! Every NaN has the same bits wherever a float is stored or returned, on every engine.

use pleach::engine::{Engine, Vectors};
use pleach::record::Recorder;
use pleach::{Bindings, Crowd, Group, Image, Program, Status};
use pleach_compile::internals::emit;
use pleach_tests::own;

const CANONICAL: u32 = 0x7fc0_0000;

/// NaNs of either sign, quiet and signaling, with and without payload.
const NANS: [u32; 5] = [CANONICAL, 0xffc0_0000, 0x7fc0_1234, 0xffff_ffff, 0x7f80_0001];

/// Variables that hold a NaN when a tick of [`PROGRAM`] has ended.
const RESULTS: [&str; 9] = ["sum", "turned", "minus", "size", "least", "copy", "product", "asked", "told"];

const PROGRAM: &str = "
    action note(value: float)
    query guess(): float
    var zero: float
    var given: float
    var sum: float
    var turned: float
    var minus: float
    var size: float
    var least: float
    var copy: float
    var product: float
    var asked: float
    var told: float
    world var all: float
    group var some: float
    tree main {
        sequence {
            set sum = (zero / zero) + -(zero / zero)
            set turned = -(zero / zero) + (zero / zero)
            set minus = -(zero / zero)
            set size = abs(-(zero / zero))
            set least = min(given, -given)
            set copy = given
            set product = given * -2.0
            set asked = guess()
            set told = all
            set all = -(zero / zero)
            set some = given
            action note(given)
        }
    }
";

fn image() -> Image {
    let files = [("main.pleach".to_owned(), PROGRAM.to_owned())];
    let module = own::module(&files.into_iter().collect()).expect("the program is right");
    Image::copy(&emit::emit(&module, "pleach", None).expect("it is small")).expect("it is sound")
}

fn engines() -> impl Iterator<Item = Engine> {
    [Engine::Scalar].into_iter().chain(Vectors::all().map(Engine::Batch))
}

/// Returns a crowd that was ticked with a host that writes and returns this NaN, and the recording
/// of the ticks.
fn run(engine: Engine, bits: u32) -> (Crowd, Vec<u32>, Vec<u8>) {
    let (image, mut host) = (image(), Bindings::new(Vec::new()));
    host.action("note", |heard: &mut Vec<u32>, call| {
        heard.push(call.args.float(0).to_bits());
        Status::Success
    });
    let answer = f64::from_bits(u64::from(bits >> 31) << 63 | 0x7ff8 << 48 | u64::from(bits & 0xffff));
    host.query("guess", move |_, _| answer);
    let program = Program::link(&image, &host).expect("the host has all");
    let given = program.variable("given").expect("it is declared");
    let mut crowd = Crowd::new(&program).with_engine(engine);
    for _ in 0..70 {
        crowd.spawn("main").expect("there is room");
    }
    let mut recorder = Recorder::new(&image, &host);
    for now in 0..3 {
        crowd.columns_mut().column::<f32>(0, given).expect("it is there").fill(f32::from_bits(bits));
        crowd.tick(now, &mut recorder.around(&mut host));
    }
    let heard = core::mem::take(host.world_mut());
    (crowd, heard, recorder.take())
}

#[test]
fn all_engines_keep_one_nan() {
    for engine in engines() {
        for bits in NANS {
            let (crowd, heard, _) = run(engine, bits);
            assert!(heard.iter().all(|heard| *heard == CANONICAL), "{engine:?} {bits:x}: {heard:x?}");
            for name in RESULTS {
                let variable = crowd.program().variable(name).expect("it is declared");
                let column = crowd.columns().column::<f32>(0, variable).expect("it is there");
                assert_eq!(column[69].to_bits(), CANONICAL, "{engine:?} {bits:x}: {name}");
            }
            for name in ["all", "some"] {
                let variable = crowd.program().shared(name).expect("it is declared");
                let value = crowd.shared(variable, Group::default()).expect("it is there");
                assert_eq!(
                    value.to_bits(),
                    f64::from(f32::from_bits(CANONICAL)).to_bits(),
                    "{engine:?}: {name}"
                );
            }
        }
    }
}

#[test]
fn digests_states_and_recordings_do_not_depend_on_the_bits_of_a_nan() {
    let (mut crowd, _, recording) = run(Engine::Scalar, CANONICAL);
    let (digest, mut state) = (crowd.inspect().digest(), Vec::new());
    crowd.snapshot(&mut state);
    let agent = crowd.columns().agents_of(0).map(|(_, agent)| agent).next().expect("there are some");
    let mut one = Vec::new();
    crowd.save_agent(agent, &mut one).expect("it is there");
    for engine in engines() {
        for bits in NANS {
            let (mut crowd, _, again) = run(engine, bits);
            assert_eq!(crowd.inspect().digest(), digest, "{engine:?} {bits:x}");
            let mut other = Vec::new();
            crowd.snapshot(&mut other);
            assert!(other == state, "{engine:?} {bits:x}: another state");
            crowd.save_agent(agent, &mut other).expect("it is there");
            assert!(other == one, "{engine:?} {bits:x}: another state of an agent");
            assert!(again == recording, "{engine:?} {bits:x}: another recording");
        }
    }
}

/// A write to a shared variable that is not combined yet is saved with the canonical NaN, too.
#[test]
fn what_waits_to_be_put_together_has_one_nan() {
    let states = NANS.map(|bits| {
        let (mut crowd, ..) = run(Engine::Scalar, bits);
        let mut host = Bindings::new(());
        host.action("note", |(), _| Status::Success);
        host.query("guess", |(), _| 0.0);
        let agent = crowd.columns().agents_of(0).map(|(_, agent)| agent).next().expect("there are some");
        crowd.tick_agent(agent, 3, &mut host, &mut ()).expect("it is there");
        let mut state = Vec::new();
        crowd.snapshot(&mut state);
        state
    });
    assert!(states.iter().all(|state| *state == states[0]));
}
