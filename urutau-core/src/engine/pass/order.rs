//! The order of a pass: what comes before is done first, and what does not depend on each other at the same time.

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use std::collections::VecDeque;
use std::future::Future;

/// Runs `run` for every entry, after those that it comes after, at most `limit` at the same time. It is given the first
/// of those that does not let it go on.
pub(super) async fn in_order<T, F>(
    after: &[&[usize]],
    limit: usize,
    lets_on: impl Fn(&T) -> bool,
    mut run: impl FnMut(usize, Option<usize>) -> F,
) -> Vec<Option<T>>
where
    F: Future<Output = T>,
{
    let mut done: Vec<Option<T>> = after.iter().map(|_| None).collect();
    let mut open: Vec<usize> = after.iter().map(|before| before.len()).collect();
    let mut free: VecDeque<usize> = (0..after.len()).filter(|&entry| open[entry] == 0).collect();
    let mut running = FuturesUnordered::new();
    loop {
        while running.len() < limit.max(1)
            && let Some(entry) = free.pop_front()
        {
            let blocker = after[entry].iter().copied().find(|&before| !done[before].as_ref().is_some_and(&lets_on));
            let future = run(entry, blocker);
            running.push(async move { (entry, future.await) });
        }
        let Some((entry, result)) = running.next().await else { return done };
        done[entry] = Some(result);
        for (later, before) in after.iter().enumerate() {
            let met = before.iter().filter(|&&before| before == entry).count();
            if met > 0 {
                open[later] -= met;
                if open[later] == 0 {
                    free.push_back(later);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};
    use std::time::Duration;

    #[tokio::test(start_paused = true)]
    async fn what_comes_before_is_done_first_and_the_rest_at_the_same_time() {
        let log = RefCell::new(Vec::new());
        let start = tokio::time::Instant::now();
        let run = |entry: usize, blocker: Option<usize>| {
            let log = &log;
            async move {
                assert_eq!(blocker, None);
                tokio::time::sleep(Duration::from_secs(1)).await;
                log.borrow_mut().push(entry);
                entry
            }
        };
        // 3 after 0 and 1; 2 on its own; 4 after 3.
        let after: [&[usize]; 5] = [&[], &[], &[], &[0, 1], &[3]];
        let results = in_order(&after, 8, |_| true, run).await;
        assert!(results.iter().enumerate().all(|(i, result)| *result == Some(i)));
        let log = log.into_inner();
        let at = |entry: usize| log.iter().position(|done| *done == entry);
        assert!(at(3) > at(0) && at(3) > at(1) && at(4) > at(3), "{log:?}");
        assert_eq!(start.elapsed().as_secs(), 3);
    }

    #[tokio::test]
    async fn the_one_that_does_not_let_go_on_is_named() {
        let after: [&[usize]; 4] = [&[], &[0], &[1], &[0, 1]];
        let lets_on = |result: &(usize, Option<usize>)| result.0 == 0;
        let results = in_order(&after, 2, lets_on, |entry, blocker| async move { (entry, blocker) }).await;
        let blockers: Vec<_> = results.into_iter().map(|result| result.unwrap().1).collect();
        assert_eq!(blockers, [None, None, Some(1), Some(1)]);
    }

    #[tokio::test(start_paused = true)]
    async fn no_more_than_the_limit_run() {
        let (running, most) = (Cell::new(0), Cell::new(0));
        let after: Vec<&[usize]> = vec![&[]; 20];
        in_order(
            &after,
            3,
            |()| true,
            |_, _| {
                let (running, most) = (&running, &most);
                async move {
                    running.set(running.get() + 1);
                    most.set(most.get().max(running.get()));
                    tokio::time::sleep(Duration::from_millis(10)).await;
                    running.set(running.get() - 1);
                }
            },
        )
        .await;
        assert_eq!(most.get(), 3);
    }

    #[tokio::test]
    async fn nothing_is_done_at_once() {
        assert!(in_order(&[], 3, |()| true, |_, _| async {}).await.is_empty());
    }
}
