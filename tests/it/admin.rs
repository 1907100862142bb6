//! The command phase of the campaigns ruleset, driven leg by leg with dice that are given (¶72-146, 154-163).

use estafette::dice::{Cup, Scope};
use estafette::fog::{SideId, Viewer, see};
use estafette::hex::Hex;
use estafette::rules::campaigns::board::{LeaderId, UnitId};
use estafette::rules::campaigns::pieces::{Track, Vedette};
use estafette::rules::campaigns::view::View;
use estafette::rules::campaigns::{Campaigns, Sighting};
use estafette::rules::cx::{Base, Counts, End, RecordOf, decide};
use estafette::rules::journal::{By, Desk, Given, Journal};
use estafette::rules::{Outcome, Record, Ruleset as _};
use estafette::{orders, scenario};
use std::collections::BTreeMap;
use std::path::Path;

/// Dice by label; a roll that is not listed comes out as 3s.
struct Listed(BTreeMap<String, Vec<u32>>);

impl Cup for Listed {
    fn draw(&self, _: &Scope, label: &str, n: u32, count: u32, _: u32) -> Option<Vec<u32>> {
        let key = if n == 0 { label.to_owned() } else { format!("{label}#{n}") };
        Some(self.0.get(&key).cloned().unwrap_or_else(|| vec![3; count as usize]))
    }
}

pub struct Table {
    pub base: Base<Campaigns>,
    journal: Journal,
    desk: Desk,
    cup: Listed,
    records: Vec<RecordOf<Campaigns>>,
    /// Records of the leg that waits.
    open: Vec<RecordOf<Campaigns>>,
}

impl Table {
    /// A scenario as it is opened, at the set-up.
    pub fn open(name: &str) -> Table {
        Table::altered(name, |text| text)
    }

    /// A scenario whose own file was changed.
    fn altered(name: &str, change: impl Fn(String) -> String) -> Table {
        let mut files = scenario::files(&Path::new("scenarios/campaigns").join(name)).unwrap();
        for (path, text) in &mut files {
            if path == name {
                *text = change(text.clone());
            }
        }
        let (mut state, events) = Campaigns::open(&files).unwrap_or_else(|e| panic!("{e:?}"));
        for event in &events {
            Campaigns::apply(&mut state, event);
        }
        let minds = Campaigns::seats(&state).into_iter().map(|(_, side)| (side, Default::default())).collect();
        Table {
            base: Base { state, minds, counts: Counts::new() },
            journal: Journal::default(),
            desk: Desk::default(),
            cup: Listed(BTreeMap::new()),
            records: Vec::new(),
            open: Vec::new(),
        }
    }

    fn dice(mut self, label: &str, dice: &[u32]) -> Table {
        self.cup.0.insert(label.to_owned(), dice.to_vec());
        self
    }

    /// Plays until a sheet is open.
    fn run(&mut self) {
        for _ in 0..200 {
            let leg = decide(&self.base, &self.journal, &self.desk, &self.cup, &[]).unwrap();
            self.journal = leg.journal;
            match leg.end {
                End::Rest => {
                    self.records.extend(leg.records);
                    self.open.clear();
                    self.base = leg.after;
                    if Campaigns::stage(&self.base.state).is_none() {
                        return;
                    }
                }
                End::Stop(dues) => {
                    assert!(dues.iter().all(|d| d.prompt.is_none()), "a question: {dues:?}");
                    self.open = leg.records;
                    return;
                }
            }
        }
        panic!("play does not come to a stop");
    }

    fn stage(&self) -> String {
        Campaigns::stage(&self.base.state).map_or_else(String::new, |s| s.key)
    }

