//! What an event tells of steps and of checks, which are told in one sentence with others of their kind.

use super::units::hour;
use crate::report::field::story::{Check, Rules, Step, Test};
use crate::rules::great_battles::event::{End, Event, How};
use crate::rules::great_battles::pose::Form;
use crate::rules::great_battles::state::Level;
use crate::rules::tactical::sum::Sum;

/// What many become who run.
const ROUTED: &str = "now Routed";

/// The paragraphs of marches, of what is seen, and of checks.
pub static RULES: Rules = Rules {
    going: "5.1",
    turning: "6.1",
    halting: "5.1.3",
    riding: "5.4, 8.5.5",
    sight: "H.1",
    holding: "11.3",
    becoming: "9.1",
    falling: "8.5.1",
    breaking: "9.2.4, 10.2",
    breaks: ("rout", ROUTED),
    how: |how| match how {
        "rout" => "10.2",
        "retreat" => "10.1",
        "charge" => "8.4.2",
        "pursuit" => "8.4.2",
        "reaction" => "6.2",
        _ => "8.2.1",
    },
};

/// The steps that an event tells of.
pub fn steps(e: &Event) -> Vec<Step<'_>> {
    match e {
        Event::Moved { units, pose, how, .. } => {
            let drove = |word: &'static str| units.iter().map(|unit| Step::Drove(unit, pose.head, word)).collect();
            match how {
                How::Step | How::Slide | How::Reverse => {
                    units.iter().map(|unit| Step::Entered(unit, pose.head)).collect()
                }
                How::Turn => units.iter().map(|unit| Step::Turned(unit, hour(pose.hour))).collect(),
                How::React if pose.form != Form::Square => drove("reaction"),
                How::Charge => drove("charge"),
                How::Pursue => drove("pursuit"),
                How::Advance => drove("advance"),
                How::Retreat => drove("retreat"),
                How::Rout => drove("rout"),
                How::React | How::Form | How::Enter | How::Amend => Vec::new(),
            }
        }
        Event::Halted { units } => units.iter().map(|unit| Step::Halted(unit)).collect(),
        Event::Rode { leader, to } | Event::Followed { leader, to } => vec![Step::Rode(leader, *to)],
        _ => Vec::new(),
    }
}

/// 5.1.1, 8.2.1, 9.1 The check that an event tells of, or what one makes of its unit.
pub fn test(e: &Event) -> Option<Test> {
    Some(match e {
        Event::Checked { unit, why, die, sum, need, passed } => {
            let (why, rule) = match why.as_str() {
                "attack" => ("check before the attack", "8.2.1"),
                "defence" | "stand" => ("check of who is attacked", "8.2.1, 8.4.2"),
                "square" => ("forming square", "8.4.2"),
                "rally" => ("rally", "12.1"),
                _ => ("morale", "9.1"),
            };
            Test::Checked(why.to_owned(), rule, Check::of(unit, *die, sum.clone(), (format!("rating {need}"), *passed)))
        }
        Event::Tested { unit, die, need, passed } => Test::Checked(
            "order".to_owned(),
            "5.1.1",
            Check::of(unit, *die, Sum::default(), (format!("rating {need}"), *passed)),
        ),
        Event::Level { unit, level } => {
            let (what, alone) = becomes(*level);
            Test::then(unit, what, Some(alone))
        }
        Event::Disordered { unit } => Test::then(unit, "is Disordered", Some("now Disordered")),
        Event::Lost { unit, sp } if *sp < 0 => Test::then(unit, format!("has {} SP more again", -sp), None),
        Event::Lost { unit, sp } => Test::then(unit, format!("loses {sp} SP"), None),
        Event::Gone { unit, how } => Test::Falls { unit: unit.clone(), what: fate(*how) },
        _ => return None,
    })
}

/// How a unit leaves the game.
pub fn fate(how: End) -> &'static str {
    match how {
        End::Lost => "is no more",
        End::Ridden => "is destroyed as it runs",
        End::Taken => "is taken",
    }
}

/// What one unit becomes, and what many.
fn becomes(level: Level) -> (&'static str, &'static str) {
    match level {
        Level::Good => ("is Good", "now Good"),
        Level::Shaken => ("is Shaken", "now Shaken"),
        Level::Unsteady => ("is Unsteady", "now Unsteady"),
        Level::Rout => ("routs", ROUTED),
    }
}
