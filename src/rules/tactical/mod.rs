//! What battles on hexes share: the field with its levels and hexsides, fronts and arcs, lines of sight in whole numbers,
//! sums whose parts are named, charts with columns, what was meant by a line, and what an umpire corrects.
//!
//! Nothing here knows a game. A ruleset says what a kind of ground costs, what stops a line, and what a result does.

pub mod chart;
pub mod facing;
pub mod field;
pub mod meant;
pub mod sight;
pub mod sum;
pub mod umpire;
