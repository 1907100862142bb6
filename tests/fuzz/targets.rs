//! What is fuzzed, for the fuzzer and for the short run among the tests.
//!
//! Each takes any bytes, must come to an end without a panic, and asserts what must hold whatever came.

#![allow(clippy::unwrap_used, dead_code)]

use estafette::address::Address;
use estafette::fog::SeatId;
use estafette::gateway::commands::{self, Command, What};
use estafette::gateway::orders_of;
use estafette::host::{Game, Input};
use estafette::mail::auth;
use estafette::mail::read::{Limits, read};
use estafette::mail::script::order_lines;
use estafette::mail::tag::ReplyTag;
use estafette::{games, simulate};
use std::cell::OnceCell;
use std::path::Path;

/// Boards on which orders are tried: a scenario, and how many mails of the program's own players lie behind.
const BOARDS: [(&str, u32); 4] = [("teaching", 0), ("teaching", 4), ("1805-moravia", 0), ("1805-moravia", 5)];
/// Most bytes of a mail's orders; the mail reader's own limits are far above.
const BYTES_MAX: usize = 4096;

thread_local! {
    static SET_UP: OnceCell<Vec<Box<dyn Game>>> = const { OnceCell::new() };
}

/// The mail reader: any bytes are read, or refused with a sentence, and what is given on is clean.
pub fn mail(raw: &[u8]) {
    let limits = Limits { own_domain: Some("example.org".to_owned()), ..Limits::default() };
    let read = read(raw, &limits);
    let head = match &read {
        Ok(incoming) => {
            assert!(incoming.text.chars().all(|c| c == '\n' || !c.is_control()), "the text is clean");
            assert!(incoming.text.len() <= limits.text_bytes_max && incoming.head.from.is_some());
            assert!(incoming.script.iter().all(|line| !line.contains('\n') && line.trim() == line));
            &incoming.head
        }
        Err(unreadable) => {
            assert!(unreadable.reason.to_string().ends_with('.'), "a whole sentence");
            &unreadable.head
        }
    };
    assert!(!head.message_id.is_empty() && head.digest.len() == 64 && head.content.len() == 64);
    assert!(head.subject.chars().all(|c| !c.is_control()), "the subject is one clean line");
    if let Some(results) = &head.auth_results {
        for sender in head.from.clone().into_iter().chain(Address::parse("ney@example.org")) {
            let _ = auth::check(Some(results), "mx.example.org", &sender);
        }
    }
    if let Some(tag) = &head.tag {
        assert_eq!(ReplyTag::find(&tag.to_string()).as_ref(), Some(tag), "a tag reads as it is written");
    }
}

/// The order reader: any text is split into commands and orders, and each order is answered from a seat's view. The
/// first byte picks the board and the seat.
pub fn orders(data: &[u8]) {
    let Some((pick, text)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(text.get(..BYTES_MAX).unwrap_or(text));
    let script = order_lines(&text);
    SET_UP.with(|boards| {
        let boards = boards.get_or_init(|| BOARDS.iter().map(|(scenario, mails)| board(scenario, *mails)).collect());
        let game = &boards[usize::from(pick & 3)];
        let seat = game.seats()[usize::from(pick >> 2 & 1)].0.clone();
        let items = commands::split(&script, &|word| game.continues(word), pick & 8 != 0);
        assert!(items.windows(2).all(|two| two[0].no < two[1].no), "lines are numbered upwards");
        for item in &items {
            asked(game.as_ref(), &seat, &item.what);
        }
        let lines = orders_of(&items);
        let (_, answers) = game.check(&seat, &lines).into_parts();
        for (no, _) in &lines {
            assert!(answers.iter().any(|answer| answer.no == *no), "line {no} is answered: {lines:?}");
        }
    });
}

/// What a line asks to be shown.
fn asked(game: &dyn Game, seat: &SeatId, what: &What) {
    match what {
        What::General(Ok(Command::Check(lines))) => drop(game.check(seat, lines)),
        What::General(Ok(Command::Doctrine(Some(words)))) => drop(game.doctrine_line(seat, words)),
        What::General(Ok(Command::Report(turn))) => drop(game.report(seat, *turn)),
        What::General(Ok(Command::Map(area))) => {
            drop(game.map(seat, area.as_deref(), estafette::host::paper::Format::default()));
        }
        What::General(Ok(Command::History(turn))) => drop(game.history(seat, *turn)),
        What::General(Ok(Command::Rules(paragraph))) => drop(game.rule(paragraph)),
        What::General(Ok(Command::Why(line))) => drop(game.why(seat, *line)),
        What::General(Err(fault)) => assert!(!format!("{fault:?}").is_empty()),
        _ => {}
    }
}

/// The same lines carried out, whatever they say, on the first board, which is soon made anew; too slow for the fuzzer.
pub fn carried_out(data: &[u8]) {
    let Some((pick, text)) = data.split_first() else { return };
    let (scenario, mails) = BOARDS[0];
    let mut game = board(scenario, mails);
    let seat = game.seats()[usize::from(pick >> 2 & 1)].0.clone();
    let script = order_lines(&String::from_utf8_lossy(text.get(..BYTES_MAX).unwrap_or(text)));
    let lines = orders_of(&commands::split(&script, &|word| game.continues(word), false));
    let input = Input::Orders { seat, lines, end: true, mail: "<fuzz@example.org>".to_owned() };
    let batch = game.take(input).unwrap_or_else(|broken| panic!("the game broke: {}", broken.why));
    assert!(!batch.entries.is_empty(), "what came is kept");
}

/// A game of a scenario after so many mails of the program's own players.
fn board(scenario: &str, mails: u32) -> Box<dyn Game> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let at = ["scenarios", "../../scenarios"].map(|dir| root.join(dir).join(format!("campaigns/{scenario}.yaml")));
    let files = estafette::scenario::files(at.iter().find(|path| path.exists()).unwrap()).unwrap();
    let entry = games::find(games::GAMES, "campaigns").unwrap();
    let mut game = simulate::open(entry, &files, 7).unwrap();
    let mut due = game.take(Input::Begin).unwrap().dues;
    for mail in 1..=mails {
        let Some(seat) = due.first().map(|due| due.seat.clone()) else { break };
        let input = simulate::mail_of(game.as_ref(), &seat, 7, mail);
        due = game.take(input).unwrap().dues;
    }
    game
}

/// The mail library's own assertions are caught where it is called, and a mail that breaks them is refused as broken.
/// The fuzzer would stop there; it is told of them in a line instead, and stops at what nobody catches.
pub fn count_caught() {
    std::panic::set_hook(Box::new(|info| eprintln!("PANIC {info}")));
}
