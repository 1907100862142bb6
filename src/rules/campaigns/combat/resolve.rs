//! Odds, die and result of one half round (¶300 steps 6-7, 11; 350-368, 395, 400, 407-408).

use super::battle::{Ended, Marker, Party};
use super::clause::{Clause, Star, wish};
use super::event::{Partly, Quiet};
use super::field::Array;
use super::fire::Forward;
use super::flight::Rout;
use super::losses::Fall;
use super::question::{Answer, What};
use super::told::{Compared, Open, Resolved, Shift};
use super::{ask, field, flight, get, hexes_held, losses, morale};
use crate::dice::Label;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Play;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::board::{Arm, Halves, Quality, UnitId};
use crate::rules::campaigns::flow::told::Cause;
use crate::rules::campaigns::pieces::{Piece, Place};
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::tables::{CrtResult, Odds, Weather};
use crate::rules::cx::Cx;

/// One half of a round.
pub struct Act {
    /// The battle.
    pub no: u32,
    /// Who attacks.
    pub by: SideId,
    /// Hexes attacked from.
    pub from: Vec<Hex>,
    /// Hexes attacked.
    pub into: Vec<Hex>,
    /// Whether it is the counterattack.
    pub counter: bool,
    /// The attacking party, where some of it is held back.
    pub with: Option<Party>,
    /// Whether it is one of several counterattacks of a force that has divided (¶403): the battle does not end with it.
    pub part: bool,
    /// Guns in the front rank.
    pub forward: Forward,
}

/// What follows a half round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The other half of the round, or the next round.
    On,
    /// The next round at once (¶394).
    Round,
    /// Nothing: the battle is over.
    Over,
}

/// What a die has made.
struct Outcome {
    result: CrtResult,
    loser: SideId,
    winner: SideId,
    staked: bool,
}

impl Outcome {
    fn winner_number(&self) -> i32 {
        self.result.winner()
    }

    fn loser_number(&self) -> i32 {
        self.result.loser()
    }
}

/// ¶281, 243, 309, 351: columns to the right.
fn shift(s: &State, act: &Act, defender: &Array<'_>) -> i32 {
    let Some(battle) = get(s, act.no) else { return 0 };
    let repulsed = battle.after_repulse && battle.round <= 1 && !act.counter;
    let besieged = act.from.iter().any(|h| s.sieges.contains(h));
    field::forage_shift(defender) - if repulsed { 2 } else { 0 } - i32::from(besieged)
}

/// One half round.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn half(cx: &mut Cx<'_, Campaigns>, act: &Act) -> Play<Next> {
    let marker = get(cx.state(), act.no).and_then(|b| b.party(&act.by).marker);
    let Some((odds, attack)) = compare(cx, act) else { return Ok(Next::On) };
    if marker == Some(Marker::Refuse) {
        return refuse(cx, act);
    }
    // ¶352, 356: who has no strength to attack with does not.
    if attack == Halves(0) && act.counter {
        return Ok(Next::On);
    }
    if attack == Halves(0) {
        close(cx, act.no, Ended::Contact)?;
        return Ok(Next::Over);
    }
    let staked = stake(cx, act)?;
    let outcome = roll(cx, act, &odds, staked)?;
    if vedettes(cx, act, &outcome)? {
        return Ok(Next::Over);
    }
    settle(cx, act, &outcome)
}

