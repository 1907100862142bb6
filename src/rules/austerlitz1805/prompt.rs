//! Questions: each has a key of the doctrine that answers it; only ASK leaves it open.

use super::board::{Arm, Board, UnitId};
use super::load::fits;
use super::moves::room_for;
use super::table::{Formation, Pose, um};
use super::view::View;
use super::words;
use crate::fog::SideId;
use crate::orders::{Args, Fault, Line};
use crate::plane::near::to_side;
use crate::plane::{Heading, Spot};
use crate::rules::Ask;
use crate::rules::journal::Book;
use std::collections::BTreeSet;

/// 5.4.5.1 What a square must need at most to be likely: two dice make 7 or less in more than half of all rolls.
const LIKELY: i32 = 7;

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prompt {
    /// 4.4, 9.6.1 At whom a battery fires: target, and whether with canister.
    Guns {
        /// The battery.
        unit: UnitId,
        /// What it may fire at.
        options: Vec<(UnitId, bool)>,
    },
    /// 10 At whom a unit fires.
    Volley {
        /// The unit.
        unit: UnitId,
        /// Whom it may fire at.
        options: Vec<UnitId>,
    },
    /// 5.4.5 Square in reaction.
    Square {
        /// Who would form it.
        unit: UnitId,
        /// Who comes.
        by: UnitId,
        /// What the check needs.
        need: i32,
    },
    /// 13.8, 13.12.1.2 Cavalry withdraws.
    Withdraw {
        /// Who would.
        unit: UnitId,
        /// Who comes.
        by: UnitId,
    },
    /// 4.6.1 The crew shelters in a square.
    Crew {
        /// The battery.
        unit: UnitId,
        /// The square.
        square: UnitId,
    },
    /// 13.12.2.1 A charger before a square.
    OnSquare {
        /// The charger.
        unit: UnitId,
        /// The square.
        on: UnitId,
    },
    /// 12.7.2.1 A unit that stood while a friend broke.
    Neighbour {
        /// The unit.
        unit: UnitId,
    },
    /// 12.10.1, 13.9 Formation and front, freely.
    Reform {
        /// The unit.
        unit: UnitId,
    },
    /// 13.11.4 An advance.
    Advance {
        /// The winner.
        unit: UnitId,
        /// At most, in units.
        most: i32,
    },
    /// 16.4.2.8 A unit out of a chit is deployed.
    Deploy {
        /// The unit.
        unit: UnitId,
        /// The formations that it may have.
        forms: Vec<Formation>,
        /// The front without another word: toward the enemy.
        facing: Heading,
        /// Its place without another word.
        berth: &'static str,
        /// The place of its chit's first unit, if it is another.
        beside: Option<Spot>,
    },
    /// 13.11.1.1.3 Which of two cavalry units was stepped on.
    Stepped {
        /// Who goes back.
        unit: UnitId,
        /// The weaker first.
        options: Vec<UnitId>,
    },
}

