//! Compiles the trees of the game: that happens where the game is built, so the compiler may use what it wants.

fn main() {
    pleach_build::Trees::new("guard").file("guard.pleach").without_debug().build();
}
