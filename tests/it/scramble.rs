//! The laws of scrambling: the kept side sees the same, the rest is legal, and it is another game.

use crate::admin::Table;
use crate::rehearse::driver::files;
use estafette::dice::{self, Master};
use estafette::fog::{SideId, Viewer, see};
use estafette::rules::Ruleset;
use estafette::rules::campaigns::Campaigns;
use estafette::rules::campaigns::board::{Board, LeaderId};
use estafette::rules::campaigns::pieces::{Pieces, Track};
use estafette::rules::campaigns::view::View;
use estafette::rules::cx::{self, Base};
use estafette::rules::journal::{By, Desk, Given, Journal};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

const NOISES: u64 = 25;

/// Positions of both scenarios and of two armies of one side at the set-up and on each sheet of the first turns.
fn positions() -> Vec<Base<Campaigns>> {
    let mut found = Vec::new();
    let armies = ["../../tests/boards/1814-armies.yaml", "../../tests/boards/1815-armies.yaml"];
    for name in ["teaching.yaml", "1805-moravia.yaml"].into_iter().chain(armies) {
        let table = Table::open(name);
        found.push(table.base.clone());
        let mut table = table.begin();
        for _ in 1..12 {
            found.push(table.base.clone());
            table.next_stage();
        }
    }
    found
}

fn view(base: &Base<Campaigns>, side: &SideId) -> View {
    let mind = base.minds.iter().find(|(s, _)| s == side).map(|(_, m)| m.clone()).unwrap();
    see::<Campaigns>(&base.state, &mind, Viewer::Side(side.clone())).into_parts().1
}

fn truth(state: &<Campaigns as estafette::fog::Fogged>::State) -> BTreeMap<SideId, Pieces> {
    see::<Campaigns>(state, &Default::default(), Viewer::Umpire).into_parts().1.truth.unwrap()
}

#[test]
fn the_kept_side_sees_the_same_and_the_rest_is_another_legal_game() {
    let (mut compared, mut swapped, mut kinds, mut exchanged) = (0, 0, 0, 0);
    for base in positions() {
        let state = &base.state;
        let board = view(&base, &"french".into()).board;
        let before = truth(state);
        for keep in ["french", "coalition"] {
            let side: SideId = keep.into();
            let foe = board.enemy(&side);
            let now = view(&base, &side);
            for noise in 0..NOISES {
                let state = Campaigns::scramble(state, &base.minds, &side, noise);
                let other = Base { state, ..base.clone() };
                assert!(view(&other, &side) == now, "{keep} sees a difference with noise {noise}");
                let after = truth(&other.state);
                assert_eq!(after[&side], before[&side]);
                assert_ne!(after[&foe], before[&foe], "nothing changed");
                counters_stand(&before[&foe], &after[&foe]);
                lawful(&board, &after[&foe], &before[&foe]);
                swapped += places(&before[&foe], &after[&foe]);
                kinds += usize::from(kind(&before[&foe]) != kind(&after[&foe]));
                exchanged += units(&board, &before[&foe], &after[&foe]);
                compared += 1;
            }
        }
    }
    assert!(compared >= 1_000, "{compared}");
    assert!(swapped > compared, "leaders stand elsewhere: {swapped} of {compared}");
    assert!(kinds > compared / 4, "leaders and vedettes change places: {kinds} of {compared}");
    assert!(exchanged > 0, "no unit is under another leader");
}

/// Lannes before Dokhturov: the battle is formed, and nobody has been shown in it yet.
fn before_the_first_round() -> Base<Campaigns> {
    let french = json!({"lannes": {"hex": "0405", "units": {"suchet": 7, "grenadiers": 5}}});
    let coalition = json!({
        "dokhturov": {"hex": "0505", "units": {"dokh": 5}}, "kutuzov": {"hex": "1005", "units": {"milo": 6}},
    });
    let sides = json!({"french": {"leaders": french}, "coalition": {"leaders": coalition}});
    let before = json!({"bare": true, "at": "designate french", "sides": sides});
    let mut base = Campaigns::arrange(&files("campaigns", "teaching.yaml"), before).unwrap();
    let stage = |base: &Base<Campaigns>| Campaigns::stage(&base.state).unwrap().key;
    let (mut journal, sheet) = (Journal::default(), Journal::sheet(&"french".into(), &stage(&base)));
    let attack = Given::new("ATTACK 0505 WITH Lannes", 1, By::Umpire);
    journal.lines.insert(sheet.clone(), vec![attack]);
    journal.ended.insert(sheet);
    let sides = Campaigns::sides(&base.state);
    let seeds = Master::from_bytes([7; 32]).seeds("battle", Campaigns::slot(&base.state), &sides, dice::salt(&[]));
    for _ in 0..4 {
        if stage(&base).contains("round-1") {
            return base;
        }
        let leg = cx::decide(&base, &journal, &Desk::default(), &seeds, &[]).unwrap();
        (base, journal) = (leg.after, leg.journal);
    }
    panic!("no battle begins; now {}", stage(&base));
}

