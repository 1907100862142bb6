//! Odds of an attack: the battle itself, fought many times by the rules on an imagined field (¶300-410).
//!
//! Who goes into reserve, which marker lies, what rivers and towns do, who must retreat: the rules decide it as they will
//! decide it, from the plans that stand. Only the enemy is guessed: foot of the strength supposed, under a leader of middling
//! rank, who answers as if nobody did.

use super::imagine;
use super::imagine::Supposed;
use crate::dice::{Cup, Scope};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::Ruleset;
use crate::rules::campaigns::board::{Arm, UnitId};
use crate::rules::campaigns::combat::battle::{Battle, Marker, Party};
use crate::rules::campaigns::combat::event::Partly;
use crate::rules::campaigns::combat::forecast::Outlook;
use crate::rules::campaigns::combat::told::Open;
use crate::rules::campaigns::event::Event;
use crate::rules::campaigns::pieces::{Piece, Pieces};
use crate::rules::campaigns::sequence::At;
use crate::rules::campaigns::state::State;
use crate::rules::campaigns::telling::Event as Lists;
use crate::rules::campaigns::view::{Counter, View};
use crate::rules::campaigns::{Campaigns, combat};
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
    let supposed = strengths(v, target).into_iter().map(|sp| Supposed { hex: target, sp });
    supposed.filter_map(|supposed| fought(v, side, supposed, plays, |_, _| false)).collect()
}

/// Whether the same attack is oftener won than lost, and lost less than every other time, against each strength that may be;
/// not where none is planned or due. No more is played than it takes to tell, and against the strongest first.
pub fn is_fair(v: &View, target: Hex, plays: u32) -> bool {
    let Some(side) = v.side.as_ref() else { return false };
    let good = |of: &Outlook| of.won > of.lost && of.lost * 2 < plays;
    let told = |of: &Outlook, left: u32| {
        let (best, worst) = (Outlook { won: of.won + left, ..*of }, Outlook { lost: of.lost + left, ..*of });
        !good(&best) || good(&worst)
    };
    let mut fought = strengths(v, target)
        .into_iter()
        .rev()
        .filter_map(|sp| fought(v, side, Supposed { hex: target, sp }, plays, told));
    fought.next().is_some_and(|first| good(&first.outlook)) && fought.all(|odds| good(&odds.outlook))
}

/// SP that may stand in a hex: what was shown of all its counters, else guesses above what was shown of some.
fn strengths(v: &View, target: Hex) -> Vec<i32> {
    let here: Vec<&Counter> = v.enemy.values().filter(|counter| counter.hex == target).collect();
    let shown: i32 = here.iter().filter_map(|counter| counter.stated()).sum();
    if here.iter().all(|counter| counter.stated().is_some()) {
        return if shown > 0 { vec![shown] } else { Vec::new() };
    }
    let more: Vec<i32> = GUESSES.into_iter().filter(|sp| *sp > shown).collect();
    if more.is_empty() { GUESSES.into_iter().take(1).map(|sp| shown + sp).collect() } else { more }
}

/// Many plays of one battle, as long as they do not tell `enough` with those that are left.
fn fought(
    v: &View,
    side: &SideId,
    supposed: Supposed,
    plays: u32,
    enough: impl Fn(&Outlook, u32) -> bool,
) -> Option<Odds> {
    let mut base = imagine::battlefield(v, side, supposed);
    base.state.at = At::Designate(side.clone());
    let desk = Desk::lent(Campaigns::seats(&base.state), side, &v.standing);
    let outlook = Outlook { plays, ..Outlook::default() };
    let mut odds = Odds { enemy: supposed.sp, line: 0, reserve: Vec::new(), marker: None, outlook };
    for play in 0..plays {
        let seed = u64::from(supposed.sp.unsigned_abs()) << 32 | u64::from(play);
        let cup = Thrown(RefCell::new(ChaCha8Rng::seed_from_u64(seed)));
        let (after, events) = played::<Campaigns>(base.clone(), &desk, &cup, |cx| {
            combat::phase::begin(cx, side)?;
            let mut n = 1;
            while n <= ROUNDS_MAX && combat::phase::round(cx, side, n)? && cx.state().at != At::Over {
                n += 1;
            }
            Ok(())
        })?;
        // As it was designated: between rounds forces are defined anew (¶301), and a pursuit leaves the hexes.
        let battle = events.iter().find_map(|event| match event {
            Event::Combat(Lists::Partly(Partly::Designated { battles, .. })) => {
                battles.iter().find(|b| b.hexes.contains(&supposed.hex))
            }
            _ => None,
        })?;
        if play == 0 {
            drawn_up(&mut odds, v, battle, &events);
        }
        tally(&mut odds.outlook, v, battle, (&after, &events));
        if enough(&odds.outlook, plays - play - 1) {
            break;
        }
    }
    Some(odds)
}

