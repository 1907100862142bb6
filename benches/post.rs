//! Benches; see the README for how to read them.

fn main() {
    divan::main();
}
