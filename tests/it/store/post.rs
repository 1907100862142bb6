//! Mails in and out.

use super::*;
use crate::packed;

fn ids(mails: &[estafette::store::OutboxMail]) -> Vec<i64> {
    mails.iter().map(|mail| mail.id).collect()
}

#[test]
fn a_second_mail_of_the_same_identity_is_the_first() {
    let (_dir, path) = office();
    let store = with_game(&path);
    let Received::First(id) = store.act(|act| act.receive(&mail("<1@a>"))).unwrap() else { panic!("not seen before") };
    store
        .act(|act| {
            act.assign(id, "moravia-7", Some("french"))?;
            act.settle(id, InboxState::Refused, Some("the tag is not good"))
        })
        .unwrap();
    let Received::Again(first) = store.act(|act| act.receive(&mail("<1@a>"))).unwrap() else { panic!("seen before") };
    assert_eq!((first.id, first.state), (id, InboxState::Refused));
    assert_eq!(first.reason.as_deref(), Some("the tag is not good"));
    assert_eq!(store.inbox(id).unwrap().as_ref(), Some(&*first));

    let forged = NewInbox { digest: "bb".to_owned(), ..mail("<1@a>") };
    let Received::First(second) = store.act(|act| act.receive(&forged)).unwrap() else { panic!("another mail") };
    assert_ne!(second, id, "a stranger who repeats a Message-ID cannot take another's place");
    assert_eq!(store.new_mails(10).unwrap().iter().map(|mail| mail.id).collect::<Vec<_>>(), [second]);
    assert_eq!(store.inbox_of_game("moravia-7").unwrap().len(), 1);
    assert_eq!(store.last_from_seat("moravia-7", "french").unwrap().unwrap().id, id);
    assert_eq!(store.last_from_seat("moravia-7", "coalition").unwrap(), None);
}

#[test]
fn a_mail_is_ready_until_the_transport_has_taken_it() {
    let (_dir, path) = office();
    let store = with_game(&path);
    let first = store.act(|act| act.queue(&letter("<o1@a>", None))).unwrap();
    let second = store.act(|act| act.queue(&letter("<o2@a>", None))).unwrap();
    drop(store);
    let store = Store::open(&path).unwrap();
    assert_eq!(ready(&store, NOW, 10), [first, second], "still to be sent after a restart");
    assert_eq!(ready(&store, NOW, 1), [first]);

    store.mark_unsent(first, "450 greylisted", Some(LATER)).unwrap();
    assert_eq!(ready(&store, NOW, 10), [second], "one that waits does not stop the others");
    assert_eq!(ready(&store, LATER, 10), [first, second]);
    store.mark_sent(first, LATER).unwrap();
    store.mark_sent(first, "2026-01-01T09:00:00Z").unwrap();
    store.mark_unsent(first, "too late", None).unwrap();
    let sent = store.outbox_by_message_id("<o1@a>").unwrap().unwrap();
    assert_eq!((sent.state, sent.sent.as_deref(), sent.tries), (OutboxState::Sent, Some(LATER), 1));
    assert_eq!((sent.fault, sent.next_try), (None, None));

    store.mark_unsent(second, "550 no such box", None).unwrap();
    let failed = store.outbox(second).unwrap().unwrap();
    assert_eq!((failed.state, failed.fault.as_deref()), (OutboxState::Failed, Some("550 no such box")));
    assert_eq!(ready(&store, LATER, 10), [0_i64; 0]);
    let twice = store.act(|act| act.queue(&letter("<o1@a>", None))).unwrap_err();
    assert!(matches!(&twice, StoreError::Exists { row, .. } if row == "outgoing mail <o1@a>"), "{twice}");
    let missing = store.mark_sent(999, NOW).unwrap_err();
    assert!(matches!(missing, StoreError::Missing { .. }), "{missing}");
}

