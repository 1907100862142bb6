//! The `estafette` program: hands the command line to the library.

/// Every line is tried on a copy of the state, so that a game's time is to a fifth that of taking and giving back memory.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    estafette::cli::main()
}
