//! 6.1 Calls that were meant, and who has to be called before others act.

use super::super::command;
use super::super::order::{self, Call, Order};
use super::super::solo::call;
use super::super::state::{At, Segment};
use super::super::view::View;
use super::{EXTRA, Said, TEST, VIA};
use crate::orders::Fault;
use crate::rules::tactical::meant::acts::{LINES_MAX, subjects};
use crate::rules::tactical::meant::found::widened;
use crate::rules::tactical::meant::{BRIEF, Found, Parted, SUBJECT, Slot, Tongue};

/// Before a leader acts nobody else does: which of them would let these units act.
pub(super) fn before_the_impulse(said: &Said<'_>, verb: Option<&str>) -> Option<Found> {
    let v = said.v;
    let open = v.state.segment == Segment::Activation && matches!(&v.state.at, At::Impulse(side) if *side == v.side);
    // `go Gaindorge` calls him.
    let bare = subjects(said).is_empty() && said.places().is_empty() && said.ways(&SUBJECT).is_empty();
    let calls_him = said.head.is_none() && verb == Some("MOVE") && bare && said.words.len() <= BRIEF;
    let verb = verb.filter(|_| !calls_him);
    let acts = matches!(verb, Some("MOVE" | "FACE" | "FIRE" | "MELEE" | "CHARGE" | "ADVANCE" | "LEADER"));
    if !open {
        return None;
    }
    let leaders = said.leaders(&SUBJECT);
    let units = subjects(said);
    if acts || (verb.is_none() && !units.is_empty()) {
        let callers = if leaders.is_empty() { callers(v, &units) } else { call_of(v, &leaders) };
        let calls: Vec<String> = callers.iter().map(|line| line.replacen("ACTIVATE ", "", 1)).collect();
        let why = match calls.as_slice() {
            [] => "activate a leader first".to_owned(),
            calls => format!("activate {} first", calls.join(" or ")),
        };
        return (verb != Some("LEADER") || !said.places().is_empty()).then(|| Found::reason(why, "3.0"));
    }
    // A leader alone is called.
    let lone = verb.is_none() && said.places().is_empty();
    lone.then(|| Found { lines: call_of(v, &leaders).into_iter().take(LINES_MAX).collect(), ..Found::default() })
}

/// Lines that activate leaders, each on the map or by way of a unit.
fn call_of(v: &View, leaders: &[String]) -> Vec<String> {
    let line = |name: &String| {
        let line = format!("ACTIVATE {name}");
        if v.takes(&line) { Some(line) } else { call::alone(v, name).filter(|line| v.takes(line)) }
    };
    leaders.iter().filter_map(line).collect()
}

/// Lines by which some units would act: those that bring all of them, or else those that bring any.
fn callers(v: &View, units: &[String]) -> Vec<String> {
    let s = &v.state;
    let own: Vec<String> = order::leaders(v).into_iter().map(|(name, _)| name).collect();
    let brought = |line: &String| {
        let words: Vec<&str> = line.split(' ').collect();
        let name = words.get(1).map(|name| (*name).to_owned());
        let via = words.get(3).map(|unit| (*unit).to_owned());
        let call = Call { leaders: name.into_iter().collect(), via, ..Call::default() };
        let led = command::followers_with(s, &v.side, &call);
        units.iter().filter(|unit| led.contains(unit)).count()
    };
    let counted: Vec<(usize, String)> = call_of(v, &own).into_iter().map(|line| (brought(&line), line)).collect();
    let most = counted.iter().map(|(count, _)| *count).max().unwrap_or(0);
    counted
        .into_iter()
        .filter(|(count, _)| *count > 0 && *count == most)
        .map(|(_, line)| line)
        .take(LINES_MAX)
        .collect()
}

/// 6.1 A call, with as many of those who are named as may come; 6.1.10a by way of a unit where the leader is gone.
pub(super) fn activate(said: &Said<'_>) -> Found {
    let v = said.v;
    let leaders = said.leaders(&SUBJECT);
    let Some((first, others)) = leaders.split_first() else {
        let lines = callers(v, &said.units(&SUBJECT));
        return Found { lines, ..Found::default() };
    };
    let lone = format!("ACTIVATE {first}");
    if !v.takes(&lone) && said.units(&[VIA]).is_empty() {
        let fault = v.tried(&Order::Activate(Call { leaders: vec![first.clone()], ..Call::default() }));
        let lines: Vec<String> = call::alone(v, first).into_iter().filter(|line| v.takes(line)).collect();
        return Found { lines, ..fault.err().map(|fault| Found::fault(&fault)).unwrap_or_default() };
    }
    let via = said.units(&[VIA]).first().cloned();
    let call = Call { leaders: vec![first.clone()], via, ..Call::default() };
    let mut more: Vec<(String, Add)> =
        others.iter().map(|name| (name.clone(), (|call, name| call.leaders.push(name)) as Add)).collect();
    let extra: Add = |call, unit| call.extra.push(unit);
    let test: Add = |call, unit| call.test.push(unit);
    // 6.1.7 Who is in range goes along without a check, and need not be named.
    let near = command::followers_with(&v.state, &v.side, &call);
    let apart = |unit: &String| !near.contains(unit);
    more.extend(said.units(&[EXTRA]).into_iter().filter(apart).map(|unit| (unit, extra)));
    more.extend(said.units(&[TEST]).into_iter().filter(apart).map(|unit| (unit, test)));
    let comes = |call: &Call| v.tried(&Order::Activate(call.clone()));
    let (call, cannot) = widened(call, more, comes);
    // Units without a word: those who do not come along as it is.
    let led = command::followers_with(&v.state, &v.side, &call);
    let others: Vec<String> = said.units(&SUBJECT).into_iter().filter(|unit| !led.contains(unit)).collect();
    let (call, far) = widened(call, others.iter().map(|unit| (unit.clone(), extra)).collect(), comes);
    let (call, mut left) = widened(call, far.into_iter().map(|(unit, _)| (unit, test)).collect(), comes);
    left.extend(cannot);
    // 6.1.2 Who is under none of them is not called by them, however near he is.
    for (name, fault) in left.iter_mut().filter(|(name, _)| leaders.contains(name)) {
        if !command::line(&v.state, name).iter().any(|above| leaders.contains(above)) {
            let why = format!("{name} is not under {first}: he acts in an impulse of his own");
            *fault = Fault::refused(why, "6.1.2");
        }
    }
    let whole = left.is_empty() && said.units(&SUBJECT).is_empty() && !said.has(Slot::From);
    let why = Parted { cannot: left, ..Parted::default() }.why();
    Found {
        lines: Some(written(&call)).filter(|line| v.takes(line)).into_iter().collect(),
        why,
        whole,
        ..Found::default()
    }
}

/// How a call takes somebody along.
type Add = fn(&mut Call, String);

/// A call as a line.
fn written(call: &Call) -> String {
    let (first, others) =
        call.leaders.split_first().map_or(("", [].as_slice()), |(first, rest)| (first.as_str(), rest));
    let mut line = format!("ACTIVATE {first}");
    for (word, names) in [("WITH", others), ("EXTRA", &call.extra), ("TEST", &call.test)] {
        if !names.is_empty() {
            line = format!("{line} {word} {}", names.join(" "));
        }
    }
    call.via.as_ref().map_or_else(|| line.clone(), |via| format!("{line} VIA {via}"))
}