#[test]
fn mails_of_a_held_game_wait() {
    let (_dir, path) = office();
    let store = with_game(&path);
    let number = store.act(|act| act.next_mail_number("moravia-7", "french")).unwrap();
    let ours = store.act(|act| act.queue(&letter("<o1@a>", Some(number)))).unwrap();
    let other = store.act(|act| act.queue(&letter("<o2@a>", None))).unwrap();
    assert_eq!(store.act(|act| act.hold_mails("moravia-7")).unwrap(), 1);
    let held = store.act(|act| act.queue(&NewOutbox { held: true, ..letter("<o3@a>", Some(2)) })).unwrap();
    assert_eq!(ready(&store, NOW, 10), [other]);
    assert_eq!(store.act(|act| act.release_mails("moravia-7")).unwrap(), 2);
    assert_eq!(ready(&store, NOW, 10), [ours, other, held]);
    assert_eq!(ids(&store.outbox_of_seat("moravia-7", "french").unwrap()), [ours, held]);
}

#[test]
fn answers_are_counted_by_address_and_day() {
    let (_dir, path) = office();
    let store = Store::create(&path).unwrap();
    let count = |address: &str, day: &str| store.act(|act| act.count_answer(address, day)).unwrap();
    assert_eq!((count("A@x.org", "2026-01-01"), count("a@X.org", "2026-01-01")), (1, 2));
    assert_eq!((count("a@x.org", "2026-01-02"), count("b@x.org", "2026-01-02")), (1, 1));
    store.act(|act| act.forget_answers_before("2026-01-02")).unwrap();
    assert_eq!(store.answers_given("a@x.org", "2026-01-01").unwrap(), 0);
    assert_eq!(store.answers_given("a@x.org", "2026-01-02").unwrap(), 1);
    store.act(|act| act.set_mark("imap/uid", "17")).unwrap();
    assert_eq!((store.mark("imap/uid").unwrap().as_deref(), store.mark("none").unwrap()), (Some("17"), None));
}

#[test]
fn mails_lie_packed_and_come_out_as_they_were() {
    let (_dir, path) = office();
    let store = with_game(&path);
    let raw = "Content-Type: text/plain\r\n\r\nFORCE Lannes MARCH 0305 0405\r\n".repeat(60).into_bytes();
    let came = NewInbox { raw: raw.clone(), ..mail("<1@a>") };
    let Received::First(id) = store.act(|act| act.receive(&came)).unwrap() else { panic!("not seen before") };
    let went = store.act(|act| act.queue(&NewOutbox { raw: raw.clone(), ..letter("<o1@a>", Some(1)) })).unwrap();
    let none = store.act(|act| act.queue(&NewOutbox { raw: Vec::new(), ..letter("<o2@a>", Some(2)) })).unwrap();
    assert_eq!(store.inbox(id).unwrap().unwrap().raw, raw);
    assert_eq!(store.outbox(went).unwrap().unwrap().raw, raw);
    assert_eq!(store.outbox(none).unwrap().unwrap().raw, b"");
    let size = |number| store.mail_size("moravia-7", "french", number).unwrap();
    assert_eq!((size(1), size(2), size(3)), (Some(raw.len()), Some(0), None));
    store.act(|act| act.assign(id, "moravia-7", Some("french"))).unwrap();
    assert_eq!(store.mails_of_bundle("moravia-7", None).unwrap(), (3, raw.len() as u64));
    let other = Connection::open(&path).unwrap();
    let kept = |table: &str| -> Vec<u8> {
        other.query_row(&format!("SELECT raw FROM {table} ORDER BY id LIMIT 1"), (), |row| row.get(0)).unwrap()
    };
    for table in ["inbox", "outbox"] {
        assert!(kept(table).len() * 10 < raw.len(), "{table}: {} of {} bytes", kept(table).len(), raw.len());
        assert_eq!(packed::unpack(&kept(table)), raw, "{table}");
    }
    // Bytes that cannot be packed come out too.
    let mut whim = crate::toys::Whim(3);
    let odd: Vec<u8> = (0..3000).map(|_| u8::try_from(whim.below(256)).unwrap()).collect();
    store.act(|act| act.rewrite_mail(went, &odd)).unwrap();
    assert_eq!(store.outbox(went).unwrap().unwrap().raw, odd);
    store.act(|act| act.cut_raw(id, 40)).unwrap();
    let cut = store.inbox(id).unwrap().unwrap();
    assert_eq!((cut.raw.as_slice(), cut.bytes, cut.is_cut()), (&raw[..40], Some(raw.len() as u64), true));
    store.act(|act| act.cut_raw(id, 40)).unwrap();
    assert_eq!(store.inbox(id).unwrap().unwrap(), cut);
}

