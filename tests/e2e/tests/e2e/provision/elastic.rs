//! Tables whose number of workers belongs to KEDA.
