//! The coordinator's side of a pipeline.

fn main() -> std::process::ExitCode {
    urutau_operator::coordinator::cli::main()
}
