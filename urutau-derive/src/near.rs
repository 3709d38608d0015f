//! The nearest known word to one that is not known.

/// ` (did you mean ...?)` with the nearest of `known`, or the list of what can be said.
pub(crate) fn hint(word: &str, known: &[&str]) -> String {
    let nearest = known.iter().map(|known| (distance(word, known), *known)).min();
    match nearest {
        Some((steps, known)) if steps <= 2.max(word.len() / 3) => format!("did you mean `{known}`?"),
        _ => format!("known here: {}", known.join(", ")),
    }
}

/// Insertions, deletions and replacements between two words, upper and lower case alike.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_found() {
        assert_eq!(hint("afer", &["name", "after"]), "did you mean `after`?");
        assert_eq!(hint("Get", &["get", "list"]), "did you mean `get`?");
        assert_eq!(hint("zzzzzz", &["name", "after"]), "known here: name, after");
    }
}
