//! The nearest known word to one that is not known.

/// The word that was meant, if one is near: a few letters are wrong, or it was cut short.
pub(crate) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let cut = known.iter().filter(|known| word.len() >= 3 && known.starts_with(word));
    let near = known.iter().map(|known| (distance(word, known), *known)).min()?;
    if near.0 <= 2.max(word.len() / 3).min(word.len() / 2) { Some(near.1) } else { cut.copied().next() }
}

/// What can be said in place of `word`: the nearest of `known`, or all of them.
pub(crate) fn hint(word: &str, known: &[&str]) -> String {
    match nearest(word, known) {
        Some(known) => format!("did you mean `{known}`?"),
        None => format!("known here: {}", known.join(", ")),
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
        assert_eq!(hint("optional", &["name", "optional_api"]), "did you mean `optional_api`?");
    }

    #[test]
    fn what_is_near_nothing_is_told_everything() {
        assert_eq!(hint("zzzzzz", &["name", "after"]), "known here: name, after");
        assert_eq!(hint("x", &["a", "b"]), "known here: a, b");
        assert_eq!(hint("", &["a"]), "known here: a");
    }
}