    /// Gives lines to a side's sheet and plays on; the outcomes of the lines.
    fn give(&mut self, side: &str, lines: &[&str]) -> Vec<Outcome> {
        let from = self.records.len() + self.open.len();
        let address = Journal::sheet(&side.into(), &self.stage());
        for (no, line) in (1..).zip(lines) {
            let given = Given::new((*line).to_owned(), no, By::Umpire);
            self.journal.lines.entry(address.clone()).or_default().push(given);
        }
        self.run();
        let new = self.records.iter().chain(&self.open).skip(from);
        new.filter_map(|r| if let Record::Line { said, .. } = r { said.clone() } else { None }).collect()
    }

    /// Says END for a side and plays on.
    fn end(&mut self, side: &str) {
        self.journal.ended.insert(Journal::sheet(&side.into(), &self.stage()));
        self.run();
    }

    /// Ends the set-up for both sides.
    pub fn begin(mut self) -> Table {
        let stage = self.stage();
        for side in ["french", "coalition"] {
            self.journal.ended.insert(Journal::sheet(&side.into(), &stage));
        }
        self.run();
        self
    }

    /// Ends the stage for all who are on move, without orders.
    pub fn next_stage(&mut self) {
        let on_move = Campaigns::stage(&self.base.state).map(|s| s.on_move).unwrap_or_default();
        for seat in on_move {
            self.journal.ended.insert(Journal::sheet(&seat, &self.stage()));
        }
        self.run();
    }

    /// Ends stages without orders until a stage is reached.
    pub fn until(&mut self, stage: &str) {
        for _ in 0..60 {
            if self.stage() == stage {
                return;
            }
            self.next_stage();
        }
        panic!("{stage} is never reached; now {}", self.stage());
    }

    pub fn view(&self, side: &str) -> View {
        let side: SideId = side.into();
        let mind = self.base.minds.iter().find(|(s, _)| *s == side).map(|(_, m)| m.clone()).unwrap();
        see::<Campaigns>(&self.base.state, &mind, Viewer::Side(side)).into_parts().1
    }

    /// What a side was told, in order, as text.
    fn told(&self, side: &str) -> Vec<String> {
        let side: SideId = side.into();
        let mut told = Vec::new();
        for record in self.records.iter().chain(&self.open) {
            if let Record::Event { seen, .. } = record {
                told.extend(seen.iter().filter(|(s, _)| *s == side).map(|(_, s)| text(s)));
            }
        }
        told
    }
}

fn text(sighting: &Sighting) -> String {
    format!("{sighting:?}")
}

fn hex(id: &str) -> Hex {
    Hex::parse(id).unwrap()
}

fn leader(id: &str) -> LeaderId {
    LeaderId(id.to_owned())
}

fn unit(id: &str) -> UnitId {
    UnitId(id.to_owned())
}

fn done(outcomes: &[Outcome]) {
    assert!(outcomes.iter().all(|o| *o == Outcome::Done), "{outcomes:?}");
}

fn refused(outcome: &Outcome, paragraph: &str) {
    let Outcome::Refused { why, rule, .. } = outcome else { panic!("not refused: {outcome:?}") };
    assert!(rule.contains(paragraph), "{why} {rule}");
}

/// ¶96, 99: a line of one hex, dice 4 and 5, and the army commander at his center.
#[test]
fn points_come_by_dice_line_and_commander() {
    let mut table = Table::open("teaching.yaml").dice("ap", &[4, 5]).begin();
    assert_eq!(table.stage(), "1/french/A");
    let own = table.view("french").own;
    // Row 9, first column: 5; and one for Lannes, who stands with the center.
    assert_eq!(own.army.ap, 5 + 5 + 1);
    let loc = own.army.loc.clone().unwrap();
    assert_eq!(
        (loc.path, loc.depots, loc.effective),
        (vec![hex("0105"), hex("0205")], 0, 1),
        "¶90: the Center of Operations is no depot of its own line"
    );
    assert!(!table.told("coalition").iter().any(|t| t.contains("Income")));
    table.until("1/coalition/A");
    // Kutuzov too commands at his center; 1205 to 1005 is two hexes.
    assert_eq!(table.view("coalition").own.army.ap, 5 + 5 + 1);
}

