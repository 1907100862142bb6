//! The mails of `great_battles`: how wide they are, that what they offer is taken, and whole games of the program's players.

use super::files;
use crate::positions::seen;
use estafette::games::{self, GAMES};
use estafette::host::paper::{Format, Paper};
use estafette::host::{Game, Input};
use estafette::rules::great_battles::GreatBattles;
use estafette::simulate;
use estafette::text::width;
use std::collections::BTreeMap;

/// Plays a game between the program's own players and looks at each mail.
fn watched(name: &str, number: u64, form: Format, mut watch: impl FnMut(&dyn Game, &Input, &estafette::host::Batch)) {
    let entry = games::find(GAMES, "great_battles").unwrap();
    let mut game = simulate::open(entry, &files(name), number).unwrap();
    game.seats().iter().for_each(|(seat, _)| game.form(seat, form));
    let mut input = Input::Begin;
    for mail in 1..5_000 {
        let batch = game.take(input.clone()).unwrap_or_else(|broken| panic!("{}", broken.why));
        watch(game.as_ref(), &input, &batch);
        let Some(due) = batch.dues.first().filter(|_| !batch.over) else { return };
        input = simulate::mail_of(game.as_ref(), &due.seat, number, mail);
    }
    panic!("{name} {number} does not end");
}

#[test]
fn letters_of_battalions_keep_to_their_page_and_what_they_offer_is_taken() {
    for narrow in [false, true] {
        let (mut maps, mut offers, mut said) = (0, 0, 0);
        let form = Format { narrow, ..Format::default() };
        let limit = if narrow { 40 } else { 76 };
        watched("hill-fog.yaml", 3, form, |game, _, batch| {
            for letter in batch.letters.iter().filter(|_| !batch.over) {
                let (seat, page) = (&letter.seat, letter.sections.body());
                let drawn = page.maps.iter().flat_map(|map| &map.lines);
                for line in page.forces.iter().chain(&page.enemy).chain(&page.changed).chain(drawn) {
                    assert!(width(line) <= limit && line.trim_end() == line, "{line:?}");
                }
                maps += page.maps.len();
                said += page.story.len();
                let told = page.told_in.iter().flatten().copied();
                assert!(told.clone().all(|at| (1..=page.story.len()).contains(&at)), "{:?}", page.story);
                let lines: Vec<(u32, String)> =
                    (1..).zip(page.offers.iter().filter(|line| *line != "END").cloned()).collect();
                let answered = format!("{:?}", game.check(seat, &lines).into_parts().1);
                assert!(!answered.contains("Refused") && !answered.contains("Unclear"), "{lines:?}: {answered}");
                assert!(page.together);
                offers += lines.len();
            }
        });
        assert!(maps > 3 && offers > 15 && said > 20, "{maps} maps, {offers} offers, {said} sentences");
    }
}

/// 2.0 A die is the same number wherever it is read: the tenth face is nought, and the mean of a die is four and a half.
#[test]
fn the_tenth_face_is_nought_in_letters_and_in_the_luck_of_the_dice() {
    use estafette::rules::Ruleset;
    let face = |label: &str| GreatBattles::face(label, 10, 10);
    assert_eq!(["fire/f3-1", "rally/f3-1", "draw", "replacement/fery"].map(face), [0, 0, 10, 10]);
    let (mut noughts, mut luck) = (0, Vec::new());
    watched("hill.yaml", 4, Format::default(), |game, _, batch| {
        for letter in &batch.letters {
            let chosen = |label: &str| ["draw", "replacement"].contains(&label.split('/').next().unwrap());
            for roll in letter.sections.body().rolls.iter().filter(|roll| !chosen(&roll.label)) {
                assert!(roll.dice.iter().all(|die| *die < 10), "{roll:?}");
                noughts += roll.dice.iter().filter(|die| **die == 0).count();
            }
        }
        if batch.over {
            luck = game.reveal();
        }
    });
    assert!(noughts > 0);
    let fire = luck.iter().find(|line| line.contains(" fire ")).unwrap();
    assert!(fire.contains("against 4.50"), "{fire}");
}