/// ¶300 step 6: the comparison; told only where the attack takes place.
fn compare(cx: &mut Cx<'_, Campaigns>, act: &Act) -> Option<(Odds, Halves)> {
    let s = cx.state();
    let battle = get(s, act.no)?;
    let foe = s.enemy(&act.by);
    let (own, other, sit) = (s.pieces(&act.by)?, s.pieces(&foe)?, s.situation(&act.by)?);
    let party = act.with.as_ref().unwrap_or(battle.party(&act.by));
    let attacker = Array { own, party, hexes: &act.from, reserves: true };
    let defender = Array { own: other, party: battle.party(&foe), hexes: &act.into, reserves: true };
    let view = cx.view(&foe);
    let named =
        view.battles.iter().find(|b| b.no == act.no).and_then(|b| {
            wish(&view, b, |c| if let Clause::Terrain(t) = c { Some(*t) } else { None }).flatten().flatten()
        });
    let found = field::compare(&sit, &attacker, &defender, named, act.counter);
    let shift = shift(s, act, &defender);
    let odds = s.board.tables.combat.odds(found.attacker, found.defender, shift, found.affecting);
    let refuses = battle.party(&act.by).marker == Some(Marker::Refuse) || found.attacker == Halves(0);
    let event = Open::Odds(Compared {
        no: act.no,
        counter: act.counter,
        by: act.by.clone(),
        attack: found.attacker,
        defend: found.defender,
        odds: odds.label.clone(),
        shift,
        affecting: found.affecting,
        factor: found.factor,
    });
    if !refuses {
        cx.emit(event.into());
    }
    Some((odds, found.attacker))
}

/// ¶332-333: the side that refuses is the loser of its half round.
fn refuse(cx: &mut Cx<'_, Campaigns>, act: &Act) -> Play<Next> {
    show(cx, act.no, &act.by);
    Ok(if stay(cx, act.no, &act.by)? { Next::Over } else { Next::On })
}

/// ¶332-333: no attack, in contact; gives whether it ends the battle, as three such half rounds in a row do.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn stay(cx: &mut Cx<'_, Campaigns>, no: u32, by: &SideId) -> Play<bool> {
    cx.emit(Open::Refused { no, side: by.clone() }.into());
    let over = get(cx.state(), no).is_some_and(|b| b.refused >= 3);
    if over {
        close(cx, no, Ended::Contact)?;
    }
    Ok(over)
}

/// ¶326, 362-363: whether the Old Guard is committed: by choice, or with reserves in play if it came out of them.
fn stake(cx: &mut Cx<'_, Campaigns>, act: &Act) -> Play<bool> {
    let s = cx.state();
    let (Some(battle), Some(own)) = (get(s, act.no), s.pieces(&act.by)) else { return Ok(false) };
    let party = battle.party(&act.by);
    let leaders = party.leaders(own, &act.from);
    let french = s.board.side(&act.by).is_some_and(|s| s.french);
    if !french || own.old_guard(&s.board, &leaders, Arm::Infantry) < 1 {
        return Ok(false);
    }
    let guard =
        |id: &&UnitId| s.board.units.get(*id).is_some_and(|u| u.quality == Quality::OldGuard && u.arm == Arm::Infantry);
    let staked = if s.board.policies.reserves {
        party.released.iter().any(|id| guard(&id))
    } else {
        ask(cx, act.no, vec![(act.by.clone(), What::Stake)])?.first() == Some(&Answer::Yes(true))
    };
    if staked {
        cx.emit(Partly::Staked { no: act.no, side: act.by.clone() }.into());
    }
    Ok(staked)
}

/// ¶300 step 7, 345, 351, 363, 365: the die, the star after it, and the result.
fn roll(cx: &mut Cx<'_, Campaigns>, act: &Act, odds: &Odds, staked: bool) -> Play<Outcome> {
    let name = get(cx.state(), act.no).map_or(Hex::new(1, 1), |b| b.name());
    let die = cx.d6(&Label::public("crt").at(&name));
    let s = cx.state();
    let table = &s.board.tables.combat;
    let snow = if s.weather.has(Weather::Snow) { table.modifiers.snow } else { 0 };
    let base = die + snow + if staked { table.modifiers.staked_guard } else { 0 };
    let star = star_of(s, act);
    let bonus = if star > 0 { used_star(cx, act, odds, base, star)? } else { 0 };
    let modified = base + bonus;
    let result = cx.state().board.tables.combat.result(odds, modified);
    let foe = cx.state().enemy(&act.by);
    let (loser, winner) = if result.attacker_loses { (act.by.clone(), foe) } else { (foe, act.by.clone()) };
    let outcome = Outcome { result, loser, winner, staked };
    cx.emit(
        Open::Result(Resolved {
            no: act.no,
            counter: act.counter,
            by: act.by.clone(),
            die,
            bonus,
            modified,
            text: text(&result),
            loser: outcome.loser.clone(),
            loser_number: result.loser(),
            winner_number: result.winner(),
        })
        .into(),
    );
    if staked && outcome.loser == act.by {
        cx.emit(Quiet::GuardLost { no: act.no }.into());
    }
    Ok(outcome)
}

