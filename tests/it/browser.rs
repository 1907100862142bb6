//! The pages that we write, in a real browser: they open whole, reach nothing, and write what was clicked.

mod austerlitz;
mod battles;
mod driven;
mod fellows;
mod laid;
mod letter;
mod pipe;
mod replay;
mod run;
mod sheet;
