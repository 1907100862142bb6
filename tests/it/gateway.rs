//! The post office at work: letters, commands, passes.

mod commands;
mod letters;