/// A result as the table prints it.
pub fn text(r: &CrtResult) -> String {
    let stars = "*".repeat(usize::try_from(r.asterisks).unwrap_or(0));
    if r.attacker_loses {
        format!("A{}/{}{stars}", r.attacker, r.defender)
    } else {
        format!("{}/D{}{stars}", r.attacker, r.defender)
    }
}

/// ¶46, 365: the stars of the force leader, if he is there.
fn star_of(s: &State, act: &Act) -> i32 {
    let (Some(battle), Some(own)) = (get(s, act.no), s.pieces(&act.by)) else { return 0 };
    let party = act.with.as_ref().unwrap_or(battle.party(&act.by));
    match &party.lead {
        Some(lead) if own.hex(lead).is_some() => own.bonus(&s.board, lead),
        _ => 0,
    }
}

/// ¶365: the star is added, taken off or left, after the die.
fn used_star(cx: &mut Cx<'_, Campaigns>, act: &Act, odds: &Odds, base: i32, star: i32) -> Play<i32> {
    let table = &cx.state().board.tables.combat;
    let all = [-star, 0, star].map(|n| table.result(odds, base + n));
    // D-101: to win, then the enemy's loss, then the own one.
    let worth = |r: &CrtResult| (!r.attacker_loses, r.defender, -r.attacker);
    // Among equals the star is left alone, then taken off.
    let best = [1, 0, 2].into_iter().max_by_key(|n| (all.get(*n).map(worth), [1, 2, 0].get(*n).copied().unwrap_or(0)));
    let best = best.unwrap_or(1);
    let what = What::Bonus { die: base, results: all.map(|r| text(&r)), best };
    let answer = ask(cx, act.no, vec![(act.by.clone(), what)])?;
    let pick = match answer.first() {
        Some(Answer::Star(Star::Sub)) => 0,
        Some(Answer::Star(Star::Add)) => 2,
        Some(Answer::Star(Star::None)) => 1,
        _ => best,
    };
    Ok([-star, 0, star].get(pick).copied().unwrap_or(0))
}

/// ¶367-368: where one side has vedettes only, they go if they lose or are to lose strength, and the other side suffers
/// nothing. Gives whether that was so; the battle is over then.
fn vedettes(cx: &mut Cx<'_, Campaigns>, act: &Act, outcome: &Outcome) -> Play<bool> {
    let s = cx.state();
    let only = |side: &SideId, hexes: &[Hex]| {
        let (Some(battle), Some(own)) = (get(s, act.no), s.pieces(side)) else { return false };
        Array { own, party: battle.party(side), hexes, reserves: false }.vedettes_only()
    };
    let foe = s.enemy(&act.by);
    let weak: Vec<(SideId, Vec<Hex>, i32)> =
        [(act.by.clone(), act.from.clone(), outcome.result.attacker), (foe, act.into.clone(), outcome.result.defender)]
            .into_iter()
            .filter(|(side, hexes, _)| only(side, hexes))
            .collect();
    if weak.is_empty() {
        return Ok(false);
    }
    let mut gone = false;
    for (side, hexes, number) in weak {
        if side == outcome.loser || number > 0 {
            gone = true;
            for hex in hexes {
                losses::vedettes_off(cx, &side, hex);
            }
        }
    }
    close(cx, act.no, if gone { Ended::Destroyed } else { Ended::Contact })?;
    Ok(true)
}

