//! Where a process listens: `:9090`, `0.0.0.0:9090`, `[::]:9090`.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};

use super::{Text, Unreadable};

/// A host and a port to listen on. No host means every address of the Pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    host: String,
    port: u16,
}

const FIX: &str = r#"write host:port or only :port, such as ":9090""#;

impl Address {
    /// Every address of the Pod, at this port.
    pub fn any(port: u16) -> Self {
        Self { host: String::new(), port }
    }

    /// The host, without the brackets of an IPv6 address; empty for every address.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Whether only processes of the same Pod can reach it: no probe and no Prometheus can.
    pub fn is_loopback(&self) -> bool {
        let host = self.host.trim_end_matches('.').to_ascii_lowercase();
        host == "localhost"
            || host.ends_with(".localhost")
            || host.parse::<Ipv4Addr>().is_ok_and(|ip| ip.is_loopback())
            || host
                .parse::<Ipv6Addr>()
                .is_ok_and(|ip| ip.is_loopback() || ip.to_ipv4_mapped().is_some_and(|ip| ip.is_loopback()))
    }
}

impl Text for Address {
    const KIND: &'static str = "address";
    const STAND_IN: &'static str = ":9090";

    fn read(text: &str) -> Result<Self, Unreadable> {
        let unreadable = || Unreadable::new(format!("{text:?} is not an address"), FIX);
        let (host, port) = text.rsplit_once(':').ok_or_else(unreadable)?;
        if port.is_empty() || !port.bytes().all(|c| c.is_ascii_digit()) {
            return Err(unreadable());
        }
        let port = match port.parse::<u16>() {
            Ok(port) if port > 0 => port,
            _ => {
                return Err(Unreadable::new(format!("{text:?} has no port between 1 and 65535"), FIX));
            }
        };
        let host = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
            Some(ipv6) if ipv6.parse::<Ipv6Addr>().is_ok() => ipv6,
            None if is_host(host) => host,
            _ => return Err(unreadable()),
        };
        Ok(Self { host: host.to_owned(), port })
    }
}

/// Nothing, an IPv4 address or a DNS name, perhaps with the dot at its end.
fn is_host(host: &str) -> bool {
    let label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'-' || c == b'_')
    };
    let labels = host.strip_suffix('.').unwrap_or(host);
    host.is_empty() || (host.len() <= 253 && labels.split('.').all(label))
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

super::as_text!(Address);
