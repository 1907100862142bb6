//! estafette: a play-by-email adjudicator for Napoleonic board wargames with hidden information.
//!
//! The map of the house is written here as the house is built.

// Floor 0: values and small tools; nothing here knows a game.
pub mod fail;
pub mod hex;
pub mod text;
pub mod yaml;
// Floor 1: the ground, the order sheet, and the door between truth and paper.
pub mod dice;
pub mod fog;
pub mod map;
pub mod orders;
// Floors 2 and 3: what every ruleset answers, and the rulesets.
pub mod rules;
// Floor 4: a scenario's files; letters, which are words alone.
pub mod bot;
pub mod letter;
pub mod report;
pub mod scenario;
// Floor 5: one hosted game.
pub mod host;
// Floor 6: what touches the world: mail, the operator's settings, the time, the file.
pub mod clock;
pub mod config;
pub mod games;
pub mod mail;
pub mod store;
// Floor 7: the post office at work, and the audit of its games.
pub mod audit;
pub mod gateway;
// Floor 7: rule cases.
pub mod cases;
pub mod demo;
pub mod simulate;
// Floor 8: the command line.
pub mod cli;
