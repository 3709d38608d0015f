//! Why a call failed.

/// Why a call of a [`Client`](super::Client) failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The rules allow the verb on other names only. Nothing was sent.
    #[error("`{rules}` does not allow `{verb}` on {resource} `{name}`, {}", only(.allowed))]
    NotGranted {
        /// The rule set.
        rules: &'static str,
        /// The verb.
        verb: &'static str,
        /// The plural, with the subresource.
        resource: String,
        /// The name that was asked for; empty where a request has none.
        name: String,
        /// The names that are allowed, sorted.
        allowed: Vec<String>,
    },
    /// The rules allow the verb by name only, and this request has none when the API server decides. Nothing was sent.
    #[error(
        "`{rules}` allows `{verb}` on {resource} only by name, and this call has none when the API server decides; say it in a rule without names, or use `apply` to create"
    )]
    OnlyByName {
        /// The rule set.
        rules: &'static str,
        /// The verb.
        verb: &'static str,
        /// The plural.
        resource: String,
    },
    /// A name that no object can have, and that would change what the request is about. Nothing was sent.
    #[error("no {kind} can be called {name:?}; a name is one segment of a path")]
    BadName {
        /// The kind.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// The kind lives in namespaces, and the client is for none. Nothing was sent.
    #[error("a {kind} is in a namespace, and this client is for none; say which by `in_namespace`")]
    NoNamespace {
        /// The kind.
        kind: &'static str,
    },
    /// The object does not say what it is called.
    #[error("a {kind} without `metadata.name` can't be written; give it a name")]
    NoName {
        /// The kind.
        kind: &'static str,
    },
    /// The API server refused, or was not reached.
    #[error("{verb} {kind} `{name}`")]
    Api {
        /// What was tried.
        verb: &'static str,
        /// The kind.
        kind: &'static str,
        /// The name; empty where a request has none.
        name: String,
        /// What came back.
        #[source]
        source: Box<kube::Error>,
    },
}

/// What is allowed instead.
fn only(allowed: &[String]) -> String {
    if allowed.is_empty() {
        return "and on no other: the field of its rule is empty or false".to_owned();
    }
    let names: Vec<String> = allowed.iter().map(|name| format!("`{name}`")).collect();
    format!("only on {}; add the name to `names(...)` or to the field of the rule", names.join(", "))
}

impl CallError {
    /// The object was changed by somebody else since it was read: read it again, and try again.
    pub fn is_conflict(&self) -> bool {
        self.is(409, "Conflict")
    }

    /// There is an object of this name already.
    pub fn is_already_exists(&self) -> bool {
        self.is(409, "AlreadyExists")
    }

    /// There is no object of this name. That the API server does not know the kind is something else.
    pub fn is_not_found(&self) -> bool {
        self.status().is_some_and(|status| {
            status.code == 404 && status.details.as_ref().is_some_and(|details| !details.name.is_empty())
        })
    }

    /// The right to do it is not held. Just after a role or binding was written, or the API server was started, it may be
    /// held without the API server knowing yet.
    pub fn is_forbidden(&self) -> bool {
        self.status().is_some_and(|status| status.code == 403)
    }

    /// What came back, in words: the API server's own, or why it was not reached.
    pub fn told(&self) -> String {
        let Self::Api { source, .. } = self else { return self.to_string() };
        if let kube::Error::Api(status) = &**source {
            return status.message.clone();
        }
        let mut innermost: &dyn std::error::Error = &**source;
        while let Some(cause) = innermost.source() {
            innermost = cause;
        }
        innermost.to_string()
    }

    /// Whether the same call may do better later: the API server was not reached, did not answer, or is busy.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Api { source, .. } => match &**source {
                kube::Error::Api(status) => matches!(status.code, 408 | 429 | 500 | 502 | 503 | 504),
                kube::Error::Service(_) | kube::Error::HyperError(_) | kube::Error::ReadEvents(_) => true,
                _ => false,
            },
            _ => false,
        }
    }

    fn is(&self, code: u16, reason: &str) -> bool {
        self.status().is_some_and(|status| status.code == code && status.reason == reason)
    }

    /// What the API server answered, if it did.
    fn status(&self) -> Option<&kube::core::Status> {
        match self {
            Self::Api { source, .. } => match &**source {
                kube::Error::Api(status) => Some(status),
                _ => None,
            },
            _ => None,
        }
    }
}
