//! Which program played what of a game, as its chain tells it.

use super::verify::Findings;
use super::{GameLine, Line};
use crate::games::Entry;

/// A part of a game that one program played.
pub(super) struct Stretch {
    /// Its first entry.
    pub(super) from: u32,
    /// The program, where the chain names it.
    program: Option<String>,
    /// The version of the ruleset.
    version: String,
    /// The digest of the rules' sources, where the chain names it.
    rules: Option<String>,
    /// The leg was begun by the version before, and ended by this one: from which entry on, the chain does not say.
    mixed: bool,
}

impl Stretch {
    /// Whether this program is the one that played: then whatever comes out otherwise is a difference. A game of before
    /// programs were named is known by the version that began it.
    pub(super) fn is_own(&self, own: &Entry) -> bool {
        !self.mixed
            && self.version == own.version.to_string()
            && self.rules.as_ref().is_none_or(|rules| rules == own.rules)
    }

    pub(super) fn said(&self) -> String {
        let program = self.program.as_deref().unwrap_or("an older one");
        let rules = self.rules.as_ref().map(|rules| format!(", rules {}", rules.get(..12).unwrap_or(rules)));
        let before = if self.mixed { ", and the one before it," } else { "" };
        format!("estafette {program} (version {}{before}{})", self.version, rules.unwrap_or_default())
    }
}

/// Who played what of a game, in order: as the chain names programs, and a leg as its rest point names the version.
/// A program that finds a leg open ends it by its own rules, and is named where it stands at rest.
pub(super) fn played_by(game: &GameLine, lines: &[Line]) -> Vec<Stretch> {
    let mut played = vec![Stretch { from: 1, program: None, version: game.engine.clone(), rules: None, mixed: false }];
    let mut leg = 1;
    for line in lines {
        let Line::Event { seq, entry, body, .. } = line else { continue };
        if !matches!(entry.as_str(), "post.program" | "rest") {
            continue;
        }
        let body: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
        let text = |name: &str| body.get(name).and_then(|value| value.as_str()).map(str::to_owned);
        let version = body.get("version").map(ToString::to_string).unwrap_or_default();
        if entry == "post.program" {
            let (program, rules) = (text("program"), text("rules"));
            played.push(Stretch { from: *seq, program, version, rules, mixed: false });
            continue;
        }
        let mixed = played.last().is_some_and(|stretch| stretch.version != version);
        if mixed || played.last().is_some_and(|stretch| stretch.mixed) {
            played.push(Stretch { from: leg, program: None, version, rules: None, mixed });
        }
        leg = seq.saturating_add(1);
    }
    played
}

/// No rest point was played to by an older version than the one before it.
pub(super) fn rests_in_chain(played: &[Stretch], found: &mut Findings) {
    for pair in played.windows(2) {
        let [before, after] = pair else { continue };
        let version = |stretch: &Stretch| stretch.version.parse::<u32>().ok();
        if after.program.is_none() && (version(after).is_none() || version(after) < version(before)) {
            let (old, new) = (&before.version, &after.version);
            found
                .faults
                .push(format!("from entry {} on version {new} played, and version {old} before it", after.from));
        }
    }
}