/// ¶96 (1805): the French draw nothing on 15-16 November; the Coalition does, by its long line.
#[test]
fn the_french_draw_nothing_on_the_first_turn_of_moravia() {
    let mut table = Table::open("1805-moravia.yaml").dice("ap", &[6, 6]).begin();
    assert_eq!(table.view("french").own.army.ap, 3);
    table.until("1/coalition/A");
    let own = table.view("coalition").own;
    let loc = own.army.loc.clone().unwrap();
    assert!(loc.effective <= 40 && own.army.ap > 6, "{loc:?} {}", own.army.ap);
    table.until("2/french/A");
    assert_eq!(table.view("french").own.army.ap, 3 + 7 + 1, "Napoleon is with the center");
}

/// ¶101-103, 105: a change of source costs a point and a turn, in which the army draws nothing.
#[test]
fn a_change_of_source_takes_a_turn() {
    let mut table = Table::open("1805-moravia.yaml").dice("ap", &[6, 6]).begin();
    table.until("2/french/A");
    let ap = table.view("french").own.army.ap;
    done(&table.give("french", &["SOURCE MOVE TO 0157"]));
    refused(&table.give("french", &["SOURCE MOVE TO 3056"])[0], "¶102");
    let army = table.view("french").own.army;
    assert_eq!((army.ap, army.source_moving), (ap - 1, Some(hex("0157"))));
    assert!(army.idle().is_some());
    let told = table.told("coalition").join("\n");
    assert!(told.contains("SourceFlipped") && !told.contains("0157"), "the enemy sees no destination");
    table.until("3/french/A");
    let army = table.view("french").own.army;
    assert_eq!((army.ap, army.source, army.source_moving, army.source_garrison), (ap - 1, Some(hex("0157")), None, 1));
}

/// Every example of the command phase's verbs is a line that would be taken as it stands.
#[test]
fn examples_can_be_sent_as_they_stand() {
    let verbs =
        ["SOURCE", "CENTER", "UNIT", "SP", "DETACH", "ATTACH", "RAISE", "RETIRE", "GARRISON", "REPLACE", "ENTER"];
    let mut seen = BTreeMap::new();
    for name in ["teaching.yaml", "1805-moravia.yaml"] {
        let mut table = Table::open(name).begin();
        for _ in 0..24 {
            let stage = table.stage();
            for side in ["french", "coalition"].iter().filter(|s| stage.ends_with(&format!("{s}/A"))) {
                let view = table.view(side);
                for verb in Campaigns::verbs().iter().filter(|v| verbs.contains(&v.word) || v.word == "VEDETTE") {
                    for line in (verb.examples)(&view) {
                        let bound = orders::bind(Campaigns::verbs(), &view, &orders::line(1, &line));
                        assert!(bound.is_ok(), "{stage}: {line}: {:?}", bound.err());
                        *seen.entry(verb.word).or_insert(0) += 1;
                    }
                }
            }
            table.next_stage();
        }
    }
    assert!(seen.len() >= 9, "only these verbs gave examples: {seen:?}");
}

/// ¶129, 35-39: a unit goes to a leader in its hex whose span holds it.
#[test]
fn units_change_tracks_within_spans() {
    let mut table = Table::open("teaching.yaml").begin();
    let outcomes = table.give("french", &["UNIT Suchet TO Oudinot", "UNIT \"Vanguard artillery\" TO Oudinot"]);
    assert_eq!(outcomes[0], Outcome::Done);
    refused(&outcomes[1], "¶35-39");
    assert_eq!(table.view("french").own.units[&unit("suchet")].track, Track::Of(leader("oudinot")));
    refused(&table.give("french", &["UNIT Suchet TO Gazan"])[0], "¶129");
    assert!(!table.told("coalition").iter().any(|t| t.contains("suchet")));
}

