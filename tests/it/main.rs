//! One binary for all integration tests, so that they link once.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, clippy::print_stderr, missing_docs)]

mod admin;
mod audit;
mod austerlitz;
mod bot;
mod cases;
mod cli;
mod config;
mod contract;
mod crops;
mod desk;
mod dice;
mod draw;
mod field;
mod forecast;
mod fuzz;
mod gateway;
mod hex;
mod house;
mod intel;
#[cfg(feature = "failpoints")]
mod ken;
mod kill;
mod mail;
mod mailbox;
mod noninterference;
mod plane;
mod real;
mod report;
mod scenario;
mod scramble;
mod servers;
mod solitaire;
mod solo;
mod staff;
mod store;
mod tables;
mod terms;
mod text;
mod toys;
mod whole;
mod works;
mod year;
mod years;
