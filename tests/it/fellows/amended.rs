//! What an umpire puts right, whom it is told, and what he is told of who knows what.

use super::files;
use estafette::fog::SideId;
use estafette::games::{self, GAMES};
use estafette::host::{Act, Batch, Game, Input};
use estafette::simulate;

fn act(side: &str, text: &str) -> Act {
    Act::Amend { side: SideId::from(side), text: text.to_owned() }
}

fn opened(name: &str) -> Box<dyn Game> {
    let entry = games::find(GAMES, "brave_fellows").unwrap();
    let mut game = simulate::open(entry, &files(name), 1).unwrap();
    game.take(Input::Begin).unwrap_or_else(|broken| panic!("{}", broken.why));
    game
}

fn amend(game: &mut dyn Game, side: &str, text: &str) -> Batch {
    game.may(&act(side, text)).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    let input = Input::Umpire { by: "umpire".into(), act: act(side, text), reason: "as agreed".to_owned() };
    game.take(input).unwrap_or_else(|broken| panic!("{}", broken.why))
}

/// To whom something of an amendment was told.
fn told(batch: &Batch) -> Vec<&str> {
    let sights = batch.entries.iter().filter(|entry| entry.kind == "sight");
    sights.map(|entry| if entry.body.contains("\"side\":\"french\"") { "french" } else { "coalition" }).collect()
}

#[test]
fn an_umpire_puts_pieces_right_and_nothing_that_cannot_be() {
    let mut game = opened("teaching.yaml");
    for (side, text, shown) in [
        ("french", "PLACE 4L-1 AT 1616 FACE S", "  1616 S   4L-1  FV 5 FF 4 MF 5 MA 6  fresh"),
        ("french", "STATE 4L-1 FATIGUED", "  1616     4L-1  FV 4 FF 4 MF 3 MA 4  tired"),
        ("french", "STATE 4L-1 FRESH", "  1616 S   4L-1  FV 5 FF 4 MF 5 MA 6  fresh"),
        ("french", "STATE 4L-1 TIRED", "  1616     4L-1  FV 4 FF 4 MF 3 MA 4  tired"),
        ("french", "STATE 4L-1 ROUTED", "  1616     4L-1  FV 4 MF 3 MA 4  routed"),
        ("french", "REMOVE 4L-1", "French losses 1 of Gazan's division, 1 in all"),
        ("french", "PLACE 4L-1 AT 1716 FACE NE", "  1716     4L-1  FV 4 MF 3 MA 4  routed"),
        ("french", "PLACE Gaindorge 1616", "Gaindorge 1616"),
        ("french", "REMOVE Gaindorge", "Leaders: Campana 1617, Gazan 1418."),
        ("french", "PLACE Gaindorge AT 1716", "Gaindorge 1716"),
        ("coalition", "PLACE 8J-1 AT 2213", "  2213 SW  8J-1"),
        ("coalition", "TOWN Unterloiben", "Unterloiben"),
    ] {
        let batch = amend(game.as_mut(), side, text);
        assert_eq!(told(&batch).len(), 2, "{text}: it lies open");
        let paper = game.truth().into_parts().1;
        let lines: Vec<String> = paper.forces.into_iter().chain(paper.enemy).chain([paper.score]).collect();
        assert!(lines.iter().any(|line| line.contains(shown)), "{text}: {shown}: {lines:#?}");
    }
    for (side, text, wanted) in [
        ("french", "PLACE APS-1 AT 1716", "is not a unit or a leader of that side"),
        ("french", "PLACE GB-2713 AT 1716", "is not a unit or a leader of that side"),
        ("coalition", "PLACE GB-2713 AT 1716", "is not a unit or a leader of that side"),
        ("french", "PLACE 4L-1 AT 9999", "off the field"),
        ("french", "PLACE 4L-1 AT 2213", "both sides would stand in 2213"),
        ("french", "PLACE Gaindorge AT 2213", "would be taken"),
        ("french", "PLACE 4L-1 AT 1716 SIDEWAYS", "\"SIDEWAYS\" is not a part of it"),
        ("french", "PLACE 4L-1 AT 1716 FACE UP", "is not N, NE"),
        ("french", "STATE 4L-1 ANGRY", "is not FRESH, FATIGUED, TIRED, ROUTED"),
        ("french", "STRENGTH 4L-1 7", "is not PLACE, STATE, REMOVE or TOWN"),
        ("french", "TOWN Vienna", "a place that somebody holds"),
    ] {
        let fault = game.may(&act(side, text)).unwrap_err().to_string();
        assert!(fault.contains(wanted), "{text}: {fault}");
    }
    assert!(game.who_knows("4L-1").unwrap()[0].contains("all of it lies open"));
}

