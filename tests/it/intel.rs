//! What a side learns of the enemy's counters (¶30-32, 230): tags say nothing of who stands behind them, and what a side
//! believes to be sure is so. Random marches in four hexes, so that counters pile up, part, show and hide.

use estafette::fog::{Fogged, SideId, Viewer, see};
use estafette::rules::Ruleset;
use estafette::rules::campaigns::Campaigns;
use estafette::rules::campaigns::board::LeaderId;
use estafette::rules::campaigns::intel::Ident;
use estafette::rules::campaigns::pieces::Piece;
use estafette::rules::campaigns::view::Counter;
use estafette::rules::kept::Body;
use estafette::scenario;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

type State = <Campaigns as Fogged>::State;
type Intel = <Campaigns as Fogged>::Intel;
type Sighting = <Campaigns as Ruleset>::Sighting;

const HEXES: [&str; 4] = ["0803", "0804", "0903", "0904"];
const SLOTS: usize = 6;

/// The empty valley before the first turn.
static BARE: LazyLock<(State, Intel)> = LazyLock::new(|| {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/campaigns/teaching.yaml");
    let files = scenario::files(&path).unwrap();
    let base = Campaigns::arrange(&files, json!({"bare": true, "at": "setup"})).unwrap();
    let mind = base.minds.iter().find(|(side, _)| *side == french()).unwrap().1.clone();
    (base.state, mind)
});

fn french() -> SideId {
    SideId("french".to_owned())
}

fn leader(id: &str) -> Piece {
    Piece::Leader(LeaderId(id.to_owned()))
}

/// The coalition's counters: the first two may be shown and taken off, so they are the same in every world.
fn crew() -> [Piece; SLOTS] {
    [
        leader("kutuzov"),
        Piece::Vedette(1),
        leader("bagration"),
        leader("dokhturov"),
        Piece::Vedette(2),
        Piece::Vedette(3),
    ]
}

/// What happens to one counter.
#[derive(Clone, Debug)]
enum Deed {
    March(usize, usize),
    Show(usize),
    Hide(usize),
    Pool(usize),
    Place(usize, usize),
}

/// A game in which the French watch.
struct World {
    state: State,
    mind: Intel,
    crew: [Piece; SLOTS],
    at: [Option<usize>; SLOTS],
    up: [bool; SLOTS],
    told: Vec<Sighting>,
}

impl World {
    fn new(crew: [Piece; SLOTS], at: [usize; SLOTS]) -> World {
        let (state, mind) = BARE.clone();
        let mut world = World { state, mind, crew, at: at.map(Some), up: [false; SLOTS], told: Vec::new() };
        for slot in 0..SLOTS {
            match world.crew[slot].clone() {
                Piece::Leader(id) => {
                    let event = json!({"kind": "leader", "leader": id, "hex": HEXES[at[slot]], "train": false});
                    world.emit(event);
                }
                Piece::Vedette(n) => world.emit(json!({"kind": "vedette_placed", "n": n, "hex": HEXES[at[slot]]})),
                Piece::Garrison(_) => {}
            }
        }
        assert!(world.told.is_empty(), "nobody sees the other's set-up");
        world.emit(json!({"kind": "begun"}));
        world.emit(json!({"kind": "stage", "at": {"own": "coalition"}}));
        world
    }

    fn emit(&mut self, mut event: Value) {
        if !matches!(event["kind"].as_str(), Some("begun" | "stage")) {
            event["side"] = json!("coalition");
        }
        let body = Body::from_text(json!({"chapter": "flow", "event": event}).to_string());
        let event = Campaigns::decode(&body).unwrap();
        let before = self.state.clone();
        Campaigns::apply(&mut self.state, &event);
        if let Some(told) = Campaigns::sight(&before, &event, &self.state, &self.mind, &french()) {
            Campaigns::recall(&mut self.mind, &told);
            self.told.push(told);
        }
    }

