//! One binary for all integration tests, so that they link once.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, clippy::print_stderr, missing_docs)]

/// That of the program itself.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod admin;
mod alone;
pub mod audit;
mod austerlitz;
mod battles;
mod bot;
mod browser;
mod cases;
mod cli;
mod config;
mod contract;
mod crops;
mod desk;
mod dice;
mod door;
mod draw;
#[cfg(feature = "failpoints")]
mod faulty;
mod fellows;
mod field;
mod forecast;
mod fuzz;
mod gateway;
mod handbook;
mod hex;
mod history;
mod hostile;
mod house;
mod intel;
mod ken;
mod kept;
#[cfg(feature = "failpoints")]
mod kill;
mod mail;
mod mailbox;
mod mend;
mod moving;
mod museum;
mod noninterference;
mod packed;
mod plane;
mod positions;
mod postgres;
mod real;
mod rehearse;
mod report;
mod restore;
mod scenario;
mod scramble;
mod servers;
mod sheet;
mod short;
mod short_austerlitz;
mod snapshots;
mod solitaire;
mod solo;
mod staff;
mod store;
mod tables;
mod tactical;
mod terms;
mod text;
mod toys;
mod troupe;
mod tutorial;
mod upgrade;
mod views;
mod whole;
mod words;
mod works;
mod year;
mod years;
