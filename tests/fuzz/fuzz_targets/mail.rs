//! The mail reader against everything: `cargo fuzz run --fuzz-dir tests/fuzz --sanitizer none mail`.
#![no_main]

#[path = "../targets.rs"]
mod targets;

use libfuzzer_sys::fuzz_target;

fuzz_target!(
    init: targets::count_caught(),
    |data: &[u8]| targets::mail(data)
);
