//! Retreat (¶138, 369-379), one law for combat, repulse and displacement: `path` the ways that the priorities leave open,
//! `drive` those who go them, and who may stay together (¶138, 294).

mod drive;
mod path;

pub use drive::{consolidate, displace_weakest, drive, drive_clear, leave_map, march, march_together, settle};
pub use path::{Way, beside, costly_river, entry, gunless_river, open_ways, ways};
