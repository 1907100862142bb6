//! What happened, one sentence an event, with its paragraph.

use super::steps::{RULES, fate, steps, test};
use super::units::hour;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::report::field::story::{Story, Test, missed, who, with};
use crate::rules::great_battles::Sighting;
use crate::rules::great_battles::board::FRENCH;
use crate::rules::great_battles::event::{Deed, Event, How, Occasion, Onset};
use crate::rules::great_battles::eyes::veiled;
use crate::rules::great_battles::pose::Form;
use crate::rules::great_battles::state::{Lim, Mode};
use crate::rules::great_battles::tables::{Blow, Breakdown, Grant};
use crate::rules::great_battles::view::View;
use crate::text;

pub(super) fn side(id: &SideId) -> &'static str {
    if id.0 == FRENCH { "the French" } else { "the Allies" }
}

/// 8.2.1 A bayonet attack while it is told: of one in which all checks are passed nothing comes.
#[derive(Default)]
struct Bayonet {
    /// Whether the attacker has passed his check; none where nobody attacks so.
    passed: Option<bool>,
    /// The defender who has passed his check last, and where that is told.
    stands: Option<(usize, String)>,
    /// The last thing told of an attack from which nothing has come so far, and where it goes.
    open: Option<(usize, Hex)>,
}

impl Bayonet {
    fn hear(&mut self, at: usize, event: Option<&Event>, story: &mut Story) {
        let defence = matches!(event, Some(Event::Checked { why, .. }) if why == "defence");
        if let Some((place, unit)) = self.stands.take_if(|_| !defence) {
            story.take(place, &[], || Some(Test::then(&unit, "nothing comes of it: both stand", None)));
            self.open = None;
        }
        match event {
            Some(Event::Attacked { onset, .. }) => self.passed = matches!(onset, Onset::Bayonet).then_some(false),
            Some(Event::Checked { passed: false, .. }) => (self.passed, self.stands) = (None, None),
            Some(Event::Checked { why, .. }) if why == "attack" => self.passed = self.passed.map(|_| true),
            Some(Event::Checked { unit, .. }) if defence && self.passed == Some(true) => {
                self.stands = Some((at, unit.clone()));
            }
            _ => {}
        }
    }

    /// 8.2.1, H.7 Where the checks of the other side are not told, an attack after which nothing is seen to change has come to
    /// nothing: that follows from what is told alone.
    fn follow(&mut self, at: usize, told: Option<&Sighting>, story: &mut Story) {
        let event = told.and_then(Sighting::event);
        let changes = told.is_some_and(|told| !told.spots().is_empty());
        let waits = match event {
            Some(Event::Checked { .. } | Event::Fired { .. } | Event::Halted { .. }) => true,
            None => told.is_some(),
            _ => false,
        };
        let comes = matches!(
            event,
            Some(
                Event::Level { .. }
                    | Event::Disordered { .. }
                    | Event::Lost { .. }
                    | Event::Gone { .. }
                    | Event::Vanished { .. }
                    | Event::Moved { .. }
                    | Event::Fought { .. }
                    | Event::Reacted { .. }
            )
        );
        if let Some((last, hex)) = self.open.take_if(|_| changes || comes || !waits)
            && !changes
            && !comes
        {
            story.say(last, &format!("The attack on {hex} comes to nothing. [8.2.1]"), false);
        }
        if let Some((last, _)) = &mut self.open {
            *last = at;
        }
        if let Some(Event::Attacked { onset: Onset::Bayonet, at: hex, .. }) = event {
            self.open = Some((at, *hex));
        }
    }
}

/// What happened: one paragraph an event, but marches in one and checks for one reason in one; and for each thing told its
/// paragraph.
pub fn write(v: &View, told: &[Sighting]) -> (Vec<String>, Vec<Option<usize>>) {
    let mut story = Story::new(told.len(), &RULES);
    // What one's own side holds when the game begins is no news.
    let holder = |who: &SideId| (*who != v.side).then(|| side(who));
    let mut begun = !told.iter().any(|told| matches!(told.event(), Some(Event::Stands { .. })));
    let mut bayonet = Bayonet::default();
    for (at, sighting) in told.iter().enumerate() {
        bayonet.hear(at, sighting.event(), &mut story);
        bayonet.follow(at, Some(sighting), &mut story);
        begun |= matches!(sighting.event(), Some(Event::Opened));
        let event =
            sighting.event().filter(|event| begun || !matches!(event, Event::Holds { .. } | Event::Placed { .. }));
        let is_step = matches!(event, Some(Event::Moved { .. }));
        story.hear((at, sighting.spots()), holder, is_step, |story| {
            if let Some(event) = event.filter(|event| !story.take(at, &steps(event), || test(event))) {
                let beside = matches!(event, Event::Holds { .. });
                let next = told.get(at + 1).and_then(Sighting::event);
                let said = slack(event, next).or_else(|| line(v, event));
                said.iter().for_each(|line| story.say(at, line, beside));
            }
        });
    }
    bayonet.hear(told.len(), None, &mut story);
    if veiled(&v.state) {
        // Nobody is asked there, so that an attack does not end in another letter.
        bayonet.follow(told.len(), None, &mut story);
    }
    story.end()
}

