//! An operator who cheats with the dice: in which mode he can, and what the players then have of it.
//!
//! He plays a side or has a friend in it. He knows every master and all words that lie open, and tries what is still his to
//! choose until the first roll is the best of his tries. Where he cannot, his dice are those of chance.

use estafette::dice::two::{self, Nonce, Notice, Source, Why};
use estafette::terms::Beacon;
use std::collections::BTreeMap;

const GAMES: u32 = 2000;
const TRIES: u32 = 6;
const SEATS: [&str; 2] = ["honest", "friend"];

/// In which order words and hashes become known.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    /// Open words, no beacon: the friend speaks last.
    Plain,
    /// The honest seat gave a hash, and opens it when all have given theirs.
    Hash,
    /// A round of a beacon comes after all.
    Beacon,
}

/// 32 bytes that follow from a game and a purpose: chance, and the same in each run of this test.
fn noise(game: u32, what: &str) -> [u8; 32] {
    two::seed(&[7; 32], what, game, "noise")
}

fn word(game: u32, what: &str) -> String {
    estafette::dice::hex(&noise(game, what))
}

/// The first die of a game whose seats gave these words.
fn die(game: u32, mode: Mode, words: [&str; 2], round: &[u8]) -> u32 {
    let master = noise(game, "master");
    let id = format!("cheat-{game}");
    let nonce = |at: usize| match (mode, at) {
        (Mode::Hash, 0) => Nonce::Hash(two::hash_of_words(words[0])),
        _ => Nonce::Open(two::hash_of_words(words[at])),
    };
    let source = if mode == Mode::Beacon { Source::Quicknet(u64::from(game) + 1) } else { Source::None };
    let root = two::root("terms", &format!("{game}"));
    let nonces = vec![(SEATS[0].to_owned(), nonce(0)), (SEATS[1].to_owned(), nonce(1))];
    let at = "2026-01-01T00:00:00Z".to_owned();
    let notice = Notice { no: 0, game: id.clone(), root, slots: (0, 5), why: Why::SignOn, at, nonces, source };
    let said: Vec<(String, String)> = SEATS.iter().zip(words).map(|(s, w)| ((*s).to_owned(), w.to_owned())).collect();
    let salt = two::salt(&notice.to_string(), &said, round);
    two::roll(&two::seed(&master, &id, 1, "public"), &salt, "melee", 0, 1, 6)[0]
}

/// The friend's words that make the best die of some tries, as far as the operator can know: what he does not know yet, he
/// guesses.
fn cheated(game: u32, mode: Mode) -> u32 {
    let honest = word(game, "honest");
    let round = noise(game, "round");
    let (known, value): (String, &[u8]) = match mode {
        Mode::Plain => (honest.clone(), &[]),
        Mode::Hash => (word(game, "a guess of the honest words"), &[]),
        Mode::Beacon => (honest.clone(), &[0; 32]),
    };
    let tries: Vec<String> = (0..TRIES).map(|n| word(game, &format!("try {n}"))).collect();
    let best = tries.iter().max_by_key(|own| die(game, mode, [&known, own], value)).unwrap();
    let value: &[u8] = if mode == Mode::Beacon { &round } else { &[] };
    die(game, mode, [&honest, best], value)
}

/// How far a distribution of dice is from chance: the sum of squares, with five degrees of freedom.
fn chi_square(mode: Mode) -> f64 {
    let mut faces: BTreeMap<u32, u32> = BTreeMap::new();
    for game in 0..GAMES {
        *faces.entry(cheated(game, mode)).or_default() += 1;
    }
    let each = f64::from(GAMES) / 6.0;
    (1..=6).map(|face| (f64::from(faces.get(&face).copied().unwrap_or(0)) - each).powi(2) / each).sum()
}

#[test]
fn with_a_beacon_or_one_honest_hash_the_dice_of_two_thousand_games_are_those_of_chance() {
    // One in a thousand runs of honest dice is farther off than 20.5.
    let (plain, hash, beacon) = (chi_square(Mode::Plain), chi_square(Mode::Hash), chi_square(Mode::Beacon));
    assert!(hash < 20.5 && beacon < 20.5, "hash {hash:.1}, beacon {beacon:.1}");
    // Without either he chooses, and that is what the opening mail says.
    assert!(plain > 1000.0, "{plain:.1}");
    println!("chi-square over {GAMES} games: plain {plain:.1}, hash {hash:.1}, beacon {beacon:.1}");
    let opening = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/templates/opening.txt")).unwrap();
    let words: String = opening.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("Who runs this post office, together with a player who signs on after you, could"),
        "{words}"
    );
    assert_eq!(Beacon::default().to_string(), "none", "what is said of no beacon is said by default");
}

/// A rewind does not give him another try: its dice are of a master that did not exist before the notice, and of words that
/// the honest seat gives after it.
#[test]
fn a_rewind_without_end_gives_no_choice_where_one_seat_opens_after_it() {
    let mut faces: BTreeMap<u32, u32> = BTreeMap::new();
    for game in 0..GAMES {
        // Each time he looks at the die that he would get by his guess, and goes back if he dislikes it.
        let rewinds = (0..TRIES).find(|n| {
            let guess = word(game, "guess");
            die(game * TRIES + n, Mode::Hash, [&guess, "friend"], &[]) == 6
        });
        let at = game * TRIES + rewinds.unwrap_or(TRIES - 1);
        *faces.entry(die(at, Mode::Hash, [&word(at, "honest"), "friend"], &[])).or_default() += 1;
    }
    let each = f64::from(GAMES) / 6.0;
    let chi: f64 = (1..=6).map(|f| (f64::from(faces.get(&f).copied().unwrap_or(0)) - each).powi(2) / each).sum();
    assert!(chi < 20.5, "{chi:.1}: {faces:?}");
    println!("chi-square after rewinds: {chi:.1}");
}