/// 16.4.2.8 Places round that of the chit.
pub const BERTHS: [&str; 4] = ["CENTRE", "LEFT", "RIGHT", "REAR"];

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// One of a few words.
    Word(&'static str),
    /// A target, with canister or not.
    Target(UnitId, bool),
    /// A distance in units.
    Units(i32),
    /// Formation and front.
    Form(Formation, Heading),
    /// Formation, front and place.
    Berth(Formation, Heading, &'static str),
}

impl Prompt {
    /// The unit that is asked about.
    pub fn unit(&self) -> &UnitId {
        match self {
            Prompt::Guns { unit, .. }
            | Prompt::Volley { unit, .. }
            | Prompt::Square { unit, .. }
            | Prompt::Withdraw { unit, .. }
            | Prompt::Crew { unit, .. }
            | Prompt::OnSquare { unit, .. }
            | Prompt::Neighbour { unit }
            | Prompt::Reform { unit }
            | Prompt::Deploy { unit, .. }
            | Prompt::Stepped { unit, .. }
            | Prompt::Advance { unit, .. } => unit,
        }
    }

    /// The key of the doctrine, which is the first word of an answer too.
    pub fn word(&self) -> &'static str {
        match self {
            Prompt::Guns { .. } => "GUNS",
            Prompt::Volley { .. } => "MUSKETS",
            Prompt::Square { .. } => "SQUARE",
            Prompt::Withdraw { .. } => "WITHDRAW",
            Prompt::Crew { .. } => "CREW",
            Prompt::OnSquare { .. } => "ONSQUARE",
            Prompt::Neighbour { .. } => "NEIGHBOUR",
            Prompt::Reform { .. } => "REFORM",
            Prompt::Advance { .. } => "ADVANCE",
            Prompt::Deploy { .. } => "DEPLOY",
            Prompt::Stepped { .. } => "STEPPED",
        }
    }

    fn rule(&self) -> &'static str {
        match self {
            Prompt::Guns { .. } => "4.4",
            Prompt::Volley { .. } => "10.2",
            Prompt::Square { .. } => "5.4.5",
            Prompt::Withdraw { .. } => "13.8",
            Prompt::Crew { .. } => "4.6.1",
            Prompt::OnSquare { .. } => "13.12.2.1",
            Prompt::Neighbour { .. } => "12.7.2.1",
            Prompt::Reform { .. } => "12.10.1",
            Prompt::Advance { .. } => "13.11.4",
            Prompt::Deploy { .. } => "16.4.2.8",
            Prompt::Stepped { .. } => "13.11.1.1.3",
        }
    }

    /// What may stand after the unit's name.
    fn choices(&self, v: &View) -> Vec<String> {
        let words = |list: &[&str]| list.iter().map(ToString::to_string).collect();
        match self {
            Prompt::Guns { options, .. } => {
                let line = |(t, canister): &(UnitId, bool)| {
                    if *canister { format!("AT {t} CANISTER") } else { format!("AT {t} ROUND") }
                };
                options.iter().map(line).chain(["HOLD".to_owned()]).collect()
            }
            Prompt::Volley { options, .. } => {
                options.iter().map(|t| format!("AT {t}")).chain(["HOLD".to_owned()]).collect()
            }
            Prompt::Square { .. } => words(&["YES", "NO"]),
            Prompt::Withdraw { .. } => words(&["FRONT", "BACK", "NO"]),
            Prompt::Crew { .. } => words(&["FIRE", "SHELTER"]),
            Prompt::OnSquare { .. } => words(&["STOP", "ATTACK", "PASS"]),
            Prompt::Neighbour { .. } => words(&["HOLD", "RETREAT"]),
            Prompt::Reform { unit } => {
                let facing = words::toward_enemy(&v.table, unit);
                let forms = [Formation::Column, Formation::Line, Formation::Square, Formation::Unlimbered];
                let (t, arm) = (&v.table, v.table.arm(unit));
                let Some(now) = t.unit(unit) else { return Vec::new() };
                let room = |f: &Formation| room_for(t, unit, Pose { at: now.pose.at, facing }, *f).is_ok();
                let fits = forms.into_iter().filter(|f| fits(arm, *f) && room(f));
                // Where there is room for none of them it stays as it is.
                let stays = std::iter::once((now.form, now.pose.facing));
                let mut all: Vec<(Formation, Heading)> = fits.map(|f| (f, facing)).chain(stays).collect();
                all.dedup();
                all.into_iter().map(|(f, way)| format!("{} FACE {way}", f.word().to_uppercase())).collect()
            }
            Prompt::Advance { most, .. } => vec!["0".to_owned(), format!("{}UM", um(*most))],
            Prompt::Deploy { forms, facing, berth, .. } => {
                forms.iter().map(|f| format!("{} FACE {facing} {berth}", f.word().to_uppercase())).collect()
            }
            Prompt::Stepped { options, .. } => options.iter().map(|u| format!("ON {u}")).collect(),
        }
    }
}

/// A prompt's place in the journal.
pub fn address(p: &Prompt) -> String {
    use crate::dice::OpenName;
    format!("{}/{}", p.word().to_lowercase(), p.unit().open_name())
}

/// A prompt as its seat reads it.
pub fn ask(v: &View, p: &Prompt) -> Ask {
    let unit = p.unit();
    let question = match p {
        Prompt::Guns { .. } => format!("{unit} may fire. At whom?"),
        Prompt::Volley { .. } => format!("{unit} may fire its muskets. At whom?"),
        Prompt::Square { by, need, .. } => {
            format!("{by} attacks {unit}. Does it try to form square, on {need} or less?")
        }
        Prompt::Withdraw { by, .. } => format!("{by} attacks {unit}. Does it withdraw, and with what front?"),
        Prompt::Crew { square, .. } => format!("{unit} is attacked. Does its crew stay and fire, or go to {square}?"),
        Prompt::OnSquare { on, .. } => format!("{on} has formed square. Does {unit} stop, attack it or ride by?"),
        Prompt::Neighbour { .. } => {
            format!("{unit} passed its check for a nearby rout. Does it hold or fall back in order?")
        }
        Prompt::Reform { .. } => format!("{unit} has rallied or won. Which formation and front?"),
        Prompt::Deploy { .. } => {
            format!("{unit} comes onto the field. Which formation, front and place: {}?", BERTHS.join(", "))
        }
        Prompt::Stepped { .. } => format!("{unit} fell back over a chit with two of your cavalry. Over which?"),
        Prompt::Advance { most, .. } => format!("{unit} has won. How far does it advance, up to {} UM?", um(*most)),
    };
    let answers: Vec<String> = p.choices(v).into_iter().map(|c| format!("{} {unit} {c}", p.word())).collect();
    let default = answers.first().cloned().unwrap_or_default();
    Ask { question, rule: p.rule().to_owned(), answers, default }
}

