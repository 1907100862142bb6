//! The dice protocol's test vectors, and that dice are fair and independent of each other.

mod two;

use estafette::dice::{Cup, Master, Scope, commit, hex, roll, salt};
use estafette::fog::SideId;

fn master() -> Master {
    Master::from_bytes(std::array::from_fn(|i| u8::try_from(i).unwrap()))
}

fn french() -> Scope {
    Scope::Of(SideId::from("french"))
}

fn vector_salt() -> [u8; 32] {
    salt(&[
        ("french".to_owned(), "Vive l'Empereur".to_owned()),
        ("coalition".to_owned(), "Gott erhalte Franz".to_owned()),
    ])
}

#[test]
fn seed_commit_and_salt_vectors() {
    let seed = master().seed("test-game", 3, &french());
    assert_eq!(hex(&seed), "69ff5da3cb93a4aec9dcb224c08778399c9d69713439106b4e234114681731ed");
    assert_eq!(
        hex(&commit("test-game", 3, &french(), &seed)),
        "cd8c16a202973f0b134468e5082267a2135f8f13e4ba3d691c67d6b2e2477eec"
    );
    assert_eq!(hex(&vector_salt()), "acf22be17493367eaee7bc262c0fa492d1ef4eb0ab498f9fe47e1750b17fc507");
}

#[test]
fn roll_vectors() {
    let seed = master().seed("test-game", 3, &french());
    let s = vector_salt();
    assert_eq!(roll(&seed, &s, "initiative/soult", 0, 4, 6), [3, 3, 1, 4]);
    assert_eq!(roll(&seed, &s, "initiative/soult", 1, 4, 6), [2, 6, 5, 3]);
    assert_eq!(roll(&seed, &s, "weather", 0, 2, 6), [2, 3]);
    assert_eq!(roll(&seed, &s, "melee/0715", 0, 6, 10), [8, 5, 7, 6, 10, 6]);
}

#[test]
fn the_list_of_commitments_runs_by_slot_then_public_then_sides() {
    let sides = [SideId::from("french"), SideId::from("coalition")];
    let list = master().commitments("test-game", 10, &sides);
    assert_eq!(list.len(), 27 * 3);
    let head: Vec<String> = list.iter().take(4).map(|c| format!("{} {}", c.slot, c.scope)).collect();
    assert_eq!(head, ["0 public", "0 french", "0 coalition", "1 public"]);
}

#[test]
fn a_cup_holds_only_its_slots_scopes() {
    let sides = [SideId::from("french")];
    let seeds = master().seeds("g", 1, &sides, [0; 32]);
    assert!(seeds.draw(&french(), "x", 0, 1, 6).is_some());
    assert!(seeds.draw(&Scope::Of(SideId::from("coalition")), "x", 0, 1, 6).is_none());
}

#[test]
fn faces_come_equally_often() {
    let mut count = [0u32; 6];
    for die in roll(&[7; 32], &[9; 32], "fair", 0, 60_000, 6) {
        count[die as usize - 1] += 1;
    }
    // Chi-square with five degrees of freedom stays below 20.5 in 999 of 1000 honest cups; the cup is fixed.
    let chi: u64 = count.iter().map(|&c| (i64::from(c) - 10_000).pow(2) as u64).sum::<u64>() / 10_000;
    assert!(chi < 20, "{count:?}");
}
