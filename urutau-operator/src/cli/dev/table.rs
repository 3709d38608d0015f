//! The objects as they come up: a table that is drawn anew on a terminal, a line for each change elsewhere.

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, Write as _, stdout};
use std::time::Instant;

/// What is known of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) state: String,
    pub(super) good: bool,
}

/// The objects by the order of their kinds and by name.
pub(super) struct Table {
    rows: BTreeMap<(usize, String, String), (Row, u64)>,
    start: Instant,
    terminal: bool,
    drawn: usize,
}

impl Table {
    pub(super) fn new() -> Self {
        Self { rows: BTreeMap::new(), start: Instant::now(), terminal: stdout().is_terminal(), drawn: 0 }
    }

    /// Sets, or without a row removes, an object, and shows what changed.
    pub(super) fn set(&mut self, kind: (usize, &str), name: &str, row: Option<Row>) {
        let key = (kind.0, kind.1.to_owned(), name.to_owned());
        let tenths = u64::try_from(self.start.elapsed().as_millis() / 100).unwrap_or(u64::MAX);
        let before = self.rows.get(&key).map(|(row, _)| row.clone());
        if before == row {
            return;
        }
        let gone = Row { state: "gone".to_owned(), good: true };
        let shown = row.clone().unwrap_or(gone);
        match row {
            Some(row) => self.rows.insert(key, (row, tenths)),
            None => self.rows.remove(&key),
        };
        if self.terminal {
            self.draw();
        } else {
            println!("{:>5}.{}s  {:<22} {name:<44} {}", tenths / 10, tenths % 10, kind.1, shown.state);
        }
    }

    fn draw(&mut self) {
        let mut out = stdout().lock();
        // A terminal that can't be written to is no reason to stop.
        if self.drawn > 0 {
            let _ = write!(out, "\x1b[{}A", self.drawn);
        }
        let _ = writeln!(out, "\x1b[2K{:<22} {:<44} {:<26} SINCE", "KIND", "NAME", "STATE");
        for ((_, kind, name), (row, tenths)) in &self.rows {
            let colour = if row.good { "\x1b[32m" } else { "\x1b[33m" };
            let state = &row.state;
            let _ = writeln!(
                out,
                "\x1b[2K{kind:<22} {name:<44} {colour}{state:<26}\x1b[0m {}.{}s",
                tenths / 10,
                tenths % 10
            );
        }
        let _ = writeln!(out, "\x1b[J\x1b[1A");
        let _ = out.flush();
        self.drawn = self.rows.len() + 1;
    }
}
