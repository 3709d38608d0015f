//! A text in less room. Owners are kept for as long as they are there, and read only in their own passes.

use lz4_flex::block::{CompressError, DecompressError, compress_into, decompress, get_maximum_output_size};

/// A text, compressed by itself: none needs another to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Packed {
    bytes: Box<[u8]>,
    /// How long the text is.
    len: usize,
}

impl Packed {
    /// Compresses a text.
    ///
    /// # Errors
    /// Compressed, it takes more room than the compressor asks for.
    pub(in super::super) fn new(text: &[u8]) -> Result<Self, CompressError> {
        let mut room = vec![0; get_maximum_output_size(text.len())];
        let end = compress_into(text, &mut room)?;
        // Copied: cut to its length in place, each would leave a hole behind it that fits nothing.
        Ok(Self { bytes: room[..end].into(), len: text.len() })
    }

    /// The text as it was.
    ///
    /// # Errors
    /// It is none that was compressed.
    pub(super) fn text(&self) -> Result<Vec<u8>, DecompressError> {
        decompress(&self.bytes, self.len)
    }

    /// How many bytes it takes besides itself.
    #[cfg(feature = "hot-paths")]
    pub(in super::super) fn room(&self) -> usize {
        self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::super::hash;
    use super::*;

    /// Bytes that can't be compressed, the same in each run.
    fn noise(len: usize) -> Vec<u8> {
        (0..len).map(|at| hash::bytes(&at.to_be_bytes()).to_be_bytes()[0]).collect()
    }

    #[test]
    fn a_text_comes_back_as_it_was() {
        let line = |line: usize| format!("{line}: é {}\n", line * line);
        let lines = |count: usize| (0..count).map(line).collect::<Vec<_>>().concat();
        let mut texts: Vec<_> = [String::new(), "{}".into(), "\u{1f4a7}".into(), lines(7), lines(400), lines(90_000)]
            .map(String::into_bytes)
            .into();
        // The compressor has another table from 64 KiB on.
        texts.extend([1, 11, 12, 13, 100, 65_534, 65_535, 65_536, 2_000_000].map(noise));
        for text in texts {
            let packed = Packed::new(&text).unwrap();
            assert!(packed.bytes.len() <= text.len() + text.len() / 100 + 16);
            assert_eq!(packed.text().unwrap(), text);
        }
    }

    #[test]
    fn what_is_said_often_takes_room_once() {
        let text = "an object of this kind ".repeat(100);
        assert!(Packed::new(text.as_bytes()).unwrap().bytes.len() < text.len() / 10);
    }

    #[test]
    fn what_is_no_such_text_is_an_error() {
        assert!(Packed { bytes: [255].into(), len: 9 }.text().is_err());
    }
}
