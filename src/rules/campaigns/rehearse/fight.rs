//! Odds of an attack: the battle itself, fought many times by the rules on an imagined field (¶300-410).
//!
//! Who goes into reserve, which marker lies, what rivers and towns do, who must retreat: the rules decide it as they will
//! decide it, from the plans that stand. Only the enemy is guessed: foot of the strength supposed, led by nobody of note,
//! who answers as if nobody did.

use super::imagine::{self, Supposed};
use crate::dice::{Cup, Scope};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Ruleset;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::board::{Arm, UnitId};
use crate::rules::campaigns::combat;
use crate::rules::campaigns::combat::battle::{Battle, Marker};
use crate::rules::campaigns::combat::event::Event as Fight;
use crate::rules::campaigns::combat::forecast::Outlook;
use crate::rules::campaigns::event::Event;
use crate::rules::campaigns::sequence::At;
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::view::View;
use crate::rules::cx::trial::played;
use crate::rules::journal::Desk;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::cell::RefCell;

/// Rounds after which a battle that does not end is left; hardly one lasts so long.
const ROUNDS_MAX: u32 = 12;
/// Strengths that an enemy of unknown strength is reckoned at, in SP.
const GUESSES: [i32; 3] = [5, 10, 20];

/// Dice for reckoning: the same for the same question, and never the game's.
struct Thrown(RefCell<ChaCha8Rng>);

impl Cup for Thrown {
    fn draw(&self, _: &Scope, _: &str, _: u32, count: u32, sides: u32) -> Option<Vec<u32>> {
        let mut stream = self.0.try_borrow_mut().ok()?;
        let mut die = || u32::try_from((u64::from(stream.next_u32()) * u64::from(sides)) >> 32).unwrap_or(0) + 1;
        Some((0..count).map(|_| die()).collect())
    }
}

/// How a battle would go against one strength.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odds {
    /// The enemy's SP.
    pub enemy: i32,
    /// Own SP of infantry and cavalry in line in the first round, before terrain.
    pub line: i32,
    /// Own units that go into reserve before it.
    pub reserve: Vec<UnitId>,
    /// The own marker of the first round; `None` where the enemy is gone before it.
    pub marker: Option<Marker>,
    /// Sums over the plays.
    pub outlook: Outlook,
}

/// How the attack on a hex that the plans name would go, against the strength that was shown there, else against some that
/// may be. Nothing where no attack on it is planned or due.
pub fn odds(v: &View, target: Hex, plays: u32) -> Vec<Odds> {
    let Some(side) = v.side.as_ref() else { return Vec::new() };
    let shown: Option<Vec<i32>> = v.enemy.values().filter(|c| c.hex == target).map(|c| c.stated()).collect();
    let guesses = match shown.map(|sp| sp.iter().sum()) {
        Some(0) => return Vec::new(),
        Some(sum) => vec![sum],
        None => GUESSES.to_vec(),
    };
    guesses.into_iter().filter_map(|sp| fought(v, side, Supposed { hex: target, sp }, plays)).collect()
}

/// Many plays of one battle.
fn fought(v: &View, side: &SideId, supposed: Supposed, plays: u32) -> Option<Odds> {
    let mut base = imagine::battlefield(v, side, supposed);
    base.state.at = At::Designate(side.clone());
    let desk = Desk::lent(Campaigns::seats(&base.state), side, &v.standing);
    let outlook = Outlook { plays, ..Outlook::default() };
    let mut odds = Odds { enemy: supposed.sp, line: 0, reserve: Vec::new(), marker: None, outlook };
    for play in 0..plays {
        let seed = u64::from(supposed.sp.unsigned_abs()) << 32 | u64::from(play);
        let cup = Thrown(RefCell::new(ChaCha8Rng::seed_from_u64(seed)));
        let (after, events) = played::<Campaigns>(base.clone(), &desk, &cup, |cx| {
            combat::begin(cx, side)?;
            let mut n = 1;
            while n <= ROUNDS_MAX && combat::round(cx, side, n)? && cx.state().at != At::Over {
                n += 1;
            }
            Ok(())
        })?;
        let battle = |b: &&Battle| b.turn == after.turn && b.attack.side == *side && b.hexes.contains(&supposed.hex);
        let battle = after.battles.iter().find(battle)?;
        if play == 0 {
            drawn_up(&mut odds, v, battle, &events);
        }
        tally(&mut odds.outlook, &after, battle, &events);
    }
    Some(odds)
}

/// ¶315-327 How the attackers stand in the first round.
fn drawn_up(odds: &mut Odds, v: &View, battle: &Battle, events: &[Event]) {
    let side = &battle.attack.side;
    for event in events {
        match event {
            Event::Combat(Fight::Reserved { no, side: who, units }) if *no == battle.no && who == side => {
                odds.reserve.clone_from(units);
            }
            Event::Combat(Fight::Marked { no, side: who, marker }) if *no == battle.no && who == side => {
                odds.marker.get_or_insert(*marker);
            }
            _ => {}
        }
    }
    let arms = |id: &UnitId| v.board.units.get(id).is_some_and(|s| s.arm != Arm::Artillery);
    let units = battle.from.iter().flat_map(|hex| battle.attack.units(&v.own, *hex));
    odds.line = units.filter(|(id, _)| arms(id) && !odds.reserve.contains(id)).map(|(_, sp)| sp).sum();
}

/// Adds what one play came to.
fn tally(sum: &mut Outlook, after: &State, battle: &Battle, events: &[Event]) {
    let gone = |event: &Event| match event {
        Event::Combat(Fight::Retreated { no, side: who, .. } | Fight::Destroyed { no, side: who, .. }) => {
            *no == battle.no && *who == battle.attack.side
        }
        _ => false,
    };
    let foe = after.pieces(&battle.defend.side);
    let held = foe.is_some_and(|foe| battle.hexes.iter().any(|hex| !foe.counters_at(*hex).is_empty()));
    sum.won += u32::from(!held);
    sum.lost += u32::from(events.iter().any(gone));
    sum.attacker += battle.attack.lost.unsigned_abs();
    sum.defender += battle.defend.lost.unsigned_abs();
}
