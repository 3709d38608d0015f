use super::*;

const SECOND: Duration = Duration::from_secs(1);

fn gate(slots: usize) -> (Gate<&'static str>, Instant) {
    (Gate::new(slots, || 0.5), Instant::now())
}

fn drain(gate: &mut Gate<&'static str>, now: Instant) -> Vec<&'static str> {
    std::iter::from_fn(|| gate.next(now)).collect()
}

#[test]
fn no_more_run_than_there_are_slots() {
    let (mut gate, now) = gate(2);
    for key in ["a", "b", "c"] {
        gate.ask(&key, Lane::Live);
    }
    assert_eq!(drain(&mut gate, now), ["a", "b"]);
    gate.done(&"a", After::Settled, now);
    assert_eq!(drain(&mut gate, now), ["c"]);
    assert_eq!(gate.running, 2);
}

#[test]
fn fewer_run_while_the_api_server_is_busy() {
    let keys = ["a", "b", "c", "d"];
    let (mut gate, now) = gate(4);
    for key in &keys {
        gate.ask(key, Lane::Live);
    }
    assert_eq!(drain(&mut gate, now).len(), 4);
    for key in &keys {
        gate.done(key, After::Busy(SECOND * 7), now);
        gate.ask(key, Lane::Live);
    }
    assert_eq!(drain(&mut gate, now), [""; 0], "what it asks for is waited for");
    let later = now + SECOND * 8;
    assert_eq!(drain(&mut gate, later).len(), 2);
    assert_eq!(gate.running, 2);
}

#[test]
fn live_changes_go_before_the_backlog() {
    let (mut gate, now) = gate(1);
    for key in ["b1", "b2"] {
        gate.ask(&key, Lane::Backlog);
    }
    gate.ask(&"live", Lane::Live);
    assert_eq!(gate.next(now), Some("live"));
    gate.done(&"live", After::Settled, now);
    // A change moves an object up, and it runs once.
    gate.ask(&"b2", Lane::Live);
    assert_eq!(gate.next(now), Some("b2"));
    gate.done(&"b2", After::Settled, now);
    assert_eq!(gate.next(now), Some("b1"));
    gate.done(&"b1", After::Settled, now);
    assert_eq!(gate.next(now), None);
}

#[test]
fn a_storm_of_changes_does_not_starve_the_backlog() {
    let (mut gate, now) = gate(1);
    gate.ask(&"patient", Lane::Backlog);
    let mut before = 0;
    loop {
        gate.ask(&"noisy", Lane::Live);
        let key = gate.next(now).unwrap();
        gate.done(&key, After::Settled, now);
        if key == "patient" {
            break;
        }
        before += 1;
    }
    assert!(before < 2 * BACKLOG_SHARE, "{before}");
}

#[test]
fn an_object_runs_once_at_a_time_and_again_when_it_changed_meanwhile() {
    let (mut gate, now) = gate(4);
    gate.ask(&"a", Lane::Live);
    assert_eq!(gate.next(now), Some("a"));
    gate.ask(&"a", Lane::Live);
    gate.ask(&"a", Lane::Backlog);
    assert_eq!(gate.next(now), None);
    gate.done(&"a", After::Settled, now);
    assert_eq!(drain(&mut gate, now), ["a"]);
    gate.done(&"a", After::Settled, now);
    assert_eq!(gate.next(now), None);
    assert!(gate.jobs.is_empty(), "nothing is kept of what is at rest");
}

#[test]
fn d_13_waits_grow_for_the_one_that_fails_and_events_do_not_shorten_them() {
    let (mut gate, mut now) = gate(4);
    gate.ask(&"bad", Lane::Live);
    for wait in [1, 2, 4, 8] {
        assert_eq!(gate.next(now), Some("bad"));
        gate.done(&"bad", After::Failed(Duration::ZERO), now);
        gate.ask(&"bad", Lane::Live);
        gate.ask(&"good", Lane::Live);
        assert_eq!(drain(&mut gate, now), ["good"]);
        gate.done(&"good", After::Settled, now);
        let free = now + SECOND * wait;
        assert_eq!(gate.next(now + SECOND * wait / 2), None);
        assert_eq!(gate.next_timer(), Some(free));
        now = free;
    }
    assert_eq!(gate.next(now), Some("bad"));
    gate.done(&"bad", After::Settled, now);
    gate.ask(&"bad", Lane::Live);
    assert_eq!(gate.next(now), Some("bad"));
    gate.done(&"bad", After::Failed(Duration::ZERO), now);
    assert_eq!(gate.next_timer(), Some(now + SECOND), "success has reset the wait");
}

#[test]
fn d_13_a_new_generation_ends_the_wait() {
    let (mut gate, now) = gate(1);
    gate.ask(&"a", Lane::Live);
    gate.next(now);
    gate.done(&"a", After::Failed(Duration::ZERO), now);
    assert_eq!(gate.next(now), None);
    gate.renew(&"a");
    gate.ask(&"a", Lane::Live);
    assert_eq!(gate.next(now), Some("a"));
    gate.done(&"a", After::Failed(Duration::ZERO), now);
    assert_eq!(gate.next_timer(), Some(now + SECOND), "it is the first failure again");
}

#[test]
fn d_13_the_server_may_ask_for_more_patience() {
    let (mut gate, now) = gate(1);
    gate.ask(&"a", Lane::Live);
    gate.next(now);
    gate.done(&"a", After::Failed(SECOND * 7), now);
    assert_eq!(gate.next(now + SECOND * 6), None);
    assert_eq!(gate.next(now + SECOND * 7), Some("a"));
}

#[test]
fn d_05_a_pass_that_asks_for_another_gets_it_and_does_not_wait_for_it_when_something_changes() {
    let (mut gate, now) = gate(1);
    gate.ask(&"a", Lane::Live);
    gate.next(now);
    gate.done(&"a", After::Again(SECOND * 5), now);
    assert_eq!(gate.next(now + SECOND), None);
    gate.ask(&"a", Lane::Live);
    assert_eq!(gate.next(now + SECOND), Some("a"));
    gate.done(&"a", After::Settled, now + SECOND);
    assert_eq!(gate.next(now + SECOND * 5), Some("a"));
}

#[test]
fn an_earlier_timer_stays() {
    let (mut gate, now) = gate(1);
    gate.ask_after(&"a", SECOND, Lane::Live, now);
    gate.ask_after(&"a", SECOND * 3, Lane::Live, now);
    assert_eq!(gate.next_timer(), Some(now + SECOND));
    gate.ask_after(&"a", Duration::from_millis(1), Lane::Live, now);
    assert_eq!(gate.next_timer(), Some(now + Duration::from_millis(1)));
    assert_eq!(gate.next(now + SECOND), Some("a"));
    gate.done(&"a", After::Settled, now + SECOND);
    assert_eq!(gate.next(now + SECOND * 4), None);
    assert_eq!(gate.next_timer(), None);
}

#[test]
fn what_is_forgotten_does_not_run() {
    let (mut gate, now) = gate(2);
    gate.ask(&"queued", Lane::Live);
    gate.ask_after(&"timed", SECOND, Lane::Live, now);
    gate.forget(&"queued");
    gate.forget(&"timed");
    assert_eq!(gate.next(now + SECOND), None);
    gate.ask(&"running", Lane::Live);
    assert_eq!(gate.next(now), Some("running"));
    gate.forget(&"running");
    assert_eq!(gate.running, 1);
    gate.done(&"running", After::Settled, now);
    assert_eq!((gate.running, gate.jobs.len()), (0, 0));
}

#[test]
fn an_earlier_timer_neither_cuts_a_wait_after_a_failure_short_nor_loses_it() {
    let (mut gate, now) = gate(1);
    gate.ask(&"a", Lane::Live);
    gate.next(now);
    gate.done(&"a", After::Failed(SECOND * 60), now);
    // An owned object vanishes.
    gate.ask_after(&"a", Duration::from_millis(100), Lane::Live, now);
    assert_eq!(gate.next(now + SECOND), None);
    assert_eq!(gate.next_timer(), Some(now + SECOND * 60));
    gate.ask(&"a", Lane::Live);
    assert_eq!(gate.next(now + SECOND * 2), None);
    assert_eq!(gate.next(now + SECOND * 60), Some("a"));
    gate.done(&"a", After::Settled, now + SECOND * 60);
    assert_eq!((gate.next_timer(), gate.jobs.len()), (None, 0));
}
