//! What an act has read is read once, and is what the act has made of it.

use super::*;

const GAME: &str = "moravia-7";

#[test]
fn an_act_reads_the_rows_of_a_game_once_and_finds_what_it_has_written() {
    let (_dir, path) = office();
    let store = with_game(&path);
    let reads = || store.work().reads;
    store
        .act(|act| {
            act.set_desk(GAME, "french", "thread", Some("<1@a>"))?;
            act.set_note(GAME, "until", Some("noon"))?;
            let before = reads();
            for _ in 0..5 {
                assert_eq!(act.desk(GAME, "french", "thread")?.as_deref(), Some("<1@a>"));
                assert_eq!(act.desk(GAME, "coalition", "thread")?, None);
                assert_eq!(act.note(GAME, "until")?.as_deref(), Some("noon"));
                assert_eq!(act.notes(GAME)?.len(), 1);
                assert_eq!(act.dues(GAME)?, []);
            }
            assert_eq!(reads() - before, 3, "desks, notes and dues once each");

            act.set_desk(GAME, "coalition", "thread", Some("<2@a>"))?;
            act.set_desk(GAME, "french", "thread", None)?;
            act.set_note(GAME, "until", None)?;
            assert_eq!(act.desk(GAME, "french", "thread")?, None);
            assert_eq!(act.desks(GAME, "thread")?, [("coalition".to_owned(), "<2@a>".to_owned())]);
            assert_eq!(act.note(GAME, "until")?, None);
            assert_eq!(reads() - before, 3, "what was written is known");

            let sent = act.seat(GAME, "french")?.unwrap().mails_sent;
            assert_eq!(act.next_mail_number(GAME, "french")?, sent + 1);
            assert_eq!(act.seat(GAME, "french")?.unwrap().mails_sent, sent + 1);
            act.set_format(GAME, "french", "text,40")?;
            assert_eq!(act.seat(GAME, "french")?.unwrap().format, "text,40");
            act.append(GAME, &[NewEntry { slot: 0, kind: "post.options", body: "{}" }])?;
            assert_eq!(act.log_of_kind(GAME, "post.options", 1)?.len(), 1);
            // It is written in the middle of the act, and behind that another one waits.
            act.set_wake(GAME, NOW)?;
            act.append(GAME, &[NewEntry { slot: 0, kind: "post.options", body: "{}" }])?;
            assert_eq!(act.log_of_kind(GAME, "post.options", 1)?.len(), 2);
            Ok(())
        })
        .unwrap();
    assert_eq!(store.log_of_kind(GAME, "post.options", 1).unwrap().len(), 2);
    assert_eq!(store.desk(GAME, "coalition", "thread").unwrap().as_deref(), Some("<2@a>"));
}

#[test]
fn what_would_write_the_same_is_not_written() {
    let (_dir, path) = office();
    let store = with_game(&path);
    store
        .act(|act| {
            act.set_desk(GAME, "french", "thread", Some("<1@a>"))?;
            act.set_note(GAME, "until", Some("noon"))?;
            act.desk(GAME, "french", "thread")?;
            act.note(GAME, "until")?;
            let before = store.work().writes;
            act.set_desk(GAME, "french", "thread", Some("<1@a>"))?;
            act.set_desk(GAME, "french", "address", None)?;
            act.set_note(GAME, "until", Some("noon"))?;
            assert_eq!(store.work().writes, before);
            act.set_note(GAME, "until", Some("night"))?;
            assert_eq!(store.work().writes, before + 1);
            Ok(())
        })
        .unwrap();
    assert_eq!(store.note(GAME, "until").unwrap().as_deref(), Some("night"));
}

#[test]
fn what_an_act_knew_ends_with_it_also_where_it_is_taken_back() {
    let (_dir, path) = office();
    let store = with_game(&path);
    let broken = store.act(|act| {
        act.notes(GAME)?;
        act.set_note(GAME, "until", Some("noon"))?;
        assert_eq!(act.note(GAME, "until")?.as_deref(), Some("noon"));
        Err::<(), _>(StoreError::Missing { path: path.clone(), row: "of a test".to_owned() })
    });
    assert!(broken.is_err());
    assert_eq!(store.note(GAME, "until").unwrap(), None);
    // What another process has written in between is seen by the next act.
    let other = Store::open(&path).unwrap();
    other.act(|act| act.set_note(GAME, "until", Some("night"))).unwrap();
    assert_eq!(store.act(|act| act.note(GAME, "until")).unwrap().as_deref(), Some("night"));
}
