//! What was sampled of the keys of a table.

use super::{Key, KeyType};
use crate::shape::{At, Problem, Problems};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// More digits than any database keeps behind the point.
const MOST_SCALE: u32 = 16_383;

/// What was sampled of the keys of a table, as it stands in a file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Sample {
    /// The type of the keys: integer, string, uuid, decimal or timestamp.
    pub r#type: KeyType,
    /// The smallest key.
    pub min: Value,
    /// The largest key.
    pub max: Value,
    /// Keys between them, in any order, which tell where keys are dense. As evenly taken as possible.
    #[serde(default)]
    pub samples: Vec<Value>,
    /// How many digits behind the point keys have. Only for decimal and timestamp. Absent: as many as are written here.
    pub scale: Option<u32>,
}

/// What was sampled of the keys of a table: of one type, the smallest first, all others between the two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampledKeys {
    min: Key,
    max: Key,
    /// Sorted.
    samples: Vec<Key>,
    scale: usize,
}

impl Sample {
    /// Reads the keys. Reports at this place what is wrong.
    pub(crate) fn check(&self, at: &mut At<'_>) -> Option<SampledKeys> {
        let mut bad = false;
        let mut read = |field: &str, value: &Value| match self.r#type.read(value) {
            Ok(key) => Some(key),
            Err(error) => {
                bad = true;
                if at.is_sound(field) {
                    at.refuse(field, error.message, error.fix);
                }
                None
            }
        };
        let (min, max) = (read("min", &self.min), read("max", &self.max));
        let samples: Vec<Key> = (0..)
            .zip(&self.samples)
            .filter_map(|(index, value): (usize, _)| read(&format!("samples[{index}]"), value))
            .collect();
        if bad || !at.are_sound(&["type", "min", "max", "samples", "scale"]) {
            return None;
        }
        checked(min?, max?, samples, self.scale, at)
    }
}

impl SampledKeys {
    /// What was sampled: the smallest and the largest key, and others between them.
    ///
    /// `scale` is how many digits behind the point keys of the column have, which only decimals and timestamps do;
    /// without it as many as these have.
    ///
    /// # Errors
    /// Keys of several types or out of order, and a scale that does not fit, each by `min`, `max`, `samples[i]` or
    /// `scale`.
    pub fn new(min: Key, max: Key, samples: Vec<Key>, scale: Option<u32>) -> Result<Self, Vec<Problem>> {
        let mut problems = Problems::default();
        match checked(min, max, samples, scale, &mut At::new("", &mut problems)) {
            Some(good) => Ok(good),
            None => Err(problems.into_sorted()),
        }
    }

    /// The type of the keys.
    pub fn key_type(&self) -> KeyType {
        self.min.key_type()
    }

    pub(super) fn min(&self) -> &Key {
        &self.min
    }

    pub(super) fn max(&self) -> &Key {
        &self.max
    }

    pub(super) fn samples(&self) -> &[Key] {
        &self.samples
    }

    /// How many digits behind the point a key has.
    pub(super) fn scale(&self) -> usize {
        self.scale
    }
}

fn checked(min: Key, max: Key, mut samples: Vec<Key>, scale: Option<u32>, at: &mut At<'_>) -> Option<SampledKeys> {
    let key_type = min.key_type();
    let mut bad = false;
    let mut refuse = |field: &str, message: String, fix: &str| {
        bad = true;
        at.refuse(field, message, fix);
    };
    if max.key_type() != key_type {
        refuse("max", format!("is of type {}, but min of type {key_type}", max.key_type()), "give both one type");
    } else if max < min {
        refuse("max", format!("{max} is less than min, which is {min}"), "exchange the two");
    } else {
        for (index, key) in samples.iter().enumerate() {
            if *key < min || *key > max {
                let message = format!("{key} is not from min to max, which are {min} and {max}");
                refuse(&format!("samples[{index}]"), message, "remove it, or correct min and max");
            }
        }
    }
    let digits = [&min, &max].into_iter().chain(&samples).map(digits).max().unwrap_or_default();
    if let Some(scale) = scale {
        let most = match key_type {
            KeyType::Decimal => MOST_SCALE,
            KeyType::Timestamp => 9,
            _ => 0,
        };
        if most == 0 {
            refuse("scale", "only for type decimal and timestamp".to_owned(), "remove it");
        } else if scale > most {
            refuse("scale", format!("{scale} is too many"), "write how many digits behind the point the column has");
        } else if (scale as usize) < digits {
            let message = format!("is {scale}, but a key here has {digits} digits behind the point");
            refuse("scale", message, "write how many digits behind the point the column has");
        }
    }
    samples.sort();
    (!bad).then(|| SampledKeys { min, max, samples, scale: scale.map_or(digits, |scale| scale as usize) })
}

/// How many digits behind the point it takes to write a key.
fn digits(key: &Key) -> usize {
    match key {
        Key::Decimal(number) => number.scale(),
        Key::Timestamp(time) => time.scale(),
        _ => 0,
    }
}
