//! CHECK is a rehearsal: a plan line by line on the view that the lines above leave; its warnings; lines that mails offer.

pub mod driver;
mod fought;
mod marched;
mod offered;
mod random;
pub mod warned;
