//! General commands are taken out before the game sees the mail.

use estafette::gateway::commands::{AddressChange, Command, Item, What, split};
use estafette::gateway::verbs::Verb;
use estafette::orders::Fault;
use estafette::rules::Ruleset;
use estafette::rules::austerlitz1805::Austerlitz;
use estafette::rules::campaigns::Campaigns;

fn hexes(word: &str) -> bool {
    word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit())
}

fn read(text: &str) -> Vec<Item> {
    split(&text.lines().map(str::to_owned).collect::<Vec<_>>(), &hexes, false)
}

/// What a line of an umpire is.
pub fn umpire(text: &str) -> Result<Command, Fault> {
    match split(&text.lines().map(str::to_owned).collect::<Vec<_>>(), &hexes, true).remove(0).what {
        What::General(said) => said,
        other => panic!("{text} is {other:?}"),
    }
}

/// What a line of a player is, which must be a general command.
pub fn general(text: &str) -> Result<Command, Fault> {
    match read(text).remove(0).what {
        What::General(said) => said,
        other => panic!("{text} is {other:?}"),
    }
}

#[test]
fn orders_and_commands_are_told_apart_and_numbered() {
    let items = read("FORCE Lannes MARCH 2650\n2550 2549\n\n# a remark\nmap 2345\nFORCE Murat HALT\nEND\n");
    let seen: Vec<(u32, &str)> = items.iter().map(|i| (i.no, i.text.as_str())).collect();
    assert_eq!(seen, [(1, "FORCE Lannes MARCH 2650 2550 2549"), (2, "map 2345"), (3, "FORCE Murat HALT"), (4, "END")]);
    assert_eq!(items[0].what, What::Order);
    assert_eq!(items[1].what, What::General(Ok(Command::Map(Some("2345".into())))));
    assert_eq!(items[3].what, What::General(Ok(Command::End)));
}

#[test]
fn check_takes_every_line_below_it() {
    let items = read("CHECK\nFORCE Lannes MARCH 2650\n2550\nRESIGN YES\nEND\n");
    assert_eq!(items.len(), 1);
    let line = |no: u32, text: &str| (no, text.to_owned());
    let tried = vec![line(2, "FORCE Lannes MARCH 2650 2550"), line(3, "RESIGN YES"), line(4, "END")];
    assert_eq!(items[0].what, What::General(Ok(Command::Check(tried))));
}

#[test]
fn a_prefix_stands_for_the_only_command_it_begins() {
    assert_eq!(general("hist"), Ok(Command::History(None)));
    assert_eq!(general("SIGN"), Ok(Command::Signon));
    // DOCTRINE alone begins so; REPORT and RESIGN share two letters only.
    assert_eq!(general("rep turn 3"), Ok(Command::Report(Some(3))));
    // What cannot be taken back is written whole.
    assert_eq!(read("RESI YES")[0].what, What::Order);
    assert_eq!(read("EN")[0].what, What::Order);
}

#[test]
fn no_verb_of_a_game_is_taken_for_the_beginning_of_a_command() {
    let verbs = Campaigns::verbs().iter().map(|v| v.word).chain(Austerlitz::verbs().iter().map(|v| v.word));
    let mut asked = 0;
    for verb in verbs {
        let items = split(&[format!("{verb} Lannes LINE")], &hexes, false);
        assert_eq!(items[0].what, What::Order, "{verb}");
        asked += 1;
    }
    assert!(asked > 40, "{asked}");
}

#[test]
fn lines_below_end_are_no_orders() {
    let items = read("END\nMurat\nMAP");
    assert_eq!(items[1].what, What::AfterEnd);
    assert_eq!(items[2].what, What::General(Ok(Command::Map(None))));
}

#[test]
fn only_an_end_alone_on_its_line_ends() {
    for line in ["END", "end", "  End  ", "END # that is all"] {
        assert_eq!(general(line), Ok(Command::End), "{line}");
    }
    for line in ["END PRESS", "END 2", "END TURN", "END DISPATCH"] {
        assert!(matches!(general(line), Err(Fault::Unclear { .. })), "{line}");
        let items = read(&format!("{line}\nFORCE Murat HALT"));
        assert_eq!(items[1].what, What::Order, "{line}: the sheet is open");
    }
}

#[test]
fn press_runs_to_its_end_line() {
    let items = read("PRESS TO coalition\nYou are beaten.\nEND\nEND PRESS\nHISTORY");
    let lines = vec!["You are beaten.".to_owned(), "END".to_owned()];
    assert_eq!(items[0].what, What::General(Ok(Command::Press { to: "coalition".into(), lines })));
    assert_eq!(items[1].what, What::General(Ok(Command::History(None))));
    assert!(matches!(general("PRESS TO coalition\nno end"), Err(Fault::Refused { .. })));
    // Whoever forgets TO has not given an order by what he writes to the enemy.
    let items = read("PRESS coalition\nFORCE Murat HALT\nEND PRESS\nHISTORY");
    assert!(matches!(&items[0].what, What::General(Err(_))), "{items:?}");
    assert_eq!(items[1].what, What::General(Ok(Command::History(None))));
    // A ruleset's own PRESS is a line like any other.
    assert_eq!(read("PRESS Murat\nEND")[0].what, What::Order);
}

#[test]
fn a_report_by_its_number_is_a_mail_and_since_a_turn_a_report() {
    assert_eq!(general("REPORT"), Ok(Command::Report(None)));
    assert_eq!(general("report turn 2"), Ok(Command::Report(Some(2))));
    assert_eq!(general("REPORT 15"), Ok(Command::Resend(15)));
    assert_eq!(general("RESEND 15"), Ok(Command::Resend(15)));
}