/// ¶133, 118: strength goes between like units of one force and hex only, and never above the maximum.
#[test]
fn strength_moves_between_like_units() {
    let mut table = Table::open("teaching.yaml").begin();
    done(&table.give("french", &["SP 1 FROM Suchet TO \"Oudinot's grenadiers\""]));
    let own = table.view("french").own;
    assert_eq!((own.units[&unit("suchet")].sp, own.units[&unit("grenadiers")].sp), (6, 6));
    let outcomes = table.give(
        "french",
        &[
            "SP 1 FROM Suchet TO \"Oudinot's grenadiers\"",
            "SP 1 FROM Suchet TO \"Vanguard artillery\"",
            "SP 1 FROM Suchet TO \"Gazan's division\"",
        ],
    );
    for outcome in &outcomes {
        refused(outcome, "¶133");
    }
}

/// ¶140, 37: a subordinate put on the map is a counter that the enemy sees; attached again it vanishes.
#[test]
fn a_subordinate_comes_and_goes_as_a_counter() {
    let mut table = Table::open("teaching.yaml").begin();
    let before = table.view("coalition").enemy.len();
    done(&table.give("french", &["DETACH Oudinot"]));
    assert_eq!(table.view("french").own.leaders_at(hex("0205")).len(), 2);
    let seen = table.view("coalition").enemy;
    assert_eq!(seen.len(), before + 1);
    assert!(seen.values().all(|c| c.tie.is_none()));
    done(&table.give("french", &["ATTACH Oudinot TO Lannes"]));
    assert_eq!(table.view("coalition").enemy.len(), before);
    refused(&table.give("french", &["ATTACH Gazan TO Lannes"])[0], "¶140");
    refused(&table.give("french", &["DETACH Gazan"])[0], "¶140");
}

/// ¶119-121, 36, 41: a Major General is raised with a unit, and leaves the map when he has none.
#[test]
fn a_major_general_is_raised_and_retired() {
    let mut table = Table::open("teaching.yaml").begin();
    let before = table.view("coalition").enemy.len();
    done(&table.give("french", &["RAISE MG INF 1 AT 0205 WITH Suchet"]));
    assert_eq!(table.view("french").own.units[&unit("suchet")].track, Track::Of(leader("mg_inf_f1")));
    assert_eq!(table.view("coalition").enemy.len(), before + 1);
    assert!(matches!(table.give("french", &["RAISE MG INF 1 WITH Suchet"])[0], Outcome::Unclear { .. }));
    done(&table.give("french", &["RETIRE MI1 INTO Lannes"]));
    assert_eq!(table.view("french").own.units[&unit("suchet")].track, Track::Of(leader("lannes")));
    assert_eq!(table.view("french").own.hex(&leader("mg_inf_f1")), None);
    assert_eq!(table.view("coalition").enemy.len(), before);
}

/// ¶131, 22: a garrison is absorbed by infantry of its nationality in its hex only.
#[test]
fn a_garrison_is_absorbed_by_its_own_nationality() {
    let mut table = Table::open("1805-moravia.yaml").begin();
    table.until("1/coalition/A");
    refused(&table.give("coalition", &["GARRISON ABSORB 3622 INTO \"Kolowrat's infantry\""])[0], "¶131");
    refused(&table.give("coalition", &["GARRISON CREATE 3647 FROM \"Kolowrat's infantry\""])[0], "¶130");
}

