//! Text that is put together in constant evaluation, where compile errors come from.

const SIZE: usize = 8192;

/// A text of limited length; what goes beyond it is cut.
pub(crate) struct Message {
    bytes: [u8; SIZE],
    len: usize,
}

impl Message {
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; SIZE], len: 0 }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(crate) const fn push(&mut self, text: &str) {
        let text = text.as_bytes();
        if self.len + text.len() > SIZE {
            return;
        }
        let mut i = 0;
        while i < text.len() {
            self.bytes[self.len] = text[i];
            self.len += 1;
            i += 1;
        }
    }

    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Takes back what was pushed since the text was `from` long, if it says nothing new.
    pub(crate) const fn unless_said(&mut self, from: usize) {
        let added = self.len - from;
        let mut start = 0;
        while start + added <= from {
            let mut same = 0;
            while same < added && self.bytes[start + same] == self.bytes[from + same] {
                same += 1;
            }
            if same == added {
                self.len = from;
                return;
            }
            start += 1;
        }
    }

    pub(crate) const fn text(&self) -> &str {
        text(self.bytes.split_at(self.len).0)
    }
}

/// The text of bytes that came from texts.
pub(crate) const fn text(bytes: &[u8]) -> &str {
    match core::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_is_not_said_again() {
        let mut message = Message::new();
        for (text, whole) in [("\na", "\na"), ("\nb", "\na\nb"), ("\na", "\na\nb"), ("\nab", "\na\nb\nab")] {
            let before = message.len();
            message.push(text);
            message.unless_said(before);
            assert_eq!(message.text(), whole);
        }
    }
}
