//! Provisioning while things go on around it.
