//! Several armies of one side (¶84, 93, 113), and their checks.

use super::desk::Desk;
use super::raw;
use super::setup::Scene;
use crate::fog::SideId;
use crate::hex::Hex;
use crate::rules::campaigns::board::{ArmyId, ArmySetup, ArmySpec, LeaderId};
use crate::yaml::At;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// One of several armies of a side. The first has the side's own source, center and points, and names none here.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Army {
    /// Its key, such as `silesia`: what orders call it.
    pub id: At<String>,
    pub name: String,
    /// Its commander (¶113).
    pub commander: At<String>,
    /// Its leaders; those whom no army names are of the first.
    #[serde(default)]
    pub leaders: Vec<At<String>>,
    /// Which of the side's sources are its own (¶84).
    #[serde(default)]
    pub sources: Vec<raw::HexText>,
    /// What an army after the first begins with.
    pub source: Option<raw::HexText>,
    #[serde(default)]
    pub source_garrison: i32,
    pub center: Option<raw::HexText>,
    /// Points that it begins with.
    #[serde(default)]
    pub ap: i32,
    /// A place that serves as its center, in place of source and center (¶92, 1815).
    pub anchor: Option<raw::HexText>,
}

impl Scene<'_> {
    /// ¶84, 93 The armies of a side as printed.
    pub(super) fn armies(&self, id: &str, desk: &mut Desk) -> Vec<ArmySpec> {
        let Some(raw) = self.scenario.sides.value.get(id) else { return Vec::new() };
        let side = SideId(id.to_owned());
        let mut specs: Vec<ArmySpec> = Vec::new();
        for at in &raw.armies {
            let army = &at.value;
            if specs.iter().any(|s| s.id.0 == army.id.value) {
                desk.flaw(&army.id, format!("Army {} is named twice.", army.id.value), "Give it another key.");
            }
            for hex in army.sources.iter().chain(&army.source) {
                if !raw.sources.iter().any(|s| s.value == hex.value) {
                    let message = format!("{} is not among the sources of side {id} (¶84).", hex.value);
                    desk.flaw(hex, message, "Add it to the side's sources.");
                }
            }
            let known = |at: &At<String>, desk: &mut Desk| self.leader(at, &side, desk).map(|l| l.id.clone());
            let leaders: BTreeSet<LeaderId> = army.leaders.iter().filter_map(|l| known(l, desk)).collect();
            if let Some(twice) = leaders.iter().find(|l| specs.iter().any(|s| s.leaders.contains(l))) {
                desk.flaw(at, format!("{twice} is a leader of two armies (¶173)."), "Name him in one of them.");
            }
            let commander = known(&army.commander, desk).unwrap_or_else(|| LeaderId(army.commander.value.clone()));
            let sources = army.sources.iter().filter_map(|h| desk.hex(h, self.map)).collect();
            specs.push(ArmySpec {
                id: ArmyId(army.id.value.clone()),
                name: army.name.clone(),
                commander,
                leaders,
                sources,
            });
        }
        if let [only] = raw.armies.as_slice() {
            desk.flaw(only, "One army of several is no more than its side.", "Name the others, or none.");
        }
        self.phases(&specs, &raw.armies, desk);
        specs
    }

    /// ¶55, 62-63 A title that gives armies phases of their own names them all.
    fn phases(&self, specs: &[ArmySpec], raw: &[At<Army>], desk: &mut Desk) {
        for phases in [&self.exceptions.marches.army_phases, &self.exceptions.combat.army_phases] {
            if phases.is_empty() {
                continue;
            }
            for (spec, at) in specs.iter().zip(raw).filter(|(spec, _)| !phases.contains(&spec.id)) {
                let names: Vec<&str> = phases.iter().map(|a| a.0.as_str()).collect();
                let message = format!("Army {} has no phase in this title (¶55, 63).", spec.id);
                desk.flaw(&at.value.id, message, format!("Its armies are {}.", names.join(", ")));
            }
        }
    }

    /// ¶93 What the armies after the first begin with.
    pub(super) fn army_setups(&self, raw: &[At<Army>], desk: &mut Desk) -> BTreeMap<ArmyId, ArmySetup> {
        let mut setups = BTreeMap::new();
        for at in raw.iter().skip(1) {
            let army = &at.value;
            if army.ap < 0 {
                desk.flaw(at, "Administrative Points are below 0.", "Write 0 or more.");
            }
            let hex = |at: &Option<raw::HexText>, desk: &mut Desk| -> Option<Hex> { desk.hex(at.as_ref()?, self.map) };
            let (source, center) = (hex(&army.source, desk), hex(&army.center, desk));
            let anchor = hex(&army.anchor, desk);
            let center = match (anchor, source, center) {
                (Some(anchor), None, None) => anchor,
                (None, Some(_), Some(center)) => center,
                _ => {
                    let message =
                        format!("Army {} begins with a source and a center, or with an anchor.", army.id.value);
                    desk.flaw(at, message, "Write source and center, or anchor (¶92-93).");
                    continue;
                }
            };
            let (ap, source_garrison, anchor) = (army.ap, army.source_garrison, anchor.is_some());
            setups.insert(ArmyId(army.id.value.clone()), ArmySetup { ap, source, source_garrison, center, anchor });
        }
        setups
    }
}