/// 5.2.1 Why a marker comes off with which the LIM of its division goes out of the pool.
fn slack(event: &Event, next: Option<&Event>) -> Option<String> {
    let (Event::Marked { division, on: false }, Some(Event::Removed { lim: Lim::Division(of) })) = (event, next) else {
        return None;
    };
    let why = "it could have gone on, or was not activated";
    (of == division).then(|| format!("{division} is no longer in strategic movement: {why}. [5.2.1]"))
}

/// A LIM by its name, and whose it is where that does not tell.
fn of_lim(lim: &Lim) -> String {
    match lim {
        Lim::Reinforcement(of) => format!("The Reinforcement LIM of {}", side(of)),
        Lim::Independent(of) => format!("The Independent LIM of {}", side(of)),
        other => format!("The LIM of {}", other.name()),
    }
}

/// 4.4 The die of a side for the initiative, with the modifier of its overall commander.
fn thrown(v: &View, of: &SideId, die: i32) -> String {
    let leader = v.state.overall(of).map(|leader| (leader, v.state.rating(leader).initiative));
    let more = leader.filter(|(_, worth)| *worth != 0);
    let more = more.map_or_else(String::new, |(leader, worth)| format!(" and {worth} for {leader}"));
    format!("{} {die}{more}", side(of))
}

/// One line on a turn.
pub fn summary(turn: u32, told: &[Sighting]) -> String {
    let count = |fits: fn(&Event) -> bool| told.iter().filter_map(Sighting::event).filter(|e| fits(e)).count();
    let acts = count(|e| matches!(e, Event::Drawn { .. }));
    let fires = count(|e| matches!(e, Event::Fired { .. }));
    let attacks = count(|e| matches!(e, Event::Attacked { .. }));
    let lost = count(|e| matches!(e, Event::Gone { .. }));
    let said = |n: usize, one: &str, many: &str| text::plural(i64::try_from(n).unwrap_or(i64::MAX), one, many);
    let (acts, fires) = (said(acts, "command", "commands"), said(fires, "fire", "fires"));
    let (attacks, lost) = (said(attacks, "attack", "attacks"), said(lost, "unit", "units"));
    format!("Turn {turn}: {acts} drawn, {fires}, {attacks}, {lost} lost")
}

/// The sentence of an event; none for what the forces show anyway.
fn line(v: &View, e: &Event) -> Option<String> {
    turns(v, e).or_else(|| commands(e)).or_else(|| combat(e))
}

/// Who acts, as far as the reader may know.
fn lim(who: &SideId, lim: &Lim) -> String {
    let own = text::capital(side(who));
    match lim {
        Lim::Division(id) => format!("{own}: the LIM of {id} is drawn. [4.4.1]"),
        Lim::Corps(id) => format!("{own}: the LIM of the corps {id} is drawn. [4.4.1]"),
        Lim::Reinforcement(_) => format!("{own}: the Reinforcement LIM is drawn. [4.2.3]"),
        Lim::Independent(_) => format!("{own}: the Independent LIM is drawn. [4.5.3]"),
        // H.7 Whose activation it is, is no secret; which command acts, is one.
        _ => format!("{own}: a command acts. [H.7]"),
    }
}

