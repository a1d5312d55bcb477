//! Compiles the trees of the game. A build script runs on the machine of the developer, so the
//! compiler may use the standard library.

fn main() {
    pleach_build::Trees::new("guard").file("guard.pleach").without_debug().build();
}
