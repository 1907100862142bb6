//! The contract that every ruleset answers.

pub mod campaigns;
