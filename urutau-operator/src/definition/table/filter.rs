//! Which rows of a table are replicated.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::shape::At;

/// A condition on a row: exactly one of all, any, not and where.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Filter {
    /// All of these conditions hold.
    pub all: Option<Vec<Filter>>,
    /// At least one of these conditions holds.
    pub any: Option<Vec<Filter>>,
    /// This condition does not hold.
    pub not: Option<Box<Filter>>,
    /// A column has such a value.
    pub r#where: Option<Predicate>,
}

/// A column has such a value.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Predicate {
    /// The column.
    pub col: String,
    /// How it is compared: eq, neq, lt, lte, gt, gte, in, not_in, is_null or is_not_null.
    pub op: Operator,
    /// What it is compared with: a list for in and not_in, nothing for is_null and is_not_null.
    pub value: Option<Value>,
}

/// How a column is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Operator {
    /// Equal.
    Eq,
    /// Not equal.
    Neq,
    /// Less.
    Lt,
    /// Less or equal.
    Lte,
    /// Greater.
    Gt,
    /// Greater or equal.
    Gte,
    /// One of a list.
    In,
    /// None of a list.
    NotIn,
    /// There is no value.
    IsNull,
    /// There is a value.
    IsNotNull,
}

const FIX: &str = "write exactly one of all, any, not and where";

impl Filter {
    pub(super) fn check(&self, at: &mut At<'_>) {
        let given = self.given();
        if at.are_sound(&["all", "any", "not", "where"]) {
            match given.as_slice() {
                [_] => {}
                [] => at.refuse_this("is empty", FIX),
                several => at.refuse_this(format!("has {} at once", several.join(" and ")), FIX),
            }
        }
        for (name, conditions) in [("all", &self.all), ("any", &self.any)] {
            let Some(conditions) = conditions else {
                continue;
            };
            if conditions.is_empty() {
                at.refuse(name, "is empty", "write a condition, or remove it");
            }
            for (index, condition) in conditions.iter().enumerate() {
                condition.check(&mut at.field(name).entry(index));
            }
        }
        if let Some(condition) = &self.not {
            condition.check(&mut at.field("not"));
        }
        if let Some(predicate) = &self.r#where {
            predicate.check(&mut at.field("where"));
        }
    }

    fn given(&self) -> Vec<&'static str> {
        let given = [
            ("all", self.all.is_some()),
            ("any", self.any.is_some()),
            ("not", self.not.is_some()),
            ("where", self.r#where.is_some()),
        ];
        given.into_iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name).collect()
    }
}

impl Predicate {
    fn check(&self, at: &mut At<'_>) {
        if !at.are_sound(&["op", "value"]) {
            return;
        }
        match (self.op, &self.value) {
            (Operator::In | Operator::NotIn, Some(Value::Array(values))) if !values.is_empty() => {}
            (Operator::In | Operator::NotIn, _) => {
                at.refuse("value", "required as a list for in and not_in", "write the values in brackets");
            }
            (Operator::IsNull | Operator::IsNotNull, Some(_)) => {
                at.refuse("value", "not for is_null and is_not_null", "remove it");
            }
            (Operator::IsNull | Operator::IsNotNull, None) => {}
            (_, None) => at.refuse("value", "required for this comparison", "write what the column is compared with"),
            (_, Some(Value::Array(_) | Value::Object(_))) => {
                at.refuse("value", "one value is compared at a time", "write a single value, or op: in");
            }
            (_, Some(_)) => {}
        }
    }
}
