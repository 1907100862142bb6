//! Fire that came to nothing, in one sentence.

use super::Teller;
use crate::report::austerlitz1805::pen::labels;
use crate::rules::austerlitz1805::board::UnitId;
use crate::rules::austerlitz1805::event::{Fact, How};
use std::collections::BTreeMap;

impl Teller<'_> {
    /// 9.1 Batteries that missed, by what they fired at; they stand first, and what hit follows.
    pub(super) fn misses(&mut self, facts: &[&Fact]) {
        let mut missed: BTreeMap<&UnitId, Vec<(&UnitId, i32)>> = BTreeMap::new();
        for fact in facts {
            if let Fact::Aimed { unit, on, need, die } = fact
                && die < need
            {
                missed.entry(on).or_default().push((unit, *die));
            }
        }
        if missed.is_empty() {
            return;
        }
        let mut parts = Vec::new();
        for (on, by) in missed {
            let dice: Vec<String> = by.iter().map(|(_, die)| die.to_string()).collect();
            parts.push(format!(
                "{} on {} ({})",
                labels(self.t, by.iter().map(|(u, _)| *u)),
                self.t.label(on),
                dice.join(" ")
            ));
        }
        self.rule("9.1");
        self.said.push(format!("missed {}.", parts.join(", ")));
    }

    /// 9.1, 10.3, 12.4 Fire that changed nothing, with the dice of fire and morale, in one sentence; gives what is left to tell.
    pub(super) fn held<'f>(&mut self, facts: &[&'f Fact]) -> Vec<&'f Fact> {
        let (mut left, mut parts) = (Vec::new(), Vec::new());
        let mut checked = false;
        let guns = facts
            .iter()
            .any(|f| matches!(f, Fact::Fired { fire } if fire.how == How::Canister || fire.how == How::Round));
        let mut at = 0;
        while let Some(fact) = facts.get(at) {
            let rest = facts.get(at + 1..).unwrap_or_default();
            let ends = |f: &&Fact| matches!(f, Fact::Fired { .. } | Fact::Aimed { .. });
            let effect = rest.get(..rest.iter().position(ends).unwrap_or(rest.len())).unwrap_or_default();
            at += 1;
            let Fact::Fired { fire } = fact else {
                left.push(*fact);
                continue;
            };
            let check = match effect {
                [] => None,
                [Fact::Checked { check }] if check.unit == fire.on && check.passed => Some(check),
                _ => {
                    left.push(*fact);
                    continue;
                }
            };
            at += effect.len();
            checked |= check.is_some();
            let dice = check.map_or(String::new(), |check| format!(", {} v {}", check.roll, check.need));
            let (by, on) = (labels(self.t, &fire.by), self.t.label(&fire.on));
            let shot = if fire.how == How::Canister { " canister" } else { "" };
            parts.push(format!("{by} on {on}{shot} ({}{dice})", fire.total));
        }
        if !parts.is_empty() {
            self.rule(if guns { "9.1" } else { "10.3" });
            if checked {
                self.rule("12.4");
            }
            self.said.push(format!("no effect {}.", parts.join(", ")));
        }
        left
    }
}
