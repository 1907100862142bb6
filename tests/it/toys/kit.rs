//! What the toys share: what a side is told, and what it remembers of it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Foreign pieces in sight, by id, with where they stand.
pub type InSight = BTreeMap<u32, String>;

/// What a side is told of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    pub turn: u32,
    pub said: String,
    pub spots: Vec<Spot>,
}

/// A foreign piece that came into sight, moved in sight, or went out of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spot {
    pub id: u32,
    pub tag: String,
    pub at: Option<String>,
}

/// What a side remembers: tags in order of first sight, and where each was seen last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mind {
    pub tags: BTreeMap<u32, String>,
    pub last: BTreeMap<u32, (String, u32)>,
}

impl Mind {
    pub fn tag(&self, id: u32) -> String {
        self.tags.get(&id).cloned().unwrap_or_else(|| "?".to_owned())
    }

    pub fn take(&mut self, told: &Told) {
        for spot in &told.spots {
            self.tags.insert(spot.id, spot.tag.clone());
            match &spot.at {
                Some(at) => {
                    self.last.insert(spot.id, (at.clone(), told.turn));
                }
                None => {
                    if let Some(last) = self.last.get_mut(&spot.id) {
                        last.1 = told.turn;
                    }
                }
            }
        }
    }

    /// What changed in sight, with the next free tags for what is new.
    pub fn spots(&self, before: &InSight, after: &InSight) -> Vec<Spot> {
        let mut free = self.tags.len();
        let mut spots = Vec::new();
        for (id, at) in after {
            if before.get(id) != Some(at) || !self.tags.contains_key(id) {
                let tag = self.tags.get(id).cloned().unwrap_or_else(|| {
                    free += 1;
                    format!("E{free}")
                });
                spots.push(Spot { id: *id, tag, at: Some(at.clone()) });
            }
        }
        for id in before.keys().filter(|id| !after.contains_key(id)) {
            spots.push(Spot { id: *id, tag: self.tag(*id), at: None });
        }
        spots
    }
}

/// The parts of the contract that are the same for every toy.
macro_rules! kept {
    () => {
        fn encode(t: Truth<'_, Self>, _: Pass) -> Body {
            match t {
                Truth::Event(e) => Body::write(e),
                Truth::Sighting(s) => Body::write(s),
                Truth::State(s) => Body::write(s),
            }
        }
        fn decode(body: &Body) -> Result<Self::Event, Corrupt> {
            body.read()
        }
        fn decode_sighting(body: &Body) -> Result<Self::Sighting, Corrupt> {
            body.read()
        }
        fn rows(s: &Self::State, _: &[(SideId, Self::Intel)], _: Pass) -> Vec<Row> {
            let text = Body::write(s).text().to_owned();
            vec![Row { table: "toy", columns: vec![("state", Cell::Text(text))] }]
        }
        fn recall(mind: &mut Mind, told: &Told) {
            mind.take(told);
        }
        fn continues(_: &str) -> bool {
            false
        }
    };
}
pub(crate) use kept;