/// ¶154-158: reinforcements enter by order or of themselves, with two vedettes a force, and DELAY holds them.
#[test]
fn reinforcements_enter_or_wait() {
    let mut table = Table::open("1805-moravia.yaml").begin();
    table.until("1/coalition/A");
    let vedettes = |t: &Table| t.view("coalition").own.vedettes_at(hex("6610")).len();
    refused(&table.give("coalition", &["ENTER Wimpfen"])[0], "¶154");
    refused(&table.give("coalition", &["ENTER Langeron AT 6510"])[0], "¶163");
    done(&table.give("coalition", &["DELAY Buxhöwden", "ENTER Langeron AT 6610 VEDETTES 1"]));
    assert_eq!(vedettes(&table), 1);
    table.end("coalition");
    let own = table.view("coalition").own;
    assert_eq!(own.sp(&leader("langeron")), 11);
    assert_eq!(own.hex(&leader("buxhoewden")), None);
    table.until("2/coalition/A");
    done(&table.give("coalition", &["ENTER Buxhöwden AT 6510"]));
    table.end("coalition");
    let own = table.view("coalition").own;
    assert!(own.hex(&leader("wimpfen")).is_some() && own.hex(&leader("przybyszewski")).is_some());
    assert_eq!(own.hex(&leader("alexander")), Some(hex("5309")));
}

/// ¶157 (WE-41): a second force at one entry hex pays one MP more on a primary road.
#[test]
fn a_second_force_pays_for_the_first() {
    let mut table = Table::open("1805-moravia.yaml").begin();
    table.until("2/coalition/A");
    let view = table.view("coalition");
    let (situation, track) = (view.situation(), &view.board.reinforcements);
    let przy = track.iter().find(|r| r.leader.0 == "przybyszewski").unwrap();
    let cost = |hex, n| estafette::rules::campaigns::march::enter::first_cost(&situation, przy, hex, n).unwrap().foot.0;
    assert_eq!((cost(hex("6610"), 0), cost(hex("6610"), 1)), (1, 3), "half an MP, then one more");
    assert_eq!(cost(hex("6510"), 1) - cost(hex("6510"), 0), 4, "two more without a road");
}

/// ¶108-114: points from the pool make a unit immobile until the next Organization Segment.
#[test]
fn replacements_make_a_unit_immobile() {
    let change = |text: String| {
        text.replace(
            "sides:\n  french:",
            "replacements:\n- {turn: 1, side: french, nationality: French, points: {infantry: 2}}\nsides:\n  french:",
        )
    };
    let mut table = Table::altered("teaching.yaml", change).begin();
    refused(&table.give("french", &["REPLACE Suchet 2 i"])[0], "¶114");
    refused(&table.give("french", &["REPLACE Suchet 1 c"])[0], "¶109");
    refused(&table.give("french", &["REPLACE Treilhard 1"])[0], "¶109");
    done(&table.give("french", &["REPLACE Suchet 1 i"]));
    let own = table.view("french").own;
    assert_eq!((own.units[&unit("suchet")].sp, own.units[&unit("suchet")].immobile), (8, true));
    assert_eq!(own.army.pool.values().sum::<i32>(), 1);
    table.until("2/french/A");
    assert!(!table.view("french").own.units[&unit("suchet")].immobile);
    assert!(!table.told("coalition").iter().any(|t| t.contains("Replaced") || t.contains("Points")));
}

/// ¶24, 135: up to two vedettes are placed with a force leader; at the end of the sheet one a hex remains.
#[test]
fn vedettes_are_placed_with_leaders_and_thinned_out() {
    let mut table = Table::open("teaching.yaml");
    table.run();
    table.give("french", &[]);
    let view = table.view("french");
    let read = |words: &str| {
        let line = estafette::orders::line(1, words);
        estafette::rules::campaigns::flow::verbs::read_vedette(
            &view,
            &mut estafette::orders::Args::new(&line, 0),
            false,
        )
    };
    assert!(read("WITH Lannes 2").is_ok());
    assert!(read("WITH Lannes 3").is_err());
    let table = table.begin();
    let on_map = |side: &str| table.view(side).own.vedettes.values().filter(|v| matches!(v, Vedette::At(_))).count();
    assert_eq!((on_map("french"), on_map("coalition")), (2, 2), "by default half the mix");
}
