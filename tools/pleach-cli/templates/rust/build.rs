//! Compiles the trees of the game. An error in a tree fails the build, with its line.

fn main() {
    pleach_build::Trees::new("guard").file("trees/guard.pleach").build();
}
