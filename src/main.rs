//! The `estafette` program: hands the command line to the library.

fn main() -> std::process::ExitCode {
    estafette::cli::main()
}