fn turns(v: &View, e: &Event) -> Option<String> {
    Some(match e {
        Event::Turn { turn } => format!("Turn {turn} begins. [3.0]"),
        Event::Taken { of, .. } if of.is_empty() => "Your command stays, as you have lodged. [4.5]".to_owned(),
        Event::Taken { of, lines, .. } => format!("By the sheet that you lodged for {of}: {}. [4.5]", lines.join("; ")),
        Event::Missed { line, upshot, .. } => missed(line, upshot, "4.5"),
        Event::Changed { leader, die, grant, .. } => {
            let what = match grant {
                Grant::None => "no LIM",
                Grant::One => "one division's LIM",
                Grant::Two => "two divisions' LIMs",
                Grant::Corps => "a corps LIM, or two of divisions",
            };
            format!("Command Change by {leader}: die {die}, {what}. [4.2]")
        }
        Event::Added { lim } if v.state.turn > 0 => format!("{} goes into the pool. [4.2]", of_lim(lim)),
        Event::Removed { lim } => format!("{} is out of the pool. [4.2.1, 3.0]", of_lim(lim)),
        Event::Initiative { dice, side: who } => {
            let dice: Vec<String> = v.state.sides().iter().zip(dice).map(|(of, die)| thrown(v, of, *die)).collect();
            format!("Initiative: {}; {} begin. [4.4]", dice.join(", "), side(who))
        }
        Event::Drawn { side: who, lim: drawn } => lim(who, drawn),
        Event::Picking { side: who } => format!("Non-LIM Phase: {} pick. [4.6.2]", side(who)),
        Event::Passed { side: who } => format!("{} pick no more. [3.0]", text::capital(side(who))),
        Event::Holds { place, side: who } => format!("{} now hold {place}. [11.3]", text::capital(side(who))),
        Event::Tired { division, level } => format!("{division}: fatigue {level}. [13.0]"),
        Event::Closing => "The Rally Phase. [12.0]".to_owned(),
        Event::Over { winner: Some(winner), points } => {
            format!("{} win; the Allied points less the French are {points}. [11.3]", text::capital(side(winner)))
        }
        Event::Over { winner: None, points } => {
            format!("A draw; the Allied points less the French are {points}. [11.3]")
        }
        _ => return None,
    })
}

fn breakdown(result: Breakdown) -> &'static str {
    match result {
        Breakdown::Enemy => "it stops, and the nearest enemy's division may act",
        Breakdown::Stop => "it stops for the turn",
        Breakdown::Retreat => "it goes back before the enemy, and stops",
        Breakdown::Limited => "a Limited Activation",
        Breakdown::Full => "it acts all the same",
        Breakdown::Charge => "it acts, and has to charge",
        Breakdown::Reactivate => "it acts, and the nearest division may act too",
    }
}

fn commands(e: &Event) -> Option<String> {
    Some(match e {
        Event::Attempted { division, die, sum, need, passed } => {
            let word = if *passed { "it acts" } else { "it does not act" };
            format!("{division} tries: die {die}{}, rating {need}: {word}. [4.5.1]", with(sum))
        }
        Event::Broke { division, die, result } => {
            format!("Breakdown of {division}: die {die}: {}. [4.7]", breakdown(*result))
        }
        Event::Must { division } => format!("{division} has to charge. [4.7]"),
        Event::Activated { division, mode, units, out } if !units.is_empty() => {
            let who = who(&units.iter().map(|ready| ready.unit.as_str()).collect::<Vec<_>>());
            let out = if out.is_empty() { String::new() } else { format!("; Out of Command: {}", out.join(" ")) };
            let rule = match mode {
                Mode::Full => "4.6.1",
                Mode::Limited => "4.6.2",
                Mode::Strategic => "5.2",
            };
            format!("{division} acts ({}): {who}{out}. [{rule}]", mode.word().to_lowercase())
        }
        Event::Marked { division, on: true } => format!("{division} takes up strategic movement. [5.2]"),
        Event::Marked { division, on: false } => format!("{division} is no longer in strategic movement. [5.2.1]"),
        Event::Arrived { division } => format!("{division} comes on. [14.1]"),
        Event::Moved { units, pose, how: How::Enter, .. } => format!("{} at {}. [14.1]", units.join(" "), pose.head),
        Event::Moved { units, pose, how: How::Form | How::React, .. } => {
            let verb = if units.len() == 1 { "stands" } else { "stand" };
            let facing = if pose.form.all_round() { String::new() } else { format!(", facing {}", hour(pose.hour)) };
            let form = match pose.form {
                Form::Limbered => {
                    return Some(format!("{} limbered, facing {}. [6.3]", is_are(units), hour(pose.hour)));
                }
                Form::Unlimbered => {
                    return Some(format!("{} unlimbered, facing {}. [6.3]", is_are(units), hour(pose.hour)));
                }
                form => form.word(),
            };
            let rule = if matches!(e, Event::Moved { how: How::React, .. }) { "8.4.2" } else { "6.3" };
            format!("{} {verb} in {form}{facing}. [{rule}]", units.join(" "))
        }
        Event::Exited { unit, sp: 0 } => format!("{unit} leaves the map. [11.3]"),
        Event::Exited { unit, sp } => format!("{unit} leaves the map with {sp} SP. [11.3]"),
        Event::Blown { unit, level: 0 } => format!("{unit} is no longer Blown. [8.4.5]"),
        Event::Blown { unit, level } => format!("{unit} is Blown-{level}. [8.4.4]"),
        Event::Resting { unit, on: true } => format!("{unit} recovers. [8.4.5]"),
        Event::Risked { leader, die } => format!("{leader} is at risk: die {die}. [8.5.5]"),
        Event::Replaced { leader, rating } => format!(
            "{leader} is hit: another takes his place, activation {}, range {}. [8.5.5]",
            rating.activation, rating.range
        ),
        Event::Moved { units, pose, how: How::Amend, .. } => {
            let facing = if pose.form.all_round() { String::new() } else { format!(" facing {}", u8::from(pose.hour)) };
            format!("{} now in {}, in {}{facing}.", units.join(" "), pose.head, pose.form.word())
        }
        Event::Placed { leader, hex } => format!("{leader} now in {hex}."),
        Event::Fell { leader } => format!("{leader} is lost. [8.5.5]"),
        _ => return None,
    })
}

