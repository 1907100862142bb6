//! The post office at work: letters, commands, passes.

mod bad;
pub mod bench;
pub mod clockwork;
pub mod commands;
mod doors;
mod faults;
mod hostile;
mod letters;
mod mended;
mod people;
mod post;
mod seats;
mod sending;
mod time;
mod umpire;
pub mod whole;