#[test]
fn a_short_mail_is_kept_as_it_came_and_a_longer_one_packed() {
    let (_dir, path) = office();
    let store = with_game(&path);
    for (bytes, packed) in [(0_i64, false), (1, false), (2047, false), (2048, true), (9000, true)] {
        let raw = vec![b'x'; usize::try_from(bytes).unwrap()];
        let came = NewInbox { raw: raw.clone(), ..mail(&format!("<{bytes}@a>")) };
        let Received::First(id) = store.act(|act| act.receive(&came)).unwrap() else { panic!("not seen before") };
        assert_eq!(store.inbox(id).unwrap().unwrap().raw, raw);
        let other = Connection::open(&path).unwrap();
        let sql = "SELECT length(raw), size FROM inbox WHERE id = ?1";
        let kept: (i64, Option<i64>) = other.query_row(sql, [id], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        assert_eq!(kept.1, packed.then_some(bytes), "{bytes}");
        assert_eq!(kept.0 < bytes, packed, "{bytes}");
        store.act(|act| act.assign(id, "moravia-7", Some("french"))).unwrap();
        assert_eq!(store.last_from_seat("moravia-7", "french").unwrap().unwrap().raw, raw);
    }
}

#[test]
fn a_mail_whose_bytes_are_damaged_is_named_and_stops_no_other() {
    let (_dir, path) = office();
    let store = with_game(&path);
    let ids = ["<o1@a>", "<o2@a>"].map(|id| store.act(|act| act.queue(&letter(id, None))).unwrap());
    let other = Connection::open(&path).unwrap();
    for damage in ["raw = x'0102'", "raw = x''", "size = size + 1", "size = 9223372036854775807"] {
        other.execute_batch(&format!("UPDATE outbox SET {damage} WHERE id = {}", ids[0])).unwrap();
        let error = store.outbox(ids[0]).unwrap_err();
        assert!(matches!(&error, StoreError::Damaged { row, .. } if *row == format!("outbox {}", ids[0])), "{error}");
        assert!(error.to_string().contains("its bytes cannot be unpacked"), "{damage}: {error}");
        assert_eq!(store.outbox(ids[1]).unwrap().unwrap().raw, letter("", None).raw);
        store.act(|act| act.rewrite_mail(ids[0], b"whole again")).unwrap();
        assert_eq!(store.outbox(ids[0]).unwrap().unwrap().raw, b"whole again");
    }
}

#[test]
fn the_bytes_of_mails_of_no_game_go_and_their_size_is_remembered() {
    let (_dir, path) = office();
    let store = with_game(&path);
    let raw = vec![b'x'; 5000];
    let Received::First(id) = store.act(|act| act.receive(&NewInbox { raw, ..mail("<1@a>") })).unwrap() else {
        panic!("not seen before")
    };
    store.act(|act| act.settle(id, InboxState::Refused, Some("no"))).unwrap();
    // What counts is what a mail weighs as it came, however well it packs.
    assert_eq!(store.act(|act| act.forget_oldest(5000)).unwrap(), 0);
    assert_eq!(store.act(|act| act.forget_oldest(4999)).unwrap(), 1);
    let gone = store.inbox(id).unwrap().unwrap();
    assert_eq!((gone.raw.as_slice(), gone.bytes), (b"".as_slice(), Some(5000)));
    let out = store.act(|act| act.queue(&letter("<o1@a>", None))).unwrap();
    store.mark_sent(out, NOW).unwrap();
    assert_eq!(store.act(|act| act.forget_sent(LATER)).unwrap(), 1);
    assert_eq!(store.act(|act| act.forget_sent(LATER)).unwrap(), 0);
    assert_eq!(store.outbox(out).unwrap().unwrap().raw, b"");
}

/// The numbers of the mails that may be sent, in order.
fn ready(store: &Store, now: &str, limit: u32) -> Vec<i64> {
    store.ready_after((i64::MIN, i64::MIN), now, limit).unwrap().into_iter().map(|(_, id)| id).collect()
}
