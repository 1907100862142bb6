//! The staff officer's reckoning of a battle, against the table counted out.

use crate::scenario::board;
use estafette::rules::campaigns::board::Halves;
use estafette::rules::campaigns::combat::battle::Marker;
use estafette::rules::campaigns::combat::forecast::{Force, Meeting, Outlook, outlook};
use estafette::rules::campaigns::tables::{Conditions, Weather};

const PLAYS: u32 = 60_000;

fn force(sp: i32, marker: Marker) -> Force {
    Force { attack: Halves::whole(sp), defence: Halves::whole(sp), sp, guns: 0, marker }
}

fn meeting(attacker: Force, defender: Force) -> Meeting {
    Meeting { attacker, defender, affecting: (false, false), shift: 0, rounds: 1 }
}

fn reckoned(meeting: &Meeting, weather: &Conditions, seed: u64) -> Outlook {
    outlook(&board("1805-moravia.yaml").tables, weather, meeting, PLAYS, seed)
}

/// Whether a count is within a hundredth of the plays of what is due.
fn near(count: u32, due_of_six: u32) -> bool {
    (i64::from(count) * 6 - i64::from(due_of_six) * i64::from(PLAYS)).abs() < i64::from(PLAYS) * 6 / 100
}

#[test]
fn the_first_attack_goes_as_the_six_rows_of_the_table_say() {
    let crt = board("1805-moravia.yaml").tables.combat;
    for (own, foe) in [(10, 10), (20, 10), (10, 20), (30, 10)] {
        // A defender without strength to attack with does not counterattack.
        let defender = Force { attack: Halves(0), ..force(foe, Marker::Pursuit) };
        let found = reckoned(&meeting(force(own, Marker::Pursuit), defender), &Conditions::default(), 1);
        let rows = (1..=6).map(|die| crt.crt(Halves::whole(own), Halves::whole(foe), 0, false, die));
        let lost = u32::try_from(rows.clone().filter(|r| r.attacker_loses).count()).unwrap();
        assert!(near(found.lost, lost) && near(found.won, 6 - lost), "{own}:{foe} {found:?}");
        // Who wins pays his number, who loses goes back and pays nothing.
        let paid: i32 = rows.clone().filter(|r| r.attacker_loses).map(|r| r.defender).sum();
        assert!(near(found.defender, u32::try_from(paid).unwrap()), "{own}:{foe} {found:?}");
    }
}

#[test]
fn who_stands_pays_and_who_pursues_leaves() {
    let plain = Conditions::default();
    let pitched = reckoned(&meeting(force(20, Marker::Pitched), force(20, Marker::Pitched)), &plain, 2);
    let pursuit = reckoned(&meeting(force(20, Marker::Pursuit), force(20, Marker::Pursuit)), &plain, 2);
    assert_eq!(pursuit.won + pursuit.lost, PLAYS, "somebody loses each half round");
    assert!(pitched.won + pitched.lost < PLAYS / 10, "{pitched:?}");
    assert!(pitched.attacker > pursuit.attacker && pitched.defender > pursuit.defender, "{pitched:?} {pursuit:?}");
}

#[test]
fn more_is_never_worse_and_nobody_loses_more_than_he_has() {
    let plain = Conditions::default();
    let mut last = None;
    for own in [3, 6, 12, 24, 48] {
        let guns = Force { guns: own / 6, ..force(own, Marker::Pitched) };
        let found = reckoned(&Meeting { rounds: 3, ..meeting(guns, force(12, Marker::Pitched)) }, &plain, 3);
        assert!(found.attacker <= PLAYS * own.unsigned_abs() && found.defender <= PLAYS * 12, "{found:?}");
        assert!(last.is_none_or(|won| found.won >= won), "{own}: {found:?} after {last:?}");
        last = Some(found.won);
    }
    let snow = Conditions::of(&[Weather::Snow]);
    let even = meeting(force(20, Marker::Pursuit), force(20, Marker::Pursuit));
    assert!(reckoned(&even, &snow, 4).won < reckoned(&even, &plain, 4).won, "snow is hard on who attacks (345)");
}

#[test]
fn one_question_has_one_answer() {
    let even = meeting(force(20, Marker::Pitched), force(15, Marker::Pitched));
    let plain = Conditions::default();
    assert_eq!(reckoned(&even, &plain, 5), reckoned(&even, &plain, 5));
    assert_ne!(reckoned(&even, &plain, 5), reckoned(&even, &plain, 6));
}
