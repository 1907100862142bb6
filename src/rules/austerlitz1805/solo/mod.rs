//! 22-28 The solo rules: a side that nobody leads (the NP) is led by rule, and wins as any other (23.1, 23.2).
//!
//! # Where it stands, and why
//!
//! The NP is a part of the rules, not a seat at the post office: on its move the rules ask it, carry its lines out as they
//! do a person's, and go on; nobody waits for a mail, and whoever audits a game makes every decision and die of it again.
//! What decides (`groups`, `fight`, `formation`, `march`, `guns`, `staff`, `volley`, `fog`, `answers`) is given two things
//! only: the side's own projected [`View`], and a hand that throws dice ([`Dice`]). It can name no truth, since no type of
//! it is in its reach; it writes lines in the order language, which are bound against that same view. `drive` alone holds
//! the driver's hands: it asks, carries out, and keeps what must be kept ([`mind::Mind`]) by events that only the side is told.
//!
//! Its dice are game dice of the scope of its side: committed, labelled, published when the slot closes.
//!
//! What the solo chapters leave to common sense is settled once, here, and each point has a case:
//!
//! - 22.3: no attack whose modifiers come to less than the defender's; a unit that stood its check holds.
//! - 24.3.1: most dangerous is who could attack the battery in his next player-turn, then who is nearest.
//! - 24.5.1: a unit ends at most 1 UM ahead of where its most advanced fellow could be; with an open flank it waits.
//! - 24.5.8: guns are unprotected with no infantry or cavalry of theirs within 1 UM.
//! - 24.5.17: two supporters at most, since musketry counts no more.
//! - 24.6.3: a chit holds real units from the start; the die says which of them come out, and the others come first into
//!   the next chits (28.1.6.4). A result that shows nobody, or an HQ alone, is rolled again; so is a sixth decoy. When the
//!   fog is gone all come out without a die.
//! - 24.7: units that share a target fire together at the strongest; a single one at the nearest.
//! - 27.4: where no uncovered enemy is within 6 UM of a group there are no odds, and the plan of chapter 28 moves it.
//! - 27.5: one die for each group and arm in a cell with two orders.
//! - 28.1.8, 28.2.14: a fresh unit of the second line goes to the place of a shaken or weakened one in front.

mod answers;
pub mod chart;
pub mod drive;
mod fight;
mod fog;
mod formation;
mod groups;
mod guns;
mod march;
pub mod mind;
mod staff;
mod volley;

use super::board::UnitId;
use super::state::{At, Step};
use super::view::View;
use crate::dice::Label;
use chart::{Plan, Solo};
use std::collections::BTreeSet;

/// What lies no farther off a unit's front, in degrees, is before it.
const FRONT: i32 = 45;

/// A hand that throws dice.
pub trait Dice {
    /// One die of so many faces.
    fn die(&mut self, label: Label, sides: u32) -> i32;

    /// One six-sided die.
    fn d6(&mut self, label: Label) -> i32 {
        self.die(label, 6)
    }
}

/// The charts of the solo chapters.
fn chart(v: &View) -> Option<&Solo> {
    v.table.board.tables.solo.as_ref()
}

/// 28 The plan of the viewer's side.
fn plan(v: &View) -> Option<&Plan> {
    chart(v)?.plans.get(&v.me().0)
}

/// What the NP would do on this view, each line as if it were the first: its sealed sheet, or the step of its player-turn where
/// play stands, or its musketry; its orders of chapter 27 stand as `ORDER unit tactic AT enemy`.
pub fn lines(v: &View, dice: &mut dyn Dice) -> Vec<String> {
    let me = v.me();
    let each = |line: fn(&View, &UnitId) -> Option<String>| {
        let own = v.table.units.iter().filter(|(_, u)| u.side == me).map(|(id, _)| id);
        own.filter_map(|id| line(v, id)).collect::<Vec<String>>()
    };
    match (&v.at, v.step) {
        (At::Fog, _) => fog::columns(v).into_iter().chain(fog::chits(v, dice)).collect(),
        (At::Own(side), Step::Rally) if *side == me => {
            groups::orders(v, dice).iter().map(ToString::to_string).collect()
        }
        (At::Own(side), Step::Preparation) if *side == me => each(guns::preparation),
        (At::Own(side), Step::Charge) if *side == me => each(fight::charge),
        (At::Own(side), Step::Move) if *side == me => {
            let marches = fog::marching(v).into_iter().filter_map(|n| fog::chit_line(v, n));
            let attacks = fight::attacks(v, &BTreeSet::new(), usize::MAX);
            let attacks = attacks.iter().flat_map(|a| a.by.iter().map(|by| format!("ATTACK {by} AT {}", a.on)));
            each(staff::line).into_iter().chain(marches).chain(each(march::line)).chain(attacks).collect()
        }
        _ => volley::lines(v),
    }
}
