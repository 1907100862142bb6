//! Weather Table (¶70-71).

use crate::rules::campaigns::tables::chart::{Chart, nth_of};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

/// A state of the weather (¶71); several may hold at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Weather {
    /// No effects (¶208).
    Fair,
    /// Rain (¶207).
    Rain,
    /// Mud (¶205).
    Mud,
    /// Snow (¶210).
    Snow,
    /// Frost (¶209).
    Frost,
    /// Fog (¶159).
    Fog,
    /// Heat (¶206).
    Heat,
    /// Frost and Snow together, with primary rivers frozen (¶211).
    Severe,
}

/// The weather of a turn: one state or several together; written `Rain+Fog`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Conditions(BTreeSet<Weather>);

/// Weather Table: a natural die and the weather of last turn (¶70).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WeatherTable {
    states: Vec<Weather>,
    after_dry: Vec<Conditions>,
    after_rain_or_mud: Vec<Conditions>,
    #[serde(default)]
    seasons: Vec<Season>,
}

/// Columns of their own for the months named; a turn is in the first season of which its date names a month.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Season {
    months: Vec<String>,
    after_dry: Vec<Conditions>,
    after_rain_or_mud: Vec<Conditions>,
}

impl Weather {
    /// All states in their fixed order.
    pub const ALL: [Weather; 8] = [
        Weather::Fair,
        Weather::Rain,
        Weather::Mud,
        Weather::Snow,
        Weather::Frost,
        Weather::Fog,
        Weather::Heat,
        Weather::Severe,
    ];

    /// Its name as players say it.
    pub fn name(self) -> &'static str {
        match self {
            Weather::Fair => "Fair",
            Weather::Rain => "Rain",
            Weather::Mud => "Mud",
            Weather::Snow => "Snow",
            Weather::Frost => "Frost",
            Weather::Fog => "Fog",
            Weather::Heat => "Heat",
            Weather::Severe => "Severe",
        }
    }
}

impl Conditions {
    /// The weather of the states named.
    pub fn of(states: &[Weather]) -> Conditions {
        Conditions(states.iter().copied().collect())
    }

    /// Reads `Fair` or `Rain+Fog`.
    pub fn parse(text: &str) -> Option<Conditions> {
        let named = |word: &str| Weather::ALL.into_iter().find(|w| w.name().eq_ignore_ascii_case(word.trim()));
        text.split('+').map(named).collect::<Option<BTreeSet<Weather>>>().map(Conditions)
    }

    /// ¶70, 211 Whether the effects of a state hold: Severe has those of Frost and Snow.
    pub fn has(&self, state: Weather) -> bool {
        let severe = matches!(state, Weather::Frost | Weather::Snow) && self.0.contains(&Weather::Severe);
        severe || self.0.contains(&state)
    }

    /// The states in their fixed order.
    pub fn states(&self) -> impl Iterator<Item = Weather> + '_ {
        self.0.iter().copied()
    }

    /// ¶209-210 Whether primary rivers and lakes are frozen (1805).
    pub fn freezes(&self) -> bool {
        self.has(Weather::Frost) || self.has(Weather::Snow)
    }

    fn wet(&self) -> bool {
        self.has(Weather::Rain) || self.has(Weather::Mud)
    }
}

impl WeatherTable {
    /// ¶70 The weather of a turn: one natural die of the First Player, after the weather of last turn. Rain after Mud
    /// is Rain and Mud.
    pub fn roll(&self, date: &str, last: &Conditions, die: i32) -> Conditions {
        let season = self.seasons.iter().find(|s| s.months.iter().any(|month| date.contains(month.as_str())));
        let (dry, wet) =
            season.map_or((&self.after_dry, &self.after_rain_or_mud), |s| (&s.after_dry, &s.after_rain_or_mud));
        let column = if last.wet() { wet } else { dry };
        let mut now = nth_of(column, usize::try_from(die - 1).unwrap_or(0)).cloned().unwrap_or_default();
        if last.has(Weather::Mud) && now.has(Weather::Rain) {
            now.0.insert(Weather::Mud);
        }
        now
    }

    /// Every column with its name.
    fn columns(&self) -> Vec<(&'static str, &Vec<Conditions>)> {
        let mut found = vec![("after_dry", &self.after_dry), ("after_rain_or_mud", &self.after_rain_or_mud)];
        for season in &self.seasons {
            found.push(("a season's after_dry", &season.after_dry));
            found.push(("a season's after_rain_or_mud", &season.after_rain_or_mud));
        }
        found
    }

    /// ¶71 States that the title knows.
    pub fn states(&self) -> &[Weather] {
        &self.states
    }
}

impl Chart for WeatherTable {
    const NAME: &'static str = "weather";

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (name, column) in self.columns() {
            if column.len() != 6 {
                faults.push(format!("P-WEA-3: {name} must have six entries"));
            }
            for entry in column {
                if let Some(state) = entry.states().find(|state| !self.states.contains(state)) {
                    faults.push(format!("P-WEA-1: {name}: {} is not a state of this title", state.name()));
                }
                if entry.states().count() > 1 && entry.0.contains(&Weather::Fair) {
                    faults.push(format!("P-WEA-1: {name}: {entry}: Fair goes with nothing else"));
                }
                let carried = [Weather::Snow, Weather::Mud, Weather::Rain].iter().any(|w| entry.has(*w));
                if entry.has(Weather::Fog) && (!carried || entry.has(Weather::Fair) || entry.has(Weather::Frost)) {
                    faults.push(format!("P-WEA-5: {name}: {entry}: Fog comes only with Snow, Mud or Rain"));
                }
            }
        }
        let mut all = self.columns().into_iter().flat_map(|(_, column)| column);
        let shown: BTreeSet<Weather> = all.by_ref().flat_map(Conditions::states).collect();
        if let Some(state) = self.states.iter().find(|state| !shown.contains(state)) {
            faults.push(format!("P-WEA-2: {} never occurs", state.name()));
        }
        faults
    }
}

impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|w| w.name()).collect();
        f.write_str(&names.join("+"))
    }
}

impl From<Conditions> for String {
    fn from(conditions: Conditions) -> String {
        conditions.to_string()
    }
}

impl TryFrom<String> for Conditions {
    type Error = String;

    fn try_from(text: String) -> Result<Conditions, String> {
        Conditions::parse(&text).ok_or_else(|| {
            format!("\"{text}\" is not weather: Fair, Rain, Mud, Snow, Frost, Fog, Heat, Severe, or some of them joined by +")
        })
    }
}

impl JsonSchema for Conditions {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Conditions".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "type": "string", "examples": ["Fair", "Rain+Fog"] })
    }
}
