//! The page of a simulated run: it opens on a desk and on a phone, asks for nothing, and shows every number of the run.

use super::driven::{Driven, SCREENS};
use estafette::rules::Tally;
use estafette::simulate::{self, Played, Stuck};
use std::collections::BTreeMap;

/// Games whose words are as bad as words can be.
fn games() -> (Vec<Played>, Vec<Stuck>) {
    let game = |number: u64, mails: u32, winner: &str, lost: u32| Played {
        number,
        ending: format!("{winner} win </script><img src=x onerror=alert(1)> \"quoted\""),
        mails,
        entries: 7,
        lines: BTreeMap::from([("DONE".to_owned(), mails)]),
        tally: Tally {
            winner: Some(winner.to_owned()),
            counts: vec![("losses & more".to_owned(), lost)],
            ..Tally::default()
        },
    };
    let all = (0..40).map(|n| game(u64::from(n), 100 + n * 7, if n % 4 == 0 { "french" } else { "allied" }, n % 5));
    (all.collect(), vec![Stuck { number: 99, why: "<b>why</b>".to_owned() }])
}

#[test]
fn the_page_of_a_run_shows_its_numbers_and_asks_for_nothing() {
    let (all, stuck) = games();
    let sum = simulate::summary("A <title> & more", &all, &stuck);
    let page = simulate::page::page(&sum, &all, &stuck);
    for screen in SCREENS {
        let open = Driven::open(&page, screen);
        assert_eq!(open.complaints(), Vec::<String>::new(), "{screen:?}");
        assert_eq!(open.ask("document.images.length + document.scripts.length"), 0);
        assert_eq!(open.ask("document.querySelector('h1').textContent"), "A <title> & more");
        let wide = open.ask("document.documentElement.scrollWidth - window.innerWidth").as_i64().unwrap();
        assert!(wide <= 0, "{screen:?}: it scrolls sideways by {wide}");
        let shown = "[...document.querySelectorAll('svg')].map(s => s.querySelector('title').textContent)";
        let titles: Vec<String> = serde_json::from_value(open.ask(shown)).unwrap();
        assert!(titles.contains(&"Games won. allied: 30; french: 10.".to_owned()), "{titles:?}");
        assert!(
            titles.iter().any(|t| t.contains("losses & more, of a game. 0: 8; 1: 8; 2: 8; 3: 8; 4: 8.")),
            "{titles:?}"
        );
        // The lengths of 40 games from 100 to 373 mails lie in twelve steps, and none is left out.
        let lengths = titles.iter().find(|title| title.starts_with("Mails of a game")).unwrap();
        let counts = lengths.split(['.', ';']).filter_map(|part| part.rsplit_once(": ")?.1.parse::<u32>().ok());
        assert_eq!((counts.clone().count(), counts.sum::<u32>()), (12, 40), "{lengths}");
        // The longest bar is as long as its number is great, against the others.
        let bars =
            "[...document.querySelectorAll('svg')[0].querySelectorAll('rect')].map(r => +r.getAttribute('width'))";
        assert_eq!(open.ask(bars), serde_json::json!([520, 173]));
    }
}