/// ¶300, 313: who is to fight cannot be somebody else, though he is shown only when the round begins.
#[test]
fn who_is_in_a_battle_keeps_his_hex_and_his_strength() {
    let base = before_the_first_round();
    let (keep, foe) = (SideId::from("french"), SideId::from("coalition"));
    assert_eq!(view(&base, &keep).battles.len(), 1);
    let before = truth(&base.state);
    let stands = |pieces: &Pieces, leader: &str| {
        let leader = LeaderId(leader.to_owned());
        (pieces.hex(&leader), pieces.sp(&leader))
    };
    let mut changed = 0;
    for noise in 0..NOISES {
        let after = truth(&Campaigns::scramble(&base.state, &base.minds, &keep, noise));
        assert_eq!(stands(&after[&foe], "dokhturov"), stands(&before[&foe], "dokhturov"), "noise {noise}");
        changed += usize::from(stands(&after[&foe], "kutuzov") != stands(&before[&foe], "kutuzov"));
    }
    assert!(changed > 0, "who is in no battle may be stronger or weaker");
}

/// How many leaders stand elsewhere.
fn places(before: &Pieces, after: &Pieces) -> usize {
    before.leaders.iter().filter(|(id, l)| after.leaders[*id].place != l.place).count()
}

/// How many units that are no half of a formation are under another leader.
fn units(board: &Board, before: &Pieces, after: &Pieces) -> usize {
    let lone = before.units.iter().filter(|(id, _)| before.formation(board, id).len() == 1);
    lone.filter(|(id, u)| matches!(u.track, Track::Of(_)) && after.units[*id].track != u.track).count()
}

/// Hexes with vedettes.
fn kind(pieces: &Pieces) -> BTreeSet<String> {
    let with = pieces.occupied().into_iter().filter(|h| !pieces.vedettes_at(*h).is_empty());
    with.map(|h| h.to_string()).collect()
}

/// As many counters in each hex, and the same garrisons.
fn counters_stand(before: &Pieces, after: &Pieces) {
    assert_eq!(before.occupied(), after.occupied());
    for hex in before.occupied() {
        assert_eq!(before.counters_at(hex).len(), after.counters_at(hex).len(), "{hex}");
        assert_eq!(before.garrisons_at(hex), after.garrisons_at(hex));
    }
    let markers = |pieces: &Pieces| -> BTreeMap<_, _> {
        pieces.armies().map(|army| (army.name.clone(), (army.center, army.source))).collect()
    };
    assert_eq!(markers(before), markers(after));
    assert_eq!(before.vedettes.len(), after.vedettes.len());
}

/// Spans, maxima, stacks, two levels of command, no general without troops.
fn lawful(board: &Board, pieces: &Pieces, before: &Pieces) {
    for (id, unit) in &pieces.units {
        if unit.track == Track::Waiting {
            let trains = board.special.paris.as_ref().is_some_and(|paris| paris.units.contains_key(id));
            assert_eq!(unit.sp > 0, trains, "{id} is an empty counter, or in training");
            continue;
        }
        assert!((1..=board.units[id].max_sp).contains(&unit.sp), "{id} {}", unit.sp);
        for other in pieces.formation(board, id) {
            assert_eq!(pieces.units[&other].track, unit.track, "{id} and {other} are one formation");
        }
        if let Track::Of(leader) = &unit.track {
            assert!(pieces.leaders.contains_key(leader));
        }
    }
    for (id, leader) in pieces.leaders.iter().filter(|(id, _)| pieces.hex(id).is_some()) {
        let under: Vec<LeaderId> = pieces.force(id).into_iter().skip(1).collect();
        let troops: Vec<LeaderId> =
            under.iter().filter(|l| !pieces.units_of(std::slice::from_ref(l)).is_empty()).cloned().collect();
        assert!(pieces.can_command(board, id, &troops), "{id} commands too much");
        assert!(leader.under.is_none() || under.is_empty(), "{id} is under somebody and has {under:?}");
        assert!(under.iter().all(|l| pieces.hex(l) == pieces.hex(id)));
        assert!(pieces.sp(id) <= board.policies.stack_sp);
        let general = board.leaders[id].major_general.is_some();
        assert!(!general || !pieces.units_of(&pieces.force(id)).is_empty() || before.unemployed(id), "{id}");
    }
    for hex in pieces.occupied() {
        assert!(pieces.vedettes_at(hex).len() <= before.vedettes_at(hex).len().max(1), "{hex}");
    }
}
