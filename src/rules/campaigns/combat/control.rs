//! Battlefield Dynamics, an option (¶409-410): who is about to counterattack or attack again rolls for control.

use super::battle::Ended;
use super::flight::Rout;
use super::question::{Answer, What};
use super::told::Open;
use super::{ask, clause, flight, get, hexes_held, resolve};
use crate::dice::Label;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Play;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::board::Arm;
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::tables::Weather;
use crate::rules::cx::Cx;

/// What a side does instead of or with its attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// It attacks.
    Attack,
    /// It does not, and stays.
    Stay,
    /// The battle is over.
    Over,
}

/// ¶409-410: the die for control, before a counterattack and before every attack but the first.
///
/// # Errors
/// A stop, where an answer is missing.
pub fn control(cx: &mut Cx<'_, Campaigns>, no: u32, by: &SideId) -> Play<Command> {
    let s = cx.state();
    let Some(battle) = get(s, no).filter(|_| s.board.policies.dynamics) else { return Ok(Command::Attack) };
    let rating = match (&battle.party(by).lead, s.pieces(by)) {
        (Some(lead), Some(own)) => own.initiative(&s.board, lead),
        _ => 1,
    };
    let modifier = modifier(s, no, by);
    let die = cx.d6(&Label::public("control").at(&get(cx.state(), no).map_or(Hex::new(1, 1), |b| b.name())));
    let modified = die + modifier;
    cx.emit(Open::Control { no, side: by.clone(), die, modified }.into());
    match modified - rating {
        ..=-1 => {
            let answer = ask(cx, no, vec![(by.clone(), What::Control)])?;
            match answer.first() {
                Some(Answer::Control(clause::Control::Stay)) => stay(cx, no, by),
                Some(Answer::Control(clause::Control::Retreat)) => leave(cx, no, by),
                _ => Ok(Command::Attack),
            }
        }
        0 => stay(cx, no, by),
        1 => Ok(Command::Attack),
        _ => leave(cx, no, by),
    }
}

/// ¶409, X-75: the cavalry differential, added for the side with less and taken off for the side with more. Snow cancels
/// what would be added, and takes two off.
fn modifier(s: &State, no: u32, by: &SideId) -> i32 {
    let riders = |side: &SideId| -> i32 {
        let (Some(own), Some(sit)) = (s.pieces(side), s.situation(side)) else { return 0 };
        let clear = |h: &Hex| s.board.tables.terrain.cavalry_clear(sit.ground(*h), sit.settlement(*h));
        let hexes: Vec<Hex> = hexes_held(s, no, side).into_iter().filter(clear).collect();
        let leaders = get(s, no).map(|b| b.party(side).leaders(own, &hexes)).unwrap_or_default();
        own.manifest(&s.board, &leaders).iter().filter(|(spec, _)| spec.arm == Arm::Cavalry).map(|(_, u)| u.sp).sum()
    };
    let cavalry = -s.board.tables.cavalry.modifier(riders(by), riders(&s.enemy(by)));
    if s.weather.has(Weather::Snow) { cavalry.min(0) - 2 } else { cavalry }
}

/// No attack, in contact; three such half rounds in a row end the battle (¶333).
fn stay(cx: &mut Cx<'_, Campaigns>, no: u32, by: &SideId) -> Play<Command> {
    Ok(if resolve::stay(cx, no, by)? { Command::Over } else { Command::Stay })
}

/// ¶410: a retreat by the number of the last result; the enemy may pursue only if he won it.
fn leave(cx: &mut Cx<'_, Campaigns>, no: u32, by: &SideId) -> Play<Command> {
    let s = cx.state();
    let Some(battle) = get(s, no) else { return Ok(Command::Over) };
    let foe = s.enemy(by);
    let rout = Rout {
        no,
        winner: foe.clone(),
        winner_hexes: hexes_held(s, no, &foe),
        loser: by.clone(),
        loser_hexes: hexes_held(s, no, by),
        number: battle.party(by).number.unwrap_or(1).max(1),
        paid: 0,
        chase: battle.half.loser.as_ref() == Some(by),
        staked: false,
        part: false,
    };
    flight::run(cx, &rout)?;
    resolve::close(cx, no, Ended::Retreat)?;
    Ok(Command::Over)
}
