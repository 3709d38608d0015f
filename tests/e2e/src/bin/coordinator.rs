//! `urutau-coordinator` itself, built beside the tests that run it as a process.

fn main() -> std::process::ExitCode {
    urutau_operator::coordinator::cli::main()
}
