//! What the opening mail says beside the report, and how the game is won.

use super::name;
use crate::report::field::paper;
use crate::rules::brave_fellows::board::{COALITION, FRENCH, other};
use crate::rules::brave_fellows::eyes::veiled;
use crate::rules::brave_fellows::standing;
use crate::rules::brave_fellows::state::{At, Segment};
use crate::rules::brave_fellows::victory::{coalition, equivalents, french, rear_missing};
use crate::rules::brave_fellows::view::View;
use crate::text;

/// 10 How the game is won, and how it stands.
pub fn victory(v: &View) -> Vec<String> {
    let s = &v.state;
    let (more, needs) = (rear_missing(s), s.board.scenario.needs);
    let mut lines = vec![
        "French, when the last turn ends:".to_owned(),
        "  strategic: two battalions in Dürenstein, one in Oberloiben and one in".to_owned(),
        "  Unterloiben, and no enemy on the road from there to the west;".to_owned(),
        "  tactical: one each in Dürenstein and Oberloiben, and that road. [10.2.2]".to_owned(),
        "Coalition: French battalions lost, or what counts as one. [10.2.3]".to_owned(),
        format!(
            "  strategic: {} of Gazan's division, or {} in all;",
            needs.strategic.0 + more,
            needs.strategic.1 + more
        ),
        format!(
            "  tactical: {} of Gazan's division, or {} in all. [10.2.4]",
            needs.tactical.0 + more,
            needs.tactical.1 + more
        ),
        "The higher level wins; the same level is the Coalition's. [10.2.5]".to_owned(),
        "At once: Mortier killed or taken, the Coalition wins; Kutusov, the".to_owned(),
        "French. [10.1]".to_owned(),
    ];
    if needs.held {
        lines.push("Neither of that when the last turn ends: the French have held out, and win.".to_owned());
    }
    lines.extend(standing::standing(v));
    if !veiled(s) {
        let (ours, theirs) = (french(s).word(), coalition(s).word());
        lines.push(format!("If it ended now: French {ours}, Coalition {theirs}."));
    }
    lines.into_iter().map(|line| format!("  {line}")).collect()
}

/// Whom the seat commands against whom, and what a turn asks of it.
pub fn what(v: &View) -> Vec<String> {
    let s = &v.state;
    let enemy = other(&v.side);
    let (of, against) = if v.side.0 == FRENCH { ("French", "Coalition") } else { ("Coalition", "French") };
    vec![
        paper::against(of, against, s.board.scenario.solo.contains(&enemy)),
        "A hex is 350 yards, a turn an hour. The sides act by turns: in an impulse one leader and his men move, fire and \
         fight. You get a letter when a turn begins and when it is your impulse."
            .to_owned(),
        if veiled(s) {
            "You see only what your units see: beside them always, along an open line to 6 hexes by day and 2 by night. An \
             enemy has a tag, such as E5; e5 is where he was last seen. [DB.1-DB.3]"
                .to_owned()
        } else {
            "All counters lie open; your orders are secret until you send them.".to_owned()
        },
    ]
}

/// How many units and leaders the seat commands.
pub fn count(v: &View) -> String {
    let s = &v.state;
    let units = s.standing().filter(|(id, ..)| s.is_of(id, &v.side) && !s.is_battery(id)).count();
    let leaders = s.leaders.iter().filter(|(name, l)| l.hex.is_some() && s.leads(name, &v.side));
    format!("{} and {}", counted(units, "unit"), counted(leaders.count(), "leader"))
}

fn counted(n: usize, one: &str) -> String {
    text::plural(i64::try_from(n).unwrap_or(i64::MAX), one, &format!("{one}s"))
}

/// First orders, each with what it is for.
pub fn first(v: &View) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut first = v.clone();
    if matches!(first.state.at, At::Initiative | At::Reinforcement) {
        // Nobody sets up: the first sheet is an impulse.
        (first.state.at, first.state.segment) = (At::Impulse(v.side.clone()), Segment::Activation);
    }
    let offers = super::offers::offers(&first);
    let call = offers.iter().find(|line| line.starts_with("ACTIVATE ")).cloned();
    let moves = offers.iter().find(|line| line.starts_with("MOVE ")).cloned();
    let puts = offers.iter().filter(|line| line.starts_with("PUT ") || line.starts_with("FACE ")).take(2).cloned();
    for line in call.into_iter().chain(moves).chain(puts) {
        let why = match (&v.state.at, line.split(' ').next()) {
            (At::Setup(_), Some("FACE")) => "turns units; you may set up as you like, or send END",
            (At::Setup(_), _) => "puts units in a hex of your set-up; what you leave stands where it stands",
            (_, Some("ACTIVATE")) => "a leader and his men act: then they may move, fire and fight",
            (_, Some("MOVE")) => "behind it: a unit goes hex by hex, and faces as you say",
            _ => "",
        };
        found.push((line, why.to_owned()));
    }
    found
}

/// What a newcomer gets wrong.
pub const CAUTIONS: &[&str] = &[
    "Each leader and each unit acts once a turn: who follows one leader does not act with another. [6.1.5]",
    "Who enters the front of an enemy stops there, and is fired at before he fires. [6.2.7, 6.3.1]",
    "Who fails a check, under fire or before a melee, is tired, and some results tire at once; who is tired and fails runs. \
     [4.2.4, 6.3.8, 6.7]",
];

/// How the game stands, in one line.
pub fn score(v: &View) -> String {
    let s = &v.state;
    let (gazan, all) = equivalents(s);
    if veiled(s) {
        // One's own men are known in the fog as well.
        let towns = if v.side.0 == FRENCH { standing::towns(v) } else { String::new() };
        let towns = if towns.is_empty() { towns } else { format!("; {towns}") };
        return format!("French losses {gazan} of Gazan's division, {all} in all{towns}");
    }
    let now = match (french(s), coalition(s)) {
        (f, c) if f > c => format!("{} {}", name(&FRENCH.into()), f.word()),
        (_, c) if c > crate::rules::brave_fellows::victory::Level::None => {
            format!("{} {}", name(&COALITION.into()), c.word())
        }
        _ => "a draw".to_owned(),
    };
    format!("French losses {gazan} of Gazan's division, {all} in all; if it ended now: {now}")
}