/// No mist is told of where all counters lie open; how a place is held is said as it is counted, and who holds it.
#[test]
fn an_open_game_tells_of_no_mist_and_who_holds_each_place() {
    for (name, open) in [("hill.yaml", true), ("hill-fog.yaml", false)] {
        let base = super::begin(&files(name));
        let view = seen::<GreatBattles>(&base, &"french".into());
        let victory = GreatBattles::victory(&view).join(" ");
        let victory = victory.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(victory.contains("who last had unrouted foot in more than half of its hexes"), "{victory}");
        assert_eq!(victory.contains("Held now: "), open, "{victory}");
        let entry = games::find(GAMES, "great_battles").unwrap();
        let mut game = simulate::open(entry, &files(name), 1).unwrap();
        game.take(Input::Begin).unwrap_or_else(|broken| panic!("{}", broken.why));
        let head = game.report(&"french".into(), None).body().head.clone();
        assert_eq!(head.contains("mist"), !open, "{head}");
    }
}

/// A short letter names the word that shows what it leaves out.
#[test]
fn what_a_short_letter_leaves_out_of_the_enemy_is_asked_by_enemy() {
    let mut told = 0;
    watched("hill.yaml", 4, Format::default(), |_, _, batch| {
        for letter in &batch.letters {
            let page = letter.sections.body();
            assert!(page.enemy.iter().all(|line| !line.contains("UNITS has")), "{:?}", page.enemy);
            assert!(page.forces.iter().all(|line| !line.contains("ENEMY has")), "{:?}", page.forces);
            told += page.forces.iter().filter(|line| line.contains("UNITS has")).count();
        }
    });
    println!("{told}");
}

#[test]
fn rules_of_great_battles_answers_for_every_row_of_the_index() {
    let index = include_str!("../../rules/great_battles.tsv");
    let mut rows = 0;
    for row in index.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let (section, statement) = (cells[1], cells[3]);
        let asked = section.split([' ', ',']).next().unwrap();
        let said = <GreatBattles as Paper>::rule(asked);
        assert!(said.iter().any(|line| line == statement), "{section}: {said:?}");
        rows += 1;
    }
    assert_eq!(rows, 559);
}

/// Games of a sample: few, unless `BATTLE_BOTS` asks for more.
fn asked(usual: u32) -> u32 {
    std::env::var("BATTLE_BOTS").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

#[test]
fn whole_great_battles_are_played_walked_and_replayed() {
    let entry = games::find(GAMES, "great_battles").unwrap();
    let all = [
        ("hill.yaml", 4),
        ("hill-fog.yaml", 3),
        ("hill-masked.yaml", 3),
        ("telnitz.yaml", 1),
        ("telnitz-fog.yaml", 1),
        ("telnitz-masked.yaml", 1),
    ];
    for (name, usual) in all {
        let (played, stuck) = simulate::run(entry, &files(name), 1, asked(usual)).unwrap();
        assert!(stuck.is_empty(), "{name}: {stuck:?}");
        let (mut winners, mut lines, mut mails) = (BTreeMap::<String, u32>::new(), BTreeMap::<String, u32>::new(), 0);
        for game in &played {
            *winners.entry(game.tally.winner.clone().unwrap_or_else(|| "draw".to_owned())).or_default() += 1;
            game.lines.iter().for_each(|(word, n)| *lines.entry(word.clone()).or_default() += n);
            mails += game.mails;
        }
        println!("{name}: {winners:?}, {mails} mails, {lines:?}, {:?}", played.first().map(|game| &game.tally));
        let count = |word: &str| lines.get(word).copied().unwrap_or(0);
        assert_eq!((count("UNCLEAR"), count("NOT YET")), (0, 0), "{name}: {lines:?}");
        assert!(count("REFUSED") * 10 <= count("DONE"), "{name}: {lines:?}");
    }
}
