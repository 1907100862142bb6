//! What is printed: map, counters, tables, calendar and set-up of one scenario (¶9-29, 417-429).
//!
//! A board never changes during a game. Everything on it but the set-up of the other side is public.

use super::exceptions::Exceptions;
pub use super::ids::{Arm, ArmyId, GUARD, Halves, LeaderId, Quality, UnitId};
use super::lanes::Lanes;
use super::redoubts::Redoubt;
use super::special::Special;
use super::tables::Tables;
use crate::fog::SideId;
use crate::hex::{Hex, Hexside};
use crate::map::HexMap;
use crate::memo::Memo;
use std::collections::{BTreeMap, BTreeSet};

/// A side as printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideSpec {
    /// Its id.
    pub id: SideId,
    /// Its name in reports, such as `Austro-Russian`.
    pub name: String,
    /// The name of its army.
    pub army: String,
    /// Its army commander (¶113).
    pub commander: LeaderId,
    /// Whether it has Napoleon's Guard to stake and other French exceptions.
    pub french: bool,
    /// Hexes that may be its supply source (¶75).
    pub sources: Vec<Hex>,
    /// Arms whose replacement points a marker can store (¶20, 110).
    pub pool_markers: Vec<Arm>,
    /// The most AP that its track holds (¶100).
    pub ap_max: Option<i32>,
    /// Vedettes that may come with each force (¶24, 158).
    pub vedettes_per_force: u32,
    /// Its armies, where it has several (¶93); the first has the side's own set-up.
    pub armies: Vec<ArmySpec>,
}

/// One of several armies of a side (¶84, 93, 113).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArmySpec {
    /// Its key.
    pub id: ArmyId,
    /// Its name, such as `Army of Silesia`.
    pub name: String,
    /// Its commander (¶113).
    pub commander: LeaderId,
    /// Its leaders; those whom no army names are of the first.
    pub leaders: BTreeSet<LeaderId>,
    /// Hexes that may be its supply source (¶84).
    pub sources: Vec<Hex>,
}

/// A leader counter (¶19).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaderSpec {
    /// Its key.
    pub id: LeaderId,
    /// Its side.
    pub side: SideId,
    /// Name as printed.
    pub name: String,
    /// Three capitals, unique in the side.
    pub code: String,
    /// Nationality (¶118, 428); that of most of his units where the scenario is silent.
    pub nationality: String,
    /// Initiative rating.
    pub initiative: i32,
    /// Stars (¶44).
    pub bonus: i32,
    /// Subordination value.
    pub subordination: Halves,
    /// Command span.
    pub span: Halves,
    /// `Some` for a Major General of that arm (¶21).
    pub major_general: Option<Arm>,
    /// Whether he keeps his rating over infantry and guns, though he is a Cavalry Major General (¶36).
    pub keeps_rating: bool,
    /// His rank, 1 the highest, where leaders have ranks (¶38).
    pub rank: Option<u8>,
    /// The highest box of his track, where units are held to it (¶23, 39, 117).
    pub top_box: Option<i32>,
    /// The one unit that he may command (¶124-125).
    pub own_unit: Option<OwnUnit>,
}

/// The one unit that a leader may command (¶124-125).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnUnit {
    /// Which.
    pub unit: UnitId,
    /// Whether his counter dies with it (¶124), and does not stay (¶125).
    pub dies: bool,
}

/// A combat unit counter (¶14-18).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitSpec {
    /// Its key.
    pub id: UnitId,
    /// Its side.
    pub side: SideId,
    /// Name as printed.
    pub name: String,
    /// Its arm; garrisons are infantry.
    pub arm: Arm,
    /// Nationality (¶118).
    pub nationality: String,
    /// Quality (¶270).
    pub quality: Quality,
    /// Subordination value.
    pub subordination: Halves,
    /// Greatest strength in SP (¶16).
    pub max_sp: i32,
    /// Movement allowance in MP (¶17).
    pub allowance: Halves,
    /// Whether it is a garrison (¶22).
    pub garrison: bool,
    /// Whether it is a March Regiment: an empty counter that may be filled again and again (¶115-117).
    pub march_regiment: bool,
    /// Whether it is marked as a replacement counter (¶126).
    pub replacement: bool,
    /// The infantry half of the formation whose cavalry half this is (¶424).
    pub foot: Option<UnitId>,
}

/// One force, or one subordinate, of a set-up (¶417-429).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupForce {
    /// Its leader; `None` for a garrison.
    pub leader: Option<LeaderId>,
    /// Its hex.
    pub hex: Hex,
    /// The force leader it is subordinate to, if any.
    pub under: Option<LeaderId>,
    /// Strengths in SP.
    pub units: BTreeMap<UnitId, i32>,
}

