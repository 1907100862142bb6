//! Enemies by tags: what a side is told of them, and what it remembers.

use crate::fog::SideId;
use crate::hex::Hex;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The name of a tag.
pub fn tagged(tag: u32) -> String {
    format!("E{tag}")
}

/// What an enemy looks like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Face {
    /// Where it is.
    pub hex: Hex,
    /// What it is, in a word.
    pub arm: String,
    /// The regiment, where somebody was near enough.
    pub regiment: Option<String>,
}

/// A change of what a side sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spot {
    /// An enemy has come in sight, or looks otherwise; `fresh` when it was not in sight.
    Seen {
        /// Its tag.
        tag: u32,
        /// What it looks like.
        face: Face,
        /// The turn.
        turn: u32,
        /// Whether it was not in sight before.
        fresh: bool,
    },
    /// An enemy is out of sight.
    Lost {
        /// Its tag.
        tag: u32,
    },
    /// An enemy was seen to fall.
    Fell {
        /// Its tag.
        tag: u32,
    },
    /// The hex where an enemy was last seen is seen empty.
    Gone {
        /// Its tag.
        tag: u32,
    },
    /// A leader of the enemy's has come in sight.
    Leader {
        /// The leader.
        leader: String,
        /// Where he is.
        hex: Hex,
    },
    /// A leader of the enemy's is out of sight.
    LeaderLost {
        /// The leader.
        leader: String,
    },
    /// A place is seen to be held by a side.
    Town {
        /// The place.
        place: String,
        /// Who holds it.
        side: SideId,
    },
}

/// What a side is told of an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Sighting<E> {
    /// As far as it may be told, and what its eyes see of it.
    Seen {
        /// The event, with tags for the enemy's units; none where it sees only what comes of it.
        told: Option<E>,
        /// What has come in sight, has gone out of it, or looks otherwise.
        spots: Vec<Spot>,
    },
    /// All of it, where the table lies open.
    Open(E),
}

impl<E> Sighting<E> {
    /// The event that it tells of.
    pub fn event(&self) -> Option<&E> {
        match self {
            Sighting::Open(event) => Some(event),
            Sighting::Seen { told, .. } => told.as_ref(),
        }
    }

    /// What has come in sight, or gone.
    pub fn spots(&self) -> &[Spot] {
        match self {
            Sighting::Open(_) => &[],
            Sighting::Seen { spots, .. } => spots,
        }
    }
}

/// An enemy as a side remembers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    /// How it looked.
    pub face: Face,
    /// The turn in which it was last seen.
    pub turn: u32,
    /// Whether it is in sight.
    pub now: bool,
}

/// What a side has learnt; nothing where the table lies open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intel {
    /// Enemies by their tags.
    pub contacts: BTreeMap<u32, Contact>,
    /// Who was last seen to hold a place.
    pub towns: BTreeMap<String, SideId>,
    /// What enemies were seen to fall.
    pub fallen: Vec<Face>,
}

impl Intel {
    /// Changes what a side knows by what it was told; `holds` says of an event who holds which place by it.
    pub fn recall<E>(&mut self, told: &Sighting<E>, holds: impl Fn(&E) -> Option<(&String, &SideId)>) {
        let Sighting::Seen { told, spots } = told else { return };
        self.see(spots);
        if let Some((place, side)) = told.as_ref().and_then(holds) {
            self.towns.insert(place.clone(), side.clone());
        }
    }

    fn see(&mut self, spots: &[Spot]) {
        for spot in spots {
            match spot {
                Spot::Seen { tag, face, turn, .. } => {
                    self.contacts.insert(*tag, Contact { face: face.clone(), turn: *turn, now: true });
                }
                Spot::Lost { tag } => {
                    if let Some(contact) = self.contacts.get_mut(tag) {
                        contact.now = false;
                    }
                }
                Spot::Fell { tag } => {
                    self.fallen.extend(self.contacts.remove(tag).map(|contact| contact.face));
                }
                Spot::Gone { tag } => {
                    self.contacts.remove(tag);
                }
                Spot::Leader { .. } | Spot::LeaderLost { .. } => {}
                Spot::Town { place, side } => {
                    self.towns.insert(place.clone(), side.clone());
                }
            }
        }
    }

    /// Enemies that are out of sight, with their tags.
    pub fn ghosts(&self) -> impl Iterator<Item = (u32, &Contact)> {
        self.contacts.iter().filter(|(_, contact)| !contact.now).map(|(tag, contact)| (*tag, contact))
    }

