//! Dice protocol 2: every vector of the study, which `tests/audit/verify.py` computes by itself, and what a notice says.

use estafette::dice::two::{self, Bound, Nonce, Notice, Sealed, Source, Why};
use estafette::dice::{beacon, hex};
use estafette::fog::SideId;
use estafette::mail::seal;
use estafette::terms::Beacon;
use sha2::{Digest, Sha256};

const GAME: &str = "test-game";
const WORDS: [(&str, &str); 2] = [("french", "Vive l'Empereur"), ("coalition", "Gott erhalte Franz")];
/// Published rounds of quicknet with their signatures.
const ROUNDS: [(u64, &str); 3] = [
    (123, "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92"),
    (1000, "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"),
    (657_413, "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"),
];

fn master() -> [u8; 32] {
    std::array::from_fn(|i| u8::try_from(i).unwrap())
}

fn sides() -> [SideId; 2] {
    [SideId::from("french"), SideId::from("coalition")]
}

fn sealed() -> [u8; 32] {
    let files = [("a.yaml".to_owned(), "x: 1\n".to_owned()), ("tables/t.yaml".to_owned(), "y: 2\n".to_owned())];
    let digest = estafette::scenario::digest(&files);
    assert_eq!(digest, "798314aca11068eab177cb070e2fbc912ab3b2a0c2164055d3032e0c79df4ca0");
    let digest: [u8; 32] = data_encoding::HEXLOWER.decode(digest.as_bytes()).unwrap().try_into().unwrap();
    two::sealed_scenario(&two::blind(&master(), GAME), &digest)
}

fn terms() -> String {
    let seats = sides().iter().map(|side| (side.0.clone(), side.0.clone())).collect();
    let bound = Bound {
        game: GAME,
        ruleset: ("campaigns", 2),
        rules: &"00".repeat(32),
        scenario: sealed(),
        tempo: "live",
        sides: &sides(),
        seats,
        slots: 5,
        beacon: Beacon::Quicknet(3600).to_string(),
        options: None,
    };
    bound.to_string()
}