/// The loser shows his marker; Pitched counts once a round (¶330). Gives the marker.
fn show(cx: &mut Cx<'_, Campaigns>, no: u32, side: &SideId) -> Marker {
    let Some(battle) = get(cx.state(), no) else { return Marker::Pursuit };
    let party = battle.party(side);
    let marker = party.marker.unwrap_or(Marker::Pursuit);
    if !party.shown {
        let counts = marker == Marker::Pitched;
        cx.emit(Open::Showed { no, side: side.clone(), marker, counts }.into());
    }
    marker
}

/// ¶7, 300 step 7 Losses, retreat and pursuit after a result: the loser's marker decides whether they are SP or hexes.
fn settle(cx: &mut Cx<'_, Campaigns>, act: &Act, outcome: &Outcome) -> Play<Next> {
    let loser_hexes = if outcome.loser == act.by { act.from.clone() } else { act.into.clone() };
    let winner_hexes = if outcome.winner == act.by { act.from.clone() } else { act.into.clone() };
    let marker = show(cx, act.no, &outcome.loser);
    // ¶400: the override.
    if overrides(cx, act, outcome, marker)? {
        cx.emit(Open::Overridden { no: act.no }.into());
        show(cx, act.no, &outcome.winner);
        let fall = fall(cx.state(), act, &outcome.loser, outcome.staked);
        let paid = losses::take(cx, act.no, &outcome.loser, &loser_hexes, outcome.loser_number(), &fall);
        losses::sweep(cx, act.no, &outcome.loser, &loser_hexes)?;
        let (winner, loser) = ((&outcome.loser, &loser_hexes[..]), (&outcome.winner, &winner_hexes[..]));
        return flee(cx, &rout(act, winner, loser, outcome.winner_number(), paid));
    }
    let there = losses::exposed_sp(cx.state(), act.no, &outcome.loser, &loser_hexes);
    let pitched = matches!(marker, Marker::Pitched | Marker::Refuse) && !outcome.staked;
    let number = outcome.loser_number();
    // ¶367: the winner never loses more than a loser that is eliminated had.
    let due = outcome.winner_number().min(there);
    let fall_winner = fall(cx.state(), act, &outcome.winner, outcome.staked);
    let paid = losses::take(cx, act.no, &outcome.winner, &winner_hexes, due, &fall_winner);
    losses::sweep(cx, act.no, &outcome.winner, &winner_hexes)?;
    // ¶408: a loss that the loser cannot pay in SP is a retreat.
    if pitched && number <= there {
        let number = number - mired(cx.state(), act, outcome);
        return stand(cx, act, outcome, &loser_hexes, number.max(paid));
    }
    if marker == Marker::Rearguard && !outcome.staked && number > 1 {
        return rearguard(cx, act, outcome, &loser_hexes, &winner_hexes, paid);
    }
    let (winner, loser) = ((&outcome.winner, &winner_hexes[..]), (&outcome.loser, &loser_hexes[..]));
    let french = cx.state().board.side(&outcome.loser).is_some_and(|s| s.french);
    flee(cx, &Rout { staked: outcome.staked && french, ..rout(act, winner, loser, number, paid) })
}

/// ¶344 What mud takes off a defender's loss in SP: one for each asterisk of the result.
fn mired(s: &State, act: &Act, outcome: &Outcome) -> i32 {
    let mud = s.board.exceptions.weather.mud_asterisks && s.weather.has(Weather::Mud);
    if mud && outcome.loser != act.by { outcome.result.asterisks } else { 0 }
}