/// ¶315-327 How the attackers stand in the first round.
fn drawn_up(odds: &mut Odds, v: &View, battle: &Battle, events: &[Event]) {
    let side = &battle.attack.side;
    for event in events {
        let Event::Combat(Lists::Partly(what)) = event else { continue };
        match what {
            Partly::Reserved { no, side: who, units } if *no == battle.no && who == side => {
                odds.reserve.clone_from(units);
            }
            Partly::Marked { no, side: who, marker } if *no == battle.no && who == side => {
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
fn tally(sum: &mut Outlook, v: &View, battle: &Battle, (after, events): (&State, &[Event])) {
    match beaten(v, battle, after, events) {
        Some(side) if *side == battle.attack.side => sum.lost += 1,
        Some(_) => sum.won += 1,
        None => {}
    }
    let end = after.battles.iter().find(|b| (b.turn, b.no) == (battle.turn, battle.no)).unwrap_or(battle);
    sum.attacker += end.attack.lost.unsigned_abs();
    sum.defender += end.defend.lost.unsigned_abs();
}

/// Who does not hold his ground at the end of a play; `None` where both do. It is one side at most: who retreats, not who
/// leaves his hex to pursue him (¶369, 380); and an attacker who has nothing left has not taken the hex, even if the
/// defender is gone as well (¶367, 407).
fn beaten<'a>(v: &View, battle: &'a Battle, after: &State, events: &'a [Event]) -> Option<&'a SideId> {
    let (attack, defend) = (&battle.attack, &battle.defend);
    let (own, foe) = (after.pieces(&attack.side)?, after.pieces(&defend.side)?);
    let leaders = attack.leaders(&v.own, &battle.from);
    let spent = !leaders.is_empty() && own.units_of(&leaders).iter().all(|(_, unit)| unit.sp == 0);
    if spent {
        return Some(&attack.side);
    }
    // Who has no way to go stays where he is (¶370).
    let retreat = events.iter().rev().find_map(|event| match event {
        Event::Combat(Lists::Open(Open::Retreated { no, side, path, .. })) if *no == battle.no && path.len() > 1 => {
            Some(side)
        }
        _ => None,
    });
    // An attacker may have advanced into the hex (¶300 step 5).
    let field: Vec<Hex> = battle.from.iter().chain(&battle.hexes).copied().collect();
    match retreat {
        Some(side) => Some(side),
        None if !stands(own, attack, &field) => Some(&attack.side),
        None if !stands(foe, defend, &battle.hexes) => Some(&defend.side),
        None => None,
    }
}

/// Whether somebody of a party that can fight is in some hexes: a leader without troops is nobody (¶42).
fn stands(own: &Pieces, party: &Party, hexes: &[Hex]) -> bool {
    party.pieces.iter().any(|piece| {
        let fights = match piece {
            Piece::Leader(leader) => own.sp(leader) > 0,
            Piece::Vedette(_) | Piece::Garrison(_) => true,
        };
        fights && own.piece_hex(piece).is_some_and(|hex| hexes.contains(&hex))
    })
}
