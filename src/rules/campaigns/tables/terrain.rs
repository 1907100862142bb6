//! Terrain Effects Chart (¶203, 209-216, 238, 276-284, 293, 353-361).

use super::Forage;
use crate::map::{Crop, Ground, River, Road, Settlement};
use crate::rules::campaigns::board::{Arm, Halves};
use crate::rules::campaigns::tables::chart::{Chart, halves};
use crate::yaml::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Terrain Effects Chart: movement, combat and forage (¶212-216, 276, 353-361).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TerrainEffects {
    ground: Grounds,
    settlements: Settlements,
    roads: Roads,
    crossings: Crossings,
    zoc_exit: ZocExit,
    /// Allowances of counters that are not units, in whole MP.
    pub allowances: Allowances,
    old_guard_bonus: i32,
    mode: ModeCosts,
    /// Limits and fractions in combat.
    pub combat: CombatTerrain,
    /// Greatest stack in SP (¶293).
    pub stack_sp: i32,
    /// Greatest stack in a fortification in SP (¶216).
    pub fort_stack_sp: i32,
    /// What the hex of a force leader yields to who forages in it, where it counts alone (¶275, 277).
    #[serde(default)]
    leaders_hex: Option<LeadersHex>,
}

/// To foot and guns, and to cavalry (¶277).
type ByArm = (Forage, Forage);

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LeadersHex {
    /// Clear ground by the crop of its region (¶275).
    clear: BTreeMap<Crop, ByArm>,
    woods: ByArm,
    hill: ByArm,
    mountain: ByArm,
    swamp: ByArm,
    lake: ByArm,
    village: ByArm,
    town: ByArm,
    depot_town: ByArm,
    city: ByArm,
    citadel: ByArm,
    /// As a town, where it is left out.
    center: Option<ByArm>,
    /// As a depot town, where it is left out.
    primary_town: Option<ByArm>,
    /// As a city, where it is left out.
    capital: Option<ByArm>,
    /// As a citadel, where it is left out.
    fortified_town: Option<ByArm>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Grounds {
    clear: HexEffects,
    woods: HexEffects,
    hill: HexEffects,
    mountain: HexEffects,
    swamp: HexEffects,
    lake: HexEffects,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Settlements {
    village: HexEffects,
    town: HexEffects,
    depot_town: HexEffects,
    city: HexEffects,
    citadel: HexEffects,
    /// As a town, where it is left out.
    center: Option<HexEffects>,
    /// As a depot town, where it is left out.
    primary_town: Option<HexEffects>,
    /// As a city, where it is left out.
    capital: Option<HexEffects>,
    /// As a citadel, where it is left out.
    fortified_town: Option<HexEffects>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct HexEffects {
    /// MP on foot, and mounted.
    mp: (Option<Decimal>, Option<Decimal>),
    affecting: bool,
    cavalry_clear: bool,
    /// Left out where the leader's hex counts alone.
    forage: Option<Decimal>,
    #[serde(default)]
    depot: bool,
    #[serde(default)]
    fortification: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Roads {
    primary: Decimal,
    secondary: Decimal,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Crossings {
    none: SideEffects,
    secondary_river: SideEffects,
    secondary_bridge: SideEffects,
    primary_river: SideEffects,
    primary_bridge: SideEffects,
    pontoon: SideEffects,
    frozen_primary: SideEffects,
    #[serde(default)]
    ford: SideEffects,
    #[serde(default)]
    lake: SideEffects,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SideEffects {
    mp: Option<Decimal>,
    not_by_road: Option<Decimal>,
    affecting: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ZocExit {
    base: Decimal,
    enemy_2_sp: Decimal,
    enemy_1_sp: Decimal,
}

/// Allowances in whole MP.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Allowances {
    /// A vedette (¶230).
    pub vedette: i32,
    /// An unemployed leader (¶40).
    pub unemployed_leader: i32,
    /// A bridge train (¶256).
    pub bridge_train: i32,
    /// A Center of Operations (¶176).
    pub center: i32,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ModeCosts {
    to_forage: Decimal,
    to_concentrated: Decimal,
}

/// What terrain does to strengths in combat (¶356-360).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CombatTerrain {
    /// SP that may attack into a mountain hex (¶356).
    pub mountain_attack_sp: i32,
    /// Quarters of its strength with which infantry attacks into woods (¶357).
    pub woods_infantry_quarters: i32,
    /// The same for cavalry (¶357).
    pub woods_cavalry_quarters: i32,
    /// Quarters of strength into or out of swamp, rounded up to whole SP (¶359).
    pub swamp_quarters: i32,
    /// SP doubled when defending in a fortification (¶360).
    pub fort_double_sp: i32,
}

/// What lies on a hexside, as a mover meets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Crossing {
    /// No river.
    None,
    /// A secondary river without a whole bridge.
    SecondaryRiver,
    /// A bridge over a secondary river.
    SecondaryBridge,
    /// A primary river without a whole bridge.
    PrimaryRiver,
    /// A bridge over a primary river.
    PrimaryBridge,
    /// A pontoon bridge.
    Pontoon,
    /// A frozen primary river or lake (¶209-211).
    FrozenPrimary,
    /// A ford of a primary river (¶373).
    Ford,
    /// The shore of a lake.
    Lake,
}

impl Crossing {
    /// What a river, if any, and a whole bridge make of a hexside; `frozen` in Frost and Snow (¶209-210).
    pub fn of(river: Option<River>, bridge: bool, frozen: bool) -> Crossing {
        match (river, bridge) {
            (None, _) => Crossing::None,
            (Some(River::Secondary), false) => Crossing::SecondaryRiver,
            (Some(River::Secondary), true) => Crossing::SecondaryBridge,
            (Some(River::Primary), true) => Crossing::PrimaryBridge,
            (Some(River::Primary), false) if frozen => Crossing::FrozenPrimary,
            (Some(River::Primary), false) => Crossing::PrimaryRiver,
            (Some(River::Ford | River::Lake), true) => Crossing::PrimaryBridge,
            (Some(River::Ford | River::Lake), false) if frozen => Crossing::FrozenPrimary,
            (Some(River::Ford), false) => Crossing::Ford,
            (Some(River::Lake), false) => Crossing::Lake,
        }
    }

    /// ¶235, 342 Whether zones of control end at it: an unbridged primary river or a lake, on ice too.
    pub fn bars_zones(self) -> bool {
        match self {
            Crossing::PrimaryRiver | Crossing::FrozenPrimary | Crossing::Ford | Crossing::Lake => true,
            Crossing::None
            | Crossing::SecondaryRiver
            | Crossing::SecondaryBridge
            | Crossing::PrimaryBridge
            | Crossing::Pontoon => false,
        }
    }
}

impl TerrainEffects {
    /// ¶212 MP to enter a hex off the road; the dearer of ground and settlement (¶11); `None` is impassable.
    pub fn hex_mp(&self, ground: Ground, settlement: Option<Settlement>, mounted: bool) -> Option<Halves> {
        let of = |effects: &HexEffects| if mounted { effects.mp.1 } else { effects.mp.0 }.map(halves);
        let below = of(self.ground(ground))?;
        settlement.map_or(Some(below), |s| of(self.settlement(s)).map(|above| above.max(below)))
    }

    /// ¶213 MP to enter the next hex of one road.
    pub fn road_mp(&self, road: Road) -> Halves {
        match road {
            Road::Primary => halves(self.roads.primary),
            Road::Secondary => halves(self.roads.secondary),
        }
    }

    /// ¶214 MP added for a hexside; `by_road`: the mover came to the bridge along its road; `None` is impassable.
    pub fn crossing_mp(&self, crossing: Crossing, by_road: bool) -> Option<Halves> {
        let side = self.crossing(crossing);
        if by_road { side.mp } else { side.not_by_road }.map(halves)
    }

    /// ¶353-355 Whether the hex is affecting terrain.
    pub fn hex_affecting(&self, ground: Ground, settlement: Option<Settlement>) -> bool {
        self.ground(ground).affecting || settlement.is_some_and(|s| self.settlement(s).affecting)
    }

    /// ¶353-355 Whether the hexside is affecting terrain.
    pub fn crossing_affecting(&self, crossing: Crossing) -> bool {
        self.crossing(crossing).affecting
    }

    /// ¶199 Whether cavalry counts in the hex for the cavalry differential.
    pub fn cavalry_clear(&self, ground: Ground, settlement: Option<Settlement>) -> bool {
        self.ground(ground).cavalry_clear && settlement.is_none_or(|s| self.settlement(s).cavalry_clear)
    }

    /// ¶276 Forage of a hex in tenths; a settlement's stands for its ground's.
    pub fn forage_tenths(&self, ground: Ground, settlement: Option<Settlement>) -> i32 {
        let found = settlement.map_or(self.ground(ground).forage, |s| self.settlement(s).forage);
        found.map_or(0, |forage| forage.tenths)
    }

    /// ¶275, 277, 282 What the hex of a force leader yields to foot and guns, or to cavalry; a settlement's stands for its
    /// ground's, and clear ground goes by the crop of its region.
    pub fn yields(&self, ground: Ground, settlement: Option<Settlement>, crop: Option<Crop>, horse: bool) -> Forage {
        let Some(table) = &self.leaders_hex else { return Forage::None };
        let found = match (settlement, ground) {
            (Some(Settlement::Village), _) => Some(&table.village),
            (Some(Settlement::Town), _) => Some(&table.town),
            (Some(Settlement::DepotTown), _) => Some(&table.depot_town),
            (Some(Settlement::Center), _) => Some(table.center.as_ref().unwrap_or(&table.town)),
            (Some(Settlement::PrimaryTown), _) => Some(table.primary_town.as_ref().unwrap_or(&table.depot_town)),
            (Some(Settlement::City), _) => Some(&table.city),
            (Some(Settlement::Capital), _) => Some(table.capital.as_ref().unwrap_or(&table.city)),
            (Some(Settlement::FortifiedTown), _) => Some(table.fortified_town.as_ref().unwrap_or(&table.citadel)),
            (Some(Settlement::Citadel), _) => Some(&table.citadel),
            (None, Ground::Clear) => crop.and_then(|crop| table.clear.get(&crop)),
            (None, Ground::Woods) => Some(&table.woods),
            (None, Ground::Hill) => Some(&table.hill),
            (None, Ground::Mountain) => Some(&table.mountain),
            (None, Ground::Swamp) => Some(&table.swamp),
            (None, Ground::Lake) => Some(&table.lake),
        };
        found.map_or(Forage::None, |(foot, mounted)| if horse { *mounted } else { *foot })
    }

    /// ¶275 Whether it says what a leader's hex yields alone, and sums nothing.
    pub fn in_words(&self) -> bool {
        self.leaders_hex.is_some()
    }

    /// ¶238 MP added to leave the ZOC of an enemy of so many SP.
    pub fn zoc_exit(&self, enemy_sp: i32) -> Halves {
        halves(match enemy_sp {
            ..=1 => self.zoc_exit.enemy_1_sp,
            2 => self.zoc_exit.enemy_2_sp,
            _ => self.zoc_exit.base,
        })
    }

    /// ¶203 MP added to a force of Old Guard alone.
    pub fn old_guard_bonus(&self) -> Halves {
        Halves::whole(self.old_guard_bonus)
    }

    /// ¶278 MP to go over to forage mode.
    pub fn to_forage(&self) -> Halves {
        halves(self.mode.to_forage)
    }

    /// ¶278 MP to go over to concentrated mode.
    pub fn to_concentrated(&self) -> Halves {
        halves(self.mode.to_concentrated)
    }

    /// ¶357 Strength with which an arm attacks into woods, to the nearest half; artillery is not reduced.
    pub fn into_woods(&self, arm: Arm, strength: Halves) -> Halves {
        let quarters = match arm {
            Arm::Infantry => self.combat.woods_infantry_quarters,
            Arm::Cavalry => self.combat.woods_cavalry_quarters,
            Arm::Artillery => 4,
        };
        Halves((strength.0 * quarters + 2).div_euclid(4))
    }

    /// ¶359 Strength into or out of swamp, fractions up to whole SP.
    pub fn in_swamp(&self, strength: Halves) -> Halves {
        Halves::whole((strength.0 * self.combat.swamp_quarters + 7).div_euclid(8))
    }

    /// ¶360 Strength of a defender in a fortification.
    pub fn in_fortification(&self, strength: Halves) -> Halves {
        strength + strength.min(Halves::whole(self.combat.fort_double_sp))
    }

    fn ground(&self, ground: Ground) -> &HexEffects {
        match ground {
            Ground::Clear => &self.ground.clear,
            Ground::Woods => &self.ground.woods,
            Ground::Hill => &self.ground.hill,
            Ground::Mountain => &self.ground.mountain,
            Ground::Swamp => &self.ground.swamp,
            Ground::Lake => &self.ground.lake,
        }
    }

    fn settlement(&self, settlement: Settlement) -> &HexEffects {
        let table = &self.settlements;
        match settlement {
            Settlement::Village => &table.village,
            Settlement::Town => &table.town,
            Settlement::Center => table.center.as_ref().unwrap_or(&table.town),
            Settlement::DepotTown => &table.depot_town,
            Settlement::PrimaryTown => table.primary_town.as_ref().unwrap_or(&table.depot_town),
            Settlement::City => &table.city,
            Settlement::Capital => table.capital.as_ref().unwrap_or(&table.city),
            Settlement::FortifiedTown => table.fortified_town.as_ref().unwrap_or(&table.citadel),
            Settlement::Citadel => &table.citadel,
        }
    }

    fn crossing(&self, crossing: Crossing) -> &SideEffects {
        match crossing {
            Crossing::None => &self.crossings.none,
            Crossing::SecondaryRiver => &self.crossings.secondary_river,
            Crossing::SecondaryBridge => &self.crossings.secondary_bridge,
            Crossing::PrimaryRiver => &self.crossings.primary_river,
            Crossing::PrimaryBridge => &self.crossings.primary_bridge,
            Crossing::Pontoon => &self.crossings.pontoon,
            Crossing::FrozenPrimary => &self.crossings.frozen_primary,
            Crossing::Ford => &self.crossings.ford,
            Crossing::Lake => &self.crossings.lake,
        }
    }

    fn hexes(&self) -> Vec<(&'static str, &HexEffects)> {
        let (g, s) = (&self.ground, &self.settlements);
        let more = [
            ("center", &s.center),
            ("primary_town", &s.primary_town),
            ("capital", &s.capital),
            ("fortified_town", &s.fortified_town),
        ];
        let always = [
            ("clear", &g.clear),
            ("woods", &g.woods),
            ("hill", &g.hill),
            ("mountain", &g.mountain),
            ("swamp", &g.swamp),
            ("lake", &g.lake),
            ("village", &s.village),
            ("town", &s.town),
            ("depot_town", &s.depot_town),
            ("city", &s.city),
            ("citadel", &s.citadel),
        ];
        always.into_iter().chain(more.into_iter().filter_map(|(name, found)| Some((name, found.as_ref()?)))).collect()
    }
}

impl Chart for TerrainEffects {
    const NAME: &'static str = "terrain_effects";

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let fine = |d: Option<Decimal>| d.is_none_or(|d| d.tenths >= 0 && d.tenths % 5 == 0);
        for (name, effects) in self.hexes() {
            let (foot, mounted) = effects.mp;
            if !fine(foot) || !fine(mounted) {
                faults.push(format!("P-TEC-2: {name}: mp must be whole or half numbers from 0"));
            }
            if foot.is_some() != mounted.is_some() || mounted < foot {
                faults.push(format!("P-TEC-2: {name}: mounted must not be cheaper than on foot"));
            }
            if effects.forage.is_some() == self.leaders_hex.is_some() {
                faults.push(format!("P-TEC-5: {name}: give its forage, or what it yields under leaders_hex (¶275)"));
            }
            if effects.forage.is_some_and(|forage| forage.tenths < 0) {
                faults.push(format!("P-TEC-5: {name}: forage must not be negative"));
            }
            if effects.fortification && !(effects.affecting && effects.depot) {
                faults.push(format!("P-TEC-9: {name}: a fortification must be affecting and a depot"));
            }
        }
        let sum =
            self.forage_tenths(Ground::Clear, Some(Settlement::Town)) + 6 * self.forage_tenths(Ground::Clear, None);
        if self.leaders_hex.is_none() && sum != 102 {
            faults.push("P-TEC-1: a town and six clear hexes must forage 10.2 (¶276)".to_owned());
        }
        if self.leaders_hex.as_ref().is_some_and(|table| table.clear.len() != 3) {
            faults.push("P-TEC-10: leaders_hex must name oats, wheat and potatoes for clear ground (¶275)".to_owned());
        }
        if self.road_mp(Road::Primary) != Halves(1) || !fine(Some(self.roads.secondary)) {
            faults.push("P-TEC-3: a primary road hex must cost half an MP (¶213)".to_owned());
        }
        if [3, 2, 1].map(|sp| self.zoc_exit(sp)) != [2, 1, 0].map(Halves::whole) {
            faults.push("P-TEC-7: leaving a ZOC must cost 2, 1 and 0 MP against 3, 2 and 1 SP (¶238)".to_owned());
        }
        let plain = [Settlement::Village, Settlement::Town, Settlement::Center];
        if plain.into_iter().any(|kind| self.settlement(kind).affecting) {
            faults.push("P-TEC-8: villages, towns and Centers must not be affecting (¶355)".to_owned());
        }
        faults
    }
}
