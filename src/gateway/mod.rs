//! The post office at work.

pub mod commands;
