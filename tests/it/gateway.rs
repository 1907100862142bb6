//! The post office at work: letters, commands, passes.

pub mod bench;
mod commands;
mod letters;
mod post;
mod time;
pub mod whole;
