//! Battles that can be ordered now, as the order sheet has them: ready lines, each with what CHECK says of it (¶298-329).

use super::offers;
use crate::hex::Hex;
use crate::orders;
use crate::rules::Ruleset;
use crate::rules::campaigns::board::LeaderId;
use crate::rules::campaigns::combat;
use crate::rules::campaigns::combat::designate::Field;
use crate::rules::campaigns::view::View;
use crate::rules::campaigns::{Campaigns, Order, words};
use schemars::JsonSchema;
use serde::Serialize;

/// Forces next to a hex of which the sheet tries each pair; of more it tries all together and each alone.
const PAIRED: usize = 4;
/// ¶317-329 Types of battle that the sheet offers: their words, and how a button names them.
const TYPES: [(&str, &str); 4] = [
    ("TYPE PITCHED ROUNDS 1 THEN PURSUIT RESERVE MIN", "Pitched, 1 round, then pursuit"),
    ("TYPE PITCHED ROUNDS 2 THEN PURSUIT RESERVE MIN", "Pitched, 2 rounds, then pursuit"),
    ("TYPE PITCHED RESERVE MIN", "Pitched to the end"),
    ("TYPE PURSUIT RESERVE NONE", "Pursuit, all in line"),
];

/// A hex that may be attacked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Target {
    /// The hex.
    pub hex: String,
    /// Whether somebody must attack it (¶303).
    pub must: bool,
    /// Attacks on it that CHECK takes.
    pub attacks: Vec<Attack>,
}

/// An attack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Attack {
    /// The line.
    pub line: String,
    /// Whose forces attack, by their codes; empty where the default names them.
    pub who: Vec<String>,
    /// What CHECK says of it.
    pub said: Vec<String>,
    /// Plans of the battle that go with it.
    pub plans: Vec<Plan>,
}

/// A plan of a battle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Plan {
    /// The line.
    pub line: String,
    /// How a button names it.
    pub name: String,
    /// What CHECK says of it behind its attack.
    pub said: Vec<String>,
}

/// All that may be attacked now; nothing on any other sheet. `code` gives the code of a leader.
pub fn targets(view: &View, code: &dyn Fn(&LeaderId) -> String) -> Vec<Target> {
    if !offers::fights(view) {
        return Vec::new();
    }
    let field = Field::of(view);
    let duties = field.duties();
    let target = |hex: Hex| Target {
        hex: hex.to_string(),
        must: duties.contains(&hex),
        attacks: groups(&field, hex).into_iter().filter_map(|group| attack(view, hex, &group, code)).collect(),
    };
    field.chances().into_iter().map(target).filter(|target| !target.attacks.is_empty()).collect()
}

/// ¶302 Those who may attack a hex: all together, each pair, each alone.
fn groups(field: &Field<'_>, hex: Hex) -> Vec<Vec<LeaderId>> {
    let able: Vec<LeaderId> = field.forces().into_keys().filter(|leader| field.can(leader, hex)).collect();
    let mut groups = vec![able.clone()];
    if (3..=PAIRED).contains(&able.len()) {
        let behind = |n: usize| able.iter().skip(n + 1);
        groups.extend(able.iter().enumerate().flat_map(|(n, a)| behind(n).map(|b| vec![a.clone(), b.clone()])));
    }
    if able.len() > 1 {
        groups.extend(able.into_iter().map(|leader| vec![leader]));
    }
    groups
}

fn attack(view: &View, hex: Hex, group: &[LeaderId], code: &dyn Fn(&LeaderId) -> String) -> Option<Attack> {
    let names: Vec<String> = group.iter().map(|leader| words::order_name(view, leader)).collect();
    let line = format!("ATTACK {hex} WITH {}", names.join(", "));
    let (said, attacked) = behind(view, &line)?;
    let plan = |(words, name): &(&str, &str)| {
        let line = format!("BATTLE {hex} {words}");
        let (said, _) = behind(&attacked, &line)?;
        Some(Plan { line, name: (*name).to_owned(), said })
    };
    let plans = TYPES.iter().filter_map(plan).collect();
    Some(Attack { line, who: group.iter().map(code).collect(), said, plans })
}

/// What CHECK says of a line, and the view behind it; none where it is not taken.
fn behind(view: &View, line: &str) -> Option<(Vec<String>, View)> {
    let order = orders::read(Campaigns::verbs(), view, &orders::line(1, line)).ok()?;
    let Order::Combat(plans) = &order else { return None };
    let said = Campaigns::rehearse(view, &order).ok()?.said;
    let mut after = view.clone();
    after.own.plans.extend(combat::order::taken(view, plans));
    Some((said, after))
}
