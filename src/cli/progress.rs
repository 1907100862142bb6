//! How far long work has come, on a terminal; nothing where nobody looks.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// How often a wheel turns.
const TICK: Duration = Duration::from_millis(120);

/// A bar of so many steps on standard error, which shows nothing unless that is a terminal. It is gone when it is dropped.
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// A bar before its first step.
    pub(super) fn of(steps: u64, what: &'static str) -> Progress {
        let bar = ProgressBar::new(steps).with_message(what);
        let style = ProgressStyle::with_template("{bar:30} {pos} of {len} {msg}, {eta} left");
        Progress(bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())))
    }

    /// A wheel that turns while something is done whose length nobody knows.
    pub(super) fn wheel(what: &'static str) -> Progress {
        let wheel = ProgressBar::new_spinner().with_message(what);
        wheel.enable_steady_tick(TICK);
        Progress(wheel)
    }

    /// One step more.
    pub(super) fn step(&self) {
        self.0.inc(1);
    }

    /// So many steps in all, and so many behind us.
    pub(super) fn at(&self, done: usize, all: usize) {
        self.0.set_length(u64::try_from(all).unwrap_or(u64::MAX));
        self.0.set_position(u64::try_from(done).unwrap_or(u64::MAX));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
