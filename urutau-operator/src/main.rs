//! The urutau operator.

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::process::ExitCode {
    urutau_operator::cli::main().await
}
