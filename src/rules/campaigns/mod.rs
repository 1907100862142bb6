//! Operational Studies Group's 1X system, "The Campaigns of Napoleon".

pub mod board;
pub mod load;
pub mod tables;
