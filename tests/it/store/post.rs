//! Mails in and out.

use super::*;

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

/// The numbers of the mails that may be sent, in order.
fn ready(store: &Store, now: &str, limit: u32) -> Vec<i64> {
    store.ready_after((i64::MIN, i64::MIN), now, limit).unwrap().into_iter().map(|(_, id)| id).collect()
}
