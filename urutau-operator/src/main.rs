//! The urutau operator.

#[tokio::main]
async fn main() -> std::process::ExitCode {
    urutau_operator::cli::main().await
}
