//! Compiles the generated parser.

fn main() {
    let parser = "src/parser.c";
    cc::Build::new().std("c11").include("src").file(parser).warnings(false).compile("tree-sitter-pleach");
    println!("cargo:rerun-if-changed={parser}");
}
