//! The named policies in which one title departs from the common rules: the coloured exceptions of the rulebook.
//!
//! A title's file names what it does its own way; what it leaves out is as the paragraph itself says. The rules ask for
//! a policy by its name and never for a year. Numbers of charts are not here but in the title's charts.

use super::board::ArmyId;
use super::tables::{AttritionColumn, Provenance};
use crate::fog::SideId;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// All exceptions of a title.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Exceptions {
    /// Administration (¶72-107).
    pub administration: Administration,
    /// Replacements, leaders, units (¶108-136).
    pub organization: Organization,
    /// Movement (¶147-231).
    pub marches: Marches,
    /// Weather (¶205-211, 341-346).
    pub weather: WeatherEffects,
    /// Ground and stacks (¶214-217, 293).
    pub ground: GroundRules,
    /// March attrition (¶262-270).
    pub attrition: AttritionRules,
    /// Foraging (¶271-288).
    pub forage: ForageRules,
    /// Combat (¶298-410).
    pub combat: CombatRules,
    /// Redoubts (¶216, 295), in the titles that have them.
    pub redoubts: Option<RedoubtRules>,
}

/// Redoubts of a title (¶216, 295, 360; 1807, 1809). The consolidated rules leave how they are dug to each title's
/// exclusive rules.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RedoubtRules {
    /// Who made the figures.
    pub provenance: Provenance,
    /// What they rest on.
    pub source: String,
    /// Player-turns of digging that a redoubt takes, the first among them.
    pub turns: u32,
    /// Hexsides of one redoubt, at most.
    pub hexsides: u32,
    /// Whether those who defend one are doubled as in a fortified town (¶360; 1807).
    pub doubled: bool,
}

/// Exceptions of administration (¶72-107).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Administration {
    /// Every supply source that no enemy counter stands in is active and serves as a center that neither moves nor is
    /// disbanded nor changed; each brings one AP a turn; commands reach from any depot with a line to one (¶75, 92, 96,
    /// 102, 106, 167, 176; 1792).
    pub sources_are_centers: bool,
    /// AP of each turn by side or army, instead of the AP Pool; none is stored (¶96; 1815).
    pub fixed_ap: BTreeMap<String, i32>,
    /// AP of each Fortnight by side, less its Army Condition, instead of what its source brings (¶96; 1796).
    pub fortnight_ap: BTreeMap<String, i32>,
}

impl Administration {
    /// ¶96 The fixed AP of an army, its own number before that of its side.
    pub fn fixed(&self, side: &SideId, army: Option<&ArmyId>) -> Option<i32> {
        of_army(&self.fixed_ap, side, army)
    }
}

/// What a title says of an army by its name, or of its side as a whole.
pub fn of_army<T: Copy>(said: &BTreeMap<String, T>, side: &SideId, army: Option<&ArmyId>) -> Option<T> {
    army.and_then(|army| said.get(&army.0)).or_else(|| said.get(&side.0)).copied()
}

/// Exceptions of replacements, leaders and units (¶108-136).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Organization {
    /// Leaders have a rank, and command only leaders of a lower one; generals, of the lowest, command units alone (¶38;
    /// 1792).
    pub ranks: bool,
    /// Garrisons stand on a leader's track like other units, take up one of his span and do not march (¶23; 1815).
    pub garrisons_on_tracks: bool,
    /// Garrisons on tracks are those of frontier fortresses: they take strength of any arm and give none (¶132; 1792).
    pub fortress_garrisons: bool,
    /// Guard points that are not spent in the turn they come are ordinary ones (¶109; 1809).
    pub guard_points_pass: bool,
    /// Only units marked as replacement counters wait in the box (¶126; 1796).
    pub marked_replacements: bool,
    /// A unit takes replacements and strength of its own quality only (¶109, 118; 1814).
    pub equal_quality: bool,
    /// A reinforcement that enters beyond its own army's communications may be given to the other one (¶155; 1814).
    pub reinforcements_assigned: bool,
    /// Nations whose units may go from one army of their side to another; those of no other nation may (¶173; 1814).
    pub armies_exchange: BTreeSet<String>,
}

/// Exceptions of movement (¶147-231).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Marches {
    /// There is no Extended March (¶185; 1815).
    pub no_extended: bool,
    /// How many Administrative Marches a side may have under way (¶187).
    pub administrative: Administrative,
    /// An enemy counter at so many hexes or fewer ends an Administrative March (¶188); six where this is left out.
    pub administrative_watch: Option<u32>,
    /// Armies of one side that have a Movement Phase each, in this order (¶55, 151; 1814, 1815).
    pub army_phases: Vec<ArmyId>,
    /// Those armies have a Forced March segment each too, in the same order (¶62, 151; 1814).
    pub army_forced_marches: bool,
    /// The Second Player makes a Forced March before the first turn, of so many MP at most (¶430-433).
    pub pre_game_mp: Option<i32>,
}

/// How many Administrative Marches a side may have under way (¶187).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Administrative {
    /// One at a time.
    #[default]
    One,
    /// Any number (1792).
    Any,
    /// None (1807, 1815).
    Never,
}

/// Exceptions of weather (¶205-211, 341-346).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct WeatherEffects {
    /// Mud doubles what foot, guns and trains pay for a hex, up to so many MP, and the length of lines and dispatches
    /// (¶205; 1807).
    pub mud_doubles_up_to: Option<i32>,
    /// Lakes freeze in Frost, and are crossed as secondary rivers (¶209, 342; 1807).
    pub lakes_freeze: bool,
    /// The guns are not heard in Snow (¶339; 1807).
    pub snow_muffles_guns: bool,
    /// Mud takes a defender's loss down by one for each asterisk of the result (¶344; 1807).
    pub mud_asterisks: bool,
}

