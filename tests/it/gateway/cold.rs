//! A mail to a game that does not lie open.

use super::bench::{Bench, campaign, teaching};
use estafette::gateway::NewGame;
use estafette::yaml;

#[test]
fn the_files_of_a_scenario_are_read_once_for_all_games_and_mails() {
    let begun = yaml::count();
    let mut bench = Bench::with_campaign(&teaching());
    assert!(yaml::count() > begun, "somebody reads them");
    bench.office.new_game(&NewGame { id: "strem-2".into(), ..campaign(&teaching()) }).unwrap();
    bench.pass();
    // Nothing lies open any more.
    let mut bench = bench.reopened();
    let read = yaml::count();
    for (n, game) in ["strem-1", "strem-2", "strem-1"].into_iter().enumerate() {
        let subject = format!("Re: {}", bench.last_of(game, "french").subject);
        bench.post("french@example.org", &subject, &format!("SIGNON\nNONCE {n}\nMAP\nHISTORY\nTERMS"));
        assert!(!bench.pass().is_empty());
    }
    assert_eq!(yaml::count(), read, "no mail reads them again");
}
