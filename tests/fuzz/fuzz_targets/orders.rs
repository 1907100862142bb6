//! The order reader against everything: `cargo fuzz run --fuzz-dir tests/fuzz --sanitizer none orders`.
#![no_main]

#[path = "../targets.rs"]
mod targets;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| targets::orders(data));