#[test]
fn addresses_are_listed_added_dropped_and_replaced() {
    let to = || "ney@example.org".to_owned();
    assert_eq!(general("ADDRESS"), Ok(Command::Address(AddressChange::List)));
    assert_eq!(general("address Ney@Example.org"), Ok(Command::Address(AddressChange::Only(to()))));
    assert_eq!(general("ADDRESS ADD <ney@example.org>"), Ok(Command::Address(AddressChange::Add(to()))));
    assert_eq!(general("ADDRESS DROP ney@example.org"), Ok(Command::Address(AddressChange::Drop(to()))));
    assert!(matches!(general("ADDRESS ADD"), Err(Fault::Unclear { .. })));
    assert!(matches!(general("ADDRESS ney"), Err(Fault::Unclear { .. })));
    // A code is read with its strokes or without, in any case; what is no TAKE BACK is for the rules.
    let code = || Ok(Command::Confirm("k3x9qae2m4w7".to_owned()));
    assert_eq!(general("confirm K3X9Q-ae2m4 w7"), code());
    assert_eq!(general("TAKE BACK k3x9q-ae2m4-w7"), code());
    assert!(matches!(general("TAKE BACK"), Err(Fault::Unclear { .. })));
    assert_eq!(read("TAKE Oriole")[0].what, What::Order);
}

#[test]
fn rules_and_why_take_a_number() {
    assert_eq!(general("RULES ¶242"), Ok(Command::Rules("242".into())));
    assert_eq!(general("rules 300.7"), Ok(Command::Rules("300.7".into())));
    assert_eq!(general("RULES 16.4.2.1."), Ok(Command::Rules("16.4.2.1".into())));
    assert_eq!(general("RULES Glossary"), Ok(Command::Rules("glossary".into())));
    assert_eq!(general("WHY line 4"), Ok(Command::Why(4)));
    assert_eq!(general("HISTORY 2"), Ok(Command::History(Some(2))));
    assert_eq!(general("UNDO"), Ok(Command::Undo));
    for word in ["RULES", "RULES of war", "WHY", "WHY not"] {
        assert!(matches!(general(word), Err(Fault::Unclear { .. })), "{word}");
    }
}

#[test]
fn what_is_not_built_says_so_by_name() {
    assert_eq!(general("ABSENT 20 Dec 3 Jan"), Ok(Command::Absent("20 Dec 3 Jan".into())));
    let umpire = |text: &str| split(&[text.to_owned()], &hexes, true).remove(0).what;
    for word in ["AMEND", "REWIND 1", "RULING", "REPLACE french a@b", "SHOW french", "REMIND", "FIAT x 1", "JUDGE 1"] {
        assert!(matches!(umpire(word), What::General(_)), "{word}");
        assert_eq!(read(word)[0].what, What::Order, "{word} is the umpire's");
    }
    let amend = Verb::Amend { side: "french".into(), text: "AP 3".into(), reason: "as agreed, at last".into() };
    assert_eq!(umpire("AMEND french AP 3 REASON as agreed, at last"), What::General(Ok(Command::Umpire(amend))));
    let fiat = |scope: Option<&str>, label: &str, dice: &[u32]| {
        let scope = scope.map(str::to_owned);
        let verb = Verb::Fiat { scope, label: label.into(), dice: dice.to_vec(), reason: "x".into() };
        What::General(Ok(Command::Umpire(verb)))
    };
    assert_eq!(umpire("FIAT weather 5 REASON x"), fiat(None, "weather", &[5]));
    assert_eq!(
        umpire("FIAT french initiative/lannes 3 1 REASON x"),
        fiat(Some("french"), "initiative/lannes", &[3, 1])
    );
    for odd in ["FIAT weather REASON x", "FIAT 5 REASON x", "FIAT weather 5", "AMEND french REASON x", "JUDGE", "SHOW"]
    {
        assert!(matches!(umpire(odd), What::General(Err(Fault::Unclear { .. }))), "{odd}");
    }
    assert_eq!(umpire("HOLD"), What::General(Ok(Command::Hold)));
    assert_eq!(
        umpire("EXTEND coalition 24h"),
        What::General(Ok(Command::Extend { seat: "coalition".into(), hours: 24 }))
    );
}

#[test]
fn format_takes_several_words_and_names_the_odd_one() {
    assert_eq!(general("FORMAT 40 ASCII"), Ok(Command::Format(vec!["40".into(), "ascii".into()])));
    let Err(Fault::Unclear { said, .. }) = general("FORMAT 80") else { panic!("taken") };
    assert_eq!(said, "80");
}

/// How many cases the random tests try; `FUZZ=100000` makes the long run.
pub fn cases(usual: u32) -> u32 {
    std::env::var("FUZZ").map_or(usual, |n| n.parse().unwrap())
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig {
        cases: cases(300), failure_persistence: None, ..proptest::prelude::ProptestConfig::default()
    })]

    #[test]
    fn any_lines_at_all_are_read_and_numbered_upwards(
        lines in proptest::collection::vec(
            "(SIGNON|nonce|CHECK|DOCTRINE|PRESS TO|END PRESS|END|RESEND|CONFIRM|RESIGN|FORMAT|EXTEND|2345)?[ -~¶éß№\u{0}\u{202e}]{0,30}",
            0..30,
        ),
        umpire in proptest::prelude::any::<bool>(),
    ) {
        let items = split(&lines, &hexes, umpire);
        proptest::prop_assert!(items.len() <= lines.len());
        proptest::prop_assert!(items.windows(2).all(|two| two[0].no < two[1].no));
    }
}