/// Reads an answer.
///
/// # Errors
/// The fault of the line.
pub fn read(v: &View, p: &Prompt, l: &Line) -> Result<Answer, Fault> {
    let mut args = Args::new(l, 0);
    args.one_of("the answer's first word", &[p.word()])?;
    args.name("the unit", &[(p.unit().0.clone(), ())])?;
    let answer = match p {
        Prompt::Guns { options, .. } => read_guns(p, &mut args, options)?,
        Prompt::Volley { options, .. } => {
            if args.key("HOLD") {
                Answer::Word("HOLD")
            } else {
                args.key("AT");
                let names: Vec<(String, UnitId)> = options.iter().map(|t| (t.0.clone(), t.clone())).collect();
                Answer::Target(args.name("a target it may fire at", &names)?, false)
            }
        }
        Prompt::Square { .. } => Answer::Word(args.one_of("YES or NO", &["YES", "NO"])?),
        Prompt::Withdraw { .. } => Answer::Word(args.one_of("FRONT, BACK or NO", &["FRONT", "BACK", "NO"])?),
        Prompt::Crew { .. } => Answer::Word(args.one_of("FIRE or SHELTER", &["FIRE", "SHELTER"])?),
        Prompt::OnSquare { .. } => Answer::Word(args.one_of("STOP, ATTACK or PASS", &["STOP", "ATTACK", "PASS"])?),
        Prompt::Neighbour { .. } => Answer::Word(args.one_of("HOLD or RETREAT", &["HOLD", "RETREAT"])?),
        Prompt::Reform { unit } => {
            let form = words::formation(&mut args)?;
            if !fits(v.table.arm(unit), form) {
                return Err(Fault::refused(format!("{unit} can't be {}", form.word()), "5.1"));
            }
            args.key("FACE");
            let facing = words::heading(v, &mut args, unit)?;
            if let Some(now) = v.table.unit(unit).filter(|u| (u.form, u.pose.facing) != (form, facing)) {
                room_for(&v.table, unit, Pose { at: now.pose.at, facing }, form)?;
            }
            Answer::Form(form, facing)
        }
        Prompt::Deploy { forms, facing, berth, .. } => read_berth(v, p, &mut args, (forms, *facing, berth))?,
        Prompt::Stepped { options, .. } => {
            args.key("ON");
            let names: Vec<(String, UnitId)> = options.iter().map(|t| (t.0.clone(), t.clone())).collect();
            Answer::Target(args.name("one of the two", &names)?, false)
        }
        Prompt::Advance { most, .. } => {
            if args.key("NONE") {
                Answer::Units(0)
            } else {
                let units = words::distance(&mut args)?;
                if units > *most {
                    return Err(Fault::refused(
                        format!("{} may advance {} UM at most", p.unit(), um(*most)),
                        "13.11.5",
                    ));
                }
                Answer::Units(units)
            }
        }
    };
    if !args.done() {
        return Err(args.fault("the end of the answer", []));
    }
    Ok(answer)
}

/// 4.4, 9.2 A battery's target and shot.
fn read_guns(p: &Prompt, args: &mut Args<'_>, options: &[(UnitId, bool)]) -> Result<Answer, Fault> {
    if args.key("HOLD") {
        return Ok(Answer::Word("HOLD"));
    }
    args.key("AT");
    let names: Vec<(String, UnitId)> = options.iter().map(|(t, _)| (t.0.clone(), t.clone())).collect();
    let target = args.name("a target it may fire at", &names)?;
    let canister = match args.maybe(&["CANISTER", "ROUND"]) {
        Some(word) => word == "CANISTER",
        None => options.iter().any(|(t, c)| *t == target && *c),
    };
    if !options.contains(&(target.clone(), canister)) {
        return Err(Fault::refused(format!("{} can't fire so at {target}", p.unit()), "9.2"));
    }
    Ok(Answer::Target(target, canister))
}

