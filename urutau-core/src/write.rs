//! Values that can be written to a field.

use k8s_openapi::ByteString;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A value that can be written to a field of type `T`: a `&T`, or one of the shorter forms below. Implement it
/// to write a type of your own.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` can't be written to a field of type `{T}`",
    label = "this value",
    note = "the field's type is `{T}`; a type of your own is written by `impl urutau_core::Write<{T}> for &Mine`"
)]
pub trait Write<T> {
    /// The JSON that is sent. Nulls in it are left out.
    ///
    /// # Errors
    /// When the value can't be JSON: a map whose keys are not text, say.
    fn json(self) -> Result<Value, serde_json::Error>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> Write<T> for &T {
    fn json(self) -> Result<Value, serde_json::Error> {
        serde_json::to_value(self)
    }
}

macro_rules! write_as_it_is {
    ($($from:ty => $($to:ty),+;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl Write<$to> for $from {
            fn json(self) -> Result<Value, serde_json::Error> {
                Ok(json!(self))
            }
        }
    )+)*};
}

write_as_it_is! {
    bool => bool;
    &str => String, IntOrString, Quantity;
    &&str => String, IntOrString, Quantity;
    String => String, IntOrString, Quantity;
    &String => IntOrString, Quantity;
    i32 => i32, i64, f64, IntOrString;
    &i32 => i64, f64, IntOrString;
    u16 => i32, i64, IntOrString;
    &u16 => i32, i64, IntOrString;
    u32 => i64;
    &u32 => i64;
    i64 => i64;
    f64 => f64;
    &[&str] => Vec<String>;
    &Vec<&str> => Vec<String>;
    Vec<String> => Vec<String>;
    &BTreeMap<&str, &str> => BTreeMap<String, String>;
    &BTreeMap<&'static str, String> => BTreeMap<String, String>;
    &BTreeMap<String, &str> => BTreeMap<String, String>;
    BTreeMap<String, String> => BTreeMap<String, String>;
}

#[diagnostic::do_not_recommend]
impl<const N: usize> Write<Vec<String>> for [&str; N] {
    fn json(self) -> Result<Value, serde_json::Error> {
        Ok(json!(self.as_slice()))
    }
}

#[diagnostic::do_not_recommend]
impl<const N: usize> Write<Vec<String>> for &[&str; N] {
    fn json(self) -> Result<Value, serde_json::Error> {
        Ok(json!(self.as_slice()))
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize, const N: usize> Write<Vec<T>> for [T; N] {
    fn json(self) -> Result<Value, serde_json::Error> {
        serde_json::to_value(self.as_slice())
    }
}

#[diagnostic::do_not_recommend]
impl Write<LabelSelector> for &BTreeMap<String, String> {
    fn json(self) -> Result<Value, serde_json::Error> {
        Ok(json!({ "matchLabels": self }))
    }
}

/// Text as the data of a Secret.
#[diagnostic::do_not_recommend]
impl Write<ByteString> for &str {
    fn json(self) -> Result<Value, serde_json::Error> {
        serde_json::to_value(ByteString(self.as_bytes().to_vec()))
    }
}

/// Text as the data of a Secret.
#[diagnostic::do_not_recommend]
impl Write<ByteString> for &String {
    fn json(self) -> Result<Value, serde_json::Error> {
        Write::<ByteString>::json(self.as_str())
    }
}
