//! DB.9 Dummies: counters of masked play that are nothing. DB.4 Lines that come to nothing for somebody unseen.

use super::board::{Board, COALITION, FRENCH, Kind, Sight};
use super::event::Event;
use super::eyes;
use super::fatigue::At;
use super::guns;
use super::order::Order;
use super::rehearse::units_of;
use super::state::{At as When, State};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::orders::Fault;
use crate::rules::Outcome;
use crate::rules::tactical::table::somebody;

/// How the name of a dummy begins.
const NAME: &str = "DUMMY-";
/// DB.9 The movement allowance of a dummy.
const MA: i32 = 5;
/// DB.9 The counter in whose hex the dummy of the French is set up, and to whose command it belongs.
const BESIDE: &str = "100-1";

impl Board {
    /// DB.1 Hides what a setting of sight hides; DB.9 masked, two dummies come with Column II, and one stands with the 100th.
    pub fn hide(&mut self, sight: Sight) {
        self.scenario.sight = sight;
        if sight != Sight::Masked {
            return;
        }
        let french = self.kinds.get(BESIDE).map(|kind| kind.formation.clone()).unwrap_or_default();
        let second = || vec!["II".to_owned()];
        for (n, (side, formation)) in (1..).zip([(COALITION, second()), (COALITION, second()), (FRENCH, french)]) {
            let id = format!("{NAME}{n}");
            if side == FRENCH {
                let at = self.setup.iter().find(|(_, piece)| piece == BESIDE).map(|(hex, _)| *hex);
                self.setup.extend(at.map(|hex| (hex, id.clone())));
            }
            self.dummies.insert(id.clone());
            let side = side.into();
            self.kinds.insert(id.clone(), Kind { side, regiment: id, formation, ma: [MA; 2], ..Kind::default() });
        }
    }
}

/// DB.9 A dummy marches, and does nothing else; it never checks, and so goes with those in range alone.
///
/// # Errors
/// Which of the units that an order names may not.
pub(super) fn may(s: &State, order: &Order) -> Result<(), Fault> {
    let units: &[String] = match order {
        Order::Activate(call) => &call.test,
        Order::Move { .. } | Order::Face { .. } | Order::Put { .. } => &[],
        other => units_of(other),
    };
    somebody(s, units, "DB.9")
}

/// DB.9 A dummy vanishes when an enemy's counter, be it a dummy, has it in sight at three hexes or nearer, and when an enemy's
/// leader is in its hex.
pub(super) fn unmask(cx: &mut At<'_>) {
    let s = cx.state();
    if !eyes::masked(s) || matches!(s.at, When::Setup(_) | When::Over) {
        return;
    }
    let found = |id: &String, hex: Hex| {
        s.sides()
            .iter()
            .filter(|side| !s.is_of(id, side))
            .any(|enemy| eyes::is_feared(s, enemy, hex) || !s.leaders_at(hex, enemy).is_empty())
    };
    let gone = s.counters().filter(|(id, _, hex)| s.is_dummy(id) && found(id, *hex));
    for unit in gone.map(|(id, ..)| id.clone()).collect::<Vec<_>>() {
        cx.emit(Event::Vanished { unit });
    }
}

/// DB.9 Dummies in a hex that is fired at or attacked vanish. Whether there were any.
pub(super) fn strike(cx: &mut At<'_>, at: Hex, enemy: &SideId) -> bool {
    let s = cx.state();
    let struck = s.counters().filter(|(id, _, hex)| s.is_dummy(id) && *hex == at && s.is_of(id, enemy));
    let struck: Vec<String> = struck.map(|(id, ..)| id.clone()).collect();
    let any = !struck.is_empty();
    struck.into_iter().for_each(|unit| cx.emit(Event::Vanished { unit }));
    any
}

/// DB.9 After a step: whether none of those who made it is left, for all were dummies.
pub(super) fn is_gone(cx: &mut At<'_>, units: &[String]) -> bool {
    unmask(cx);
    let gone = !units.iter().any(|unit| cx.state().units.contains_key(unit));
    if gone {
        let why = "an enemy saw that it is a dummy".to_owned();
        cx.outcome(Outcome::Failed { why, rule: "DB.9".to_owned() });
    }
    gone
}

/// DB.4 A line that an enemy out of sight prevents is spent all the same: who would come on stays outside and has moved, who
/// would fire has fired, who would charge has balked. DB.9 So is one at a dummy, which vanishes.
pub(super) fn vain(cx: &mut At<'_>, side: &SideId, order: &Order) {
    let at = match order {
        Order::Fire { at, .. } | Order::Charge { at, .. } | Order::Melee { at, .. } => Some(*at),
        _ => None,
    };
    let nobody = at.is_some_and(|at| strike(cx, at, &super::board::other(side)));
    match order {
        Order::Enter { pieces, .. } => cx.emit(Event::Wasted { pieces: pieces.clone(), fire: false }),
        Order::Fire { units, at } => {
            guns::spend(cx, units, *at);
            cx.emit(Event::Wasted { pieces: units.clone(), fire: true });
        }
        Order::Charge { unit, .. } => cx.emit(Event::Balked { unit: unit.clone() }),
        _ => {}
    }
    let spent = match order {
        Order::Enter { .. } => "; they stay outside, and have moved",
        Order::Fire { .. } => "; the shot is spent",
        _ => "",
    };
    cx.outcome(match nobody {
        true => Outcome::Failed { why: format!("a dummy stood there{spent}"), rule: "DB.9".to_owned() },
        false => super::play::unseen(format!("an enemy out of sight prevents it{spent}")),
    });
}
