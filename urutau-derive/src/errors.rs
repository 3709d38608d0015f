//! Every mistake of an input, reported at once.

use proc_macro2::{Span, TokenStream};

/// Collects errors. In this crate's own tests one that is dropped unread is a panic.
#[derive(Default)]
pub(crate) struct Errors {
    list: Vec<syn::Error>,
    read: bool,
}

impl Errors {
    pub(crate) fn push(&mut self, error: syn::Error) {
        self.list.push(error);
    }

    pub(crate) fn at(&mut self, span: Span, message: impl std::fmt::Display) {
        self.push(syn::Error::new(span, message));
    }

    pub(crate) fn count(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Keeps an error and goes on without the value.
    pub(crate) fn keep<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.push(error);
                None
            }
        }
    }

    /// The errors as code, in the order in which they were found.
    pub(crate) fn into_code(mut self) -> TokenStream {
        self.read = true;
        std::mem::take(&mut self.list).into_iter().map(syn::Error::into_compile_error).collect()
    }
}

#[cfg(test)]
impl Errors {
    /// The messages, in the order in which they were found.
    pub(crate) fn messages(mut self) -> Vec<String> {
        self.read = true;
        self.list.drain(..).map(|error| error.to_string()).collect()
    }
}

#[cfg(test)]
impl Drop for Errors {
    fn drop(&mut self) {
        assert!(self.read || self.list.is_empty() || std::thread::panicking(), "errors were dropped unread");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic = "errors were dropped unread"]
    fn errors_that_nobody_reads_are_a_panic() {
        let mut errors = Errors::default();
        errors.at(Span::call_site(), "a mistake");
    }

    #[test]
    fn every_error_is_told_in_order() {
        let mut errors = Errors::default();
        assert_eq!(errors.keep(Ok(1)), Some(1));
        assert_eq!(errors.keep::<u8>(Err(syn::Error::new(Span::call_site(), "first"))), None);
        errors.at(Span::call_site(), "second");
        assert_eq!((errors.count(), errors.is_empty()), (2, false));
        let code = errors.into_code().to_string();
        assert!(code.find("first").unwrap() < code.find("second").unwrap());
    }

    #[test]
    fn nothing_wrong_is_no_code() {
        assert!(Errors::default().into_code().is_empty());
    }
}