/// The set-up of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideSetup {
    /// The active supply source (¶76).
    pub source: Hex,
    /// SP of its garrison while it has never moved (¶77).
    pub source_garrison: i32,
    /// Hex of the Center of Operations (¶92).
    pub center: Hex,
    /// Administrative Points at the start.
    pub ap: i32,
    /// Leaders with a bridge train (¶255).
    pub bridge_trains: Vec<LeaderId>,
    /// Vedettes in the counter mix (¶24).
    pub vedettes: u32,
    /// Forces on the map and their subordinates.
    pub forces: Vec<SetupForce>,
    /// Administration of the side's armies after the first (¶93).
    pub armies: BTreeMap<ArmyId, ArmySetup>,
}

/// The administration of an army that is not the first of its side, at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArmySetup {
    /// Administrative Points.
    pub ap: i32,
    /// The active supply source; none for an army with an anchor.
    pub source: Option<Hex>,
    /// SP of its garrison (¶77).
    pub source_garrison: i32,
    /// Hex of its center; that of its anchor, where it has one.
    pub center: Hex,
    /// Whether the center is a place that does not move and needs no line (¶92).
    pub anchor: bool,
}

/// A reinforcement (¶154-163).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reinforcement {
    /// Turn of entry.
    pub turn: u32,
    /// Its side.
    pub side: SideId,
    /// Leader who brings it.
    pub leader: LeaderId,
    /// Entry hex.
    pub hex: Hex,
    /// Strengths in SP.
    pub units: BTreeMap<UnitId, i32>,
}

/// Replacement points that come to a pool (¶108-109).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// Turn on which they come.
    pub turn: u32,
    /// Side.
    pub side: SideId,
    /// Nationality (¶118).
    pub nationality: String,
    /// Points by arm.
    pub points: BTreeMap<Arm, i32>,
}

/// A place whose capture counts (¶415); house values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objective {
    /// Its hex.
    pub hex: Hex,
    /// Its name.
    pub name: String,
    /// Points to each side that captures it.
    pub points: BTreeMap<SideId, i32>,
    /// Spaces that the morale marker moves toward a side when it captures the place.
    pub morale: BTreeMap<SideId, i32>,
}

/// What the opening mail says to a side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Briefing {
    /// The situation.
    pub situation: String,
    /// Lines of the set-up that the first orders build on.
    pub setup: Vec<String>,
    /// First orders, each with what it is for.
    pub first: Vec<(String, String)>,
    /// What a newcomer gets wrong.
    pub cautions: Vec<String>,
}

/// The choices in which one title differs from another, by name (¶ coloured exceptions).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policies {
    /// The title whose table columns apply, such as `1805`.
    pub title: String,
    /// Primary rivers freeze in Frost and Snow (¶209-210).
    pub rivers_freeze: bool,
    /// Fog: extra French vedettes, false reports (¶159, 248, 300).
    pub fog: bool,
    /// Units may forage (¶271).
    pub forage: bool,
    /// A unit's last SP is not given to another one (¶133).
    pub last_sp_stays: bool,
    /// A leader's own units are of his nationality (¶129).
    pub own_nation_units: bool,
    /// Reinforcements make no Extended March (¶160).
    pub reinforcements_plain: bool,
    /// Reserve rules are in play (¶315).
    pub reserves: bool,
    /// Initiative and attrition rolls, losses, replacements are kept secret (¶33).
    pub security: bool,
    /// March to the sound of the guns is in play (¶337).
    pub sound_of_guns: bool,
    /// Rearguard battle type is in play (¶335).
    pub rearguard: bool,
    /// Batteries Forward is in play (¶349).
    pub batteries_forward: bool,
    /// Battlefield Dynamics is in play (¶409).
    pub dynamics: bool,
    /// One player has both sides, and a force met may prove to be another (Solitaire 1-5).
    pub solitaire: bool,
    /// SP lost above which a battle can be critical (¶395).
    pub critical_over: i32,
    /// Turns on which a side draws no AP (¶96).
    pub no_ap_turns: BTreeMap<SideId, BTreeSet<u32>>,
    /// Turns on which a side may give no Movement Command (¶168).
    pub no_command_turns: BTreeMap<SideId, BTreeSet<u32>>,
    /// Supply sources whose AP column is one worse (¶75).
    pub worse_sources: BTreeSet<Hex>,
    /// Greatest stack in SP (¶293).
    pub stack_sp: i32,
    /// Greatest stack in a fortification in SP (¶216).
    pub fort_stack_sp: i32,
    /// SP doubled when defending in a fortification (¶360).
    pub fort_double_sp: i32,
    /// Dispatch distance in MP (¶86).
    pub dispatch_mp: i32,
    /// That of sides which have another one.
    pub dispatch_of: BTreeMap<SideId, i32>,
    /// Greatest effective length of an LOC in hexes (¶81).
    pub max_loc: i32,
    /// The same by side.
    pub max_loc_of: BTreeMap<SideId, i32>,
    /// Foot and horse of one force are rolled for with one die as if they were two (¶265).
    pub split_attrition: bool,
    /// Morale levels that end the game (¶412, 416); the track runs from -this to +this.
    pub morale_limit: i32,
    /// Points of objectives held at the end that win (¶416); house.
    pub strategic_points: i32,
    /// The side that has won where neither has them (¶416); house, none for a draw.
    pub holds_out: Option<SideId>,
}

