//! The laws of scrambling: the kept side sees the same, the rest is legal, and it is another game.

use crate::admin::Table;
use estafette::fog::{SideId, Viewer, see};
use estafette::rules::Ruleset;
use estafette::rules::campaigns::Campaigns;
use estafette::rules::campaigns::board::{Board, LeaderId};
use estafette::rules::campaigns::pieces::{Pieces, Track};
use estafette::rules::campaigns::view::View;
use estafette::rules::cx::Base;
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
    let (mut compared, mut swapped, mut kinds) = (0, 0, 0);
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
                compared += 1;
            }
        }
    }
    assert!(compared >= 1_000, "{compared}");
    assert!(swapped > compared, "leaders stand elsewhere: {swapped} of {compared}");
    assert!(kinds > compared / 4, "leaders and vedettes change places: {kinds} of {compared}");
}

/// How many leaders stand elsewhere.
fn places(before: &Pieces, after: &Pieces) -> usize {
    before.leaders.iter().filter(|(id, l)| after.leaders[*id].place != l.place).count()
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
