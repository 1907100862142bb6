//! The post office at work: letters, commands, passes.

mod again;
mod asks;
mod bad;
pub mod bench;
mod bombs;
pub mod clockwork;
pub mod commands;
mod door;
mod doors;
pub mod faults;
mod hostile;
mod keeping;
mod letters;
mod mended;
mod once;
mod people;
mod post;
mod prose;
mod responders;
mod rewound;
mod seats;
mod sending;
mod subjects;
mod time;
mod transfer;
mod umpire;
pub mod whole;
