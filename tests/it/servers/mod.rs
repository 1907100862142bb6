//! Mail servers for the tests: real ones, small ones that say no, and a proxy that harms what passes.

pub mod imap;
pub mod proxy;
pub mod real;
pub mod rows;
pub mod smtp;