    /// Does what can be done; a deed that cannot be is left out.
    fn act(&mut self, deed: &Deed) {
        let piece = |slot: usize| json!(self.crew[slot]);
        match *deed {
            Deed::March(slot, to) => {
                let Some(from) = self.at[slot].filter(|from| *from != to) else { return };
                let (from, hex) = (HEXES[from], HEXES[to]);
                self.emit(json!({"kind": "moved", "piece": piece(slot), "from": from, "to": hex, "why": "march"}));
                self.at[slot] = Some(to);
                // ¶230: a vedette that moves is hidden again.
                self.up[slot] &= matches!(self.crew[slot], Piece::Leader(_));
            }
            Deed::Show(slot) => {
                if self.at[slot].is_some() && !self.up[slot] {
                    self.emit(json!({"kind": "shown", "piece": piece(slot)}));
                    self.up[slot] = true;
                }
            }
            Deed::Hide(slot) => {
                if self.up[slot] {
                    self.emit(json!({"kind": "hidden", "piece": piece(slot)}));
                    self.up[slot] = false;
                }
            }
            Deed::Pool(slot) => {
                if let (Some(_), Piece::Vedette(n)) = (self.at[slot], &self.crew[slot]) {
                    let n = *n;
                    self.emit(json!({"kind": "vedette_pooled", "n": n}));
                    (self.at[slot], self.up[slot]) = (None, false);
                }
            }
            Deed::Place(slot, hex) => {
                if let (None, Piece::Vedette(n)) = (self.at[slot], &self.crew[slot]) {
                    let n = *n;
                    self.emit(json!({"kind": "vedette_placed", "n": n, "hex": HEXES[hex]}));
                    self.at[slot] = Some(hex);
                }
            }
        }
    }

    fn enemy(&self) -> BTreeMap<u32, Counter> {
        see::<Campaigns>(&self.state, &self.mind, Viewer::Side(french())).body().enemy.clone()
    }

    fn hex_of(&self, ident: &Ident) -> Vec<String> {
        let same = |piece: &Piece| match (piece, ident) {
            (Piece::Leader(a), Ident::Leader(b)) => a == b,
            (Piece::Vedette(_), Ident::Vedette) => true,
            _ => false,
        };
        let here = (0..SLOTS).filter(|slot| same(&self.crew[*slot])).filter_map(|slot| self.at[slot]);
        here.map(|hex| HEXES[hex].to_owned()).collect()
    }
}

/// Deeds of any counter; shows and removals only of the first `open` ones.
fn deeds(open: usize) -> impl Strategy<Value = Vec<Deed>> {
    let one = prop_oneof![
        6 => (0..SLOTS, 0..HEXES.len()).prop_map(|(slot, hex)| Deed::March(slot, hex)),
        2 => (0..open).prop_map(Deed::Show),
        1 => (0..open).prop_map(Deed::Hide),
        1 => (0..open).prop_map(Deed::Pool),
        1 => (0..open, 0..HEXES.len()).prop_map(|(slot, hex)| Deed::Place(slot, hex)),
    ];
    proptest::collection::vec(one, 0..40)
}

