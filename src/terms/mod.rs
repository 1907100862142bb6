//! The terms of a game: how long its stages stay open, by whose calendar, and what becomes of orders that do not come.
//!
//! Pure: the time now is always a parameter, and the zones are those bundled with the program.

pub mod calendar;
mod options;
pub mod spoken;
pub mod zone;

pub use options::read;

use calendar::Calendar;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Longest time that a stage may have, in hours: a year.
pub const HOURS_MAX: u32 = 8784;

/// Longest time for which END can be taken back, in minutes: a day.
pub const RECALL_MAX: u32 = 1440;

/// How long a stage stays open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Time {
    /// So many hours of a seat's own time.
    Hours(u32),
    /// Until the next evening at an hour of the game's zone, but never less than so many hours.
    Evening {
        /// The hour.
        hour: i8,
        /// The minute.
        minute: i8,
        /// Hours that a seat has at least.
        least: u32,
    },
    /// For ever.
    Never,
}

/// What becomes of orders that do not come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Late {
    /// Standing answers, which are used as soon as a question comes up, and the defaults of the rules.
    #[default]
    Doctrine,
    /// The stand-in that the seat has named gets the same time again; then as with doctrine.
    StandIn,
    /// The program's own player writes from the seat's view.
    Bot,
    /// Play waits; the seat is reminded each day.
    Wait,
    /// Play stops and the umpire is asked.
    Umpire,
}

/// Who looks on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Observers {
    /// Nobody.
    #[default]
    None,
    /// They get what is public.
    Public,
    /// They get the umpire's page, so many days after it was written.
    AllAfter(u16),
}

/// Where the value comes from that is mixed into the dice, and that nobody could know when its notice was written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Beacon {
    /// There is none.
    #[default]
    None,
    /// The first round of drand's quicknet that begins so many seconds after the notice, or later.
    Quicknet(u32),
    /// Something that will be made known to all the world, in words.
    Value(String),
}

impl fmt::Display for Beacon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Beacon::None => f.write_str("none"),
            Beacon::Quicknet(wait) => write!(f, "quicknet {wait}"),
            Beacon::Value(what) => write!(f, "value {what}"),
        }
    }
}

/// The terms of one game, as they were agreed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Terms {
    /// The calendar that its deadlines keep to.
    pub calendar: Calendar,
    /// How long a stage stays open where its kind says nothing.
    pub deadline: Option<Time>,
    /// By kind of stage: `signon`, `question`, `secret`, or the last part of a stage's key.
    pub stages: BTreeMap<String, Time>,
    /// Hours after the deadline in which orders still count.
    pub grace: u32,
    /// Minutes after which an END takes effect, so that UNDO END can take it back; none for at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall: Option<u32>,
    /// Hours before its time is up at which a seat is reminded.
    pub reminder: Option<u32>,
    /// Days that a seat may be away in all.
    pub absence_days: Option<u16>,
    /// Absences that a seat may have booked at once.
    pub absence_periods: Option<u16>,
    /// What becomes of orders that do not come.
    pub late: Late,
    /// So many seats missing at once stop the game.
    pub brake: Option<u32>,
    /// Whether the post office lists the game, and strangers may sign on to its vacant seats.
    pub open: bool,
    /// Who alone may sign on to an open game; all, where it is empty.
    pub invited: Vec<String>,
    /// What part of his deadlines, in hundredths, one must have kept who joins.
    pub punctual: Option<u8>,
    /// Who looks on.
    pub observers: Observers,
    /// Where the values of its dice come from; nowhere, where it is not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beacon: Option<Beacon>,
}

impl Terms {
    /// The terms of a game that knows only hours.
    pub fn of_hours(hours: Option<u32>) -> Terms {
        Terms { deadline: Some(hours.map_or(Time::Never, Time::Hours)), ..Terms::default() }
    }

    /// The time that a due has, by its address and the kind of its stage.
    pub fn time_of(&self, address: &str, secret: bool) -> Time {
        let whole = self.deadline.clone().unwrap_or(Time::Never);
        let of = |kind: &str| self.stages.get(kind).cloned();
        if address == "signon" {
            return of("signon").unwrap_or(whole);
        }
        if address.starts_with("ask/") {
            return of("question").unwrap_or(whole);
        }
        of(&kind_of(address)).or_else(|| of("secret").filter(|_| secret)).unwrap_or(whole)
    }

    /// Seats missing at once that stop the game, of so many: more than half, and three at least, where none is said.
    pub fn brake_of(&self, seats: usize) -> usize {
        self.brake.map_or_else(|| (seats / 2 + 1).max(3), |most| usize::try_from(most).unwrap_or(usize::MAX))
    }

    /// The terms in sentences, for opening mails and DEADLINE.
    pub fn said(&self) -> Vec<String> {
        let mut said = Vec::new();
        if let Some(time) = &self.deadline {
            said.push(format!("Time for a stage: {}.", time.said(&self.calendar)));
        }
        for (kind, time) in &self.stages {
            said.push(format!("Time for {}: {}.", kind_said(kind), time.said(&self.calendar)));
        }
        said.extend(self.calendar.said());
        if self.grace > 0 {
            said.push(format!("Orders still count for {} h after the time is up.", self.grace));
        }
        if let Some(minutes) = self.recall {
            said.push(format!(
                "END takes effect {minutes} min after its mail came; until then UNDO END takes it back."
            ));
        }
        said.push(
            match self.late {
                Late::Doctrine => "For missing orders play standing answers, and then the defaults.",
                Late::StandIn => "For missing orders the stand-in is asked, and then the defaults play.",
                Late::Bot => "For missing orders the program's own player writes.",
                Late::Wait => "Play waits for missing orders.",
                Late::Umpire => "For missing orders play stops, and the umpire decides.",
            }
            .to_owned(),
        );
        said
    }
}

impl Time {
    /// In words.
    pub fn said(&self, calendar: &Calendar) -> String {
        match self {
            Time::Hours(hours) => format!("{hours} h"),
            Time::Evening { hour, minute, least } => {
                format!("until {hour:02}:{minute:02} {}, at least {least} h", calendar.zone)
            }
            Time::Never => "no deadline".to_owned(),
        }
    }

    /// A quarter of it, for a sheet that comes back after a question.
    #[must_use]
    pub fn quarter(&self) -> Time {
        match self {
            Time::Hours(hours) => Time::Hours(hours.div_ceil(4)),
            Time::Evening { hour, minute, least } => {
                Time::Evening { hour: *hour, minute: *minute, least: least.div_ceil(4) }
            }
            Time::Never => Time::Never,
        }
    }

    /// Hours that a seat has at least; none for no deadline.
    pub fn least_hours(&self) -> Option<u32> {
        match self {
            Time::Hours(hours) => Some(*hours),
            Time::Evening { least, .. } => Some(*least),
            Time::Never => None,
        }
    }
}

/// The kind of a sheet's stage: the last part of the stage's key, `a` of `sheet/3/french/A/french`.
fn kind_of(address: &str) -> String {
    let parts: Vec<&str> = address.split('/').collect();
    let at = parts.len().saturating_sub(2);
    parts.get(at).map(|part| part.to_lowercase()).unwrap_or_default()
}

fn kind_said(kind: &str) -> String {
    match kind {
        "signon" => "signing on".to_owned(),
        "question" => "a question".to_owned(),
        "secret" => "a secret sheet".to_owned(),
        other => format!("sheet {}", other.to_uppercase()),
    }
}
