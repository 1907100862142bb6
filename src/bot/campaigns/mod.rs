//! A player of `campaigns`: places guarded and taken by small forces, the rest together and after a battle that it may win.
//!
//! Every line is read against the view before it is written down; what would be refused is left out. It guesses the
//! strength of counters that have not been shown, and does not remember: each sheet is thought out from the view alone.

mod aims;
mod battle;
mod estimate;
mod march;
mod noise;
mod plan;
mod screen;
mod way;

use crate::hex::Hex;
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
    /// Own SP by hex.
    masses: Vec<(Hex, i32)>,
    /// Enemy SP by hex, as guessed.
    foes: Vec<(Hex, i32)>,
}

/// The least odds at which somebody attacks, and how far tempers go above them.
const TEMPER: (i32, i32) = (65, 30);
/// How much bolder it is when it does not lead and little time is left.
const PRESSED: i32 = 15;

/// What the player writes: answers to open questions; else the lines of its open sheet, and END.
pub fn orders(v: &View, asks: &[Ask], noise: u64) -> Vec<String> {
    if !asks.is_empty() {
        return asks.iter().map(answer).collect();
    }
    let noise = Noise::new(noise, v);
    let boldness = TEMPER.0 + noise.below("boldness", TEMPER.1);
    let (masses, foes) = (estimate::masses(v), estimate::foes(v));
    let mut mind = Mind { v, sit: v.situation(), noise, boldness, masses, foes };
    if mind.turns_left() <= 3 && mind.lead() <= 0 {
        mind.boldness -= PRESSED;
    }
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