/// Exceptions of ground and stacks (¶214-217, 293).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GroundRules {
    /// Crests are hexes, and mountains in every respect (¶215, 356; 1792); elsewhere they are hexsides.
    pub crest_hexes: bool,
    /// No hex holds units of two nationalities at the end of a phase (¶293; 1792).
    pub one_nation_hex: bool,
    /// No hex holds forces of two armies of a side at the end of a phase (¶293; 1815).
    pub one_army_hex: bool,
}

/// Exceptions of march attrition (¶262-270).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AttritionRules {
    /// The column of a side or army in supply, whatever its AP (¶266; 1815).
    pub columns: BTreeMap<String, AttritionColumn>,
}

/// Exceptions of foraging (¶271-288).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ForageRules {
    /// Nobody forages in an enemy zone of control (¶284; 1807).
    pub not_in_zones: bool,
    /// Foragers whose neighbouring hexes touch count together (¶286; 1807).
    pub neighbours_count: bool,
    /// The hex of the force leader counts alone, by its ground and the crop of its region (¶275, 283; 1807).
    pub leaders_hex: bool,
    /// Foraging cavalry is rolled for by itself, by values of its own (¶277; 1807).
    pub cavalry_apart: bool,
}

/// Exceptions of combat (¶298-410).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CombatRules {
    /// Armies of one side that have a Combat Phase each, in this order, and the enemy a Forced March segment in each
    /// (¶63; 1815).
    pub army_phases: Vec<ArmyId>,
    /// SP in line on each hexside (¶317); 20 where this is left out.
    pub hexside_sp: Option<i32>,
    /// SP in line at a defile (¶317, 325); 9 where this is left out.
    pub defile_sp: Option<i32>,
    /// Bridges over secondary rivers are defiles too (¶325; 1796).
    pub secondary_bridge_defiles: bool,
    /// No Pitched attack over a primary river, bridged or not (¶329; 1792).
    pub no_pitched_over_primary: bool,
    /// Only the French may move batteries forward (¶349; 1807).
    pub french_batteries_only: bool,
    /// Strength falls by a quarter over crests (¶358; 1815).
    pub crests_weaken: bool,
    /// The span that one side's leader must have for a critical battle (¶395; 1792).
    pub critical_span: Option<i32>,
}

impl Exceptions {
    /// Contradictions in a title, each as a sentence with its cure; `forage` is the title's switch (¶271).
    pub fn contradictions(&self, forage: bool) -> Vec<(String, &'static str)> {
        let mut found = Vec::new();
        let ForageRules { not_in_zones, neighbours_count, leaders_hex, cavalry_apart } = self.forage;
        let foraging = not_in_zones || neighbours_count || leaders_hex || cavalry_apart;
        if foraging && !forage {
            let message = "The title has rules of foraging and does not permit it (¶271).";
            found.push((message.to_owned(), "Write forage: true, or take the group out."));
        }
        if cavalry_apart && !leaders_hex {
            let message = "Cavalry forages by values of its own (¶277), and leaders_hex (¶275) is off.";
            found.push((message.to_owned(), "Write leaders_hex: true."));
        }
        if self.administration.sources_are_centers && !self.administration.fixed_ap.is_empty() {
            let message = "AP come from the sources (¶96, 1792) and as a fixed number (¶96, 1815).";
            found.push((message.to_owned(), "Take sources_are_centers or fixed_ap out."));
        }
        if self.organization.fortress_garrisons && !self.organization.garrisons_on_tracks {
            let message = "Fortress garrisons stand on tracks (¶132), and garrisons_on_tracks is off.";
            found.push((message.to_owned(), "Write garrisons_on_tracks: true."));
        }
        if self.marches.administrative == Administrative::Never && self.marches.administrative_watch.is_some() {
            let message = "There is no Administrative March, and a distance that ends it (¶187-188).";
            found.push((message.to_owned(), "Take administrative_watch out."));
        }
        for (name, n) in [("hexside_sp", self.combat.hexside_sp), ("defile_sp", self.combat.defile_sp)] {
            if n.is_some_and(|n| n < 1) {
                found.push((format!("{name} is below 1 (¶317)."), "Write 1 or more."));
            }
        }
        if let Some(rules) = &self.redoubts {
            if rules.turns < 1 {
                found.push(("A redoubt takes 0 turns of digging (¶295).".to_owned(), "Write turns: 1 or more."));
            }
            if !(1..=6).contains(&rules.hexsides) {
                let message = format!("A redoubt would have {} hexsides (¶295).", rules.hexsides);
                found.push((message, "Write hexsides: 1 to 6."));
            }
        }
        if self.marches.pre_game_mp.is_some_and(|n| n < 1) {
            found.push(("pre_game_mp is below 1 (¶432).".to_owned(), "Write 1 or more, or take it out."));
        }
        found
    }

    /// ¶317 SP of infantry and cavalry that may be in line on a hexside.
    pub fn hexside_sp(&self) -> i32 {
        self.combat.hexside_sp.unwrap_or(20)
    }

    /// ¶317, 325 The same at a defile.
    pub fn defile_sp(&self) -> i32 {
        self.combat.defile_sp.unwrap_or(9)
    }

    /// ¶188 Hexes at which an enemy counter ends an Administrative March.
    pub fn administrative_watch(&self) -> u32 {
        self.marches.administrative_watch.unwrap_or(6)
    }
}