fn sha(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

fn words(given: [bool; 2]) -> Vec<(String, String)> {
    let one = |((seat, said), given): ((&str, &str), bool)| (seat.to_owned(), if given { said } else { "" }.to_owned());
    WORDS.into_iter().zip(given).map(one).collect()
}

fn root() -> [u8; 32] {
    two::root(&terms(), &two::list(&two::commitments(&master(), GAME, 0..=5, &sides())))
}

fn notice(nonces: [fn(String) -> Nonce; 2], source: Source) -> Notice {
    let nonces = WORDS.into_iter().zip(nonces);
    let nonces = nonces.map(|((seat, said), kind)| (seat.to_owned(), kind(two::hash_of_words(said)))).collect();
    let at = "2026-01-01T00:00:00Z".to_owned();
    Notice { no: 0, game: GAME.to_owned(), root: root(), slots: (0, 5), why: Why::SignOn, at, nonces, source }
}

#[test]
fn seeds_commitments_and_the_seal_of_the_scenario() {
    let m = master();
    let seed = |slot, scope| hex(&two::seed(&m, GAME, slot, scope));
    assert_eq!(seed(3, "french"), "bf8ee89361d2c3e920a071b0ee4545fe90b20ad3796cb603f9ca72de4b4bfcf5");
    assert_eq!(seed(3, "hidden"), "1738f6fb2a112a627ed5f51b5e9cd952c8eea827a167e05156b894d2fa1200b7");
    assert_eq!(seed(0, "public"), "09ac072abe3e2aaab3d2d63b64304efe988543eb3b4af213a0440beb583c5b77");
    let commit = two::commit(GAME, 3, "french", &two::seed(&m, GAME, 3, "french"));
    assert_eq!(hex(&commit), "ad3d8416ce53d61a94603f0270833a25fc3b37fc1dc3f9266d0d9cab3c1cceeb");
    assert_eq!(hex(&two::blind(&m, GAME)), "11a127beb2e1963b06ab16125c9775abfe906f7e26829aacc9d500711ff02cb1");
    assert_eq!(hex(&sealed()), "c47110fb07e9706afc1729caf89a0aba6d795592acf4fca2035febb55ae2a708");
}

#[test]
fn terms_list_and_root() {
    let list = two::list(&two::commitments(&master(), GAME, 0..=5, &sides()));
    assert_eq!(sha(&terms()), "c338d6f37d2518014ef49f30ca8225a90ac75da781721f324116ebe86893e703");
    assert_eq!(list.lines().count(), 24);
    assert_eq!(sha(&list), "9487dc500072a4973e975d48e0da7c7d09aa67512d1f43c74b555ea14938ef15");
    assert_eq!(hex(&root()), "150d83845238c089673d339d17dfbd038ea4f12ad8bca175e30c0715d60a742b");
}

#[test]
fn notices_their_salts_and_dice() {
    assert_eq!(
        two::hash_of_words(" Vive l'Empereur\n"),
        "debc3e67785860546d019b71df9b51db3ec077e14348062c4288c2f148e49dc1"
    );
    let value = beacon::value(1000, ROUNDS[1].1).unwrap();
    let told = notice([Nonce::Open, Nonce::Open], Source::Quicknet(1000)).to_string();
    assert_eq!(sha(&told), "28bfec3f13282c33d81e66d3d17db2bc111ebcf250719a1368d6453f1baa2e5c");
    let salt = two::salt(&told, &words([true, true]), &value);
    assert_eq!(hex(&salt), "0b3fd4ea93e5873e82433432463bd9aa37decbf8dc0d006a14014ba29eebe9f5");
    let m = master();
    let roll = |scope, label, n, count, sides| two::roll(&two::seed(&m, GAME, 3, scope), &salt, label, n, count, sides);
    assert_eq!(roll("french", "initiative/soult", 0, 4, 6), [3, 5, 1, 2]);
    assert_eq!(roll("french", "initiative/soult", 1, 4, 6), [1, 5, 4, 6]);
    assert_eq!(roll("public", "weather", 0, 2, 6), [1, 5]);
    assert_eq!(roll("hidden", "chit", 0, 6, 52), [7, 35, 49, 51, 26, 39]);
    assert_eq!(roll("public", "melee/0715", 0, 6, 10), [2, 8, 9, 1, 3, 1]);

    let hashes = notice([Nonce::Hash, Nonce::Hash], Source::None).to_string();
    assert_eq!(sha(&hashes), "304402d5d3dd9b7800394ad9598043a1fa926fcf651e2c956e20f57de0ea6ac2");
    let salt = two::salt(&hashes, &words([true, true]), b"");
    assert_eq!(hex(&salt), "ecdbcab379a42bdd7004dac8544fc5a4338db2133bc4e968654e9662c80b21ad");
    let plain = notice([Nonce::Open, Nonce::Open], Source::None).to_string();
    assert_eq!(sha(&plain), "1d06596b397cce69b08f962bbca473b79731a394f70ef6652fe125f9a3b15056");
    let salt = two::salt(&plain, &words([true, true]), b"");
    assert_eq!(hex(&salt), "009f878259c8ea61fae392432b4b0ba7b972e3848604bed5ea64df4211013e67");
    let announced = Source::Value("the numbers of 7 December".to_owned());
    let told = notice([Nonce::Open, |_| Nonce::None], announced).to_string();
    assert_eq!(sha(&told), "98961a0452131a483a4b981f0c6ae37adcec5665716c597ad8e29911a9d75f0b");
    let salt = two::salt(&told, &words([true, false]), b"3 14 15 26 35 49");
    assert_eq!(hex(&salt), "6de3f8f8ffaf7721c074aece1c1161dd1bdffa177349c28b8a3842ea388bb4ca");
}

#[test]
fn a_rewind_commits_slots_of_its_own() {
    let m: [u8; 32] = Sha256::digest(b"second master").into();
    let root = two::root(&terms(), &two::list(&two::commitments(&m, GAME, 6..=8, &sides())));
    assert_eq!(hex(&root), "008a7eaf157bbfa69dde3238b49d166db714eac7da9a661416e8490b6650d397");
    let nonces = WORDS.iter().map(|(seat, _)| ((*seat).to_owned(), Nonce::None)).collect();
    let (at, source) = ("2026-02-01T00:00:00Z".to_owned(), Source::Quicknet(657_413));
    let told = Notice { no: 1, game: GAME.to_owned(), root, slots: (6, 8), why: Why::Rewind, at, nonces, source };
    let text = told.to_string();
    assert_eq!(sha(&text), "d279e5a7c24e2585ee8e458ca7309906af54b313e383fbc56fb32299611c6cfb");
    let salt = two::salt(&text, &words([false, false]), &beacon::value(657_413, ROUNDS[2].1).unwrap());
    assert_eq!(hex(&salt), "486e2706f500e227345a3d31f21bda4cd5420d15e8bff84d62d350ec596752dc");
    assert_eq!(two::roll(&two::seed(&m, GAME, 6, "public"), &salt, "weather", 0, 2, 6), [2, 2]);
}

#[test]
fn a_round_is_known_by_its_signature_alone() {
    let values = [
        "fb8f7bc29bf24db51871ec8c79f3a1e4bd0557bc0dfcee9ed1d924e69d1c60dc",
        "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd",
        "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587",
    ];
    for ((round, signature), value) in ROUNDS.into_iter().zip(values) {
        assert_eq!(hex(&beacon::value(round, signature).unwrap()), value);
        assert_eq!(beacon::value(round, &signature.to_uppercase()).map(|v| hex(&v)).as_deref(), Ok(value));
        assert_eq!(beacon::value(round + 1, signature), Err(beacon::NoRound::False));
        let flipped = signature.replacen('b', "a", 1);
        assert_eq!(beacon::value(round, &flipped), Err(beacon::NoRound::False));
    }
    assert_eq!(beacon::value(123, &"0".repeat(96)), Err(beacon::NoRound::False));
    for odd in ["", "abc", "xyz", &"f".repeat(95), &"f".repeat(98)] {
        assert_eq!(beacon::value(123, odd), Err(beacon::NoRound::Form), "{odd}");
    }
}

#[test]
fn rounds_and_their_times() {
    assert_eq!(beacon::time_of(1000), 1_692_806_364);
    assert_eq!(beacon::round_at(1_767_225_600 + 3600), 24_808_612);
    for (at, round) in
        [(beacon::time_of(1000), 1000), (beacon::time_of(1000) + 1, 1001), (beacon::time_of(1000) - 2, 1000)]
    {
        assert_eq!(beacon::round_at(at), round);
    }
    assert_eq!((beacon::round_at(0), beacon::round_at(i64::MIN)), (1, 1));
    let at = |text: &str| text.parse::<jiff::Timestamp>().unwrap().as_second() + 3600;
    let rounds =
        ["2023-08-23T14:59:24Z", "2023-08-23T15:15:33Z", "2023-09-15T11:00:03Z"].map(|t| beacon::round_at(at(t)));
    println!("{rounds:?}");
}

#[test]
fn a_notice_is_read_as_it_is_written_and_not_otherwise() {
    let announced = Source::Value("six numbers of 7 December, in order".to_owned());
    for told in [
        notice([Nonce::Open, Nonce::Hash], Source::Quicknet(1000)),
        notice([|_| Nonce::None, Nonce::Open], announced),
        notice([Nonce::Hash, Nonce::Hash], Source::None),
    ] {
        let text = told.to_string();
        assert_eq!(Notice::read(&text), Some(told));
        for odd in [
            text.replace("notice 0", "notice 00"),
            text.replace("why sign-on", "why other"),
            text.replace("slots 0 5", "slots 5"),
            format!("{text}more\n"),
            text.trim_end().to_owned(),
            text.to_uppercase(),
        ] {
            assert_eq!(Notice::read(&odd), None, "{odd}");
        }
    }
}

#[test]
fn the_seal_of_a_mail_is_over_its_words_the_one_before_and_the_chain() {
    let words =
        "=== estafette mail 2 ===\nTEST-GAME   turn 1\n\nDue  tomorrow\nseal xxxx\n=== end of estafette mail ===\n";
    let paper = seal::paper(words);
    assert_eq!(hex(&paper), "96ad974e3b9a3f12bc08415d9b501ec21d3127459901c638f1ffc1888eeba554");
    let (first, second) = ("00".repeat(32), "11".repeat(32));
    let of = |number, before, head| Sealed { game: GAME, seat: "french", number, epoch: "", before, paper, head };
    let one = two::seal(&master(), &of(1, "", &first));
    assert_eq!(one, "5jjlufwso4df522rzsau4hbydaspjlhy");
    assert_eq!(two::seal(&master(), &of(2, &one, &second)), "4d6krmh6s4hpj5lkl2sc4oh36gfwff2m");
    // What mail servers do to a mail does not count; its own words do.
    let sealed = seal::with_seal(words, &one);
    assert!(sealed.lines().all(|line| line.len() <= 37 && line != "seal xxxx"), "{sealed}");
    let other = format!("> a list's head\r\n{}\r\na footer", sealed.replace('\n', "  \r\n"));
    assert_eq!((seal::paper(&other), seal::seal_of(&other)), (paper, Some(one.as_str())));
    assert_ne!(seal::paper(&sealed.replace("tomorrow", "today")), paper);
    let press = words.replace("Due", "seal the bridge\nDue");
    assert_ne!(seal::paper(&press.replace("bridge", "gate")), seal::paper(&press), "a line of its own is no seal");
}