/// Everything printed for one scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Key such as `1805-moravia`.
    pub id: String,
    /// Title for reports.
    pub title: String,
    /// The map.
    pub map: HexMap,
    /// By what words its places are known, folded, once they were asked for.
    pub forms: Memo<(), Vec<(String, Hex)>, 1>,
    /// Sides, the First Player first (¶52).
    pub sides: Vec<SideSpec>,
    /// Leaders.
    pub leaders: BTreeMap<LeaderId, LeaderSpec>,
    /// Units.
    pub units: BTreeMap<UnitId, UnitSpec>,
    /// First and last turn.
    pub turns: (u32, u32),
    /// Dates of the turns, such as `15-16 Nov 1805`.
    pub calendar: BTreeMap<u32, String>,
    /// Weather of the turn before the first, and historical weather where it is used (¶70).
    pub historical_weather: BTreeMap<u32, String>,
    /// Set-up of each side.
    pub setup: BTreeMap<SideId, SideSetup>,
    /// Bridges damaged at the start.
    pub damaged: BTreeSet<Hexside>,
    /// Trestles that stand at the start (¶61).
    pub trestles: BTreeSet<Hexside>,
    /// Redoubts at the start, by side (¶295).
    pub redoubts: BTreeMap<SideId, BTreeMap<Hex, Redoubt>>,
    /// Reinforcements in the order of the track.
    pub reinforcements: Vec<Reinforcement>,
    /// Replacements in the order of the track.
    pub replacements: Vec<Replacement>,
    /// Leaders who may be raised as replacements (¶112).
    pub replacement_leaders: BTreeSet<LeaderId>,
    /// Objectives.
    pub objectives: Vec<Objective>,
    /// The title's policies and the game's options.
    pub policies: Policies,
    /// What the opening mail says to each side.
    pub briefings: BTreeMap<SideId, Briefing>,
    /// What the title does its own way.
    pub exceptions: Exceptions,
    /// The places, leaders and dates that this needs.
    pub special: Special,
    /// Charts.
    pub tables: Tables,
    /// What has been found on the map lately.
    pub lanes: Lanes,
}

impl Policies {
    /// ¶86 Dispatch distance of a side in MP.
    pub fn dispatch_mp(&self, side: &SideId) -> i32 {
        self.dispatch_of.get(side).copied().unwrap_or(self.dispatch_mp)
    }

    /// ¶81 Greatest effective length of a side's LOC in hexes.
    pub fn max_loc(&self, side: &SideId) -> i32 {
        self.max_loc_of.get(side).copied().unwrap_or(self.max_loc)
    }
}

impl Board {
    /// The other side of a two-sided game.
    pub fn enemy(&self, side: &SideId) -> SideId {
        self.sides.iter().map(|s| &s.id).find(|id| *id != side).unwrap_or(side).clone()
    }

    /// ¶43 Whether leaders lost by a side come back: where the scenario offers no replacement leaders.
    pub fn leaders_return(&self, side: &SideId) -> bool {
        let mut offered = self.replacement_leaders.iter().filter_map(|id| self.leaders.get(id));
        !offered.any(|leader| leader.side == *side)
    }

    /// ¶112, 421 Whether a scenario names a leader: in the set-up, on the track, or as a replacement.
    pub fn names(&self, leader: &LeaderId) -> bool {
        let forces = self.setup.values().flat_map(|s| &s.forces);
        self.replacement_leaders.contains(leader)
            || self.reinforcements.iter().any(|r| r.leader == *leader)
            || forces.filter_map(|f| f.leader.as_ref()).any(|l| l == leader)
    }

    /// ¶38 Whether one leader may have another under him: where leaders have ranks, one of a lower rank than his.
    pub fn outranks(&self, leader: &LeaderId, other: &LeaderId) -> bool {
        let rank = |id: &LeaderId| self.leaders.get(id).and_then(|l| l.rank);
        match (self.exceptions.organization.ranks, rank(leader), rank(other)) {
            (true, Some(own), Some(his)) => own < his,
            _ => true,
        }
    }

    /// ¶23, 39, 117 The most SP that a unit may have on a leader's track.
    pub fn most_sp(&self, unit: &UnitSpec, leader: Option<&LeaderId>) -> i32 {
        let top = leader.and_then(|l| self.leaders.get(l)).and_then(|l| l.top_box);
        top.map_or(unit.max_sp, |top| unit.max_sp.min(top))
    }

    /// A side's printed facts.
    pub fn side(&self, side: &SideId) -> Option<&SideSpec> {
        self.sides.iter().find(|s| &s.id == side)
    }
}
