//! The secrets of one control plane: the key that signs `ServiceAccount` tokens, and the administrator's token.

use base64::{Engine, prelude::BASE64_STANDARD};
use ring::{
    rand::{SecureRandom, SystemRandom},
    signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair},
};

use super::error::Error;

/// What precedes the point of a P-256 key in a `SubjectPublicKeyInfo` (RFC 5480): the two object identifiers and the
/// lengths, which are always the same.
const SPKI_PREFIX: [u8; 26] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce,
    0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];

/// A fresh key pair, both halves as PEM.
pub(super) struct SigningKey {
    pub(super) private: String,
    pub(super) public: String,
}

impl SigningKey {
    pub(super) fn generate() -> Result<Self, Error> {
        let random = SystemRandom::new();
        let algorithm = &ECDSA_P256_SHA256_ASN1_SIGNING;
        let private = EcdsaKeyPair::generate_pkcs8(algorithm, &random).map_err(|_| Error::Random)?;
        let pair = EcdsaKeyPair::from_pkcs8(algorithm, private.as_ref(), &random).map_err(|_| Error::Random)?;
        let public = [&SPKI_PREFIX[..], pair.public_key().as_ref()].concat();
        Ok(Self { private: pem("PRIVATE KEY", private.as_ref()), public: pem("PUBLIC KEY", &public) })
    }
}

/// A token that nobody guesses.
pub(super) fn random_token() -> Result<String, Error> {
    let mut bytes = [0; 16];
    SystemRandom::new().fill(&mut bytes).map_err(|_| Error::Random)?;
    Ok(hex(&bytes))
}

pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn pem(label: &str, der: &[u8]) -> String {
    // Go's reader takes a line of any length.
    let body = BASE64_STANDARD.encode(der);
    format!("-----BEGIN {label}-----\n{body}\n-----END {label}-----\n")
}