/// A retreat that may be pursued.
fn rout(act: &Act, winner: (&SideId, &[Hex]), loser: (&SideId, &[Hex]), number: i32, paid: i32) -> Rout {
    Rout {
        no: act.no,
        winner: winner.0.clone(),
        winner_hexes: winner.1.to_vec(),
        loser: loser.0.clone(),
        loser_hexes: loser.1.to_vec(),
        number,
        paid,
        chase: true,
        staked: false,
        part: act.part,
    }
}

/// ¶349, 364: how losses of a side fall in this half round.
fn fall(s: &State, act: &Act, side: &SideId, staked: bool) -> Fall {
    let french = s.board.side(side).is_some_and(|s| s.french);
    let forward = act.forward.get(side).cloned().unwrap_or_default();
    Fall { staked: staked && french, forward, ..Fall::of(Cause::Combat) }
}

/// ¶400: in the first attack of the battle, lost by the phasing side that shows Pitched, a defender with Pursuit or
/// Rearguard may take his own number as a retreat.
fn overrides(cx: &mut Cx<'_, Campaigns>, act: &Act, outcome: &Outcome, marker: Marker) -> Play<bool> {
    let Some(battle) = get(cx.state(), act.no) else { return Ok(false) };
    let first = !act.counter && battle.round <= 1 && outcome.loser == battle.attack.side;
    let may = matches!(battle.defend.marker, Some(Marker::Pursuit | Marker::Rearguard));
    let number = outcome.winner_number();
    if !first || !may || marker != Marker::Pitched || outcome.staked || number < 1 {
        return Ok(false);
    }
    let asked = vec![(outcome.winner.clone(), What::Override { number })];
    Ok(ask(cx, act.no, asked)?.first() == Some(&Answer::Yes(true)))
}

/// ¶400, 407: the loser stands and loses SP.
fn stand(cx: &mut Cx<'_, Campaigns>, act: &Act, outcome: &Outcome, hexes: &[Hex], number: i32) -> Play<Next> {
    let fall = fall(cx.state(), act, &outcome.loser, outcome.staked);
    losses::take(cx, act.no, &outcome.loser, hexes, number, &fall);
    losses::sweep(cx, act.no, &outcome.loser, hexes)?;
    let gone = |side: &SideId| hexes_held(cx.state(), act.no, side).is_empty();
    if gone(&outcome.loser) || gone(&outcome.winner) {
        close(cx, act.no, Ended::Destroyed)?;
        return Ok(Next::Over);
    }
    Ok(Next::On)
}

/// ¶335, 394, 407: part of the number as hexes, the first of it; the rest as SP, which count to what he loses at least.
fn rearguard(
    cx: &mut Cx<'_, Campaigns>,
    act: &Act,
    outcome: &Outcome,
    loser: &[Hex],
    winner: &[Hex],
    paid: i32,
) -> Play<Next> {
    let number = outcome.loser_number();
    let asked = ask(cx, act.no, vec![(outcome.loser.clone(), What::Rearguard { number })])?;
    let hexes = match asked.first() {
        Some(Answer::Hexes(n)) => (*n).clamp(1, number),
        _ => 1,
    };
    let fall = fall(cx.state(), act, &outcome.loser, false);
    let lost = losses::take(cx, act.no, &outcome.loser, loser, number - hexes, &fall);
    losses::sweep(cx, act.no, &outcome.loser, loser)?;
    let paid = (paid - lost).max(0);
    let rout = rout(act, (&outcome.winner, winner), (&outcome.loser, loser), hexes, paid);
    flight::run(cx, &rout)?;
    if still_in_touch(cx, act.no) {
        return Ok(Next::Round);
    }
    if act.part {
        return Ok(Next::Over);
    }
    let gone = hexes_left(cx.state(), act.no, &outcome.loser);
    close(cx, act.no, if gone { Ended::Destroyed } else { Ended::Retreat })?;
    Ok(Next::Over)
}

