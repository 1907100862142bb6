//! The program's own players: one for each ruleset that has one. Layer 4.
//!
//! A player reads nothing but its side's view and the open questions, and writes lines in the language that people write.
//! The same view and noise give the same lines, so that a played game can be played again.

pub mod austerlitz1805;
pub mod campaigns;
