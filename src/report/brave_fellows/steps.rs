//! What an event tells of steps and of checks, which are told in one sentence with others of their kind.

use crate::report::field::story::{Check, Rules, Step, Test};
use crate::rules::brave_fellows::event::Event;
use crate::rules::brave_fellows::state::{Fate, Mood};
use crate::rules::brave_fellows::view::View;
use crate::rules::tactical::sum::Sum;

/// What many become who are routed.
const ROUTED: &str = "now in rout";

/// 7.1 What a router does who rallies, in one word and of many.
const RALLIES: (&str, &str) = ("rallies, and is fatigued", "rallied, and fatigued now");

/// 6.4.3 The check before a melee, as an event names it.
const TO_ATTACK: &str = "attacker_melee";

/// 6.5.2 What dice make of a leader: a 6, and then a 5 or a 6; else nothing.
fn risked(dice: &[i32]) -> &'static str {
    match dice {
        [6, 5 | 6] => ": hit",
        _ => ": unhurt",
    }
}

/// How a unit goes that has no room.
const CROWDED: &str = "leaves the crowded hex";

/// The paragraphs of marches, of what is seen, and of checks.
pub static RULES: Rules = Rules {
    going: "6.2",
    turning: "4.3.2",
    halting: "6.2.7",
    riding: "6.2, 6.5.5",
    sight: "DB.2",
    holding: "DB.7",
    becoming: "4.2.4",
    falling: "5.3",
    breaking: "4.2.4, 6.7",
    breaks: ("rout", ROUTED),
    how: |how| match how {
        "rout" => "6.7",
        CROWDED => "4.1.10",
        "advance" => "6.4.9",
        _ => "6.6",
    },
};

/// The steps that an event tells of; of the reader's own units how they face as well.
pub fn steps<'e>(v: &View, e: &'e Event) -> Vec<Step<'e>> {
    match e {
        Event::Stepped { unit, to, pressed: true, .. } => vec![Step::Drove(unit, *to, CROWDED)],
        Event::Stepped { unit, to, facing, with, .. } => {
            let all = || std::iter::once(unit).chain(with.iter().map(|pace| &pace.unit));
            let own = all().filter(|unit| v.state.is_of(unit, &v.side));
            let turned = own.map(|unit| Step::Turned(unit, facing.name()));
            all().map(|unit| Step::Entered(unit, *to)).chain(turned).collect()
        }
        Event::Went { unit, to, how } => vec![Step::Drove(unit, *to, how)],
        Event::Turned { unit, facing } => vec![Step::Turned(unit, facing.name())],
        Event::Halted { unit } => vec![Step::Halted(unit)],
        Event::Rode { leader, to } | Event::Followed { leader, to } => vec![Step::Rode(leader, *to)],
        _ => Vec::new(),
    }
}

/// 4.2.2, 4.2.4, 6.5.2 The check that an event tells of, or what one makes of its piece.
pub fn test(e: &Event, recovery: bool) -> Option<Test> {
    Some(match e {
        Event::Checked { unit, why, die, sum, need, passed } => {
            let mut check = Check::of(unit, *die, sum.clone(), (format!("FV {need}"), *passed));
            // 6.4.3b
            if why == TO_ATTACK && *passed && die + sum.total() < need / 2 {
                check.then.push_str(" below half of it");
            }
            Test::Checked(why.replace('_', " "), "4.2.2", check)
        }
        Event::Risked { leader, dice } => {
            let thrown: Vec<String> = dice.iter().map(ToString::to_string).collect();
            let die = format!("die {}", thrown.join(", "));
            let check = Check { unit: leader.clone(), die, sum: Sum::default(), then: risked(dice).to_owned() };
            Test::Checked("leader at risk".to_owned(), "6.5.2", check)
        }
        Event::Became { unit, mood } => {
            let (what, alone) = if recovery && *mood == Mood::Fatigued { RALLIES } else { becomes(*mood) };
            Test::then(unit, what, Some(alone))
        }
        Event::Refused { unit } => Test::then(unit, "does not attack", None),
        Event::Idle { unit } => Test::then(unit, "may not act", None),
        Event::Fell { unit, how } => Test::Falls { unit: unit.clone(), what: fate(*how) },
        Event::Hurt { leader, until: None } => Test::then(leader, "is killed", None),
        Event::Hurt { leader, until: Some(turn) } => Test::then(leader, format!("is wounded until turn {turn}"), None),
        _ => return None,
    })
}

/// 5.3 What a unit does that is taken off the map.
pub fn fate(how: Fate) -> &'static str {
    match how {
        Fate::Surrendered => "surrenders",
        _ => "is eliminated",
    }
}

/// What one unit becomes, and what many.
pub fn becomes(mood: Mood) -> (&'static str, &'static str) {
    match mood {
        Mood::Fresh => ("is fresh", "now fresh"),
        Mood::Fatigued => ("is fatigued", "now fatigued"),
        Mood::Routed => ("routs", ROUTED),
    }
}
