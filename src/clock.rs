//! The only module that reads the wall clock.

use jiff::{SignedDuration, Timestamp};

/// The environment variable that fixes the clock, for tests and demonstrations.
pub const CLOCK_VARIABLE: &str = "ESTAFETTE_CLOCK";

/// What tells the time: the system's clock, or one that stands until it is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Where a fixed clock stands; none for the system's.
    stands_at: Option<Timestamp>,
    /// How far the clock has been moved on by hand.
    moved: SignedDuration,
    /// How far it was set otherwise while no time passed.
    jumped: SignedDuration,
}

/// A value of `ESTAFETTE_CLOCK` that is no instant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{CLOCK_VARIABLE}={value:?} is not an instant: {why}. Write it as {CLOCK_VARIABLE}=2026-01-01T00:00:00Z, or unset it."
)]
pub struct ClockError {
    /// The value as given.
    pub value: String,
    /// What is wrong with it.
    pub why: String,
}

impl Clock {
    /// The system's clock.
    pub fn system() -> Clock {
        Clock { stands_at: None, moved: SignedDuration::ZERO, jumped: SignedDuration::ZERO }
    }

    /// A clock that stands at an instant.
    pub fn fixed(at: Timestamp) -> Clock {
        Clock { stands_at: Some(at), moved: SignedDuration::ZERO, jumped: SignedDuration::ZERO }
    }

    /// The clock that the environment asks for: the system's, unless `ESTAFETTE_CLOCK` names an instant.
    pub fn from_env() -> Result<Clock, ClockError> {
        match std::env::var_os(CLOCK_VARIABLE) {
            None => Ok(Clock::system()),
            Some(value) => Clock::from_text(&value.to_string_lossy()),
        }
    }

    /// A clock that stands at the instant that a text names (RFC 3339, with its offset).
    pub fn from_text(value: &str) -> Result<Clock, ClockError> {
        let wrong = |why: jiff::Error| ClockError { value: value.to_owned(), why: why.to_string() };
        let at: Timestamp = value.trim().parse().map_err(wrong)?;
        if at < Timestamp::UNIX_EPOCH {
            // The date of a mail has no earlier one.
            return Err(ClockError { value: value.to_owned(), why: "it lies before 1970".to_owned() });
        }
        Ok(Clock::fixed(at))
    }

    /// Whether it goes as the world's clocks do, and does not stand still.
    pub fn goes(&self) -> bool {
        self.stands_at.is_none()
    }

    /// The time now.
    pub fn now(&self) -> Timestamp {
        let base = self.stands_at.unwrap_or_else(Timestamp::now);
        // At the end of the calendar, some seven thousand years on, it stands still.
        base.checked_add(self.moved.saturating_add(self.jumped)).unwrap_or(Timestamp::MAX)
    }

    /// Time as it passes, from some beginning, whatever the clock is set to: by it a clock that jumps is known. While the
    /// machine sleeps, it passes too.
    pub fn steady(&self) -> SignedDuration {
        let passed = if self.stands_at.is_some() { SignedDuration::ZERO } else { since_boot() };
        passed.saturating_add(self.moved)
    }

    /// Which start of the machine steady time counts from; none where no other process can compare its own.
    pub fn boot(&self) -> Option<String> {
        if self.stands_at.is_some() { None } else { boot_id() }
    }

    /// Sets the clock on or back by a span in which no time passes; for tests of clocks that jump.
    pub fn jump(&mut self, span: SignedDuration) {
        self.jumped = self.jumped.saturating_add(span);
    }

    /// Moves the clock on by a span; a scripted run passes its deadlines so.
    pub fn advance(&mut self, span: SignedDuration) {
        self.moved = self.moved.saturating_add(span);
    }
}

/// Time since the machine was started, its sleep counted.
#[cfg(target_os = "linux")]
fn since_boot() -> SignedDuration {
    let passed = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
    SignedDuration::from_secs(passed.tv_sec).saturating_add(SignedDuration::from_nanos(passed.tv_nsec))
}

/// Time since this process first asked.
#[cfg(not(target_os = "linux"))]
fn since_boot() -> SignedDuration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    SignedDuration::try_from(BEGAN.elapsed()).unwrap_or(SignedDuration::MAX)
}

/// The name that the system gave to this start of the machine.
#[cfg(target_os = "linux")]
fn boot_id() -> Option<String> {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(id.trim().to_owned()).filter(|id| !id.is_empty())
}

#[cfg(not(target_os = "linux"))]
fn boot_id() -> Option<String> {
    None
}

/// The time now by the clock that the environment asks for.
pub fn now() -> Result<Timestamp, ClockError> {
    Ok(Clock::from_env()?.now())
}
