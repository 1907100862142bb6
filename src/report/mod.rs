//! Reports: what each ruleset writes for a seat. Layer 4.
//!
//! A report is written from a view and from what its side was told, never from truth: nothing here can name a state or an
//! event. Layout, order and wording follow one plan for all games; the ruleset's own words are in its folder.

pub mod austerlitz1805;
pub mod brave_fellows;
pub mod campaigns;
pub mod field;
pub mod great_battles;
pub mod index;
pub mod sheet;
