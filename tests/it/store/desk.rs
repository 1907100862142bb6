//! What lies on the desks, and the rows an umpire reads.

use super::*;

#[test]
fn desks_hold_what_was_laid_on_them() {
    let (_dir, path) = office();
    let store = with_game(&path);
    let (game, french) = ("moravia-7", "french");
    let due = |address: &str, at: Option<&str>| Due {
        seat: french.to_owned(),
        address: address.to_owned(),
        default_text: "STOP".to_owned(),
        due_at: at.map(str::to_owned),
    };
    let doctrine = |value: &str| Doctrine {
        key: "pursue".to_owned(),
        scope: String::new(),
        value: value.to_owned(),
        text: format!("DOCTRINE PURSUE {value}"),
    };
    let lines = ["FORCE Murat MARCH 1923", "END"].map(str::to_owned);
    let rest = RestPoint { seq: 0, version: "campaigns 1".to_owned(), body: "{}".to_owned() };
    let press = store
        .act(|act| {
            act.replace_dues(game, &[due("contact/soult", Some(LATER)), due("old", None)])?;
            act.replace_dues(game, &[due("contact/murat", Some(LATER)), due("sheet/a", None)])?;
            act.set_doctrine(game, french, &doctrine("NO"))?;
            act.set_doctrine(game, french, &doctrine("YES"))?;
            act.set_desk(game, french, "absent", Some("2026-02-01"))?;
            act.set_desk(game, french, "zone", Some("Europe/Paris"))?;
            act.set_desk(game, french, "absent", None)?;
            act.replace_draft(game, french, "A", &["old".to_owned(), "old".to_owned(), "old".to_owned()])?;
            act.replace_draft(game, french, "A", &lines)?;
            act.set_open_leg(game, Some("[1]"))?;
            act.set_open_leg(game, Some("[1,2]"))?;
            act.set_rest_point(game, Some(&rest))?;
            act.add_press(game, french, "coalition", NOW, "Surrender?")
        })
        .unwrap();
    assert_eq!(store.dues(game).unwrap(), [due("contact/murat", Some(LATER)), due("sheet/a", None)]);
    assert_eq!(store.doctrine(game, french).unwrap(), [doctrine("YES")]);
    assert_eq!(store.whole_desk(game, french).unwrap(), [("zone".to_owned(), "Europe/Paris".to_owned())]);
    assert_eq!(store.desk(game, french, "absent").unwrap(), None);
    assert_eq!(store.draft(game, french, "A").unwrap(), lines);
    assert_eq!(store.drafts(game).unwrap().len(), 2);
    assert_eq!(store.open_leg(game).unwrap().as_deref(), Some("[1,2]"));
    assert_eq!(store.rest_point(game).unwrap(), Some(rest));
    assert_eq!(store.press_waiting(game, "coalition").unwrap()[0].body, "Surrender?");
    store
        .act(|act| {
            act.deliver_press(press, LATER)?;
            act.clear_drafts(game)?;
            act.set_open_leg(game, None)?;
            act.set_rest_point(game, None)?;
            assert!(act.drop_doctrine(game, french, "pursue", "")?);
            assert!(!act.drop_doctrine(game, french, "pursue", "")?, "it was dropped before");
            Ok(())
        })
        .unwrap();
    assert!(store.press_waiting(game, "coalition").unwrap().is_empty());
    assert_eq!(store.press_of_game(game).unwrap()[0].delivered.as_deref(), Some(LATER));
    assert!(store.drafts(game).unwrap().is_empty() && store.doctrine(game, french).unwrap().is_empty());
    assert_eq!((store.open_leg(game).unwrap(), store.rest_point(game).unwrap()), (None, None));

    let sloppy = store.act(|act| act.replace_dues(game, &[due("x", Some("2026-01-01T00:00:00.5Z"))])).unwrap_err();
    assert!(sloppy.to_string().contains("due_at is like"), "{sloppy}");
    assert_eq!(store.dues(game).unwrap().len(), 2, "the dues before stand");
}

#[test]
fn overdue_games_are_those_that_play() {
    let (_dir, path) = office();
    let store = with_game(&path);
    let due = Due {
        seat: "french".to_owned(),
        address: "sheet/a".to_owned(),
        default_text: "END".to_owned(),
        due_at: Some(LATER.to_owned()),
    };
    let two = [due.clone(), Due { seat: "coalition".to_owned(), ..due }];
    store.act(|act| act.replace_dues("moravia-7", &two)).unwrap();
    assert_eq!(store.games_overdue(NOW).unwrap(), [""; 0]);
    assert_eq!(store.next_due(NOW).unwrap().as_deref(), Some(LATER));
    assert_eq!(store.games_overdue(LATER).unwrap(), ["moravia-7"], "once, though two are late");
    assert_eq!(store.next_due(LATER).unwrap(), None);
    store.act(|act| act.set_held("moravia-7", true)).unwrap();
    assert_eq!(store.games_overdue(LATER).unwrap(), [""; 0]);
    store
        .act(|act| {
            act.set_held("moravia-7", false)?;
            act.set_game_state("moravia-7", GameState::Over)
        })
        .unwrap();
    assert_eq!(store.games_overdue(LATER).unwrap(), [""; 0]);
}

#[test]
fn readable_rows_are_replaced_whole_and_seen_by_plain_sql() {
    let (_dir, path) = office();
    let store = with_game(&path);
    store.act(|act| act.new_game(&game("other"), &[])).unwrap();
    store.act(|act| act.replace_rows("other", &[vedette("0101")])).unwrap();
    store.act(|act| act.replace_rows("moravia-7", &[vedette("0715"), vedette("0716")])).unwrap();
    let corps = Row {
        table: "organization_display",
        columns: vec![("side", Cell::Text("french".to_owned())), ("sp", Cell::Int(12))],
    };
    store.act(|act| act.replace_rows("moravia-7", &[vedette("0720"), corps])).unwrap();
    let seen = plain(&path, "SELECT game || ' ' || side || ' ' || hex FROM vedettes ORDER BY hex");
    assert_eq!(seen, ["other french 0101", "moravia-7 french 0720"]);
    assert_eq!(plain(&path, "SELECT side || sp FROM organization_display"), ["french12"]);

    for (table, column) in [("games", "master"), ("vedettes", "hex, face) SELECT 1 --"), ("vedettes", "game")] {
        let row = Row { table, columns: vec![(column, Cell::Int(1))] };
        let error = store.act(|act| act.replace_rows("moravia-7", &[row])).unwrap_err();
        assert!(matches!(&error, StoreError::Unknown { table: named, .. } if *named == table), "{error}");
    }
    assert_eq!(plain(&path, "SELECT hex FROM vedettes WHERE game = 'moravia-7'"), ["0720"], "nothing was cleared");
}