/// ¶394: whether the two forces are adjacent again after a pursuit; the battle goes on where they stand then.
fn still_in_touch(cx: &mut Cx<'_, Campaigns>, no: u32) -> bool {
    let s = cx.state();
    let Some(battle) = get(s, no) else { return false };
    let hexes = |side: &SideId| -> Vec<Hex> {
        let Some(own) = s.pieces(side) else { return Vec::new() };
        let found: std::collections::BTreeSet<Hex> =
            battle.party(side).pieces.iter().filter_map(|p| own.piece_hex(p)).collect();
        found.into_iter().collect()
    };
    let (from, into) = (hexes(&battle.attack.side), hexes(&battle.defend.side));
    let Some(sit) = s.situation(&battle.attack.side) else { return false };
    if !from.iter().any(|a| into.iter().any(|b| field::can_fight(&sit, *a, *b))) {
        return false;
    }
    cx.emit(Open::Ground { no, hexes: into, from }.into());
    true
}

/// ¶300 steps 8-10: retreat, pursuit, the end of the battle.
fn flee(cx: &mut Cx<'_, Campaigns>, rout: &Rout) -> Play<Next> {
    flight::run(cx, rout)?;
    if rout.part {
        return Ok(Next::Over);
    }
    let gone = hexes_left(cx.state(), rout.no, &rout.loser);
    close(cx, rout.no, if gone { Ended::Destroyed } else { Ended::Retreat })?;
    Ok(Next::Over)
}

/// Whether nothing of a side's counters in the battle is left.
fn hexes_left(s: &State, no: u32, side: &SideId) -> bool {
    let (Some(b), Some(own)) = (get(s, no), s.pieces(side)) else { return true };
    let off = |p: &Piece| match p {
        Piece::Leader(id) => own.leaders.get(id).is_some_and(|l| matches!(l.place, Place::Off(_))),
        Piece::Vedette(_) | Piece::Garrison(_) => false,
    };
    !b.party(side).pieces.iter().any(|p| own.piece_hex(p).is_some() || off(p))
}

/// ¶300 step 10, 395: the battle ends, and may have been critical.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn close(cx: &mut Cx<'_, Campaigns>, no: u32, how: Ended) -> Play<()> {
    let loser = get(cx.state(), no).and_then(|b| b.half.loser.clone());
    close_lost(cx, no, how, loser)
}

/// ¶395 Whether a leader of the span that the title demands commands on either side.
fn great(s: &State, battle: &super::battle::Battle) -> bool {
    let Some(least) = s.board.exceptions.combat.critical_span else { return true };
    let span = |party: &Party| party.lead.as_ref().and_then(|l| s.board.leaders.get(l)).map(|l| l.span);
    [&battle.attack, &battle.defend].into_iter().filter_map(span).any(|span| span >= Halves::whole(least))
}

/// The same, where it is known who has lost it.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn close_lost(cx: &mut Cx<'_, Campaigns>, no: u32, how: Ended, loser: Option<SideId>) -> Play<()> {
    cx.emit(Open::Ended { no, how }.into());
    let s = cx.state();
    let (Some(battle), Some(loser)) = (get(s, no), loser) else { return Ok(()) };
    let (winner, hex) = (s.enemy(&loser), battle.name());
    let (lost, winner_lost) = (battle.party(&loser).lost, battle.party(&winner).lost);
    if lost <= s.board.policies.critical_over || lost <= winner_lost || !great(s, battle) {
        return Ok(());
    }
    let die = cx.d6(&Label::public("critical").at(&hex));
    let critical = die <= lost - winner_lost;
    cx.emit(Open::Critical { no, loser, lost, winner_lost, die: Some(die), critical }.into());
    if critical {
        let french = cx.state().board.side(&winner).is_some_and(|s| s.french);
        morale::shift(cx, (no, hex), Shift::Critical, if french { 1 } else { -1 })?;
    }
    Ok(())
}
