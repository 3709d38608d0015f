//! The difference of two texts, by line.

/// The lines that differ, with the number they have in the text they are from; none where the texts are equal.
pub(crate) fn lines(old: &str, new: &str) -> Vec<String> {
    let (old, new): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
    let common = common_after(&old, &new);
    let (mut i, mut j) = (0, 0);
    let mut found = Vec::new();
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            i += 1;
            j += 1;
        } else if j == new.len() || (i < old.len() && common[i + 1][j] >= common[i][j + 1]) {
            found.push(format!("-{:>5} | {}", i + 1, old[i]));
            i += 1;
        } else {
            found.push(format!("+{:>5} | {}", j + 1, new[j]));
            j += 1;
        }
    }
    found
}

/// How many lines the rests of both texts have in common, from each pair of lines on.
fn common_after(old: &[&str], new: &[&str]) -> Vec<Vec<u32>> {
    let mut common = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] =
                if old[i] == new[j] { common[i + 1][j + 1] + 1 } else { common[i + 1][j].max(common[i][j + 1]) };
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn equal_texts_have_no_difference() {
        assert!(lines("a\nb\n", "a\nb\n").is_empty());
        assert!(lines("", "").is_empty());
    }

    #[test]
    fn a_changed_line_is_removed_and_added() {
        assert_eq!(lines("a\nb\nc", "a\nx\nc"), ["-    2 | b", "+    2 | x"]);
    }

    #[test]
    fn lines_are_numbered_in_their_own_text() {
        assert_eq!(lines("a\nb\nc", "c\nd"), ["-    1 | a", "-    2 | b", "+    2 | d"]);
        assert_eq!(lines("", "a"), ["+    1 | a"]);
        assert_eq!(lines("a", ""), ["-    1 | a"]);
    }
}
