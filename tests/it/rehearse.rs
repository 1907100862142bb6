//! CHECK is a rehearsal: a plan line by line on the view that the lines above leave; its warnings; lines that mails offer.

mod driver;
mod offered;
mod random;
mod warned;