    /// The same by the names of those who were last seen: `e5`.
    pub fn last_seen(&self) -> Vec<(String, Contact)> {
        self.ghosts().map(|(tag, contact)| (format!("e{tag}"), contact.clone())).collect()
    }
}

/// Enemies as a side sees them: by their names, which it does not know, the tag and the face.
pub type Faces<'a> = BTreeMap<&'a String, (u32, Face)>;

/// How an enemy ends that is no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It falls.
    Fell,
    /// It was nothing.
    Vanished,
}

/// What has changed from some faces to others in a turn, by tags: nothing follows from the order in which it is told; and where
/// one of those whom a side remembers is not any more. `end` says of a name how it ends, `sees` whether a hex is in sight now.
pub fn spots(
    [before, after]: [&Faces<'_>; 2],
    mind: &Intel,
    turn: u32,
    end: impl Fn(&str) -> Option<End>,
    sees: impl Fn(Hex) -> bool,
) -> Vec<Spot> {
    let (mut gone, mut new) = (Vec::new(), Vec::new());
    // Not by names: of a stack without a face another may lie on top now, and nobody is told.
    let by_tag = |faces: &Faces<'_>| -> BTreeMap<u32, (String, Face)> {
        faces.iter().map(|(id, (tag, face))| (*tag, ((*id).clone(), face.clone()))).collect()
    };
    let (before, after) = (by_tag(before), by_tag(after));
    let all: BTreeSet<u32> = before.keys().chain(after.keys()).copied().collect();
    for tag in all {
        match (before.get(&tag), after.get(&tag)) {
            (Some((_, old)), Some((_, face))) if old != face => {
                new.push(Spot::Seen { tag, face: face.clone(), turn, fresh: false });
            }
            (None, Some((_, face))) => new.push(Spot::Seen { tag, face: face.clone(), turn, fresh: true }),
            (Some((id, old)), None) => match end(id) {
                Some(End::Fell) => gone.push(Spot::Fell { tag }),
                Some(End::Vanished) => gone.push(Spot::Gone { tag }),
                None => {
                    gone.push(Spot::Lost { tag });
                    // Its place is in sight, and it is not there.
                    gone.extend(sees(old.hex).then_some(Spot::Gone { tag }));
                }
            },
            _ => {}
        }
    }
    let left = mind.ghosts().filter(|(_, c)| sees(c.face.hex)).map(|(tag, _)| Spot::Gone { tag });
    gone.into_iter().chain(new).chain(left).collect()
}

/// Leaders of the enemy's who have gone out of sight, and those who have come in sight or stand elsewhere; but for one whose
/// loss, or whose ride, is told besides.
pub fn leaders(
    [before, after]: [BTreeMap<String, Hex>; 2],
    falls: impl Fn(&String) -> bool,
    rides: impl Fn(&String) -> bool,
) -> Vec<Spot> {
    let lost = before.keys().filter(|name| !after.contains_key(*name) && !falls(name));
    let lost: Vec<Spot> = lost.map(|leader| Spot::LeaderLost { leader: leader.clone() }).collect();
    let come = after.into_iter().filter(|(name, hex)| before.get(name) != Some(hex) && !rides(name));
    lost.into_iter().chain(come.map(|(leader, hex)| Spot::Leader { leader, hex })).collect()
}

/// An enemy on the map, against how a side sees it.
pub struct Known<'a> {
    /// Its name.
    pub id: &'a str,
    /// Where it stands.
    pub hex: Hex,
    /// Whether it is nobody.
    pub nobody: bool,
    /// Its tag, and whether its face is known; none where it is not seen.
    pub seen: Option<(String, bool)>,
}

/// How many enemies a side names rightly, takes for something else, has no name for; and whom it knows by which tag.
pub type Reckoned = (u32, u32, u32, Vec<String>);

/// What a side knows of its enemies against the truth; where the table lies `open`, all.
pub fn reckoned<'a>(open: bool, enemies: impl Iterator<Item = Known<'a>>) -> Reckoned {
    let (mut right, mut wrong, mut unknown, mut picture) = (0, 0, 0, Vec::new());
    for Known { id, hex, nobody, seen } in enemies {
        match &seen {
            _ if open => right += 1,
            Some(_) if nobody => wrong += 1,
            Some((_, true)) => right += 1,
            _ => unknown += u32::from(!nobody),
        }
        let is = if nobody { ", a dummy" } else { "" };
        picture.extend(seen.filter(|_| !open).map(|(tag, _)| format!("{tag} in {hex} is {id}{is}")));
    }
    (right, wrong, unknown, picture)
}
