//! The objects as they come up: a table that is drawn anew on a terminal, a line for each change elsewhere.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _, stdout};
use std::time::{Duration, Instant};

/// How many rows a table may have that is drawn anew: what has scrolled away can't be.
const MOST_ROWS: usize = 20;

/// What is known of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// How it is, in a few words.
    pub(super) state: String,
    /// Whether that is how it should be.
    pub(super) good: bool,
}

/// The objects by the order of their kinds and by name.
pub(super) struct Table {
    rows: BTreeMap<Key, (Row, Duration)>,
    start: Instant,
    redraws: bool,
    drawn: usize,
}

/// The place of the kind among the kinds, the kind, and the name.
type Key = (usize, &'static str, String);

impl Table {
    pub(super) fn new() -> Self {
        Self { rows: BTreeMap::new(), start: Instant::now(), redraws: stdout().is_terminal(), drawn: 0 }
    }

    /// Sets, or without a row removes, an object, and shows what changed.
    ///
    /// # Errors
    /// When nobody reads what is shown.
    pub(super) fn set(&mut self, kind: (usize, &'static str), name: &str, row: Option<Row>) -> io::Result<()> {
        let key = (kind.0, kind.1, name.to_owned());
        let before = self.rows.get(&key).map(|(row, _)| row);
        if before == row.as_ref() {
            return Ok(());
        }
        let after = self.start.elapsed();
        let state = row.as_ref().map_or("gone", |row| &row.state).to_owned();
        match row {
            Some(row) => drop(self.rows.insert(key, (row, after))),
            None => drop(self.rows.remove(&key)),
        }
        self.redraws &= self.rows.len() <= MOST_ROWS;
        let text = if self.redraws {
            self.redrawn()
        } else {
            format!("{}  {:<22} {name:<44} {state}\n", seconds(after), kind.1)
        };
        let mut out = stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }

    /// What draws the table over itself.
    fn redrawn(&mut self) -> String {
        let width = self.rows.keys().map(|(_, _, name)| name.len()).max().unwrap_or_default();
        // A line that were wrapped would be two, so what does not fit is cut off.
        let mut text = "\x1b[?7l".to_owned();
        if self.drawn > 0 {
            let _ = write!(text, "\x1b[{}A", self.drawn);
        }
        let _ = writeln!(text, "\x1b[2K  AFTER  {:<22} {:<width$} STATE", "KIND", "NAME");
        for ((_, kind, name), (Row { state, good }, after)) in &self.rows {
            let colour = if *good { 32 } else { 33 };
            let _ =
                writeln!(text, "\x1b[2K{}  {kind:<22} {name:<width$} \x1b[{colour}m{state}\x1b[0m", seconds(*after));
        }
        // Rows of objects that are gone would else stay below.
        text.push_str("\x1b[J\x1b[?7h");
        self.drawn = self.rows.len() + 1;
        text
    }
}

/// `  12.3s`.
fn seconds(time: Duration) -> String {
    format!("{:>5}.{}s", time.as_secs(), time.subsec_millis() / 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(redraws: bool) -> Table {
        Table { redraws, ..Table::new() }
    }

    fn row(state: &str) -> Row {
        Row { state: state.to_owned(), good: state == "good" }
    }

    #[test]
    fn rows_are_sorted_by_kind_and_name_and_drawn_over_the_last_ones() {
        let mut table = table(true);
        table.set((1, "Pod"), "b", Some(row("bad"))).unwrap();
        table.set((1, "Pod"), "a", Some(row("good"))).unwrap();
        table.set((0, "Service"), "long-name", Some(row("good"))).unwrap();
        let lines = "\x1b[2K  AFTER  KIND                   NAME      STATE\n\
                     \x1b[2K    0.0s  Service                long-name \x1b[32mgood\x1b[0m\n\
                     \x1b[2K    0.0s  Pod                    a         \x1b[32mgood\x1b[0m\n\
                     \x1b[2K    0.0s  Pod                    b         \x1b[33mbad\x1b[0m\n\x1b[J\x1b[?7h";
        assert_eq!(table.redrawn(), format!("\x1b[?7l\x1b[4A{lines}"));
        table.set((1, "Pod"), "b", None).unwrap();
        assert_eq!(table.drawn, 3);
    }

    #[test]
    fn what_is_too_long_for_a_screen_is_told_line_by_line() {
        let mut table = table(true);
        for i in 0..=MOST_ROWS {
            table.set((0, "Pod"), &i.to_string(), Some(row("good"))).unwrap();
        }
        assert!(!table.redraws);
    }
}