fn places() -> impl Strategy<Value = [usize; SLOTS]> {
    proptest::array::uniform6(0..HEXES.len())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// ¶31: who stands behind a hidden counter, leader or vedette, changes nothing that the other side is told.
    #[test]
    fn tags_never_depend_on_who_is_hidden(at in places(), deeds in deeds(2), turned in 1usize..4, crossed: bool) {
        let mut one = World::new(crew(), at);
        let mut swapped = crew();
        swapped[2..].rotate_left(turned);
        if crossed {
            swapped.swap(2, 5);
        }
        let mut other = World::new(swapped, at);
        for deed in &deeds {
            one.act(deed);
            other.act(deed);
        }
        prop_assert_eq!(&one.told, &other.told);
        prop_assert_eq!(one.enemy(), other.enemy());
    }

    /// ¶31: the first tags go by hex, and each later one is the next number, whoever comes.
    #[test]
    fn tags_are_numbered_by_hex_and_then_in_order_of_coming(at in places(), deeds in deeds(2)) {
        let mut world = World::new(crew(), at);
        let enemy = world.enemy();
        prop_assert_eq!(enemy.keys().copied().collect::<Vec<u32>>(), (1..=6).collect::<Vec<u32>>());
        prop_assert!(enemy.values().map(|c| c.hex).is_sorted());
        let (mut seen, mut last) = (enemy.keys().copied().collect::<BTreeSet<u32>>(), 6);
        for deed in &deeds {
            world.act(deed);
            let now: BTreeSet<u32> = world.enemy().keys().copied().collect();
            for new in now.difference(&seen.clone()) {
                prop_assert_eq!(*new, last + 1);
                last = *new;
                seen.insert(*new);
            }
        }
    }

    /// ¶31-32: a counter is always where its tag says, and a name is always among the tags that it may be; a name that
    /// is sure is right, and no leader is named twice.
    #[test]
    fn what_is_believed_sure_is_so(at in places(), deeds in deeds(SLOTS)) {
        let mut world = World::new(crew(), at);
        for deed in &deeds {
            world.act(deed);
            let enemy = world.enemy();
            let mut where_seen: Vec<String> = enemy.values().map(|c| c.hex.to_string()).collect();
            let mut where_true: Vec<String> = world.at.iter().flatten().map(|h| HEXES[*h].to_owned()).collect();
            where_seen.sort();
            where_true.sort();
            prop_assert_eq!(where_seen, where_true);
            let mut named = BTreeSet::new();
            for (tag, counter) in &enemy {
                let Some(tie) = &counter.tie else { continue };
                prop_assert!(tie.of >= 1 && tie.of as usize >= tie.among.len());
                prop_assert!(tie.among.contains(tag), "{} is not among its own", tag);
                if let Ident::Leader(id) = &tie.ident {
                    prop_assert!(named.insert(id.clone()), "{:?} is named twice", id);
                    let may_be: Vec<String> =
                        tie.among.iter().filter_map(|t| enemy.get(t)).map(|c| c.hex.to_string()).collect();
                    let is = &world.hex_of(&tie.ident)[0];
                    prop_assert!(may_be.contains(is), "{:?} is at {}, believed in {:?}", id, is, may_be);
                }
                if tie.of == 1 || counter.face_up {
                    prop_assert!(world.hex_of(&tie.ident).contains(&counter.hex.to_string()), "{:?}", counter);
                }
            }
        }
    }
}

/// ¶31-32: a leader once shown stays known until he is in a pile, and is known again when the rest of it has shown.
#[test]
fn the_last_one_of_a_pile_is_known() {
    let mut world = World::new(crew(), [0, 3, 3, 3, 3, 3]);
    world.act(&Deed::Show(0));
    world.act(&Deed::Hide(0));
    let tie = |world: &World, tag: u32| world.enemy()[&tag].tie.clone().unwrap();
    assert_eq!((tie(&world, 1).of, world.enemy()[&1].face_up), (1, false), "turned down, he is still known");
    world.act(&Deed::March(1, 0));
    assert_eq!(tie(&world, 1).of, 2, "one of two, now that a counter has joined him");
    world.act(&Deed::Show(1));
    let enemy = world.enemy();
    let kutuzov: Vec<&Counter> = enemy
        .values()
        .filter(|c| c.tie.as_ref().is_some_and(|t| t.ident == Ident::Leader(LeaderId("kutuzov".to_owned()))))
        .collect();
    assert_eq!(kutuzov.len(), 1);
    assert_eq!((kutuzov[0].tie.as_ref().unwrap().of, kutuzov[0].face_up), (1, false));
    assert_eq!(enemy[&1].tie.as_ref().unwrap().ident, Ident::Vedette, "the lowest tag of the pile takes the face");
}

/// ¶31-32: of two vedettes that may be the one now shown, either may be it; neither is taken to be the other's place.
#[test]
fn two_vedettes_are_not_told_apart() {
    let mut world = World::new(crew(), [0, 0, 1, 3, 1, 3]);
    for deed in [Deed::Show(1), Deed::Hide(1), Deed::Show(4), Deed::Hide(4), Deed::March(0, 1)] {
        world.act(&deed);
    }
    // A counter out of the first pile has come into the second; the vedette of the second shows under its tag.
    world.act(&Deed::Show(4));
    let last = world.enemy()[&3].tie.clone().unwrap();
    assert_eq!((last.ident.clone(), last.among), (Ident::Vedette, BTreeSet::from([2, 3, 4])), "the first pile's also");
    world.act(&Deed::Show(2));
    world.act(&Deed::March(4, 2));
    let left = world.enemy()[&2].tie.clone().unwrap();
    assert_eq!((left.of, left.among), (2, BTreeSet::from([2, 4])), "it may be the one that never marched");
}
