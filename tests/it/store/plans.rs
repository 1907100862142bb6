//! The cost of a mail among ten thousand games.

use super::*;

fn code(address: &str) -> Code {
    let word = |word: &str| word.to_owned();
    Code {
        game: word("moravia-7"),
        seat: word("french"),
        address: word(address),
        kind: word("x"),
        hash: word("h"),
        until: word(NOW),
        body: word("{}"),
    }
}

/// Calls every method that a mail to one game may need.
pub fn one_mails_work(store: &Store, game: &str) -> Result<(), StoreError> {
    let (seat, row) = ("french", [vedette("0715")]);
    store.game(game)?;
    store.seats(game)?;
    store.seat(game, seat)?;
    store.seats_of_address("french@example.org-0042")?;
    store.tag_holder("x")?;
    store.scenario("d1")?;
    store.log_of_kind(game, "event", 1)?;
    store.log(game, 1)?;
    store.last_slot(game)?;
    store.verify_log(game)?;
    store.new_mails(10)?;
    store.new_lanes()?;
    store.ready_after((0, 0), NOW, 10)?;
    store.inbox_ids_of_game(game)?;
    store.outbox_ids_of_seat(game, seat)?;
    store.mail_size(game, seat, 1)?;
    store.mails_of_bundle(game, None)?;
    store.mails_of_bundle(game, Some(seat))?;
    store.log_bytes(game)?;
    store.inbox_of_game(game)?;
    store.last_from_seat(game, seat)?;
    store.outbox(1)?;
    store.outbox_by_message_id("<o@a>")?;
    store.outbox_of_seat(game, seat)?;
    store.answers_to(1)?;
    store.mark("x")?;
    store.codes_of_seat(game, seat)?;
    store.codes_of_address("a@b.org")?;
    store.stand_in(game, seat)?;
    store.dues(game)?;
    store.waking(NOW)?;
    store.wake(game)?;
    store.soon_of(game, NOW, NOW, "x")?;
    store.notes(game)?;
    store.desks(game, "x")?;
    store.notices(game)?;
    store.games_that_wait_for_dice()?;
    store.desk(game, seat, "x")?;
    store.press_waiting(game, seat)?;
    store.open_leg(game)?;
    let out = store.act(|act| {
        if let Received::First(id) = act.receive(&mail("<1@a>"))? {
            act.assign(id, game, Some(seat))?;
            act.settle(id, InboxState::Done, None)?;
            act.cut_raw(id, 9)?;
            act.inbox(id)?;
        }
        // Within an act the rows of a game are read at once.
        act.desk(game, seat, "x")?;
        act.desks(game, "x")?;
        act.note(game, "x")?;
        act.seat(game, seat)?;
        act.append(game, &[NewEntry { slot: 0, kind: "event", body: "{}" }])?;
        act.replace_rows(game, &row)?;
        act.replace_dues(game, &[])?;
        act.set_held(game, false)?;
        act.wake(game)?;
        act.set_wake(game, NOW)?;
        act.set_game_state(game, GameState::Playing)?;
        act.set_addresses(game, seat, &["a@b.org".to_owned()])?;
        act.set_desk(game, seat, "x", None)?;
        act.set_open_leg(game, None)?;
        let press = act.add_press(game, seat, seat, NOW, "x")?;
        act.deliver_press(press, NOW)?;
        act.hold_mails(game)?;
        act.release_mails(game)?;
        act.count_answer("a@b.org", "2026-01-01")?;
        let number = act.next_mail_number(game, seat)?;
        act.put_tag(game, seat, number, "x")?;
        act.put_tag_of(game, seat, number, "y", "a@b.org")?;
        act.forget_tags(game, seat)?;
        let code = code("a@b.org");
        act.put_code(&code)?;
        act.drop_code(&code)?;
        act.drop_codes_of_kind(game, seat, "x")?;
        act.drop_codes(game, seat)?;
        act.drop_codes_before(NOW)?;
        act.set_stand_in(game, seat, None)?;
        act.queue(&NewOutbox { game: Some(game.to_owned()), ..letter("<o@a>", Some(number)) })
    })?;
    store.mark_unsent(out, "x", Some(NOW))?;
    store.mark_sent(out, NOW)
}

#[test]
fn among_ten_thousand_games_no_statement_walks_through_the_others() {
    let (_dir, path) = office();
    let store = with_game(&path);
    store
        .act(|act| {
            for no in 0..10_000 {
                let id = format!("game-{no:05}");
                let french = Seat { addresses: vec![format!("french@example.org-{no:04}")], ..seat("french", 0) };
                act.new_game(&game(&id), &[french])?;
                act.append(&id, &[NewEntry { slot: 0, kind: "event", body: "{}" }])?;
            }
            Ok(())
        })
        .unwrap();
    // With its own statistics the planner could still choose otherwise.
    Connection::open(&path).unwrap().execute_batch("ANALYZE").unwrap();
    let store = Store::open(&path).unwrap();
    let plans = store.plans(|store| one_mails_work(store, "game-05000")).unwrap();
    assert!(plans.len() > 50, "only {} statements were heard", plans.len());
    for plan in &plans {
        // Some statements look at what is waiting in the whole post office, by an index that holds nothing else.
        let waiting = ["inbox_lanes", "outbox_in_turn", "notices_waiting"];
        let scans = plan.steps.iter().filter(|step| step.contains("SCAN"));
        let scans: Vec<_> = scans.filter(|step| !waiting.iter().any(|index| step.contains(index))).collect();
        assert!(scans.is_empty(), "{}: {scans:?}", plan.sql);
        let sorts = plan.steps.iter().any(|step| step.contains("TEMP B-TREE"));
        assert!(!sorts, "{}: {:?}", plan.sql, plan.steps);
    }
    let walking = store.plans(|store| store.games().map(drop)).unwrap();
    assert!(walking[0].steps.iter().any(|step| step.contains("SCAN")), "the search above can find one: {walking:?}");
}

#[test]
fn what_a_mail_asks_of_a_long_chain_is_found_by_its_index() {
    let (_dir, path) = office();
    let store = with_game(&path);
    let asked = |store: &Store| {
        store.log_of_kind("moravia-7", "post.options", 1)?;
        store.log("moravia-7", 900)?;
        store.last_slot("moravia-7").map(drop)
    };
    let plans = store.plans(asked).unwrap();
    assert_eq!(plans.len(), 3, "{plans:?}");
    for plan in &plans {
        // Each step that reads anything goes by the game, and by the place in its log where one is asked for.
        let reads = |step: &&String| step.contains("SEARCH") || step.contains("SCAN");
        for step in plan.steps.iter().filter(reads) {
            assert!(step.starts_with("SEARCH") && step.contains("sqlite_autoindex_segments_1 (game=?"), "{plan:?}");
        }
    }
    let from = plans.iter().filter(|plan| plan.steps.iter().any(|step| step.contains("seq_from>?")));
    assert_eq!(from.count(), 2, "{plans:?}");
}