/// Units, and that they are.
fn is_are(units: &[String]) -> String {
    format!("{} {}", units.join(" "), if units.len() == 1 { "is" } else { "are" })
}

/// A result in words.
fn blow(result: Blow) -> String {
    match result {
        Blow::None => "nothing".to_owned(),
        Blow::Check(0) => "a check".to_owned(),
        Blow::Check(plus) => format!("a check at {plus:+}"),
        Blow::On => "it goes on".to_owned(),
        Blow::Loss(sp) => format!("{sp} SP and a check"),
    }
}

fn combat(e: &Event) -> Option<String> {
    Some(match e {
        Event::Reacted { unit, deed } => match deed {
            Deed::Fire | Deed::Step | Deed::Balked | Deed::Stuck => return None,
            Deed::Limber => format!("{unit} limbers. [6.2.5]"),
            Deed::Turn => format!("{unit} turns to the enemy. [6.2.3]"),
            Deed::Charge => format!("{unit} charges in reaction. [6.2.3, 8.4.2]"),
        },
        Event::Fired { unit, at, target, value, column, shifts, die, result, on, .. } => {
            let how = match on {
                Occasion::Offensive => "fires",
                Occasion::Return => "fires back",
                Occasion::Reaction => "fires in reaction",
            };
            let worth = if *value > 0 { format!("value {value}{}, ", with(shifts)) } else { String::new() };
            let result = blow(*result);
            format!("{unit} {how} at {target} in {at}: {worth}column {column}, die {die}: {result}. [8.1.8]")
        }
        Event::Lost { unit, sp } => format!("{unit} loses {sp} SP. [8.5.1]"),
        Event::Gone { unit, how } => format!("{unit} {}. [8.5.1]", fate(*how)),
        Event::Vanished { unit, struck: true } => {
            format!("{unit} was fired at or attacked: it was a dummy, and is gone. [H.12]")
        }
        Event::Vanished { unit, .. } => format!("{unit} was a dummy, and is gone. [H.12]"),
        Event::Wasted { unit } => format!("{unit} has fired at nobody. [H.12]"),
        Event::Attacked { onset, units, at, targets, support } => {
            let (verb, rule) = match onset {
                Onset::Bayonet => ("attack with the bayonet", "8.2"),
                Onset::Assault => ("assault", "8.3"),
                Onset::Charge => ("charge", "8.4"),
                Onset::Reaction => ("charge in reaction", "6.2.3"),
                Onset::Counter => ("charge to meet them", "8.4.2"),
            };
            let support =
                if support.is_empty() { String::new() } else { format!(", {} in support", support.join(" ")) };
            let (who, whom) = (named(units), named(targets));
            format!("{who}: {verb} {whom} in {at}{support}. [{rule}]")
        }
        Event::Fought { units, against, ratio, sum, die, attacker, defender } => format!(
            "Melee of {} with {}: {ratio}, die {die}{}: attackers {}, defenders {}. [8.3.1, 8.4.2]",
            named(units),
            named(against),
            with(sum),
            blow(*attacker),
            blow(*defender)
        ),
        Event::Double { dice, goes } => {
            let dice: Vec<String> = dice.iter().map(ToString::to_string).collect();
            format!("Both would go back: dice {}; {} go. [8.5.4]", dice.join(" and "), side(goes))
        }
        Event::Pursued { units, of, die, sum, hexes } => {
            let far = text::plural(i64::try_from(*hexes).unwrap_or(i64::MAX), "hex", "hexes");
            format!("{} pursue {of}: die {die}{}: {far}. [8.4.2]", named(units), with(sum))
        }
        _ => return None,
    })
}

/// Units by name; who is not seen is somebody.
fn named(units: &[String]) -> String {
    if units.is_empty() { "somebody unseen".to_owned() } else { units.join(" ") }
}
