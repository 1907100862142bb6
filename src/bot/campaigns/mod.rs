//! A player of `campaigns`: vedettes forward, forces toward what counts, away from what is too strong.
//!
//! Every line is read against the view before it is written down; what would be refused is left out. It guesses the
//! strength of counters that have not been shown, and does not remember: each sheet is thought out from the view alone.

mod battle;
mod estimate;
mod march;
mod noise;
mod screen;
mod way;

use crate::orders;
use crate::rules::campaigns::sequence::At;
use crate::rules::campaigns::situation::Situation;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{Campaigns, rehearse};
use crate::rules::{Ask, Ruleset};
use noise::Noise;

/// What a player thinks with.
struct Mind<'a> {
    /// What its side may know.
    v: &'a View,
    /// The map as it may reckon with it.
    sit: Situation<'a>,
    /// What decides among equals.
    noise: Noise,
    /// Odds in per cent at which it attacks.
    boldness: i32,
}

/// What the player writes: answers to open questions; else the lines of its open sheet, and END.
pub fn orders(v: &View, asks: &[Ask], noise: u64) -> Vec<String> {
    if !asks.is_empty() {
        return asks.iter().map(answer).collect();
    }
    let noise = Noise::new(noise, v);
    let boldness = 90 + noise.below("boldness", 50);
    let mind = Mind { v, sit: v.situation(), noise, boldness };
    let side = v.side_id();
    let mut lines = match &v.at {
        At::Setup => screen::place(&mind),
        At::Own(phasing) if *phasing == side => own_turn(&mind),
        At::Reaction(phasing) if *phasing != side => march::reaction(&mind),
        At::Designate(phasing) if *phasing == side => battle::attacks(&mind),
        At::Own(_)
        | At::Reaction(_)
        | At::Designate(_)
        | At::Weather
        | At::Packet(_)
        | At::CloseMove(_)
        | At::Round(..)
        | At::Close(_)
        | At::Over => Vec::new(),
    };
    lines.push("END".to_owned());
    lines
}

/// Sheet A, in the order of the segments.
fn own_turn(mind: &Mind<'_>) -> Vec<String> {
    let mut lines = screen::back(mind);
    lines.extend(march::forces(mind));
    lines.extend(screen::ride(mind));
    lines
}

/// A repulse where one may be declared, for it finds out who stands there; else what is taken at the deadline.
fn answer(ask: &Ask) -> String {
    let repulse = ask.answers.iter().find(|line| line.ends_with(" REPULSE") && line.starts_with("VEDETTE"));
    repulse.unwrap_or(&ask.default).clone()
}

impl Mind<'_> {
    /// Whether a line would be taken now.
    fn binds(&self, line: &str) -> bool {
        orders::read(Campaigns::verbs(), self.v, &orders::line(1, line)).is_ok()
    }

    /// ¶329 Whether a plan of battle would be taken now.
    fn fights(&self, line: &str) -> bool {
        let order = orders::read(Campaigns::verbs(), self.v, &orders::line(1, line));
        order.is_ok_and(|order| rehearse::foresee(self.v, &order).is_ok())
    }
}