/// 16.4.2.8, 16.4.2.8.1 Formation, front and place of a unit out of a chit.
fn read_berth(
    v: &View,
    p: &Prompt,
    args: &mut Args<'_>,
    (forms, facing, berth): (&[Formation], Heading, &'static str),
) -> Result<Answer, Fault> {
    let form = words::formation(args)?;
    if !forms.contains(&form) {
        let words: Vec<&str> = forms.iter().map(|f| f.word()).collect();
        return Err(Fault::refused(format!("{} may be {}", p.unit(), words.join(" or ")), "16.4.2.8.1"));
    }
    let facing = if args.key("FACE") { words::heading(v, args, p.unit())? } else { facing };
    Ok(Answer::Berth(form, facing, args.maybe(&BERTHS).unwrap_or(berth)))
}

/// Those for whom a doctrine may be set, the nearest first: the unit, its corps, its arm.
fn subjects_of(v: &View, unit: &UnitId) -> Vec<String> {
    let spec = v.table.spec(unit);
    let corps = spec.map(|s| s.corps.clone());
    std::iter::once(unit.0.clone()).chain(corps).chain(spec.map(|s| arm_word(s.arm).to_owned())).collect()
}

/// All of a side.
pub fn subjects(board: &Board, side: &SideId) -> Vec<String> {
    let own = || board.units.values().filter(|spec| spec.side == *side);
    let corps: BTreeSet<String> = own().map(|s| s.corps.clone()).collect();
    let arms = [Arm::Infantry, Arm::Cavalry, Arm::Artillery].map(|arm| arm_word(arm).to_owned());
    own().map(|spec| spec.id.0.clone()).chain(corps).chain(arms).collect()
}

fn arm_word(arm: Arm) -> &'static str {
    match arm {
        Arm::Infantry => "INFANTRY",
        Arm::Cavalry => "CAVALRY",
        Arm::Artillery => "ARTILLERY",
        Arm::Hq => "HQ",
    }
}

/// 17.1.1.6 Whether a full advance passes through a place that counts.
fn takes_place(v: &View, unit: &UnitId, most: i32) -> bool {
    let Some(pose) = v.table.unit(unit).map(|u| u.pose) else { return false };
    let way = (pose.at.fine(), pose.at.fine().toward(pose.facing, most));
    let mut places = v.table.board.places.iter().filter(|p| p.vp > 0);
    places.any(|p| to_side(p.at.fine(), way).within(p.radius) && v.table.control.get(&p.name) != v.side.as_ref())
}

/// The doctrine's answer; `None` where the seat wants to be asked.
pub fn doctrine(v: &View, p: &Prompt, book: &Book) -> Option<String> {
    let key = super::doctrine::KEYS.iter().find(|k| k.word == p.word())?;
    let value = book.get_for(p.word(), &subjects_of(v, p.unit())).unwrap_or(key.default);
    let choices = p.choices(v);
    let first = choices.first().cloned();
    let choice = match (p, value) {
        (_, "ASK") => None,
        (Prompt::Guns { .. } | Prompt::Volley { .. }, "HOLD") => Some("HOLD".to_owned()),
        (Prompt::Guns { options, .. }, "ROUND") => {
            let round = options.iter().find(|(_, canister)| !canister);
            Some(round.map_or("HOLD".to_owned(), |(t, _)| format!("AT {t} ROUND")))
        }
        (Prompt::Guns { .. } | Prompt::Volley { .. }, _) => first,
        (Prompt::Advance { .. }, "FULL") => choices.last().cloned(),
        (Prompt::Advance { unit, most }, "PLACES") if takes_place(v, unit, *most) => choices.last().cloned(),
        (Prompt::Square { need, .. }, "LIKELY") => Some(if *need >= LIKELY { "YES" } else { "NO" }.to_owned()),
        (Prompt::Advance { .. }, _) => Some("0".to_owned()),
        (Prompt::Stepped { .. }, "STRONGER") => choices.last().cloned(),
        (Prompt::Reform { .. } | Prompt::Deploy { .. }, form) => {
            choices.iter().find(|c| c.starts_with(form)).cloned().or(first)
        }
        (_, word) => choices.iter().any(|c| c == word).then(|| word.to_owned()).or(first),
    };
    choice.map(|c| format!("{} {} {c}", p.word(), p.unit()))
}
