//! Every rule case twice: as it is written, and with all changed that one side may not know.
//!
//! The same is said in both and the same dice fall. As long as the side is told the same, its answers, its questions and
//! its view must be the same too; what differs first may only be something that the rules tell it, never an answer. Whole
//! games reach the common orders; the cases reach all of them, and the test fails if a verb or a kind of event is not met.

use super::twins::{Reached, Reader, listed};
use estafette::cases;
use estafette::fog::{Fogged, SideId, Viewer, see};
use estafette::orders::line;
use estafette::rules::Ruleset;
use estafette::rules::campaigns::Campaigns;
use estafette::rules::campaigns::intel::Intel;
use estafette::rules::campaigns::pieces::Pieces;
use estafette::rules::cx::Base;
use estafette::scenario;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Clauses of a battle plan written by themselves, and what is not built and says so: reading them asks the view alone.
const FORMS: [&str; 3] = ["COUNTER", "GUNS", "SPECIAL"];
/// What sets a board up: a case begins behind it, and nobody is told anything before.
const SET_UP: [&str; 5] = ["flow Army", "flow ArmyApart", "flow ArmyNamed", "flow Leader", "flow Unit"];
const NOISES: u64 = 2;

/// Chapter and kind of an event, from such words as `March(Marched { …`.
fn kind(body: &str) -> String {
    let (chapter, rest) = body.split_once('(').unwrap_or((body, ""));
    let name: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
    format!("{} {name}", chapter.to_ascii_lowercase())
}

const READER: Reader<Campaigns> = Reader { look, kind, choice: |_, _| None };

fn look(v: &<Campaigns as Fogged>::View) -> String {
    let own = (&v.own, &v.at, v.turn, &v.weather, v.morale, &v.control, &v.sieges);
    let seen = (&v.enemy, &v.enemy_centers, &v.enemy_sources, &v.damaged, &v.pontoons, &v.battles);
    let built = (&v.trestles, &v.enemy_redoubts);
    format!("{own:?} {seen:?} {built:?}")
}

fn truth(state: &<Campaigns as Fogged>::State) -> BTreeMap<SideId, Pieces> {
    see::<Campaigns>(state, &Intel::default(), Viewer::Umpire).into_parts().1.truth.unwrap()
}

/// ¶33 The same board with other points of the enemy alone, which nobody shows in a battle: so it goes on as the case does
/// when both strengths have been told (¶300 step 6) and other strengths would have parted from it.
fn points_apart(base: &Base<Campaigns>, side: &SideId) -> Option<<Campaigns as Fogged>::State> {
    let (foe, pieces) = truth(&base.state).into_iter().find(|(foe, _)| foe != side)?;
    let other = |ap: i32| {
        let said = line(0, &format!("AP {ap}"));
        let events = Campaigns::amend(&base.state, &base.minds, &foe, &said).ok()?;
        let mut state = base.state.clone();
        events.iter().for_each(|event| Campaigns::apply(&mut state, event));
        (Campaigns::unsound(&state) == Campaigns::unsound(&base.state)).then_some(state)
    };
    let ap = pieces.army.ap;
    other(ap + 1).or_else(|| other(ap - 1))
}

/// The lists in which a chapter declares its kinds of events, each by who is told.
const LISTS: [(&str, &str); 4] =
    [("told.rs", "Open"), ("told.rs", "Own"), ("event.rs", "Partly"), ("event.rs", "Quiet")];

/// Kinds of events as the chapters declare them, chapter and kind; one that stands in two lists is there twice.
fn of_chapters() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules/campaigns");
    let kinds = |chapter: &'static str| {
        let folder = root.join(chapter);
        LISTS.into_iter().flat_map(move |(file, list)| {
            let text = std::fs::read_to_string(folder.join(file)).unwrap();
            listed(&text, list).into_iter().map(move |name| format!("{chapter} {name}"))
        })
    };
    ["flow", "admin", "organization", "march", "combat"].into_iter().flat_map(kinds).collect()
}

#[test]
fn no_kind_of_event_stands_in_two_lists() {
    let kinds = of_chapters();
    let once: BTreeSet<&String> = kinds.iter().collect();
    assert!(once.len() > 100 && once.len() == kinds.len(), "{kinds:?}");
}

#[test]
fn no_rule_case_answers_a_side_by_what_it_may_not_know() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut reached = Reached::default();
    let mut leaks = Vec::new();
    for path in cases::files(&root.join("tests/cases/campaigns")).unwrap() {
        let file = cases::read(&path).unwrap();
        for case in &file.cases {
            let scenario = case.scenario.as_ref().unwrap_or(&file.scenario);
            let files = scenario::files(&root.join(scenario)).unwrap();
            let base = Campaigns::arrange(&files, serde_json::to_value(&case.before).unwrap()).unwrap();
            let worlds = |side: &SideId| {
                let noises = (0..NOISES).map(|noise| Campaigns::scramble(&base.state, &base.minds, side, noise));
                noises.chain(points_apart(&base, side)).collect()
            };
            let own = truth(&base.state);
            leaks.extend(reached.twins(&READER, &base, (case, &case.id), worlds, |state| truth(state) != own));
        }
    }
    assert!(leaks.is_empty(), "{} leaks\n{}", leaks.len(), leaks.join("\n"));
    assert!(reached.changed * 2 > reached.pairs, "{} of {} were another game", reached.changed, reached.pairs);
    let verbs: BTreeSet<String> = Campaigns::verbs().iter().map(|v| v.word.to_owned()).collect();
    let missed: Vec<_> = verbs.difference(&reached.verbs).filter(|verb| !FORMS.contains(&verb.as_str())).collect();
    assert!(missed.is_empty(), "verbs that no case reaches: {missed:?}");
    let missed: BTreeSet<_> = of_chapters().into_iter().filter(|kind| !reached.events.contains(kind)).collect();
    assert_eq!(
        missed,
        SET_UP.map(str::to_owned).into(),
        "kinds of events that were not reached, and those that cannot be"
    );
}