#[test]
fn in_fog_an_amendment_is_told_to_its_own_side_and_to_who_sees_it() {
    let mut game = opened("teaching-fog.yaml");
    let known = |game: &dyn Game, piece: &str| game.who_knows(piece).unwrap().join(" ");
    // Somewhere on the far edge, and then before the eyes of the French.
    assert_eq!(told(&amend(game.as_mut(), "coalition", "PLACE SMO-2 AT 3111")), ["coalition"]);
    assert_eq!(known(game.as_ref(), "SMO-2"), "coalition: its own. french: does not see it (DB.2).");
    let mut both = told(&amend(game.as_mut(), "coalition", "PLACE SMO-2 AT 1816 FACE SW")).len();
    assert_eq!(both, 2);
    let seen = known(game.as_ref(), "SMO-2");
    assert!(seen.contains("french: sees it as E") && seen.contains("1 hex off: all that is printed"), "{seen}");
    both = told(&amend(game.as_mut(), "coalition", "REMOVE SMO-2")).len();
    assert_eq!(both, 2);
    // 4.2.4 It is not on the field any more.
    let fault = game.may(&act("coalition", "STATE SMO-2 FRESH")).unwrap_err().to_string();
    assert!(fault.contains("PLACE it first"), "{fault}");
    assert_eq!(known(game.as_ref(), "Gaindorge"), "french: its own. coalition: sees him in 1716 (DB.2).");
    assert_eq!(known(game.as_ref(), "Gazan"), "french: its own. coalition: does not see him (DB.2).");
    assert!(game.who_knows("Blücher").is_err());
}

#[test]
fn a_dummy_is_placed_and_removed_and_never_tires() {
    let mut game = opened("durenstein-masked.yaml");
    amend(game.as_mut(), "french", "PLACE DUMMY-3 AT 1715");
    let known = game.who_knows("DUMMY-3").unwrap();
    assert_eq!(known[0], "french: its own, a dummy.");
    let fault = game.may(&act("french", "STATE DUMMY-3 FATIGUED")).unwrap_err().to_string();
    assert!(fault.contains("never tires"), "{fault}");
    amend(game.as_mut(), "french", "REMOVE DUMMY-3");
    assert!(game.who_knows("DUMMY-3").is_err());
}

/// Who only watches gets no letter for each activation of the other side; but that play has gone back all must hear.
#[test]
fn a_rewind_is_told_to_both_sides_wherever_it_leads() {
    let mut game = opened("teaching-fog.yaml");
    let mut quiet = 0;
    for mail in 1..25 {
        let Some(due) = game.dues().into_iter().next() else { break };
        let batch = game.take(simulate::mail_of(game.as_ref(), &due.seat, 1, mail)).unwrap();
        quiet += u32::from(batch.letters.len() == 1);
    }
    assert!(quiet > 0, "no stage was quiet");
    let rests = game.rests().len();
    for rest in [rests - 1, rests - 4, 3] {
        let input = Input::Umpire { by: "umpire".into(), act: Act::Rewind { rest }, reason: "as agreed".to_owned() };
        let batch = game.take(input).unwrap_or_else(|broken| panic!("{}", broken.why));
        let seats: Vec<&str> = batch.letters.iter().map(|letter| letter.seat.0.as_str()).collect();
        assert!(seats.contains(&"french") && seats.contains(&"coalition"), "{rest}: {seats:?}");
    }
}

/// On the umpire's map the French stand in large letters and the Coalition in small ones, and in two lists.
#[test]
fn the_page_of_the_truth_tells_the_sides_apart() {
    let game = opened("teaching-fog.yaml");
    let truth = game.truth().into_parts().1;
    let whole = |lines: &[String], name: &str| lines.iter().any(|line| line.contains(name));
    assert!(whole(&truth.forces, "4L-1") && !whole(&truth.forces, "APS-1"), "{:#?}", truth.forces);
    assert!(whole(&truth.enemy, "APS-1") && !whole(&truth.enemy, "4L-1"), "{:#?}", truth.enemy);
    assert!(whole(&truth.forces, "Gaindorge") && whole(&truth.enemy, "Miloradovich"));
    let drawn: String = truth.maps.iter().flat_map(|map| map.lines.clone()).collect();
    assert!(drawn.contains("4L ") && !drawn.contains("APS "), "{drawn}");
}
