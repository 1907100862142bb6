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
    let press = store
        .act(|act| {
            act.replace_dues(game, &[due("contact/soult", Some(LATER)), due("old", None)])?;
            act.replace_dues(game, &[due("contact/murat", Some(LATER)), due("sheet/a", None)])?;
            act.set_desk(game, french, "absent", Some("2026-02-01"))?;
            act.set_desk(game, french, "zone", Some("Europe/Paris"))?;
            act.set_desk(game, french, "absent", None)?;
            act.set_open_leg(game, Some("[1]"))?;
            act.set_open_leg(game, Some("[1,2]"))?;
            act.add_press(game, french, "coalition", NOW, "Surrender?")
        })
        .unwrap();
    assert_eq!(store.dues(game).unwrap(), [due("contact/murat", Some(LATER)), due("sheet/a", None)]);
    assert_eq!(store.desk(game, french, "zone").unwrap().as_deref(), Some("Europe/Paris"));
    assert_eq!(store.desk(game, french, "absent").unwrap(), None);
    assert_eq!(store.open_leg(game).unwrap().as_deref(), Some("[1,2]"));
    assert_eq!(store.press_waiting(game, "coalition").unwrap()[0].body, "Surrender?");
    store
        .act(|act| {
            act.deliver_press(press, LATER)?;
            act.set_open_leg(game, None)
        })
        .unwrap();
    assert!(store.press_waiting(game, "coalition").unwrap().is_empty());
    assert_eq!(store.open_leg(game).unwrap(), None);

    let sloppy = store.act(|act| act.replace_dues(game, &[due("x", Some("2026-01-01T00:00:00.5Z"))])).unwrap_err();
    assert!(sloppy.to_string().contains("due_at is like"), "{sloppy}");
    assert_eq!(store.dues(game).unwrap().len(), 2, "the dues before stand");
}

#[test]
fn whatever_times_hang_on_wakes_its_game() {
    let (_dir, path) = office();
    let (store, game, seat) = (with_game(&path), "moravia-7", "french");
    assert_eq!(store.waking(NOW).unwrap(), [game], "a new game is asked at once");
    let due = |at: &str| Due {
        seat: seat.to_owned(),
        address: "a".to_owned(),
        default_text: String::new(),
        due_at: Some(at.to_owned()),
    };
    type Written<'a> = Box<dyn Fn(&estafette::store::Act<'_>) -> Result<(), StoreError> + 'a>;
    let written: Vec<(&str, Written<'_>)> = vec![
        ("a due", Box::new(|act| act.replace_dues(game, &[due(NOW)]))),
        ("a due that moves", Box::new(|act| act.replace_dues(game, &[due(LATER)]))),
        ("a due that goes", Box::new(|act| act.replace_dues(game, &[]))),
        ("a note", Box::new(|act| act.set_note(game, "x", Some("1")))),
        ("a note that changes", Box::new(|act| act.set_note(game, "x", Some("2")))),
        ("a note that goes", Box::new(|act| act.set_note(game, "x", None))),
        ("a desk", Box::new(|act| act.set_desk(game, seat, "x", Some("1")))),
        ("a desk that changes", Box::new(|act| act.set_desk(game, seat, "x", Some("2")))),
        ("a desk that goes", Box::new(|act| act.set_desk(game, seat, "x", None))),
        ("a hold", Box::new(|act| act.set_held(game, true))),
        ("a release", Box::new(|act| act.set_held(game, false))),
        (
            "terms",
            Box::new(|act| act.append(game, &[NewEntry { slot: 0, kind: "post.options", body: "{}" }]).map(drop)),
        ),
        ("all", Box::new(|act| act.wake_all())),
    ];
    for (what, write) in &written {
        store.act(|act| act.set_wake(game, LATER)).unwrap();
        assert_eq!(store.waking(NOW).unwrap(), [""; 0], "{what}");
        store.act(|act| write(act)).unwrap();
        assert_eq!(store.waking(NOW).unwrap(), [game], "{what}");
    }
    // What no time hangs on does not.
    store.act(|act| act.set_wake(game, LATER)).unwrap();
    store.act(|act| act.append(game, &[NewEntry { slot: 0, kind: "event", body: "{}" }])).unwrap();
    assert_eq!(store.waking(NOW).unwrap(), [""; 0]);
    assert_eq!(store.waking(LATER).unwrap(), [game]);
    store.act(|act| act.set_game_state(game, GameState::Over)).unwrap();
    assert_eq!(store.waking(LATER).unwrap(), [""; 0]);
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

    // Only what differs is written.
    let corps = |sp| Row {
        table: "organization_display",
        columns: vec![("side", Cell::Text("french".to_owned())), ("sp", Cell::Int(sp))],
    };
    let before = store.work();
    store.act(|act| act.replace_rows("moravia-7", &[corps(12), vedette("0720")])).unwrap();
    assert_eq!(store.work().writes, before.writes);
    store.act(|act| act.replace_rows("moravia-7", &[corps(11), vedette("0720"), vedette("0720")])).unwrap();
    assert_eq!(store.work().writes, before.writes + 3, "one goes, two come");
    assert_eq!(plain(&path, "SELECT count(*) || '' FROM vedettes WHERE game = 'moravia-7'"), ["2"]);
    store.act(|act| act.replace_rows("moravia-7", &[corps(12), vedette("0720")])).unwrap();

    for (table, column) in [("games", "master"), ("vedettes", "hex, face) SELECT 1 --"), ("vedettes", "game")] {
        let row = Row { table, columns: vec![(column, Cell::Int(1))] };
        let error = store.act(|act| act.replace_rows("moravia-7", &[row])).unwrap_err();
        assert!(matches!(&error, StoreError::Unknown { table: named, .. } if *named == table), "{error}");
    }
    assert_eq!(plain(&path, "SELECT hex FROM vedettes WHERE game = 'moravia-7'"), ["0720"], "nothing was cleared");
}
