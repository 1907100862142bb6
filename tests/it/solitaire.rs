//! The book's solitaire system by mail: one person holds both seats, and writes for each in turn.

use crate::gateway::bench::{Bench, TOYS, campaign, parsed, teaching};
use estafette::audit::bundle::{Asker, bundle};
use estafette::audit::verify::verify;
use estafette::gateway::{NewGame, table};
use estafette::store::GameState;

const ALONE: &str = "alone@example.org";

#[test]
fn one_person_plays_both_sides_to_the_end_and_learns_whom_he_has_met() {
    let mut files = teaching();
    let scenario = files.iter_mut().find(|(_, text)| text.contains("first_player: french")).unwrap();
    scenario.1 = scenario.1.replace("first_player: french", "first_player: french\noptions: {solitaire: true}");
    let seats = ["french", "coalition"].map(|seat| (seat.to_owned(), vec![ALONE.to_owned()])).to_vec();
    let (mut fixed, mut over) = (0, 0);
    for seed in 1..=4u8 {
        let mut bench = Bench::new();
        let game = NewGame { seats: seats.clone(), master: Some([seed; 32]), ..campaign(&files) };
        bench.office.new_game(&game).unwrap();
        bench.pass();
        let write = |bench: &mut Bench, seat: &str, body: &str| {
            let last = bench.office.store.outbox_of_seat("strem-1", seat).unwrap().pop().unwrap();
            let subject = format!("Re: {}", parsed(last.raw).subject);
            bench.post(ALONE, &subject, body);
            bench.pass()
        };
        for seat in ["french", "coalition"] {
            write(&mut bench, seat, "SIGNON");
        }
        for noise in 0..200 {
            let row = bench.office.store.game("strem-1").unwrap().unwrap();
            let hosted = table::open(TOYS, &bench.office.store, &row).unwrap();
            let Some(due) = hosted.dues().first().cloned() else { break };
            let lines = hosted.bot(&due.seat, noise).into_parts().1;
            let mails = write(&mut bench, &due.seat.0, &lines.join("\n"));
            fixed += mails.iter().filter(|mail| mail.text.contains("[¶Solitaire 3]")).count();
        }
        let row = bench.office.store.game("strem-1").unwrap().unwrap();
        over += u32::from(row.state == GameState::Over);
        let hosted = table::open(TOYS, &bench.office.store, &row).unwrap();
        let lines = bundle(&bench.office.store, &row, hosted.as_ref(), &Asker::All).unwrap();
        assert_eq!(verify(&lines, TOYS).faults, Vec::<String>::new());
    }
    assert_eq!(over, 4);
    assert!(fixed > 0, "no march ever met a force");
}
