//! A force or vedette on the march.

use super::clause::{Act, Branch, Now};
use super::column::Column;
use super::order::TrainStep;
use super::told::{Ended, Own};
use super::{clause, ways};
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::Campaigns;
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::event::Event;
use crate::rules::campaigns::pieces::Piece;
use crate::rules::cx::Cx;
use std::collections::{BTreeSet, VecDeque};

/// A force or vedette on the march.
#[derive(Clone, Debug)]
pub struct Marcher {
    /// Whose.
    pub side: SideId,
    /// Its counter.
    pub piece: Piece,
    /// Whether in a Forced March.
    pub forced: bool,
    /// What it may spend and has spent.
    pub column: Column,
    /// The hexes ahead.
    pub path: VecDeque<Hex>,
    /// Conditions of its order.
    pub branches: Vec<Branch>,
    /// Subordinates to be dropped off (¶141).
    pub drops: Vec<(LeaderId, Hex)>,
    /// Work with bridge trains that is still to do (¶255-260).
    pub trains: Vec<TrainStep>,
    /// What could not be done of it.
    pub unfinished: Option<Unfinished>,
    /// Whether on an Administrative March (¶187).
    pub plotted: bool,
    /// The hex it set out from.
    pub from: Hex,
    /// The hexes it has come through since.
    pub trail: Vec<Hex>,
    /// Whether the hex it stands in was entered by road (¶214).
    pub by_road: bool,
    /// Enemy hexes that have shown themselves to be flexible in this march (¶239).
    pub passed: BTreeSet<Hex>,
    /// Whether it has moved at all.
    pub moved: bool,
    /// Changes of path so far.
    pub turns: u32,
}

impl Marcher {
    /// ¶149 That its march has ended, where and why.
    pub fn marched(&self, to: Hex, ended: Ended) -> Event {
        let (piece, mp) = (self.piece.clone(), self.column.march());
        Own::Marched { piece, from: self.from, to, mp, ended }.of(&self.side).into()
    }
}

/// Why something that an order asks for was not done, with its paragraph.
pub type Unfinished = (String, &'static str);

/// What the conditions of the order say for a moment; ways back and round are turned into paths.
pub fn act(cx: &Cx<'_, Campaigns>, m: &Marcher, here: Hex, now: &Now) -> Option<Act> {
    let view = cx.view(&m.side);
    match clause::act_for(&view, &m.branches, now)? {
        Act::Return => Some(Act::March(m.trail.iter().rev().copied().skip_while(|h| *h == here).collect())),
        Act::Avoid(hex) => {
            let goal = *m.path.back()?;
            Some(ways::round(&view.situation(), here, goal, hex, m.column.all_horse()).map_or(Act::Stop, Act::March))
        }
        act @ (Act::Stop | Act::Go | Act::Repulse | Act::Ask | Act::March(_)) => Some(act),
    }
}

/// The hex where a marcher stands.
pub fn here(cx: &Cx<'_, Campaigns>, m: &Marcher) -> Option<Hex> {
    cx.state().pieces(&m.side)?.piece_hex(&m.piece)
}
