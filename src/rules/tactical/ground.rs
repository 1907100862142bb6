//! Arms, and what a kind of ground costs each of them and does to who stands on it.

use serde::{Deserialize, Serialize};

/// The arms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Arm {
    /// Foot.
    #[default]
    Inf,
    /// Horse.
    Cav,
    /// Guns.
    Art,
}

impl Arm {
    /// All of them.
    pub const ALL: [Arm; 3] = [Arm::Inf, Arm::Cav, Arm::Art];

    /// What it is called.
    pub fn word(self) -> &'static str {
        match self {
            Arm::Inf => "foot",
            Arm::Cav => "horse",
            Arm::Art => "guns",
        }
    }
}

/// What a kind of ground costs and does.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Ground {
    inf: Cost,
    cav: Cost,
    art: Cost,
    ldr: Cost,
    /// What it adds to the die of a fire into it.
    pub fire_drm: i32,
    /// Columns by which it shifts a melee.
    pub melee_shift: i32,
    /// Whether a charge may go over it.
    pub charge: bool,
    /// Whether it stops a line of sight.
    pub blocks_los: bool,
}

/// Movement points, a letter where it is forbidden or goes by a chart.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
enum Cost {
    Points(i32),
    Letter(String),
}

impl Ground {
    /// The points that an arm pays, or a leader where there is none; nothing where it may not go, 1 where a chart is asked.
    pub fn cost(&self, arm: Option<Arm>) -> Option<i32> {
        self.points(arm, 1)
    }

    /// The same, with the points of a step for which a chart is asked.
    pub fn points(&self, arm: Option<Arm>, chart: i32) -> Option<i32> {
        let cost = match arm {
            Some(Arm::Inf) => &self.inf,
            Some(Arm::Cav) => &self.cav,
            Some(Arm::Art) => &self.art,
            None => &self.ldr,
        };
        match cost {
            Cost::Points(points) => Some(*points),
            Cost::Letter(letter) => (letter == "C").then_some(chart),
        }
    }
}
