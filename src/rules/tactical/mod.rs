//! What battles on hexes share: the files of a scenario, the field with its levels and hexsides, fronts and arcs, lines of sight
//! in whole numbers, arms and what ground costs them, sums whose parts are named, charts with columns, a table of which two sides
//! see a part, who is seen and by which tag, who may see a roll, ways over hexes, what lines are made of and what was meant by one,
//! lodged sheets, what an umpire corrects, leaders who take units along, and which attacks are worth most.
//!
//! Nothing here knows a game. A ruleset says what a kind of ground costs, what stops a line, and what a result does.

pub mod bot;
pub mod cells;
pub mod chain;
pub mod chart;
pub mod eyes;
pub mod facing;
pub mod field;
pub mod files;
pub mod ground;
pub mod lodge;
pub mod meant;
pub mod roll;
pub mod sight;
pub mod sum;
pub mod table;
pub mod tags;
pub mod umpire;
pub mod way;
pub mod words;
